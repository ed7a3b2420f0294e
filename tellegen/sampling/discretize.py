"""tg.discretize: a sampled controller from a continuous one.

    zoh, euler, rosenbrock    inputs are held: y = g(x, u) at a tick, and x of the next one is computed ahead
    tustin, backward          x = w + a T f(x, u) at a tick, w = x + (1 - a) T f(x, u) for the next; a = 1/2 or 1

The latter are the generalized bilinear transformation of linear systems (G. Zhang, X. Chen and T. Chen, "Digital
redesign via the generalised bilinear transformation", Int. J. Control 82, 2009), written so that x is the state itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tellegen as tg
from tellegen.errors import DesignError, nearest, users_call
from tellegen.ir.expressions.expr import ONE, Apply, Const, Expr, Lookup, Slot, walk
from tellegen.ir.source_location import here
from tellegen.sampling.continuous_model import ContinuousModel, continuous_model, refused, uses_time
from tellegen.sampling.linear_system import LinearSystem, linear_system
from tellegen.sampling.sampled_class import SampledParts
from tellegen.sampling.sampled_events import SampledEvents
from tellegen.sampling.steps import exact_matrices, implicit_matrices, implicit_step, parameters_of, rosenbrock_step
from tellegen.sampling.tape import total
from tellegen.symbolic.build import add, is_zero, mul

METHODS = ("tustin", "zoh", "euler", "backward", "rosenbrock")
_SHARES = {"tustin": 0.5, "backward": 1.0}
_ITERATIONS = 3
_WHAT = "tg.discretize"


@users_call
def discretize(
    component: Any, period: float | str | Any, method: str = "tustin", *, iterations: int = _ITERATIONS
) -> Any:
    """A sampled component from a continuous one, with the same inputs, outputs and parameters under the same names.

    component     a continuous model with inputs or outputs: a block, a controller of several, a DAE
    period        from sample to sample, "1 ms", or a tg.Clock
    method        "tustin" (trapezoidal rule), "zoh" (exact for inputs that are held; linear components), "euler" and
                  "backward" (of order one), "rosenbrock" (of order two, for stiff nonlinear components)
    iterations    of Newton's method at a sample, for "tustin" and "backward" of nonlinear components

    Linear components have the matrices of scipy.signal.cont2discrete, computed from the parameters of the run. In
    others conditions are judged at samples, and each sample takes the same number of operations. tg.write_c writes
    the result as C.
    """
    clock = period if isinstance(period, tg.Clock) else tg.Clock(period)
    if method not in METHODS:
        what = f"{_WHAT}: method={method!r}; {nearest(str(method), METHODS)}"
        raise DesignError("E684", what, location=here(), advice='tg.discretize(controller, "1 ms", "tustin")')
    if isinstance(iterations, bool) or not isinstance(iterations, int) or not 1 <= iterations <= 100:
        what = f"{_WHAT}: iterations={iterations!r}"
        raise DesignError("E684", what, location=here(), advice="an integer from 1 to 100")
    model = continuous_model(component, _WHAT)
    if not model.outputs:
        raise refused(_WHAT, model.name, "it has no output", "declare one: y = tg.output()")
    parts = SampledParts(model)
    system = linear_system(model)
    if method in _SHARES:
        _implicit(parts, system, _SHARES[method], clock.period, iterations)
    else:
        _held(parts, system, method, clock.period)
    doc = f"{model.name}, sampled every {clock.period:g} s ({method})."
    made = parts.component(f"Sampled{model.name}", doc, lambda: clock.tick)
    made._sample_clock = clock
    return made()


def _held(parts: SampledParts, system: LinearSystem | None, method: str, period: float) -> None:
    """States of the next tick are computed from those of this one."""
    model = parts.model
    if method == "zoh" and system is None:
        advice = 'method="rosenbrock" or "tustin" take nonlinear components'
        raise refused(_WHAT, model.name, "it is not linear, so it has no exact step", advice)
    if model.tears:
        listed = ", ".join(map(model.cells.name, model.tears))
        advice = 'method="tustin" and "backward" solve it together with their step'
        raise refused(_WHAT, model.name, f"an algebraic loop of {listed} needs iterations", advice)
    n = len(model.states)
    memory = [parts.memory(k, "next") for k in range(n)]
    _assign_states(parts, _events_of(parts), [Slot(slot) for slot in memory])
    parts.formulas()
    ahead: list[Expr]
    if method == "zoh" and system is not None:
        ahead = _exact(parts, system, period) if n else []
    elif method == "euler":
        rates = [parts.inlined(Slot(rate)) for rate in model.rates]
        ahead = [add(Slot(cell), mul(Const(period), rate)) for cell, rate in zip(model.states, rates, strict=True)]
    else:
        _refuse_calls(model)
        step = rosenbrock_step(model, period)
        ahead = [step.result(k) for k in range(n)]
    for slot, value in zip(memory, ahead, strict=True):
        parts.assign(parts.before[slot], value)


def _exact(parts: SampledParts, system: LinearSystem, period: float) -> list[Expr]:
    model = parts.model
    found = exact_matrices(model, system, period)
    signals = [*map(Slot, model.states), *_inputs(model, system)]
    return [_row(parts, found, k, signals) for k in range(len(model.states))]


def _implicit(parts: SampledParts, system: LinearSystem | None, share: float, period: float, iterations: int) -> None:
    """States of this tick are computed from its inputs."""
    model = parts.model
    n = len(model.states)
    memory = [parts.memory(k, "left") if share < 1.0 else parts.previous(k) for k in range(n)]
    events = _events_of(parts)
    values: list[Expr]
    if system is not None:
        found = implicit_matrices(model, system, share, period)
        signals = [*map(Slot, memory), *_inputs(model, system)]
        values = [_row(parts, found, k, signals) for k in range(n)]
    else:
        _refuse_calls(model)
        step = implicit_step(model, share, period, iterations)
        tears = [parts.tear(cell) for cell in model.tears]
        guess = [*(parts.previous(k) for k in range(n)), *map(parts.past, tears)]
        past = events.before if events is not None else {}
        rest = [past.get(cell, Slot(cell)) for cell in (*model.input_cells, *parameters_of(model))]
        arguments = (*map(Slot, (*guess, *memory)), *rest)
        values = [Apply(step, arguments, k) for k in range(n)]
        for k, (cell, place) in enumerate(zip(model.tears, tears, strict=True)):
            parts.assign(place, Apply(step, arguments, n + k))
            parts.places[cell] = place
        if values or tears:
            parts.watch("unsettled", Apply(step, arguments, n + len(tears)), _too_few(model.name, iterations))
    _assign_states(parts, events, values)
    parts.formulas()
    for k in range(n) if share < 1.0 else ():
        rate = parts.inlined(Slot(model.rates[k]))
        parts.assign(parts.before[memory[k]], add(Slot(model.states[k]), mul(Const((1.0 - share) * period), rate)))


def _too_few(name: str, iterations: int) -> str:
    return (
        f"{name}, sampled: {iterations} iterations of Newton's method at a sample are too few here: its numbers may be "
        "wrong; take a shorter period, or more iterations=..."
    )


def _events_of(parts: SampledParts) -> SampledEvents | None:
    events = parts.model.compiled.reduced.events
    return SampledEvents(parts, events) if events is not None and (events.whens or len(events.pre_index)) else None


def _assign_states(parts: SampledParts, events: SampledEvents | None, raw: Sequence[Expr]) -> None:
    """The states at this sample, after the events of it."""
    if events is not None:
        events.act(raw)
        return
    for k, value in enumerate(raw):
        parts.assign(parts.state(k), value)


def _inputs(model: ContinuousModel, system: LinearSystem) -> list[Expr]:
    return [*map(Slot, model.input_cells), *([ONE] if system.has_constant else [])]


def _row(parts: SampledParts, found: Any, row: int, signals: list[Expr]) -> Expr:
    """A row of a matrix, computed once, times the signals."""
    terms = []
    for column, signal in enumerate(signals):
        entry = found.entry(row, column)
        number = found.function.callable.results[entry.output]
        if not is_zero(number):
            terms.append(mul(parts.once(f"step_{row}_{column}", entry), signal))
    return total(terms)


def _refuse_calls(model: ContinuousModel) -> None:
    """What an implicit step cannot look into."""
    advice = 'method="euler" evaluates it as it is'
    every = (*model.rate_values, *model.misses)
    if uses_time(*every):
        raise refused(_WHAT, model.name, "its rates depend on the time itself", "make the time an input")
    for node in walk(*every):
        if isinstance(node, Apply):
            raise refused(_WHAT, model.name, f"it calls {node.function.name}, a function of its own", advice)
        if isinstance(node, Lookup):
            raise refused(_WHAT, model.name, "it reads a table", advice)
