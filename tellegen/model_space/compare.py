"""tg.compare: several models of one system on the same task. Which of their phenomena matter, and what is enough?"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.performance.expression import Performance
from tellegen.analyses.simulate import simulate
from tellegen.compile import compile_model
from tellegen.engine.request.run_request import RunKeywords, run_call
from tellegen.engine.results.solution import Solution
from tellegen.errors import BindingError, NumericError
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.interfaces.bind import concrete
from tellegen.ir.source_location import here
from tellegen.model_space.comparison import Compared, Comparison
from tellegen.model_space.space import ModelSpace, model_space
from tellegen.model_space.tree import walk

MOST = 1000  # models of a space that are run one by one


@run_call()
def compare(
    models: Any,
    *,
    of: Any,
    stop: float | str | None = None,
    reference: str | None = None,
    tolerance: float = 0.05,
    **run: Unpack[RunKeywords],
) -> Comparison:
    """Run several models on the same task and compare numbers, curves, cost and validity.

    `models` is a mapping of names to models, a list of models, a system of interfaces or a tg.model_space of one. `of`
    are performance functions (tg.peak("motor.i")) and paths, whose curves are compared. Differences are relative to
    `reference`, the name of a model; without it, to the most expensive one. The cheapest model that differs by no
    more than `tolerance` and stays in its operating regions is proposed. Cost is the sum of the `cost` tags of the
    implementations, where all models have some; otherwise steps times unknowns.
    """
    wanted = _outputs(of)
    if isinstance(tolerance, bool) or not isinstance(tolerance, (int, float)) or not tolerance >= 0.0:
        what = f"tolerance={tolerance!r} is not a relative difference"
        raise BindingError("E809", what, location=here(), advice="tolerance=0.05 is five percent")
    found = [_ran(name, model, stop, run) for name, model in _named(models).items()]
    comparison = Comparison(tuple(found), tuple(wanted), tuple(wanted.values()), reference, tolerance)
    comparison.differences  # noqa: B018 - computed now, so that warnings name this call
    return comparison


def _outputs(of: Any) -> dict[str, Performance | str]:
    given = of if isinstance(of, (Mapping, list, tuple)) else [of]
    named = dict(given) if isinstance(given, Mapping) else {str(one): one for one in given}
    wrong = [one for one in named.values() if not isinstance(one, (Performance, str))]
    if wrong or not named:
        what = "tg.compare is given nothing to compare"
        if wrong:
            what = f"tg.compare measures performance functions and curves by path, not {wrong[0]!r}"
        raise BindingError("E809", what, location=here(), advice='of=[tg.peak("motor.i"), "load.w"]')
    return named


def _named(models: Any) -> dict[str, Any]:
    """The models by name."""
    if isinstance(models, Component):
        models = model_space(models)
    if isinstance(models, ModelSpace):
        if models.count > MOST:
            what = f"the space has {models.count} models, more than are run one by one ({MOST})"
            advice = "restrict it: space.restrict({...}); or compare a sample: {str(b): space.bind(b) for b in ...}"
            raise BindingError("E809", what, location=here(), advice=advice)
        return {_telling(models, binding): models.bind(binding) for binding in models}
    if isinstance(models, Mapping):
        named = {str(name): model for name, model in models.items()}
    elif isinstance(models, Sequence) and not isinstance(models, str):
        compiled = [compile_model(model) for model in models]
        named = {binding_text(one.bindings) or one.name: one for one in compiled}
        if len(named) < len(compiled):
            named = {f"{one.name} {k}": one for k, one in enumerate(compiled)}
    else:
        named = {}
    if not named:
        what = f"tg.compare needs models, not {models!r}"
        raise BindingError("E809", what, location=here(), advice='tg.compare({"simple": a, "detailed": b}, of=[...])')
    return named


def _telling(space: ModelSpace, binding: Mapping[str, Any]) -> str:
    """A binding without the interfaces that have one candidate only."""
    open_paths = {path for path, slot, _ in walk(space.slots) if len(slot.alternatives) > 1}
    return binding_text({path: one for path, one in binding.items() if path in open_paths}) or binding_text(binding)


def binding_text(binding: Mapping[str, Any]) -> str:
    """`motor=complex, motor.armature=inductive`."""
    return ", ".join(f"{path}={getattr(one, 'name', one)}" for path, one in binding.items())


def _ran(name: str, model: Any, stop: Any, run: Any) -> Compared:
    """One model: its run, or why it has none."""
    compiled = compile_model(model)
    begin = time.process_time()
    try:
        solution: Solution | None = simulate(compiled, stop, **run)
        message = ""
    except NumericError as error:
        solution = None
        message = error.message
    seconds = time.process_time() - begin
    cost = _declared_cost(model)
    return Compared(name, compiled.bindings, solution, message, seconds, cost)


def _declared_cost(model: Any) -> float:
    """The sum of the `cost` tags of all implementations in a component; not a number where there are none."""
    costs = list(_costs(model)) if isinstance(model, Component) else []
    return float(np.sum(costs)) if costs else np.nan


def _costs(component: Any) -> Iterator[float]:
    component = concrete(component)
    said = component._implementation
    if said is not None and isinstance(said.tags.get("cost"), (int, float)):
        yield float(said.tags["cost"])
    component._materialize()
    for name in dict.fromkeys([*component._info.children, *component._children]):
        child = component._child(name)
        if isinstance(child, Component):
            yield from _costs(child)
