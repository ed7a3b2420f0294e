"""What kernels of ensembles are given, and what they call: a job, functions of a model, memory of all runs.

Sizes and places (capital letters) are constants of a model, put in when its kernel is made (sizes.py).
"""

from __future__ import annotations

from tellegen.procedures.language import Array, Record, f64, i64, procedure


class Job(Record):
    """An ensemble. Arrays of runs have number k of run r at [k * stride + r]."""

    stride: i64  # of runs, a multiple of all lanes
    varied: Array[f64]
    common: Array[f64]  # parameters that all runs share, and start values of the states after them
    atol: Array[f64]
    part: Array[f64]  # of the largest value of a state, that its absolute tolerance is at least
    too_loose: Array[f64]  # the largest value of a state below which its tolerance was too large
    times: Array[f64]  # of output, and infinity at last
    rtol: f64
    start: f64
    stop: f64
    longest: f64
    lookahead: f64
    most_steps: i64
    fixed_steps: i64
    status: Array[f64]
    reached: Array[f64]
    counts: Array[f64]  # steps, rejected ones, events
    results: Array[f64]  # OUTPUTS times REDUCTIONS
    curves: Array[f64]  # per output time OUTPUTS
    measured: Array[f64]  # three numbers of each measure


class Status:
    """How a run ended. What is not done is made again by the scalar engine, which knows the reason."""

    DONE = 0.0
    SHORT_STEP = 1.0
    STIFF = 2.0
    EVENT = 3.0  # one that kernels leave to the scalar engine
    TOO_LONG = 4.0
    LOOSE = 5.0  # the tolerances were made for larger states


@procedure(external=True)
def inverse(x: f64) -> f64:
    """1/x, on a GPU without a branch; NaN there for what is too small or too large for it."""
    return 1.0 / x


@procedure(external=True)
def read_lane(array: Array[f64], index: i64) -> f64:
    """array[index] of a run, and the following elements of the lanes beside it."""
    return array[index]


@procedure(external=True)
def write_lane(array: Array[f64], index: i64, value: f64) -> None:
    """array[index] = value, and the following elements of the lanes beside it."""
    array[index] = value


@procedure(external=True)
def scatter_lane(array: Array[f64], index: i64, stride: f64, row: f64, value: f64, is_due: bool) -> None:
    """array[index + stride*row] = value where it is due; each lane has its own row."""
    if is_due:
        array[index + int(stride * row)] = value


@procedure(external=True)
def read_time(array: Array[f64], row: f64) -> f64:
    """array[row], each lane its own."""
    return array[int(row)]


@procedure(external=True)
def parameters(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """The parameters of a run that follow from those varied, into `out`, which is q."""


@procedure(external=True)
def start_values(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """The start values of the states."""


@procedure(external=True)
def rates(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """The rates of the states."""


@procedure(external=True)
def outputs(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """The quantities that are asked for."""


@procedure(external=True)
def curves(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """The curves that are measured, in the units of the model."""


@procedure(external=True)
def bounds(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """What curves are at most and at least around t, from the same of states, both in `out`."""


@procedure(external=True)
def judged(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """Conditions of assertions, 1.0 or 0.0, and variables with limits."""


@procedure(external=True)
def differences(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """left - right of relations of unknowns."""


@procedure(external=True)
def instants(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """left - right of relations of time."""


@procedure(external=True)
def conditions(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """Conditions of when-statements, 1.0 or 0.0."""


@procedure(external=True)
def values(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """Values of actions and of discrete equations."""


@procedure(external=True)
def pre_values(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """The present values of what pre() reads."""


@procedure(external=True)
def gates(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """Whether relations matter that have a gate."""


@procedure(external=True)
def samples(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """The offset and the period of every sample."""


@procedure(external=True)
def divisors(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64]) -> None:
    """Divisors that change with time, each followed by what it divides."""


@procedure(external=True)
def factor(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64], shift: f64) -> None:
    """The factors of shift*I - J, for J the derivatives of the rates by the states; then those by time."""


@procedure(external=True)
def increment(t: f64, common: Array[f64], q: Array[f64], x: Array[f64], out: Array[f64], factors: Array[f64]) -> None:
    """Solve with the factors for the sum of the rates and out, into out."""
