"""A prepared run -> the model description of an FMU."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from tellegen.engine.request.run_options import Options
from tellegen.exporters.fmu.array_variables import Gathered, Span, gathered
from tellegen.exporters.fmu.dependencies import Dependencies
from tellegen.exporters.fmu.element_dependencies import ElementDependencies, element_dependencies
from tellegen.exporters.fmu.exported_variables import Exported, ExportedVariables
from tellegen.exporters.fmu.model_data import proposed_tolerance
from tellegen.exporters.fmu.sizes.component_arrays import with_component_arrays
from tellegen.exporters.fmu.units import UnitTable
from tellegen.exporters.image.prepared_run import PreparedRun
from tellegen.exporters.image.trial_run import TrialRun
from tellegen.fmi.description import (
    CoSimulation,
    DefaultExperiment,
    EnumerationItem,
    LogCategory,
    ModelDescription,
    ModelExchange,
    Origin,
    Structure,
    TypeDefinition,
    Unknown,
    Variable,
    Version,
)

_LOG = (
    LogCategory("logEvents", "events as they are handled"),
    LogCategory("logStatusError", "why a function has failed"),
)
_PART = r"[A-Za-z_]\w*(\[\d+(,\d+)*\])?"
_STRUCTURED = re.compile(rf"{_PART}(\.{_PART})*|der\({_PART}(\.{_PART})*(,\d+)?\)", re.ASCII)
"""Names as FMI calls them structured; Python allows letters of all languages, which make them flat."""


@dataclass(frozen=True, eq=False)
class Described:
    """The description without its token, and the variables with the places of their values."""

    description: ModelDescription
    scalars: ExportedVariables
    spans: tuple[Span, ...]
    """The scalars of each value reference."""
    element_dependencies: tuple[tuple[ElementDependencies, ...], ...]
    """What elements of arrays depend on, by value reference; empty where no result is an array."""


@dataclass(frozen=True)
class Form:
    """Which FMU is asked for."""

    version: Version
    kinds: tuple[str, ...]
    has_arrays: bool
    sources: tuple[str, ...] = ()
    """The C files inside, to be compiled."""
    calls_python: bool = False
    has_sizes: bool = False
    """Whether structural parameters say how large arrays are, those of components too."""
    indicator_arrays: tuple[int, ...] = ()
    """The lengths of arrays that event indicators are put into; nothing where each is a variable."""

    @property
    def is_new(self) -> bool:
        """Version 3.0."""
        return self.version == "3.0"


def described(trial: TrialRun, prepared: PreparedRun, form: Form) -> Described:
    """What importers read of a model."""
    kinds = form.kinds
    units = UnitTable()
    exported = ExportedVariables(trial, prepared, units, indicators=form.is_new and "me" in kinds)
    if form.has_sizes:
        with_component_arrays(exported, form.indicator_arrays if exported.indicators else ())
    spread = {"has_arrays": form.has_arrays, "has_aliases": form.is_new, "has_sizes": form.has_sizes}
    variables = gathered(exported.rows, exported.states, **spread)
    types, typed = _with_types(variables, exported.rows)
    flat = trial.model.flat
    identifier = identifier_of(flat.name)
    has_delays = prepared.events is not None and prepared.events.delays is not None
    options = trial.options
    dependencies = Dependencies(trial.model.ode.sorted, exported, names_parameters=form.is_new)
    structure = _structure(variables, exported, dependencies)
    by_elements = element_dependencies(variables, structure, exported, dependencies)
    offers = _Offers(identifier, prepared.derivatives is not None, bool(by_elements), form)
    has_loops = bool(len(prepared.model.ode.iterated))  # which begin from the last accepted point where they fail
    follows_steps = has_delays or has_loops or prepared.choices is not None
    exchange = ModelExchange(**offers.fields(), needs_completed_step=follows_steps)
    description = ModelDescription(
        form.version,
        flat.name,
        "",
        typed,
        structure=structure,
        model_exchange=exchange if "me" in kinds else None,
        co_simulation=offers.co_simulation() if "cs" in kinds else None,
        description=_first_line(flat.tree.nodes[0].kind.description),
        origin=Origin(tool="Tellegen"),
        structured_names=all(_STRUCTURED.fullmatch(each.name) for each in typed),
        units=units.units(),
        types=types,
        log_categories=_LOG,
        experiment=_experiment(options),
        event_indicator_count=prepared.events.roots_to_watch if prepared.events is not None and "me" in kinds else 0,
    )
    return Described(description, exported, variables.spans, by_elements)


def _experiment(options: Options) -> DefaultExperiment:
    step = (options.stop - options.start) / 500.0
    return DefaultExperiment(options.start, options.stop, proposed_tolerance(options.rtol), step)


@dataclass(frozen=True)
class _Offers:
    """What an FMU offers, whichever way it is used."""

    identifier: str
    has_derivatives: bool
    has_element_dependencies: bool
    form: Form

    def fields(self) -> dict[str, Any]:
        """Those of both interfaces."""
        return {
            "identifier": self.identifier,
            "keeps_state": True,
            "serializes_state": True,
            "directional_derivatives": self.has_derivatives,
            "adjoint_derivatives": self.has_derivatives and self.form.is_new,
            "source_files": self.form.sources,
            "needs_execution_tool": self.form.calls_python,
            "element_dependencies": self.has_element_dependencies,
        }

    def co_simulation(self) -> CoSimulation:
        """With what version 3.0 has besides."""
        return CoSimulation(
            **self.fields(),
            variable_step=True,
            intermediate_update=self.form.is_new,
            might_return_early=self.form.is_new,
            can_return_early=self.form.is_new,
            event_mode=self.form.is_new,
        )


def identifier_of(name: str) -> str:
    """A name of a model as an identifier of C."""
    text = re.sub(r"\W", "_", name, flags=re.ASCII)
    return f"_{text}" if text[:1].isdigit() or not text else text


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def _with_types(found: Gathered, rows: list[Exported]) -> tuple[tuple[TypeDefinition, ...], tuple[Variable, ...]]:
    """Enumerations as types, and the variables that refer to them."""
    names: dict[tuple[str, ...], str] = {}
    variables = []
    for variable in found.variables:
        literals = rows[found.spans[variable.reference].first].literals
        name = names.setdefault(literals, f"Enumeration{len(names) + 1}") if literals else ""
        variables.append(replace(variable, declared_type=name))
    types = tuple(
        TypeDefinition(
            name, "Enumeration", items=tuple(EnumerationItem(item, k) for k, item in enumerate(literals) if item)
        )
        for literals, name in names.items()
    )
    return types, tuple(variables)


def _structure(found: Gathered, exported: ExportedVariables, dependencies: Dependencies) -> Structure:
    """Outputs, derivatives and what is unknown at the start; what that depends on is left open, so: on everything."""
    variables = found.variables
    outputs = [k for k, each in enumerate(variables) if each.causality == "output"]
    derivatives = {each.derivative_of: k for k, each in enumerate(variables) if each.derivative_of is not None}
    states = list(dict.fromkeys(found.position[state] for state in exported.states))
    rates = [derivatives[state] for state in states]
    unknown = [k for k in (*outputs, *states, *rates) if variables[k].initial in ("approx", "calculated")]
    unknown += [k for k, each in enumerate(variables) if each.causality == "calculatedParameter"]

    def depending(positions: list[int]) -> tuple[Unknown, ...]:
        return tuple(Unknown(k, of_variable(k)) for k in positions)

    def of_variable(k: int) -> tuple[int, ...] | None:
        span = found.spans[variables[k].reference]
        scalars = [dependencies.of(exported.rows[each].place) for each in span.positions]
        known = [each for each in scalars if each is not None]
        if len(known) < len(scalars):
            return None
        return tuple(sorted({found.position[scalar] for each in known for scalar in each}))

    return Structure(
        outputs=depending(outputs),
        derivatives=depending(rates),
        initial_unknowns=tuple(map(Unknown, sorted(set(unknown)))),
        event_indicators=tuple(Unknown(k) for k in dict.fromkeys(found.position[k] for k in exported.indicators)),
    )
