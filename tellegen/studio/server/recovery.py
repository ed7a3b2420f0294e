"""Unsaved changes, kept beside the models until they are saved: a crash loses nothing."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from urllib.parse import quote

from tellegen.errors import DocumentError
from tellegen.start.records import dataclass
from tellegen.studio.document.layout_file import layout_text, parse_layout
from tellegen.studio.document.model_folder import ModelFolder, OnDisk, read_regular, write_whole
from tellegen.studio.document.model_text import ModelText


def _file(folder: ModelFolder, name: str) -> Path:
    return folder.root / ".tellegen" / "recover" / f"{quote(name, safe='')}.json"


@dataclass(frozen=True)
class Unsaved:
    """A model that was not saved, and what was on disk when it was changed."""

    model: ModelText
    disk: OnDisk


def keep(folder: ModelFolder, name: str, model: ModelText, disk: OnDisk) -> None:
    """Write down what is not saved; where that is impossible the changes live in the open document alone."""
    with contextlib.suppress(OSError):
        path = _file(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.parent.resolve() != path.parent:
            return  # a link leads elsewhere: nothing is written there
        content = {"text": model.text, "layout": layout_text(model.layout)}
        known = {"text": disk.text, "layout": disk.layout}
        write_whole(path, json.dumps({**content, "disk": known}))


def forget(folder: ModelFolder, name: str) -> None:
    """All is saved."""
    with contextlib.suppress(OSError):
        path = _file(folder, name)
        path.unlink(missing_ok=True)
        path.parent.rmdir()  # only if it is empty
        path.parent.parent.rmdir()


def recovered(folder: ModelFolder, name: str) -> Unsaved | None:
    """What was not saved when the studio ended, if anything."""
    try:
        content = json.loads(read_regular(_file(folder, name)))
        disk = OnDisk(str(content["disk"]["text"]), str(content["disk"]["layout"]))
        return Unsaved(ModelText(str(content["text"]), parse_layout(content["layout"]), name), disk)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, DocumentError):
        return None
