"""External C code: compiled if it is source code, loaded, and called.

    void outputs(double time, const double *x, const double *u, const double *p, double *y)

is the signature of every operator of a software component. Functions keep no state of their own (no static variables):
one copy serves all instances and all threads. Compiled sources are kept in the cache, found by the text and by the
files it includes from its own folder.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import math
import os
import platform
import re
import shlex
import shutil
import sys
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

from tellegen.cache import cache_folder
from tellegen.errors import LanguageError
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass

_FLAGS = ("-O2", "-fPIC", "-shared", "-Werror=implicit-function-declaration")
_SHOWN = 12  # lines of the compiler's message


def prototype(symbol: str) -> str:
    """How an operator is declared in C."""
    return f"void {symbol}(double time, const double *x, const double *u, const double *p, double *y)"


@dataclass(frozen=True)
class CLibrary:
    """A shared library: the path of one, or C source to make one of (`header` goes before the text, lines uncounted).

    `file` is where the text stands, `folders` are searched for what it includes, `included` is that, `options` are for
    the linker. `name`, `location` and `rules` (what the source must look like) are for messages."""

    path: str = ""
    text: str = ""
    header: str = ""
    name: str = ""
    location: SourceLocation | None = None
    file: str = ""
    folders: tuple[str, ...] = ()
    included: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    rules: str = "math.h is already included; an operator must be\n" + prototype("outputs")


@dataclass(frozen=True, eq=False)
class CFunction:
    """A function of a library; `parts` are the numbers of states, inputs and parameters it gets."""

    library: CLibrary
    symbol: str
    parts: tuple[int, int, int]
    outputs: int
    has_machine_code: ClassVar[bool] = True

    @property
    def address(self) -> int:
        """Where its code begins; valid as long as the process lives."""
        return ctypes.cast(_function(self.library, self.symbol), ctypes.c_void_p).value or 0

    @property
    def after_steps(self) -> bool:
        """Whether it is called after accepted steps of the integrator, and only then."""
        return False

    def complaint(self) -> BaseException | None:
        """Why the last call had no results, for functions that know; asked where an event fails."""
        return None

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


def load(library: CLibrary) -> ctypes.CDLL:
    """The library, compiled if it is source; one copy for everybody who asks."""
    return ctypes.CDLL(_compiled(library) if library.text else library.path)


@cache
def _function(library: CLibrary, symbol: str) -> Any:
    try:
        function = getattr(load(library), symbol)
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
    machine = (platform.machine(), platform.system())
    stamp = repr((compiler, _FLAGS, machine, library.header, library.text, library.included, library.options))
    folder = cache_folder() or _temporary()
    path = folder / "c" / f"{hashlib.sha256(stamp.encode()).hexdigest()}.so"
    if not path.is_file():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError:  # a cache that cannot be written is not an error
            path = _temporary() / path.name
        with tempfile.TemporaryDirectory(dir=path.parent) as work:
            made = Path(work) / "made.so"
            _run(
                [*compiler, *_FLAGS, *_sources(library, work), "-o", str(made), *library.options, "-lm"], library, work
            )
            os.replace(made, path)
    return str(path)


def preprocessed(library: CLibrary) -> str:
    """The text of a library as the compiler sees it: macros replaced, included files put in."""
    with tempfile.TemporaryDirectory() as work:
        return _run([*_compiler(library), "-E", "-P", *_sources(library, work)], library, work)


def _sources(library: CLibrary, folder: str) -> list[str]:
    """Header and text as files of a folder, and the options that name them to a compiler."""
    header, source = (Path(folder) / name for name in ("header.h", "source.c"))
    header.write_text(library.header, encoding="utf-8")
    source.write_text(library.text, encoding="utf-8")
    return [*(f"-I{name}" for name in library.folders), "-include", str(header), str(source)]


def included_texts(text: str, folders: tuple[str, ...]) -> tuple[str, ...]:
    """The texts of all files that a text includes by quoted name, directly and through others."""
    found: dict[Path, str] = {}
    waiting = [text]
    while waiting:
        for name in re.findall(r'^\s*#\s*include\s*"([^"\n]+)"', waiting.pop(), re.MULTILINE):
            path = next((path for folder in folders if (path := Path(folder) / name).is_file()), None)
            if path is not None and path not in found:
                found[path] = path.read_text(encoding="utf-8", errors="replace")
                waiting.append(found[path])
    return tuple(found.values())


def _run(command: list[str], library: CLibrary, folder: str) -> str:
    """What a command of the compiler prints; its mistakes are those of the source."""
    import subprocess

    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode == 0:
        return done.stdout
    output = done.stderr
    shown = os.path.basename(library.file) or "source"
    for name, instead in (("source.c", shown), ("header.h", "header")):
        output = output.replace(str(Path(folder) / name), instead)
    output = output.strip().splitlines()
    more = [f"... and {len(output) - _SHOWN} more lines"] if len(output) > _SHOWN else []
    raise LanguageError(
        "E193",
        f"the C code of {library.name} does not compile",
        location=_first_error(output, shown, library),
        details=[
            f"{'zig' if 'ziglang' in command else Path(command[0]).name} says:",
            *(f"  {line}" for line in (*output[:_SHOWN], *more)),
        ],
        advice=f"fix the C source; its lines are counted from 1, and {library.rules}",
    )


def _first_error(output: list[str], shown: str, library: CLibrary) -> SourceLocation | None:
    """The line of the user's file that the compiler names first; of a text in Python that of the class."""
    found = re.search(rf"^{re.escape(shown)}:(\d+):(\d+): (?:fatal )?error", "\n".join(output), re.MULTILINE)
    if found is None or not library.file:
        return library.location
    return SourceLocation(library.file, int(found[1]), column=int(found[2]))


def _compiler(library: CLibrary) -> list[str]:
    """The C compiler of this machine, as the beginning of a command."""
    wanted = shlex.split(os.environ.get("CC", ""))
    tried = [wanted] if wanted else [["cc"], ["gcc"], ["clang"]]
    for command in tried:
        if (found := shutil.which(command[0])) is not None:
            return [found, *command[1:]]
    if not wanted and find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc"]
    raise LanguageError(
        "E194",
        f"{library.name} is C source, but no C compiler was found: there is no "
        + " and no ".join(f"'{command[0]}'" for command in tried),
        location=library.location,
        advice="install one (apt install gcc, xcode-select --install, pip install ziglang), name it in CC,\n"
        "or give a shared library that was compiled elsewhere: tg.c_code('controller.so', ...)",
    )


@cache
def _temporary() -> Path:
    """A folder for this process alone."""
    folder = Path(tempfile.mkdtemp(prefix="tellegen-c-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
