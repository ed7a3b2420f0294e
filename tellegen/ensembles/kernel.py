"""The kernel of a model: procedures and functions of the model as one module, for lanes or for threads of a GPU."""

from __future__ import annotations

import re

from tellegen.ensembles.kernels import adaptive, elementary, fixed
from tellegen.ensembles.model.functions import ModelText
from tellegen.ensembles.model.lookups import lookup_text
from tellegen.ensembles.model.memory_access import memory_access
from tellegen.ensembles.model.straight import FUNCTIONS, declarations, finished
from tellegen.ir.program import Module
from tellegen.procedures.load import load
from tellegen.procedures.lower_lanes import lower_lanes

ADAPTIVE = "adaptive_runs"
FIXED = "fixed_runs"
_ENTRIES = {ADAPTIVE: adaptive.adaptive_runs, FIXED: fixed.fixed_runs}
_OPTIMIZE = 2
_SUMS = re.compile(r"= (fadd|fsub|fmul) ")


def kernel(model: ModelText, entry: str, lanes: int) -> Module:
    """One module with the entry, for so many runs side by side."""
    text = finished(model.text, lanes)
    called = sorted(set(re.findall(rf"@{FUNCTIONS}\.(\w+)\(", text)))
    functions = [getattr(elementary, name) for name in called]
    unit = load(_ENTRIES[entry], *functions, constants={**model.constants, "LANES": lanes})
    unit = unit._replace(entries={entry: unit.entries[entry]})
    tables = lookup_text(model.tables, lanes)
    more = "\n".join([*declarations(text, lanes), tables, text, memory_access(lanes), "!0 = !{}"])
    module = lower_lanes(unit, lanes, _OPTIMIZE, more)
    return Module(_contracted(_declared_once(_inlined(module.text))), module.optimize, module.functions)


def _inlined(text: str) -> str:
    """All procedures where they are called: only then is the work of a run in registers."""
    return re.sub(r"(define internal (?!void @job).*) noinline nounwind \{", r"\1 alwaysinline nounwind {", text)


def _contracted(text: str) -> str:
    """Products and sums may be rounded once together, but not in elementary functions, which count on roundings."""
    parts = text.split("\ndefine ")
    exact = f"@{FUNCTIONS}."
    contracted = [part if exact in part.split("(", 1)[0] else _SUMS.sub(r"= \1 contract ", part) for part in parts]
    return "\ndefine ".join(contracted)


def _declared_once(text: str) -> str:
    """Each function of LLVM declared once."""
    seen: set[str] = set()
    lines = []
    for line in text.split("\n"):
        if line.startswith("declare "):
            symbol = line[line.index("@") : line.index("(")]
            if symbol in seen:
                continue
            seen.add(symbol)
        lines.append(line)
    return "\n".join(lines)
