"""Runs that a script makes: those of `simulate`, and those that optima, fronts and comparisons hold."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.start.records import dataclass

OURS = str(Path(tg.__file__).parent)
MOST = 200
"""More runs than somebody looks at one by one; those after them are counted."""
HOLDING = ("optimize", "robust_optimize", "pareto", "calibrate", "compare", "sensitivity", "gradient")
"""Functions whose results hold runs."""
TOLD = ("parameters", "initial", "solver", "rtol", "atol", "start")
"""What is said of a run besides its model and stop time."""
LONGEST = 90


@dataclass(frozen=True)
class Row:
    """A run: where the script asked for it, and how it is had."""

    label: str
    line: int
    holder: Any
    """What has it as `solution`; it may be made only once it is asked for."""


@dataclass(frozen=True)
class _Made:
    """A run that is there."""

    solution: Any


class MadeRuns:
    """The runs of one script, in order."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.rows: list[Row] = []
        self.more = 0
        """Runs that are not kept."""

    def solution(self, number: int) -> Any:
        """One of them; None where there is none of that number."""
        return self.rows[number].holder.solution if 0 <= number < len(self.rows) else None

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """While this lasts, runs that the user's code asks for are kept."""
        owners: list[tuple[Any, str]] = [(tg, "simulate"), (tg.CompiledModel, "simulate")]
        owners += [(tg, name) for name in HOLDING]
        before = [(owner, name, getattr(owner, name)) for owner, name in owners]
        for owner, name, function in before:
            setattr(owner, name, self._watching(function, of_model=owner is tg.CompiledModel))
        try:
            yield
        finally:
            for owner, name, function in before:
                setattr(owner, name, function)

    def _watching(self, function: Callable[..., Any], of_model: bool) -> Callable[..., Any]:
        """The function, which notes what it returns; what Tellegen itself calls is a detail of something else."""

        @wraps(function)
        def call(*given: Any, **options: Any) -> Any:
            found = function(*given, **options)
            frame = sys._getframe(1)
            if not frame.f_code.co_filename.startswith(OURS):
                words = _given(given[1:], options) if of_model or function.__name__ == "simulate" else ""
                self._note(function.__name__, found, words, self._line(frame))
            return found

        return call

    def _line(self, frame: Any) -> int:
        """The line of the script that led there."""
        while frame is not None and frame.f_code.co_filename != self._file:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else 0

    def _note(self, name: str, found: Any, words: str, line: int) -> None:
        if isinstance(found, tg.Solution):
            self._add(Row(f"{found.name} {words}".strip(), line, _Made(found)))
            return
        several: Iterable[Any] = found if isinstance(found, Sequence) else getattr(found, "models", ())
        for each in (found, *several):
            if _holds_run(each):
                self._add(Row(f"{name}: {_title(each)}", line, each))

    def _add(self, row: Row) -> None:
        if len(self.rows) < MOST:
            self.rows.append(row)
        else:
            self.more += 1


def _holds_run(found: Any) -> bool:
    """Whether a result has a run; it may be made only once it is asked for."""
    kind = type(found)
    return hasattr(kind, "solution") or getattr(found, "__dict__", {}).get("solution") is not None


def _title(found: Any) -> str:
    """What stands above the table that it is printed as."""
    name = getattr(found, "name", "")
    return _short(name if isinstance(name, str) and name else str(found).partition("\n")[0])


def _given(given: tuple[Any, ...], options: dict[str, Any]) -> str:
    stop = options.get("stop", given[0] if given else None)
    until = "" if stop is None else f"until {stop if isinstance(stop, str) else f'{stop:.6g} s'}"
    told = [f"{name} = {_value(options[name])}" for name in TOLD if options.get(name)]
    return _short(", ".join(filter(None, [until, *told])))


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{path}: {_value(one)}" for path, one in value.items())
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST else f"{flat[: LONGEST - 1]}…"
