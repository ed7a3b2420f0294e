"""The checkers of the stages notice what is broken: each case damages a good model in one way and names the fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.codegen.events import add_events
from tellegen.codegen.lower import lower
from tellegen.codegen.ode import lower_ode
from tellegen.ir.check.flat_model import check_flat
from tellegen.ir.check.ode_program import check_ode_program
from tellegen.ir.check.program import check_program
from tellegen.ir.check.reduced_model import check_reduced
from tellegen.ir.check.sorted_model import check_sorted
from tellegen.ir.expressions.expr import Call, Slot
from tellegen.ir.flat import FlatModel
from tellegen.ir.ode import Compute, OdeProgram
from tellegen.ir.program import Program
from tellegen.ir.reduced import UNUSED, ReducedModel
from tellegen.ir.sorted import EXPLICIT, SortedModel
from tellegen.stages import flatten_model, reduce_model, sort_model
from tellegen.structure import passes


class Plant(tg.Component):
    """A state, aliases, an input, a computed parameter and an algebraic loop of two unknowns, one of them a tear."""

    T = tg.parameter(2.0, "s")
    gain = tg.parameter(lambda self: 3.0 * self.T)
    half = tg.parameter(lambda self: 0.5 * self.gain)
    u = tg.input()
    x = tg.variable(start=1.0, fixed=True)
    copy = tg.variable()
    a = tg.variable()
    b = tg.variable()

    def equations(self) -> Any:
        yield self.T * tg.der(self.x) == self.u - self.gain * self.a
        yield self.copy == -self.x
        yield self.a + self.half * self.b == self.copy
        yield self.b == self.x + tg.sin(self.a)


class Pendulum(tg.Component):
    """A constraint between states, differentiated twice."""

    x = tg.variable(start=1.0)
    y = tg.variable(start=0.0)
    vx = tg.variable()
    vy = tg.variable()
    force = tg.variable()

    def equations(self) -> Any:
        yield tg.der(self.x) == self.vx
        yield tg.der(self.y) == self.vy
        yield tg.der(self.vx) == -self.force * self.x
        yield tg.der(self.vy) == -self.force * self.y - 9.81
        yield self.x**2 + self.y**2 == 1.0


class Ball(tg.Component):
    """Reinitialization, an assignment and the past of a variable."""

    h = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    bounces = tg.variable(start=0, discrete=True)

    def equations(self) -> Any:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.h < 0, tg.reinit(self.v, -0.8 * tg.pre(self.v)), self.bounces == tg.pre(self.bounces) + 1)


class Circle(tg.Component):
    """A point that keeps its distance from the origin."""

    x = tg.variable(shape=2, start=[1.0, 0.0], fixed=True)
    gap = tg.variable()
    gap_by_x = tg.variable(shape=2)

    def equations(self) -> Any:
        yield tg.der(self.x) == [-self.x[1], self.x[0]]
        yield self.gap == tg.dot(self.x, self.x) - 1.0
        yield self.gap_by_x == 2.0 * self.x
        yield tg.invariant(self.gap, {self.x: self.gap_by_x})


@cache
def reduced(kind: type) -> ReducedModel:
    return reduce_model(kind())


def changed(array: Any, index: Any, value: Any) -> Any:
    """A copy of an array with other elements."""
    out = np.array(array)
    out[index] = value
    return out


def with_group(model: ReducedModel, number: int, **changes: Any) -> ReducedModel:
    """The model with one group changed."""
    groups = list(model.groups)
    groups[number] = replace(groups[number], **changes)
    return replace(model, groups=tuple(groups))


def with_events(model: ReducedModel, **changes: Any) -> ReducedModel:
    assert model.events is not None
    return replace(model, events=replace(model.events, **changes))


def with_invariants(model: ReducedModel, **changes: Any) -> ReducedModel:
    assert model.invariants is not None
    return replace(model, invariants=replace(model.invariants, **changes))


def with_actions(model: ReducedModel, **changes: Any) -> ReducedModel:
    assert model.events is not None
    return with_events(model, actions=replace(model.events.actions, **changes))


def with_blocks(model: SortedModel, **changes: Any) -> SortedModel:
    return replace(model, blocks=replace(model.blocks, **changes))


def lost_recovery(model: ReducedModel) -> ReducedModel:
    """The unknown that `copy` repeats is no longer solved for."""
    keep = np.arange(1, len(model.unknowns))
    return replace(model, unknowns=model.unknowns[keep], is_state=model.is_state[keep])


def unbound_slot(model: ReducedModel) -> ReducedModel:
    kinds = model.groups[0].kinds
    read = next(k for k, kind in enumerate(kinds) if kind != UNUSED)
    return with_group(model, 0, kinds=tuple(UNUSED if k == read else kind for k, kind in enumerate(kinds)))


REDUCED: dict[str, tuple[type, Callable[[ReducedModel], ReducedModel], str]] = {
    "unknown twice": (
        Plant,
        lambda m: replace(m, unknowns=changed(m.unknowns, 0, m.unknowns[1])),
        "unknowns: a variable that occurs twice",
    ),
    "unknown out of range": (
        Plant,
        lambda m: replace(m, unknowns=changed(m.unknowns, 0, 999)),
        "unknowns out of range",
    ),
    "unknown that is an input": (
        Plant,
        lambda m: replace(m, unknowns=changed(m.unknowns, 0, m.known[0])),
        "an unknown that is an input or a discrete variable",
    ),
    "recovery that is lost": (Plant, lost_recovery, "'x' cannot be recovered"),
    "chain of representatives": (
        Plant,
        lambda m: replace(m, representative=changed(m.representative, m.unknowns[0], m.unknowns[1])),
        "solved for or given, and eliminated as well",
    ),
    "sign of 2": (Plant, lambda m: replace(m, sign=changed(m.sign, 0, 2)), "a sign other than"),
    "state that is not one": (
        Plant,
        lambda m: replace(m, is_state=~m.is_state),
        "the rate of 'x', which is not a state",
    ),
    "state without a rate": (Plant, lambda m: replace(m, is_state=m.is_state | True), "whose rate does not occur"),
    "slot without a binding": (Plant, unbound_slot, "is read, but nothing is bound to it"),
    "slot that does not exist": (
        Plant,
        lambda m: with_group(m, 0, residual=Call("neg", (Slot(77),))),
        "slot 77 of",
    ),
    "bindings too narrow": (
        Plant,
        lambda m: with_group(m, 0, bindings=m.groups[0].bindings[:, 1:]),
        "columns of bindings for",
    ),
    "parameter that does not exist": (
        Plant,
        lambda m: with_group(
            m, 0, bindings=changed(m.groups[0].bindings, (0, m.groups[0].kinds.index("parameter")), 12345)
        ),
        "bound to a parameter that does not exist",
    ),
    "equation lost": (Plant, lambda m: replace(m, groups=m.groups[:-1]), "2 equations for 3 unknowns"),
    "equation twice": (Plant, lambda m: replace(m, groups=(m.groups[0], *m.groups)), "a statement that occurs twice"),
    "homotopy left over": (
        Plant,
        lambda m: with_group(m, 0, residual=Call("homotopy", (m.groups[0].residual, m.groups[0].residual))),
        "'homotopy', which has been replaced",
    ),
    "sum with a weight of zero": (
        Pendulum,
        lambda m: replace(
            m,
            linear=replace(
                m.linear,
                indptr=np.array([0, 1], np.int32),
                indices=m.unknowns[:1],
                weights=np.zeros(1, np.int32),
                sources=np.zeros(1, np.int64),
            ),
        ),
        "a sum with a weight of zero",
    ),
    "derivative of nothing": (
        Pendulum,
        lambda m: replace(m, derivatives=replace(m.derivatives, base=changed(m.derivatives.base, 0, -1))),
        "a derivative of something that is not an unknown",
    ),
    "derivative without the one below": (
        Pendulum,
        lambda m: replace(m, derivatives=replace(m.derivatives, order=m.derivatives.order + 1)),
        "without the one below it",
    ),
    "too few algebraic": (
        Pendulum,
        lambda m: replace(
            m,
            candidates=replace(m.candidates, stages=tuple(stage & False for stage in m.candidates.stages)),  # type: ignore[union-attr,type-var]
        ),
        "stage 1 of the choice of states: 0 for",
    ),
    "entry allocated twice": (
        Ball,
        lambda m: with_events(m, terminal_index=m.events.initial_index),  # type: ignore[union-attr]
        "an entry for events that is allocated twice",
    ),
    "value computed twice": (
        Ball,
        lambda m: with_events(m, values=replace(m.events.values, count=m.events.values.count + 1)),  # type: ignore[union-attr]
        "values: a number that is computed twice, or not at all",
    ),
    "action of no when-statement": (
        Ball,
        lambda m: with_actions(m, when=changed(m.events.actions.when, 0, 5)),  # type: ignore[union-attr]
        "an action of a when-statement",
    ),
    "assignment to an unknown": (
        Ball,
        lambda m: with_actions(m, target=changed(m.events.actions.target, -1, m.unknowns[0])),  # type: ignore[union-attr]
        "an assignment to something that is not a discrete variable",
    ),
    "invariant by no state": (
        Circle,
        lambda m: with_invariants(m, state=m.invariants.partial),  # type: ignore[union-attr]
        "an invariant's derivative by something that is not a state",
    ),
    "invariant of one derivative too few": (
        Circle,
        lambda m: with_invariants(m, partial=m.invariants.partial[1:]),  # type: ignore[union-attr]
        "invariants with columns of different length",
    ),
    "invariant of a row that does not exist": (
        Circle,
        lambda m: with_invariants(m, row=m.invariants.row + 1),  # type: ignore[union-attr]
        "a derivative of an invariant that does not exist",
    ),
    "invariant with a sign of 0": (
        Circle,
        lambda m: with_invariants(m, sign=m.invariants.sign * 0),  # type: ignore[union-attr]
        "an invariant's derivative with a sign other than",
    ),
}


@pytest.mark.parametrize("kind", [Plant, Pendulum, Ball, Circle])
def test_good_models_pass(kind: type) -> None:
    model = reduced(kind)
    ordered = sort_model(model)
    check_reduced(model)
    check_sorted(ordered)
    check_program(add_events(lower(model), model), model.parameter_indices)
    program = lower_ode(ordered)
    assert isinstance(program, OdeProgram)
    check_ode_program(program, model.parameter_indices)


@pytest.mark.parametrize("name", REDUCED)
def test_damaged_reduced_model(name: str) -> None:
    kind, damage, fault = REDUCED[name]
    with pytest.raises(tg.InternalError, match="E903: reduced model") as caught:
        check_reduced(damage(reduced(kind)))
    assert fault in caught.value.message


def tears_lost(model: SortedModel) -> SortedModel:
    """All equations of the loop are solved one after the other, although they need each other."""
    loop = model.blocks.size[model.blocks.block] > 1
    return with_blocks(model, inner=changed(model.blocks.inner, loop, 0))


SORTED: dict[str, tuple[Callable[[SortedModel], SortedModel], str]] = {
    "unknown determined twice": (
        lambda m: with_blocks(m, assigned=changed(m.blocks.assigned, 0, m.blocks.assigned[1])),
        "determined twice, or not at all",
    ),
    "blocks backwards": (
        lambda m: with_blocks(m, block=len(m.blocks.level) - 1 - m.blocks.block),
        "that a later block computes",
    ),
    "levels decrease": (lambda m: with_blocks(m, level=m.blocks.level[::-1]), "not in the order of their levels"),
    "block without equations": (lambda m: with_blocks(m, block=m.blocks.block * 0), "a block without equations"),
    "loop that is explicit": (lambda m: with_blocks(m, kind=m.blocks.kind * 0 + EXPLICIT), "an explicit block of"),
    "constant but nonlinear": (lambda m: with_blocks(m, constant=~m.blocks.constant), "that is not linear"),
    "tears lost": (tears_lost, "that a later equation of its block computes"),
    "order too short": (lambda m: with_blocks(m, inner=m.blocks.inner[1:]), "an order that is not one of"),
}


@pytest.mark.parametrize("name", SORTED)
def test_damaged_sorted_model(name: str) -> None:
    damage, fault = SORTED[name]
    with pytest.raises(tg.InternalError, match="E903: sorted model") as caught:
        check_sorted(damage(sort_model(reduced(Plant))))
    assert fault in caught.value.message


def with_loop(program: Any, entry: str, **changes: Any) -> Any:
    """A Program or OdeProgram with the first loop of an entry changed."""
    loops = program.entries[entry].loops
    new = replace(program.entries[entry], loops=(replace(loops[0], **changes), *loops[1:]))
    return replace(program, entries=program.entries | {entry: new})


def without_loop(program: Program, entry: str) -> Program:
    new = replace(program.entries[entry], loops=program.entries[entry].loops[1:])
    return replace(program, entries=program.entries | {entry: new})


PROGRAM: dict[str, tuple[Callable[[Program], Program], str]] = {
    "index out of range": (
        lambda p: with_loop(p, "residual", table=p.entries["residual"].loops[0].table + 1000),
        "residual: an index of",
    ),
    "residual left out": (lambda p: without_loop(p, "residual"), "residual: an element of 'r'"),
    "entry of the Jacobian left out": (lambda p: without_loop(p, "jacobian"), "jacobian: an element of 'values'"),
    "operands lost": (lambda p: with_loop(p, "residual", operands=()), "that is not an operand"),
    "column that does not exist": (
        lambda p: with_loop(p, "residual", table=p.entries["residual"].loops[0].table[:, :1]),
        "of a table of 1",
    ),
    "pattern out of order": (
        lambda p: replace(p, pattern=replace(p.pattern, indices=p.pattern.indices[::-1])),
        "entries that are not in order",
    ),
}


@pytest.mark.parametrize("name", PROGRAM)
def test_damaged_program(name: str) -> None:
    damage, fault = PROGRAM[name]
    model = reduced(Plant)
    with pytest.raises(tg.InternalError, match="E903: the program") as caught:
        check_program(damage(lower(model)), model.parameter_indices)
    assert fault in caught.value.message


def steps_backwards(program: OdeProgram) -> OdeProgram:
    return replace(program, steps=program.steps[::-1])


def step_lost(program: OdeProgram) -> OdeProgram:
    return replace(program, steps=program.steps[:-1])


def step_of_nothing(program: OdeProgram) -> OdeProgram:
    return replace(program, steps=(*program.steps, Compute("nowhere")))


def tear_twice(program: OdeProgram) -> OdeProgram:
    def again(step: Any) -> Any:
        return step if isinstance(step, Compute) else replace(step, tear_index=program.states)

    return replace(program, steps=tuple(again(step) for step in program.steps))


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        (steps_backwards, "is read before it is computed"),
        (step_lost, "that no step computes"),
        (step_of_nothing, "which does not exist"),
        (tear_twice, "a tear that does not exist, or is computed twice"),
    ],
)
def test_damaged_ode_program(damage: Callable[[OdeProgram], OdeProgram], fault: str) -> None:
    model = sort_model(reduced(Plant))
    program = lower_ode(model)
    assert isinstance(program, OdeProgram)
    with pytest.raises(tg.InternalError, match="E903: the program of ODE mode") as caught:
        check_ode_program(damage(program), model.parameter_indices)
    assert fault in caught.value.message


FLAT: dict[str, tuple[Callable[[FlatModel], FlatModel], str]] = {
    "parameters out of order": (
        lambda f: replace(f, parameter_bindings=f.parameter_bindings[::-1]),
        "parameter 'half' is computed from one that follows it",
    ),
    "input that does not exist": (lambda f: replace(f, inputs=f.inputs + 100), "inputs out of range"),
    "bindings out of range": (
        lambda f: replace(f, equations=(replace(f.equations[0], bindings=f.equations[0].bindings + 100),)),
        "out of range",
    ),
}


@pytest.mark.parametrize("name", FLAT)
def test_damaged_flat_model(name: str) -> None:
    damage, fault = FLAT[name]
    with pytest.raises(tg.InternalError, match="E903: flat model") as caught:
        check_flat(damage(flatten_model(Plant())))
    assert fault in caught.value.message


def test_the_pass_at_fault_is_named_and_the_last_good_model_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose_an_equation(model: ReducedModel) -> ReducedModel:
        return replace(model, groups=model.groups[1:])

    monkeypatch.setattr(passes, "PASSES", (*passes.PASSES[:4], lose_an_equation, *passes.PASSES[4:]))
    with pytest.raises(tg.InternalError, match="E907: lose_an_equation made a reduced model of Plant") as caught:
        reduce_model(Plant())
    assert any("T*der(x) == u - gain*a" in line for line in caught.value.details)
    monkeypatch.setenv("TELLEGEN_CHECK", "0")
    with pytest.raises(tg.StructureError, match="E201"):  # found late, and blamed on the user
        reduce_model(Plant())
