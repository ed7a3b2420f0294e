"""What is wrong with a model, and with which parts of it."""

from __future__ import annotations

from tellegen.start.records import dataclass
from tellegen.studio.document.operations import Operation


@dataclass(frozen=True)
class Fix:
    """A button: what it does in words, and the operation."""

    words: str
    operation: Operation


@dataclass(frozen=True)
class Diagnostic:
    """An error or a warning: the text that Python shows, and the paths of parts and ports that it is about."""

    code: str
    message: str
    details: tuple[str, ...]
    advice: str
    line: int
    warning: bool = False
    about: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    """Where the fix is mechanical."""
