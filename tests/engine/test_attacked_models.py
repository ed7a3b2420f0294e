"""Models on which checks from outside found faults, and which no other test has (docs/inside/attacks.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el


def doubly_driven(R: float) -> tg.System:
    """Two sources on one pair of nodes: they determine the voltage that controls the second one."""
    s = tg.System("net")
    s.add(
        c=el.Capacitor(C=0.61),
        r1=el.Resistor(R=R),
        v=el.ConstantVoltage(V=1.38),
        vs=el.SineVoltage(V=-2.87, f=0.38, phase=3.92),
        r2=el.Resistor(R=0.417),
        e=el.VCV(gain=-2.166),
        g=el.Ground(),
    )
    s.connect(s.c.p, s.r1.p, s.v.n, s.vs.n, s.e.p2)
    s.connect(s.c.n, s.vs.p, s.e.n2)
    s.connect(s.r1.n, s.r2.p, s.e.p1)
    s.connect(s.v.p, s.e.n1)
    s.connect(s.r2.n, s.g.p)
    return s


@pytest.mark.parametrize("R", [0.0, 0.497])
def test_a_voltage_that_is_driven_twice_is_refused_with_any_resistance(R: float) -> None:
    """With R = 0 given to a run the initial system was not square, and native code wrote beyond its arrays."""
    with pytest.raises(tg.TellegenError, match="E202"):
        tg.compile(doubly_driven(R)).simulate(1.0, parameters={"r1.R": 0.0, "r2.R": 0.236})


@pytest.mark.parametrize("right", [lambda x: x, lambda x: 2 * x])
def test_a_discrete_variable_that_equals_a_continuous_one_is_refused(right: Any) -> None:
    class Kept(tg.Component):
        d = tg.variable(discrete=True, start=0.0)
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == 1
            yield self.d == right(self.x)

    with pytest.raises(tg.StructureError, match="E297"):
        tg.compile(Kept())


def thyristor_beside_a_diode() -> tg.System:
    """Both across a capacitor without charge: their conditions are zero at the start, up to roundings."""
    s = tg.System("net")
    s.add(
        g=el.Ground(),
        r2=el.Resistor(R=2.0854001530645356),
        r3=el.Resistor(R=1.5319640713255325),
        v=el.SineVoltage(V=5.844675132854843, f=1.5849834409070098, phase=4.9519505536098745),
        rv=el.Resistor(R=0.4968601036772597),
        ca=el.Capacitor(C=0.046986395133070055, v=tg.variable(start=0.0, fixed=True)),
        cb=el.Capacitor(C=0.12215813650464978, v=tg.variable(start=0.0, fixed=True)),
        t=el.IdealThyristor(Ron=0.0024017460647005593, Goff=0.0002432667570488092),
        gate=blocks.Pulse(period=0.7772558755475376, width=0.7217053994161695, start_time=0.38254675263497817),
        d=el.IdealDiode(Ron=0.02486576713252732, Goff=0.00023870956519265977),
    )
    s.connect(s.gate.y, s.t.fire)
    s.connect(s.v.n, s.rv.p)
    s.connect(s.g.p, s.r2.n, s.r3.n, s.ca.p)
    s.connect(s.v.p, s.ca.n)
    s.connect(s.r2.p, s.rv.n, s.cb.p, s.t.n, s.d.n)
    s.connect(s.r3.p, s.cb.n, s.t.p, s.d.p)
    return s


def test_every_solver_starts_with_conditions_at_zero() -> None:
    """IDA ended at the start as chattering, rk45 later; now they agree within a hundred times the tolerance."""
    compiled = tg.compile(thyristor_beside_a_diode())
    ends = [compiled.simulate(3.0, solver=solver, rtol=1e-7)["ca.v"][-1] for solver in ("ida", "cvode", "rk45")]
    np.testing.assert_allclose(ends, ends[0], rtol=1e-5)


@pytest.mark.parametrize("name", ["time", "pi"])
def test_names_with_a_meaning_of_their_own_are_refused(name: str) -> None:
    """A variable `time` was read as the time of the run, a parameter `pi` as the number."""
    with pytest.raises(tg.LanguageError, match="E102"):
        type("Clash", (tg.Component,), {name: tg.parameter(1.0)})
