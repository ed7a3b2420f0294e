"""Volts straight across a junction: every analysis says that the numbers are those of no junction."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import tellegen as tg
from tellegen.library import electrical as el

BEYOND = r"{}: the voltage is beyond what any junction stands"


class Shorted(tg.Component):
    """A source across a diode, and beside it what a run can integrate."""

    V = tg.parameter(3.0, "V")
    R = tg.parameter(10.0, "ohm")
    source = el.ConstantVoltage(V=V)
    d = el.Diode()
    r = el.Resistor(R=R)
    c = el.Capacitor(C=1e-6)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.d.p, self.r.p
        yield self.r.n, self.c.p
        yield self.source.n, self.d.n, self.c.n, self.ground.p


class Bare(tg.Component):
    """The source and the diode alone."""

    V = tg.parameter(3.0, "V")
    source = el.ConstantVoltage(V=V)
    d = el.Diode()
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.d.p
        yield self.source.n, self.d.n, self.ground.p


CASES: list[tuple[str, Callable[[], object]]] = [
    ("at t = 0", lambda: tg.simulate(Shorted(), stop=1e-4)),
    ("at t = 0", lambda: tg.sensitivity(Shorted(), 1e-4, wrt=["R"])),
    ("at t = 0", lambda: tg.gradient(Shorted(), 1e-4, of=tg.final("c.v"), wrt=["R"])),
    ("in steady state", lambda: tg.steady_state(Bare())),
    ("at V = 2.9", lambda: tg.sweep(Bare(), {"V": [0.5, 2.9, 3.0]})),
    ("in steady state", lambda: tg.frequency_response(Bare(), [1.0], inputs=["V"], outputs=["d.i"])),
]


@pytest.mark.parametrize(("where", "analysis"), CASES)
def test_every_analysis_names_the_diode_and_its_voltage(where: str, analysis: Callable[[], object]) -> None:
    with pytest.warns(UserWarning, match=BEYOND.format(where + " in d")) as caught:
        analysis()
    assert any("d.v_j = " in str(warning.message) for warning in caught)


def test_the_currents_of_a_real_junction_are_not_warned_of() -> None:
    assert tg.simulate(Shorted(V=0.9), stop=1e-4).warnings == ()


PARTS: dict[str, tuple[Any, float, str]] = {
    "breakdown": (el.Diode(Bv=5.0), -12.0, "pn"),
    "npn": (el.NPN(), 4.0, "BCE"),
    "pnp": (el.PNP(), -4.0, "BCE"),
    "njf": (el.NJFET(), 4.0, "GDS"),
    "nmos": (el.NMOS(), 4.0, "BDGS"),
}


@pytest.mark.parametrize("name", PARTS)
def test_every_part_with_junctions(name: str) -> None:
    used, volts, pins = PARTS[name]

    class Rig(tg.Component):
        part = used
        source = el.ConstantVoltage(V=volts)
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.source.p, getattr(self.part, pins[0])
            yield self.source.n, self.ground.p, *(getattr(self.part, pin) for pin in pins[1:])

    with pytest.warns(UserWarning, match=BEYOND.format("at t = 0 in part")):
        tg.simulate(Rig(), stop=1e-6)


def test_assertions_are_looked_at_in_steady_state() -> None:
    """They ended runs, and steady states that violate them were returned without a word."""

    class Vessel(tg.Component):
        p = tg.variable("bar", start=1.0)

        def equations(self) -> Any:
            yield tg.der(self.p) == 5e5 - 1e5 * self.p / 1e5
            yield tg.assert_(self.p < 2e5, "the vessel bursts")  # noqa: PT009

    with pytest.warns(UserWarning, match="in steady state: the vessel bursts .p = 5 bar"):
        tg.steady_state(Vessel())


@pytest.mark.parametrize(("Vtf", "warns"), [(0.004, True), (0.04, False)])
def test_the_exponential_of_a_transit_time(Vtf: float, warns: bool) -> None:
    """exp(v_bc/(1.44 Vtf)) went on as a straight line without a word, where the junction itself is a usual one."""

    class Saturated(tg.Component):
        q = el.NPN(Tf=1e-10, Xtf=1.0, Itf=0.1, Vtf=Vtf)
        source = el.ConstantVoltage(V=0.7)
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.source.p, self.q.B
            yield self.source.n, self.q.C, self.q.E, self.ground.p

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tg.simulate(Saturated(), stop=1e-9)
    assert any("beyond what its parameter Vtf is for" in str(warning.message) for warning in caught) == warns
