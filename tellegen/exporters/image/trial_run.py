"""The run that an export is made from: whether the model runs at all, with which one-step method, at which scales."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tellegen.dataflow.differentiated_inputs import differentiated_inputs
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.events.impulse_structure import impulse_structure
from tellegen.engine.initialization.run_start import RunStart
from tellegen.engine.integrators.choose_solver import choose, follows_loops
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.run_request import RunRequest
from tellegen.engine.results.solution import Solution
from tellegen.errors import ExportError, NumericError
from tellegen.foreign import CFunction
from tellegen.ir.expressions.expr import Function
from tellegen.ir.program import NativeText, Pointer
from tellegen.symbolic.kernels.kernel import Kernel

METHODS = ("rk45", "rodas")
"""One-step methods: they begin every step from the last point alone, so that a state can be saved and restored."""


_MOST_THAT_JUMP = 1000
"""Equations of states that jump together, which an FMU solves densely."""
_COMPARED = 500
_CLOSE = 1e-3
_MOSTLY = 0.99


@dataclass(frozen=True, eq=False)
class TrialRun:
    """A successful run with a one-step method, and the model as it ran."""

    model: NativeModel
    method: str
    options: Options
    start: RunStart
    solution: Solution
    step_part: float = 1.0
    """How much of the tolerance is for the steps of an exported model (step_tolerance.py)."""

    @property
    def step_options(self) -> Options:
        """Those that an exported model integrates with."""
        options = self.options
        return options if self.step_part == 1.0 else replace(options, rtol=self.step_part * options.rtol)


def trial_run(compiled: CompiledModel, request: RunRequest, *, python: bool = False) -> TrialRun:
    """Run a model as asked for; an ExportError where it cannot be exported, with or without functions in Python."""
    refuse(compiled, python=python)
    asked = request.options.solver
    if asked != "auto" and asked not in METHODS:
        raise ExportError(
            "E441",
            f"an exported model is integrated with {' or '.join(METHODS)}, not with '{asked}'",
            advice="solver='auto' takes what suits the model",
        )
    if follows_loops(compiled):
        return _with_loops_followed(compiled, request, python=python)
    solution = compiled.run(request)
    method = solution.stats.get("solver", "")  # the one that ended the run
    if method not in METHODS or solution.settings is None:
        method, solution = _with_one_step_method(compiled, request, method)
    return _of_solution(solution, method, python=python)


def _of_solution(solution: Solution, method: str, *, python: bool) -> TrialRun:
    """What an export takes from a run."""
    settings = solution.settings
    assert settings is not None
    assert solution.compiled is not None
    refuse(solution.compiled, python=python)
    return TrialRun(solution.compiled, method, settings.options, settings.start, solution)


def _with_loops_followed(compiled: CompiledModel, request: RunRequest, *, python: bool) -> TrialRun:
    """The run of a model that has no states, but loops that are not linear, as an FMU follows them: in steps of a fixed
    length, each from the solution of the last one. E443 where they end at other solutions than those of IDA, whose
    steps are as short as its errors ask for."""
    wanted = compiled.run(replace(request, options=replace(request.options, solver="ida")))
    try:
        found = compiled.run(replace(request, options=replace(request.options, solver=METHODS[0])))
    except NumericError:
        found = None
    if found is None or not _agree(found, wanted):
        raise ExportError(
            "E443",
            f"{compiled.flat.name} cannot be exported: it has no states, and a loop whose solution ends, or has "
            "others near it: the steps of an FMU do not follow that of the run here",
            advice="something that stores (a filter after a measurement) makes it a model that is integrated",
        )
    return _of_solution(found, METHODS[0], python=python)


def _agree(found: Solution, wanted: Solution) -> bool:
    """Whether loops have the same solutions in two runs: mostly, for instants of events may differ a little."""
    assert wanted.compiled is not None
    assert wanted.settings is not None
    begin, end = wanted.time[0], wanted.time[-1]
    if found.time[-1] < end:
        return False
    places = begin + (end - begin) * (np.arange(_COMPARED) + 0.5) / _COMPARED
    loops = wanted.compiled.ode.iterated
    here, there = (np.asarray(each.at(places).unknowns)[:, loops] for each in (found, wanted))
    size = wanted.settings.start.starts.scales.size[loops]
    near = np.abs(here - there) <= _CLOSE * np.abs(there).max(axis=0) + wanted.settings.options.rtol * size
    return bool(np.all(near.mean(axis=0) >= _MOSTLY))


def _with_one_step_method(compiled: CompiledModel, request: RunRequest, ended: str) -> tuple[str, Solution]:
    """The run by the first one-step method that gets through, and which it is.

    The Rosenbrock method is for stiff models. Where loops made IDA take over from the explicit method it would fail at
    these too, after many steps: then the explicit one comes first.
    """
    had_loops = ended == "ida" and choose(compiled, "auto").solver == METHODS[0]
    failed: NumericError | None = None
    for method in METHODS if had_loops else METHODS[::-1]:
        try:
            return method, compiled.run(replace(request, options=replace(request.options, solver=method)))
        except NumericError as error:
            failed = failed or error
    assert failed is not None
    raise failed


def refuse(model: NativeModel, *, python: bool) -> None:
    """An ExportError where a run of the model needs Python, but for functions if these are allowed."""
    name = model.flat.name
    _refuse_functions(model, python=python)
    if model.ode.reason:
        raise ExportError("E443", f"{name} cannot be exported: it has no ODE mode, for {model.ode.reason}")
    _refuse_differentiated_inputs(model)
    jumps = impulse_structure(model) if model.reduced.events is not None else None
    if jumps is not None and jumps.size > _MOST_THAT_JUMP:
        raise ExportError(
            "E445",
            f"{name} cannot be exported: states that are tied together jump at events, by {jumps.size} equations",
            advice=f"up to {_MOST_THAT_JUMP} can be solved without Python: let something elastic stand between what\n"
            "jumps and what is tied",
        )


def _refuse_differentiated_inputs(model: NativeModel) -> None:
    """An ExportError where something follows the derivative of an input, which importers do not give."""
    found = differentiated_inputs(model.reduced)
    if len(found):
        name = model.flat.variables.name(int(found[0]))
        raise ExportError(
            "E452",
            f"{model.flat.name} cannot be exported: it needs the derivative of its input '{name}', and an FMU gets "
            "values only",
            advice="put something between the input and the states that it fixes (a filter, a resistance, a\n"
            "compliance), or make the other variable of a connector the input",
        )


def _refuse_functions(model: NativeModel, *, python: bool) -> None:
    """An ExportError where the model calls functions whose code cannot be taken along."""
    name = model.flat.name
    called = [function for function in user_functions(model) if not isinstance(function.callable, Kernel)]
    inside = sorted({part for each in called if (part := getattr(each.callable, "part_of", ""))})
    if inside:
        raise ExportError(
            "E442",
            f"{name} cannot be exported: it contains {', '.join(inside)}, and no file that is made here contains FMUs",
            advice="give the importer both, as one system (tg.write_ssp); or export the model that the FMU was\n"
            "made from as a part of this one",
        )
    in_python = [function.name for function in called if not isinstance(function.callable, CFunction)]
    if in_python and not python:
        raise ExportError(
            "E442",
            f"{name} cannot be exported: it calls {', '.join(in_python)} in Python",
            advice="write the function with operations that can be traced, as a table (tg.interpolate), in C, or\n"
            "with loops as a kernel; or export an FMU that calls an installed Python: python=True",
        )
    for function in called:
        library = function.callable.library if isinstance(function.callable, CFunction) else None
        if library is not None and (not library.text or library.options):
            raise ExportError(
                "E442",
                f"{name} cannot be exported: it calls {function.name} of {library.name}, which is not C source alone",
                advice="give the C source of the function: it is compiled for every platform of the FMU",
            )


def user_functions(model: NativeModel) -> list[Function]:
    """The functions of the user that are called by address, kernels included."""
    texts: list[NativeText] = [model.native]
    if not model.ode.reason:
        texts.append(model.ode.entries.native)
    found: dict[str, Function] = {}
    for text in texts:
        for tables in text.tables.values():
            for table in tables:
                if isinstance(table, Pointer):
                    found[table.function.name] = table.function
    return list(found.values())
