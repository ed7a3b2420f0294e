"""What an edit changes of what a page shows: a page that knows the state before needs no more than that."""

from __future__ import annotations

from dataclasses import replace

from tellegen.studio.document.diagram import Diagram, Part, Wire
from tellegen.studio.messages.answers import Edited, State, TextChange


def difference(before: State, after: State) -> Edited | None:
    """From one state to another of the same class; None where more is different than an edit changes."""
    if _frame(before) != _frame(after):
        return None
    old = {part.name: part for part in before.diagram.parts}
    names = tuple(part.name for part in after.diagram.parts)
    present = set(names)
    usual = [name for name in old if name in present] + [name for name in names if name not in old]
    return Edited(
        path=after.path,
        before=before.revision,
        revision=after.revision,
        dirty=after.dirty,
        can_undo=after.can_undo,
        can_redo=after.can_redo,
        text=_text_change(before.text, after.text),
        parts=tuple(part for part in after.diagram.parts if _part_differs(old.get(part.name), part)),
        gone=tuple(name for name in old if name not in present),
        order=() if usual == list(names) else names,
        wires=_changed_wires(before.diagram.wires, after.diagram.wires),
        wire_count=len(after.diagram.wires),
        notes=after.diagram.notes,
    )


def _frame(state: State) -> tuple[State, Diagram]:
    """All that an edit of parts, wires and values leaves as it is."""
    plain = replace(state, revision=0, dirty=False, can_undo=False, can_redo=False, text="", diagram=NO_DIAGRAM)
    return plain, replace(state.diagram, parts=(), wires=(), notes=())


NO_DIAGRAM = Diagram("", "", (), (), (), {})


def _part_differs(before: Part | None, after: Part) -> bool:
    """The line is shown for those alone that cannot be edited: an insertion moves the lines of all others."""
    if before is None or after.fixed:
        return before != after
    return replace(before, line=after.line) != after


def _changed_wires(before: tuple[Wire, ...], after: tuple[Wire, ...]) -> tuple[Wire, ...]:
    same = [_seen(old) == _seen(new) for old, new in zip(before, after, strict=False)]
    return tuple(wire for k, wire in enumerate(after) if k >= len(same) or not same[k])


def _seen(wire: Wire) -> tuple[object, ...]:
    return wire.ends, wire.fixed, wire.equation


def _text_change(before: str, after: str) -> TextChange:
    """The piece in between what both begin and end with."""
    start = _common(before, after)
    tail = _common(before[start:][::-1], after[start:][::-1])
    return TextChange(start, len(before) - tail, after[start : len(after) - tail])


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with in common, by halving."""
    low = 0
    high = min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
