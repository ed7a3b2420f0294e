"""Requirements against brute force, the monitor rtamt, closed solutions and differences of runs."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import exp, inf, log, pi, sqrt
from typing import cast
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.optimize import brentq

import tellegen as tg
from tellegen.analyses.requirements.curve import Curve, crossed, higher, highest_within, lower, lowest_within, until

CASES = 500
LENGTH = 40.0


def curve_of(rng: np.random.Generator, length: float, jumps: bool) -> Curve:
    """A random curve of up to a dozen lines."""
    breaks = np.unique(np.concatenate([[0.0, length], rng.uniform(0.0, length, rng.integers(1, 12))]))
    after = rng.normal(size=len(breaks) - 1)
    before = rng.normal(size=len(after)) if jumps else np.append(after[1:], rng.normal())
    return Curve(breaks, after, before, float(rng.normal() if jumps else before[-1]))


def highest_by_hand(curve: Curve, begin: float, end: float) -> float:
    """The largest of all values at ends of lines inside a window, and at its ends."""
    inner = [k for k, t in enumerate(curve.breaks) if begin < t <= end]
    sides = [float(curve.before[k - 1]) for k in inner] + [curve.at(float(curve.breaks[k])) for k in inner]
    return max([curve.at(begin), curve.at(min(end, curve.end)), *sides])


@pytest.mark.parametrize("seed", range(20))
def test_windows_by_hand(seed):
    rng = np.random.default_rng(seed)
    curve = curve_of(rng, 10.0, jumps=seed % 2 == 0)
    begin = rng.uniform(0.0, 3.0)
    end = begin + rng.uniform(0.0, 4.0) if seed % 5 else inf
    found = highest_within(curve, begin, end)
    for t in rng.uniform(0.0, found.end, 40):
        expected = highest_by_hand(curve, t + begin, min(t + end, curve.end))
        assert found.at(t) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_until_by_hand(seed):
    """On a grid of 400 instants of each line: within what a line changes between two of them."""
    rng = np.random.default_rng(seed)
    a, b = crossed(curve_of(rng, 10.0, jumps=seed % 2 == 0), curve_of(rng, 10.0, jumps=seed % 3 == 0))
    found = until(a, b)
    for t in rng.uniform(0.0, 10.0, 5):
        least = a.at(t)
        best = min(least, b.at(t))
        ends = np.append(t, a.breaks[a.breaks > t])
        for first, last in pairwise(ends):
            line = a.line_of(np.array([0.5 * (first + last)]))
            times = np.linspace(first, last, 400)
            lowest = np.minimum(least, np.minimum.accumulate(a.along(line, times)))
            best = max(best, float(np.minimum(lowest, b.along(line, times)).max()))
            least = min(float(lowest[-1]), a.at(last))
            best = max(best, min(least, b.at(last)))
        assert found.at(t) == pytest.approx(best, abs=0.02)


@dataclass(frozen=True)
class Written:
    """A formula as rtamt reads it, how far it looks ahead, and the same in our curves."""

    text: str
    ahead: float
    margin: Callable[[dict[str, Curve]], Curve]


def random_formula(rng: np.random.Generator, depth: int) -> Written:
    """A formula of the signals a and b."""
    kind = rng.choice(["not", "and", "or", "eventually", "always", "until"]) if depth else "condition"
    if kind == "condition":
        name = str(rng.choice(["a", "b"]))
        level = round(rng.uniform(-1.0, 1.0), 3)
        return Written(f"({name} >= {level})", 0.0, lambda s: raised(s[name], -level))
    one = random_formula(rng, depth - 1)
    if kind == "not":
        return Written(f"(not {one.text})", one.ahead, lambda s: -one.margin(s))
    begin = round(rng.uniform(0.0, 2.0), 2)
    end = round(begin + rng.uniform(0.1, 3.0), 2)
    if kind in ("eventually", "always"):
        extreme = highest_within if kind == "eventually" else lowest_within
        text = f"({kind}[{begin},{end}] {one.text})"
        return Written(text, one.ahead + end, lambda s: extreme(one.margin(s), begin, end))
    other = random_formula(rng, depth - 1)
    ahead = max(one.ahead, other.ahead)
    if kind != "until":
        join = lower if kind == "and" else higher
        return Written(f"({one.text} {kind} {other.text})", ahead, lambda s: join(one.margin(s), other.margin(s)))
    text = f"({one.text} until[{begin},{end}] {other.text})"
    return Written(text, ahead + end, lambda s: until_within(one.margin(s), other.margin(s), begin, end))


def raised(curve: Curve, by: float) -> Curve:
    """A curve, so much higher."""
    return Curve(curve.breaks, curve.after + by, curve.before + by, curve.last + by)


def until_within(a: Curve, b: Curve, begin: float, end: float) -> Curve:
    """As formulas.Until joins them."""
    later = highest_within(until(a, b), begin, begin)
    return lower(lower(later, lowest_within(a, 0.0, begin)), highest_within(b, begin, end))


def test_margins_are_those_of_rtamt():
    """rtamt takes signals as constant from sample to sample: so do these curves. All values equal to rounding."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its parser's runtime is of 2017
        rtamt = pytest.importorskip("rtamt", reason="its parser's runtime needs Python before 3.13")
    rng = np.random.default_rng(7)
    for _ in range(CASES // 2):
        written = random_formula(rng, int(rng.integers(1, 4)))
        monitor = rtamt.StlDenseTimeSpecification()
        for name in ("a", "b", "out"):
            monitor.declare_var(name, "float")
        monitor.spec = f"out = {written.text}"
        monitor.parse()  # half of the time of this test: each formula judges two pairs of signals
        for _ in range(2):
            curves: dict[str, Curve] = {}
            samples: list[list[object]] = []
            for name in ("a", "b"):
                inner = rng.uniform(0.0, LENGTH, rng.integers(2, 12)).round(3)
                times = np.unique(np.concatenate([[0.0, LENGTH], inner]))
                values = rng.normal(size=len(times)).round(4)
                curves[name] = Curve(times, values[:-1], values[:-1], float(values[-1]))
                samples.append([name, [[float(t), float(v)] for t, v in zip(times, values, strict=True)]])
            assert written.ahead < LENGTH
            expected = monitor.evaluate(*samples)[0][1]
            assert written.margin(curves).at(0.0) == pytest.approx(expected, abs=1e-12), written.text


class Servo(tg.Component):
    """An oscillation with a closed solution."""

    y = tg.variable("rad", start=0.0, fixed=True)
    v = tg.variable("rad/s", start=0.0, fixed=True)
    w = tg.parameter(5.0)
    d = tg.parameter(0.3)

    def equations(self):
        yield tg.der(self.y) == self.v
        yield tg.der(self.v) == self.w**2 * (1 - self.y) - 2 * self.d * self.w * self.v


class Ball(tg.Component):
    """It bounces at h = 0."""

    h = tg.variable("m", start=1.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    e = tg.parameter(0.8)

    def equations(self):
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.h < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)))


