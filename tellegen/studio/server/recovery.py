"""Unsaved changes, kept beside the models until they are saved: a crash loses nothing."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from tellegen.errors import DocumentError
from tellegen.studio.document.layout_file import layout_text, parse_layout
from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.document.model_text import ModelText


def _file(folder: ModelFolder, name: str) -> Path:
    return folder.root / ".tellegen" / "recover" / (name.replace("/", "__") + ".json")


def keep(folder: ModelFolder, name: str, model: ModelText) -> None:
    """Write down what is not saved; where that is impossible the changes live in the open document alone."""
    with contextlib.suppress(OSError):
        path = _file(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps({"text": model.text, "layout": layout_text(model.layout)}), encoding="utf-8")
        fresh.replace(path)


def forget(folder: ModelFolder, name: str) -> None:
    """All is saved."""
    with contextlib.suppress(OSError):
        path = _file(folder, name)
        path.unlink(missing_ok=True)
        path.parent.rmdir()  # only if it is empty
        path.parent.parent.rmdir()


def recovered(folder: ModelFolder, name: str) -> ModelText | None:
    """What was not saved when the studio ended, if anything."""
    try:
        content = json.loads(_file(folder, name).read_text(encoding="utf-8"))
        return ModelText(content["text"], parse_layout(content["layout"]), name)
    except (OSError, ValueError, KeyError, TypeError, DocumentError):
        return None
