"""Requirements and other numbers of random runs with narrow peaks against dense truth.

    python benchmarks/random_requirements.py --seeds 0 600

Every model has one to three peaks of 3 us to 0.1 s in a run of 10 s, made of time, of a ramp, of an oscillation, of a
decay or of a bouncing ball; with loops that are solved by iterations, conditions that are events, and values held by
samples. Its states have closed solutions. So the truth is computed by NumPy alone: all signals at half a million
instants, most of them where the peaks are, loops by bisection. Temporal logic on these is that of curve.py, which is
compared with rtamt elsewhere.

A formula counts as wrong where its verdict is another one, or its margin is away by more than a thousandth of the range
of its signals; so do tg.peak, tg.lowest, tg.peak_time, tg.integral and tg.time_when.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

os.environ["TELLEGEN_PROGRESS"] = "0"

import numpy as np

import tellegen as tg
from tellegen.analyses.requirements.curve import (
    Curve,
    TooShortError,
    higher,
    highest_within,
    lower,
    lowest_within,
    until,
)

STOP = 10.0
_FAR = 1e-3  # of the range of what is compared
_DECIDED = 2e-6  # of the range: verdicts so near to zero may differ
_DENSE = 40_001
_JUMP = 3e-7  # of two points with a jump between them; peaks change less within this
_NEAR_A_PEAK = 1_601

Array = Any


def clocks() -> dict[str, Callable[[Array], Array]]:
    """Closed solutions of the states of every model."""
    return {
        "time": lambda t: t,
        "ramp": lambda t: 0.7 * t - 3.0,
        "wave": lambda t: np.sin(1.3 * t),
        "decay": lambda t: np.exp(-0.2 * t),
        "ball": _ball,
    }


GRAVITY, FIRST_HEIGHT, REBOUND = 9.81, 2.0, 0.95


def _ball(t: Array) -> Array:
    """Height of a bouncing ball for some of its flights; a ball at rest after them is not asked for."""
    h = FIRST_HEIGHT - 0.5 * GRAVITY * t**2
    begin = np.sqrt(2.0 * FIRST_HEIGHT / GRAVITY)
    v = GRAVITY * begin * REBOUND
    for _ in range(40):
        h = np.where(t >= begin, v * (t - begin) - 0.5 * GRAVITY * (t - begin) ** 2, h)
        begin += 2.0 * v / GRAVITY
        v *= REBOUND
    return h


SHAPES: dict[str, Callable[[Any, Any], Any]] = {  # of the distance from the peak in widths, for tg and for NumPy
    "gauss": lambda u, m: m.exp(-(u**2)),
    "lorentz": lambda u, _: 1.0 / (1.0 + u**2),
    "sech": lambda u, m: 1.0 / m.cosh(m.minimum(m.maximum(u, -300.0), 300.0)),
    "triangle": lambda u, m: m.maximum(0.0, 1.0 - abs(u)),
    "rect": lambda u, m: m.where(abs(u) < 1.0, 1.0, 0.0) if m is np else tg.where(tg.no_event(abs(u) < 1.0), 1.0, 0.0),
    "edges": lambda u, m: 0.5 * (m.tanh(4.0 * (u + 1.0)) - m.tanh(4.0 * (u - 1.0))),
    "derived": lambda u, m: 1.6 * u * m.exp(-(u**2)),
}
LOOPS: dict[str, Callable[[Any, Any], Any]] = {  # z with f(z) = y, rising in z
    "none": lambda z, _: z,
    "cubic": lambda z, _: z + z**3,
    "saturated": lambda z, m: 0.1 * z + m.tanh(2.0 * z),
    "diode": lambda z, m: z + 0.01 * (m.exp(5.0 * z) - 1.0),
    "root": lambda z, m: 0.2 * z + z / m.sqrt(0.04 + z**2),
}


@dataclass(frozen=True)
class Peak:
    """One narrow peak."""

    clock: str
    shape: str
    at: float  # the value of the clock
    width: float  # of the clock
    height: float


@dataclass(frozen=True)
class Drawn:
    """What a model is made of."""

    peaks: tuple[Peak, ...]
    loop: str
    second: str  # a loop behind the first one
    condition: str  # what switches the last peak: nothing, an instant, a state
    level: float
    slow: float
    held: bool
    places: tuple[tuple[float, float], ...]  # when, and how wide


def drawn(rng: np.random.Generator) -> Drawn:
    """A random model."""
    known = clocks()
    peaks: list[Peak] = []
    places: list[tuple[float, float]] = []
    for _ in range(int(rng.integers(1, 4))):
        name = str(rng.choice(list(known)))
        t = float(rng.uniform(0.4, 9.6) if name != "ball" else rng.uniform(0.1, 3.0))
        seconds = float(10.0 ** rng.uniform(-5.5, -1.0))
        speed = abs(float(known[name](np.array(t + 1e-6)) - known[name](np.array(t - 1e-6)))) / 2e-6
        if speed < 0.05:
            continue
        at = float(known[name](np.array(t)))
        height = float(rng.choice([-1.0, 1.0]) * rng.uniform(0.3, 2.0))
        peaks.append(Peak(name, str(rng.choice(list(SHAPES))), at, seconds * speed, height))
        places += [(centre, seconds) for centre in passings(known[name], at)]
    return Drawn(
        tuple(peaks), str(rng.choice(list(LOOPS))), str(rng.choice(["none", "none", "cubic", "saturated"])),
        str(rng.choice(["nothing", "instant", "state"])), float(rng.uniform(-0.6, 0.6)), float(rng.uniform(0.0, 0.5)),
        bool(rng.random() < 0.3), tuple(places),
    )  # fmt: skip


def passings(clock: Callable[[Array], Array], level: float) -> list[float]:
    """When a clock passes a value, to rounding."""
    t = np.linspace(0.0, STOP, 20_001)
    h = clock(t) - level
    out = []
    for k in np.flatnonzero(h[1:] * h[:-1] <= 0.0):
        a, b = t[k], t[k + 1]
        for _ in range(60):
            m = 0.5 * (a + b)
            a, b = (m, b) if (clock(np.array(m)) - level) * (clock(np.array(a)) - level) > 0.0 else (a, m)
        out.append(float(a))
    return out


class Random(tg.Component):
    """The model of a draw."""

    what = tg.parameter(None, structural=True)
    ramp = tg.variable(start=-3.0, fixed=True)
    wave = tg.variable(start=0.0, fixed=True)
    slope = tg.variable(start=1.3, fixed=True)
    decay = tg.variable(start=1.0, fixed=True)
    ball = tg.variable(start=FIRST_HEIGHT, fixed=True)
    speed = tg.variable(start=0.0, fixed=True)
    held = tg.variable(discrete=True, start=0.0)
    y = tg.variable()
    z = tg.variable()
    q = tg.variable()

    def equations(self) -> Iterator[Any]:
        what: Drawn = self.what
        yield tg.der(self.ramp) == 0.7
        yield tg.der(self.wave) == self.slope
        yield tg.der(self.slope) == -1.69 * self.wave
        yield tg.der(self.decay) == -0.2 * self.decay
        yield tg.der(self.ball) == self.speed
        yield tg.der(self.speed) == -GRAVITY
        yield tg.when(self.ball < 0.0, tg.reinit(self.speed, -REBOUND * tg.pre(self.speed)))
        yield tg.when(tg.sample(0.5, 1.0), self.held == (self.wave if what.held else 0.0))
        values = {name: getattr(self, name) for name in ("ramp", "wave", "decay", "ball")} | {"time": tg.time}
        yield self.y == signal_of(what, values, self.held, tg)
        yield LOOPS[what.loop](self.z, tg) == self.y
        yield LOOPS[what.second](self.q, tg) == self.z + 0.1 * self.wave


def signal_of(what: Drawn, values: dict[str, Any], held: Any, m: Any) -> Any:
    """The sum of the peaks and something slow."""
    y = what.slow * values["wave"] + 0.3 * held
    for k, peak in enumerate(what.peaks):
        part = peak.height * SHAPES[peak.shape]((values[peak.clock] - peak.at) / peak.width, m)
        if k == len(what.peaks) - 1 and what.condition == "instant":
            part = m.where(values["time"] > 5.0 + what.level, part, 0.0)
        if k == len(what.peaks) - 1 and what.condition == "state":
            part = m.where(values["wave"] > what.level, part, -0.2)
        y = y + part
    return y


def truth_of(what: Drawn) -> tuple[Array, dict[str, Array]]:
    """All signals at many instants."""
    known = clocks()
    times = [np.linspace(0.0, STOP, _DENSE)]
    near = np.geomspace(1e-7, 1e-2, 50)
    for centre, width in what.places:
        times.append(centre + width * np.linspace(-8.0, 8.0, _NEAR_A_PEAK))
        times.append(centre + width * np.concatenate([[edge - near, edge + near] for edge in (-1.0, 0.0, 1.0)]).ravel())
        times.append(centre + width * np.concatenate([-np.geomspace(8.0, 1e4, 200), np.geomspace(8.0, 1e4, 200)]))
    jumps = [*np.arange(0.5, STOP, 1.0), 5.0 + what.level, *passings(known["wave"], what.level)]
    for peak in what.peaks:
        if peak.shape == "rect":
            jumps += [t for side in (-1.0, 1.0) for t in passings(known[peak.clock], peak.at + side * peak.width)]
    times += [np.array([t - 1e-12, t + 1e-12]) for t in jumps]
    t = np.unique(np.concatenate(times))
    t = t[(t >= 0.0) & (t <= STOP)]
    values = {name: clock(t) for name, clock in known.items()}
    samples = np.floor(t + 0.5) - 0.5
    held = np.where(samples >= 0.5, known["wave"](samples), 0.0) if what.held else np.zeros_like(t)
    with np.errstate(all="ignore"):
        y = signal_of(what, values, held, np)
        z = solved(LOOPS[what.loop], y)
        q = solved(LOOPS[what.second], z + 0.1 * values["wave"])
    return t, {"y": y, "z": z, "q": q, "wave": values["wave"]}


def solved(function: Callable[[Any, Any], Any], right: Array) -> Array:
    """The unknown of a loop, by bisection."""
    low, high = np.full_like(right, -1000.0), np.full_like(right, 1000.0)  # two saturated loops make 100 of 1
    if function(0.5, np) == 0.5 and function(-2.0, np) == -2.0:
        return right
    for _ in range(60):
        middle = 0.5 * (low + high)
        below = function(middle, np) < right
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return 0.5 * (low + high)


@dataclass(frozen=True)
class Asked:
    """A formula, and the same on dense curves."""

    formula: Any
    margin: Callable[[dict[str, Curve]], Curve]


def condition(rng: np.random.Generator, ranges: dict[str, tuple[float, float]]) -> Asked:
    """One comparison at a level somewhere in the range of its signal or a little outside."""
    name = str(rng.choice(["y", "z", "q"]))
    low, high = ranges[name]
    level = round(float(low + (high - low) * rng.uniform(-0.05, 1.05)), 6)
    if rng.random() < 0.5:
        return Asked(f"{name} > {level}", lambda c: raised(c[name], -level))
    return Asked(f"{name} < {level}", lambda c: raised(-c[name], level))


def raised(curve: Curve, by: float) -> Curve:
    """A curve, so much higher."""
    return Curve(curve.breaks, curve.after + by, curve.before + by, curve.last + by)


def formula(rng: np.random.Generator, depth: int, ranges: dict[str, tuple[float, float]]) -> Asked:
    """A random formula whose windows end before the run does."""
    if depth == 0:
        return condition(rng, ranges)
    one = formula(rng, depth - 1, ranges)
    kind = str(rng.choice(["always", "eventually", "within", "until", "and", "implies", "not"]))
    begin = round(float(rng.uniform(0.0, 1.0)), 3)
    end = round(begin + float(rng.uniform(0.1, 2.0)), 3)
    if kind == "not":
        return Asked(~tg.require(one.formula), lambda c: -one.margin(c))
    if kind == "always":
        return Asked(tg.always(one.formula, begin, end), lambda c: lowest_within(one.margin(c), begin, end))
    if kind == "eventually":
        return Asked(tg.eventually(one.formula, begin, end), lambda c: highest_within(one.margin(c), begin, end))
    if kind == "within":
        return Asked(tg.within(end, one.formula), lambda c: highest_within(one.margin(c), 0.0, end))
    other = formula(rng, depth - 1, ranges)
    if kind == "until":
        return Asked(
            tg.until(one.formula, other.formula, 0.0, end),
            lambda c: lower(until(one.margin(c), other.margin(c)), highest_within(other.margin(c), 0.0, end)),
        )
    if kind == "and":
        return Asked(
            tg.require(one.formula) & tg.require(other.formula), lambda c: lower(one.margin(c), other.margin(c))
        )
    return Asked(tg.implies(one.formula, other.formula), lambda c: higher(-one.margin(c), other.margin(c)))


def whole(rng: np.random.Generator, ranges: dict[str, tuple[float, float]]) -> Asked:
    """A formula over the whole run."""
    part = formula(rng, int(rng.integers(0, 3)), ranges)
    last = 5.0
    if rng.random() < 0.5:
        return Asked(tg.always(part.formula, 0.0, last), lambda c: lowest_within(part.margin(c), 0.0, last))
    return Asked(tg.eventually(part.formula, 0.0, last), lambda c: highest_within(part.margin(c), 0.0, last))


def thinned(t: Array, v: Array, tolerance: float) -> tuple[Array, Array]:
    """Points without those between which the curve is straight, so that logic on them is fast."""
    kept = np.arange(len(t))
    for _ in range(12):
        if len(kept) < 3:
            break
        inner = np.arange(1, len(kept) - 1, 2)
        a, b, m = kept[inner - 1], kept[inner + 1], kept[inner]
        line = v[a] + (v[b] - v[a]) * (t[m] - t[a]) / (t[b] - t[a])
        kept = np.delete(kept, inner[np.abs(line - v[m]) < tolerance])
    return t[kept], v[kept]


def curve_through(t: Array, v: Array) -> Curve:
    """Lines through points, and a jump where two of them are very near: two curves that jump together never meet."""
    size = max(float(np.ptp(v)), 1e-9)
    t, v = thinned(t, v, 2e-7 * size)
    jumps = (np.diff(t) < _JUMP) & (np.abs(np.diff(v)) > 0.1 * size)
    return Curve(t, v[:-1], np.where(jumps, v[:-1], v[1:]), float(v[-1]))


def numbers(name: str, t: Array, v: Array) -> list[tuple[Any, float, float]]:
    """Performance functions, their truth, and how far they may be away."""
    size = float(np.ptp(v)) or 1.0
    k, m = int(np.argmax(v)), int(np.argmin(v))
    area = float(np.trapezoid(v, t))
    found = [
        (tg.peak(name), float(v[k]), _FAR * size),
        (tg.lowest(name), float(v[m]), _FAR * size),
        (tg.integral(name), area, 1e-4 * STOP * size),
    ]
    level = 0.5 * float(v[k] + np.quantile(v, 0.9))
    rises = np.flatnonzero((v[:-1] <= level) & (v[1:] > level))
    steep = float(np.abs(np.diff(v)).max())
    if len(rises) and level - np.quantile(v, 0.9) > 0.05 * size and steep > 0.0:
        found.append((tg.time_when(f"{name} > {level!r}"), float(t[rises[0] + 1]), 1e-3 * STOP))
    return found


def judged(seed: int, points: int) -> Counter[str]:
    """One seed: counts of what is right and wrong."""
    rng = np.random.default_rng(seed)
    what = drawn(rng)
    count: Counter[str] = Counter()
    if not what.peaks:
        return count
    t, signals = truth_of(what)
    ranges = {name: (float(v.min()), float(v.max())) for name, v in signals.items()}
    try:
        run = tg.simulate(Random(what=what), STOP, points=points, rtol=1e-9)
    except tg.TellegenError as error:
        print(f"seed {seed}: not simulated: {error.code} {what}")
        count["not simulated"] += 1
        return count
    curves = {name: curve_through(t, v) for name, v in signals.items()}
    size = max(high - low for low, high in ranges.values())
    asked = whole(rng, ranges)
    text = str(asked.formula)
    try:
        expected = asked.margin(curves)
    except TooShortError:
        count["windows beyond the run"] += 1
        return count
    truth = expected.at(expected.begin)
    found = quiet(partial(asked.formula, run))
    count["formulas"] += 1
    verdict = (found >= 0.0) != (truth >= 0.0) and abs(truth) > _DECIDED * size
    if verdict or abs(found - truth) > _FAR * size:
        count["wrong verdicts"] += int(verdict)
        count["wrong margins"] += 1
        print(f"seed {seed}: {text}: {found:.6g}, should be {truth:.6g} ({'VERDICT' if verdict else 'margin'}) {what}")
    name = str(rng.choice(["y", "z", "q"]))
    for function, truth, allowed in numbers(name, t, signals[name]):
        count["numbers"] += 1
        try:
            found = quiet(partial(function, run))
        except tg.TellegenError as error:
            found = inf
            print(error.code, error.message)
        if not abs(found - truth) <= allowed:
            count["wrong numbers"] += 1
            print(f"seed {seed}: {function} = {found:.9g}, should be {truth:.9g} {what}")
    return count


def quiet(action: Callable[[], float]) -> float:
    """Without warnings of digits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return action()


def main() -> None:
    """Count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 600))
    parser.add_argument("--points", type=int, default=200)
    arguments = parser.parse_args()
    total: Counter[str] = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(*arguments.seeds):
            total += judged(seed, arguments.points)
            if seed % 10 == 9:
                print(seed + 1, dict(total), flush=True)
    print(dict(total))


if __name__ == "__main__":
    main()
