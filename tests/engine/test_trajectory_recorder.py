"""Rows of output and rows at events in the order of time, however long they are."""

from __future__ import annotations

import numpy as np
import pytest

from tellegen.engine.runs.trajectory_recorder import Track


@pytest.mark.parametrize("length", [3, 1200], ids=["copied", "moved"])
@pytest.mark.parametrize("room", [0, 2, 40])
@pytest.mark.parametrize("marks", [(), (0,), (5, 5), (1, 3, 3, 8, 10), (10, 10)], ids=str)
def test_rows_in_the_order_of_time(length: int, room: int, marks: tuple[int, ...]) -> None:
    times = np.arange(10.0)
    output = np.full((10 + room, length), np.nan)
    output[:10] = times[:, None]
    track = Track(np.zeros(1))
    for mark in marks:
        track.add(mark, mark - 0.5, np.full(length, mark - 0.5))
    merged, rows, history = track.history(times, output)
    assert len(history.segment) == 10 + len(marks)
    assert (np.diff(merged) >= 0.0).all()
    assert (rows == merged[:, None]).all()
