"""From a line to words: `V1 in 0 SIN(0 {amp} 1k) ac=1` is v1, in, 0, sin, 0, {amp}, 1k, and ac=1 apart.

Parentheses and commas only separate; what stands in braces or quotes is one word, `{...}`. Pairs with an equals sign
are taken out of the row, in their order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tellegen.errors import NetlistError
from tellegen.importers.spice.netlist.lines import Line
from tellegen.importers.spice.netlist.numbers import number
from tellegen.ir.source_location import SourceLocation

_TOKEN = re.compile(r"\{[^{}]*\}|'[^']*'|\"[^\"]*\"|=|[^\s(),={}'\"]+")
_LAW = re.compile(r"\b([vi])\s*=(?!=)(.*)$")  # of an arbitrary source: the rest of the line is one expression
_BETWEEN = re.compile(r"[\s(),]*")


@dataclass(frozen=True)
class Card:
    """A line in words: those in a row, and pairs such as ic=5."""

    words: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    line: Line
    other_name: str = ""  # where another element has the name already

    @property
    def name(self) -> str:
        """The first word as a name: that of the element, or of the card."""
        return self.other_name or part_name(self.words[0])

    @property
    def location(self) -> SourceLocation:
        """Where it begins."""
        return self.line.location

    @property
    def given(self) -> dict[str, str]:
        """The pairs by name."""
        return dict(self.pairs)


def part_name(word: str) -> str:
    """The name of an element as that of a component: `q1.a` is q1_a."""
    return re.sub(r"\W", "_", word)


def card(line: Line) -> Card:
    """A line in words."""
    law = _LAW.search(line.text) if line.text[:1] == "b" else None
    tokens = _tokens(line if law is None else Line(line.text[: law.start()], line.location))
    words: list[str] = []
    pairs: list[tuple[str, str]] = []
    k = 0
    while k < len(tokens):
        if k + 1 < len(tokens) and tokens[k + 1] == "=":
            if k + 2 >= len(tokens) or tokens[k + 2] == "=":
                raise NetlistError(
                    "E502",
                    f"'{tokens[k]}=' has no value",
                    location=line.location,
                    advice=f"write {tokens[k]}=1.0, or an expression in braces: {tokens[k]}={{2*x}}",
                )
            pairs.append((tokens[k], _without_plus(tokens[k + 2])))
            k += 3
        elif tokens[k] == "=":
            raise NetlistError(
                "E502", "'=' without a name before it", location=line.location, advice="write name=value"
            )
        else:
            words.append(tokens[k])
            k += 1
    if not words:
        advice = "write the name of an element or card first, R1 a b 10k; a comment begins with *"
        raise NetlistError("E502", "the line has no name at its beginning", location=line.location, advice=advice)
    if law is not None:
        pairs.append((law[1], law[2].strip()))
    return Card(tuple(words), tuple(pairs), line)


def _without_plus(value: str) -> str:
    """`gamma=0.6+`: the sign of a continued line that follows a number means nothing."""
    return value[:-1] if value.endswith("+") and number(value[:-1]) is not None else value


def _tokens(line: Line) -> list[str]:
    """Words, expressions in braces, and equals signs."""
    found: list[str] = []
    text = line.text
    at = 0
    while at < len(text):
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]
        if at == len(text):
            break
        match = _TOKEN.match(text, at)
        if match is None:
            raise NetlistError(
                "E502",
                f"unclosed brace or quote: {text[at:]}",
                location=line.location,
                advice="close it on the same line or its continuation: {2*x}",
            )
        token = match[0]
        found.append("{" + token[1:-1] + "}" if token[0] in "'\"" else token)
        at = match.end()
    return found
