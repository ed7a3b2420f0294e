"""A variable that its component determines becomes an input: the equation that said what it is goes.

    v == signal_source.y    in a voltage source whose v is freed    ->    nothing: v is given from outside, or found

Only an equation with the variable alone on one side and nothing that varies with the rest of the model on the other can
go: what is left is the same physics.
"""

from __future__ import annotations

from typing import Any

from tellegen.errors import CannotBeFreedError
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.declarations.declare import VariableDecl
from tellegen.ir.expressions.expr import Der, Expr, Slot, walk
from tellegen.ir.expressions.template import EquationTemplate
from tellegen.ir.model import Stamp, Variable
from tellegen.ir.show.statements import show_template
from tellegen.ir.source_location import here

_LAWS = ("across", "through", "stream", "inflow")


def freed_class(cls: type[Component], name: str) -> type[Component]:
    """A subclass in which a variable is an input."""
    old = cls._info.variables[name]
    declared = VariableDecl(None, old.description, old.shape, "input", dict(old.attributes))
    declared.unit = old.unit
    declared.location = old.location
    body = {name: declared, "_freed": (*cls._freed, name), "__doc__": cls.__doc__, "__module__": cls.__module__}
    return type(cls.__name__, (cls,), body)


def without_freed(instance: Any, stamps: list[Stamp], variables: list[Variable]) -> list[Stamp]:
    """The statements of a component, less those that say what its freed variables are."""
    for name in instance._freed:
        number = next(k for k, variable in enumerate(variables) if variable.name == name)
        found = [stamp for stamp in stamps if _says_what(stamp, number)]
        if len(found) != 1:
            raise _cannot_be_freed(instance, name, number, stamps, found)
        stamps = [stamp for stamp in stamps if stamp is not found[0]]
    return stamps


def _says_what(stamp: Stamp, number: int) -> bool:
    template = stamp.template
    if stamp.section != "equation" or not isinstance(template, EquationTemplate):
        return False
    sides = (template.lhs, template.rhs), (template.rhs, template.lhs)
    return any(_is_alone(stamp, own, number) and _is_signal(stamp, other) for own, other in sides)


def _is_alone(stamp: Stamp, side: Expr, number: int) -> bool:
    if not isinstance(side, Slot):
        return False
    ref = stamp.refs[side.index]
    return not ref.parameter and not ref.path and not ref.outer and ref.member == number


def _is_signal(stamp: Stamp, side: Expr) -> bool:
    """Whether it is made of parameters, time, and inputs and outputs: no potentials, flows or derivatives."""
    slots = stamp.template.slots
    leaves = [node for node in walk(side) if isinstance(node, Slot | Der)]
    return all(
        isinstance(node, Slot) and (slots[node.index].parameter or slots[node.index].role in ("input", "output"))
        for node in leaves
    )


def _cannot_be_freed(
    instance: Any, name: str, number: int, stamps: list[Stamp], found: list[Stamp]
) -> CannotBeFreedError:
    path = f"{instance._path()}.{name}".lstrip(".").removeprefix("plant.")
    used = [s for s in stamps if any(not r.path and not r.parameter and r.member == number for r in s.refs)]
    shown = [f"  {show_template(stamp.template)}   at {stamp.template.location}" for stamp in (found or used)[:6]]
    why = f"{len(found)} equations say what it is" if found else "it follows from the rest of the model"
    return CannotBeFreedError(
        "E220",
        f"'{path}' of {type(instance).__name__} cannot be found by an inverse model: {why}",
        location=here(),
        details=["equations with it:", *shown] if shown else [],
        advice="name what drives the model: an input of it, or the voltage, force or signal of a source",
    )
