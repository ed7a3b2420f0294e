"""The numbers of a model that model.h declares, as a module of LLVM IR: constants alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tellegen.engine.runtime.algebra.ode_rhs import Ode
from tellegen.engine.runtime.instance.instance_record import Instance, LocalDerivatives
from tellegen.exporters.binaries.objects import declarations, runtime_code
from tellegen.exporters.fmu.array_variables import Span
from tellegen.exporters.fmu.exported_variables import Place
from tellegen.exporters.image.image import Image
from tellegen.exporters.image.prepared_run import PreparedRun
from tellegen.exporters.image.standalone import Standalone
from tellegen.exporters.image.trial_run import TrialRun
from tellegen.ir.program import Module
from tellegen.procedures.language import field_names

_WORD = 8  # bytes
_FIELDS = field_names(Instance)


@dataclass(frozen=True)
class PlacedVariables:
    """Where the scalars of all variables stand; those of each variable in the order of value references."""

    places: Sequence[Place]
    spans: Sequence[Span]

    @staticmethod
    def one_by_one(places: Sequence[Place]) -> PlacedVariables:
        """Variables that are scalars."""
        return PlacedVariables(places, [Span(k) for k in range(len(places))])


def model_data(trial: TrialRun, exported: Standalone, placed: PlacedVariables, token: str) -> Module:
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
    ]
    relocations = [n for r in image.relocations for n in (r.position, r.target, int(r.is_function))]
    spans = [n for each in placed.spans for n in (each.first, each.count)]
    variables = [n for each in placed.places for n in (int(each.kind), each.place, each.sign)]
    declared = declarations((runtime_code(), *exported.code))
    for source in exported.sources:
        declared |= {symbol: f"declare void @{symbol}(double, ptr, ptr, ptr, ptr)" for _, symbol in source.symbols}
    options = trial.options
    size = trial.start.starts.scales.size
    lines = [
        *(declared[name] for name in image.functions),
        _bytes("tellegen_image", image.content),
        _integers("tellegen_numbers", numbers),
        _integers("tellegen_relocations", relocations),
        _addresses("tellegen_functions", image.functions),
        _doubles("tellegen_nominals", size[system.states].tolist()),
        _doubles("tellegen_experiment", (options.start, options.stop, options.rtol)),
        _integers("tellegen_spans", spans),
        _integers("tellegen_variables", variables),
        _bytes("tellegen_token", token.encode() + b"\0"),
    ]
    return Module("\n".join(lines), 0, ())


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


def _bytes(name: str, content: bytes) -> str:
    text = "".join(f"\\{byte:02X}" for byte in content)
    return f'@{name} = hidden constant [{len(content)} x i8] c"{text}", align 16'


def _integers(name: str, values: Iterable[int]) -> str:
    return _array(name, "i64", [str(int(value)) for value in values] or ["0"])


def _doubles(name: str, values: Iterable[float]) -> str:
    bits = [f"0x{int(np.float64(value).view(np.uint64)):016X}" for value in values]
    return _array(name, "double", bits or ["0.0"])


def _addresses(name: str, symbols: Sequence[str]) -> str:
    return _array(name, "ptr", [f"@{symbol}" for symbol in symbols] or ["null"])


def _array(name: str, kind: str, values: Sequence[str]) -> str:
    elements = ", ".join(f"{kind} {value}" for value in values)
    return f"@{name} = hidden constant [{len(values)} x {kind}] [{elements}], align 16"
