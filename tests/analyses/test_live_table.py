"""The live table of a search: at a terminal, after a second, and never in the way."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

import tellegen as tg
from tellegen import live_view as progress
from tellegen.analyses.optimization.single_objective.live_table import LiveTable


class Decay(tg.Component):
    x = tg.variable(start=1.0, fixed=True)
    k = tg.parameter(0.5)

    def equations(self):
        yield tg.der(self.x) == -self.k * self.x


ASKED: dict[str, Any] = {
    "minimize": (tg.final("x") - 0.2) ** 2,
    "variables": {"k": (0.1, 5.0)},
    "subject_to": [tg.mean("x") <= 0.6],
    "stop": 1.0,
}


def terminal(monkeypatch: pytest.MonkeyPatch, is_one: bool) -> io.StringIO:
    """A screen to write to, and no patience."""
    screen = io.StringIO()
    monkeypatch.setattr("rich.console.Console", lambda **_: Console(file=screen, force_terminal=is_one, width=100))
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(progress, "_REFRESH_SECONDS", 0.0)
    monkeypatch.delenv("TELLEGEN_PROGRESS", raising=False)
    return screen


def test_it_is_there_while_a_search_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch, True)
    best = tg.optimize(Decay(), **ASKED)
    assert best.success
    for part in ("Decay", "objective", "violation", "k", "runs"):
        assert part in screen.getvalue()


def test_it_is_not_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not terminal_text(monkeypatch, is_one=False)
    monkeypatch.setenv("TELLEGEN_PROGRESS", "0")
    screen = io.StringIO()
    monkeypatch.setattr("rich.console.Console", lambda **_: Console(file=screen, force_terminal=True))
    tg.optimize(Decay(), **ASKED)
    assert not screen.getvalue()


def terminal_text(monkeypatch: pytest.MonkeyPatch, is_one: bool) -> str:
    screen = terminal(monkeypatch, is_one)
    tg.optimize(Decay(), **ASKED)
    return screen.getvalue()


def test_it_shows_the_last_runs_and_the_best() -> None:
    best = tg.optimize(Decay(), **ASKED, method="nelder-mead")
    assert best.runs > 12
    table = LiveTable(best.problem).table()
    assert [column.header for column in table.columns] == ["run", "objective", "violation", "k"]
    assert 10 <= table.row_count <= 11
    assert f"{best.runs} runs" in str(table.title)


def test_a_search_over_choices_shows_how_many_are_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch, True)
    lists = {"k": [1.0, 2.0, 3.0]}
    tg.optimize(Decay(), 1.0, minimize=tg.final("x"), choices=lists, combinations="evolution")
    for part in ("Decay", "combinations", "left out", "best so far"):
        assert part in screen.getvalue()
