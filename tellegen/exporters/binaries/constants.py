"""Constant arrays, such as the image of a model, as a module of LLVM IR."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.exporters.binaries.objects import declarations
from tellegen.exporters.binaries.runtime_objects import RuntimeObject
from tellegen.exporters.image.standalone import Standalone
from tellegen.ir.program import Module


@dataclass(frozen=True)
class Constant:
    """An array; elements of kind "i8", "i64", "double", or "ptr": then values are names of functions."""

    name: str
    kind: str
    values: Sequence[Any]


def constants_module(exported: Standalone, constants: Sequence[Constant], runtime: Sequence[RuntimeObject]) -> Module:
    """The constants of a model; those that are functions are of its code or of the runtime."""
    declared = declarations(exported.code)
    for part in runtime:
        declared |= part.declared
    for source in exported.sources:
        declared |= {symbol: f"declare void @{symbol}(double, ptr, ptr, ptr, ptr)" for _, symbol in source.symbols}
    declared |= {each.symbol: f"declare void @{each.symbol}()" for each in exported.python}
    lines = [declared[name] for name in exported.image.functions]
    return Module("\n".join([*lines, *map(_llvm, constants)]), 0, ())


def _llvm(constant: Constant) -> str:
    """An array, with one element where it would be empty."""
    if constant.kind == "i8":
        content = "".join(f"\\{byte:02X}" for byte in constant.values)
        return f'@{constant.name} = hidden constant [{len(constant.values)} x i8] c"{content}", align 16'
    texts = [_TEXTS[constant.kind](value) for value in constant.values] or [_NOTHING[constant.kind]]
    elements = ", ".join(f"{constant.kind} {text}" for text in texts)
    return f"@{constant.name} = hidden constant [{len(texts)} x {constant.kind}] [{elements}], align 16"


def _bits(value: float) -> str:
    return f"0x{int(np.float64(value).view(np.uint64)):016X}"


_TEXTS: dict[str, Callable[[Any], str]] = {
    "i64": lambda n: str(int(n)),
    "double": _bits,
    "ptr": lambda name: f"@{name}",
}
_NOTHING = {"i64": "0", "double": "0.0", "ptr": "null"}
