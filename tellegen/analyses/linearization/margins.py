"""How far a loop is from instability: gain, phase and delay margins, and the peak of the sensitivity.

    L           what the loop does to a signal on one way round; the loop is closed by negative feedback
    1 + L = 0   a mode that neither decays nor grows: L passes through -1

All crossings of a unit gain and of the negative real axis are found, and bracketed to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.linearization.open_loop import OpenLoop
from tellegen.sheet import Result, Table
from tellegen.start.on_use import scipy

_CLOSE = 1e-12
_CANDIDATES = 20
_SAME_GAIN = 0.1  # far below the slowest pole and at zero frequency, unless there is an integrator


@dataclass(frozen=True)
class GainCrossover:
    """A frequency in Hz at which the loop has a gain of one, and how many degrees its phase is above -180."""

    frequency: float
    phase_margin: float
    delay_margin: float  # seconds of further delay until the phase is -180 degrees


@dataclass(frozen=True)
class PhaseCrossover:
    """A frequency in Hz at which L is real and negative, and the factor that would make it -1."""

    frequency: float
    gain_margin: float


@dataclass(frozen=True, eq=False, repr=False)
class Margins(Result):
    """See the top of this file; they only mean something if the closed loop is `stable`."""

    name: str
    input: str
    output: str
    stable: bool
    gain_crossovers: tuple[GainCrossover, ...]
    phase_crossovers: tuple[PhaseCrossover, ...]
    delay_margin: float  # seconds of further delay until the loop is unstable; infinite if no delay makes it so
    sensitivity_peak: float
    sensitivity_frequency: float

    @property
    def success(self) -> bool:
        """Whether the closed loop is stable, so that there are margins."""
        return self.stable

    @property
    def message(self) -> str:
        """How it ended."""
        return "" if self.stable else "the closed loop is unstable: it has no margins"

    @property
    def gain_margin(self) -> float:
        """The factor by which the gain may grow; infinite if by any."""
        return min((each.gain_margin for each in self.phase_crossovers if each.gain_margin > 1.0), default=np.inf)

    @property
    def gain_reduction(self) -> float:
        """The factor to which the gain may fall; zero if to any."""
        return max((each.gain_margin for each in self.phase_crossovers if each.gain_margin < 1.0), default=0.0)

    @property
    def phase_margin(self) -> float:
        """The smallest distance of the phase from -180 degrees at a gain of one; infinite if there is none."""
        return min((each.phase_margin for each in self.gain_crossovers), key=abs, default=np.inf)

    @property
    def modulus_margin(self) -> float:
        """The smallest distance of L from -1: the inverse of the peak of the sensitivity."""
        return 1.0 / self.sensitivity_peak

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each frequency at which the loop has a gain of one or a real negative response."""
        import pandas as pd

        rows = [vars(each) for each in (*self.gain_crossovers, *self.phase_crossovers)]
        columns = ["frequency", "gain_margin", "phase_margin", "delay_margin"]
        return pd.DataFrame(rows, columns=columns).set_index("frequency").sort_index()

    def _title(self) -> str:
        stability = "stable" if self.stable else "unstable"
        return f"Margins of {self.name} from {self.input} to {self.output}: {stability} under feedback"

    def _page(self) -> list[Table | str]:
        by_gain = next((each for each in self.phase_crossovers if each.gain_margin == self.gain_margin), None)
        by_phase = min(self.gain_crossovers, key=lambda each: abs(each.phase_margin), default=None)
        by_delay = min(self.gain_crossovers, key=lambda each: each.delay_margin, default=None)
        rows = [
            ("gain margin", _decibel(self.gain_margin), "dB", _hertz(by_gain)),
            ("phase margin", f"{self.phase_margin:.4g}", "deg", _hertz(by_phase)),
            ("delay margin", f"{self.delay_margin:.4g}", "s", _hertz(by_delay)),
            ("sensitivity peak Ms", f"{self.sensitivity_peak:.4g}", "", f"{self.sensitivity_frequency:.4g}"),
        ]
        if self.gain_reduction:
            rows.insert(1, ("gain may fall to", _decibel(self.gain_reduction), "dB", ""))
        return [Table(("margin", "value", "unit", "at [Hz]"), rows), self.message]


def margins_of(loop: OpenLoop, name: str) -> Margins:
    """The margins of a loop under negative feedback."""
    w = loop.frequencies
    response = loop.response(w)
    gains = _gain_crossovers(loop, w, response)
    phases = _phase_crossovers(loop, w, response)
    peak, where = _sensitivity_peak(loop, w, response)
    return Margins(
        name,
        loop.input,
        loop.output,
        stable=_is_stable(loop, gains),
        gain_crossovers=gains,
        phase_crossovers=phases,
        delay_margin=_delay_margin(loop, gains),
        sensitivity_peak=peak,
        sensitivity_frequency=_hz(where),
    )


def _delay_margin(loop: OpenLoop, crossovers: tuple[GainCrossover, ...]) -> float:
    """A gain above one at all high frequencies allows no delay at all."""
    if loop.dt is None and abs(loop.d) >= 1.0:
        return 0.0
    return min((each.delay_margin for each in crossovers), default=np.inf)


