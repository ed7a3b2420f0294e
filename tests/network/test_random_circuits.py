"""Random linear circuits, by both formulations and three solvers, compared with the solution of their matrix pencil."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from network.random_circuits import SOLVERS, Oracle, fault, random_parts, system_of, with_ones
from tellegen.library import electrical as el

# 5205 grows by 500 e-folds in a second: it is run until it has grown a million times.
SEEDS = (*range(14), 5205)


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


@pytest.fixture(scope="module")
def cancelling() -> tg.CompiledModel:
    """A source between the ports of a gyrator: with equal conductances G the coil carries G V."""
    system = tg.System("cancelling")
    system.add(g=el.Gyrator(G1=1.0, G2=0.9), v=el.SineVoltage(V=1.0, f=1.0, phase=0.3))
    system.add(l=el.Inductor(L=1.0), ground=el.Ground())
    system.connect(system.g.p1, system.v.p, system.l.p)
    system.connect(system.g.p2, system.v.n)
    system.connect(system.g.n1, system.g.n2, system.l.n, system.ground.p)
    return tg.compile(system)


@pytest.mark.parametrize("g", [1.0, 0.1, 1.0 / 3.0])
def test_conductances_that_cancel_each_other(cancelling: tg.CompiledModel, g: float) -> None:
    """A constraint that only the numbers show: i = G V sin(w t + phase), v = L di/dt, to rtol = 1e-6."""
    solution = cancelling.simulate(1.0, points=20, parameters={"g.G1": g, "g.G2": g})
    angle = 2 * np.pi * solution.time + 0.3
    assert solution["l.i"] == pytest.approx(g * np.sin(angle), abs=1e-6)
    assert solution["l.v"] == pytest.approx(g * 2 * np.pi * np.cos(angle), abs=1e-5)
    assert "values that cancel each other" in solution.stats["solver_reason"]
    assert cancelling.simulate(1.0, parameters={"g.G1": g, "g.G2": 1.01 * g}).outcome.ok


def test_a_run_continues_with_values_that_cancel(cancelling: tg.CompiledModel) -> None:
    """The snapshot is of the model for these values, which other ones would not fit."""
    values = {"g.G2": 1.0}
    half = cancelling.simulate(0.5, points=3, parameters=values)
    rest = cancelling.simulate(1.0, points=3, parameters=values, initial=half.at(0.5))
    assert rest["l.i"][-1] == pytest.approx(np.sin(2 * np.pi + 0.3), abs=1e-6)
    with pytest.raises(tg.NumericError, match=r"E308.*cancel each other"):
        cancelling.simulate(1.0, parameters={"g.G2": 1.1}, initial=half.at(0.5))


def test_what_does_not_depend_smoothly_on_values_that_cancel(cancelling: tg.CompiledModel) -> None:
    """There are no derivatives: with any other conductance the coil has a state."""
    final = tg.final("l.i")
    with pytest.raises(tg.NumericError, match="with exactly these parameter values"):
        tg.gradient(cancelling, 1.0, parameters={"g.G2": 1.0}, of=[final], wrt=["l.L"], method="forward")
    with pytest.raises(tg.TellegenError, match=r"E643.*cancel each other"):
        tg.gradient(cancelling, 1.0, parameters={"g.G2": 1.0}, of=[final], wrt=["l.L"], method="adjoint")


@pytest.mark.parametrize("seed", [1, 43, 55, 74, *range(300, 306)])
def test_a_circuit_of_ones_has_its_solution(seed: int) -> None:
    """All values are equal, so that more cancels than the structure shows; the first four seeds are such cases."""
    parts = with_ones(random_parts(seed, most_nodes=12, two_ports=True))
    oracle = Oracle(parts)
    if oracle.regular:
        assert fault(tg.compile(system_of(parts)), oracle, "ida") == ""
    else:
        with pytest.raises(tg.TellegenError):
            tg.simulate(system_of(parts), 1.0, solver="ida")


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
