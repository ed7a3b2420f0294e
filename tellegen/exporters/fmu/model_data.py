"""The numbers of a model that model.h declares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from tellegen.engine.runtime.algebra.ode_rhs import Ode
from tellegen.engine.runtime.instance.instance_record import Instance, LocalDerivatives
from tellegen.exporters.binaries.constants import Constant
from tellegen.exporters.fmu.array_variables import Span
from tellegen.exporters.fmu.element_dependencies import ElementDependencies
from tellegen.exporters.fmu.exported_variables import Place
from tellegen.exporters.image.image import Image
from tellegen.exporters.image.prepared_run import PreparedRun
from tellegen.exporters.image.standalone import Standalone
from tellegen.exporters.image.trial_run import TrialRun
from tellegen.procedures.language import field_names

_STRICTER = 1000.0
_STRICTEST = 1e-11
_WORD = 8  # bytes
_FIELDS = field_names(Instance)


@dataclass(frozen=True)
class PlacedVariables:
    """Where the scalars of all variables stand; those of each variable in the order of value references."""

    places: Sequence[Place]
    spans: Sequence[Span]
    dependencies: Sequence[Sequence[ElementDependencies]] = ()
    """Of each value reference."""

    @staticmethod
    def one_by_one(places: Sequence[Place]) -> PlacedVariables:
        """Variables that are scalars."""
        return PlacedVariables(places, [Span(k) for k in range(len(places))])


def model_constants(trial: TrialRun, exported: Standalone, placed: PlacedVariables, token: str) -> tuple[Constant, ...]:
    """All constants; the order of `numbers` is that of the enumeration in model.h."""
    prepared = exported.prepared
    image = exported.image
    system = prepared.system
    roots = prepared.events.roots_to_watch if prepared.events is not None else 0
    numbers = [
        image.size,
        len(image.content),
        len(image.relocations),
        image.begin,
        system.program.size,
        len(system.states),
        roots,
        len(placed.spans),
        image.offset(system.w),
        image.offset(system.p),
        image.offset(prepared.parameter_given),
        image.offset(prepared.y_start),
        image.offset(prepared.start_given),
        *(_word(image, name) for name in ("t", "is_stale", "is_changed", "returns_at_events", "event_count")),
        *_derivatives(prepared, image),
        len(system.p),
        int(prepared.events is not None and prepared.events.delays is not None),
        image.offset(system.record.words) + _WORD * field_names(Ode).index("state_index"),
        int(bool(placed.dependencies)),
    ]
    starts = [0, *accumulate(map(len, placed.dependencies))]
    dependencies = [n for known in placed.dependencies for each in known for n in each]
    relocations = [n for r in image.relocations for n in (r.position, r.target, int(r.is_function))]
    spans = [n for each in placed.spans for n in (each.first, each.count)]
    variables = [n for each in placed.places for n in (int(each.kind), each.place, each.sign)]
    options = trial.options
    size = trial.start.starts.scales.size
    return (
        Constant("tellegen_image", "i8", image.content),
        Constant("tellegen_numbers", "i64", numbers),
        Constant("tellegen_relocations", "i64", relocations),
        Constant("tellegen_functions", "ptr", image.functions),
        Constant("tellegen_nominals", "double", size[system.states].tolist()),
        Constant(
            "tellegen_experiment",
            "double",
            (
                options.start,
                options.stop,
                options.rtol,
                _shortest_delay(prepared, options.start),
                proposed_tolerance(options.rtol),
            ),
        ),
        Constant("tellegen_spans", "i64", spans),
        Constant("tellegen_variables", "i64", variables),
        Constant("tellegen_token", "i8", token.encode() + b"\0"),
        Constant("tellegen_dependency_starts", "i64", starts),
        Constant("tellegen_dependencies", "i64", dependencies),
    )


def proposed_tolerance(rtol: float) -> float:
    """The tolerance that importers are asked to integrate with, so that they come as near as a run here with `rtol`.

    Multistep methods begin again after every event, with the errors of low order, and take nominal values whole for
    absolute tolerances: what they compute is off by up to a thousand times their tolerance (docs/fmi.md)."""
    return min(rtol, float(f"{max(rtol / _STRICTER, _STRICTEST):.6g}"))  # as people write it


def _shortest_delay(prepared: PreparedRun, start: float) -> float:
    """What no step may exceed; infinite where nothing is delayed."""
    delays = prepared.events.delays if prepared.events is not None else None
    return math.inf if delays is None else delays.shortest(start)


def _derivatives(prepared: PreparedRun, image: Image) -> list[int]:
    """Where changes stand, and which unknowns are states."""
    memory = prepared.derivatives
    if memory is None:
        return [-1, -1, -1, -1]
    time = image.offset(memory.record.words) + _WORD * field_names(LocalDerivatives).index("dt")
    return [image.offset(memory.dw), image.offset(memory.dp), time, image.offset(memory.record.kept["is_state"])]


def _word(image: Image, name: str) -> int:
    """Where a field of the instance's record stands."""
    return image.begin + _WORD * _FIELDS.index(name)
