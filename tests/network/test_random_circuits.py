"""Random linear circuits, by both formulations and three solvers, compared with the solution of their matrix pencil."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from network.random_circuits import SOLVERS, Oracle, fault, random_parts, system_of
from tellegen.library import electrical as el

# 5205 grows by 500 e-folds in a second: it is run until it has grown a million times.
SEEDS = (*range(24), 5205)


@pytest.mark.parametrize("formulation", ["connections", "graph"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_circuit_has_its_solution_or_is_rejected(seed: int, formulation: str) -> None:
    """A circuit without a unique solution must not compile, and the error says what is wrong in words."""
    parts = random_parts(seed, most_nodes=16 if seed < 24 else 40, two_ports=seed % 2 == 1)
    oracle = Oracle(parts)
    if not oracle.regular:
        with pytest.raises(tg.StructureError, match=r"E20\d: .*(singular|source|loop|driver|reference)"):
            tg.compile(system_of(parts), formulation=formulation)
        return
    compiled = tg.compile(system_of(parts), formulation=formulation)
    assert [found for solver in SOLVERS if (found := fault(compiled, oracle, solver))] == []


def test_a_bypass_capacitor_away_from_the_ground() -> None:
    """The capacitor has the voltage of the battery, whatever the shunt does."""
    system = tg.System("bypass")
    system.add(v=el.ConstantVoltage(V=5.0), c=el.Capacitor(C=1e-6), load=el.Resistor(R=10.0))
    system.add(shunt=el.Resistor(R=0.1), g=el.Ground())
    system.connect(system.v.p, system.c.p, system.load.p)
    system.connect(system.v.n, system.c.n, system.load.n, system.shunt.p)
    system.connect(system.shunt.n, system.g.p)
    solution = tg.simulate(system, 1.0)
    assert solution["c.v"][-1] == pytest.approx(5.0, rel=1e-12)
    assert solution["load.i"][-1] == pytest.approx(0.5, rel=1e-12)


def test_a_current_source_and_a_coil_with_a_snubber_between_them() -> None:
    """The coil carries the current of the source, so that the capacitor charges to -I R (1 - exp(-t/RC))."""
    system = tg.System("cutset")
    system.add(i=el.ConstantCurrent(I=1.0), r=el.Resistor(R=1.0), c=el.Capacitor(C=1.0), l=el.Inductor(L=1.0))
    system.add(g=el.Ground())
    system.connect(system.i.p, system.r.p, system.c.p)
    system.connect(system.r.n, system.c.n, system.l.p)
    system.connect(system.i.n, system.l.n, system.g.p)
    solution = tg.simulate(system, 1.0, rtol=1e-9)
    assert solution["c.v"][-1] == pytest.approx(np.exp(-1.0) - 1.0, rel=1e-6)
    assert solution["l.v"][-1] == pytest.approx(0.0, abs=1e-9)


def test_conductances_that_cancel_each_other_are_named() -> None:
    """With equal conductances the coil carries G V, a constraint that only the numbers show; the advice says so."""

    def circuit(second: float) -> tg.System:
        system = tg.System("cancelling")
        system.add(g=el.Gyrator(G1=1.0, G2=second), v=el.SineVoltage(V=1.0, f=1.0, phase=0.3))
        system.add(l=el.Inductor(L=1.0), ground=el.Ground())
        system.connect(system.g.p1, system.v.p, system.l.p)
        system.connect(system.g.p2, system.v.n)
        system.connect(system.g.n1, system.g.n2, system.l.n, system.ground.p)
        return system

    with pytest.raises(tg.NumericError, match="with exactly these parameter values") as caught:
        tg.simulate(circuit(1.0), 1.0)
    assert "change a parameter in these equations a little" in str(caught.value)
    assert tg.simulate(circuit(1.01), 1.0).outcome.ok


class Ring(tg.Component):
    """Three capacitors in a ring, charged through resistors."""

    a = el.Capacitor(C=1.0)
    b = el.Capacitor(C=2.0)
    c = el.Capacitor(C=3.0)
    ra = el.Resistor(R=1.0)
    rb = el.Resistor(R=2.0)
    rc = el.Resistor(R=3.0)
    v = el.ConstantVoltage(V=1.0)
    g = el.Ground()

    def connections(self) -> Any:
        yield self.a.n, self.b.p, self.ra.p
        yield self.b.n, self.c.p, self.rb.p
        yield self.c.n, self.a.p, self.rc.p
        yield self.ra.n, self.v.p
        yield self.rb.n, self.rc.n, self.v.n, self.g.p


def test_rings_beyond_any_number() -> None:
    """800 independent copies are 2400 equations in rings; each does what a single one does."""
    system = tg.System("rings")
    system.add(t=Ring.array(800))
    many = tg.simulate(system, 1.0, points=3, rtol=1e-8)
    one = tg.simulate(Ring(), 1.0, points=3, rtol=1e-8)
    for k in (0, 400, 799):
        assert many[f"t[{k}].a.v"][-1] == pytest.approx(one["a.v"][-1], rel=1e-5)
