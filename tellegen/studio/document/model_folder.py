"""The folder that is open: paths stay inside, files are written whole or not at all, nobody's changes are lost."""

from __future__ import annotations

import codecs
import os
import stat
import tempfile
from pathlib import Path

from tellegen.errors import DocumentError
from tellegen.start.records import dataclass
from tellegen.studio.document.layout_file import layout_path, layout_text, parse_layout
from tellegen.studio.document.model_text import ModelText, new_model
from tellegen.studio.document.text.origins import READERS

SKIPPED = {"__pycache__", "node_modules", "site-packages"}
MOST_FILES = 2000
LARGEST = 4_000_000
"""Bytes of a model file; a person does not write a larger one."""


@dataclass(frozen=True)
class OnDisk:
    """The texts of a model and its layout as they were read or written last."""

    text: str
    layout: str


GONE = OnDisk("", "")
"""A file that is not there any more."""


@dataclass(frozen=True)
class ModelFolder:
    """The folder that was opened; `root` is absolute, without links."""

    root: Path

    @classmethod
    def opened(cls, path: Path) -> ModelFolder:
        """A folder, or the folder of a file."""
        path = path.expanduser().resolve()
        if not path.exists():
            raise DocumentError("E899", f"there is no file or folder {path}")
        return cls(path if path.is_dir() else path.parent)

    def path(self, name: str) -> Path:
        """A Python file inside of the folder; E899 for every other path."""
        try:
            found = (self.root / name).resolve()
        except (OSError, ValueError, RuntimeError):  # a link to itself
            found = self.root
        if not found.is_relative_to(self.root) or found.suffix != ".py" or "\0" in name:
            advice = "open the folder that it is in: tellegen studio FOLDER"
            raise DocumentError("E899", f"{name!r} is not a Python file in {self.root}", advice=advice)
        return found

    def data(self, name: str) -> Path:
        """A file of measurements (CSV) inside of the folder; E899 for every other path."""
        try:
            found = (self.root / name).resolve()
        except (OSError, ValueError, RuntimeError):  # a link to itself
            found = self.root
        if not found.is_relative_to(self.root) or found.suffix != ".csv" or "\0" in name or not found.is_file():
            raise DocumentError("E899", f"{name!r} is not a file of measurements (.csv) in {self.root}")
        return found

    def models(self) -> list[str]:
        """The Python files in it, below it too, by relative path; hidden folders and those of programs are left out."""
        return self._files((".py",))

    def sources(self) -> list[str]:
        """Files of other languages that components can be made of."""
        return self._files(tuple(READERS))

    def _files(self, endings: tuple[str, ...]) -> list[str]:
        found: list[str] = []
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if name not in SKIPPED and not name.startswith("."))
            here = Path(folder).relative_to(self.root)
            fitting = [name for name in sorted(files) if name.endswith(endings)]
            found += [(here / name).as_posix() for name in fitting if (Path(folder) / name).is_file()]
            if len(found) >= MOST_FILES:
                break
        return found[:MOST_FILES]

    def read(self, name: str) -> tuple[ModelText, OnDisk]:
        """A model as it is on disk."""
        path = self.path(name)
        disk = self.on_disk(name)
        inside = path.relative_to(self.root).as_posix()
        return ModelText(disk.text, parse_layout(disk.layout, layout_path(path).name), inside), disk

    def now(self, name: str) -> OnDisk:
        """The same, for a file that was there: it may have been removed since."""
        return self.on_disk(name) if self.path(name).exists() else GONE

    def on_disk(self, name: str) -> OnDisk:
        """The texts on disk now; E899 where they cannot be read."""
        path = self.path(name)
        try:
            text = read_regular(path)
            beside = self._inside(layout_path(path))
            return OnDisk(text, read_regular(beside) if beside.exists() else "")
        except UnicodeDecodeError as error:
            advice = "save it as UTF-8, the encoding of Python files"
            raise DocumentError("E899", f"{name} cannot be read: {error}", advice=advice) from None
        except OSError as error:
            raise DocumentError("E899", f"{name} cannot be read: {error}") from None

    def _inside(self, path: Path) -> Path:
        """A path, if it does not lead out of the folder by a link."""
        if not path.resolve().is_relative_to(self.root):
            raise DocumentError("E899", f"{path.name} is a link that leads out of {self.root}", advice="remove it")
        return path

    def create(self, name: str, cls: str) -> None:
        """A new file with an empty model; E899 where there is one already."""
        path = self.path(name)
        text = new_model(cls)
        try:
            with path.open("x", encoding="utf-8", newline="") as file:
                file.write(text)
        except FileExistsError:
            raise DocumentError("E899", f"{name} exists already", advice="open it, or use another name") from None
        except OSError as error:
            raise DocumentError("E899", f"{name} cannot be written: {error}") from None

    def save(self, name: str, model: ModelText, known: OnDisk | None) -> OnDisk:
        """Write a model. `known` is what was read; E899 if the disk has something else by now, unless it is None."""
        path = self.path(name)
        if known is not None and self.now(name) != known:
            advice = "reload to see what changed there, or save again over it"
            raise DocumentError("E899", f"{name} was changed by another program", advice=advice)
        layout = layout_text(model.layout)
        try:
            if known is None or model.text != known.text:
                write_whole(path, model.text)
            if layout:
                write_whole(layout_path(path), layout)
            else:
                layout_path(path).unlink(missing_ok=True)
        except OSError as error:
            advice = "nothing is lost: the model is still open here; free space or choose another place"
            raise DocumentError("E899", f"{name} cannot be written: {error}", advice=advice) from None
        return OnDisk(model.text, layout)


def read_regular(path: Path) -> str:
    """The text of a file; a pipe or a device, which could be read without end, is rejected."""
    stamp = path.stat()
    if not stat.S_ISREG(stamp.st_mode):
        raise DocumentError("E899", f"{path.name} is no regular file")
    if stamp.st_size > LARGEST:
        raise DocumentError("E899", f"{path.name} has {stamp.st_size:,} bytes; {LARGEST:,} are read")
    with path.open(encoding="utf-8-sig", newline="") as file:  # line ends stay as they are
        return file.read()


def write_whole(path: Path, text: str) -> None:
    """All or nothing: a new file takes the place of the old one."""
    encoding = "utf-8-sig" if path.exists() and path.read_bytes()[:3] == codecs.BOM_UTF8 else "utf-8"
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding=encoding, newline="") as file:
            file.write(text)
        if path.exists():
            os.chmod(name, path.stat().st_mode)
        else:
            os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
