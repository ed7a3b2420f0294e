"""The analyses of a `.control` block, as the cards they stand for.

    .control            .ac dec 10 1 1meg
    ac dec 10 1 1meg    .tran 1u 1m
    tran 1u 1m     ->
    plot v(out)
    .endc

A script may also change the circuit or repeat itself. From the first command on that does, nothing of it is read, and a
note says so. Commands about results (plot, print, let, meas, write) do not matter here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tellegen.importers.spice.netlist.lines import Line, Text

_ANALYSES = ("op", "dc", "ac", "noise", "tran")
_ONCE = ("tran", "ac", "noise")  # analyses of which a netlist has one
_CHANGING = frozenset(
    ("alter", "altermod", "alterparam", "alterinst", "reset", "source", "circbyline", "load", "loadsnapshot", "setcirc")
)
_REPEATING = frozenset(
    ("foreach", "while", "dowhile", "repeat", "if", "goto", "mc_source", "stop", "step", "resume", "cd")
)
_SETTINGS = ("temp", "tnom", "gmin")  # of `set` and `option`: they change what follows


@dataclass(frozen=True)
class Script:
    """What a block asks for."""

    cards: tuple[Line, ...]
    note: str


def add_scripts(text: Text) -> None:
    """The analyses of all blocks become cards, unless there is a card of the kind."""
    known = {line.head for line in text.lines}
    for lines in text.scripts:
        script = read_script(lines[1:])
        text.notes.append(f"{lines[0].location}: {script.note}")
        text.lines += [card for card in script.cards if card.head not in known]


def read_script(lines: Sequence[Line]) -> Script:
    """The lines between .control and .endc."""
    cards: list[Line] = []
    others: list[str] = []
    for line in lines:
        word = line.head
        if word in _CHANGING or word in _REPEATING or _is_setting(line):
            others.append(f"all from '{word}' on")
            break
        if word in ("quit", "exit"):
            break
        if word not in _ANALYSES:
            continue
        if word in _ONCE and any(card.head == f".{word}" for card in cards):
            others.append(f"a second {word}")
            continue
        cards.append(Line(f".{line.text}", line.location))
    heads = ", ".join(dict.fromkeys(card.head for card in cards))
    found = f"a .control block is not run, but for its {heads}" if cards else "a .control block is not run"
    left = f" (not read: {', '.join(dict.fromkeys(others))})" if others else ""
    return Script(tuple(cards), found + left)


def _is_setting(line: Line) -> bool:
    words = line.text.replace("=", " ").split()
    return len(words) > 1 and words[0] in ("set", "option") and words[1] in _SETTINGS
