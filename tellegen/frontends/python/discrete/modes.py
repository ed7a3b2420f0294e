"""Modes: a component whose equations are exchanged while it runs, and what leads from one mode to another.

    yield tg.modes(
        tg.mode("linear", self.L * tg.der(self.i) == self.v - self.R * self.i),
        tg.mode("saturated", tg.der(self.i) == 0),
        tg.transition("linear", "saturated", self.i > self.i_max, tg.reinit(self.i, self.i_max)),
        tg.transition("saturated", "linear", self.v < self.R * self.i_max),
    )

This file holds what the user writes and the checks that need nothing else; lowering.py turns it into equations and a
when-statement.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from tellegen.errors import LanguageError, nearest
from tellegen.frontends.python.declarations.declare import VariableDecl
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.discrete.statements import (
    Assertion,
    Reinit,
    Terminate,
    as_condition,
    check_condition,
)
from tellegen.frontends.python.expressions.generator_watch import Watch, watched
from tellegen.frontends.python.expressions.symbol import Operation, Symbol, as_symbol
from tellegen.ir.source_location import SourceLocation, here
from tellegen.start.records import dataclass
from tellegen.units import UnitTextError, parse_quantity, parse_unit

ANY = "*"
"""As the source of a transition: every mode except its target."""


@dataclass(eq=False)
class Mode:
    """A name, the equations that hold in it, what happens when it is entered and left, and modes inside it."""

    name: str
    equations: tuple[Symbol, ...]
    entry: tuple[Any, ...]
    exit: tuple[Any, ...]
    inner: tuple[Modes, ...]
    location: SourceLocation
    verb: ClassVar[str] = "mode"


@dataclass(eq=False)
class Transition:
    """From a mode to another when a condition holds, with actions."""

    source: str
    target: str
    guard: Symbol
    actions: tuple[Any, ...]
    location: SourceLocation
    verb: ClassVar[str] = "transition"


@dataclass(eq=False)
class Modes:
    """All modes of one kind, of which one is active, and the transitions in the order of their priority."""

    modes: tuple[Mode, ...]
    transitions: tuple[Transition, ...]
    variable: Leaf | None
    name: str
    start: str
    location: SourceLocation = field(default_factory=here)
    verb: ClassVar[str] = "modes"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the modes, in the order written."""
        return tuple(mode.name for mode in self.modes)

    @property
    def first(self) -> Mode:
        """The mode at which they begin."""
        return next(mode for mode in self.modes if mode.name == self.start)


def mode(name: str, *parts: Any, entry: object = (), exit: object = ()) -> Mode:
    """A mode for `tg.modes`: the equations that hold in it, or a `tg.modes` of its own.

    `entry` and `exit` are actions as in `tg.when`, taken when the mode is entered (also at the start) and left. A
    discrete variable has its value in the modes that give it one, `self.open == True`, and keeps it in the others.
    """
    location = here()
    items = _flat(parts)
    for item in items:
        if not isinstance(item, Modes) and not (isinstance(item, Symbol) and item.op == "eq"):
            raise LanguageError(
                "E178",
                f"{_shown(item)} cannot be part of a mode",
                location=location,
                advice="a mode contains equations (left == right) and tg.modes(...) of its own;"
                " actions go into entry=, exit= or a transition",
            )
    equations = tuple(item for item in items if isinstance(item, Symbol))
    inner = tuple(item for item in items if isinstance(item, Modes))
    return watched(Mode(name, equations, actions_of(entry, location), actions_of(exit, location), inner, location))


def transition(source: Any, target: str, guard: Any, *actions: Any) -> Transition | list[Transition]:
    """A transition for `tg.modes`: taken in mode `source` as soon as `guard` holds, then `actions` are taken.

    `source` may be several names, or "*" for every mode but the target. Of several that hold, the one written first.
    """
    location = here()
    condition = as_condition(guard)
    check_condition(condition, location, "tg.transition")
    taken = actions_of(actions, location)
    sources = list(source) if isinstance(source, (list, tuple)) else [source]
    made = [watched(Transition(name, target, condition, taken, location)) for name in sources]
    return made[0] if len(made) == 1 else made


def after(seconds: object) -> Symbol:
    """In the guard of a transition: so much time has passed since the mode was entered, in seconds or as "5 min".

    The instant is known in advance and hit exactly.
    """
    if isinstance(seconds, str):
        try:
            seconds = parse_quantity(seconds, parse_unit("s"))
        except UnitTextError as error:
            raise LanguageError(
                "E121", f"tg.after: {error}", location=here(), advice="such as tg.after('5 min')"
            ) from None
    return Operation("after", (as_symbol(seconds),), ())


