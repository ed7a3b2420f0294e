"""Index reduction and state selection: offsets of known problems, differentiated equations, the choice of states."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from examples.grid_inverter import Feeding
from tellegen.graph.offsets import offsets
from tellegen.ir.show.reduced_rows import equation_text, variable_text
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library import translational as tr
from tellegen.stages import reduce_model

START = {"start": 0.0, "fixed": True}


def structure(table: dict[tuple[int, int], int]) -> tuple[Any, Any, Any]:
    """Rows, columns and orders of a signature matrix."""
    entries = [(i, j, order) for (i, j), order in table.items()]
    rows, columns, orders = (np.array(part) for part in zip(*entries, strict=True))
    return rows, columns, orders


def states(model: Any) -> set[str]:
    """The names of the chosen states."""
    found = reduce_model(model)
    return {variable_text(found, int(v)) for v in found.unknowns[found.is_state]}


def test_offsets_of_the_pendulum_are_those_of_the_literature() -> None:
    # x'' = -x lam, y'' = -y lam - g, x^2 + y^2 = L^2 (Pryce 2001, example 1): c = (0, 0, 2), d = (2, 2, 0)
    table = {(0, 0): 2, (0, 2): 0, (1, 1): 2, (1, 2): 0, (2, 0): 0, (2, 1): 0}
    found = offsets(*structure(table), 3)
    assert found is not None
    assert found[0].tolist() == [0, 0, 2]
    assert found[1].tolist() == [2, 2, 0]


def test_offsets_of_an_ordinary_system_are_zero() -> None:
    found = offsets(*structure({(0, 0): 1, (0, 1): 0, (1, 1): 1}), 2)
    assert found is not None
    assert not found[0].any()


@pytest.mark.parametrize("seed", range(20))
def test_offsets_are_feasible_tight_and_smallest(seed: int) -> None:
    """Against a brute-force search over all small c, on random structures that have a complete assignment."""
    random = np.random.default_rng(seed)
    n = 4
    table = {(k, int(p)): int(random.integers(0, 2)) for k, p in enumerate(random.permutation(n))}
    for i in range(n):
        for j in range(n):
            if random.random() < 0.35:
                table.setdefault((i, j), int(random.integers(0, 2)))
    rows, columns, sigma = structure(table)
    found = offsets(rows, columns, sigma, n)
    assert found is not None
    c, d, assigned = found
    assert (d[columns] - c[rows] >= sigma).all()
    assert all(table[i, int(assigned[i])] + c[i] == d[assigned[i]] for i in range(n))
    smaller = [
        k for k in np.ndindex(*(int(v) + 1 for v in c)) if not np.array_equal(k, c) and _solves(np.array(k), table, n)
    ]
    assert not smaller


def _solves(c: Any, table: dict[tuple[int, int], int], n: int) -> bool:
    from itertools import permutations

    d = [max(order + c[i] for (i, j), order in table.items() if j == column) for column in range(n)]
    return any(all(table.get((i, p[i]), -99) + c[i] == d[p[i]] for i in range(n)) for p in permutations(range(n)))


class Pendulum(tg.Component):
    """A point mass on a rigid rod, in Cartesian coordinates."""

    x = tg.variable("m", start=1.0)
    y = tg.variable("m", start=0.0)
    force = tg.variable("1/s2")

    def equations(self):
        yield tg.der(tg.der(self.x)) == -self.force * self.x
        yield tg.der(tg.der(self.y)) == -self.force * self.y - 9.81
        yield self.x**2 + self.y**2 == 1


def test_the_constraint_is_kept_and_differentiated_twice() -> None:
    model = reduce_model(Pendulum())
    texts = [equation_text(model, k) for k in range(model.equation_count)]
    assert texts.count("x**2 + y**2 == 1") == 3
    assert model.equation_count == len(model.unknowns)
    assert model.is_state.sum() == 2


class Twins(tg.Component):
    """Two inertias on a rigid shaft."""

    a = rot.Inertia(J=2.0)
    b = rot.Inertia(J=3.0, phi=tg.variable(**START), w=tg.variable(**START))
    drive = rot.ConstantTorque(tau_constant=10.0)

    def connections(self):
        yield self.drive.flange, self.a.flange_a
        yield self.a.flange_b, self.b.flange_a


def test_two_inertias_on_a_shaft_accelerate_as_one() -> None:
    assert len(states(Twins())) == 2
    solution = tg.simulate(Twins(), 2.0)
    np.testing.assert_allclose(solution["a.w"], 10.0 / 5.0 * solution.time, atol=1e-6)
    np.testing.assert_allclose(solution["a.phi"], solution["b.phi"], atol=1e-12)


class Loop(tg.Component):
    """A capacitor straight on a sine source: its current is C dv/dt of the source, an equation differentiated."""

    source = el.SineVoltage(V=2.0, f=1.0)
    c = el.Capacitor(C=0.5)
    g = el.Ground()

    def connections(self):
        yield self.source.p, self.c.p
        yield self.source.n, self.c.n, self.g.p


def test_a_capacitor_on_a_source_has_no_state() -> None:
    assert states(Loop()) == set()
    solution = tg.simulate(Loop(), 1.0)
    exact = 0.5 * 2.0 * 2 * np.pi * np.cos(2 * np.pi * solution.time)
    np.testing.assert_allclose(solution["c.i"], exact, atol=1e-5)  # rtol 1e-6 of an amplitude of 6


def test_preferences_decide_which_variable_is_the_state() -> None:
    class Pair(tg.Component):
        a = tg.variable(start=1.0, state="avoid")
        b = tg.variable(start=1.0, state="prefer")
        f = tg.variable()

        def equations(self):
            yield tg.der(self.a) == self.f
            yield tg.der(self.b) == -self.b + 2 * self.f
            yield self.a == 3 * self.b

    class Other(Pair):
        a = tg.variable(start=1.0, state="prefer")
        b = tg.variable(start=1.0, state="avoid")

    assert states(Pair()) == {"b"}
    assert states(Other()) == {"a"}
    for model in (Pair(), Other()):
        solution = tg.simulate(model, 1.0, initial={"b": 1.0})
        # f = 3 b', so b' = -b + 6 b', b' = b / 5
        np.testing.assert_allclose(solution["b"], np.exp(solution.time / 5), rtol=1e-5)


def test_an_opaque_function_in_a_constraint_is_refused_by_name() -> None:
    @tg.function(opaque=True)
    def surface(x: float) -> float:
        return x**2

    class Bead(tg.Component):
        x = tg.variable(start=1.0)
        y = tg.variable(start=1.0)
        f = tg.variable()

        def equations(self):
            yield tg.der(tg.der(self.x)) == -self.f
            yield tg.der(tg.der(self.y)) == self.f - 9.81
            yield self.y == surface(self.x)

    with pytest.raises(tg.StructureError, match=r"(?s)E205.*y == surface\(x\)"):
        reduce_model(Bead())


def test_an_opaque_function_with_derivative_may_tie_states() -> None:
    """Two stores on one pressure, as fluids have them: V1 = p^2 and V2 = p^3, filled by 2 in all."""

    @tg.function(opaque=True, derivative=lambda p: 2.0 * p)
    def first(p: float) -> float:
        return p**2

    @tg.function(opaque=True, derivative=lambda p: 3.0 * p**2)
    def second(p: float) -> float:
        return p**3

    class Stores(tg.Component):
        V1 = tg.variable(start=1.0)
        V2 = tg.variable(start=1.0)
        p = tg.variable(start=1.0, fixed=True)
        q = tg.variable()

        def equations(self):
            yield self.V1 == first(self.p)
            yield self.V2 == second(self.p)
            yield tg.der(self.V1) == 2.0 - self.q
            yield tg.der(self.V2) == self.q

    s = tg.simulate(Stores(), 3.0, rtol=1e-8)
    np.testing.assert_allclose(s["p"] ** 2 + s["p"] ** 3, 2.0 + 2.0 * s.time, rtol=1e-6)


def test_constraints_that_are_sums_are_found_behind_the_rows_of_states() -> None:
    """Two sensors see the same distance: a sum is differentiated, and its row comes behind der(x) == x'."""

    class Pair(tg.Component):
        a = tr.Mass(s=tg.variable(**START), v=tg.variable(**START))
        b = tr.Mass(s=tg.variable(**START), v=tg.variable(start=2.0, fixed=True))
        speed = tr.RelSpeedSensor()
        acceleration = tr.RelAccSensor()

        def connections(self) -> Any:
            yield self.a.flange_b, self.speed.flange_a, self.acceleration.flange_a
            yield self.b.flange_a, self.speed.flange_b, self.acceleration.flange_b

    s = tg.simulate(Pair(), 1.0)
    assert s["speed.v_rel"] == pytest.approx(2.0)
    assert s["acceleration.s_rel"][-1] == pytest.approx(2.0)


