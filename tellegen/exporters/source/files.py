"""Texts to files."""

from __future__ import annotations

from pathlib import Path

from tellegen.errors import ExportError


def save(text: str, path: str | Path) -> None:
    """Write a text to a file; E404 if that cannot be done."""
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ExportError("E404", f"'{path}' cannot be written: {error.strerror or error}") from None
