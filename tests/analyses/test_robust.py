"""Tolerances: what may be written, what is told, and how sure samples are. Physics is in tests/validation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.analyses.robust.sampling import deviation


class Hill(tg.Component):
    """y = 1 - (p - 0.3)^2 + q: the largest value is inside the band of p. x = x0 exp(-t) + row[0] + row[1]."""

    p = tg.parameter(0.0)
    q = tg.parameter(1.0)
    row = tg.parameter([1.0, 2.0])
    z = tg.variable(start=2.0, fixed=True)
    x = tg.variable()
    y = tg.variable()

    def equations(self) -> Any:
        yield self.y == self.q - (self.p - 0.3) ** 2
        yield tg.der(self.z) == -self.z
        yield self.x == self.z + self.row[0] + self.row[1]


Y, X = tg.final("y"), tg.final("x")
ASKED: dict[str, Any] = {"stop": 1.0, "points": 10, "executor": "serial"}


def test_search_finds_what_no_corner_shows() -> None:
    tolerances = {"p": 0.5, "q": 0.1}
    with pytest.warns(UserWarning, match="beyond the worst case of the corners"):
        corner = tg.robustness(Hill(), of=Y, tolerances=tolerances, samples=64, **ASKED).worst[Y.text]
    assert corner.high.value == pytest.approx(1.1 - 0.2**2)
    searched = tg.robustness(Hill(), of=Y, tolerances=tolerances, samples=8, worst="search", **ASKED).worst[Y.text]
    assert searched.high.value == pytest.approx(1.1, abs=1e-6)
    assert searched.high.at == pytest.approx({"p": 0.3, "q": 1.1}, abs=1e-3)
    assert searched.low.value == pytest.approx(0.9 - 0.8**2, abs=1e-6)
    assert tg.robustness(Hill(), of=Y, tolerances=tolerances, worst=None, **ASKED).worst == {}


def test_arrays_and_start_values() -> None:
    """Elements of an array scatter by themselves; a start value has a tolerance like a parameter."""
    found = tg.robustness(
        Hill(),
        of=X,
        tolerances={"row": "10 %", "z": "±50 %"},
        initial={"z": 4.0},
        samples=64,
        sampling="latin_hypercube",
        **ASKED,
    )
    table = found.contributions(X)
    assert list(table.index) == ["z", "row[1]", "row[0]"]
    assert list(table["tolerance"]) == pytest.approx([2.0, 0.2, 0.1])
    parts = np.array([2.0 * np.exp(-1.0), 0.2, 0.1]) ** 2 / 3.0
    assert list(table["variance"]) == pytest.approx(parts, rel=1e-6)
    assert found.samples is not None
    assert found.samples.sigma[X.text].value == pytest.approx(np.sqrt(parts.sum()), rel=0.1)
    assert found.worst[X.text].high.value == pytest.approx(6.0 * np.exp(-1.0) + 3.3, rel=1e-6)


def test_nominal_values_are_those_of_the_run() -> None:
    found = tg.robustness(Hill(), of=Y, tolerances={"q": "10 %"}, parameters={"q": 5.0}, samples=8, **ASKED)
    assert found.nominal[Y.text] == pytest.approx(5.0 - 0.09)
    assert found.sigma[Y.text] == pytest.approx(0.5 / np.sqrt(3.0))
    assert found.samples is not None
    assert abs(found.samples.study["q"].values - 5.0).max() <= 0.5


@pytest.mark.parametrize("draw", ["uniform", "standard_normal", "exponential"])
def test_intervals_of_deviations_hold_as_often_as_they_say(draw: str) -> None:
    """Of 1000 intervals of 95 % about 950 hold; a skewed distribution (kurtosis 9) costs some of them."""
    rng = np.random.default_rng(3)
    exact = {"uniform": np.sqrt(1.0 / 12.0)}.get(draw, 1.0)
    found = [deviation(getattr(rng, draw)(size=200)) for _ in range(1000)]
    held = np.mean([each.low < exact < each.high for each in found])
    assert (0.89 if draw == "exponential" else 0.93) < held < 0.98


def test_failed_samples_count_against_the_yield() -> None:
    """The level is never reached by part of the samples; a number that does not exist keeps no limit."""
    reached = tg.time_when("y > 0.99")

    class Rises(tg.Component):
        top = tg.parameter(1.0)
        y = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.y) == self.top - self.y

    asked: dict[str, Any] = {"tolerances": {"top": 0.1}, "executor": "serial", "samples": 60}
    with pytest.warns(UserWarning, match="corner of the tolerances failed"):
        found = tg.robustness(Rises(), 6.0, of=reached <= 6.0, **asked)
    assert found.samples is not None
    share = found.sampled_yield()[(reached <= 6.0).text]
    good = np.isfinite(found.samples.study[reached.text].values).mean()
    assert share.value == pytest.approx(good)
    assert 0.3 < good < 0.7
    assert found.worst[reached.text].failed


def test_joint_yield_of_several_numbers() -> None:
    """Two numbers with nothing in common: probabilities multiply. Drawn: 0.002."""
    found = tg.robustness(
        Hill(), of=[Y <= 0.96, X >= 3.7], tolerances={"q": 0.15, "row": 0.3}, distribution="normal", **ASKED
    )
    one, two, both = found.first_order_yield().values()
    assert both == pytest.approx(one * two, abs=4e-3)
    assert 0.5 < both < 0.9


def test_slope_of_sigma() -> None:
    """Against differences of sigma: second derivatives of a curved number by a design variable that scatters too."""
    from tellegen.analyses.performance.response import Response
    from tellegen.analyses.robust.sigma import TolerancedModel
    from tellegen.analyses.robust.tolerances import read_tolerances

    class Curved(tg.Component):
        a = tg.parameter(2.0)
        b = tg.parameter(3.0)
        bound = tg.parameter(0.5 * a)
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == tg.sin(self.a * self.x) - self.b * self.bound * self.x

    f = tg.final("x") + tg.integral("x**2")
    made = TolerancedModel(Curved(), ["a", "b", "bound", "x"])
    made.tolerances = read_tolerances(made, {"b": 0.2, "bound": "20 %", "x": "5 %"}, made.request(1.0))

    def value(a: float) -> Any:
        request = made.request(1.0, rtol=1e-10, points=200, parameters={"a": a})
        return tg.sigma(f).evaluate(Response(made.run(request)))

    h = 1e-3
    quotient = (value(2.0 + h).value - value(2.0 - h).value) / (2.0 * h)
    assert value(2.0).slope[0] == pytest.approx(quotient, rel=1e-5)


def test_table_and_plots(tmp_path: Any) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    found = tg.robustness(Hill(), of=[Y >= 0.8, X], tolerances={"q": "5 %", "row": 0.1}, samples=20, **ASKED)
    text = str(found)
    assert "variance of final(y): q 100.0%" in text
    assert "yield, final(y) >= 0.8" in text
    assert list(found.to_pandas().index) == [Y.text, X.text]
    found.plot(Y).savefig(tmp_path / "y.png", dpi=150)
    bought = tg.allocate_tolerances(Hill(), 1.0, keep=[X <= 4.0], prices={"row": ("0.1", 1.0), "q": ("5 %", 1.0)})
    assert bought.costs["row[0]"] == pytest.approx(bought.costs["row[1]"], rel=1e-5)
    assert bought.costs["q"] == pytest.approx(0.1)  # it does not matter: as wide as its price is believed
    assert "of the margin used" in str(bought)
    bought.plot().savefig(tmp_path / "bought.png", dpi=150)
    assert all((tmp_path / name).stat().st_size > 5000 for name in ("y.png", "bought.png"))
    with pytest.raises(tg.DesignError, match="name one of them"):
        found.contributions()


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("E650", {"tolerances": {}}),
        ("E650", {"tolerances": {"q": "much"}}),
        ("E651", {"correlation": {("q", "w"): 0.5}}),
        ("E651", {"correlation": {("q", "p"): 1.5}, "distribution": "normal"}),
        ("E652", {"of": []}),
        ("E653", {"of": tg.time_when("y > 100")}),
        ("E654", {"samples": 3}),
        ("E654", {"samples": 10, "sampling": "sobol"}),
        ("computed from 'q'", {"tolerances": {"q": "5 %", "double": "5 %"}}),
        ("E645", {"tolerances": {"n": "5 %"}}),
    ],
)
def test_mistakes(code: str, asked: dict[str, Any]) -> None:
    class Whole(Hill):
        n = tg.integer(start=2)
        double = tg.parameter(2.0 * Hill.q)
        w = tg.variable()

        def equations(self) -> Any:
            yield self.n == tg.pre(self.n)
            yield self.w == self.double

    given: dict[str, Any] = {"of": Y, "tolerances": {"q": "5 %", "p": 0.1}, **ASKED, **asked}
    with pytest.raises(tg.TellegenError, match=code):
        tg.robustness(Whole(), **given)


def test_mistakes_of_prices() -> None:
    keep = [X <= 4.0]
    for code, asked in {
        "E656": {"keep": keep, "prices": {"row": ("1 %", -2.0)}},
        "E657": {"keep": [X <= 1.0], "prices": {"row": ("1 %", 2.0)}},
        "E658": {"keep": [X <= 4.0], "prices": {"row": {"80 %": 1.0, "90 %": 0.9}}},
    }.items():
        with pytest.raises(tg.DesignError, match=code):
            tg.allocate_tolerances(Hill(), 1.0, **asked)
    with pytest.raises(tg.DesignError, match="all must be of one kind"):
        tg.allocate_tolerances(Hill(), 1.0, keep=keep, prices={"row": ("1 %", 2.0), "q": {"1 %": 1.0}})
