"""Power balance of every component: energy in = energy stored + energy dissipated over a run, for the whole library.

Every public class of tellegen.library that has ports with a potential and a flow must have a case in one of the files
cases_*.py beside this one, or a reason there why not. How to add one:

    CASES = [
        Case(el.Capacitor(C=0.2), stored=lambda c: 0.5 * c.C * c.v**2),
        Case(el.ConstantVoltage(V=3.0), supplied=lambda c: -c.V * c.i),          a source: the power it gives
        Case(el.PotentialSensor(), idle=True),                                   no power goes through its ports
        Case(rot.Brake(fn_max=8.0), drive={"f_normalized": lambda t: t - 1.0}),  an input as a function of time
        Case(el.Diode(), drive={"p": VoltageDrive(V=2.0, R=10.0)}),              a port with another drive
    ]
    EXEMPT = {el.OnePort: "a base without a law of its own"}                     and why

Take values other than the defaults, so that every term acts. Ports and inputs that `drive` does not mention are driven
by default (tellegen/testing/ports.py, where a new kind of connector has to be entered); losses leave through the heat
port, which is switched on. The tolerance and its reason stand in tellegen/testing/balance.py. A class may have several
cases. A component that declares `use_heat_port` must also lose something in its case.

Cases of some files share runs, eight at a time: the message of a failure names the component.
"""

from __future__ import annotations

import contextlib
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import tellegen as tg
from library.case import Case, check_together
from tellegen import library
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library.losses import Lossy
from tellegen.testing import VoltageDrive, check_power_balance, power_balance
from tellegen.testing.ports import is_physical

FILES = [import_module(f"library.{path.stem}") for path in sorted(Path(__file__).parent.glob("cases_*.py"))]
CASES: list[Case] = [case for file in FILES for case in file.CASES]
EXEMPT: dict[type, str] = {cls: why for file in FILES for cls, why in getattr(file, "EXEMPT", {}).items()}


def name_of(cls: type) -> str:
    """`electrical.Resistor`."""
    return f"{cls.__module__.split('.')[2]}.{cls.__name__}"


GROUP = 8
"""Cases of one run: more share more, but the steps of the liveliest become those of all."""
TOGETHER = (
    "electrical",
    "machines",
    "magnetic",
    "polyphase",
    "power_converters",
    "quasi_static",
    "rotational",
    "thermal",
    "translational",
)
"""Files whose cases share runs, which takes a quarter of the time less; oil, gas and AC machines take more together."""


def groups() -> Iterator[list[Case]]:
    """Cases of one file that can share a run, and each of the others by itself."""
    for file in FILES:
        together: dict[float, list[Case]] = {}
        for case in file.CASES:
            if case.groups_with is None or file.__name__.removeprefix("library.cases_") not in TOGETHER:
                yield [case]
            else:
                together.setdefault(case.groups_with, []).append(case)
        for cases in together.values():
            yield from (cases[at : at + GROUP] for at in range(0, len(cases), GROUP))


def parameters() -> Iterator[Any]:
    for cases in groups():
        names = [case.cls.__name__ for case in cases]
        yield pytest.param(cases, id=f"{name_of(cases[0].cls)}{''.join(f'+{name}' for name in names[1:])}")


@pytest.mark.parametrize("cases", list(parameters()))
def test_power_balance(cases: list[Case]) -> None:
    if len(cases) == 1:
        cases[0].check()
    else:
        check_together(cases)


def physical_components() -> Iterator[type]:
    """Every public component of the library with a port that carries power."""
    for found in pkgutil.iter_modules(library.__path__):
        module = import_module(f"tellegen.library.{found.name}")
        for name in getattr(module, "__all__", ()):
            cls = getattr(module, name)
            component = inspect.isclass(cls) and issubclass(cls, tg.Component)
            if component and any(is_physical(type(port)) for port in ports_of(cls())):
                yield cls


def ports_of(component: Any) -> list[Any]:
    """The ports a class declares and those that its build() makes where nothing is given to it."""
    with contextlib.suppress(tg.LanguageError):
        component._materialize()
    return [*component._info.ports.values(), *(component._dynamic_ports or {}).values()]