FORMULAS = {
    "turning point": lambda: tg.always("y < 1.2 rad"),
    "of an absolute value": lambda: tg.always("abs(y - 1) < 0.02 rad", after="2 s"),
    "end of the window, in degrees": lambda: tg.within("0.3 s", "y > 50 deg"),
    "kink": lambda: tg.eventually("min(y, 2*v) > 0.2", after="0.6 s"),
    "crossing": lambda: tg.eventually("y < v and v < 3*y", after="50 ms"),
    "until": lambda: tg.until("v > -0.1", "y > 1.4", before="1 s"),
    "implication": lambda: tg.always(tg.implies("y > 1.1", tg.within(1.0, "y < 1.0"))),
    "window in a window": lambda: tg.eventually(tg.always("abs(y - 1) < 0.1", before="0.5 s")),
    "both ends of a window": lambda: tg.eventually(tg.always("y > 0.8", before=0.4), before=1.0),
    "settles": lambda: tg.settles("y", at=1.0, band="5 deg", after="1 s"),
    "not, or": lambda: ~tg.always("y < 1") | tg.rises("y", above=2.0, before=1.0),
}


@pytest.fixture(scope="module")
def servo():
    return tg.compile(Servo())


@pytest.fixture(scope="module")
def found():
    return tg.sensitivity(Servo(), 4.0, wrt=["w", "d"], rtol=1e-9)


