"""The archive of an FMU: files of anybody read with limits, and written the same bytes every time.

A ZIP archive can name files outside the folder it is unpacked to, and hold gigabytes in kilobytes. Names are checked,
sizes are counted while data is unpacked, not believed.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from tellegen.errors import DocumentError
from tellegen.ir.source_location import SourceLocation

DESCRIPTION = "modelDescription.xml"
LARGEST = 4 * 2**30  # bytes, all files unpacked: an FMU with tables of measured data
MOST = 100_000  # files
_RATIO = 2_000  # unpacked bytes for one of the archive: deflate reaches 1 032
_CHUNK = 2**20


class Archive:
    """The files of an FMU or another archive of models, by their names."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        try:
            self._zip = zipfile.ZipFile(self.path)
        except FileNotFoundError:
            raise self._wrong("there is no such file", "check the path of the file") from None
        except IsADirectoryError:
            raise self._wrong("this is a folder", "pack it as a ZIP archive") from None
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise self._wrong(f"this is not a ZIP archive: {error}", "is the file complete?") from None
        self._infos = {info.filename: info for info in self._zip.infolist() if not info.is_dir()}
        self._check()

    def _check(self) -> None:
        if len(self._infos) > MOST:
            raise self._wrong(f"it holds {len(self._infos)} files, more than {MOST}", "is this an FMU?")
        total = sum(info.file_size for info in self._infos.values())
        if total > LARGEST or total > _RATIO * max(self.path.stat().st_size, 1):
            raise self._wrong(f"it would unpack to {total} bytes", "an archive like this is made to fill disks")
        for name, info in self._infos.items():
            pieces = PurePosixPath(name.replace("\\", "/"))
            if pieces.is_absolute() or ".." in pieces.parts or ":" in name or "\0" in name:
                raise self._wrong(f"it holds a file called '{name}', outside its folder", "do not use this archive")
            if (info.external_attr >> 28) == 0o12:
                raise self._wrong(f"it holds a symbolic link, '{name}'", "pack the file in its place")
            if info.flag_bits & 1:
                raise self._wrong(f"'{name}' is encrypted", "pack it without a password")

    def __contains__(self, name: str) -> bool:
        return name in self._infos

    def names(self) -> tuple[str, ...]:
        """The names of all files."""
        return tuple(self._infos)

    def read(self, name: str) -> bytes:
        """One file."""
        info = self._infos.get(name)
        if info is None:
            raise self._wrong(f"it holds no file {name}", "is this a complete FMU?")
        return b"".join(self._chunks(info))

    def unpack(self, folder: Path) -> None:
        """All files below a folder."""
        for name, info in self._infos.items():
            target = folder.joinpath(*PurePosixPath(name.replace("\\", "/")).parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as stream:
                for chunk in self._chunks(info):
                    stream.write(chunk)

    def _chunks(self, info: zipfile.ZipInfo) -> Iterator[bytes]:
        left = info.file_size
        try:
            with self._zip.open(info) as stream:
                while chunk := stream.read(_CHUNK):
                    left -= len(chunk)
                    if left < 0:
                        raise self._wrong(f"'{info.filename}' is larger than stated", "do not use this archive")
                    yield chunk
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
            raise self._wrong(f"'{info.filename}' cannot be unpacked: {error}", "is the file complete?") from None

    def _wrong(self, what: str, advice: str) -> DocumentError:
        return DocumentError(
            "E881", f"{self.path.name}: {what}", location=SourceLocation(str(self.path), 0), advice=advice
        )


def write_archive(path: str | os.PathLike[str], files: Mapping[str, bytes]) -> None:
    """An archive of these files, in this order; times are those of the epoch of ZIP, so that bytes repeat."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o100644 << 16
            info.create_system = 3
            archive.writestr(info, data)
