"""Where something was written: the file and line of the user's text, and the column where it is known."""

from __future__ import annotations

import linecache
import os
import sys
from functools import cache
from types import FrameType

from tellegen.notebook import cell_of
from tellegen.start.records import dataclass

_LONGEST = 200  # characters: files of other programs may be one line
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_LIBRARY = os.path.join(_PACKAGE, "library")
_STANDARD = os.path.dirname(os.__file__) + os.sep
_PACKAGES = tuple(os.sep + name + os.sep for name in ("site-packages", "dist-packages"))
_CALLED_BACK = os.sep + os.path.join("site-packages", "scipy") + os.sep  # its searches call us back
_TAKING_VALUES = ("__init__", "_configure")  # of a component: the values were written by whoever calls them


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """A file and line, with the class or path it belongs to when known; `column` counts from 1, 0 is unknown."""

    file: str
    line: int
    scope: str = ""
    column: int = 0

    def __str__(self) -> str:
        cell = cell_of(self.file)
        where = f"{cell}, line {self.line}" if cell else f"{os.path.basename(self.file)}:{self.line}"
        where += f":{self.column}" if self.column else ""
        return f"{where} ({self.scope})" if self.scope else where

    def source(self) -> str:
        """The line as the user wrote it, when the file can be read."""
        linecache.checkcache(self.file)  # it may have been edited since it was read last
        line = linecache.getline(self.file, self.line).strip()
        return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} ..."

    def within(self, scope: str) -> SourceLocation:
        """The same location, as part of `scope`."""
        return SourceLocation(self.file, self.line, scope, self.column)


NOWHERE = SourceLocation("<unknown>", 0)


def is_users(file: str) -> bool:
    """Whether a file is not of Tellegen's own machinery (library components are models, so they count as user text)."""
    return not file.startswith(_PACKAGE) or in_library(file)


def is_installed(file: str) -> bool:
    """Whether a file is of Python, ours or of an installed package, in other environments (.pth files) too."""
    return file.startswith((_STANDARD, _PACKAGE)) or any(folder in file for folder in _PACKAGES)


def in_library(file: str) -> bool:
    """Whether a file is of the library of components."""
    return file.startswith(_LIBRARY)


def _between(file: str) -> bool:
    """Whether a file only stands between the user's call and us: the standard library, SciPy's searches."""
    return (file.startswith(_STANDARD) and "site-packages" not in file) or _CALLED_BACK in file


@cache
def _written_by_user(file: str) -> bool:
    """Whether the lines of a file are where a user wrote something. Asked for every declaration, of few files."""
    return is_users(file) and not _between(file)


def mark() -> tuple[str, int]:
    """File and line of the nearest text outside Tellegen's machinery: where the user wrote the call."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and (
        frame.f_code.co_name in _TAKING_VALUES or not _written_by_user(frame.f_code.co_filename)
    ):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else (NOWHERE.file, NOWHERE.line)


def here() -> SourceLocation:
    """The same as a SourceLocation."""
    return SourceLocation(*mark())


def beyond_the_library() -> SourceLocation:
    """The nearest text that is neither Tellegen's nor its library's: for objects of the library."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (
        frame.f_code.co_filename.startswith(_PACKAGE) or frame.f_code.co_name in _TAKING_VALUES
    ):
        frame = frame.f_back
    return SourceLocation(frame.f_code.co_filename, frame.f_lineno) if frame is not None else NOWHERE
