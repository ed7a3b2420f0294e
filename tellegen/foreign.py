"""External C code: compiled if it is source code, loaded, and called.

    void outputs(double time, const double *x, const double *u, const double *p, double *y)

is the signature of every operator of a software component. Functions keep no state of their own (no static variables):
one copy serves all instances and all threads. Compiled sources are kept in the cache, found by the text.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import math
import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tellegen.cache import cache_folder
from tellegen.errors import LanguageError
from tellegen.ir.source_location import SourceLocation

_FLAGS = ("-O2", "-fPIC", "-shared", "-Werror=implicit-function-declaration")
_SHOWN = 12  # lines of the compiler's message


@dataclass(frozen=True)
class CLibrary:
    """A shared library: the path of one, or C source to make one of (`header` goes before the text, lines uncounted).

    `name` and `place` are for messages."""

    path: str = ""
    text: str = ""
    header: str = ""
    name: str = ""
    location: SourceLocation | None = None


@dataclass(frozen=True, eq=False)
class CFunction:
    """A function of a library; `parts` are the numbers of states, inputs and parameters it gets."""

    library: CLibrary
    symbol: str
    parts: tuple[int, int, int]
    outputs: int

    @property
    def address(self) -> int:
        """Where its code begins; valid as long as the process lives."""
        return ctypes.cast(_function(self.library, self.symbol), ctypes.c_void_p).value or 0

    def __call__(self, *numbers: float) -> Any:
        """The results for time, states, inputs and parameters."""
        given = (ctypes.c_double * len(numbers))(*numbers)
        nothing = [math.nan] * self.outputs
        results = (ctypes.c_double * self.outputs)(*nothing)  # what the code does not write is NaN
        begin = ctypes.addressof(given) + 8
        states, inputs, _ = self.parts
        pointers = (begin, begin + 8 * states, begin + 8 * (states + inputs))
        _function(self.library, self.symbol)(numbers[0], *pointers, ctypes.addressof(results))
        return list(results) if self.outputs > 1 else results[0]


def prototype(symbol: str) -> str:
    """How an operator is declared in C."""
    return f"void {symbol}(double time, const double *x, const double *u, const double *p, double *y)"


@cache
def _function(library: CLibrary, symbol: str) -> Any:
    try:
        path = _compiled(library) if library.text else library.path
        function = getattr(ctypes.CDLL(path), symbol)
    except (OSError, AttributeError) as error:
        raise LanguageError(
            "E191",
            f"no function '{symbol}' could be loaded from {library.name}: {error}",
            location=library.location,
            advice=f"the source must define it: {prototype(symbol)}"
            if library.text
            else "give the path of a shared library (.so, .dylib, .dll) that exports it",
        ) from None
    function.restype = None
    function.argtypes = [ctypes.c_double, *([ctypes.c_void_p] * 4)]
    return function


def _compiled(library: CLibrary) -> str:
    """The path of the shared library made of a source."""
    compiler = _compiler(library)
    stamp = repr((compiler, _FLAGS, platform.machine(), platform.system(), library.header, library.text))
    folder = cache_folder() or _temporary()
    path = folder / "c" / f"{hashlib.sha256(stamp.encode()).hexdigest()}.so"
    if not path.is_file():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError:  # a cache that cannot be written is not an error
            path = _temporary() / path.name
        with tempfile.TemporaryDirectory(dir=path.parent) as work:
            header, source, made = (Path(work) / name for name in ("header.h", "source.c", "made.so"))
            header.write_text(library.header, encoding="utf-8")
            source.write_text(library.text, encoding="utf-8")
            command = [*compiler, *_FLAGS, "-include", str(header), "-o", str(made), str(source), "-lm"]
            _run(command, library, work)
            os.replace(made, path)
    return str(path)


def _run(command: list[str], library: CLibrary, folder: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return
    output = done.stderr
    for name in ("source.c", "header.h"):
        output = output.replace(str(Path(folder) / name), name.partition(".")[0])
    output = output.strip().splitlines()
    more = [f"... and {len(output) - _SHOWN} more lines"] if len(output) > _SHOWN else []
    raise LanguageError(
        "E193",
        f"the C code of {library.name} does not compile",
        location=library.location,
        details=[f"{Path(command[0]).name} says:", *(f"  {line}" for line in (*output[:_SHOWN], *more))],
        advice="fix the C source; its lines are counted from 1, and math.h is already included; an operator must be\n"
        + prototype("outputs"),
    )


def _compiler(library: CLibrary) -> list[str]:
    """The C compiler of this machine, as the beginning of a command."""
    wanted = shlex.split(os.environ.get("CC", ""))
    tried = [wanted] if wanted else [["cc"], ["gcc"], ["clang"]]
    for command in tried:
        if (found := shutil.which(command[0])) is not None:
            return [found, *command[1:]]
    raise LanguageError(
        "E194",
        f"{library.name} is C source, but no C compiler was found: there is no "
        + " and no ".join(f"'{command[0]}'" for command in tried),
        location=library.location,
        advice="install one (apt install gcc, xcode-select --install), name it in the variable CC,\n"
        "or give a shared library that was compiled elsewhere: tg.c_code('controller.so', ...)",
    )


@cache
def _temporary() -> Path:
    """A folder for this process alone."""
    folder = Path(tempfile.mkdtemp(prefix="tellegen-c-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
