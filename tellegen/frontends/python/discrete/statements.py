"""Statements beside plain equations: when/elsewhen, reinit, assertions, termination, and equations with noise.

Random signals take part in noise analyses alone, and cost nothing in others.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

from tellegen.errors import LanguageError
from tellegen.frontends.python.declarations.declare import VariableDecl
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.expressions.functions import where
from tellegen.frontends.python.expressions.generator_watch import Watch, watched
from tellegen.frontends.python.expressions.symbol import Symbol, as_symbol
from tellegen.ir.source_location import SourceLocation, here
from tellegen.start.records import dataclass

ACTIONS = "actions are: variable == value, tg.reinit(state, value), tg.assert_(...), tg.terminate()"


@dataclass
class Reinit:
    """At an event, give a state a new value."""

    target: Symbol
    value: Symbol
    verb: ClassVar[str] = "reinit"


@dataclass
class Assertion:
    """A condition that must hold."""

    condition: Symbol
    message: str
    warning: bool
    verb: ClassVar[str] = "assert_"


@dataclass
class Terminate:
    """End the run, successfully."""

    message: str
    verb: ClassVar[str] = "terminate"


@dataclass
class When:
    """when condition becomes true: actions; elsewhen ..."""

    branches: list[tuple[Symbol, tuple[Any, ...]]] = field(default_factory=list)
    location: SourceLocation = field(default_factory=here)
    titles: dict[int, str] = field(default_factory=dict)  # of branches that stand for something else, for the log
    verb: ClassVar[str] = "when"

    def elsewhen(self, condition: object, *actions: Any) -> When:
        """The actions for another condition, taken when none above becomes true at the same instant."""
        self._add(condition, actions)
        return self

    def _add(self, condition: object, actions: tuple[Any, ...]) -> None:
        flat = [action for item in actions for action in (item if isinstance(item, (list, tuple)) else [item])]
        for part in (condition, *flat):
            if Watch.active is not None:
                Watch.active.used(part)
        for action in flat:
            law = isinstance(action, Symbol) and action.op == "eq"
            if not law and not isinstance(action, (Reinit, Assertion, Terminate)):
                raise LanguageError(
                    "E140",
                    f"{action!r} cannot be an action of tg.when",
                    location=here(),
                    advice=ACTIONS,
                )
        if not flat:
            raise LanguageError("E140", "tg.when(condition) has no actions", location=here(), advice=ACTIONS)
        self.branches.append((as_condition(condition), tuple(flat)))


def when(condition: object, *actions: Any) -> When:
    """Actions taken at the instant a condition becomes true; `.elsewhen(condition, ...)` adds alternatives.

    yield tg.when(self.h < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)))
    """
    statement = When()
    statement._add(condition, actions)
    return watched(statement)


def as_condition(condition: object) -> Symbol:
    """A condition as a symbol; `self.gear == "first"` is not an equation here."""
    if Watch.active is not None:
        Watch.active.used(condition)
    return as_symbol(condition)


def check_target(target: Any, location: SourceLocation) -> None:
    """E141 for anything but a variable on the left of what happens at an event."""
    if isinstance(target, Leaf) and isinstance(target.decl, VariableDecl):
        return
    parameter = isinstance(target, Leaf)
    raise LanguageError(
        "E141",
        f"'{target}' is {'a parameter' if parameter else 'an expression'}: it cannot be assigned at an event",
        location=location,
        advice=f"declare it as a variable: {target.decl.name} = tg.variable(..., discrete=True, start=...)"
        if parameter
        else "write a single variable on the left-hand side",
    )


_NUMBERS = frozenset({"add", "sub", "mul", "div", "pow", "mod", "neg", "abs", "sin", "cos", "sqrt", "der", "time"})


def check_condition(condition: Symbol, location: SourceLocation, of: str = "tg.when") -> None:
    """E140 for a number where a Boolean is needed."""
    real = isinstance(condition, Leaf) and isinstance(condition.decl, VariableDecl) and condition.decl.type == "real"
    if real or condition.op in _NUMBERS:
        raise LanguageError(
            "E140",
            f"the condition '{condition}' of {of} is a number, not a Boolean",
            location=location,
            advice=f"compare it: {condition} > 0",
        )


def reinit(state: Any, value: Any) -> Reinit:
    """At an event, restart a state from a new value."""
    check_target(state, here())
    return watched(Reinit(state, as_symbol(value)))


def assert_(condition: object, message: str, *, warning: bool = False) -> Assertion:
    """A condition that must hold while the model runs; with `warning` a broken one is reported and the run continues.

    Where it stops to hold is located like any other event.
    """
    return watched(Assertion(as_condition(condition), message, warning))


def region(condition: object, message: str = "outside the region of validity of the model") -> Assertion:
    """The region in which the model is valid: leaving it causes a warning, listed in the solution."""
    return assert_(condition, message, warning=True)


def terminate(message: str = "") -> Terminate:
    """End the run successfully, from inside a when."""
    return watched(Terminate(message))


def _stream_leaf(x: object, function: str) -> Leaf:
    if not isinstance(x, Leaf) or not isinstance(x.decl, VariableDecl) or x.decl.role != "stream":
        raise LanguageError(
            "E142",
            f"tg.{function}({x}) needs a stream variable of a port",
            location=here(),
            advice="such as tg.in_stream(self.port_a.h_outflow)",
        )
    return x


def in_stream(x: object) -> Symbol:
    """The value a port's stream variable would have if the fluid flowed into the component there."""
    leaf = _stream_leaf(x, "in_stream")
    inflow = Leaf(leaf.owner, leaf.decl, inflow_name(leaf.member), leaf.full)
    inflow.shape = leaf.shape
    inflow.chosen = leaf.chosen
    return inflow


