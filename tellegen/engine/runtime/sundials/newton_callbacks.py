"""Newton's method of CVODE for the states and the unknowns of loops at once.

    x' = f(t, x, z),  0 = g(t, x, z)        z: the tears of the loops (ir/ode.py: Solve)

Loops solved inside of every right-hand side cost iterations, matrices and factors of their own each time CVODE asks
for rates, half of a run with transistors: nodes without a charge are nonlinear loops, capacitances in loops linear ones
whose matrix changes. Here an evaluation takes z as it stands and leaves g as residuals; the sparse system that CVODE's
corrections follow from anyway (engine/runtime/algebra/newton_matrix.py) has their rows, and gives dz with dx. The guess
of z is a polynomial through the last steps, of CVODE's order. Where this does not converge the loops are solved inside,
as for all who ask for rates beside the steps (output times, roots, restarts).

IDA does the same for all unknowns of F(t, y, y') = 0 (Brown, Hindmarsh and Petzold, 1994), and tests the errors of all;
here those of the states limit steps, and vectors are as long as these.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tellegen.engine.runtime.algebra.ode_rhs import Ode
from tellegen.procedures.language import Address, Array, Record, f64, i32, i64, is_finite, procedure, sqrt

PAST = 4
"""Steps that the guess of tears is extrapolated from at most."""

_ROOT_FINDING = 0  # SUNNONLINEARSOLVER_ROOTFIND
_NOT_CONVERGED = 902  # SUN_NLS_CONV_RECVR: a smaller step may help
_MOST_ITERATIONS = 4
_SLOWEST = 0.3  # CVODE's habits (CRDOWN, RDIV): how fast its estimate of the rate of convergence may fall,
_DIVERGED = 2.0  # and how much larger a correction may be than the one before


class SimultaneousNewton(Record):
    """The content of a SUNNonlinearSolver. `now`, `taken`, `order` and `is_fresh` are arrays of one, for results."""

    ode: Ode
    residual: Callable[[Address, Address, Address], i32]
    set_up: Callable[[i32, Array[i32], Address], i32]
    solve: Callable[[Address, Address], i32]
    get_steps: Callable[[Address, Array[i64]], i32]
    get_time: Callable[[Address, Array[f64]], i32]
    get_order: Callable[[Address, Array[i32]], i32]
    memory: Address  # of CVODE
    states: i64
    correction: Address  # of the states
    delta: Address  # what an iteration adds to it
    change: Array[f64]  # the numbers of delta
    given: Array[f64]  # the right-hand side of the linear system that gave them
    weights: Array[f64]
    count: i64  # of tears
    place: Array[i32]  # of each in the work vector
    state: Array[i32]  # the number of the state whose rate it is, or -1
    tested: Array[i32]  # 1 for those of nonlinear loops; others are as good as what they follow from
    value: Array[f64]  # the guess, then what was found for the step that was tried last
    time: f64  # the end of that
    steps: i64  # that were accepted before it
    past: Array[f64]  # at the ends of the last steps that were accepted: a ring of PAST rows, the `newest` among them
    times: Array[f64]
    newest: i64
    known: i64  # how many of these there are
    rate: f64  # of convergence
    iterations: i64
    failures: i64
    now: Array[f64]
    taken: Array[i64]
    order: Array[i32]
    is_fresh: Array[i32]


class Solver(Record):
    """The first field of a SUNNonlinearSolver: what its operations work on."""

    content: SimultaneousNewton


@procedure
def nls_type(solver: Solver) -> i32:
    """What kind of solver this is."""
    return _ROOT_FINDING


@procedure
def nls_set_residual(solver: Solver, function: Callable[[Address, Address, Address], i32]) -> i32:
    """CVODE's residual: correction, result, its memory."""
    solver.content.residual = function
    return 0


@procedure
def nls_set_set_up(solver: Solver, function: Callable[[i32, Array[i32], Address], i32]) -> i32:
    """How CVODE sets up its linear solver: whether the Jacobian is bad, whether it is a new one, its memory."""
    solver.content.set_up = function
    return 0


@procedure
def nls_set_solve(solver: Solver, function: Callable[[Address, Address], i32]) -> i32:
    """How CVODE solves a linear system: b, which becomes the solution, and its memory."""
    solver.content.solve = function
    return 0


@procedure
def nls_iterations(solver: Solver, count: Array[i64]) -> i32:
    """Of the last call."""
    count[0] = solver.content.iterations
    return 0


@procedure
def nls_failures(solver: Solver, count: Array[i64]) -> i32:
    """Of the last call."""
    count[0] = solver.content.failures
    return 0


@procedure
def put_tears(own: SimultaneousNewton, values: Array[f64]) -> None:
    """Into the work vector."""
    w = own.ode.w
    for k in range(own.count):
        w[own.place[k]] = values[k]


@procedure
def take_last_step(own: SimultaneousNewton) -> None:
    """See whether the step that was tried last was accepted; after a restart nothing is known."""
    own.get_steps(own.memory, own.taken)
    steps = own.taken[0]
    if steps == own.steps + 1:
        own.newest = (own.newest + 1) % PAST
        own.times[own.newest] = own.time
        past = own.past[own.newest * own.count :]
        for k in range(own.count):
            past[k] = own.value[k]
        own.known = min(own.known + 1, PAST)
    elif steps != own.steps:
        own.known = 0
    own.steps = steps
    own.get_time(own.memory, own.now)
    own.time = own.now[0]


