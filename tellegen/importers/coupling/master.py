"""Master algorithms: how FMUs that read each other's outputs are taken over a communication step.

    jacobi          all of them step with what is known at the beginning of the step
    gauss-seidel    one after the other, in the order given; each reads what those before it have reached

An input has one value over a step. With extrapolation "constant" that is the last value known (of FMUs that have
stepped already, the new one), and errors are of first order in the step size. With "linear" it is the value in the
middle of the step on a line through the last two values, and errors are of second order.

With a tolerance every step is done once, and again as two halves from the same states; the difference is the error of
the two halves times 2**order - 1 (Richardson). Steps that are too inaccurate are taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

MasterName = Literal["jacobi", "gauss-seidel"]
Extrapolation = Literal["constant", "linear"]
MASTERS = ("jacobi", "gauss-seidel")
EXTRAPOLATIONS = ("constant", "linear")
_SAFETY = 0.9
_SHRINK = 0.2
_GROW = 4.0
_LAST = 1e-9  # part of a step that counts as nothing
_SMALLEST = 1e-7  # part of the communication step


class Part(Protocol):
    """An FMU as masters see it: numbers in, a step, numbers out."""

    def put(self, places: Sequence[int], values: Sequence[float]) -> None:
        """Set inputs."""
        ...

    def read(self) -> np.ndarray:
        """All outputs."""
        ...

    def step(self, t: float, h: float) -> bool:
        """From a time on; whether the FMU asks to end the run."""
        ...

    def save(self) -> Any:
        """Its state."""
        ...

    def restore(self, state: Any) -> None:
        """Back to a state."""
        ...


@dataclass(frozen=True)
class Link:
    """An output that is an input of another part, by numbers."""

    source: int
    output: int
    target: int
    input: int


@dataclass(frozen=True)
class Method:
    """See the top of this file; without `rtol` steps are those of the communication points."""

    master: MasterName = "jacobi"
    extrapolation: Extrapolation = "constant"
    rtol: float | None = None

    @property
    def order(self) -> int:
        """By which power of the step size errors decrease."""
        return 2 if self.extrapolation == "linear" else 1


@dataclass
class Reached:
    """What is known at a time: outputs of all parts now and one step before."""

    now: list[np.ndarray] = field(default_factory=list)
    before: list[np.ndarray] = field(default_factory=list)
    last_step: float = 0.0

    def copy(self) -> Reached:
        """The same, unaffected by later steps; arrays are replaced, never changed."""
        return Reached(list(self.now), list(self.before), self.last_step)


class Master:
    """Steps parts together."""

    def __init__(self, parts: Sequence[Part], links: Sequence[Link], method: Method, failed: Callable[[], Exception]):
        self.parts = parts
        self.links = links
        self.method = method
        self.reached = Reached()
        self.steps = 0
        self.rejected = 0
        self._failed = failed
        self._step: float | None = None
        self._size: list[np.ndarray] = []

    def begin(self) -> None:
        """Initial values are known."""
        self.reached = Reached()
        self.exchange()
        self._size = [np.abs(values) for values in self.reached.now]

    def exchange(self) -> None:
        """Inputs become the outputs they are connected to; outputs may follow them at once."""
        self.reached.now = [part.read() for part in self.parts]
        for link in self.links:
            self.parts[link.target].put([link.input], [self.reached.now[link.source][link.output]])
        self.reached.now = [part.read() for part in self.parts]

    def advance(self, t: float, step: float) -> bool:
        """Over a communication step; whether a part asks to end the run."""
        if self.method.rtol is None:
            return self._once(t, step)
        end = t + step
        while end - t > _LAST * step:
            left = end - t
            h = min(self._step or left, left)
            h = left if left - h < _LAST * step else min(h, left)
            ended, error = self._controlled(t, h)
            if error <= 1.0:
                t += h
            else:
                self.rejected += 1
            factor = _SAFETY * max(error, 1e-10) ** (-1.0 / (self.method.order + 1))
            wanted = h * min(max(factor, _SHRINK), _GROW)
            following = wanted if error > 1.0 or h < left else max(wanted, self._step or 0.0)
            self._step = following
            if ended:
                return True
            if following < _SMALLEST * step:
                raise self._failed()
        return False

    def _controlled(self, t: float, h: float) -> tuple[bool, float]:
        """A step in two halves, and its error in tolerances; above 1 it was taken back."""
        states = [part.save() for part in self.parts]
        known = self.reached.copy()
        self._once(t, h)
        coarse = self.reached.now
        self._restore(states, known)
        ended = self._once(t, 0.5 * h) or self._once(t + 0.5 * h, 0.5 * h)
        error = self._error(coarse)
        if error > 1.0:
            self._restore(states, known)
            return False, error
        self._size = [np.maximum(size, np.abs(now)) for size, now in zip(self._size, self.reached.now, strict=True)]
        return ended, error

    def _restore(self, states: Sequence[Any], known: Reached) -> None:
        for part, state in zip(self.parts, states, strict=True):
            part.restore(state)
        self.reached = known.copy()

    def _error(self, coarse: Sequence[np.ndarray]) -> float:
        """Of the finer result, in tolerances of the largest values so far."""
        worst = 0.0
        assert self.method.rtol is not None
        for fine, other, size in zip(self.reached.now, coarse, self._size, strict=True):
            scale = self.method.rtol * np.maximum(np.maximum(size, np.abs(fine)), np.finfo(float).tiny ** 0.5)
            off = np.abs(fine - other) / (2**self.method.order - 1)
            worst = max(worst, float((off / scale).max(initial=0.0)))
        return worst

    def _once(self, t: float, h: float) -> bool:
        """One step of all parts."""
        known = self.reached
        new: list[np.ndarray | None] = [None] * len(self.parts)
        ended = False
        for number, part in enumerate(self.parts):
            for link in self.links:
                if link.target == number:
                    part.put([link.input], [self._input(link, h, new[link.source])])
            ended = part.step(t, h) or ended
            if self.method.master == "gauss-seidel":
                new[number] = part.read()
        self.steps += 1
        self.reached = Reached(known.now, known.now, h)
        self.exchange()
        return ended

    def _input(self, link: Link, h: float, new: np.ndarray | None) -> float:
        """The value of an input over a step."""
        known = self.reached
        old = float(known.now[link.source][link.output])
        is_linear = self.method.extrapolation == "linear"
        if new is not None:
            reached = float(new[link.output])
            return 0.5 * (old + reached) if is_linear else reached
        if not is_linear or not known.before:
            return old
        rate = (old - float(known.before[link.source][link.output])) / known.last_step
        return old + 0.5 * h * rate
