"""Paths with indices from the end and slices, for arrays of variables, of components, and lists of components."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg


class Cell(tg.Component):
    T = tg.variable("K", start=300.0, fixed=True)
    v = tg.variable(shape=3)
    tau = tg.parameter(1.0, "s")

    def equations(self):
        yield self.tau * tg.der(self.T) == -self.T
        for k in range(3):
            yield self.v[k] == k + self.T / 300


class Other(Cell):
    """Another class of the same members."""

    w = tg.variable(start=0.0)

    def equations(self):
        yield tg.der(self.w) == 1.0


class Pack(tg.Component):
    """Six cells as an array; four in a list, the last of them of another class."""

    c = Cell.array(6)

    def build(self):
        self.r = [Cell(tau=1.0 + k) for k in range(3)] + [Other(tau=9.0)]


@pytest.fixture(scope="module")
def solution() -> tg.Solution:
    taus = {f"c[{k}].tau": 1.0 + k for k in range(6)}
    return tg.simulate(Pack(), 1.0, points=3, parameters=taus)


@pytest.mark.parametrize(
    ("path", "same"),
    [
        ("c[-1].T", "c[5].T"),
        ("c[-6].tau", "c[0].tau"),
        ("der(c[-2].T)", "der(c[4].T)"),
        ("c[1].v[-1]", "c[1].v[2]"),
        ("r[-1].T", "r[3].T"),
        ("r[-2].v[-3]", "r[2].v[0]"),
    ],
)
def test_from_the_end(solution: tg.Solution, path: str, same: str) -> None:
    np.testing.assert_array_equal(solution[path], solution[same])


def test_slices(solution: tg.Solution) -> None:
    whole = solution["c.T"]
    assert whole.shape == (3, 6)
    np.testing.assert_array_equal(solution["c[2:5].T"], whole[:, 2:5])
    np.testing.assert_array_equal(solution["c[:].T"], whole)
    np.testing.assert_array_equal(solution["c[::2].T"], whole[:, ::2])
    np.testing.assert_array_equal(solution["c[-2:].T"], whole[:, -2:])
    np.testing.assert_array_equal(solution["c[:2].v[1:]"], solution["c.v"][:, :2, 1:])
    np.testing.assert_array_equal(solution["c[4].v[:]"], solution["c[4].v"])
    np.testing.assert_array_equal(solution["c[1:3].tau"], [2.0, 3.0])


def test_slices_of_lists_of_one_class(solution: tg.Solution) -> None:
    np.testing.assert_array_equal(solution["r[1:3].T"], np.stack([solution["r[1].T"], solution["r[2].T"]], axis=1))


@pytest.mark.parametrize(
    "path", ["c[6].T", "c[-7].T", "c[6:].T", "c[a].T", "c[1:2:0].T", "c[1][2].T", "r[4].T", "r[:].T"]
)
def test_what_is_not_there(solution: tg.Solution, path: str) -> None:
    """r[:] mixes classes: there is no one array of it."""
    with pytest.raises(tg.LanguageError, match="E100"):
        solution[path]


def test_values_for_a_slice() -> None:
    run = tg.simulate(Pack(), 1.0, points=2, initial={"c[:2].T": [280.0, 290.0]}, parameters={"c[-1].tau": 3.0})
    np.testing.assert_allclose(run["c.T"][0], [280.0, 290.0, 300.0, 300.0, 300.0, 300.0])
    assert run["c[5].tau"] == 3.0


def test_arrays_of_components_are_dimensions(solution: tg.Solution) -> None:
    pytest.importorskip("xarray")
    data = solution.to_xarray()
    assert data["c.T"].dims == ("time", "c")
    assert data["c.v"].dims == ("time", "c", "c.v_0")
    assert data["r[3].T"].dims == ("time",)
    np.testing.assert_array_equal(data["c.T"].isel(c=-1), solution["c[5].T"])
    assert solution.to_xarray("c[1:3].T", "c.T")["c[1:3].T"].shape == (3, 2)