def test_every_component_has_a_case_or_a_reason() -> None:
    covered = {case.cls for case in CASES} | set(EXEMPT)
    missing = sorted({name_of(cls) for cls in physical_components()} - {name_of(cls) for cls in covered})
    assert not missing, f"no case in tests/library/cases_*.py for: {', '.join(missing)} (see the top of this file)"
    assert not set(EXEMPT) & {case.cls for case in CASES}
    assert all(len(why) > 10 for why in EXEMPT.values())


# -- the test can fail -----------------------------------------------------------------------------------------------


class WrongSpring(rot.Compliant):
    """A spring that pulls one flange only."""

    c = tg.parameter(2.0, "N.m/rad")

    def equations(self) -> Any:
        yield self.tau == self.c * self.flange_b.phi


class HotResistor(Lossy, el.OnePort):
    """A resistor that tells the heat port a little less than it takes."""

    R = tg.parameter(2.0, "ohm")

    def losses(self) -> Any:
        return 0.999 * self.v * self.i

    def equations(self) -> Any:
        yield self.v == self.R * self.i


class Perpetuum(Lossy, el.OnePort):
    """A resistor below zero, which cools its surroundings and conserves energy while doing so."""

    R = tg.parameter(0.1, "ohm")

    def losses(self) -> Any:
        return self.v * self.i

    def equations(self) -> Any:
        yield self.v == -self.R * self.i


class LosingGear(tg.Component):
    """A gear whose torque does not fit its ratio."""

    flange_a = rot.Flange()
    flange_b = rot.Flange()

    def equations(self) -> Any:
        yield self.flange_a.phi == 3.0 * self.flange_b.phi
        yield 2.99 * self.flange_a.tau + self.flange_b.tau == 0


@pytest.mark.parametrize(
    ("wrong", "how", "message"),
    [
        (WrongSpring(), {"stored": lambda c: 0.5 * c.c * c.phi_rel**2}, "does not conserve energy"),
        (rot.Spring(c=2.0), {"stored": lambda c: -0.5 * c.c * c.phi_rel**2}, "does not conserve energy"),
        (LosingGear(), {}, "does not conserve energy"),
        (HotResistor(), {}, "does not conserve energy"),
        (Perpetuum(), {}, "converts heat into work"),
        (el.Resistor(R=2.0), {"idle": True}, "power flows"),
        (el.PotentialSensor(), {}, "no power flows"),
        (el.ConstantVoltage(V=2.0), {"supplied": lambda c: c.V * c.i}, "does not conserve energy"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, tg.Component) else None,
)
def test_wrong_components_are_caught(wrong: Any, how: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_power_balance(wrong, **how)


def test_the_balance_can_be_looked_at() -> None:
    """A resistor of 1 ohm at 10 V sin behind the 1 ohm of its drive: the power 25 W sin^2 has the mean 12.5 W."""
    found = power_balance(el.Resistor(R=1.0), drive={"n": VoltageDrive(V=0.0, R=0.0)}, stop=2.0)
    assert found.dissipated == pytest.approx(25.0, rel=1e-6)
    assert found.error < 1e-8
    assert "in through p" in str(found)


def test_a_misspelt_port_is_refused() -> None:
    with pytest.raises(TypeError, match="no port or input 'q'"):
        power_balance(el.Resistor(), drive={"q": 1.0})


def test_an_unknown_connector_is_refused() -> None:
    class Shaft(tg.Connector):
        w = tg.across("rad/s")
        tau = tg.through("N.m")

    class Rotor(tg.Component):
        shaft = Shaft()

        def equations(self) -> Any:
            yield tg.der(self.shaft.w) == self.shaft.tau

    with pytest.raises(TypeError, match="what is the power of a Shaft"):
        power_balance(Rotor())


def test_signals_of_time_fit_inputs_of_any_unit() -> None:
    """`1 + t` as a voltage: the time of a drive is a bare number."""
    check_power_balance(el.SignalVoltage(), drive={"u": lambda t: 1.0 + t}, supplied=lambda c: -c.u * c.i)