@pytest.mark.parametrize("name", FORMULAS)
def test_gradients_are_those_of_differences(servo, found, name):
    requirement = FORMULAS[name]()
    gradient = requirement.gradient(found)
    for path, at, step in (("w", 5.0, 1e-3), ("d", 0.3, 1e-4)):
        sides = [servo.simulate(4.0, rtol=1e-10, parameters={path: at + sign * step}) for sign in (1, -1)]
        difference = (requirement(sides[0]) - requirement(sides[1])) / (2.0 * step)
        assert gradient[path] == pytest.approx(difference, abs=2e-5)


def test_margins_in_closed_form(servo):
    solution = servo.simulate(4.0, rtol=1e-10)
    overshoot = exp(-pi * 0.3 / sqrt(1 - 0.3**2))
    verdict = tg.require(tg.always("y < 1.2"), "calm").verdict(solution)
    assert verdict.margin == pytest.approx(0.2 - overshoot, abs=1e-8)
    assert verdict.at == pytest.approx(pi / (5.0 * sqrt(1 - 0.3**2)), abs=1e-6)
    assert not verdict
    assert str(verdict).startswith("calm: VIOLATED by 0.1723, decided by 'y < 1.2' at t = 0.6586")
    assert tg.always("y < 1.5").verdict(solution)


def test_too_few_points_are_warned_of(servo):
    """A curve between points too far apart is a guess, whoever asks for it."""
    rough = servo.simulate(4.0, points=10, parameters={"w": 40.0})
    calm = tg.always("y < 1.2")
    for asked in (calm, calm.verdict, calm.plot):
        with pytest.warns(UserWarning, match="simulate with more points"):
            asked(rough)


def test_units_of_each_comparison(servo):
    """Several units in one text; the time has one too."""
    solution = servo.simulate(4.0)
    assert tg.always("y < 90 deg and v < 10 rad/s")(solution) == tg.always("y < 1.5707963267948966")(solution)
    assert tg.always("v < 10 rad/s or y < 90 deg")(solution) > 0.0
    assert tg.always("time < 0.1 min")(solution) == pytest.approx(2.0)


def test_both_sides_of_an_event_count():
    """The speed jumps from -v1 to e v1 at the first bounce, v1 = sqrt(2 g)."""
    solution = tg.simulate(Ball(), 1.2, rtol=1e-9)
    fastest = sqrt(2 * 9.81)
    assert tg.always("v > -5")(solution) == pytest.approx(5.0 - fastest, abs=1e-6)
    assert tg.always("v < 4")(solution) == pytest.approx(4.0 - 0.8 * fastest, abs=1e-6)
    found = tg.sensitivity(Ball(), 1.2, wrt=["e", "h"], rtol=1e-9)
    assert tg.always("v < 4").gradient(found)["e"] == pytest.approx(-fastest, abs=1e-5)
    assert tg.always("v > -5").gradient(found)["h"] == pytest.approx(-sqrt(9.81 / 2.0), abs=1e-4)  # -d sqrt(2 g h)


def test_it_is_a_constraint_by_itself():
    limit = tg.always("y < 1.05 rad")
    best = tg.optimize(Servo(), 4.0, variables={"d": (0.1, 1.5)}, minimize=tg.rise_time("y"), subject_to=[limit])
    assert best.parameters["d"] == pytest.approx(0.6901, abs=1e-3)  # exp(-pi d / sqrt(1 - d^2)) = 0.05


def test_a_plot_of_the_margin(servo):
    figure = tg.always("y < 1.2", before="0.5 s").plot(servo.simulate(4.0))
    line = figure.axes[0].lines[0]
    assert line.get_xdata()[-1] == pytest.approx(3.5)
    assert min(line.get_ydata()) == pytest.approx(-0.17233, abs=1e-4)


