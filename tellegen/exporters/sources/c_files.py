"""A standalone model as C files, and how they are built (buildDescription.xml of FMI 3.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from tellegen.engine.runtime.entry_points import STANDALONE
from tellegen.errors import ExportError
from tellegen.exporters.binaries.constants import Constant
from tellegen.exporters.binaries.objects import renamed
from tellegen.exporters.image.standalone import RUNTIME, Standalone, UserSource
from tellegen.exporters.sources.llvm_as_c import print_llvm_as_c
from tellegen.procedures.load import load
from tellegen.procedures.print_c import print_c
from tellegen.xml.writer import document_text, made

LIBRARY = "library.c"
_DATA = "data.c"
_RUNTIME = "runtime.c"
_OPTIONS = "-O2 -ffp-contract=off -fno-strict-aliasing -fwrapv"
_TYPES = {"i8": "const unsigned char", "i64": "const int64_t", "double": "const double", "ptr": "void *const"}
_BYTES_A_LINE = 24


def file_names(exported: Standalone) -> tuple[str, ...]:
    """The files to compile."""
    equations = [f"equations{k}.c" for k in range(len(exported.code))]
    users = [f"user{k}.c" for k in range(len(exported.sources))]
    return (LIBRARY, _DATA, _RUNTIME, *equations, *users)


def c_files(exported: Standalone, constants: Sequence[Constant], interface: Mapping[str, str]) -> dict[str, str]:
    """Their texts, with those of the interface that they include."""
    files = {**interface, _DATA: _data(constants), _RUNTIME: _runtime()}
    for k, code in enumerate(exported.code):
        files[f"equations{k}.c"] = print_llvm_as_c(renamed(code.module.text, code.symbols))
    for k, source in enumerate(exported.sources):
        files[f"user{k}.c"] = _user(source)
    return files


def build_description(identifier: str, names: Sequence[str]) -> bytes:
    """How they become a library."""
    files = [made("SourceFile", {"name": name}) for name in names]
    together = made("SourceFileSet", {"language": "C99", "compilerOptions": _OPTIONS}, *files)
    # the C library's mathematics, which has no file of its own on Windows
    mathematics = made("Library", {"name": "m", "external": "true"})
    configuration = made("BuildConfiguration", {"modelIdentifier": identifier}, together, mathematics)
    return document_text(made("fmiBuildDescription", {"fmiVersion": "3.0"}, configuration)).encode()


@cache
def _runtime() -> str:
    """The procedures that are the same for all models."""
    unit = load(*STANDALONE)
    return print_c(unit._replace(entries={RUNTIME + name: full for name, full in unit.entries.items()}))


def _data(constants: Sequence[Constant]) -> str:
    """The numbers of the model; functions are declared by their names alone, nobody calls them here."""
    tables = {each.name for each in constants}
    symbols = dict.fromkeys(
        symbol for each in constants if each.kind == "ptr" for symbol in each.values if symbol not in tables
    )
    lines = ["#include <stdint.h>", "", *(f"extern void {symbol}(void);" for symbol in symbols), ""]
    for each in constants:
        if each.kind == "ptr":
            texts = [f"(void *){symbol}" for symbol in each.values]
        elif each.kind == "double":
            texts = [
                repr(float(value)).replace("inf", "(1.0/0.0)").replace("nan", "(0.0/0.0)") for value in each.values
            ]
        else:
            texts = [str(int(value)) for value in each.values]
        rows = [", ".join(texts[k : k + _BYTES_A_LINE]) for k in range(0, len(texts), _BYTES_A_LINE)]
        lines += [f"{_TYPES[each.kind]} {each.name}[] = {{", ",\n".join(rows) or "0", "};"]
    return "\n".join([*lines, ""])


def _user(source: UserSource) -> str:
    """C source of the user, its functions under other names."""
    library = source.library
    if library.included:
        raise ExportError(
            "E442",
            f"{library.name} includes files of its own, which cannot be put into the sources of an FMU",
            location=library.location,
            advice="write it as one file, or export binaries alone: sources=False",
        )
    names = [f"#define {name} {symbol}" for name, symbol in source.symbols]
    return "\n".join([library.header, *names, library.text, ""])
