"""The power balance of a component: what goes in through its ports is what it stores.

    from tellegen.testing import check_power_balance

    check_power_balance(Spring(c=3.0), stored=lambda spring: 0.5 * spring.c * spring.phi_rel**2)

The component is put on a test rig: every port gets a drive (`ports.py`), every input a signal, and the power through
every port is integrated as a state of the run, as accurately as everything else. At every instant

    energy in through all ports + energy supplied = energy stored - energy stored at the beginning

A component with losses is tested with its heat port (`use_heat_port=True` is set here), through which they leave; so
"in = stored + dissipated" is the line above, and besides the heat port may never take heat in. Only sources supply:
they stand for the outside, and `supplied` is the power they say they give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.testing.ports import TWO_PI, default_drive, kind_of, physical_ports

TOLERANCE = 1e-6
"""Of the energy turned over: rtol is 1e-8 for each step, and some hundred steps may add up."""
NOTHING = 1e-9
"""Energies (J) below are none: for parts that take no power, such as sensors."""
HEAT_PORT = "heat_port"
STOP = 2.0
"""Seconds, two periods of the slowest drive."""
RUN: dict[str, Any] = {"rtol": 1e-8, "points": 401}

Law = Callable[[Any], Any]
Array = np.ndarray[Any, np.dtype[np.float64]]


class Meter(tg.Component):
    """Integrates a power."""

    power = tg.input("W")
    energy = tg.variable("J", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.energy) == self.power


class Gauge(tg.Component):
    """Shows an energy."""

    energy = tg.input("J")


@dataclass(frozen=True)
class PowerBalance:
    """The energies of a run over time (J): into the component by port, supplied in it, and stored in it."""

    name: str
    time: Array
    ports: dict[str, Array]
    powers: dict[str, Array]
    supplied: Array
    stored: Array
    solution: Any

    @property
    def missing(self) -> Array:
        """What came in and is neither stored nor gone; zero if the component conserves energy."""
        return sum(self.ports.values(), self.supplied) - (self.stored - self.stored[0])

    @property
    def turned_over(self) -> float:
        """The energy that moved at all, in whatever direction: the integral of |power| over all ports."""
        return sum(float(np.trapezoid(abs(power), self.time)) for power in self.powers.values())

    @property
    def error(self) -> float:
        """The largest imbalance, relative to the energy turned over."""
        return float(abs(self.missing).max()) / max(self.turned_over, NOTHING)

    @property
    def dissipated(self) -> float:
        """The heat that left through the heat ports of losses."""
        return -sum(float(self.ports[name][-1]) for name in self.heat_ports)

    @property
    def heat_ports(self) -> list[str]:
        """The ports through which losses leave: `heat_port`, and others such as `heat_port_frame`."""
        return [name for name in self.ports if name.startswith(HEAT_PORT)]

    def __str__(self) -> str:
        worst = int(abs(self.missing).argmax())
        rows = [f"energy of {self.name} at {self.time[worst]:.6g} s, in J:"]
        rows += [f"  in through {name:<12} {energy[worst]:16.9g}" for name, energy in self.ports.items()]
        rows += [f"  supplied                {self.supplied[worst]:16.9g}"] if self.supplied.any() else []
        rows += [f"  increase of storage {self.stored[worst] - self.stored[0]:16.9g}"]
        rows += [f"  left over               {self.missing[worst]:16.9g}"]
        return "\n".join([*rows, f"{self.error:.2g} of the {self.turned_over:.6g} J of total turnover"])


@dataclass(frozen=True)
class Mounted:
    """A component on its test rig: the rig, the ports, and which laws have a meter there."""

    name: str
    rig: tg.System
    ports: tuple[str, ...]
    laws: tuple[str, ...]

    def balance(self, solution: Any, inside: str = "") -> PowerBalance:
        """The energies of a run of the rig, or of a system that has it inside, by the path to it."""
        zero = np.zeros(len(solution.time))
        return PowerBalance(
            self.name,
            solution.time,
            {name: solution[f"{inside}meter{k}.energy"] for k, name in enumerate(self.ports)},
            {name: solution[f"{inside}meter{k}.power"] for k, name in enumerate(self.ports)},
            solution[f"{inside}supplied.energy"] if "supplied" in self.laws else zero,
            solution[f"{inside}stored.energy"] if "stored" in self.laws else zero,
            solution,
        )


def mounted(
    component: Any,
    *,
    stored: Law | None = None,
    supplied: Law | None = None,
    drive: Mapping[str, Any] | None = None,
    around: Mapping[str, Any] | None = None,
) -> Mounted:
    """A component on a test rig; the keywords are those of `power_balance`."""
    if "use_heat_port" in component._info.structural:
        component.use_heat_port = True
    rig, ports = _rig(component, dict(drive or {}), around or {})
    laws = {name: law for name, law in (("stored", stored), ("supplied", supplied)) if law is not None}
    for name, law in laws.items():
        rig.add(**{name: Meter() if name == "supplied" else Gauge()})
        rig.equation((rig.supplied.power if name == "supplied" else rig.stored.energy) == law(component))
    return Mounted(type(component).__name__, rig, tuple(ports), tuple(laws))


def power_balance(
    component: Any,
    *,
    stored: Law | None = None,
    supplied: Law | None = None,
    drive: Mapping[str, Any] | None = None,
    around: Mapping[str, Any] | None = None,
    stop: float = STOP,
    **options: Any,
) -> PowerBalance:
    """Run a component on a test rig and return the energies.

    stored(component) is its stored energy, supplied(component) the power a source gives, both as expressions.
    `drive` says for a port which component drives it (one with a port `port`), or the name of another port that it is
    connected with (a feedback), or None to leave it open; for an input, its value or a function of time. `around` are
    the surroundings it asks for with tg.outer, by name. `options` go to tg.simulate.
    """
    on_rig = mounted(component, stored=stored, supplied=supplied, drive=drive, around=around)
    return on_rig.balance(tg.simulate(on_rig.rig, stop, **{**RUN, **options}))


def check_power_balance(
    component: Any, *, idle: bool = False, reversible: bool = False, tolerance: float = TOLERANCE, **how: Any
) -> PowerBalance:
    """Assert that a component conserves energy and return the energies; the keywords are those of `power_balance`.

    With `idle` it is one that no power goes through, such as a sensor, and that is what is asserted. Otherwise power
    has to flow, or the test would say nothing. Heat may only leave, unless the component is `reversible`.
    """
    balance = power_balance(component, **how)
    conserves(balance, idle, reversible, tolerance)
    return balance


def check_power_balances(parts: Sequence[tuple[Any, Mapping[str, Any]]], stop: float = STOP) -> list[PowerBalance]:
    """Assert the balance of several components, each with keywords of `check_power_balance`, in one run.

    Their rigs have nothing to do with each other; compiled together they take half the time.
    """
    together = tg.System("rigs")
    rigs: list[Mounted] = []
    judged = ("idle", "reversible", "tolerance")
    for k, (component, how) in enumerate(parts):
        rigs.append(mounted(component, **{key: value for key, value in how.items() if key not in judged}))
        together.add(**{f"rig{k}": rigs[-1].rig})
    solution = tg.simulate(together, stop, **RUN)
    found: list[PowerBalance] = []
    for k, (_, how) in enumerate(parts):
        found.append(rigs[k].balance(solution, f"rig{k}."))
        conserves(found[-1], how.get("idle", False), how.get("reversible", False), how.get("tolerance", TOLERANCE))
    return found


def conserves(balance: PowerBalance, idle: bool, reversible: bool, tolerance: float) -> None:
    """Assert what `check_power_balance` says."""
    outcome = balance.solution.outcome
    assert outcome.ok, f"the run of {balance.name} ended early: {outcome}"
    if idle:
        assert balance.turned_over < NOTHING, f"power flows through {balance.name}\n{balance}"
        return
    assert balance.turned_over > 1e3 * NOTHING, f"no power flows through {balance.name}: excite it\n{balance}"
    assert balance.error < tolerance, f"{balance.name} does not conserve energy\n{balance}"
    for name in () if reversible else balance.heat_ports:
        heat = -balance.powers[name]
        least = float(heat.min())
        assert least >= -1e-9 * max(heat.max(), NOTHING), f"{balance.name} converts heat into work: {name} {least:g} W"
    if balance.heat_ports and not reversible:
        assert balance.dissipated > 1e3 * NOTHING, f"{balance.name} has a heat port but no losses: excite it\n{balance}"


def _rig(component: Any, drive: dict[str, Any], around: Mapping[str, Any]) -> tuple[tg.System, dict[str, Any]]:
    """The component as `part` of a system with a drive and a meter for every port, and a signal for every input."""
    rig = tg.System("rig")
    rig.add(**around)  # first: the power through a port may depend on them, as on a medium
    rig.add(part=component)
    ports = physical_ports(component)
    for k, (name, port) in enumerate(ports.items()):
        driver = drive.pop(name) if name in drive else default_drive(port, k)
        rig.add(**{f"meter{k}": Meter()})
        rig.equation(rig[f"meter{k}"].power == kind_of(port).power(port))
        if isinstance(driver, str):
            rig.connect(ports[driver], port)
        elif driver is not None:
            rig.add(**{f"drive{k}": driver})
            rig.connect(driver.port, port)
    for name, decl in component._info.variables.items():
        if decl.role == "input" and (name in drive or decl.attributes.get("default") is None):
            signal = drive.pop(name, lambda t: 0.5 + 0.5 * tg.sin(TWO_PI * t))
            seconds = 1.0 * tg.time  # a bare number, so that `1 + t` fits inputs of any unit
            rig.equation(getattr(component, name) == (signal(seconds) if callable(signal) else signal))
    if drive:
        raise TypeError(f"{type(component).__name__} has no port or input {', '.join(map(repr, drive))}")
    return rig, ports
