"""`.if`, `.elseif`, `.else`, `.endif`: lines that are there or not, by the parameters of the netlist.

.param fast=1
.if (fast > 0)
r1 a b 1k               r1 a b 1k
.else               ->
r1 a b 9k
.endif
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tellegen.errors import NetlistError
from tellegen.importers.spice.netlist.deck import Definition, assignments
from tellegen.importers.spice.netlist.functions import without_functions
from tellegen.importers.spice.netlist.lines import Line
from tellegen.importers.spice.netlist.scope import Scope
from tellegen.ir.source_location import SourceLocation

_HEAD = re.compile(r"\.(if|elseif|else|endif)\b\s*(.*)", re.DOTALL)
_NAME = re.compile(r"[a-z_]\w*")
_ADVICE = ".if (x > 0), lines, .elseif (...), .else, .endif"


def without_conditions(lines: Iterable[Line], given: Mapping[str, float]) -> list[Line]:
    """The lines that conditions leave; `given` are the parameters that the caller or .step sets."""
    lines = list(lines)
    if not any(_HEAD.match(line.text) for line in lines):
        return lines
    return _Reader(without_functions(lines), given).kept()


class _Branches:
    """An .if while its lines are read: whether the present branch holds, and whether one has held before."""

    def __init__(self, line: Line, holds: bool) -> None:
        self.line = line
        self.holds = holds
        self.held = holds
        self.is_last = False


class _Reader:
    """Goes through the lines once; parameters may stand anywhere, those inside of branches only after them."""

    def __init__(self, lines: list[Line], given: Mapping[str, float]) -> None:
        self.lines = lines
        self.given = dict(given)
        self.top = Definition("", SourceLocation("", 0))
        self.own: set[str] = set()  # parameters of the subcircuit that is read
        self.open: list[_Branches] = []
        depth = 0
        inside = 0
        for line in lines:
            depth += {".if": 1, ".endif": -1}.get(line.head[:6].split("(")[0], 0)
            inside += {".subckt": 1, ".ends": -1}.get(line.head, 0)
            if line.head in (".param", ".params") and not depth and not inside:
                self.top.parameters |= assignments(line)

    def kept(self) -> list[Line]:
        found: list[Line] = []
        inside = 0
        for number, line in enumerate(self.lines):
            head = _HEAD.match(line.text)
            if head is not None:
                self._turn(line, head[1], head[2].strip())
                continue
            if not all(branch.holds for branch in self.open):
                continue
            inside += {".subckt": 1, ".ends": -1}.get(line.head, 0)
            if line.head == ".subckt":
                self.own |= self._declared(number)
            elif not inside:
                self.own.clear()
                if line.head in (".param", ".params"):
                    self.top.parameters |= assignments(line)
            found.append(line)
        if self.open:
            raise NetlistError("E502", "an .if has no .endif", location=self.open[-1].line.location, advice=_ADVICE)
        return found

    def _declared(self, number: int) -> set[str]:
        """The names that a subcircuit, up to its end, gives values to."""
        end = next((k for k in range(number, len(self.lines)) if self.lines[k].head == ".ends"), len(self.lines))
        texts = [line.text for line in self.lines[number:end] if line.head in (".subckt", ".param", ".params")]
        return {name for text in texts for name in re.findall(r"([a-z_]\w*)\s*=(?!=)", text)}

    def _turn(self, line: Line, word: str, condition: str) -> None:
        """Go to the next branch, into an .if or out of it."""
        if word == "if":
            is_read = all(branch.holds for branch in self.open)
            self.open.append(_Branches(line, is_read and self._holds(line, condition)))
            self.open[-1].held |= not is_read
            return
        if not self.open or (self.open[-1].is_last and word != "endif"):
            raise NetlistError("E502", f".{word} without .if before it", location=line.location, advice=_ADVICE)
        branch = self.open[-1]
        if word == "endif":
            self.open.pop()
        elif word == "else":
            branch.holds = not branch.held
            branch.is_last = True
        else:
            branch.holds = not branch.held and self._holds(line, condition)
            branch.held |= branch.holds

    def _holds(self, line: Line, condition: str) -> bool:
        if not condition:
            raise NetlistError("E502", f"{line.head} has no condition", location=line.location, advice=_ADVICE)
        own = sorted(self.own & set(_NAME.findall(condition)))
        if own:
            what = f"the condition depends on '{own[0]}', a parameter of the subcircuit: each instance has its own"
            advice = "write two subcircuits, and the .if around the X lines"
            raise NetlistError("E503", what, location=line.location, advice=advice)
        return Scope(self.top, None, self.given).value(condition, line.location) != 0.0
