"""How an integration ended: a code, what it means and what to try."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from tellegen.engine.native.flags import Flag
from tellegen.errors import TellegenError
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass


class OutcomeCode(StrEnum):
    """All ways in which a run can end; to users they are strings."""

    SUCCESS = "success"
    TOO_MANY_STEPS = "too-many-steps"
    TOO_ACCURATE = "too-accurate"
    STEP_TOO_SMALL = "step-too-small"
    NO_CONVERGENCE = "no-convergence"
    SINGULAR = "singular"
    SINGULAR_POSITION = "singular-position"
    NOT_FINITE = "not-finite"
    POLE = "pole"
    OVERFLOW = "overflow"
    EXCEPTION = "exception"
    """A function of the user raised one."""
    CONTRADICTION = "contradiction"
    CHATTERING = "chattering"
    EVENT = "event"
    """The event iteration found no consistent values."""
    ASSERTION = "assertion"
    VIOLATION = "violation"
    """A requirement was lost, and the run was to end there."""
    STAGGERED = "staggered"
    """Given up, for independent parts of the model have their events one at a time: these are run by themselves."""
    INTERRUPTED = "interrupted"
    OTHER = "other"
    """A flag of SUNDIALS that no run is known to end with."""


_SUCCESS = OutcomeCode.SUCCESS  # Python 3.11 takes 90 ns to find a member of an enumeration


_FLAGS: dict[int, tuple[OutcomeCode, str, str]] = {
    Flag.TOO_MUCH_WORK: (
        OutcomeCode.TOO_MANY_STEPS,
        "too many steps between two output points",
        "look for a value that grows without bound, for very fast dynamics or for chattering; or raise rtol;\n"
        "if the model really is that fast: more output points (points=...), or max_steps=1_000_000",
    ),
    Flag.TOO_MUCH_ACCURACY: (
        OutcomeCode.TOO_ACCURATE,
        "the tolerances are too small for double precision",
        "raise rtol and atol",
    ),
    Flag.ERROR_TEST: (
        OutcomeCode.STEP_TOO_SMALL,
        "the error test failed with the smallest step",
        "look for a discontinuity, a singularity or a value that grows without bound at this time",
    ),
    Flag.NO_CONVERGENCE: (
        OutcomeCode.NO_CONVERGENCE,
        "the equations could not be solved even with the smallest step",
        "look for a discontinuity, a singularity or equations without a solution at this time",
    ),
    Flag.CHATTERING: (
        OutcomeCode.CHATTERING,
        "a condition switches back and forth at one instant",
        "add a hysteresis to the switch, or replace the jump by a steep ramp",
    ),
    Flag.POLE: (
        OutcomeCode.POLE,
        "an unknown grows without bound: a divisor crosses zero",
        "look for a divisor that vanishes at this time",
    ),
    Flag.GROWTH: (
        OutcomeCode.STEP_TOO_SMALL,
        "a value grows without bound",
        "look for what makes it grow: a wrong sign, a feedback that is too strong, a divisor that approaches zero",
    ),
    Flag.CONTRADICTION: (
        OutcomeCode.CONTRADICTION,
        "the invariants contradict each other: no states satisfy all of them",
        "look for an invariant whose residual changes with something other than the states it names",
    ),
    Flag.SINGULAR_POSITION: (
        OutcomeCode.SINGULAR_POSITION,
        "a singular position: for an instant constraints repeat each other, and more than one motion can follow",
        "solver='rk45' steps across, and so do longer steps (a larger rtol); else begin elsewhere, or add what decides "
        "which way it goes, such as a spring",
    ),
    Flag.INTERRUPTED: (OutcomeCode.INTERRUPTED, "interrupted by the user", ""),
    Flag.SINGULAR: (
        OutcomeCode.SINGULAR,
        "the Jacobian is singular",
        "look for unknowns that the equations do not determine at this time",
    ),
    Flag.FIRST_RHS: (
        OutcomeCode.NOT_FINITE,
        "an equation does not evaluate to a finite number",
        "look for a division by zero, or a root or logarithm of a negative number",
    ),
}
_ALSO: dict[int, int] = {
    Flag.LINEAR_INIT: Flag.SINGULAR,
    Flag.PROJECTION: Flag.CONTRADICTION,
    Flag.REPEATED_PROJECTION: Flag.NO_CONVERGENCE,
    Flag.LINEAR_SOLVE: Flag.SINGULAR,
    Flag.RHS: Flag.FIRST_RHS,
    Flag.REPEATED_RHS: Flag.FIRST_RHS,
    Flag.ROOT_FUNCTION: Flag.FIRST_RHS,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """`code` is SUCCESS or names the failure; `time` is how far the solution reaches."""

    code: OutcomeCode
    message: str
    time: float
    advice: str = ""
    details: tuple[str, ...] = ()
    location: SourceLocation | None = None
    terminated: bool = False  # by tg.terminate, before the stop time
    cause: TellegenError | None = None  # what a function raised at an event

    @property
    def ok(self) -> bool:
        """Whether the whole interval was integrated."""
        return self.code is _SUCCESS

    def __repr__(self) -> str:
        return f"<Outcome {self}>"

    def __str__(self) -> str:
        return f"{self.code} at t = {self.time:g}: {self.message}"


@lru_cache(maxsize=16)
def success(time: float) -> Outcome:
    """The whole interval was integrated; most runs of a model have the same one."""
    return Outcome(OutcomeCode.SUCCESS, "reached the stop time", time)


def from_flag(flag: int, time: float, details: tuple[str, ...] = (), location: SourceLocation | None = None) -> Outcome:
    """The outcome for a negative flag of an integrator."""
    code, message, advice = _FLAGS.get(
        _ALSO.get(flag, flag), (OutcomeCode.OTHER, f"the integrator stopped with flag {flag}", "")
    )
    return Outcome(code, message, time, advice, details, location)
