"""Points that a plot shows: in every column of pixels the same heights as by all points."""

from __future__ import annotations

import numpy as np

from tellegen.studio.worker.thin_out import points_to_show

COLUMNS = 300


def heights(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and the highest place of a polyline in each column, its ways across the borders included."""
    borders = np.linspace(times[0], times[-1], COLUMNS + 1)
    at_borders = np.interp(borders, times, values)
    column = np.minimum(((times - times[0]) / (times[-1] - times[0]) * COLUMNS).astype(int), COLUMNS - 1)
    low = np.minimum(at_borders[:-1], at_borders[1:])
    high = np.maximum(at_borders[:-1], at_borders[1:])
    np.minimum.at(low, column, values)
    np.maximum.at(high, column, values)
    return low, high


def test_lines_cover_the_same_pixels() -> None:
    random = np.random.default_rng(7)
    times = np.sort(random.uniform(0.0, 3.0, 20_000)) ** 2  # dense at the beginning, columns without points at the end
    curves = [np.sin(40 * times), np.cumsum(random.normal(size=len(times))), np.round(np.sin(900 * times), 1)]
    shown = points_to_show(times, curves, COLUMNS)
    assert shown is not None
    assert len(shown) < 0.4 * len(times)
    assert shown[0] == 0
    assert shown[-1] == len(times) - 1
    for values in curves:
        np.testing.assert_allclose(heights(times[shown], values[shown]), heights(times, values), rtol=0, atol=1e-12)


def test_steps_gaps_and_few_points() -> None:
    times = np.repeat(np.linspace(0.0, 1.0, 2000), 2)  # both sides of events
    step = np.where(np.arange(4000) % 2, 1.0, -1.0)
    shown = points_to_show(times, [step], COLUMNS)
    assert shown is not None
    np.testing.assert_array_equal(heights(times[shown], step[shown]), heights(times, step))
    gap = np.where(times < 0.5, np.nan, times)
    kept = points_to_show(times, [gap], COLUMNS)
    assert kept is not None
    assert np.nanmin(gap[kept]) == np.nanmin(gap)
    assert points_to_show(times[:500], [step[:500]], COLUMNS) is None
    assert points_to_show(np.zeros(4000), [step], COLUMNS) is None, "a run that ended at its start"
    assert points_to_show(times, [step], 0) is None