@pytest.mark.parametrize(
    ("made", "code", "words"),
    [
        (lambda: tg.always("y"), "E670", "neither a comparison"),
        (lambda: tg.always("y == 1"), "E670", "compared by <"),
        (lambda: tg.always("y < 3 kg"), "E670", "'kg' measures something else"),
        (lambda: tg.always("2*y*v < 3 rad"), "E670", "the unit of what it is compared with is not known"),
        (lambda: tg.always("y < "), "E670", "not understood"),
        (lambda: tg.always("y < 1e400"), "E646", "is not arithmetic"),
        (lambda: tg.always(cast(str, 3)), "E670", "a requirement is a string"),
        (lambda: tg.always("y < 1", after=2.0, before=1.0), "E670", "a window from 2 s to 1 s"),
        (lambda: tg.within("9 s", "y > 1"), "E671", "needs the run until t = 9; it is known until 4 only"),
        (lambda: tg.always("z < 1"), "E100", "there is no 'z'"),
    ],
)
def test_mistakes(servo, made, code, words):
    with pytest.raises(tg.TellegenError, match=words) as error:
        made()(servo.simulate(4.0))
    assert error.value.code == code


class Tuned(tg.Component):
    """A controller of five parameters: it is too slow only in a corner that few samples are near."""

    a = tg.parameter(0.5)
    b = tg.parameter(0.5)
    c = tg.parameter(0.5)
    d = tg.parameter(0.5)
    e = tg.parameter(0.5)
    x = tg.variable(start=0.0, fixed=True)

    def equations(self):
        speed = 1.0 + (self.a - 0.9) ** 2 + (self.b - 0.1) ** 2 + (self.c - 0.8) ** 2 + (self.d - 0.2) ** 2
        yield tg.der(self.x) == (speed + (self.e - 0.95) ** 2) * (1.0 - self.x)


def test_a_planted_violation_is_found():
    """Of a million random samples five violate it: all parameters have to be near their worst values."""
    fast = tg.require(tg.eventually("x > 0.6333", before="1 s"), "fast")
    small = tg.require(tg.always("x < 1"), "small")
    over = dict.fromkeys("abcde", (0.0, 1.0))
    found = tg.verify(Tuned(), [fast, small], over=over, stop=1.0, points=50, runs=200)
    assert found.message == "violated: fast"
    assert found.runs < 200
    samples = found.to_pandas()["fast"][:100]
    assert (samples > 0.0).all(), "the samples alone did not find it"
    assert found.solution("fast")["x"][-1] < 0.6333
    assert found.verdict().at == pytest.approx(1.0)
    assert "fast VIOLATED" in " ".join(str(found).split())


def test_reports_of_a_verification(tmp_path):
    calm = tg.require(tg.always("y < 1.2"), "calm <y>")
    found = tg.verify(Servo(), calm, over={"d": (0.2, 0.9)}, stop=2.0, runs=8)
    cases = ElementTree.parse(found.to_junit(tmp_path / "r.xml")).getroot()
    assert cases.attrib["failures"] == "1"
    assert cases[0].attrib["name"] == "calm <y>"
    assert re.match(r"violated by [\d.e-]+ with d = 0\.\d+$", cases[0][0].attrib["message"])
    assert "calm &lt;y&gt;: VIOLATED" in found.to_html(tmp_path / "r.html").read_text()
    assert len(found.plot().axes) == 1
    failing = tg.verify(Grows(), tg.require(tg.always("x < 1e9"), "a\x01b"), over={"a": (0.1, 3.0)}, stop=1.0, runs=8)
    cases = ElementTree.parse(failing.to_junit(tmp_path / "f.xml")).getroot()
    assert cases.attrib["errors"] == "1"
    assert cases[0].attrib["name"] == "a\ufffdb"
    assert "runs failed, the first: E310" in cases[1][0].attrib["message"]


