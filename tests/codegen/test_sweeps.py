"""Recurrences as rolled loops: the same numbers as level by level, and code that does not grow with the chain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from codegen.articulated import chain, tree
from tellegen.codegen import sweeps
from tellegen.codegen.python_ode import Reference
from tellegen.compile import compile_model
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.loaded.ode_system import OdeModel, OdeSystem
from tellegen.ir.check.ode_program import check_ode_program
from tellegen.ir.ode import OdeCode
from tellegen.library import multibody
from tellegen.stages import ode_code


def sweep_bodies(code: OdeCode) -> int:
    """Rows in the bodies of recurrent loops."""
    assert code.program is not None, code.reason
    loops = [loop for entry in code.program.entries.values() for loop in entry.loops]
    return sum(len(loop.stores) for loop in loops if loop.recurrent)


class _Bare:
    """What an OdeSystem needs of a model."""

    def __init__(self, model: CompiledModel, code: OdeCode) -> None:
        self.reduced = model.reduced
        self.ode = OdeModel(code)


def values(model: CompiledModel, code: OdeCode) -> tuple[Any, Any]:
    """All unknowns and rates at a random point, by native code and by the reference in Python."""
    rng = np.random.default_rng(5)
    system = OdeSystem(_Bare(model, code))  # type: ignore[arg-type]
    given = model.flat.parameters.column("value")
    system.p[: len(given)] = given
    model.compute_parameters(np.zeros(len(system.p)), system.p)
    system.w[:] = rng.uniform(-1.0, 1.0, len(system.w))
    guess = system.w.copy()
    x = rng.uniform(-1.0, 1.0, len(system.states))
    assert system.rhs(0.3, x)
    assert code.program is not None
    Reference(code.program).rhs(0.3, x, guess, system.p)
    return system.w, guess


def both_ways(component: tg.Component, monkeypatch: pytest.MonkeyPatch) -> OdeCode:
    """The code with sweeps, after it gave the same numbers as the code without."""
    model = compile_model(component)
    monkeypatch.setattr(sweeps, "FEW_ROWS", 0)
    swept = ode_code(model.reduced)
    monkeypatch.setattr(sweeps, "FEW_ROWS", 10**9)
    plain = ode_code(model.reduced)
    native, reference = values(model, swept)
    np.testing.assert_allclose(native, reference, rtol=1e-10, atol=1e-10)
    np.testing.assert_array_equal(native, values(model, plain)[0])  # the same operations in another order
    assert not sweep_bodies(plain)
    return swept


TREES = {
    "chain": range(-1, 6),
    "tree": [-1, 0, 0, 1, 1, 2, 2],
    "forest": [-1, -1, -1, 0, 1, 2],
}


@pytest.mark.parametrize("parents", TREES.values(), ids=TREES)
def test_articulated_bodies_are_computed_alike(parents: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 100 < sweep_bodies(both_ways(tree(parents), monkeypatch)) < 450


class DoublePendulums(tg.Component):
    """Mechanisms of the library, side by side."""

    world = multibody.World()
    hips = multibody.Revolute.array(4, n=[0.0, 1.0, 0.0])
    thighs = multibody.BodyShape.array(4, r=[0.5, 0.0, 0.0], r_CM=[0.25, 0.0, 0.0], m=1.0)
    knees = multibody.Revolute.array(4, n=[0.0, 0.6, 0.8])
    shins = multibody.BodyShape.array(4, r=[0.5, 0.0, 0.0], r_CM=[0.25, 0.0, 0.0], m=1.0)

    def connections(self) -> Iterator[Any]:
        for hip in self.hips:
            yield self.world.frame_b, hip.frame_a
        yield self.hips.frame_b, self.thighs.frame_a
        yield self.thighs.frame_b, self.knees.frame_a
        yield self.knees.frame_b, self.shins.frame_a


def test_mechanisms_of_the_library_are_computed_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 200 < sweep_bodies(both_ways(DoublePendulums(), monkeypatch)) < 400


def test_a_sweep_in_the_wrong_direction_is_refused() -> None:
    model = compile_model(chain(5))
    program = ode_code(model.reduced).program
    assert program is not None
    name, entry = next((name, entry) for name, entry in program.entries.items() if entry.loops[0].recurrent)
    loop = entry.loops[0]
    turned = replace(entry, loops=(replace(loop, table=np.ascontiguousarray(loop.table[::-1])),))
    with pytest.raises(tg.InternalError, match=f"E903: .*{name}: an unknown is read before it is computed"):
        check_ode_program(replace(program, entries=program.entries | {name: turned}), model.reduced.parameter_indices)


def test_code_does_not_grow_with_the_chain() -> None:
    codes = [ode_code(compile_model(chain(n)).reduced) for n in (12, 36)]
    texts = [sum(len(module.text) for module in code.native.modules) for code in codes if code.native]
    assert texts[0] == pytest.approx(texts[1], rel=0.02)


def test_chain_of_ten_swings_as_it_should() -> None:
    """The reference is a table of ../shared/validation/multibody: angle of the first joint after a second."""
    solution = tg.simulate(chain(10), stop=1.0, solver="rk45", rtol=1e-8)
    assert solution["links[0].phi"][-1] == pytest.approx(1.39352317, abs=1e-7)


class Joint(tg.Connector):
    """What random links pass on: x and y outward, g inward."""

    overdetermined = True
    x = tg.across(shape=2)
    y = tg.across(shape=2)
    g = tg.through(shape=4)


class Root(tg.Component):
    joint = Joint()

    def equations(self) -> Iterator[Any]:
        yield self.joint.x == np.array([0.3, -0.2])
        yield self.joint.y == np.array([0.1, 0.7])


def expression(rng: np.random.Generator, quantities: list[Any]) -> Any:
    """A bounded expression of some of the quantities."""
    total: Any = float(rng.uniform(-1, 1))
    for _ in range(int(rng.integers(1, 4))):
        a, b = (quantities[int(rng.integers(len(quantities)))] for _ in range(2))
        terms = (0.4 * a, 0.3 * tg.sin(a), 0.2 * a * b, a / (2.0 + b * b), 0.3 * tg.tanh(a - b))
        total = total + terms[int(rng.integers(len(terms)))]
    return total


def random_link(seed: int) -> type[tg.Component]:
    """A class of links with random equations: what comes later may read what came before."""

    class Link(tg.Component):
        parent = Joint()
        own = Joint()
        c = tg.parameter([0.5, 1.5])
        s = tg.variable(start=0.1, fixed=True)
        local = tg.variable(shape=3)

        def equations(self) -> Iterator[Any]:
            rng = np.random.default_rng(seed)
            known = [self.s, *self.c]
            for k in range(3):
                yield self.local[k] == expression(rng, known)
                known.append(self.local[k])
            outward = [*known, *self.parent.x]
            for k in range(2):
                yield self.own.x[k] == expression(rng, outward)
                outward.append(self.own.x[k])
            inward = [*outward, *self.own.g]
            for k in range(4):
                yield self.parent.g[k] == expression(rng, inward)
                inward.append(self.parent.g[k])
            back = [*inward, *self.parent.y]
            for k in range(2):
                yield self.own.y[k] == expression(rng, back)
                back.append(self.own.y[k])
            yield tg.der(self.s) == expression(rng, back)

    return Link


def random_tree(seed: int) -> tg.Component:
    """Links of two classes in a random tree, or in turn along a chain."""
    rng = np.random.default_rng(seed)
    classes = [random_link(1000 + seed), random_link(2000 + seed)]
    counts = [int(count) for count in rng.integers(3, 9, 2)]
    order = [(kind, k) for k in range(max(counts)) for kind in range(2) if k < counts[kind]]
    straight = rng.random() < 0.4

    class Tree(tg.Component):
        root = Root()
        a = classes[0].array(counts[0], c=rng.uniform(0.2, 1.0, (counts[0], 2)).tolist())
        b = classes[1].array(counts[1], c=rng.uniform(0.2, 1.0, (counts[1], 2)).tolist())

        def connections(self) -> Iterator[Any]:
            links = [(self.a, self.b)[kind][k] for kind, k in order]
            for number, link in enumerate(links):
                parent = number - 1 if straight else int(rng.integers(-1, number))
                yield link.parent, self.root.joint if parent < 0 else links[parent].own

    return Tree()


@pytest.mark.parametrize("seed", range(6))
def test_random_trees_are_computed_alike(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sweep_bodies(both_ways(random_tree(seed), monkeypatch)) > 0


class Belt(tg.Component):
    """A recurrence along a vector."""

    x = tg.variable(shape=4100)
    y = tg.variable(shape=4100)

    def equations(self) -> Iterator[Any]:
        yield self.x[0] == tg.time
        yield self.x[1:] == 0.5 * self.y[:-1] + 1.0
        yield self.y == tg.sin(self.x) + self.x


def test_a_recurrence_along_a_vector_is_one_loop() -> None:
    model = compile_model(Belt())
    assert sweep_bodies(ode_code(model.reduced)) <= 4
    x = 1.0
    solution = tg.simulate(model, stop=1.0, solver="rk45")
    for _ in range(4099):
        x = 0.5 * (np.sin(x) + x) + 1.0
    assert solution["x[4099]"][-1] == pytest.approx(x, rel=1e-12)
