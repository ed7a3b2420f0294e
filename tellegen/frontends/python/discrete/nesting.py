"""Modes inside a mode: when they begin, end and begin again, and when they wait for the mode around them.

    around is entered, or re-entered by a transition to itself   ->   begin at the first mode
    around is left                                               ->   end, and stand at the first mode again
    around is left or re-entered at this instant                 ->   transitions inside wait

What happens around them comes first, so they follow in the next round of the same instant: then pre(mode) is the new
mode around them. A transition of a mode to itself leaves pre(mode) as it is; such visits are counted, and the modes
inside note for which of them they began.
"""

from __future__ import annotations

from typing import Any

from tellegen.frontends.python.discrete.modes import Modes
from tellegen.frontends.python.discrete.resemblance import key_of
from tellegen.frontends.python.discrete.statements import Reinit
from tellegen.frontends.python.expressions.functions import change, pre, time
from tellegen.frontends.python.expressions.symbol import Symbol, as_symbol, operation
from tellegen.start.records import dataclass

NEVER = 1e15
"""The time at which modes inside a mode that is not active were entered: far beyond the end of any run, in seconds."""


@dataclass(frozen=True, eq=False)
class Around:
    """The mode in which modes stand."""

    name: str
    active: Symbol
    staying: tuple[Symbol, ...]  # conditions that no transition of this instant leads out of it, nor again into it
    visits: Symbol | None  # how often a mode beside it or itself was re-entered; None: this one cannot be


@dataclass(frozen=True, eq=False)
class Inside:
    """Modes inside a mode: the mode around them, since when they are active, and for which visit of it."""

    around: Around
    entered: Symbol
    seen: Symbol | None

    @property
    def begun(self) -> Symbol:
        """Whether they have begun and not ended."""
        return has_begun(self.entered)

    @property
    def behind(self) -> Symbol | None:
        """Whether the mode around them was re-entered since they began."""
        visits = self.around.visits
        return None if self.seen is None or visits is None else operation("ne", pre(self.seen), pre(visits))

    @property
    def settled(self) -> tuple[Symbol, ...]:
        """Conditions under which transitions among them may be taken, beside that the mode around them is active."""
        behind = self.behind
        return (*self.around.staying, self.begun, *([] if behind is None else [~behind]))

    def now(self) -> list[Symbol]:
        """The actions that note when and for which visit they begin."""
        visits = self.around.visits
        noted = [] if self.seen is None or visits is None else [operation("eq", self.seen, pre(visits))]
        return [operation("eq", self.entered, time), *noted]

    def begins_again(self) -> list[Symbol]:
        """The conditions under which they restart, true in one round for each visit."""
        behind = self.behind
        if behind is None or self.seen is None:
            return []
        return [self.around.active, self.begun, behind, ~change(self.seen)]

    def never(self) -> Symbol:
        """The action that notes their end."""
        return operation("eq", self.entered, as_symbol(NEVER))


def has_begun(entered: Symbol) -> Symbol:
    """Whether modes have begun, by the time at which one of them was entered."""
    return pre(entered) < 0.5 * NEVER


def reenterable(statement: Modes, around: Around | None) -> set[str]:
    """The modes that can be entered from themselves: by a transition, or because the mode around them can be."""
    again = {t.source for t in statement.transitions if t.source == t.target}
    return again | {statement.start} if around is not None and around.visits is not None else again


def visits_matter(statement: Modes, around: Around | None) -> bool:
    """Whether somebody asks that a mode was re-entered: modes inside it, or transitions that then still wait."""
    again = reenterable(statement, around)
    if any(mode.inner and mode.name in again for mode in statement.modes):
        return True
    sources: set[str] = set()
    for t in statement.transitions:
        if t.source != t.target and t.source in sources:
            return True
        if t.source == t.target:
            sources.add(t.source)
    return False


def once(actions: list[Any]) -> tuple[Any, ...]:
    """The actions, of several that set the same variable the last: exit, transition, entry."""
    kept: dict[Any, Any] = {}
    for k, action in enumerate(actions):
        target = action.target if isinstance(action, Reinit) else action.args[0] if isinstance(action, Symbol) else None
        key = (k,) if target is None else (isinstance(action, Reinit), key_of(target))
        kept.pop(key, None)
        kept[key] = action
    return tuple(kept.values())