def test_a_table_of_requirements_over_a_study(servo):
    """A requirement is called by its name; margins are those of single runs."""
    asked = [tg.require(tg.always("y < 1.2"), "calm"), tg.require(tg.rises("y", 0.9, "1 s"), "quick")]
    table = tg.study(servo, {"d": [0.2, 0.7]}, outputs=asked, stop=2.0).to_pandas()
    assert {"calm", "quick"} <= set(table.columns)
    for row in table.itertuples():
        run = servo.simulate(2.0, parameters={"d": row.d})
        assert [row.calm, row.quick] == [each(run) for each in asked]


class Grows(tg.Component):
    """It ends at t = 1/a."""

    a = tg.parameter(1.0)
    x = tg.variable(start=1.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == self.a * self.x**2


@pytest.mark.parametrize(
    ("requirements", "over", "words"),
    [
        (["y < 1"], {"d": (0.2, 0.9)}, "is not a requirement"),
        ([], {"d": (0.2, 0.9)}, "needs requirements"),
        ([tg.always("y < 1")] * 2, {"d": (0.2, 0.9)}, "a name of its own"),
        ([tg.always("y < 1")], {}, "something to vary"),
    ],
)
def test_mistakes_of_a_verification(requirements, over, words):
    with pytest.raises(tg.DesignError, match=words):
        tg.verify(Servo(), requirements, over=over, stop=2.0)


def instant(formula: tg.Performance, solution: tg.Solution) -> float:
    """When a requirement is lost in a run."""
    loss = tg.require(formula, "wanted", stop_on_violation=True).lost(solution)  # type: ignore[arg-type]
    assert loss is not None
    return loss.time


def test_a_run_ends_where_a_requirement_is_lost(servo):
    """y = 1 - exp(-d w t) (...) passes 1.2 where SciPy's root of the closed solution is."""
    limit = tg.require(tg.always("y < 1.2 rad"), "calm", stop_on_violation=True)
    run = tg.simulate(servo, 4.0, requirements=[limit], rtol=1e-10)

    def height(t: float) -> float:
        w, d = 5.0, 0.3
        root = w * sqrt(1 - d * d)
        return 1 - exp(-d * w * t) * (np.cos(root * t) + d / sqrt(1 - d * d) * np.sin(root * t)) - 1.2

    assert run.time[-1] == pytest.approx(brentq(height, 0.3, 0.6), abs=1e-8)
    assert run["y"][-1] == pytest.approx(1.2, abs=1e-7)
    assert not run.success
    assert run.outcome.code == "violation"
    assert run.message == "the requirement 'calm' is lost: 'y < 1.2 rad' is violated"
    assert tg.simulate(servo, 4.0, requirements=[tg.require(tg.always("y < 2"), stop_on_violation=True)]).success
    at_once = tg.simulate(servo, 4.0, requirements=tg.require("y > 0.5", "high", stop_on_violation=True))
    assert len(at_once.time) == 1
    with pytest.warns(UserWarning, match="violates a requirement: calm: VIOLATED by 0.17"):
        tg.simulate(servo, 4.0, requirements=[tg.require(tg.always("y < 1.2"), "calm")])
    with pytest.raises(tg.DesignError, match="E670: 'y < 1' is not a requirement"):
        tg.simulate(servo, 4.0, requirements=["y < 1"])
    times = tg.simulate(servo, 4.0, points=[0.1, 0.2, 1.0, 4.0], requirements=[limit]).time
    assert times[:-2] == pytest.approx([0.0, 0.1, 0.2])  # then both sides of the event


def test_a_run_that_is_stopped_is_made_once(servo, monkeypatch):
    """Where the violation is a condition of the instant; a requirement with a memory is judged first, then repeated."""
    whole = servo.simulate(4.0, rtol=1e-10)
    runs: list[tg.CompiledModel] = []
    run = tg.CompiledModel.run

    def counted(self, request, throw=True):
        runs.append(self)
        return run(self, request, throw)

    monkeypatch.setattr(tg.CompiledModel, "run", counted)
    once = (
        tg.always("-1 < y < 1.2"),
        tg.always("not abs(y - 1) > 0.1", after="0.39 s", before="3 s"),
        tg.always("v < 0.5 or y < 0.2"),
        tg.always("v < 7") & tg.always(tg.implies("y > 0.1", "v > 0")),
    )
    for formula in once:
        del runs[:]
        limit = tg.require(formula, "limit", stop_on_violation=True)
        stopped = tg.simulate(servo, 4.0, requirements=[limit], rtol=1e-10)
        loss = limit.lost(whole)
        assert len(runs) == 1
        assert loss is not None
        assert stopped.time[-1] == pytest.approx(loss.time, abs=1e-9)
        assert stopped.message.endswith(loss.text)
    del runs[:]
    waits = tg.require(tg.within("0.1 s", "y > 1"), "quick", stop_on_violation=True)
    assert tg.simulate(servo, 4.0, requirements=[waits]).time[-1] == pytest.approx(0.1)
    assert len(runs) == 2


def test_when_formulas_of_all_kinds_are_lost(servo):
    """Windows that close, what was waited for in vain, and conditions that came in between."""
    run = servo.simulate(4.0, rtol=1e-10)
    passes = {level: instant(tg.always(f"y < {level}"), run) for level in (0.5, 1.1)}
    assert instant(tg.within("0.2 s", "y > 1"), run) == pytest.approx(0.2, abs=1e-9)
    assert instant(tg.eventually("y > 1.5"), run) == pytest.approx(4.0)
    assert instant(tg.always("y < 0.5", after="1 s"), run) == pytest.approx(1.0, abs=1e-9)
    waited = tg.always(tg.implies("y > 1.1", tg.within("0.2 s", "y < 1.0")))
    assert instant(waited, run) == pytest.approx(passes[1.1] + 0.2, abs=1e-5)
    assert instant(tg.until("y < 0.5", "v < -9"), run) == pytest.approx(passes[0.5], abs=1e-6)
    assert instant(~tg.eventually("y > 0.5"), run) == pytest.approx(passes[0.5], abs=1e-6)
    assert instant(tg.within("0.2 s", "y > 1") & tg.always("y < 0.01"), run) < 0.2
    assert tg.require(tg.within("9 s", "y > 1.2"), stop_on_violation=True).lost(run) is None  # it may still come
    assert tg.require(tg.within("9 s", "y > 3"), stop_on_violation=True).lost(run) is None


class Brittle(tg.Component):
    """It cannot be run beyond x = 1."""

    x = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == 1 + 1e-9 * tg.log(1 - self.x)


def test_what_fails_after_a_violation_does_not_matter():
    limit = tg.require(tg.always("x < 0.5"), stop_on_violation=True)
    assert tg.simulate(Brittle(), 2.0, requirements=[limit]).time[-1] == pytest.approx(0.5, abs=1e-6)
    with pytest.raises(tg.RunFailedError):
        tg.simulate(Brittle(), 2.0, requirements=[tg.require(tg.always("x < 5"), stop_on_violation=True)])


def test_conditions_at_events():
    """Bounces with e = 0.8: v is sqrt(2 g) (0.8 ... 0.64) after them, and height zero."""
    solution = tg.simulate(Ball(), 2.5, rtol=1e-9)
    fastest = sqrt(2 * 9.81)
    assert len(solution.events) >= 3
    assert tg.at_events("h < 0", "v < 4")(solution) == pytest.approx(4.0 - 0.8 * fastest, abs=1e-6)
    assert tg.at_events("h < 0", "v > -5", just_before=True)(solution) == pytest.approx(5.0 - fastest, abs=1e-6)
    assert tg.at_events("h < 0", "v < 4", after="1 s")(solution) == pytest.approx(4.0 - 0.64 * fastest, abs=1e-6)
    second = tg.at_events("h < 0", tg.within("0.5 s", "h > 0.6"), before="1 s")
    assert second(solution) == pytest.approx(0.64 - 0.6, abs=1e-6)  # it rises to e^2 h after the first
    verdict = tg.require(tg.at_events("h < 0", "v < 4"), "soft").verdict(solution)
    assert verdict.holds
    assert verdict.at == pytest.approx(sqrt(2 / 9.81), abs=1e-8)
    nothing = tg.require(tg.at_events("nothing", "v < 4"), "of nothing").verdict(solution)
    assert str(nothing) == "of nothing: holds, because nothing happened that it is about"
    found = tg.sensitivity(Ball(), 1.2, wrt=["e", "h"], rtol=1e-9)
    gradient = tg.at_events("h < 0", "v < 4").gradient(found)
    assert gradient["e"] == pytest.approx(-fastest, abs=1e-5)
    assert gradient["h"] == pytest.approx(-0.8 * sqrt(9.81 / 2.0), abs=1e-4)
    hard = tg.require(tg.at_events("h < 0", "v < 3"), "soft", stop_on_violation=True)
    stopped = tg.simulate(Ball(), 2.5, requirements=[hard], rtol=1e-9)
    assert stopped.time[-1] == pytest.approx(sqrt(2 / 9.81), abs=1e-8)
    assert stopped.message == "the requirement 'soft' is lost: 'v < 3' is violated"
    with pytest.raises(tg.DesignError, match="E670: an event is named"):
        tg.at_events("", "v < 3")


def test_what_decides_is_found_where_windows_meet_jumps_and_begin_later():
    """Cases that random formulas have shown; margins by the closed solution of the first two flights."""
    ball = tg.simulate(Ball(), 4.0, rtol=1e-9)
    first = sqrt(2 / 9.81)
    rise = 0.8 * sqrt(2 * 9.81)
    second = first + 2 * rise / 9.81  # falls with the same speed: the window may end at this very bounce
    nested = tg.always(tg.always("v > 0.744", 0.48, 0.79), 0.29, 0.57)
    assert second < 1.36
    assert nested(ball) == pytest.approx(-rise - 0.744, abs=1e-6)
    later = tg.until("v > -3", "v < 1", 0.2, 0.4)
    assert later(ball) == pytest.approx(3 - 9.81 * 0.2, abs=1e-6)
    assert later.verdict(ball).condition == "v > -3"
    assert later.verdict(ball).at == pytest.approx(0.2, abs=1e-9)


WIDTH = 1e-4
PEAKS = {  # of width 0.1 ms, as functions of the distance from where they are
    "smooth": lambda u: tg.exp(-((u / WIDTH) ** 2)),
    "corners": lambda u: tg.maximum(0.0, 1 - abs(u) / WIDTH),
    "jumps": lambda u: tg.where(tg.no_event(abs(u) < WIDTH), 1.0, 0.0),
}


class Peaked(tg.Component):
    """y has a peak of 0.1 ms at 5.0003 s, made of time or of a state; z with z + z**3 = y, q with the same of z."""

    of_time = tg.parameter(False, structural=True)
    peak = tg.parameter("smooth", structural=True)
    x = tg.variable(start=-5.0003, fixed=True)
    y = tg.variable()
    z = tg.variable()
    q = tg.variable()

    def equations(self):
        yield tg.der(self.x) == 1.0
        yield self.q + self.q**3 == self.z
        yield self.y == PEAKS[self.peak](tg.time - 5.0003 if self.of_time else self.x)
        yield self.z + self.z**3 == self.y


@pytest.mark.filterwarnings("ignore:.*changes faster than its output points")
@pytest.mark.parametrize("peak", PEAKS)
def test_peaks_between_points_are_seen(peak):
    """Their heights are one; then the loop is at z + z**3 = 1."""
    root = float(np.roots([1.0, 0.0, 1.0, -1.0])[-1].real)
    run = tg.simulate(Peaked(peak=peak, of_time=peak == "corners"), 10.0, points=200)
    assert run["y"].max() < 1e-6
    assert tg.always("y < 0.5")(run) == pytest.approx(-0.5, abs=1e-4)
    if peak != "corners":
        assert tg.eventually("z > 0.25")(run) == pytest.approx(root - 0.25, abs=1e-4)
        behind = float(np.roots([1.0, 0.0, 1.0, -root])[-1].real)
        assert tg.eventually("q > 0.25")(run) == pytest.approx(behind - 0.25, abs=1e-4)
    if peak == "smooth":
        limit = tg.require(tg.always("y < 0.5"), stop_on_violation=True)
        stopped = tg.simulate(run.compiled, 10.0, points=200, requirements=[limit])
        assert stopped.time[-1] == pytest.approx(5.0003 - WIDTH * sqrt(log(2.0)), abs=1e-8)


@pytest.mark.parametrize("peak", PEAKS)
def test_numbers_of_peaks_between_points(peak):
    """Heights, areas and instants in closed form, where no output point is nearer than 20 widths."""
    run = tg.simulate(Peaked(peak=peak, of_time=peak == "corners"), 10.0, points=200)
    area = {"smooth": sqrt(pi), "corners": 1.0, "jumps": 2.0}[peak] * WIDTH
    rise = {"smooth": sqrt(log(2.0)), "corners": 0.5, "jumps": 1.0}[peak] * WIDTH
    assert tg.peak("y")(run) == pytest.approx(1.0, abs=1e-3)
    assert tg.integral("y")(run) == pytest.approx(area, rel=1e-3)
    assert (tg.peak("y", 4.9, 5.1) - tg.lowest("y"))(run) == pytest.approx(1.0, abs=1e-3)
    assert tg.peak_time("y")(run) == pytest.approx(5.0003, abs=1.001 * WIDTH)
    if peak != "jumps":
        assert tg.time_when("y > 0.5")(run) == pytest.approx(5.0003 - rise, abs=1e-7)
        assert tg.value("y", 5.0003 - rise)(run) == pytest.approx(0.5, abs=1e-3)
    assert tg.overshoot("y + 1 - exp(-time)")(run) > 0.9


class Scaled(tg.Component):
    """A peak whose height and place are parameters."""

    a = tg.parameter(1.3)
    b = tg.parameter(0.5003)
    x = tg.variable(start=1.0, fixed=True)
    y = tg.variable()

    def equations(self):
        yield tg.der(self.x) == -self.a * self.x
        yield self.y == self.x * (1.0 + tg.exp(-(((tg.time - self.b) / 1e-3) ** 2)))


def test_gradients_and_searches_see_peaks_between_points():
    """The peak is 2 exp(-a b) but for 1e-6; both methods of gradients, and a search that keeps it low."""
    wanted = -2.0 * exp(-1.3 * 0.5003) * np.array([0.5003, 1.3])
    for method in ("forward", "adjoint"):
        found = tg.gradient(Scaled(), 2.0, of=tg.peak("y", 0.2), wrt=["a", "b"], points=100, method=method)
        assert found.matrix[0] == pytest.approx(wanted, rel=1e-4), method
    best = tg.optimize(
        Scaled(), 2.0, variables={"a": (0.5, 4.0)}, minimize=tg.final("a"), subject_to=[tg.peak("y", 0.2) <= 0.8]
    )
    assert best.parameters["a"] == pytest.approx(log(2.0 / 0.8) / 0.5003, rel=1e-4)
    assert tg.peak("y", 0.2)(best.solution) == pytest.approx(0.8, rel=1e-4)


class Pushed(tg.Component):
    """A push of 0.1 ms that adds sqrt(pi) to x."""

    x = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == tg.exp(-(((tg.time - 5.0003) / WIDTH) ** 2)) / WIDTH


@pytest.mark.filterwarnings("ignore:.*changes faster than its output points")
def test_a_run_that_steps_over_what_drives_it_is_warned_of():
    run = tg.simulate(Pushed(), 10.0)
    assert run["x"][-1] < 0.1  # sqrt(pi)
    with pytest.warns(UserWarning, match=r"stepped over a peak of what drives 'x' near t = 5\.000"):
        tg.always("x < 0.5")(run)
