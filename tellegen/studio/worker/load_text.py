"""A model from text that need not be saved: it is run as a module, as if it stood in its file."""

from __future__ import annotations

import linecache
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

import tellegen as tg
from tellegen.studio.messages.diagnostic import Diagnostic

MODULE = "_studio_model"


def module_of(text: str, file: str, imports: bool) -> ModuleType:
    """The text, run; with `imports` its folder is where it imports from, as if the file had been started."""
    folder = str(Path(file).parent)
    if imports and folder not in sys.path:
        sys.path.insert(0, folder)
    # without a time of change the cache is never compared with the file, which may hold an older text
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    module = ModuleType(MODULE)
    module.__file__ = file
    sys.modules[MODULE] = module
    exec(compile(text, file, "exec"), module.__dict__)
    return module


def made(module: ModuleType, cls: str, model: str = "") -> Any:
    """An object of the class, or what an expression of the script makes."""
    return evaluated(module, model) if model else getattr(module, cls)()


def evaluated(module: ModuleType, text: str) -> Any:
    """An expression in the names of a module."""
    return eval(compile(text, module.__file__ or MODULE, "eval"), module.__dict__)


def diagnostic_of(error: BaseException, file: str) -> Diagnostic:
    """An exception as the page shows it: the same text as at the terminal."""
    if isinstance(error, tg.TellegenError):
        location = error.location
        line = location.line if location is not None and location.file == file else 0
        line = line or _line_in(error, file)
        about = (*error.about, location.scope) if location is not None and location.scope else error.about
        return Diagnostic(error.code, error.message, error.details, error.advice, line, about=about)
    if isinstance(error, SyntaxError):
        return Diagnostic("", f"Python cannot read this: {error.msg}", (), "", error.lineno or 0)
    return Diagnostic("", f"{type(error).__name__}: {error}", (), "", _line_in(error, file))


def _line_in(error: BaseException, file: str) -> int:
    """The last line of the file on the way to where an exception was raised."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return next((line for line in reversed(lines) if line), 0)
