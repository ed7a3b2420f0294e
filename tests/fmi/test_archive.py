"""Archives of anybody: names, sizes and damages are noticed; those we write repeat to the byte."""

from __future__ import annotations

import contextlib
import pickle
import stat
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.fmi.archive import Archive, write_archive

FILES = {"modelDescription.xml": b"<a/>" * 200, "binaries/x86_64-linux/drive.so": bytes(range(256)) * 20}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "drive.fmu"
    write_archive(path, FILES)
    return path


def test_files_come_back_and_bytes_repeat(archive: Path, tmp_path: Path) -> None:
    found = Archive(archive)
    assert found.names() == tuple(FILES)
    assert found.read("modelDescription.xml") == FILES["modelDescription.xml"]
    found.unpack(tmp_path / "out")
    assert (tmp_path / "out/binaries/x86_64-linux/drive.so").read_bytes() == FILES["binaries/x86_64-linux/drive.so"]
    write_archive(tmp_path / "again.fmu", FILES)
    assert (tmp_path / "again.fmu").read_bytes() == archive.read_bytes()


def test_the_file_that_was_read_counts(tmp_path: Path) -> None:
    """Another FMU of the same name takes its place, of the same class but with other equations, or it is deleted."""

    def lag(rate: float) -> Any:
        class Lag(tg.Component):
            x = tg.variable(start=0.0, fixed=True)

            def equations(self) -> Any:
                yield tg.der(self.x) == rate * (1.0 - self.x)

        return Lag()

    path = tmp_path / "lag.fmu"
    read = []
    for rate in (1.0, 5.0):
        tg.export_fmu(lag(rate), path, stop=1.0, kind=("me",))
        read.append(tg.read_fmu(path))
    path.unlink()
    again = pickle.loads(pickle.dumps(read[0]()))
    for component, rate in ((read[0](), 1.0), (read[1](), 5.0), (again, 1.0)):
        assert tg.simulate(component, stop=1.0)["x"][-1] == pytest.approx(1.0 - np.exp(-rate), abs=1e-5)


@pytest.mark.parametrize("name", ["../evil.txt", "/etc/passwd", "a/../../b", "C:\\evil.txt", "..\\evil.txt"])
def test_files_outside_the_folder(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "bad.fmu", "w") as bad:
        bad.writestr(name, "x")
    with pytest.raises(tg.DocumentError, match="outside its folder") as caught:
        Archive(tmp_path / "bad.fmu")
    assert caught.value.code == "E881"


def test_symbolic_links(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("resources/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "bad.fmu", "w") as bad:
        bad.writestr(link, "/etc/passwd")
    with pytest.raises(tg.DocumentError, match="symbolic link"):
        Archive(tmp_path / "bad.fmu")


def test_small_files_that_would_fill_disks(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bad.fmu", "w", zipfile.ZIP_DEFLATED) as bad:
        bad.writestr("zeros", bytes(2**20))
    data = bytearray((tmp_path / "bad.fmu").read_bytes())
    listed = data.rindex(b"PK\x01\x02")
    data[listed + 24 : listed + 28] = (2**32 - 2).to_bytes(4, "little")  # the size stated in the directory
    (tmp_path / "bad.fmu").write_bytes(data)
    with pytest.raises(tg.DocumentError, match="would unpack to"):
        Archive(tmp_path / "bad.fmu")


def test_absent_and_wrong_files(tmp_path: Path, archive: Path) -> None:
    (tmp_path / "text.fmu").write_text("no archive")
    for path in (tmp_path / "nothing.fmu", tmp_path, tmp_path / "text.fmu"):
        with pytest.raises(tg.DocumentError):
            Archive(path)
    with pytest.raises(tg.DocumentError, match="holds no file"):
        Archive(archive).read("other.xml")


def test_cut_and_changed_archives_are_our_errors(tmp_path: Path, archive: Path) -> None:
    random = np.random.default_rng(1)
    data = np.frombuffer(archive.read_bytes(), np.uint8)
    for case in range(150):
        changed = data.copy()
        changed[random.integers(0, len(data), 1 + case % 8)] ^= np.uint8(1 << case % 8)
        path = tmp_path / "changed.fmu"
        path.write_bytes(changed[: random.integers(1, len(data) + 1) if case % 3 == 0 else len(data)].tobytes())
        with contextlib.suppress(tg.DocumentError):  # any other exception is a failure
            found = Archive(path)
            for name in found.names():
                found.read(name)
