"""L(s) exp(-s T): what a loop does to a signal on one way round, from one input of a linear model to one output.

The frequencies at which it is computed lie so close that it changes little from one to the next, whatever resonances it
has: a step is a small part of the distance from jw to the nearest pole or zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.analyses.linearization.modes import exponents
from tellegen.errors import LanguageError, nearest
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.start.on_use import scipy

if TYPE_CHECKING:
    from tellegen.analyses.linearization.linear_model import LinearModel

_STEP = 0.04  # of the distance to the nearest pole or zero
_FINEST = 1e-5  # the smallest step, relative to the frequency
_PHASE_STEP = 0.05  # radians by dead time in one step
_FARTHER = 1e3  # below the slowest and above the fastest pole or zero
_MOST_DECADES = 40
_TURNS_SHOWN = 20.0  # of the phase by dead time above the fastest pole or zero
_NEUTRAL = 1e-9  # the real part of a pole that neither decays nor grows, relative to the largest
_HIDDEN = 1e-10  # the smallest singular value of a matrix that is singular, relative to its norm
_FINITE = 1e12  # relative to all other numbers: zeros beyond it are roundings of infinity


@dataclass(frozen=True, eq=False)
class OpenLoop:
    """The loop from one input to one output with extra dead time, in radians per second."""

    A: FloatArray
    b: FloatArray
    c: FloatArray
    d: float
    dt: float | None
    dead_time: float
    input: str
    output: str

    def response(self, w: FloatArray) -> Any:
        """The complex gain at frequencies in rad/s."""
        s = 1j * np.asarray(w, float)
        points = s if self.dt is None else np.exp(s * self.dt)
        late = np.exp(-s * self.dead_time)
        n = len(self.A)
        if n == 0:
            return np.full(len(points), self.d, complex) * late
        matrices = points[:, None, None] * np.eye(n) - self.A
        with np.errstate(all="ignore"):
            try:
                given = np.broadcast_to(self.b[:, None], (len(points), n, 1)) + 0j
                inside = np.linalg.solve(matrices, given)
            except np.linalg.LinAlgError:  # a pole is at one of the frequencies
                return np.array([self._at_pole(matrix) for matrix in matrices]) * late
        return (inside[..., 0] @ self.c + self.d) * late

    def _at_pole(self, matrix: Any) -> complex:
        try:
            return complex(self.c @ np.linalg.solve(matrix, self.b.astype(complex)) + self.d)
        except np.linalg.LinAlgError:
            return complex(np.inf)

    @cached_property
    def poles(self) -> Any:
        """As exponents of time, in discrete time too."""
        return self._finite(exponents(np.linalg.eigvals(self.A), self.dt))

    @cached_property
    def zeros(self) -> Any:
        """As exponents of time: the generalized eigenvalues of the system matrix."""
        n = len(self.A)
        system = np.block([[self.A, self.b[:, None]], [self.c[None, :], np.array([[self.d]])]])
        mass = np.zeros((n + 1, n + 1))
        mass[:n, :n] = np.eye(n)
        with np.errstate(all="ignore"):
            found = scipy.linalg.eigvals(system, mass)
        size = max(float(np.abs(self.A).max(initial=0.0)), 1e-300)
        found = found[np.isfinite(found)]
        return self._finite(exponents(found[np.abs(found) < _FINITE * size], self.dt))

    def _finite(self, values: Any) -> Any:
        return values[np.isfinite(values)]

    @cached_property
    def _closed_eigenvalues(self) -> Any:
        return np.linalg.eigvals(self.A - np.outer(self.b, self.c) / (1.0 + self.d))

    @property
    def closed_poles(self) -> Any:
        """The poles under negative feedback without dead time, as exponents of time."""
        return exponents(self._closed_eigenvalues, self.dt)

    @property
    def undamped_count(self) -> int:
        """How many poles of the closed loop without dead time do not decay.

        One that the loop neither moves nor sees, and that does not grow, is left out: the angle in a loop of the speed.
        """
        poles = self.closed_poles
        largest = float(np.abs(poles[np.isfinite(poles)]).max(initial=0.0))
        count = 0
        for value, pole in zip(self._closed_eigenvalues, poles, strict=True):
            is_neutral = abs(pole.real) <= _NEUTRAL * largest
            if pole.real > -_NEUTRAL * abs(pole) and not (is_neutral and self._is_hidden(value)):
                count += 1
        return count

    def _is_hidden(self, value: complex) -> bool:
        """Whether an eigenvalue is not controllable by the input, or not observable at the output."""
        shifted = self.A - value * np.eye(len(self.A))
        scale = _HIDDEN * max(float(np.linalg.norm(shifted)), 1e-300)
        driven = np.column_stack([shifted, self.b * np.linalg.norm(shifted) / max(np.linalg.norm(self.b), 1e-300)])
        seen = np.vstack([shifted, self.c * np.linalg.norm(shifted) / max(np.linalg.norm(self.c), 1e-300)])
        return bool(min(np.linalg.svd(each, compute_uv=False)[-1] for each in (driven, seen)) < scale)

    @cached_property
    def frequencies(self) -> FloatArray:
        """Frequencies in rad/s at which all that can be seen of the loop is seen, in rising order."""
        features = np.concatenate([self.poles, self.zeros, self._finite(self.closed_poles)])
        sizes = np.abs(features)
        sizes = sizes[sizes > 1e-9 * max(float(sizes.max(initial=0.0)), 1e-300)]
        low = float(sizes.min()) / _FARTHER if len(sizes) else 1e-3
        high = float(sizes.max()) * _FARTHER if len(sizes) else 1e3
        low, high = self._extended(low, high)
        if self.dt is not None:
            high = np.pi / self.dt
            low = min(low, high / _FARTHER)
        elif self.dead_time:
            turns = float(sizes.max(initial=0.0)) + _TURNS_SHOWN * 2.0 * np.pi / self.dead_time
            high = max(low * _FARTHER, min(high, turns))
        return self._marched(low, high, features)

    def _extended(self, low: float, high: float) -> tuple[float, float]:
        """Further, where the gain is on its way to one."""
        for _ in range(_MOST_DECADES):
            now, further = np.abs(self.response(np.array([low, 0.1 * low])))
            if not (further > 1.5 * now and now < 1.0) and not (further < now / 1.5 and now > 1.0):
                break
            low *= 0.1
        for _ in range(_MOST_DECADES):
            now, further = np.abs(self.response(np.array([high, 10.0 * high])))
            if not (further > 1.5 * now and now < 1.0) and not (further < now / 1.5 and now > 1.0):
                break
            high *= 10.0
        return low, high

    def _marched(self, low: float, high: float, features: Any) -> FloatArray:
        """From low to high in steps as small as poles and zeros ask for."""
        own = np.abs(features.imag)
        decay = np.abs(features.real)
        most = _PHASE_STEP / self.dead_time if self.dead_time else np.inf
        w = low
        found = [w]
        while w < high:
            distance = float(np.hypot(own - w, decay).min(initial=w))
            w = min(w + min(max(_STEP * distance, _FINEST * w), most, 0.1 * w), high)
            found.append(w)
        return np.array(found)


def open_loop(model: LinearModel, input: str | None, output: str | None, dead_time: float, feedback: str) -> OpenLoop:
    """The loop from an input to an output, which have to be named where there are several.

    With positive feedback its sign is changed, so that all that follows is about 1 + L.
    """
    k = _one_of(model.inputs, input, "input")
    i = _one_of(model.outputs, output, "output")
    sign = _sign(feedback)
    if not (np.isfinite(dead_time) and dead_time >= 0.0):
        raise LanguageError("E188", f"dead_time is a time of at least zero, not {dead_time!r}", location=here())
    row = sign * model.C[i]
    direct = sign * float(model.D[i, k])
    return OpenLoop(model.A, model.B[:, k], row, direct, model.dt, dead_time, model.inputs[k], model.outputs[i])


def _sign(feedback: str) -> float:
    signs = {"negative": 1.0, "positive": -1.0}
    if feedback not in signs:
        what = f"feedback is 'negative' or 'positive', not {feedback!r}"
        raise LanguageError("E188", what, location=here(), advice="negative is what closes most loops")
    return signs[feedback]


def _one_of(names: tuple[str, ...], name: str | None, kind: str) -> int:
    if name is None and len(names) == 1:
        return 0
    if name in names:
        return names.index(name)
    if not names:
        what = f"a loop needs an {kind}, and the linear model has none"
    elif name is None:
        what = f"a loop has one {kind}, and the linear model has {len(names)}"
    else:
        what = f"the linear model has no {kind} '{name}'"
    advice = nearest(name or "", names) if names else "name them: tg.linearize(model, inputs=[...], outputs=[...])"
    raise LanguageError("E188", what, location=here(), advice=advice)
