"""Files: paths that lead outside, other programs that write too, a disk that is full."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import tellegen as tg
from tellegen.studio.document.apply_operation import applied
from tellegen.studio.document.layout_file import parse_layout
from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.document.model_text import ModelText
from tellegen.studio.document.operations import MoveParts, SetArgument
from tellegen.studio.library.catalogue import library_shapes

EXAMPLE = Path(__file__).parents[2] / "examples" / "dc_drive.py"


@pytest.fixture
def folder(tmp_path: Path) -> ModelFolder:
    root = tmp_path / "models"
    root.mkdir()
    shutil.copy(EXAMPLE, root / "drive.py")
    (tmp_path / "secret.py").write_text("x = 1\n")
    return ModelFolder.opened(root)


@pytest.mark.parametrize(
    "name", ["../secret.py", "/etc/passwd", "drive.txt", "a/../../secret.py", "", "x\0.py", "link.py"]
)
def test_paths_stay_inside(folder: ModelFolder, name: str) -> None:
    (folder.root / "link.py").symlink_to(folder.root.parent / "secret.py")
    with pytest.raises(tg.DocumentError, match="is not a Python file in"):
        folder.read(name)


@pytest.mark.parametrize("name", ["../data.csv", "/etc/passwd", "drive.py", "x\0.csv", "nobody.csv", "link.csv"])
def test_measurements_are_read_from_the_folder_alone(folder: ModelFolder, name: str) -> None:
    (folder.root.parent / "data.csv").write_text("time,speed\n")
    (folder.root / "link.csv").symlink_to(folder.root.parent / "data.csv")
    (folder.root / "own.csv").write_text("time,speed\n")
    assert folder.data("own.csv") == folder.root / "own.csv"
    with pytest.raises(tg.DocumentError, match="is not a file of measurements"):
        folder.data(name)


def test_what_is_no_file_of_a_model_is_refused_and_never_waited_for(folder: ModelFolder) -> None:
    """A pipe that nobody writes to; texts and places nested more deeply than Python reads; a class inside of itself."""
    os.mkfifo(folder.root / "pipe.py")
    os.mkfifo(folder.root / "drive.layout.json")
    assert folder.models() == ["drive.py"]
    for name in ("pipe.py", "drive.py"):
        with pytest.raises(tg.DocumentError, match="is no regular file"):
            folder.read(name)
    for text in (f"x = {'-' * 200_000}1", f"x = a{'.b' * 20_000}"):
        with pytest.raises(tg.DocumentError, match="nested too deeply"):
            ModelText(text, {}).diagram("A", library_shapes())
    with pytest.raises(tg.DocumentError, match="does not hold places"):
        parse_layout("[" * 100_000)
    inside = "import tellegen as tg\n\n\nclass A(tg.Component):\n    b = B()\n\n\nclass B(A):\n    a = A()\n"
    assert [part.name for part in ModelText(inside, {}).diagram("A", library_shapes()).parts] == ["b"]


def test_a_move_writes_the_layout_alone(folder: ModelFolder) -> None:
    model, disk = folder.read("drive.py")
    before = (folder.root / "drive.py").stat()
    moved = applied(model, "Drive", MoveParts(("load",), (400,), (80,)), library_shapes())
    folder.save("drive.py", moved, disk)
    assert (folder.root / "drive.py").stat().st_ino == before.st_ino, "the model itself is not written"
    assert (folder.root / "drive.layout.json").read_text() == '{"Drive": {\n  "load": [400, 80]}}\n'
    assert folder.read("drive.py")[0] == moved
    assert folder.models() == ["drive.py"]


def test_changes_of_other_programs_are_not_overwritten(folder: ModelFolder) -> None:
    model, disk = folder.read("drive.py")
    path = folder.root / "drive.py"
    path.write_text(path.read_text().replace("J=1e-3", "J=5e-3"))
    mine = applied(model, "Drive", SetArgument("load", "J", "2e-3"), library_shapes())
    with pytest.raises(tg.DocumentError, match="changed by another program"):
        folder.save("drive.py", mine, disk)
    assert "J=5e-3" in path.read_text()
    folder.save("drive.py", mine, None)
    assert "J=2e-3" in path.read_text()


def test_a_full_disk_leaves_the_old_file(folder: ModelFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    model, disk = folder.read("drive.py")

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    mine = applied(model, "Drive", SetArgument("load", "J", "2e-3"), library_shapes())
    with pytest.raises(tg.DocumentError, match="No space left"):
        folder.save("drive.py", mine, disk)
    assert sorted(path.name for path in folder.root.iterdir()) == ["drive.py"]
    assert (folder.root / "drive.py").read_text() == EXAMPLE.read_text()


def test_a_new_model_does_not_replace_a_file(folder: ModelFolder) -> None:
    folder.create("new.py", "New")
    with pytest.raises(tg.DocumentError, match="exists already"):
        folder.create("drive.py", "Drive")
    with pytest.raises(tg.DocumentError, match="cannot be the name of a model"):
        folder.create("other.py", "a b")
    with pytest.raises(tg.DocumentError, match="cannot be the name of a model"):
        folder.create("other.py", "None")
    assert not (folder.root / "other.py").exists()


def test_line_ends_stay(folder: ModelFolder) -> None:
    text = EXAMPLE.read_text().replace("\n", "\r\n")
    (folder.root / "drive.py").write_bytes(text.encode())
    model, disk = folder.read("drive.py")
    mine = applied(model, "Drive", SetArgument("load", "J", "2e-3"), library_shapes())
    folder.save("drive.py", mine, disk)
    assert (folder.root / "drive.py").read_bytes().decode() == text.replace("J=1e-3", "J=2e-3")
