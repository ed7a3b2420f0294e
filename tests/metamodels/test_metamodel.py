"""Metamodels of whole models: against closed-form solutions, their own error estimates, as components, and mistakes."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import tellegen as tg


class Decay(tg.Component):
    """x' = -k x: x = x0 exp(-k t)."""

    k = tg.parameter(2.0, "1/s")
    x = tg.variable("mV", start=3.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == -self.k * self.x


BOX = {"k": (1.0, 4.0), "x": (1.0, 5.0)}


def decay(method: str, **options: Any) -> Any:
    options = {"samples": 9, "stop": 1.0, "points": 41, "rtol": 1e-8, **options}
    return tg.metamodel(Decay(), ["x"], variables=BOX, method=method, **options)


def exact(t: Any, k: float, x: float) -> Any:
    return x * np.exp(-k * t)


@pytest.mark.parametrize(("method", "allowed"), [("kriging", 1e-3), ("chaos", 1e-3), ("blend", 0.4), ("taylor", 0.05)])
def test_closed_solution(method: str, allowed: float) -> None:
    """Curves, their derivatives (of a parameter and a start value), and errors that tell the size of the true ones."""
    mm = decay(method)
    t, worst, estimated = mm.time, [], []
    for k, x in ((1.3, 2.0), (2.2, 4.4), (3.6, 1.5), (1.1, 4.9)):
        p = mm({"k": k, "x": x})
        curve = exact(t, k, x)
        worst.append(np.sqrt(np.mean((p["x"] - curve) ** 2) / np.mean(curve**2)))
        estimated.append(p.relative_error("x"))
        if allowed < 1e-2:
            assert np.abs(p["x", "k"] + t * curve).max() < 50 * allowed
            assert np.abs(p["x", "x"] - curve / x).max() < 50 * allowed
    assert max(worst) < allowed
    assert 0.05 < np.linalg.norm(worst) / np.linalg.norm(estimated) < 3.0
    assert mm.compare({"k": 1.3, "x": 2.0})["x"] == pytest.approx(worst[0], rel=1e-3, abs=1e-6)


def test_without_gradients() -> None:
    with_, without = decay("kriging"), decay("kriging", gradients=False)
    assert without.samples.curves["x"].shape[1] == 1
    assert with_.errors["x"] < without.errors["x"] / 3


def test_more_samples_where_the_error_is_largest() -> None:
    """A response that is flat on one side and steep on the other: samples gather at the steep side, errors fall."""

    class Steep(tg.Component):
        a = tg.parameter(0.5)
        y = tg.variable(start=0.0, fixed=True)

        def equations(self):
            yield tg.der(self.y) == tg.exp(8.0 * (self.a - 1.0))

    asked = {"variables": {"a": (0.0, 1.0)}, "stop": 1.0, "points": 5}
    first = tg.metamodel(Steep(), "y", samples=3, **asked)
    better = first.refine(4)
    assert len(better.samples) == 7
    assert len(first.samples) == 3
    new = [design["a"] for design in better.designs[3:]]
    assert sum(a > 0.5 for a in new) >= 3
    assert better.compare({"a": 0.9})["y"] < 0.1 * first.compare({"a": 0.9})["y"]
    enough = tg.metamodel(Steep(), "y", samples=3, refine=20, tolerance=0.02, **asked)
    assert len(enough.samples) < 20
    assert enough.errors["y"] <= 0.02


@pytest.mark.parametrize("method", ["kriging", "chaos", "blend", "taylor"])
def test_component(method: str) -> None:
    """The same curves natively, inside another model, with sensitivities through it."""
    mm = decay(method, samples=5)

    class Used(tg.Component):
        decay = mm.component()
        twice = tg.variable("V")

        def equations(self):
            yield self.twice == 2.0 * self.decay.x

    values = {"k": 1.7, "x": 2.5}
    found = tg.sensitivity(
        Used(), 1.5, wrt=["decay.k"], points=mm.time[1:], rtol=1e-9, parameters={"decay.k": 1.7, "decay.x_start": 2.5}
    )
    p = mm(values)
    assert np.abs(found.solution["decay.x"] - p["x"]).max() < 1e-6
    assert np.abs(found["twice", "decay.k"] - 2e-3 * p["x", "k"]).max() < 1e-6


def test_events_and_several_outputs() -> None:
    """A ball that bounces once: rows behind events are read, positions and speeds are two outputs with their units."""

    class Ball(tg.Component):
        h = tg.variable("m", start=1.0, fixed=True)
        v = tg.variable("m/s", start=0.0, fixed=True)
        e = tg.parameter(0.8)
        n = tg.variable(shape=2)

        def equations(self):
            yield tg.der(self.h) == self.v
            yield tg.der(self.v) == -10.0
            yield self.n == [self.h, 2.0 * self.h]
            yield tg.when(self.h < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)))

    mm = tg.metamodel(Ball(), ["h", "v", "n"], variables={"e": (0.5, 0.9)}, samples=4, stop=0.7, points=36)
    assert mm.outputs == ("h", "v", "n[0]", "n[1]")
    impact = np.sqrt(0.2)
    up = np.clip(mm.time - impact, 0.0, None)
    expected = np.where(up > 0, 0.62 * 10.0 * impact * up - 5.0 * up**2, 1.0 - 5.0 * mm.time**2)
    p = mm({"e": 0.62})
    assert np.abs(p["h"] - expected).max() < 1e-5
    assert np.abs(p["n[1]"] - 2 * expected).max() < 2e-5
    data = p.to_xarray()
    assert data["v"].attrs["units"] == "m/s"
    assert data["v_error"].shape == (36,)


