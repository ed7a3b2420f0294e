"""tg.inverse: the inputs that make a model give what is wanted, as a component."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import EllipsisType
from typing import Any

from tellegen.errors import DesignError, users_call
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.expressions.symbol import Symbol, as_symbol
from tellegen.inversion.inverse_class import Plan, Signal, with_filters, with_inputs
from tellegen.inversion.plant_members import member_at
from tellegen.inversion.reference_filter import ReferenceFilter
from tellegen.inversion.relative_degree import Degrees, RelativeDegree, relative_degrees
from tellegen.inversion.released_plant import released
from tellegen.ir.source_location import here

Reference = str | float | Symbol | EllipsisType


class InverseModel(Component):
    """Base of inverse models: a component that also knows how often its references are differentiated."""

    _plan: Plan
    _degrees: Degrees
    _filter: ReferenceFilter | None = None
    _filter_order: int = 0

    @property
    def relative_degrees(self) -> tuple[RelativeDegree, ...]:
        """Of each given signal how often it is differentiated, with the equations that ask for it."""
        return self._degrees.of

    @property
    def internal_states(self) -> tuple[str, ...]:
        """The states that the references do not decide: those of the zero dynamics."""
        return self._degrees.internal


@users_call
def inverse(
    model: Any,
    given: Mapping[str, Reference] | Sequence[str] | str,
    find: Mapping[str, str] | Sequence[str] | str,
    *,
    filter: ReferenceFilter | None = None,
    simplify: Mapping[str, float | str] | None = None,
) -> Any:
    """The inverse of a model: a component whose inputs are what the model gives, and whose outputs make it so.

    `given` are variables that get a wanted value: by path with a name for the input, `...` for a name made of the path,
    or an expression of tg.time that is the reference itself. `find` are as many inputs of the model, or variables that
    its sources set, by path. The model may be part of others, and is not changed.

    Each given signal has a relative degree: so many of its derivatives are needed. They are inputs as well, der_phi,
    der2_phi, ...; or the reference goes through a `filter` of at least that order and may even jump, for example
    tg.bessel(order="auto", cutoff="5 Hz"). `simplify={"motor.L": 0}` writes the equations with these numbers for
    parameters: terms with a zero vanish, and with them derivatives.
    """
    wanted = given if isinstance(given, Mapping) else dict.fromkeys([given] if isinstance(given, str) else given, ...)
    sought = find if isinstance(find, Mapping) else dict.fromkeys([find] if isinstance(find, str) else find, ...)
    if len(wanted) != len(sought) or not wanted:
        what = f"{len(wanted)} signals are given, {len(sought)} are to be found"
        raise DesignError("E681", what, location=here(), advice="give as many as are to be found: one for each")
    plant = released(model, tuple(sought), simplify or {})
    title = f"Inverse{type(plant).__name__}"
    plan = Plan(title, plant, _signals(plant, wanted), _signals(plant, sought))
    _refuse_twins(plan)
    degrees = relative_degrees(plan)
    made = _made(plan, {each.signal: each.degree for each in degrees.of}, filter)
    made._plan = plan
    made._degrees = degrees
    return made()


def _signals(plant: Component, wanted: Mapping[str, Any]) -> tuple[Signal, ...]:
    found = []
    for path, given in wanted.items():
        unit = member_at(plant, path).decl.unit
        is_name = isinstance(given, str)
        if is_name and not given.isidentifier():
            what = f"'{path}': {given!r}, which is not a name"
            advice = "give a name for the signal, or ... for one made of the path"
            raise DesignError("E681", what, location=here(), advice=advice)
        name = given if is_name else path.replace(".", "_").replace("[", "").replace("]", "")
        reference = None if is_name or given is ... else as_symbol(given)
        found.append(Signal(path, name, unit, reference))
    return tuple(found)


def _refuse_twins(plan: Plan) -> None:
    names = [signal.name for signal in (*plan.given, *plan.find)]
    twin = next((name for name in names if names.count(name) > 1 or name == "plant"), None)
    if twin is not None:
        advice = "give them names: given={'load.phi': 'phi'}, find={'source.v': 'v'}"
        raise DesignError(
            "E681", f"two signals of the inverse would be called '{twin}'", location=here(), advice=advice
        )


def _made(plan: Plan, degrees: dict[str, int], chosen: ReferenceFilter | None) -> Any:
    if chosen is None:
        return with_inputs(plan, InverseModel, degrees)
    needed = max(degrees.values())
    order = max(needed, 1) if chosen.order == "auto" else int(chosen.order)
    short = next((path for path, degree in degrees.items() if degree > order), None)
    if short is not None:
        what = f"a filter of order {order} gives {order} derivatives, and '{short}' needs {degrees[short]}"
        raise DesignError("E680", what, location=here(), advice='take order="auto", or simplify the model')
    made = with_filters(plan, InverseModel, chosen, order)
    made._filter = chosen
    made._filter_order = order
    return made
