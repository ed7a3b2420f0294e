"""`.func gain(x, y) {x*y + 1}`: functions of the netlist, written out where they are used.

b1 out 0 v={gain(v(a), 2)}    ->    b1 out 0 v={((v(a))*(2) + 1)}
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tellegen.errors import NetlistError
from tellegen.importers.spice.netlist.lines import Line

_WRITTEN = re.compile(r"\.func\s+([a-z_]\w*)\s*\(([^()]*)\)\s*=?\s*(.+)", re.DOTALL)
_DEEPEST = 50  # functions in each other


@dataclass(frozen=True)
class Function:
    """The names of its arguments, and an expression of them."""

    arguments: tuple[str, ...]
    body: str

    def at(self, values: list[str]) -> str:
        """The expression with values in the place of the arguments."""
        given = dict(zip(self.arguments, values, strict=True))
        written = re.sub(r"[a-z_]\w*", lambda name: f"({given[name[0]]})" if name[0] in given else name[0], self.body)
        return f"({written})"


def without_functions(lines: Iterable[Line]) -> list[Line]:
    """All lines but those of .func, with its functions written out."""
    functions: dict[str, Function] = {}
    others: list[Line] = []
    for line in lines:
        if line.head == ".func":
            name, function = _read(line)
            functions[name] = function
        else:
            others.append(line)
    if not functions:
        return others
    used = re.compile(rf"\b({'|'.join(map(re.escape, functions))})\s*\(")
    return [_written_out(line, functions, used) for line in others]


def _read(line: Line) -> tuple[str, Function]:
    found = _WRITTEN.fullmatch(line.text.strip())
    if found is None:
        raise _wrong(line, "a .func that is not understood")
    arguments = tuple(word.strip() for word in found[2].split(",") if word.strip())
    return found[1], Function(arguments, found[3].strip().strip("{}'\""))


def _written_out(line: Line, functions: dict[str, Function], used: re.Pattern[str]) -> Line:
    text = line.text
    for _ in range(_DEEPEST):
        found = used.search(text)
        if found is None:
            return replace(line, text=text)
        end = _closing(line, text, found.end())
        values = _split(text[found.end() : end - 1])
        function = functions[found[1]]
        if len(values) != len(function.arguments):
            what = f"'{found[1]}' has {len(function.arguments)} arguments, and {len(values)} are given"
            raise _wrong(line, what)
        text = text[: found.start()] + function.at(values) + text[end:]
    raise _wrong(line, f"functions of '{line.text}' use each other without end")


def _closing(line: Line, text: str, begin: int) -> int:
    """The position after the parenthesis that closes the one before `begin`."""
    depth = 1
    for at in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    raise _wrong(line, "')' is missing")


def _split(text: str) -> list[str]:
    """Arguments between commas, those in parentheses left alone."""
    found = [""]
    depth = 0
    for sign in text:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            found.append("")
        else:
            found[-1] += sign
    return [part.strip() for part in found] if text.strip() else []


def _wrong(line: Line, what: str) -> NetlistError:
    return NetlistError("E502", what, location=line.location, advice=".func gain(x, y) {x*y + 1}")
