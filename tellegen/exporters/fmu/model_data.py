"""The numbers of a model that model.h declares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, eq=False)
class SizedModel:
    """A model of certain sizes, which values of its structural parameters determine."""

    trial: TrialRun
    exported: Standalone
    placed: PlacedVariables
    structure: tuple[int, ...] = ()


_TABLES = (
    *("image", "numbers", "relocations", "functions", "nominals", "experiment", "spans", "variables"),
    *("dependency_starts", "dependencies", "structure"),
)
"""As the structure `Sizes` of model.h has them."""


def model_constants(models: Sequence[SizedModel], token: str) -> tuple[Constant, ...]:
    """All constants: those of each model, then where these are."""
    found: list[Constant] = []
    for k, model in enumerate(models):
        tables = {each.name: each for each in _tables(model)}
        found += [replace(tables[name], name=_name(name, k)) for name in _TABLES]
    return (
        *found,
        Constant("tellegen_sizes", "ptr", [_name(name, k) for k in range(len(models)) for name in _TABLES]),
        Constant("tellegen_structure", "i64", (len(models), len(models[0].structure))),
        Constant("tellegen_token", "i8", token.encode() + b"\0"),
    )


def _name(table: str, number: int) -> str:
    return f"tellegen_{table}_{number}"


def _tables(model: SizedModel) -> tuple[Constant, ...]:
    """What depends on sizes; the order of `numbers` is that of the enumeration in model.h."""
    trial = model.trial
    exported = model.exported
    placed = model.placed
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
        Constant("image", "i8", image.content),
        Constant("numbers", "i64", numbers),
        Constant("relocations", "i64", relocations),
        Constant("functions", "ptr", image.functions),
        Constant("nominals", "double", size[system.states].tolist()),
        Constant(
            "experiment",
            "double",
            (
                options.start,
                options.stop,
                options.rtol,
                _shortest_delay(prepared, options.start),
                proposed_tolerance(options.rtol),
            ),
        ),
        Constant("spans", "i64", spans),
        Constant("variables", "i64", variables),
        Constant("dependency_starts", "i64", starts),
        Constant("dependencies", "i64", dependencies),
        Constant("structure", "i64", model.structure),
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
