"""From sample to sample through the events of a plant: steps between events, instants located, estimates that jump.

While a step is computed all flags rest. Where one would change at its end, bisection finds the shortest step after
which it does; there the flags change, when-statements act, and the covariance P becomes S P S' with

    S = D + (f+ - D f-) g' / (g' f-)         D: derivatives of what the event does to the states, x+ = r(x-)
                                             f-, f+: rates before and after, g: gradient of what passes zero

the "saltation matrix": the instant of the event moves with the state (P. C. Müller, "Calculation of Lyapunov exponents
for dynamic systems with discontinuities", Chaos, Solitons and Fractals 5, 1995).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import nan

from tellegen.ir.expressions.expr import ONE, ZERO, Call, Const, Expr
from tellegen.sampling.filters.kalman_steps import (
    MOST_STEPS,
    Accuracy,
    Estimate,
    Motion,
    Span,
    Vector,
    change_of_length,
    largest_error,
    mean_after,
    packed,
    put,
    step_of,
)
from tellegen.sampling.tape import Matrix, Tape, identity, product, total, transposed
from tellegen.start.records import dataclass
from tellegen.symbolic.build import add, call, div, mul, sub, where

_HALVES = 52  # of a step, until its length is known to rounding
_ROUNDS = 4  # at an instant, until flags and when-statements change no more
_SHORT = 1e-3  # of a period: shorter steps are not divided because a flag changed between begin and end
_HALF = Const(0.5)


@dataclass(frozen=True, eq=False)
class Jumps:
    """What a plant does at events, as steps of a tape; truths are numbers, 0 or 1.

    flags       slots
    truths      what flags would be at a vector
    gradients   of what passes zero where they change, at a vector
    fires       which branches of when-statements act, from what their conditions were; and what these are now
    reset       the vector after the branches that act, and its derivatives by the one before
    """

    flags: Vector
    truths: Callable[[Vector], Vector]
    gradients: Callable[[Vector], Matrix]
    fires: Callable[[Vector, Vector], tuple[Vector, Vector]]
    reset: Callable[[Vector, Vector], tuple[Vector, Matrix]]
    branches: int


class HybridMotion:
    """From one sample to the next; an estimate that needs too many steps or events becomes NaN."""

    def __init__(self, tape: Tape, estimate: Estimate, motion: Motion, jumps: Jumps, accuracy: Accuracy) -> None:
        self.tape = tape
        self.estimate = estimate
        self.motion = motion
        self.jumps = jumps
        self.accuracy = accuracy
        self.longest = Const(motion.span / accuracy.steps if accuracy.steps else motion.span)
        self.conditions = [tape.copied(ZERO) for _ in range(jumps.branches)]  # as they were at the last event
        self.time = tape.copied(ZERO)
        self.length = tape.copied(self.longest)
        self.usual = tape.copied(self.longest)  # the length before it was cut at an event
        self.is_cut = tape.copied(ZERO)

    def move(self) -> None:
        """See the top of this file."""
        tape = self.tape
        end = Const(self.motion.span * (1.0 - 1e-12))
        count = tape.copied(ZERO)
        most = Const(float(MOST_STEPS + self.accuracy.steps))
        self._transform(self._settle())

        def goes_on() -> Expr:
            return Call("and", (Call("lt", (self.time, end)), Call("lt", (count, most))))

        def step() -> None:
            self._step()
            tape.store(count, add(count, ONE))

        tape.loop(goes_on, step)
        has_ended = Call("ge", (self.time, end))
        for slot in (*self.estimate.mean, *packed(self.estimate.covariance)):
            tape.store(slot, where(has_ended, slot, Const(nan)))

    def _step(self) -> None:
        tape = self.tape
        tape.store(self.length, call("min", self.length, sub(Const(self.motion.span), self.time)))
        tried = step_of(tape, self.estimate, self.motion, Span(self.time, self.length))
        values = [tape.let(value) for value in tried.values]
        error = tape.let(ZERO if self.accuracy.steps else largest_error(self.estimate, tape, tried, self.accuracy.rtol))
        is_good = tape.let(where(Call("le", (error, ONE)), ONE, self.is_cut))
        crosses = self._changed(values[: len(self.estimate.mean)])
        is_divided = tape.let(mul(mul(is_good, sub(ONE, crosses)), self._crosses_inside(tried.stages)))
        cuts = tape.let(mul(mul(is_good, crosses), sub(ONE, self.is_cut)))
        is_taken = tape.let(mul(mul(is_good, sub(ONE, cuts)), sub(ONE, is_divided)))
        tape.choose(_holds(cuts), self._cut)
        tape.choose(_holds(is_taken), lambda: self._take(values, error))
        tape.choose(Call("and", (_holds(is_taken), _holds(crosses))), self._jump)
        tape.choose(_holds(is_divided), lambda: tape.store(self.length, mul(_HALF, self.length)))
        tape.choose(Call("le", (is_good, _HALF)), lambda: self._shorten(error))

    def _changed(self, vector: Vector) -> Expr:
        """Whether a flag would change at a vector."""
        pairs = zip(self.jumps.flags, self.jumps.truths(vector), strict=True)
        return self.tape.let(reduce(lambda a, b: call("max", a, b), (call("abs", sub(x, y)) for x, y in pairs)))

    def _crosses_inside(self, stages: Sequence[Vector]) -> Expr:
        """Whether a flag is another between begin and end: what comes and goes within a step is not overlooked."""
        if self.accuracy.steps:
            return ZERO
        found = reduce(lambda a, b: call("max", a, b), map(self._changed, stages))
        is_long = where(Call("gt", (self.length, Const(_SHORT * self.motion.span))), ONE, ZERO)
        return self.tape.let(mul(found, is_long))

    def _cut(self) -> None:
        """The shortest step after which a flag has changed."""
        tape = self.tape
        low = tape.copied(ZERO)
        high = tape.copied(self.length)

        def halve() -> None:
            middle = tape.let(mul(_HALF, add(low, high)))
            is_past = self._changed(mean_after(tape, self.estimate, self.motion, middle))
            tape.store(high, where(_holds(is_past), middle, high))
            tape.store(low, where(_holds(is_past), low, middle))

        tape.repeat(_HALVES, halve)
        tape.store(self.usual, self.length)
        tape.store(self.length, high)
        tape.store(self.is_cut, ONE)

    def _take(self, values: Vector, error: Expr) -> None:
        tape = self.tape
        put(tape, self.estimate, values)
        tape.store(self.time, add(self.time, self.length))
        longer = self.longest if self.accuracy.steps else mul(self.length, change_of_length(error))
        tape.store(self.length, where(_holds(self.is_cut), self.usual, longer))
        tape.store(self.is_cut, ZERO)

    def _shorten(self, error: Expr) -> None:
        self.tape.store(self.length, mul(self.length, change_of_length(error)))

    def _jump(self) -> None:
        """The event at which a step has ended."""
        tape = self.tape
        mean = self.estimate.mean
        before = self._rates()
        gradient = self._gradient()
        moved = self._settle()
        after = self._rates()
        speed = tape.let(total(map(mul, gradient, before)))
        pushed = [row[0] for row in product(moved, [[value] for value in before])]
        gap = [tape.let(where(Call("eq", (speed, ZERO)), ZERO, div(sub(f, d), speed)))
               for f, d in zip(after, pushed, strict=True)]  # fmt: skip
        size = range(len(mean))
        self._transform([[add(moved[i][j], mul(gap[i], gradient[j])) for j in size] for i in size])

    def _rates(self) -> Vector:
        return [self.tape.copied(value) for value in self.motion.rates(list(self.estimate.mean))[0]]

    def _gradient(self) -> Vector:
        """Of what has passed zero: of the first flag that changes."""
        tape = self.tape
        mean = list(self.estimate.mean)
        rows = self.jumps.gradients(mean)
        found: Vector = [ZERO] * len(mean)
        is_found: Expr = ZERO
        for flag, truth, row in zip(self.jumps.flags, self.jumps.truths(mean), rows, strict=True):
            own = tape.let(mul(call("abs", sub(flag, truth)), sub(ONE, is_found)))
            found = [tape.let(add(old, mul(own, new))) for old, new in zip(found, row, strict=True)]
            is_found = tape.let(add(is_found, own))
        return found

    def _settle(self) -> Matrix:
        """Flags and when-statements until they rest; the derivatives of the vector by what it was."""
        tape = self.tape
        mean = list(self.estimate.mean)
        moved: Matrix = [[tape.copied(value) for value in row] for row in identity(len(mean))]

        def act() -> None:
            truths = [tape.let(value) for value in self.jumps.truths(mean)]
            for flag, truth in zip(self.jumps.flags, truths, strict=True):
                tape.store(flag, truth)
            fires, now = self.jumps.fires(mean, self.conditions)
            vector, slopes = self.jumps.reset(mean, fires)
            both = tape.let_all(product(tape.let_all(slopes), moved))
            for slot, value in zip(self.conditions, now, strict=True):
                tape.store(slot, value)
            for slot, value in zip(mean, [tape.let(value) for value in vector], strict=True):
                tape.store(slot, value)
            for row, values in zip(moved, both, strict=True):
                for slot, value in zip(row, values, strict=True):
                    tape.store(slot, value)

        tape.repeat(_ROUNDS, act)
        return moved

    def _transform(self, matrix: Matrix) -> None:
        """P = S P S'."""
        s = self.tape.let_all(matrix)
        half = self.tape.let_all(product(s, self.estimate.covariance))
        whole = self.tape.let_all(product(half, transposed(s)))
        for slot, value in zip(packed(self.estimate.covariance), packed(whole), strict=True):
            self.tape.store(slot, value)


def _holds(truth: Expr) -> Expr:
    return Call("gt", (truth, _HALF))
