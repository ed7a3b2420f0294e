"""What two programs made of one file, put together where they did not touch the same statements or places.

    base        ours                  theirs                merged
    a = A()     a = A(R=2)            a = A()               a = A(R=2)
    b = B()     b = B()               b = B(C=3)            b = B(C=3)

Where both changed a statement, or one uses what the other removed, nothing is guessed: `both` says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

from tellegen.start.records import dataclass
from tellegen.studio.document.layout_file import Layout, Place
from tellegen.studio.document.text.statements import Statement, bound_names, names_bound_twice, statements

WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class TextMerge:
    """The text of both, or what both changed."""

    text: str
    both: tuple[str, ...] = ()


@dataclass(frozen=True)
class LayoutMerge:
    """The places of both, or the parts that both moved."""

    layout: Layout
    both: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Change:
    """The statements from `start` up to `end` of the base became others."""

    start: int
    end: int
    now: tuple[Statement, ...]

    @property
    def words(self) -> set[str]:
        return {word for one in self.now for word in WORD.findall(one.text)}


def merged_texts(base: str, ours: str, theirs: str) -> TextMerge:
    """The text with the changes of both."""
    try:
        before = statements(base)
        mine = _changes(before, statements(ours))
        others = _changes(before, statements(theirs))
    except (SyntaxError, ValueError):
        return TextMerge(ours, ("a text that Python cannot read",))
    both = [*_touched_by_both(before, mine, others), *_removed_but_used(base, ours, others)]
    both += _removed_but_used(base, theirs, mine)
    if both:
        return TextMerge(ours, tuple(dict.fromkeys(both)))
    text = _with_changes(before, mine, others)
    try:
        twice = names_bound_twice(text) - names_bound_twice(ours) - names_bound_twice(theirs)
    except SyntaxError:  # both removed a part of what must not be empty
        return TextMerge(ours, tuple(" ".join(before[change.start].text.split()) for change in mine))
    if twice:
        return TextMerge(ours, tuple(sorted(name for _, name in twice)))
    return TextMerge(text)


def _changes(before: Sequence[Statement], after: Sequence[Statement]) -> list[_Change]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [
        _Change(start, end, tuple(after[first:last]))
        for kind, start, end, first, last in matcher.get_opcodes()
        if kind != "equal"
    ]


def _touched_by_both(before: Sequence[Statement], mine: list[_Change], others: list[_Change]) -> list[str]:
    """The statements that both changed, each in another way."""
    found: list[str] = []
    for one in mine:
        for other in others:
            if one != other and _touch(one, other):
                changed = before[min(one.start, other.start) : max(one.end, other.end)]
                texts = [text.text for text in changed if not text.is_empty]
                found += [" ".join(text.split()) for text in texts or [text.text for text in one.now]]
    return found


def _touch(one: _Change, other: _Change) -> bool:
    """Whether both change a statement, or add at the same place what depends on its order."""
    if one.start == other.start and one.start == one.end and other.start == other.end:
        return any(text.order_matters for text in (*one.now, *other.now))
    if one.start == one.end or other.start == other.end:  # something new inside of what was changed
        return one.start < other.end and other.start < one.end
    return max(one.start, other.start) < min(one.end, other.end)


def _removed_but_used(base: str, side: str, changes: list[_Change]) -> list[str]:
    """Names that one side has removed or renamed, and that the changes of the other side use."""
    gone = {name for _, name in bound_names(base) - bound_names(side)}
    return sorted(gone & set().union(*(change.words for change in changes))) if gone else []


def _with_changes(before: Sequence[Statement], mine: list[_Change], others: list[_Change]) -> str:
    """The base with all changes; what both did alike is done once. Of two additions at one place ours come first."""
    pieces: list[str] = []
    reached = 0
    imported: set[str] = set()
    changes = [*mine, *(other for other in others if other not in mine)]
    for change in sorted(changes, key=lambda one: (one.start, one.end)):
        pieces += [text.text for text in before[reached : change.start]]
        pieces += [one.text for one in change.now if one.text not in imported]
        imported |= {one.text for one in change.now if one.is_import}
        reached = max(reached, change.end)
    return "".join([*pieces, *(text.text for text in before[reached:])])


def merged_layouts(base: Layout, ours: Layout, theirs: Layout) -> LayoutMerge:
    """The places with the moves of both."""
    both: list[str] = []

    def place(cls: str, part: str) -> Place | None:
        old, mine, other = (layout.get(cls, {}).get(part) for layout in (base, ours, theirs))
        if mine != old and other != old and mine != other:
            both.append(f"the place of {part}")
        return other if mine == old else mine

    classes = sorted({*base, *ours, *theirs})
    found = {cls: _places(sorted({*ours.get(cls, {}), *theirs.get(cls, {})}), cls, place) for cls in classes}
    return LayoutMerge({cls: places for cls, places in found.items() if places}, tuple(both))


def _places(parts: Sequence[str], cls: str, place: Callable[[str, str], Place | None]) -> dict[str, Place]:
    found = {part: place(cls, part) for part in parts}
    return {part: at for part, at in found.items() if at is not None}
