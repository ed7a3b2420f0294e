"""The run that an export is made from: whether the model runs at all, with which one-step method, at which scales."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.events.impulse_structure import impulse_structure
from tellegen.engine.initialization.run_start import RunStart
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.run_request import RunRequest
from tellegen.engine.results.solution import Solution
from tellegen.errors import ExportError
from tellegen.ir.expressions.expr import Function
from tellegen.ir.program import NativeText, Pointer
from tellegen.symbolic.kernels.kernel import Kernel

METHODS = ("rk45", "rodas")
"""One-step methods: they begin every step from the last point alone, so that a state can be saved and restored."""


@dataclass(frozen=True, eq=False)
class TrialRun:
    """A successful run with a one-step method, and the model as it ran."""

    model: NativeModel
    method: str
    options: Options
    start: RunStart
    solution: Solution


def trial_run(compiled: CompiledModel, request: RunRequest) -> TrialRun:
    """Run a model as asked for; an ExportError where it cannot run without Python."""
    refuse(compiled)
    asked = request.options.solver
    if asked != "auto" and asked not in METHODS:
        raise ExportError(
            "E441",
            f"an exported model is integrated with {' or '.join(METHODS)}, not with '{asked}'",
            advice="solver='auto' takes what suits the model",
        )
    solution = compiled.run(request)
    method = solution.stats.get("solver", "")  # the one that ended the run
    if method not in METHODS or solution.settings is None:
        method = METHODS[1]
        options = replace(request.options, solver=method)
        solution = compiled.run(replace(request, options=options))
    settings = solution.settings
    assert settings is not None
    assert solution.compiled is not None
    refuse(solution.compiled)
    return TrialRun(solution.compiled, method, settings.options, settings.start, solution)


def refuse(model: NativeModel) -> None:
    """An ExportError where a run of the model needs Python."""
    name = model.flat.name
    functions = python_functions(model)
    if functions:
        raise ExportError(
            "E442",
            f"{name} cannot be exported: it calls {', '.join(functions)} in Python",
            advice="write the function with operations that can be traced, as a table (tg.table), or with loops as a\n"
            "kernel: an exported model has no Python inside",
        )
    if model.ode.reason:
        raise ExportError("E443", f"{name} cannot be exported: it has no ODE mode, for {model.ode.reason}")
    if model.reduced.events is not None and impulse_structure(model) is not None:
        raise ExportError(
            "E445",
            f"{name} cannot be exported: states that constraints tie together jump at events, which is computed in "
            "Python",
            advice="let something elastic stand between what jumps and what is tied",
        )


def python_functions(model: NativeModel) -> list[str]:
    """The functions of the user that are called by address, but for kernels, which are compiled."""
    texts: list[NativeText] = [model.native]
    if not model.ode.reason:
        texts.append(model.ode.entries.native)
    found: dict[str, Function] = {}
    for text in texts:
        for tables in text.tables.values():
            for table in tables:
                if isinstance(table, Pointer) and not isinstance(table.function.callable, Kernel):
                    found[table.function.name] = table.function
    return list(found)
