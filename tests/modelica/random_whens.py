"""Random models of when-clauses and Booleans that read each other, as text, and what they give by the rules of MLS.

Item k assigns d<k> by clauses or b<k> by an equation. It reads items before it, and pre() of any; the text has them in
any order.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

INSTANTS = (0.25, 0.5, 0.75, 1.0, 1.5)
_MOST_ROUNDS = 60


class Now(NamedTuple):
    """Values at a moment of event iteration."""

    t: float
    value: dict[str, int]
    pre: dict[str, int]


class Term(NamedTuple):
    """The same expression twice."""

    text: str
    value: Callable[[Now], Any]


class Clause(NamedTuple):
    conditions: list[Term]
    assigned: Term


class Item(NamedTuple):
    name: str
    clauses: list[Clause]  # empty for a Boolean
    equation: Term | None


class Writer:
    """Draws the items one after the other."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        count = self.rng.randint(4, 9)
        self.all = [f"{self.rng.choice('bdd')}{k}" for k in range(count)]
        self.known: list[str] = []
        self.items = [self._item(name) for name in self.all]

    def _some(self, letter: str, names: list[str]) -> str | None:
        found = [name for name in names if name.startswith(letter)]
        return self.rng.choice(found) if found else None

    def _due(self) -> Term:
        instant = self.rng.choice(INSTANTS)
        return Term(f"x >= {instant}", lambda now: now.t >= instant)

    def _relation(self) -> Term:
        """A comparison, edge, change or pre."""
        limit = self.rng.randint(0, 3)
        found = [self._due()]
        if d := self._some("d", self.known):
            found.append(Term(f"{d} > {limit}", lambda now: now.value[d] > limit))
            found.append(Term(f"change({d})", lambda now: now.value[d] != now.pre[d]))
        if old := self._some("d", self.all):
            found.append(Term(f"pre({old}) > {limit}", lambda now: now.pre[old] > limit))
        if b := self._some("b", self.known):
            found.append(Term(f"not {b}", lambda now: not now.value[b]))
            found.append(Term(f"edge({b})", lambda now: now.value[b] and not now.pre[b]))
        if was := self._some("b", self.all):
            found.append(Term(f"pre({was})", lambda now: now.pre[was]))
        return self.rng.choice(found)

    def _condition(self, is_timed: bool = False) -> Term:
        one = self._relation()
        if not is_timed and self.rng.random() < 0.5:
            return one
        due = self._due()
        return Term(f"({due.text}) and ({one.text})", lambda now: due.value(now) and one.value(now))

    def _assigned(self, name: str) -> Term:
        more = self.rng.randint(1, 4)
        if self.rng.random() < 0.4:
            return Term(f"pre({name}) + {more}", lambda now: now.pre[name] + more)
        if (other := self._some("d", self.known)) and self.rng.random() < 0.4:
            return Term(f"{other} + {more}", lambda now: now.value[other] + more)
        return Term(str(more), lambda _: more)

    def _item(self, name: str) -> Item:
        if name.startswith("b"):
            item = Item(name, [], self._condition(is_timed=True))
        else:
            sizes = [self.rng.choice([1, 1, 2]) for _ in range(self.rng.randint(1, 3))]
            clauses = [Clause([self._condition() for _ in range(n)], self._assigned(name)) for n in sizes]
            item = Item(name, clauses, None)
        self.known.append(name)
        return item

    def text(self) -> str:
        """A model."""
        parts = [_written(item) for item in self.items]
        self.rng.shuffle(parts)
        declared = [
            f"Boolean {name}(start=false);" if name.startswith("b") else f"Integer {name}(start=0, fixed=true);"
            for name in self.all
        ]
        return "\n".join(["model M Real x(start=0, fixed=true);", *declared, "equation der(x) = 1;", *parts, "end M;"])


def _written(item: Item) -> str:
    if item.equation is not None:
        return f"{item.name} = {item.equation.text};"
    parts = [
        f"when {{{', '.join(term.text for term in clause.conditions)}}} then {item.name} = {clause.assigned.text};"
        for clause in item.clauses
    ]
    return " else".join(parts) + " end when;"


def _held(item: Item, now: Now) -> list[list[bool]]:
    return [[bool(term.value(now)) for term in clause.conditions] for clause in item.clauses]


def expected(items: list[Item]) -> dict[str, int] | None:
    """Rounds in which pre() is fixed and the items are looked at in order; None if they do not end."""
    value = {item.name: 0 for item in items}
    start = Now(0.0, value, dict(value))
    for item in items:
        if item.equation is not None:
            value[item.name] = int(item.equation.value(start))
    was = {item.name: _held(item, start) for item in items}
    for t in (0.0, *INSTANTS):
        for _ in range(_MOST_ROUNDS):
            now = Now(t, value, dict(value))
            before = was
            was = {item.name: _acted(item, now, before[item.name]) for item in items}
            if was == before and value == now.pre:
                break
        else:
            return None
    return value


def _acted(item: Item, now: Now, was: list[list[bool]]) -> list[list[bool]]:
    """Let an item act, if one of its conditions has become true; what holds now."""
    if item.equation is not None:
        now.value[item.name] = int(bool(item.equation.value(now)))
        return []
    held = _held(item, now)
    for clause, mine, before in zip(item.clauses, held, was, strict=True):
        if any(new and not old for new, old in zip(mine, before, strict=True)):
            now.value[item.name] = clause.assigned.value(now)
            break
    return held