def actual_stream(x: object) -> Symbol:
    """The value a port's stream variable really has: that of the inflow or of the outflow, by the flow's sign."""
    leaf = _stream_leaf(x, "actual_stream")
    flow = _flow_beside(leaf)
    if flow.shape and len(leaf.shape) > len(flow.shape):  # of every port of an array, several substances
        flow = flow[(..., *[None] * (len(leaf.shape) - len(flow.shape)))]
    return where(flow > 0, in_stream(leaf), leaf)


def _flow_beside(leaf: Leaf) -> Symbol:
    connector_path, _, _ = leaf.member.rpartition(".")
    port = leaf.owner
    for part in connector_path.split("."):
        port = getattr(port, part)
    flow = next(v for v in type(port)._info.variables.values() if v.role == "through")  # type: ignore[attr-defined]
    whole = getattr(port, flow.name)
    if leaf.chosen is None or whole.shape == ():
        return whole
    if leaf.full != whole.full:
        raise LanguageError("E142", f"apply actual_stream to all of '{leaf}', then select elements", location=here())
    return whole.picked(leaf.chosen)


def inflow_name(member: str) -> str:
    """The name of the variable that holds the value of an inflow: `in_stream(port.h)` reads `port.h`'s."""
    return f"{member}.inflow"


@dataclass(frozen=True, eq=False)
class Noise:
    """A random signal with the spectral density density/f**exponent, in the square of the equation's SI unit over Hz.

    The density is an expression of variables and parameters at the operating point. A signal of one name in several
    equations of a component is the same one: it enters each of them times `factor`.
    """

    name: str
    density: Any
    exponent: Any = 0.0
    factor: float = 1.0


@dataclass(frozen=True, eq=False)
class Noisy:
    """An equation to whose right-hand side random signals are added."""

    verb = "noisy"
    equation: Symbol
    noises: tuple[Noise, ...]


def noisy(equation: Any, *noises: Noise) -> Noisy:
    """An equation with random signals on its right-hand side; `tg.noise` computes what becomes of them."""
    if not isinstance(equation, Symbol) or equation.op != "eq":
        what = f"tg.noisy needs an equation, not {equation!r}"
        raise LanguageError("E148", what, location=here(), advice="yield tg.noisy(left == right, tg.Noise(...))")
    for each in noises:
        if not isinstance(each, Noise):
            what = f"tg.noisy takes an equation and tg.Noise(...), not {each!r}"
            raise LanguageError("E148", what, location=here(), advice='tg.Noise("thermal", 4*k*T*R)')
    if equation.shape:
        what = f"tg.noisy needs an equation of numbers, not one with shape {equation.shape}"
        raise LanguageError("E148", what, location=here(), advice="write one for each element")
    return Noisy(equation, noises)