def test_mean_and_spread_over_the_box() -> None:
    """Against the integrals of x0 exp(-k t) over k from 1 to 4 and x0 from 1 to 5."""
    mm = decay("chaos", samples=12)
    mean, spread = mm.moments("x")
    t = mm.time[1:]
    first, second = ((np.exp(-n * t) - np.exp(-4 * n * t)) / (3 * n * t) for n in (1, 2))
    assert np.abs(mean[1:] - 3.0 * first).max() < 1e-3
    assert np.abs(spread[1:] - np.sqrt((9.0 + 4.0 / 3.0) * second - (3.0 * first) ** 2)).max() < 1e-3
    with pytest.raises(tg.DesignError, match="E663"):
        mm.by("kriging").moments("x")


def test_curves_that_do_not_move() -> None:
    """Zero and constant outputs: predicted as they are, without an error and without division by zero."""

    class Still(Decay):
        zero = tg.variable()
        five = tg.variable()

        def equations(self):
            yield self.zero == 0.0
            yield self.five == 5.0

    for method in ("kriging", "chaos", "blend", "taylor"):
        mm = tg.metamodel(Still(), ["zero", "five"], variables=BOX, samples=4, stop=1.0, points=5, method=method)
        p = mm([2.0, 3.0])
        assert np.abs(p["five"] - 5.0).max() < 1e-12
        assert np.abs(p["zero"]).max() == 0.0
        assert p.relative_error("zero") == mm.compare([2.0, 3.0])["zero"] == mm.errors["zero"] == 0.0


def test_kept_on_disk() -> None:
    """A metamodel can be pickled; the copy predicts the same and can be refined."""
    mm = decay("kriging", samples=3)
    copy = pickle.loads(pickle.dumps(mm))
    assert (copy([2.0, 3.0])["x"] == mm([2.0, 3.0])["x"]).all()
    assert len(copy.refine(1).designs) == 4


def test_text_and_pictures(tmp_path: Any) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    mm = decay("chaos")
    assert "Metamodel of Decay: chaos, 9 simulations over k, x" in str(mm)
    mm([2.0, 3.0]).plot().savefig(tmp_path / "p.png")
    assert (tmp_path / "p.png").stat().st_size > 5000
    assert "k = 2" in repr(mm({"k": "2 Hz", "x": "0.003 V"}))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"variables": {}}, "E660: variables is a dict"),
        ({"variables": {"k": 3.0}}, "E660: 'k' needs a lower and an upper bound"),
        ({"variables": {"k": (3.0, 1.0)}}, "E660: the bounds of 'k'"),
        ({"samples": "many"}, "E660: samples is a number"),
        ({"outputs": ["k"]}, "E661: 'k' is a parameter"),
        ({"outputs": []}, "E661: outputs names nothing"),
        ({"method": "krigging"}, "E662: 'krigging' is not a method"),
        ({"method": "blend", "gradients": False}, "E662: 'blend' needs gradients"),
        ({"method": "chaos", "degree": 9}, "E662: a polynomial of degree 9 has 55 coefficients"),
        ({"degree": 2}, "E662: degree=2 is for"),
        ({"stop": None}, "E181"),
        ({"rotl": 1e-3}, "E173"),
    ],
)
def test_mistakes_when_it_is_made(change: dict[str, Any], text: str) -> None:
    asked = {"outputs": ["x"], "variables": BOX, "stop": 1.0, "points": 5, "samples": 3, **change}
    with pytest.raises(tg.TellegenError) as found:
        tg.metamodel(Decay(), **asked)
    assert text in str(found.value)


def test_mistakes_when_it_is_asked() -> None:
    mm = decay("kriging", samples=3, points=5)
    for values, text in (
        ({"k": 2.0}, "'x' has no value"),
        ({"k": 2.0, "x": 3.0, "y": 1.0}, "'y' is not a variable"),
        ({"k": 5.0, "x": 3.0}, "outside the bounds of the metamodel, from 1 to 4"),
        ([2.0], "has 2 values"),
    ):
        with pytest.raises(tg.DesignError, match="E660") as found:
            mm(values)
        assert text in str(found.value)
    with pytest.raises(tg.DesignError, match="E663"):
        mm([2.0, 3.0])["y"]
    with pytest.raises(tg.DesignError, match="E663"):
        mm([2.0, 3.0])["x", "q"]
    with pytest.raises(tg.DesignError, match="E663"):
        mm.each([2.0, 3.0])


def test_a_run_that_ends_early_is_refused() -> None:
    class Ends(Decay):
        def equations(self):
            yield tg.when(self.x < 0.002, tg.terminate("low"))

    with pytest.raises(tg.DesignError, match="E661"):
        tg.metamodel(Ends(), "x", variables={"k": (1.0, 4.0)}, samples=2, stop=1.0)
