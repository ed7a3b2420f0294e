"""How an integration ended: a code, what it means and what to try."""

from __future__ import annotations

from functools import lru_cache

from tellegen.engine.native.flags import Flag
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass

_FLAGS: dict[int, tuple[str, str, str]] = {
    Flag.TOO_MUCH_WORK: (
        "too-many-steps",
        "too many steps between two output points",
        "look for a value that grows without bound, for very fast dynamics or for chattering; or raise rtol;\n"
        "if the model really is that fast: more output points (points=...), or max_steps=1_000_000",
    ),
    Flag.TOO_MUCH_ACCURACY: (
        "too-accurate",
        "the tolerances are too small for double precision",
        "raise rtol and atol",
    ),
    Flag.ERROR_TEST: (
        "step-too-small",
        "the error test failed with the smallest step",
        "look for a discontinuity, a singularity or a value that grows without bound at this time",
    ),
    Flag.NO_CONVERGENCE: (
        "no-convergence",
        "the equations could not be solved even with the smallest step",
        "look for a discontinuity, a singularity or equations without a solution at this time",
    ),
    Flag.CHATTERING: (
        "chattering",
        "a condition switches back and forth at one instant",
        "add a hysteresis to the switch, or replace the jump by a steep ramp",
    ),
    Flag.POLE: (
        "pole",
        "an unknown grows without bound: a divisor crosses zero",
        "look for a divisor that vanishes at this time",
    ),
    Flag.GROWTH: (
        "step-too-small",
        "a value grows without bound",
        "look for what makes it grow: a wrong sign, a feedback that is too strong, a divisor that approaches zero",
    ),
    Flag.CONTRADICTION: (
        "contradiction",
        "the invariants contradict each other: no states satisfy all of them",
        "look for an invariant whose residual changes with something other than the states it names",
    ),
    Flag.SINGULAR_POSITION: (
        "singular-position",
        "a singular position: for an instant constraints repeat each other, and more than one motion can follow",
        "solver='rk45' steps across, and so do longer steps (a larger rtol); else begin elsewhere, or add what decides "
        "which way it goes, such as a spring",
    ),
    Flag.INTERRUPTED: ("interrupted", "interrupted by the user", ""),
    Flag.SINGULAR: (
        "singular",
        "the Jacobian is singular",
        "look for unknowns that the equations do not determine at this time",
    ),
    Flag.FIRST_RHS: (
        "not-finite",
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
    """`code` is "success" or names the failure; `time` is how far the solution reaches."""

    code: str
    message: str
    time: float
    advice: str = ""
    details: tuple[str, ...] = ()
    location: SourceLocation | None = None
    terminated: bool = False  # by tg.terminate, before the stop time

    @property
    def ok(self) -> bool:
        """Whether the whole interval was integrated."""
        return self.code == "success"

    def __repr__(self) -> str:
        return f"<Outcome {self}>"

    def __str__(self) -> str:
        return f"{self.code} at t = {self.time:g}: {self.message}"


@lru_cache(maxsize=16)
def success(time: float) -> Outcome:
    """The whole interval was integrated; most runs of a model have the same one."""
    return Outcome("success", "reached the stop time", time)


def from_flag(flag: int, time: float, details: tuple[str, ...] = (), location: SourceLocation | None = None) -> Outcome:
    """The outcome for a negative flag of an integrator."""
    code, message, advice = _FLAGS.get(
        _ALSO.get(flag, flag), (f"flag{flag}", f"the integrator stopped with flag {flag}", "")
    )
    return Outcome(code, message, time, advice, details, location)
