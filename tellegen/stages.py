"""The order of the stages, and nothing else: the only file that knows them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tellegen.codegen.computed_values import add_computed_values
from tellegen.codegen.constraint_jacobian import add_constraint_jacobian
from tellegen.codegen.events import add_events
from tellegen.codegen.llvm import build
from tellegen.codegen.lower import lower
from tellegen.codegen.ode import lower_ode
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.loaded.native_model import Recompiler
from tellegen.errors import LanguageError, StructureError, users_call
from tellegen.flatten.flatten import flatten as flatten_stage
from tellegen.frontends.python.components.component import Component
from tellegen.ir.check.faults import checking
from tellegen.ir.flat import FlatModel
from tellegen.ir.initial import InitialOrder
from tellegen.ir.model import Model
from tellegen.ir.ode import OdeCode
from tellegen.ir.reduced import BoolArray, ReducedModel, Wanted
from tellegen.ir.sorted import SortedModel
from tellegen.ir.source_location import here
from tellegen.start.garbage_collection import collection_paused
from tellegen.start.later import later
from tellegen.structure.ordering.order_initial import order_initial
from tellegen.structure.passes import reduce, sort, trace

with later():
    from tellegen.flatten.checks.dimensions import contradictions
    from tellegen.frontends.python.building.freeze import freeze
    from tellegen.frontends.python.expressions.misread import nearly_read
    from tellegen.frontends.python.interfaces.bind import bind, slot_at
    from tellegen.frontends.python.interfaces.choice import Choice, chosen
    from tellegen.ir.check.ode_program import check_ode_program
    from tellegen.ir.check.program import check_program
    from tellegen.ir.check.reduced_model import check_reduced
    from tellegen.network.formulation import by_graph

FORMULATIONS = ("connections", "graph")


def build_model(component: Any) -> Model:
    """A component as written, or what another front end has a Model of -> Model."""
    if isinstance(component, Model):
        return component
    if not isinstance(component, Component) and isinstance(model := getattr(component, "model", None), Model):
        return model
    return freeze(component)


@users_call
def flatten_model(component: Any, frozen: Model | None = None) -> FlatModel:
    """A component or Model -> FlatModel, checked. `frozen` is its Model, where it was made before."""
    if isinstance(component, FlatModel):
        return component
    try:
        return flatten_stage(frozen if frozen is not None else build_model(component))
    except StructureError as error:
        if not isinstance(component, Model):
            error.details = (*error.details, *nearly_read(component))
        raise


def unit_contradictions(component: Any) -> list[LanguageError]:
    """Statements whose units do not agree, of a model whose language takes units for documentation."""
    return list(contradictions(build_model(component)))


def interface_at(component: Any, path: str) -> Any:
    """The interface at a path of a component, to which implementations can be bound; None where there is none."""
    return slot_at(component, path) if isinstance(component, Component) else None


def implementation_for(component: Any, path: str, given: Any) -> Choice:
    """What a user gives for the interface at a path, as a class and values."""
    return chosen(slot_at(component, path), given, path)


def bind_model(component: Any, path: str, implementation: Any) -> Any:
    """A component with an implementation at a path."""
    return bind(component, {path: implementation})


def reduce_model(component: Any) -> ReducedModel:
    """A component, Model or FlatModel -> ReducedModel."""
    return component if isinstance(component, ReducedModel) else reduce(flatten_model(component))


def sort_model(component: Any) -> SortedModel:
    """A component, Model, FlatModel or ReducedModel -> SortedModel."""
    return component if isinstance(component, SortedModel) else sort(reduce_model(component))


def trace_model(component: Any) -> Iterator[tuple[str, ReducedModel]]:
    """A component, Model or FlatModel -> the name of every pass and the model after it, a SortedModel at last."""
    return trace(flatten_model(component))


def ode_code(model: ReducedModel) -> OdeCode:
    """ReducedModel -> ODE mode, or the reason why the model is not for it."""
    with collection_paused():
        ordered = sort(model)
        program = lower_ode(ordered)
    if isinstance(program, str):
        return OdeCode(ordered, program)
    if checking():
        check_ode_program(program, model.parameter_indices)
    return OdeCode(ordered, "", program, build(program))


def initial_order(model: ReducedModel, wanted: Wanted, kept: BoolArray) -> InitialOrder:
    """ReducedModel -> the order of its equations at the initial time."""
    return order_initial(model, wanted, kept)


def compile_stages(
    component: Any, recompiler: Recompiler, formulation: str = "connections", frozen: Model | None = None
) -> CompiledModel:
    """Anything up to here -> CompiledModel. `frozen` is the Model of a component, where it was made before."""
    if formulation not in FORMULATIONS:
        what = f"formulation is one of {', '.join(map(repr, FORMULATIONS))}, not {formulation!r}"
        raise LanguageError("E196", what, location=here(), advice="omit it: 'connections' works for all models")
    with collection_paused():
        model = _reduced(component, formulation, frozen)
        program = add_constraint_jacobian(lower(model), model)
        program = add_computed_values(add_events(program, model), model.flat)
    if checking():
        check_reduced(model)  # it may come from a run that chose other states
        check_program(program, model.parameter_indices)
    return CompiledModel(model, program, build(program), recompiler)


def _reduced(component: Any, formulation: str, frozen: Model | None) -> ReducedModel:
    if isinstance(component, ReducedModel):
        return component
    flat = flatten_model(component, frozen)
    return reduce(by_graph(flat) if formulation == "graph" else flat)
