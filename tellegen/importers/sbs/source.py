"""What the text of a C component says without being run: its class, its methods, its parameters, where it stands.

DECLARE_CLASS(dcmotor)
#define Jm ssGetFcnParam(S, 0)[0]         ->  class dcmotor; element 0 of parameter array 0 is called Jm
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tellegen.errors import DocumentError
from tellegen.foreign import CLibrary, included_texts, preprocessed
from tellegen.ir.source_location import SourceLocation

INCLUDE = str(Path(__file__).parent / "include")
"""The folder of tellegen_sbs.h."""
METHODS = ("sbsInitializeSizes", "sbsOutputs", "sbsDerivatives", "sbsUpdate", "sbsTerminate")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_ELEMENT = re.compile(r"ssGetFcnParams?\s*\(\s*\w+\s*,\s*(\d+)\s*\)\s*(?:\[\s*(\d+)\s*\])?")
_MACRO = re.compile(rf"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?[ \t]*{_ELEMENT.pattern}[ \t]*\)?[ \t]*$", re.MULTILINE)
_RULES = (
    "tellegen_sbs.h is already included;\nmethods are static void sbsOutputs(double t, const double *x, "
    "const double *u, double *y, sbsTask *S) and so on"
)


@dataclass(frozen=True)
class CSource:
    """The source of a component; `file` is empty where the text was given instead of a file."""

    text: str
    file: str
    location: SourceLocation  # of the file's first line, or of the call that gave the text

    @cached_property
    def bare(self) -> str:
        """The text without comments, on the same lines."""
        return _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), self.text)

    @cached_property
    def name(self) -> str:
        """The class that the source declares."""
        found = list(re.finditer(r"^[ \t]*DECLARE_CLASS\s*\(\s*(\w+)\s*\)", self.bare, re.MULTILINE))
        if len(found) != 1:
            raise DocumentError(
                "E870",
                f"the C component {self.shown} has no DECLARE_CLASS"
                if not found
                else f"the C component {self.shown} declares {len(found)} classes",
                location=self.at(found[1].start()) if found else self.location,
                advice='write DECLARE_CLASS(name) after #include "tellegen_sbs.h"; one class in a file',
            )
        return found[0][1]

    @property
    def shown(self) -> str:
        """How messages call it."""
        return f"'{os.path.basename(self.file)}'" if self.file else "given as text"

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The methods that the source defines."""
        return tuple(name for name in METHODS if self._definition(name) is not None)

    def method(self, name: str) -> SourceLocation:
        """Where a method is defined; the beginning if it is not."""
        found = self._definition(name)
        return self.at(found.start()) if found is not None else self.location

    def _definition(self, name: str) -> re.Match[str] | None:
        return re.search(rf"\bvoid\s+{name}\s*\([^()]*\)\s*\{{", self.bare)

    @cached_property
    def elements(self) -> dict[tuple[int, int], str]:
        """The names of elements of parameter arrays, where macros give them names."""
        found = (m for m in _MACRO.finditer(self.bare) if m[3] is not None)
        return {(int(m[2]), int(m[3])): m[1] for m in found}

    @cached_property
    def arrays(self) -> dict[int, str]:
        """The names of parameter arrays, where macros give them names."""
        return {int(m[2]): m[1] for m in _MACRO.finditer(self.bare) if m[3] is None}

    @cached_property
    def needed(self) -> dict[int, int]:
        """How many elements of each parameter array the text reads at least."""
        out: dict[int, int] = {}
        for found in _ELEMENT.finditer(self.bare):
            out[int(found[1])] = max(out.get(int(found[1]), 0), int(found[2] or -1) + 1)
        return out

    @cached_property
    def library(self) -> CLibrary:
        """What is compiled."""
        without = [name for name in ("sbsOutputs", "sbsDerivatives", "sbsTerminate") if name not in self.methods]
        flags = [f"#define SBS_WITHOUT_{name.removeprefix('sbs').upper()}\n" for name in without]
        flags += ["#define SBS_WITH_UPDATE\n"] if "sbsUpdate" in self.methods else []
        header = "".join(flags) + '#include "sbs_entries.h"\n#include <math.h>\n'
        folders = (*([os.path.dirname(self.file) or "."] if self.file else ()), INCLUDE)
        return CLibrary(
            text=self.text,
            header=header,
            name=f"component '{self.name}'",
            location=self.location,
            file=self.file,
            folders=folders,
            included=included_texts(header + self.text, folders),
            rules=_RULES,
        )

    def at(self, offset: int) -> SourceLocation:
        """The place of a character of the text."""
        if not self.file:
            return self.location
        before = self.text[:offset]
        return SourceLocation(self.file, before.count("\n") + 1, column=offset - before.rfind("\n"))

    def outputs_read(self, inputs: int) -> set[int] | None:
        """The inputs that sbsOutputs reads by number; None where that cannot be determined.

        Read off what the compiler sees after all macros: no use of `u` but u[number], and of S nothing but sizes,
        parameters and work vectors. Anything else may lead to the inputs.
        """
        text = re.sub(r'"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])*'", " ", preprocessed(self.library))
        found = re.search(r"\bvoid\s+sbsOutputs\s*\(([^()]*)\)\s*\{", text)
        names = [re.search(r"(\w+)\s*(?:\[\s*\])?\s*$", part) for part in found[1].split(",")] if found else []
        if found is None or len(names) != 5 or None in names:
            return None
        body = _body(text[found.end() :])
        _, _, vector, _, task = (name[1] for name in names if name is not None)
        harmless = rf"\b{task}\b\s*\)?\s*->\s*(?:sizes|fcnParams|work|modelName|states\s*\.\s*(?:X|Y|dX)\b)"
        uses = re.findall(rf"\b{vector}\b(?:\s*\[\s*(\d+)\s*\])?", body)
        if re.search(rf"\b{task}\b", re.sub(harmless, " ", body)) or "" in uses:
            return None
        numbers = {int(use) for use in uses}
        return numbers if all(number < inputs for number in numbers) else None


def _body(text: str) -> str:
    """What stands before the brace that closes a function."""
    depth = 1
    for k, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if not depth:
            return text[:k]
    return text
