"""A study on disk while it runs: one SQLite file, to which the runs of a second are added in one transaction.

A transaction waits for the disk, about as long as a small run takes; so runs are collected, and a timer writes them
whether or not more are added. Whatever ends the program, the file holds all runs but those of the last second; the same
study continues from there. A mark of the model, the runs and the outputs says whether it is the same.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterable
from contextlib import ExitStack, closing
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from tellegen.analyses.studies.function_content import content
from tellegen.analyses.studies.jobs import DIED, Ran, Task
from tellegen.engine.request.run_request import RunRequest
from tellegen.errors import DesignError, warn_user
from tellegen.ir.expressions.expr import Apply, Lookup
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.show.flat_model import show_flat
from tellegen.ir.source_location import here

_OURS = 0x7E11E6E4
_COLLECT_SECONDS = 1.0  # the most that a killed program loses
_TABLES = f"""
pragma application_id = {_OURS};
create table if not exists study (part text primary key, mark text);
create table if not exists runs (
    number integer primary key, code text, reason text, reached real, seconds real, shapes text, numbers blob
);
"""


class Kept:
    """The file of a study."""

    def __init__(self, path: str | PathLike[str], marks: dict[str, str]) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()  # of all below, which the timer's thread uses too
        self._collected: list[Ran] = []
        self._timer: threading.Timer | None = None
        self._failure: sqlite3.Error | None = None
        location = here()
        if not self.path.resolve().parent.is_dir():
            advice = f"create it first: mkdir -p '{self.path.parent}'"
            raise DesignError("E607", f"there is no folder '{self.path.parent}'", location=location, advice=advice)
        try:
            self._base = sqlite3.connect(self.path, check_same_thread=False)
            with ExitStack() as on_failure:
                on_failure.callback(self._base.close)
                found = self._opened()
                on_failure.pop_all()
        except sqlite3.Error as error:
            what = f"'{self.path}' cannot be used to save a study: {error}"
            raise DesignError(
                "E607", what, location=location, advice="give another file: save='drive.study'"
            ) from error
        changed = [part for part, mark in marks.items() if found.get(part, mark) != mark]
        if changed:
            self._base.close()
            what = f"'{self.path}' holds another study, with another value of: {', '.join(changed)}"
            advice = (
                "to start again, delete the file or give another one; to resume, use the arguments it was started with"
            )
            raise DesignError("E607", what, location=location, advice=advice)
        with self._base:
            self._base.executemany("insert or ignore into study values (?, ?)", marks.items())

    def _opened(self) -> dict[str, str]:
        """The marks in the file; a new file is made ours, a data base of somebody else is left alone."""
        (owner,), (tables,) = (
            self._base.execute(text).fetchone()
            for text in ("pragma application_id", "select count(*) from sqlite_master")
        )
        if tables and owner != _OURS:
            raise sqlite3.Error("it is a database of another program")
        self._base.executescript(_TABLES)
        return dict(self._base.execute("select part, mark from study"))

    def __enter__(self) -> Kept:
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._write()
        with self._lock:
            self._base.close()
        if self._failure is not None:
            warn_user(f"{len(self._collected)} runs could not be saved in '{self.path}': {self._failure}")

    def read(self) -> Iterable[Ran]:
        """What is done. Runs whose process died are tried again: perhaps there was no memory."""
        with closing(self._base.execute("select * from runs where code <> ?", (DIED,))) as rows:
            for number, code, reason, reached, seconds, shapes, blob in rows:
                values = _taken_apart(json.loads(shapes), np.frombuffer(blob, float))
                yield Ran(number, code, reason, _number(reached), _number(seconds), values)

    def add(self, ran: Iterable[Ran]) -> None:
        """Some more, written at the latest when the timer has expired."""
        with self._lock:
            self._collected += ran
            if self._collected and self._timer is None:
                self._timer = threading.Timer(_COLLECT_SECONDS, self._write)
                self._timer.daemon = True
                self._timer.start()

    def _write(self) -> None:
        """All that was collected, in one transaction; what cannot be written now (a full disk) is tried again later."""
        with self._lock:
            self._timer = None
            rows = [
                (one.number, one.code, one.reason, one.reached, one.seconds, *_joined(one.values))
                for one in self._collected
            ]
            try:
                with self._base:
                    self._base.executemany("insert or replace into runs values (?, ?, ?, ?, ?, ?, ?)", rows)
            except sqlite3.Error as error:
                self._failure = error
                return
            self._failure = None
            self._collected.clear()


def marks(task: Task, numbers: FloatArray) -> dict[str, str]:
    """What makes a study that one: a mark for each part, so that a change can be reported."""
    flat = task.compiled.flat
    text = "\n".join(line for line in show_flat(flat).splitlines() if not line.lstrip().startswith("#"))
    columns = [flat.parameters.column("value"), flat.variables.column("start"), flat.variables.column("fixed")]
    outputs = [(one.name, one.how, one.path, content(one.function)) for one in task.outputs]
    request = task.request
    options = replace(request.options, points=2)  # the points themselves are in the grid
    return {
        "model": _mark(text, *(column.tobytes() for column in columns), _outside(flat)),
        "varied values": _mark(task.paths, numbers.tobytes()),
        "outputs": _mark(outputs),
        "options of the runs": _mark(options, task.grid.tobytes()),
        "other parameters and start values": _mark(request.parameters, *_start(request)),
    }


def _outside(flat: FlatModel) -> list[Any]:
    """What a model calls and reads, of which its text has the names alone: external functions and tables."""
    whole = (flat.equations, flat.initial_equations, flat.whens, flat.assertions, flat.invariants)
    groups = (group for part in (*whole, flat.parameter_bindings, flat.start_bindings) for group in part)
    nodes = dict.fromkeys(node for group in groups for node in group.template.nodes)
    called = dict.fromkeys(node.function for node in nodes if isinstance(node, Apply))
    read = dict.fromkeys(node.table.stamp for node in nodes if isinstance(node, Lookup))
    return [*((each.name, content(each.callable)) for each in called), *read]


def _start(request: RunRequest) -> list[Any]:
    """Where the runs begin."""
    state = request.run_state
    return [request.initial] if state is None else [state.t, state.unknowns.tobytes(), state.p.tobytes()]


def _mark(*parts: Any) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else repr(part).encode())
    return digest.hexdigest()


def _number(value: float | None) -> float:
    return np.nan if value is None else value  # SQLite has no nan


def _joined(values: tuple[FloatArray | None, ...]) -> tuple[str, bytes]:
    shapes = [None if value is None else list(value.shape) for value in values]
    return json.dumps(shapes), b"".join(np.ascontiguousarray(v, float).tobytes() for v in values if v is not None)


def _taken_apart(shapes: list[list[int] | None], numbers: FloatArray) -> tuple[FloatArray | None, ...]:
    out: list[FloatArray | None] = []
    at = 0
    for shape in shapes:
        if shape is None:
            out.append(None)
            continue
        size = int(np.prod(shape))
        out.append(numbers[at : at + size].reshape(shape))
        at += size
    return tuple(out)