def _gain_crossovers(loop: OpenLoop, w: Any, response: Any) -> tuple[GainCrossover, ...]:
    def excess(at: float) -> float:
        return float(np.log(np.abs(loop.response(np.array([at]))[0])))

    with np.errstate(divide="ignore"):
        found = _roots(excess, w, np.log(np.abs(response)))
    crossovers = []
    for at in found:
        phase = float(np.degrees(np.angle(-loop.response(np.array([at]))[0])))
        crossovers.append(GainCrossover(_hz(at), phase, float(np.radians(phase % 360.0) / at)))
    return tuple(crossovers)


def _phase_crossovers(loop: OpenLoop, w: Any, response: Any) -> tuple[PhaseCrossover, ...]:
    """Where L is real and negative, zero frequency and in discrete time the highest one included."""

    def sideways(at: float) -> float:
        value = loop.response(np.array([at]))[0]
        return float(value.imag / abs(value)) if value else 0.0

    with np.errstate(invalid="ignore"):
        slopes = np.where(response == 0.0, 0.0, response.imag / np.abs(response))
    found = [] if _is_real(response) else _roots(sideways, w, slopes)
    found += [at for at in _ends(loop, w) if _is_real(loop.response(np.array([at])))]
    values = [(at, loop.response(np.array([at]))[0]) for at in sorted(set(found))]
    return tuple(PhaseCrossover(_hz(at), float(-1.0 / value.real)) for at, value in values if value.real < 0.0)


def _ends(loop: OpenLoop, w: Any) -> list[float]:
    """The frequencies at which L is real for every model: zero, unless there is an integrator, and Nyquist's."""
    static, slow = loop.response(np.array([0.0, w[0]]))
    is_static = bool(np.abs(static - slow) < _SAME_GAIN * np.abs(slow))
    return ([0.0] if is_static else []) + ([float(w[-1])] if loop.dt is not None else [])


def _is_real(values: Any) -> bool:
    return bool((np.abs(np.imag(values)) <= _CLOSE * np.abs(values)).all())


def _roots(function: Any, w: Any, values: Any) -> list[float]:
    """Sign changes of a function, whose values on a grid are known."""
    sign = np.sign(values)
    found = [float(w[k]) for k in np.flatnonzero(sign == 0.0)]
    for k in np.flatnonzero(sign[:-1] * sign[1:] < 0.0).tolist():
        found.append(float(scipy.optimize.brentq(function, w[k], w[k + 1], xtol=1e-15 * w[k], rtol=1e-13)))
    return sorted(found)


def _sensitivity_peak(loop: OpenLoop, w: Any, response: Any) -> tuple[float, float]:
    """The largest |1 / (1 + L)| and its frequency."""

    def distance(at: float) -> float:
        return float(np.abs(1.0 + loop.response(np.array([at]))[0]))

    grid = np.append(0.0, w)
    far = np.append(distance(0.0), np.abs(1.0 + response))
    best = int(np.nanargmin(far))
    smallest = float(far[best])
    where = float(grid[best])
    inner = np.flatnonzero((far[1:-1] <= far[:-2]) & (far[1:-1] <= far[2:])) + 1
    for k in inner[np.argsort(far[inner])][:_CANDIDATES].tolist():
        options = {"xatol": 1e-12 * grid[k]}
        found: Any = scipy.optimize.minimize_scalar(
            distance, bounds=(grid[k - 1], grid[k + 1]), method="bounded", options=options
        )
        if found.fun < smallest:
            smallest = float(found.fun)
            where = float(found.x)
    return (1.0 / smallest if smallest > 0.0 else np.inf), where


def _is_stable(loop: OpenLoop, crossovers: tuple[GainCrossover, ...]) -> bool:
    """Whether all modes of the closed loop decay.

    As dead time grows from zero, a pair of modes crosses the imaginary axis whenever the phase at a gain of one is -180
    degrees: to the right where the gain falls with frequency, to the left where it rises (Walton and Marshall, 1987).
    """
    unstable = loop.undamped_count
    if not loop.dead_time:
        return unstable == 0
    if abs(loop.d) >= 1.0:  # infinitely many modes that do not decay
        return False
    for each in crossovers:
        w = 2.0 * np.pi * each.frequency
        left = (np.radians(each.phase_margin) + w * loop.dead_time) % (2.0 * np.pi)  # without dead time
        first = left / w
        times = 0 if first > loop.dead_time else 1 + int((loop.dead_time - first) * w / (2.0 * np.pi))
        below, above = np.abs(loop.response(np.array([w * (1.0 - 1e-6), w * (1.0 + 1e-6)])))
        unstable += 2 * times if above < below else -2 * times
    return unstable == 0


def _hz(w: float) -> float:
    return float(w) / (2.0 * np.pi)


def _decibel(factor: float) -> str:
    return f"{20.0 * np.log10(factor):.4g}"


def _hertz(crossover: GainCrossover | PhaseCrossover | None) -> str:
    return "" if crossover is None else f"{crossover.frequency:.4g}"
