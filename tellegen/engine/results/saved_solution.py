"""Solutions in files: `solution.save("run.tgs")`, `tg.load("run.tgs")`. What is loaded is the Solution that was saved.

A line of text that names the format and the version of Tellegen, then the compressed pickle of the Solution with its
model. A pickle can name any function to be called, so the reader accepts nothing but our own classes and NumPy's
arrays; external functions and software are imported only with `trust=True`. The native code of the model is part of the
file and runs when values between the points are asked for.
"""

from __future__ import annotations

import io
import pickle
import zlib
from pathlib import Path
from typing import Any

from tellegen.engine.results.export import SAVED, Target
from tellegen.engine.results.solution import Solution
from tellegen.errors import ExportError, users_call
from tellegen.ir.source_location import here

_PLAIN = {
    *(("numpy", name) for name in ("dtype", "ndarray")),
    *(("numpy._core.multiarray", name) for name in ("_reconstruct", "scalar")),
    *(("builtins", name) for name in ("complex", "set", "frozenset", "slice", "range", "bytearray")),
}
"""What else than classes of ours a pickle of a solution may name."""


@users_call
def load(source: Target, *, trust: bool = False) -> Solution:
    """The Solution that `solution.save` wrote: names, units, events, parameters, `at` and `plot` as before.

    A model with functions or software of the user needs them again; they are imported only with `trust=True`, because
    importing runs code. Do that for files of your own.
    """
    try:
        content = Path(source).read_bytes()
    except OSError as error:
        raise _unreadable(source, error.strerror or str(error), "check the name of the file") from error
    heading, _, packed = content.partition(b"\n")
    if not heading.startswith(SAVED):
        raise _unreadable(source, "it is not a saved solution", "solution.save(...) writes one; pandas reads tables")
    version = heading.removeprefix(SAVED).decode(errors="replace")
    try:
        found = _Reader(zlib.decompress(packed), trust).load()
    except ExportError:
        raise
    except Exception as error:  # pickle raises whatever the classes it finds raise
        why = f"it is damaged, or version {version} of Tellegen wrote it in another form ({type(error).__name__})"
        raise _unreadable(source, why, "simulate the model again, or use the version that wrote it") from error
    if not isinstance(found, Solution):
        raise _unreadable(source, f"it holds a {type(found).__name__}", "solution.save(...) writes a solution")
    return found


class _Reader(pickle.Unpickler):
    """An unpickler that knows our classes and NumPy's arrays, and others only if it is trusted."""

    def __init__(self, content: bytes, trust: bool) -> None:
        super().__init__(io.BytesIO(content))
        self.trust = trust

    def find_class(self, module_name: str, global_name: str) -> Any:
        if self.trust or (module_name, global_name) in _PLAIN:
            return super().find_class(module_name, global_name)
        if module_name.startswith("tellegen."):
            found = super().find_class(module_name, global_name)
            if isinstance(found, type) and found.__module__.startswith("tellegen."):  # not what a module imports
                return found
        raise ExportError(
            "E405",
            f"the saved solution needs '{global_name}' of '{module_name}', which is not a class of Tellegen",
            location=here(),
            advice="if the file is your own: tg.load(..., trust=True) imports it",
        )


def _unreadable(source: Target, why: str, advice: str) -> ExportError:
    return ExportError("E405", f"the file '{source}' cannot be loaded: {why}", location=here(), advice=advice)
