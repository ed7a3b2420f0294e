"""Tables of Modelica: all kinds of interpolation and extrapolation, files, and time tables with events."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import Akima1DInterpolator, PchipInterpolator
from scipy.io import savemat

from tellegen.frontends.modelica.evaluation.external import tables, time_tables
from tellegen.frontends.modelica.evaluation.external.interpolation import Extrapolation, Smoothness, pieces
from tellegen.frontends.modelica.store.store import Store
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import EnumerationValue, ExternalObject, Scalar
from tellegen.ir.expressions.expr import Expr, Slot
from tellegen.ir.expressions.table import Table
from tellegen.symbolic.evaluate import evaluate as number_of

STORE = Store([])
POINTS = np.array([[0.0, 1.0], [1.0, 3.0], [2.5, 2.0], [4.0, 2.0], [5.0, -1.0], [7.0, 4.0]])


def enumeration(ordinal: int) -> EnumerationValue:
    return EnumerationValue("Kind", tuple("abcdef"), ordinal)


def table(matrix: np.ndarray, smoothness: int = 1, extrapolation: int = 2, **others: object) -> ExternalObject:
    """What the constructor of a table is given."""
    given = {
        "tableName": "NoName",
        "fileName": "NoName",
        "table": matrix,
        "columns": np.array([2]),
        "smoothness": enumeration(smoothness),
        "extrapolation": enumeration(extrapolation),
        "startTime": 0.0,
        "shiftTime": 0.0,
        "timeEvents": enumeration(1),
        "delimiter": ",",
        "nHeaderLines": 0,
        **others,
    }
    return ExternalObject(None, given)  # type: ignore[arg-type]


def number(value: Scalar, *slots: float) -> float:
    """An expression, with numbers for its slots."""
    return float(number_of(value, dict(enumerate(slots))) if isinstance(value, Expr) else value)  # type: ignore[arg-type]


def curve(smoothness: Smoothness, points: np.ndarray = POINTS) -> Table:
    x, y = points.T
    return Table((x,), pieces(x, y, smoothness, Extrapolation.LAST_TWO_POINTS))


INNER = np.linspace(0.0, 7.0, 141)


def test_straight_lines_and_constant_pieces() -> None:
    x, y = POINTS.T
    assert curve(Smoothness.LINEAR)(INNER) == pytest.approx(np.interp(INNER, x, y), abs=1e-14)
    steps = y[np.searchsorted(x, INNER, side="right") - 1]
    assert curve(Smoothness.CONSTANT)(INNER) == pytest.approx(steps)


@pytest.mark.parametrize(("smoothness", "method"), [(Smoothness.AKIMA, "akima"), (Smoothness.MODIFIED_AKIMA, "makima")])
def test_akima_as_scipy(smoothness: Smoothness, method: Any) -> None:
    x, y = POINTS.T
    expected = Akima1DInterpolator(x, y, method=method)(INNER)
    assert curve(smoothness)(INNER) == pytest.approx(expected, abs=1e-12)


def test_fritsch_butland_as_scipy_between_the_outermost_segments() -> None:
    x, y = POINTS.T
    inner = INNER[(x[1] <= INNER) & (x[-2] >= INNER)]  # SciPy has other slopes at the ends
    assert curve(Smoothness.FRITSCH_BUTLAND)(inner) == pytest.approx(PchipInterpolator(x, y)(inner), abs=1e-12)


@pytest.mark.parametrize("smoothness", [Smoothness.FRITSCH_BUTLAND, Smoothness.STEFFEN])
def test_monotone_curves(smoothness: Smoothness) -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        x = np.cumsum(rng.uniform(0.1, 2.0, 8))
        y = np.cumsum(rng.uniform(0.0, 1.0, 8) ** 3)
        values = curve(smoothness, np.column_stack([x, y]))(np.linspace(x[0], x[-1], 400))
        assert (np.diff(values) >= -1e-12).all()


@pytest.mark.parametrize("smoothness", [s for s in Smoothness if s is not Smoothness.CONSTANT])
def test_values_and_slopes_meet(smoothness: Smoothness) -> None:
    x, y = POINTS.T
    found = curve(smoothness)
    for side in (-1e-9, 1e-9):
        assert found(x + side) == pytest.approx(y, abs=1e-7)
    if smoothness is not Smoothness.LINEAR:
        slope = found.slope(0)
        assert slope(x - 1e-9) == pytest.approx(slope(x + 1e-9), abs=1e-6)


def test_outside_of_the_points() -> None:
    u = Slot(0)
    hold = tables.value_1d(STORE, table(POINTS, 1, 1), 1, u)
    extend = tables.value_1d(STORE, table(POINTS, 1, 2), 1, u)
    periodic = tables.value_1d(STORE, table(POINTS, 1, 3), 1, u)
    none = tables.value_1d(STORE, table(POINTS, 1, 4), 1, u)
    assert [number(hold, at) for at in (-3.0, 9.0)] == [1.0, 4.0]
    assert [number(extend, at) for at in (-3.0, 9.0)] == pytest.approx([1.0 - 6.0, 4.0 + 5.0])
    assert [number(periodic, at) for at in (7.0, 7.5, 0.5 - 14.0, 21.0)] == pytest.approx([4.0, 2.0, 2.0, 4.0])
    assert np.isnan([number(none, at) for at in (-3.0, 9.0)]).all()
    assert number(none, 0.5) == pytest.approx(2.0)
    assert tables.value_1d(STORE, table(POINTS), 1, 0.5) == pytest.approx(2.0)  # numbers give numbers


def test_the_rate_of_a_value() -> None:
    rate = tables.rate_1d(STORE, table(POINTS), 1, Slot(0), Slot(1))
    assert number(rate, 0.5, 10.0) == pytest.approx(20.0)


def test_one_row_is_a_constant() -> None:
    value = tables.value_1d(STORE, table(np.array([[1.0, 5.0]])), 1, Slot(0))
    assert [number(value, at) for at in (0.0, 3.0)] == [5.0, 5.0]


@pytest.mark.parametrize("smoothness", [1, 3])
def test_two_arguments(smoothness: int) -> None:
    matrix = np.array([[np.nan, 1.0, 2.0, 4.0], [0.0, 1.0, 2.0, 3.0], [10.0, 4.0, 8.0, 6.0]])
    value = tables.value_2d(STORE, table(matrix, smoothness, 1), Slot(0), Slot(1))
    for u1, u2 in product([-1.0, 0.0, 4.0, 12.0], [0.0, 1.5, 3.0, 5.0]):
        if smoothness == 1:
            rows = [np.interp(u2, matrix[0, 1:], row[1:]) for row in matrix[1:]]
            expected = np.interp(u1, matrix[1:, 0], rows)
        else:
            row = 1 + int(u1 >= 10.0)
            expected = matrix[row, 1 + max(0, np.searchsorted(matrix[0, 1:], u2, side="right") - 1)]
        assert number(value, u1, u2) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.array([[0.0, 1.0], [0.0, 2.0]]), "must increase, but 0 follows 0 in row 2"),
        (np.array([[0.0], [1.0]]), "column 2 of a table with 1 columns"),
    ],
)
def test_wrong_points(matrix: np.ndarray, message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        tables.value_1d(STORE, table(matrix), 1, Slot(0))


def written(folder: Path) -> dict[str, Path]:
    """The points in files of all formats."""
    text = folder / "points.txt"
    lines = "\n".join(f"  {x:g}, {y:g};  # a comment" for x, y in POINTS)
    text.write_text(f"#1\n# words\ndouble other(1, 2)\n 8 9\ndouble points(6,2) # more\n{lines}\n", encoding="utf-8")
    separated = folder / "points.csv"
    separated.write_text("x;y\n" + "\n".join(f"{x};{y}" for x, y in POINTS), encoding="utf-8")
    matlab = folder / "points.mat"
    savemat(matlab, {"inner": {"points": POINTS}})
    return {"points": text, "Values": separated, "inner.points": matlab}


def test_files(tmp_path: Path) -> None:
    for name, file in written(tmp_path).items():
        found = table(np.empty((0, 2)), tableName=name, fileName=str(file), delimiter=";", nHeaderLines=1)
        assert tables.value_1d(STORE, found, 1, 6.0) == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#1\ndouble other(1, 2)\n 8 9", "no table 'points'"),
        ("#1\ndouble points(2, 2)\n 8 9 1", "does not have 2 x 2 numbers"),
        ("double points(1, 2)\n 8 9", "first line is not '#1'"),
    ],
)
def test_damaged_files(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "points.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(EvaluationError, match=message):
        tables.value_1d(STORE, table(POINTS, tableName="points", fileName=str(file)), 1, 0.0)


JUMP = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 3.0], [2.0, 4.0], [3.0, 4.0]])


def followed(found: ExternalObject, until: float) -> dict[float, tuple[float, float]]:
    """A simulation of the block: values just before and at each event."""
    values = {}
    t, following = 0.0, number(time_tables.next_time_event(STORE, found, 0.0))
    while following < until:
        before = number(time_tables.value_at_time(STORE, found, 1, following, following, following))
        t = following
        following = number(time_tables.next_time_event(STORE, found, Slot(0)), t)
        assert following > t
        after = number(time_tables.value_at_time(STORE, found, 1, Slot(0), Slot(1), t), t, following)
        values[t] = (before, after)
    return values


def test_time_tables_show_a_jump_at_its_event() -> None:
    assert followed(table(JUMP), 9.0) == {1.0: (1.0, 3.0), 2.0: (4.0, 4.0), 3.0: (4.0, 4.0)}
    discontinuities = followed(table(JUMP, timeEvents=enumeration(2)), 9.0)
    assert discontinuities == {1.0: (1.0, 3.0), 3.0: (4.0, 4.0)}
    looking_ahead = time_tables.value_at_time(STORE, table(JUMP), 1, 1.1, 1.0, 1.0)
    assert looking_ahead == pytest.approx(1.1)  # the line before the jump, extended


def test_constant_segments_of_time() -> None:
    steps = followed(table(JUMP[[0, 1, 3, 4]], 3), 9.0)
    assert steps == {1.0: (0.0, 1.0), 2.0: (1.0, 4.0), 3.0: (4.0, 4.0)}


@pytest.mark.parametrize("smoothness", [1, 2, 3])
def test_periodic_time_tables(smoothness: int) -> None:
    points = np.array([[0.5, 1.0], [1.0, 2.0], [1.5, -1.0], [2.5, 0.0]])
    found = table(points, smoothness, 3, timeEvents=enumeration(3 if smoothness == 2 else 1))
    times, values = points.T
    one_period = Table((times,), pieces(times, values, Smoothness(smoothness), Extrapolation.PERIODIC))
    t = 0.0
    following = number(time_tables.next_time_event(STORE, found, t))
    for _ in range(20):
        for at in np.linspace(t, following, 7)[1:-1]:
            value = number(time_tables.value_at_time(STORE, found, 1, Slot(0), Slot(1), t), at, following)
            assert value == pytest.approx(float(one_period((at - 0.5) % 2.0 + 0.5)), abs=1e-9)
        t = following
        following = number(time_tables.next_time_event(STORE, found, Slot(0)), t)
        assert t < following < t + 2.0 + 1e-9


def test_before_the_start_the_value_is_zero() -> None:
    found = table(POINTS, startTime=2.0, shiftTime=2.0)
    assert time_tables.next_time_event(STORE, found, 0.0) == 2.0
    assert time_tables.value_at_time(STORE, found, 1, 1.9, 2.0, 2.0) == 0.0
    assert time_tables.value_at_time(STORE, found, 1, 2.5, 3.0, 3.0) == pytest.approx(2.0)


def test_random_time_tables_against_the_points() -> None:
    """Between events the values are those of straight lines through the points of that interval."""
    rng = np.random.default_rng(11)
    for _ in range(40):
        count = int(rng.integers(2, 9))
        times = np.cumsum(rng.choice([0.0, 0.25, 1.0], count, p=[0.2, 0.3, 0.5])) + rng.uniform(0, 1)
        times += 1e-3 * np.cumsum(np.concatenate([[0, 0], np.diff(times, 2) == 0])[:count])  # no three at one time
        if len(np.unique(times)) < 2:
            continue
        values = rng.normal(size=count)
        found = table(np.column_stack([times, values]), timeEvents=enumeration(int(rng.integers(1, 3))))
        t = float(times[0])
        while True:
            following = number(time_tables.next_time_event(STORE, found, t))
            end = min(following, float(times[-1]))
            if end <= t:
                break
            inner = rng.uniform(t, end, 3)
            for at in inner:
                row = int(np.searchsorted(times, at)) - 1
                share = (at - times[row]) / (times[row + 1] - times[row])
                expected = values[row] + share * (values[row + 1] - values[row])
                value = number(time_tables.value_at_time(STORE, found, 1, Slot(0), Slot(1), t), at, following)
                assert value == pytest.approx(expected, abs=1e-9)
            t = end