@procedure
def guess(own: SimultaneousNewton) -> None:
    """The tears to begin with: the polynomial through the last ones, of CVODE's order; without a past what is there."""
    count = own.count
    value = own.value
    if own.known == 0:
        for k in range(count):
            value[k] = own.ode.w[own.place[k]]
        return
    own.get_order(own.memory, own.order)
    points = min(own.known, own.order[0] + 1)
    for k in range(count):
        value[k] = 0.0
    for i in range(points):
        place = (own.newest + PAST - i) % PAST
        weight = 1.0
        for j in range(points):
            if j != i:
                other = own.times[(own.newest + PAST - j) % PAST]
                weight = weight * (own.time - other) / (own.times[place] - other)
        past = own.past[place * count :]
        for k in range(count):
            value[k] += weight * past[k]


@procedure
def size_of_states(own: SimultaneousNewton) -> f64:
    """A correction of the states, relative to their tolerances: the root of the mean square."""
    change = own.change
    weights = own.weights
    total = 0.0
    for k in range(own.states):
        part = change[k] * weights[k]
        total += part * part
    return sqrt(total / max(own.states, 1))


@procedure
def correct_tears(own: SimultaneousNewton) -> f64:
    """Add the corrections that the linear system has given; their size as that of states."""
    ode = own.ode
    w = ode.w
    full = ode.full
    total = 0.0
    count = 0
    for k in range(own.count):
        place = own.place[k]
        state = own.state[k]
        if state < 0:
            step = full[place]
            allowed = ode.rtol * max(abs(w[place]), ode.scale[place])
        else:
            step = ode.inverse_gamma * (full[place - ode.size] - own.given[state])
            allowed = ode.inverse_gamma / own.weights[state]
        w[place] += step
        if own.tested[k] != 0:
            part = step / allowed
            total += part * part
            count += 1
    return sqrt(total / max(count, 1))


@procedure
def corrected(own: SimultaneousNewton) -> f64:
    """Add a correction to states and tears; its size relative to their tolerances.

    That of the larger part: many tears would hide what is left of a few states, and the other way round.
    """
    change = own.change
    for s in range(own.states):
        change[s] = -change[s]
        own.given[s] = change[s]
    if own.solve(own.delta, own.memory) != 0:
        return math.inf
    size = size_of_states(own)
    if own.ode.leaves_loops:
        size = max(size, correct_tears(own))
    sum_of_corrections = own.ode.get_array(own.correction)
    for s in range(own.states):
        sum_of_corrections[s] += change[s]
    return size


@procedure
def iterate(own: SimultaneousNewton, tolerance: f64) -> i32:
    """Corrections with one matrix, from a residual that is there; 0 where they converge."""
    before = 0.0
    for k in range(_MOST_ITERATIONS):
        own.iterations += 1
        size = corrected(own)
        if k > 0:
            own.rate = max(_SLOWEST * own.rate, size / before)
        if size * min(1.0, own.rate) <= tolerance:
            return 0
        if not is_finite(size) or (k > 0 and size > _DIVERGED * before):
            return _NOT_CONVERGED
        before = size
        if k < _MOST_ITERATIONS - 1:
            status = own.residual(own.correction, own.delta, own.memory)
            if status != 0:
                return status
    return _NOT_CONVERGED


@procedure
def attempt(own: SimultaneousNewton, tolerance: f64, is_new: bool) -> i32:
    """Iterate from the guess, once more with a new Jacobian where an old one does not do; 0 where it converges."""
    is_fresh = own.is_fresh
    is_fresh[0] = 0
    status = 0
    for trial in range(2):
        status = own.residual(own.correction, own.delta, own.memory)
        if status != 0:
            return status
        if is_new or trial > 0:
            status = own.set_up(trial, is_fresh, own.memory)
            own.rate = 1.0
        if status == 0:
            status = iterate(own, tolerance)
        if status <= 0 or is_fresh[0] != 0:
            return status
        own.failures += 1
        forget_correction(own)
    return status


@procedure
def forget_correction(own: SimultaneousNewton) -> None:
    """Back to the guess of states and tears."""
    correction = own.ode.get_array(own.correction)
    for s in range(own.states):
        correction[s] = 0.0
    put_tears(own, own.value)


@procedure
def nls_solve(
    solver: Solver, start: Address, correction: Address, weights: Address, tolerance: f64, is_new: i32, memory: Address
) -> i32:
    """The states at the end of a step, and the tears with them; positive where a smaller step may help."""
    own = solver.content
    ode = own.ode
    own.memory = memory
    own.correction = correction
    own.weights = ode.get_array(weights)
    own.iterations = 0
    own.failures = 0
    take_last_step(own)
    guess(own)
    put_tears(own, own.value)
    ode.leaves_loops = True
    status = attempt(own, tolerance, is_new != 0)
    ode.leaves_loops = False
    if status > 0:
        own.failures += 1
        forget_correction(own)
        status = attempt(own, tolerance, True)
    if status != 0:
        put_tears(own, own.value)
        return status
    for k in range(own.count):
        own.value[k] = ode.w[own.place[k]]
    return 0
