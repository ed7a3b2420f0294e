"""Statements that can be read: what machinery writes for a friction law fills pages."""

from __future__ import annotations

import re

LONGEST = 240
"""Letters of a statement that is shown whole."""


def shortened(text: str) -> str:
    """Of a statement that is too long, what is nested deepest becomes an ellipsis: f(g(h(x))) -> f(g(…))."""
    for nothing in (r"(?<![\w.])1\*", r"(?<![\w.])0 \+ ", r" [-+] 0(?![\w.*/])"):  # what settles units or began a sum
        text = re.sub(nothing, "", text)
    for depth in range(6, 0, -1):
        if len(text) <= LONGEST:
            break
        text = _pruned(text, depth)
    return text


def _pruned(text: str, depth: int) -> str:
    """A text whose parentheses nested `depth` deep hold an ellipsis."""
    out = []
    level = 0
    for letter in text:
        level -= letter == ")"
        if level < depth:
            out.append(letter)
        level += letter == "("
        if letter == "(" and level == depth:
            out.append("…")
    return "".join(out)
