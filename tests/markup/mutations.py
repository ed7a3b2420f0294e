"""Documents with mistakes nobody would think of: attributes, tags and characters changed at random."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

WORDS = (
    *("", "0", "-1", "1e999", "nan", "x", "true", "99999999999", "a.b.c", "[", "(", "der(", "time", "^w.g", "p.v@(9)"),
    *("`", "T[7:2]", "==", "x == ", "SI", "1 2 3", "é", "2", "&#65;", "motor"),
)
_ATTRIBUTE = re.compile(r' ([\w-]+)="([^"]*)"')
_TAG = re.compile(r"<(/?)([\w-]+)")
_LINE = re.compile(r"\n *<[^\n]*")
_TEXT = re.compile(r">([^<>\n]+)<")


def mutated(text: str, rng: np.random.Generator) -> str:
    """The document with one to three changes."""
    for _ in range(int(rng.integers(1, 4))):
        change = CHANGES[int(rng.integers(len(CHANGES)))]
        text = change(text, rng)
    return text


def _replaced(text: str, rng: np.random.Generator, pattern: re.Pattern[str], group: int, new: str | None) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text
    match = found[int(rng.integers(len(found)))]
    return text[: match.start(group)] + (_word(rng) if new is None else new) + text[match.end(group) :]


def _word(rng: np.random.Generator) -> str:
    return WORDS[int(rng.integers(len(WORDS)))]


def _attribute_value(text: str, rng: np.random.Generator) -> str:
    return _replaced(text, rng, _ATTRIBUTE, 2, None)


def _attribute_name(text: str, rng: np.random.Generator) -> str:
    return _replaced(text, rng, _ATTRIBUTE, 1, ("name", "id", "of", "rows", "count", "shape")[int(rng.integers(6))])


def _without_attribute(text: str, rng: np.random.Generator) -> str:
    return _replaced(text, rng, _ATTRIBUTE, 0, "")


def _without_line(text: str, rng: np.random.Generator) -> str:
    return _replaced(text, rng, _LINE, 0, "")


def _line_twice(text: str, rng: np.random.Generator) -> str:
    found = list(_LINE.finditer(text))
    if not found:
        return text
    match = found[int(rng.integers(len(found)))]
    to = found[int(rng.integers(len(found)))]
    return text[: to.end()] + match[0] + text[to.end() :]


def _content(text: str, rng: np.random.Generator) -> str:
    return _replaced(text, rng, _TEXT, 1, None)


def _character(text: str, rng: np.random.Generator) -> str:
    at = int(rng.integers(len(text)))
    return text[:at] + "<>&\"'()[]=*x7 "[int(rng.integers(14))] + text[at + int(rng.integers(2)) :]


def _tag(text: str, rng: np.random.Generator) -> str:
    tags = sorted({match[2] for match in _TAG.finditer(text)})
    old = tags[int(rng.integers(len(tags)))]
    new = tags[int(rng.integers(len(tags)))]
    return re.sub(rf"<(/?){old}\b", rf"<\1{new}", text)


def _cut(text: str, rng: np.random.Generator) -> str:
    return text[: int(rng.integers(len(text)))]


CHANGES: tuple[Callable[[str, np.random.Generator], str], ...] = (
    *(_attribute_value, _attribute_value, _attribute_value, _attribute_name, _without_attribute, _without_line),
    *(_line_twice, _content, _content, _character, _tag, _cut),
)
