"""A component of Python as a Modelica class: its interface as Modelica text; its kind stands for the equations.

    Motor(R=0.5)        ->        model 'Motor'
                                    connector 'Pin p' Real v(unit="V"); flow Real i(unit="A"); end 'Pin p';
                                    parameter Real R(unit="ohm") = 0.5;
                                    Real w(unit="rad/s");
                                    'Pin p' p;
                                  end 'Motor';

So names, types and connections are checked by the rules of Modelica, with its messages. What Modelica text cannot name
(parts, parameters that expressions give, names that are keywords) is left out of the text, not of the model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.syntax.lexer import KEYWORDS
from tellegen.frontends.python.components.component import Component
from tellegen.ir.model import Kind, Member, Model, Port, Variable
from tellegen.ir.source_location import here
from tellegen.start.later import later
from tellegen.start.records import dataclass
from tellegen.units import Unit, describe

with later():
    from tellegen.frontends.python.building.freeze import freeze

_PREFIXES = {"across": "", "through": "flow ", "stream": "stream ", "input": "input ", "output": "output "}
_TYPES = {"real": "Real", "integer": "Integer", "boolean": "Boolean", "enumeration": "Integer"}


@dataclass(frozen=True, slots=True, eq=False)
class PythonClass:
    """The interface of a component as the text of a Modelica class, and the kind that it stands for."""

    name: str  # as written in Modelica
    text: str
    kind: Kind


def python_class(component: Component | type[Component], number: int) -> PythonClass:
    """A component, or a class of components with their default values, as Modelica class `number` of a text."""
    model = freeze(component() if isinstance(component, type) else component)
    kind = model.root
    if kind.mechanics:
        what = f"{model.name} has frames, which only the model that holds the whole mechanism can compose"
        raise ModelicaError("E594", what, location=here(), advice="replace components without frames")
    name = f"'{model.name} of Python{f' {number + 1}' if number else ''}'"
    described = f" {_string(kind.description)}" if kind.description else ""
    lines = [f"model {name}{described}", *_ports(kind), *_parameters(kind, model), *_variables(kind), f"end {name};"]
    return PythonClass(name, "\n".join(lines), replace(kind, settings=(*kind.settings, *model.settings)))


# ------------------------------------------------------------------ connectors and signals


def _ports(kind: Kind) -> Iterator[str]:
    for port in kind.ports:
        if not _has_name(port.name):
            continue
        connector = f"'{port.connector} {port.name}'"
        if port.family == "signal":
            (number,) = port.variables
            yield f"  {_signal(connector, kind.variables[number])}"
            size = _size(kind.variables[number])
        else:
            yield f"  {_connector(connector, kind, port)}"
            size = f"[{port.count}]" if port.is_array else ""
        yield f"  {connector} {port.name}{size};"


def _connector(name: str, kind: Kind, port: Port) -> str:
    fields = []
    for number in port.variables:
        variable = kind.variables[number]
        field = variable.name[len(port.name) + 1 :]
        fields.append(f"{_PREFIXES[variable.role]}{_declared(variable, field)};")
    return f"connector {name} {' '.join(fields)} end {name};"


def _signal(name: str, variable: Variable) -> str:
    return f"connector {name} = {variable.role} {_TYPES[variable.type]}{_attributes(variable)};"


# ------------------------------------------------------------------ parameters and variables


def _parameters(kind: Kind, model: Model) -> Iterator[str]:
    """Structural ones are decided; the others can be modified where they are plain numbers."""
    for name, value in kind.structure:
        if _has_name(name) and isinstance(value, bool | int):
            plain = str(value).lower() if isinstance(value, bool) else str(value)
            yield f"  final parameter {'Boolean' if isinstance(value, bool) else 'Integer'} {name} = {plain};"
    given = _numbers_given(model)
    for number, parameter in enumerate(kind.parameters):
        value = given.get(number, parameter.attributes.get("value"))
        if value is not None and not parameter.literal and parameter.array < 0 and _has_name(parameter.name):
            values = np.broadcast_to(np.asarray(value, float), parameter.shape)
            if np.isfinite(values).all():
                yield f"  parameter {_declared(parameter, parameter.name)} = {_literal(values.tolist())};"


def _numbers_given(model: Model) -> dict[int, np.ndarray]:
    """The values of own parameters that this instance was given, by the numbers of the parameters."""
    found: dict[int, np.ndarray] = {}
    for setting in model.settings:
        ref = setting.ref
        if ref.parameter and not ref.path and not ref.outer and setting.attribute == "value":
            parameter = model.root.parameters[ref.member]
            values = np.array(np.broadcast_to(parameter.attributes.get("value", np.nan), parameter.shape), float)
            values.flat[ref.elements] = setting.values
            found[ref.member] = values
    return found


def _variables(kind: Kind) -> Iterator[str]:
    for variable in kind.variables:
        if variable.role == "local" and _has_name(variable.name):
            discrete = "discrete " if variable.discrete and variable.type == "real" else ""
            yield f"  {discrete}{_declared(variable, variable.name)};"


# ------------------------------------------------------------------ words of Modelica


def _declared(member: Member, name: str) -> str:
    base = _TYPES[member.type] if isinstance(member, Variable) else "Real"
    return f"{base} {name}{_size(member)}{_attributes(member)}"


def _size(member: Member) -> str:
    return f"[{', '.join(map(str, member.shape))}]" if member.shape else ""


def _attributes(member: Member) -> str:
    """Its unit: of a quantity that Python shows in another one, the coherent unit that equations compute in."""
    unit: Unit = member.unit
    is_real = not isinstance(member, Variable) or member.type == "real"
    if unit.dimension is None or not is_real:
        return ""
    text = unit.text if unit.scale == 1.0 and unit.offset == 0.0 else describe(unit.dimension)
    return f"({'each ' if member.shape else ''}unit = {_string(text)})"


def _literal(value: object) -> str:
    return f"{{{', '.join(map(_literal, value))}}}" if isinstance(value, list) else repr(value)


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _has_name(name: str) -> bool:
    """Whether Modelica text can name it."""
    return name.isidentifier() and name.isascii() and name not in KEYWORDS