def modes(*parts: Any, variable: object = None, start: str | None = None, name: str = "mode") -> Modes:
    """Modes and transitions, to be yielded by equations(). In every mode the number of equations must be the same.

    The active mode is the discrete variable `name`, or the `variable` given: an enumeration that the class declares so
    that others can read it. `start` is the mode at the start, otherwise the first one.
    """
    items = _flat(parts)
    for item in items:
        if not isinstance(item, (Mode, Transition)):
            raise LanguageError(
                "E178",
                f"{_shown(item)} cannot be part of tg.modes",
                location=here(),
                advice='it consists of tg.mode("name", equations...) and tg.transition("from", "to", condition)',
            )
    found = tuple(item for item in items if isinstance(item, Mode))
    leaf = None if variable is None else _checked(variable)
    statement = Modes(found, (), leaf, name, start if start is not None else _first(found, leaf))
    _check_names(statement, [item for item in items if isinstance(item, Transition)])
    statement.transitions = tuple(_expanded(statement, [item for item in items if isinstance(item, Transition)]))
    _check_reach(statement)
    return watched(statement)


def actions_of(items: object, location: SourceLocation) -> tuple[Any, ...]:
    """Actions as in tg.when, each checked."""
    flat = _flat(items if isinstance(items, (list, tuple)) else [items])
    for action in flat:
        law = isinstance(action, Symbol) and action.op == "eq"
        if not law and not isinstance(action, (Reinit, Assertion, Terminate)):
            raise LanguageError(
                "E178",
                f"{_shown(action)} is not an action",
                location=location,
                advice="actions are: variable == value, tg.reinit(state, value), tg.assert_(...), tg.terminate()",
            )
    return tuple(flat)


def _flat(items: Any) -> list[Any]:
    """The items, lists among them laid out, all noted as used."""
    out = [part for item in items for part in (item if isinstance(item, (list, tuple)) else [item])]
    for item in out:
        if Watch.active is not None:
            Watch.active.used(item)
    return out


def _shown(item: Any) -> str:
    return f"tg.{item.verb}(...)" if hasattr(item, "verb") else repr(item)


def _first(found: tuple[Mode, ...], leaf: Leaf | None) -> str:
    """The mode at the start: as the enumeration declares it, otherwise the first."""
    decl = leaf.decl if leaf is not None else None
    if isinstance(decl, VariableDecl) and decl.literals:
        return decl.literals[int(decl.attributes["start"])]
    return found[0].name if found else ""


def _checked(variable: object) -> Leaf:
    decl = variable.decl if isinstance(variable, Leaf) else None
    if isinstance(variable, Leaf) and isinstance(decl, VariableDecl) and decl.type == "enumeration":
        return variable
    raise LanguageError(
        "E178",
        f"'{variable}' cannot hold the mode",
        location=here(),
        advice='declare an enumeration: mode = tg.enumeration(["linear", "saturated"]), and give variable=self.mode',
    )


def _check_names(statement: Modes, transitions: list[Transition]) -> None:
    """E179 for modes of one name, fewer than two of them, and names that are not modes."""
    names = list(statement.names)
    twice = next((mode for k, mode in enumerate(statement.modes) if mode.name in names[:k]), None)
    if twice is not None:
        raise LanguageError(
            "E179", f"two modes are called '{twice.name}'", location=twice.location, advice="give each its own name"
        )
    if len(names) < 2:
        raise LanguageError(
            "E179",
            f"tg.modes needs at least two modes, not {len(names)}",
            location=statement.location,
            advice='write tg.mode("name", equations...) for each; equations that always hold are yielded separately',
        )
    used = [(t.source, t.location) for t in transitions if t.source != ANY] + [
        (t.target, t.location) for t in transitions
    ]
    wrong = next(
        ((name, location) for name, location in [*used, (statement.start, statement.location)] if name not in names),
        None,
    )
    if wrong is not None:
        raise LanguageError(
            "E179", f"there is no mode '{wrong[0]}'", location=wrong[1], advice=nearest(str(wrong[0]), names)
        )


def _expanded(statement: Modes, transitions: list[Transition]) -> list[Transition]:
    """The transitions, those from "*" once for each mode they can come from."""
    out = []
    for t in transitions:
        sources = [n for n in statement.names if n != t.target] if t.source == ANY else [t.source]
        out += [Transition(name, t.target, t.guard, t.actions, t.location) for name in sources]
    return out


def _check_reach(statement: Modes) -> None:
    """E198 for a mode that no chain of transitions reaches from the start."""
    index = {name: k for k, name in enumerate(statement.names)}
    reached = np.zeros(len(index), bool)
    frontier = [statement.start]
    while frontier:
        name = frontier.pop()
        reached[index[name]] = True
        frontier += [t.target for t in statement.transitions if t.source == name and not reached[index[t.target]]]
    for found, lost in zip(reached, statement.modes, strict=True):
        if not found:
            raise LanguageError(
                "E198",
                f"mode '{lost.name}' is never reached: no transitions lead to it from the start mode "
                f"'{statement.start}'",
                location=lost.location,
                advice=f'write tg.transition("{statement.start}", "{lost.name}", condition), or remove the mode',
            )
