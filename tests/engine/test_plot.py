"""Pictures of a run: display units, other horizontal axes, axes of the user, fields over time."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

import tellegen as tg

mpl.use("Agg")


class Rod(tg.Component):
    """Five cells between two temperatures, and something that turns."""

    T = tg.variable("K", "temperature", shape=5, start=300.0, fixed=True)
    w = tg.variable("rad/s", "speed", start=0.0, fixed=True)
    v = tg.variable("m/s", "speed of the rim")

    def equations(self) -> Any:
        T = self.T
        yield tg.der(T[1:-1]) == 1.0 * (T[2:] - 2 * T[1:-1] + T[:-2])
        yield tg.der(T[0]) == 1.0 * (T[1] - 3 * T[0] + 2 * 350.0)
        yield tg.der(T[-1]) == 1.0 * (T[-2] - 3 * T[-1] + 2 * 300.0)
        yield 2.0 * tg.der(self.w) == 100.0 - self.w
        yield self.v == 0.3 * self.w


@pytest.fixture(scope="module")
def run() -> tg.Solution:
    return tg.simulate(Rod(), 2.0, points=41)


@pytest.fixture(autouse=True)
def _close() -> Any:
    yield
    plt.close("all")


def test_any_quantity_is_read_in_any_unit_of_its_dimension(run: tg.Solution) -> None:
    np.testing.assert_allclose(run["T[0] [degC]"], run["T[0]"] - 273.15)
    np.testing.assert_allclose(run["T [degC]"], run["T"] - 273.15)
    np.testing.assert_allclose(run["w [rpm]"], run["w"] * 30.0 / np.pi)
    np.testing.assert_allclose(run["v [km/h]"], run["v"] * 3.6)
    np.testing.assert_allclose(run["der(w) [rpm/min]"], run["der(w)"] * 60.0 * 30.0 / np.pi)
    np.testing.assert_allclose(run["time [ms]"], run.time * 1e3)
    assert run.unit("v [km/h]") == "km/h"
    assert run.unit("time [h]") == "h"
    assert "w [rpm]" in run
    assert "w [V]" not in run
    assert run.at(1.0)["v [km/h]"] == pytest.approx(3.6 * run.at(1.0)["v"])
    assert list(run.to_pandas("w [rpm]", "T[1] [degC]").attrs["units"].values()) == ["s", "rpm", "degC"]
    assert run.to_xarray("T [degC]")["T"].attrs["units"] == "degC"


@pytest.mark.parametrize("path", ["w [V]", "w [blurb]", "T[0] [s]", "time [m]", "der(w) [rpm]"])
def test_a_unit_that_does_not_fit_is_refused(run: tg.Solution, path: str) -> None:
    with pytest.raises(tg.LanguageError, match="E121"):
        run[path]


def test_a_unit_without_a_space_is_taken_for_an_index_and_the_advice_says_so(run: tg.Solution) -> None:
    with pytest.raises(tg.LanguageError, match=r"after a space: 'v \[km/h\]'"):
        run["v[km/h]"]
    with pytest.raises(tg.LanguageError) as error:
        run["T[99]"]
    assert "space" not in str(error.value)


def test_units_of_the_plot(run: tg.Solution) -> None:
    figure = run.plot("T[0] [degC]", "w [rpm]", x="time [ms]")
    upper, lower = figure.axes
    assert upper.get_ylabel() == "[degC]"
    assert upper.get_title(loc="left") == "T[0]: temperature"
    assert lower.get_ylabel() == "[rpm]"
    assert lower.get_xlabel() == "time [ms]"
    np.testing.assert_allclose(upper.get_lines()[0].get_ydata(), run["T[0]"] - 273.15)
    np.testing.assert_allclose(upper.get_lines()[0].get_xdata(), 1e3 * run.time)


def test_one_quantity_over_another(run: tg.Solution) -> None:
    (axis,) = run.plot("T[0]", "T[4]", x="w [rpm]").axes
    assert axis.get_xlabel() == "w [rpm]"
    for line, name in zip(axis.get_lines(), ("T[0]", "T[4]"), strict=True):
        np.testing.assert_allclose(line.get_xdata(), run["w [rpm]"])
        np.testing.assert_allclose(line.get_ydata(), run[name])
    with pytest.raises(tg.LanguageError, match=r"E197: x='T' is not one curve"):
        run.plot("w", x="T")


def test_events_are_marked_where_they_lie_on_the_axis() -> None:
    class Bent(tg.Component):
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == tg.where(self.x > 0.5, 0.5, 1.0)

    run = tg.simulate(Bent(), 2.0, points=5)
    (axis,) = run.plot("x", x="time [ms]", events=True).axes
    (marks,) = axis.collections
    assert marks.get_segments()[0][:, 0] == pytest.approx([500.0, 500.0])


def test_on_axes_of_the_user(run: tg.Solution) -> None:
    figure, (left, right) = plt.subplots(1, 2)
    assert run.plot("T[0]", "w", axes=[left, right], title="Run 1") is figure
    assert [axis.get_ylabel() for axis in (left, right)] == ["[K]", "[rad/s]"]
    assert left.get_title(loc="left") == "Run 1"
    figure, axis = plt.subplots()
    for speed in ("w", "v"):
        run.plot(speed, axes=axis)
    assert len(axis.get_lines()) == 2
    assert len(plt.get_fignums()) == 2  # none of ours
    run.plot("T[0]", "w", axes=axis)
    assert len(axis.get_lines()) == 4
    with pytest.raises(tg.LanguageError, match="E197: 2 axes for 1 panels"):
        run.plot("w", axes=[left, right])


def test_an_array_as_an_image_over_time(run: tg.Solution) -> None:
    image, bar = run.plot_field("T [degC]", along=[0.1, 0.2, 0.3, 0.4, 0.5], x="time [ms]").axes
    (mesh,) = image.collections
    np.testing.assert_allclose(mesh.get_array(), run["T"].T - 273.15)
    assert mesh.get_coordinates()[0, -1, 0] == pytest.approx(2000.0, rel=0.02)
    assert image.get_ylim() == pytest.approx((0.05, 0.55))
    assert bar.get_ylabel() == "T [degC]"
    assert image.get_xlabel() == "time [ms]"
    _, axis = plt.subplots()
    run.plot_field("T", axes=axis)
    assert axis.get_ylabel() == "index"
    for bad in ({"path": "w"}, {"path": "T", "along": [1.0, 2.0]}, {"path": "T", "along": [5.0, 4.0, 3.0, 2.0, 1.0]}):
        with pytest.raises(tg.LanguageError, match="E197"):
            run.plot_field(**bad)
