"""ModelicaInternal and ModelicaIO: files and the system, read while a model is translated.

Functions that change files, run programs or end the process are not served: a model is data, and translating it must
not do such things.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.external.served import Outcome, Served
from tellegen.frontends.modelica.evaluation.external.table_files import read_matrix
from tellegen.frontends.modelica.store.store import Store
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported

_NO_FILE, _FILE, _FOLDER, _OTHER = range(1, 5)  # the ordinals of Modelica.Utilities.Types.FileType


def _lines(name: str) -> list[str]:
    try:
        return Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise EvaluationError("E579", f"the file {name} cannot be read: {error}") from None


def _full_path_name(store: Store, name: Any) -> str:
    if not isinstance(name, str):
        raise not_supported("a file name that varies")
    return str(store.resource(name).absolute())


def _kind(name: str) -> int:
    path = Path(name)
    if not path.exists():
        return _NO_FILE
    return _FILE if path.is_file() else _FOLDER if path.is_dir() else _OTHER


def _read_line(name: str, number: int, *_: Any) -> Outcome:
    lines = _lines(name)
    is_end = number > len(lines)
    return Outcome("" if is_end else lines[int(number) - 1], {2: is_end})


def _read_file(name: str, *_: Any) -> Outcome:
    return Outcome(arguments={1: np.array(_lines(name), dtype=object)})


def _entries(name: str) -> list[str]:
    try:
        return sorted(os.listdir(name))
    except OSError as error:
        raise EvaluationError("E579", f"the folder {name} cannot be read: {error}") from None


def _environment(name: str, to_slash: bool, *_: Any) -> Outcome:
    content = os.environ.get(name)
    shown = (content or "").replace("\\", "/") if to_slash else content or ""
    return Outcome(arguments={2: shown, 3: content is not None})


def _time(*_: Any) -> Outcome:
    now = time.localtime()
    parts = (int(time.time() * 1000) % 1000, now.tm_sec, now.tm_min, now.tm_hour, now.tm_mday, now.tm_mon, now.tm_year)
    return Outcome(arguments=dict(enumerate(parts)))


def _matrix_sizes(file: str, name: str, *_: Any) -> Outcome:
    return Outcome(arguments={2: np.array(read_matrix(Path(file), name).shape)})


def _matrix(file: str, name: str, *_: Any) -> Outcome:
    return Outcome(arguments={2: read_matrix(Path(file), name)})


FILE_FUNCTIONS: dict[str, Served] = {
    "ModelicaInternal_fullPathName": Served(_full_path_name, symbolic=True),
    **{
        name: Served(function, pure=False)
        for name, function in {
            "ModelicaInternal_stat": _kind,
            "ModelicaInternal_readLine": _read_line,
            "ModelicaInternal_readFile": _read_file,
            "ModelicaInternal_countLines": lambda name: len(_lines(name)),
            "ModelicaInternal_readDirectory": lambda name, *_: Outcome(
                arguments={2: np.array(_entries(name), dtype=object)}
            ),
            "ModelicaInternal_getNumberOfFiles": lambda name: len(_entries(name)),
            "ModelicaInternal_getcwd": lambda _: os.getcwd(),
            "ModelicaInternal_getenv": _environment,
            "ModelicaInternal_getTime": _time,
            "ModelicaInternal_getpid": os.getpid,
            "ModelicaInternal_temporaryFileName": lambda: tempfile.mktemp(),
            "ModelicaStreams_closeFile": lambda _: Outcome(),
            "ModelicaIO_readMatrixSizes": _matrix_sizes,
            "ModelicaIO_readRealMatrix": _matrix,
        }.items()
    },
}
