"""A model from text that need not be saved: it is run as a module, as if it stood in its file."""

from __future__ import annotations

import linecache
import sys
import traceback
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import tellegen as tg
from tellegen.studio.messages.diagnostic import Diagnostic

MODULE = "_studio_model"
MOST_MESSAGES = 50
MOST_LETTERS = 4000
"""More of them nobody reads, and a model may make any number."""


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
        details = tuple(_cut(row) for row in error.details[:MOST_MESSAGES])
        return Diagnostic(error.code, _cut(error.message), details, _cut(error.advice), line, about=about)
    if isinstance(error, SyntaxError):
        return Diagnostic("", f"Python cannot read this: {error.msg}", (), "", error.lineno or 0)
    return Diagnostic("", f"{type(error).__name__}: {_words(error)}", (), "", _line_in(error, file))


def diagnostic_of_warning(warning: warnings.WarningMessage, file: str) -> Diagnostic:
    """A warning as the page shows it."""
    line = warning.lineno if warning.filename == file else 0
    return Diagnostic("", _words(warning.message), (), "", line, warning=True)


def _words(error: BaseException | str) -> str:
    """What an exception says; one that was written in the model may fail even at that."""
    try:
        return _cut(str(error))
    except Exception as other:
        return f"its text cannot be made ({type(other).__name__})"


def _cut(text: str) -> str:
    """A text that a person reads: its beginning, where a model made more of it."""
    more = len(text) - MOST_LETTERS
    return f"{text[:MOST_LETTERS]}… and {more:,} letters more" if more > 0 else text


def _line_in(error: BaseException, file: str) -> int:
    """The last line of the file on the way to where an exception was raised."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return next((line for line in reversed(lines) if line), 0)
