"""Parts of a model space: candidates that fulfil conditions. What is left is a tree again, so it can be counted."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from tellegen.errors import BindingError, nearest
from tellegen.ir.source_location import here
from tellegen.model_space.tree import Alternative, Slot, walk

_COMPARE = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
_TAG = re.compile(r"\s*(\w+)\s*(<=|>=|==|!=|<|>)\s*(.+?)\s*$")


@dataclass(frozen=True)
class Candidate:
    """An implementation at a place, as the function `keep` sees it."""

    path: str
    interface: str
    name: str
    tags: Any
    domains: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Restriction:
    """All conditions of one call of `restrict`."""

    only: tuple[tuple[str, tuple[str, ...]], ...]
    tags: tuple[str, ...]
    domains: frozenset[str] | None
    phenomena: tuple[str, ...]
    within_limits: bool
    keep: Callable[[Candidate], bool] | None


def restricted(slots: tuple[Slot, ...], wanted: Restriction) -> tuple[Slot, ...]:
    """The slots with the candidates that fulfil the conditions; E807 where none is left."""
    _check_names(slots, wanted)
    tests = [_tag_test(text, slots) for text in wanted.tags]

    def fits(path: str, slot: Slot, one: Alternative) -> bool:
        for pattern, names in wanted.only:
            if fnmatchcase(path, _literal(pattern)) and one.name not in names:
                return False
        if any(not test(one) for test in tests):
            return False
        if wanted.domains is not None and not wanted.domains.issuperset(one.domains):
            return False
        if wanted.within_limits and not _within(one, slot):
            return False
        return wanted.keep is None or bool(
            wanted.keep(Candidate(path, slot.interface, one.name, one.tags, one.domains))
        )

    left = _filtered(slots, "", fits)
    for phenomenon in wanted.phenomena:
        if not any(phenomenon in phenomena_of(one) for _, _, one in walk(left)):
            known = sorted({name for _, _, one in walk(left) for name in phenomena_of(one)})
            what = f"no implementation has the phenomenon '{phenomenon}'; {nearest(phenomenon, known)}"
            raise BindingError("E807", what, location=here(), advice='tags={"phenomena": [...]} of implementations')
        left = tuple(_with_phenomenon(slot, phenomenon) for slot in left)
    return left


def _literal(pattern: str) -> str:
    """Brackets are part of paths, `cells[3]`, not of patterns."""
    return pattern.replace("[", "[[]")


def _filtered(slots: Iterable[Slot], above: str, fits: Callable[[str, Slot, Alternative], bool]) -> tuple[Slot, ...]:
    found = []
    for slot in slots:
        path = f"{above}{slot.path}"
        kept = []
        for one in slot.alternatives:
            if fits(path, slot, one):
                inner = _inner(one, path, fits)
                if inner is not None:
                    kept.append(inner)
        if not kept:
            raise BindingError(
                "E807",
                f"no candidate is left for '{path}' ({slot.interface})",
                location=here(),
                advice=f"its candidates were: {', '.join(one.name for one in slot.alternatives) or 'none'}",
            )
        found.append(replace(slot, alternatives=tuple(kept)))
    return tuple(found)


def _inner(one: Alternative, path: str, fits: Any) -> Alternative | None:
    """The candidate with what is left inside it; none where an interface inside it has nothing left."""
    if not one.parts:
        return one
    try:
        return replace(one, parts=_filtered(one.parts, f"{path}.", fits))
    except BindingError:
        return None


def _check_names(slots: tuple[Slot, ...], wanted: Restriction) -> None:
    known = {path: [] for path, _, _ in walk(slots)}
    for path, _, one in walk(slots):
        known[path].append(one.name)
    for pattern, names in wanted.only:
        places = [path for path in known if fnmatchcase(path, _literal(pattern))]
        if not places:
            what = f"'{pattern}' fits no interface; {nearest(pattern, known)}"
            raise BindingError("E803", what, location=here(), advice=f"the interfaces are: {', '.join(known)}")
        here_known = [name for path in places for name in known[path]]
        for name in names:
            if name not in here_known:
                what = f"'{pattern}' has no candidate '{name}'; {nearest(name, here_known)}"
                raise BindingError("E804", what, location=here(), advice=f"candidates: {', '.join(here_known)}")


def _tag_test(text: str, slots: tuple[Slot, ...]) -> Callable[[Alternative], bool]:
    """`cost <= 3` as a function; implementations that do not state the tag stay, but some have to state it."""
    match = _TAG.match(text) if isinstance(text, str) else None
    if match is None:
        what = f"{text!r} is not a condition on a tag"
        raise BindingError("E807", what, location=here(), advice='write tags="cost <= 3" or tags="accuracy == high"')
    name, sign, right = match.groups()
    known = {tag for _, _, one in walk(slots) for tag in one.tags}
    if name not in known:
        what = f"no implementation states the tag '{name}'; {nearest(name, known)}"
        advice = f'say it where they are written: class ...(implements=..., tags={{"{name}": ...}})'
        raise BindingError("E807", what, location=here(), advice=advice)
    compare = _COMPARE[sign]
    try:
        limit: Any = float(right)
    except ValueError:
        limit = right.strip("\"'")

    def test(one: Alternative) -> bool:
        if name not in one.tags:
            return True
        try:
            return bool(compare(one.tags[name], limit))
        except TypeError:
            what = f"the tag {name}={one.tags[name]!r} of '{one.name}' cannot be compared by {text!r}"
            raise BindingError(
                "E807", what, location=here(), advice="give the tag a number, or compare by =="
            ) from None

    return test


def phenomena_of(one: Alternative) -> tuple[str, ...]:
    """The phenomena that an implementation says it describes."""
    said = one.tags.get("phenomena", ())
    return (said,) if isinstance(said, str) else tuple(said)


def _shows(one: Alternative, phenomenon: str) -> bool:
    return phenomenon in phenomena_of(one) or any(
        _shows(inner, phenomenon) for slot in one.parts for inner in slot.alternatives
    )


def _with_phenomenon(slot: Slot, phenomenon: str) -> Slot:
    """The slot with the candidates that show the phenomenon, themselves or inside, if some do."""
    showing = [one for one in slot.alternatives if _shows(one, phenomenon)]
    if not showing:
        return slot
    kept = []
    for one in showing:
        if phenomenon in phenomena_of(one):
            kept.append(one)
        else:
            kept.append(replace(one, parts=tuple(_with_phenomenon(inner, phenomenon) for inner in one.parts)))
    return replace(slot, alternatives=tuple(kept))


def _within(one: Alternative, slot: Slot) -> bool:
    """Whether the numbers given at the slot are inside the bounds that the implementation declares."""
    for name, (low, high) in one.limits.items():
        value = slot.values.get(name)
        if value is not None and ((low is not None and value < low) or (high is not None and value > high)):
            return False
    return True