class Geared(tg.Component):
    """Only a is a state; the rate of b is an unknown that the derivative of the constraint determines."""

    rate = tg.parameter(0.25)
    a = tg.variable(start=1.0, state="always")
    b = tg.variable(state="never")
    f = tg.variable()

    def equations(self) -> Any:
        yield tg.der(self.a) == self.f - self.a
        yield 2.0 * tg.der(self.b) == 1.0 - self.f
        yield self.a == 3.0 * self.b

    def initial_equations(self) -> Any:
        yield tg.der(self.b) == self.rate


@pytest.mark.parametrize("rate", [0.0, 0.25, -1.0])
def test_initial_equations_of_rates_that_are_not_those_of_states(rate: float) -> None:
    solution = tg.simulate(Geared(rate=rate), 1.0)
    assert solution["a"][0] == pytest.approx(1.0 - 2.0 * rate - 3.0 * rate)
    assert solution["b"][0] == pytest.approx(solution["a"][0] / 3.0)


def test_currents_of_a_star_are_constrained_without_the_parts_that_feed_it() -> None:
    """Three coils that meet in a star: one equation is differentiated, not those of the control of their inverter."""
    found = reduce_model(Feeding())
    names = {variable_text(found, int(v)) for v in found.unknowns}
    assert {name for name in names if name.startswith("der(")} == {f"der(coil.i[{k}])" for k in range(3)}
