"""Random networks of rigid bodies and dry friction, as the Modelica library writes friction, and their exact motion.

Bodies turn on one axis; friction elements connect them with each other or with the ground, without loops, so forces
are unique. Torques are constant between steps, so speeds are straight lines from event to event: `exact` follows these
by trying all ways in which elements at rest may stick or start, and shares nothing with the engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

import tellegen as tg

FORWARD, STUCK, BACKWARD, FREE, UNKNOWN = 1, 0, -1, 2, 3
GROUND = -1


class Friction(tg.Component):
    """Dry friction with a path parameter: the torque while it sticks, else the acceleration beyond the largest one."""

    most = tg.parameter(1.0)
    pressed = tg.input()
    w = tg.input()
    a = tg.variable()
    tau = tg.variable()
    sa = tg.variable()
    free = tg.boolean()
    forward = tg.boolean()
    backward = tg.boolean()
    locked = tg.boolean()
    mode = tg.integer(start=UNKNOWN)

    def equations(self) -> Any:
        most = self.most * self.pressed
        before = tg.pre(self.mode)
        yield self.a == tg.der(self.w)
        yield self.free == (self.pressed <= 0.0)
        starts = (self.sa > most) | (tg.pre(self.forward) & (self.sa > most))
        yield self.forward == ((before == STUCK) & starts) | (tg.initial() & (self.w > 0.0))
        starts = (self.sa < -most) | (tg.pre(self.backward) & (self.sa < -most))
        yield self.backward == ((before == STUCK) & starts) | (tg.initial() & (self.w < 0.0))
        goes_forward = (before == FORWARD) | self.forward
        goes_backward = (before == BACKWARD) | self.backward
        yield self.locked == ~self.free & ~(goes_forward | goes_backward)
        slid = tg.where(goes_forward, self.sa - most, self.sa + most)
        yield self.a == tg.where(self.locked, 0.0, tg.where(self.free, self.sa, slid))
        sliding = tg.where(goes_forward, most, -most)
        yield self.tau == tg.where(self.locked, self.sa, tg.where(self.free, 0.0, sliding))
        is_forward = (goes_forward | (before == FREE)) & (self.w > 0.0)
        is_backward = (goes_backward | (before == FREE)) & (self.w < 0.0)
        moving = tg.where(is_forward, FORWARD, tg.where(is_backward, BACKWARD, STUCK))
        yield self.mode == tg.where(self.free, FREE, moving)


@dataclass(frozen=True)
class Numbers:
    """One network with its loads: torques[k] act on the bodies from times[k] on, `pressed` says what is engaged."""

    ends: tuple[tuple[int, int], ...]
    inertias: Any
    most: Any
    speeds: Any
    times: Any
    torques: Any
    pressed: Any


def network(ends: tuple[tuple[int, int], ...], bodies: int, steps: int) -> type[tg.Component]:
    """The class of all networks with these friction elements."""

    class Network(tg.Component):
        J = tg.parameter(1.0, shape=bodies)
        times = tg.parameter(0.0, shape=steps)
        torques = tg.parameter(0.0, shape=(steps, bodies))
        engaged = tg.parameter(1.0, shape=(steps, len(ends)))
        w = tg.variable(shape=bodies, start=0.0, fixed=True)
        frictions = Friction.array(len(ends))

        def equations(self) -> Any:
            for k, (a, b) in enumerate(ends):
                element = self.frictions[k]
                yield element.w == self.w[a] - (self.w[b] if b >= 0 else 0.0)
                yield element.pressed == self._at(self.engaged[:, k])
            for i in range(bodies):
                friction = 0.0
                for k, (a, b) in enumerate(ends):
                    if i in (a, b):
                        friction = friction + (1 if i == a else -1) * self.frictions[k].tau
                yield self.J[i] * tg.der(self.w[i]) == self._at(self.torques[:, i]) - friction

        def _at(self, values: Any) -> Any:
            """A step function of time."""
            found = values[0]
            for k in range(1, steps):
                found = tg.where(tg.time >= self.times[k], values[k], found)
            return found

    return Network


def drawn(rng: np.random.Generator, ends: tuple[tuple[int, int], ...], bodies: int, steps: int) -> Numbers:
    """Numbers for a network; some elements start at rest, some are released and engaged."""
    speeds = rng.choice([0.0, 0.0, 1.0, -0.5, 2.0], bodies)
    gaps = rng.uniform(0.1, 0.6, steps - 1)
    return Numbers(
        ends,
        rng.uniform(0.5, 2.0, bodies),
        rng.uniform(0.3, 2.0, len(ends)),
        speeds,
        np.concatenate([[0.0], np.cumsum(gaps)]),
        rng.uniform(-3.0, 3.0, (steps, bodies)) * rng.choice([0.0, 1.0, 1.0], (steps, bodies)),
        rng.choice([1.0, 1.0, 1.0, 0.0], (steps, len(ends))),
    )


def values_of(numbers: Numbers) -> dict[str, Any]:
    """The numbers as values of parameters."""
    out: dict[str, Any] = {"J": numbers.inertias, "times": numbers.times, "torques": numbers.torques}
    out["engaged"] = numbers.pressed
    for k, most in enumerate(numbers.most):
        out[f"frictions[{k}].most"] = most
    return out


def exact(numbers: Numbers, stop: float, outputs: Any) -> Any:
    """The speeds at some times."""
    incidence = np.zeros((len(numbers.ends), len(numbers.inertias)))
    for k, (a, b) in enumerate(numbers.ends):
        incidence[k, a] = 1.0
        if b != GROUND:
            incidence[k, b] = -1.0
    w = numbers.speeds.astype(float)
    relative = incidence @ w
    t = 0.0
    out = np.zeros((len(outputs), len(w)))
    while True:
        load = int(np.searchsorted(numbers.times, t, side="right")) - 1
        rate = _rates(numbers, incidence, load, relative)
        slope = incidence @ rate
        later = numbers.times[load + 1] if load + 1 < len(numbers.times) else stop
        engaged = numbers.pressed[load] > 0.0
        arrival = np.full(len(slope), np.inf)
        meets = engaged & (relative * slope < 0.0)
        arrival[meets] = t - relative[meets] / slope[meets]
        end = min(later, stop, arrival.min(initial=np.inf))
        here = (outputs >= t) & (outputs <= end)
        out[here] = w + np.outer(outputs[here] - t, rate)
        if end >= stop:
            return out
        w = w + (end - t) * rate
        relative = relative + (end - t) * slope
        relative[arrival <= end + 1e-12] = 0.0
        t = end


def _rates(numbers: Numbers, incidence: Any, load: int, relative: Any) -> Any:
    """Accelerations: elements at rest stick, or start one way or the other, whichever agrees with their torques."""
    engaged = numbers.pressed[load] > 0.0
    resting = np.flatnonzero(engaged & (relative == 0.0))
    inverse = np.diag(1.0 / numbers.inertias)
    best = None
    for ways in product((STUCK, FORWARD, BACKWARD), repeat=len(resting)):
        direction = np.where(engaged, np.sign(relative), 0.0)
        direction[resting] = ways
        tau = direction * numbers.most
        stuck = resting[np.array(ways, int) == STUCK] if len(resting) else resting
        free = numbers.torques[load] - incidence.T @ tau
        held = incidence[stuck]
        if len(stuck):
            tau[stuck] = np.linalg.solve(held @ inverse @ held.T, held @ inverse @ free)
        rate = inverse @ (numbers.torques[load] - incidence.T @ tau)
        slope = incidence @ rate
        excess = max(
            np.max(np.abs(tau[stuck]) - numbers.most[stuck], initial=0.0),
            np.max(-slope[resting] * np.array(ways), initial=0.0),
        )
        if best is None or excess < best[0]:
            best = (excess, rate)
    assert best is not None
    assert best[0] < 1e-9
    return best[1]
