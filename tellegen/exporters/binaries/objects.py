"""Modules of LLVM IR -> objects of a platform, kept on disk.

All functions are hidden: what a library of a model exports are the functions of its interface alone. Products are
rounded before they are added to something: processors that need not do so would give other results than the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from tellegen.engine.native.machine_code import cached_object, emitted
from tellegen.exporters.binaries.platforms import BROWSER, Platform
from tellegen.exporters.image.standalone import Code
from tellegen.ir.program import Module

CODE_MODEL = "default"  # that of code which is loaded anywhere, the usual one here, makes calls slow
_MULTIPLY_ADD = "llvm.fmuladd.f64"
_ROUNDED_MULTIPLY_ADD = """
define internal double @multiply_add(double %a, double %b, double %c) alwaysinline {
  %product = fmul double %a, %b
  %sum = fadd double %product, %c
  ret double %sum
}
"""
_DEFINITION = re.compile(r"(?m)^define (?!internal|private|hidden)")
_HEAD = re.compile(r"(?m)^define (?!internal|private)(?:hidden )?(\S+) @([\w.$-]+)\((.*?)\)")


def compiled(code: Code, platform: Platform) -> bytes:
    """The object of a module, its functions renamed and hidden."""
    return visible_object(hidden(code, platform), platform)


def hidden(code: Code, platform: Platform) -> Module:
    """A module for a platform, its functions renamed and hidden."""
    text = with_rounded_products(renamed(code.module.text, code.symbols))
    return replace(code.module, text=with_wide_addresses(text) if platform == BROWSER else text)


def visible_object(module: Module, platform: Platform) -> bytes:
    """The object of a module with its functions as they are, kept on disk."""
    stamp = (platform.triple, CODE_MODEL, module.optimize, module.text)
    return cached_object(stamp, lambda: new_object(module, platform))


def new_object(module: Module, platform: Platform) -> bytes:
    """The object of a module."""
    return emitted(module, _machine(platform, module.optimize), platform.triple)


def renamed(text: str, symbols: dict[str, str]) -> str:
    """The text of a module with other names of its functions, which are hidden."""
    names = "|".join(map(re.escape, sorted(symbols, key=len, reverse=True)))
    text = re.sub(rf"@({names})(?![\w.$-])", lambda found: f"@{symbols[found[1]]}", text)
    return _DEFINITION.sub("define hidden ", text)


def with_rounded_products(text: str) -> str:
    """The text of a module in which a product that is added to something is a number of its own."""
    if f"@{_MULTIPLY_ADD}" not in text:
        return text
    text = re.sub(rf"(?m)^\s*declare .*@{re.escape(_MULTIPLY_ADD)}\(.*$", "", text)
    return text.replace(f"@{_MULTIPLY_ADD}", "@multiply_add") + _ROUNDED_MULTIPLY_ADD


def with_wide_addresses(text: str) -> str:
    """The text of a module for a processor of 32 bits: images have 64 bits for every address.

    As the lower half comes first it is loaded and stored as it is; elements of arrays stand twice as far apart.
    """
    return text.replace("getelementptr ptr, ", "getelementptr i64, ")


def declarations(codes: Iterable[Code]) -> dict[str, str]:
    """How functions of modules are declared in others, by their symbols."""
    found: dict[str, str] = {}
    for code in codes:
        for result, name, parameters in _HEAD.findall(renamed(code.module.text, code.symbols)):
            types = ", ".join(each.split()[0] for each in parameters.split(",") if each.strip())
            found[name] = f"declare {result} @{name}({types})"
    return found


def _machine(platform: Platform, optimize: int) -> Any:
    _initialize()
    target = llvm.Target.from_triple(platform.triple)
    reloc = "static" if platform.triple.startswith("wasm") else "pic"
    return target.create_target_machine(opt=max(optimize, 1), reloc=reloc, codemodel=CODE_MODEL)


@cache
def _initialize() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
