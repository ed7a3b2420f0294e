"""A Model as a document of version 1: an interface and an implementation for each kind of component.

    class Resistor           <interface ident="Resistor">    parameters in SI units, terminals and directed quantities
      yield p.v - n.v == ..  <implementation ident="Resistor" of-interface="Resistor" is-default="true">
                               <branch-quantity across-vars="p_v" through-vars="p_i" plus-terminal="p"/>
                               <equation>p_v - n_v == R*p_i;</equation>

Version 1 names quantities between terminals, not those of a terminal; a branch from each terminal to the reference has
just these. What it has no words for (arrays, events, operating regions, initial equations, streams, frames, code) is
rejected by name, E852.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.errors import DocumentError
from tellegen.ir.expressions.expr import Apply, Der, Lookup, walk
from tellegen.ir.expressions.template import AssertTemplate, EquationTemplate, ValueTemplate, formatted
from tellegen.ir.model import Connection, End, Kind, Member, Model, Parameter, Port, Ref, Setting, Stamp, Variable
from tellegen.ir.source_location import SourceLocation
from tellegen.markup.expressions.text import Names, equation_text, expression_text, number_text
from tellegen.markup.version1 import declarations as said
from tellegen.markup.version1 import records
from tellegen.markup.version1.natures import CONNECTORS, identifier

_NATURES = {connector._family: nature for nature, connector in CONNECTORS.items() if nature != "mechanical"}
_DERIVATIVE = re.compile(r"\bder\((\w+)\)")
_DOT = r"\1'dot"
_SECTIONS = {
    "initial": "an initial equation",
    "when": "a when-statement",
    "invariant": "an invariant",
    "start": "a start value that is computed",
}


def refused(kind: Kind, what: str, location: SourceLocation | None = None) -> DocumentError:
    """Part of a model for which version 1 has no words."""
    return DocumentError(
        "E852",
        f"version 1 has no words for {what} ({kind.name})",
        location=location or kind.location,
        advice="write a document of version 2: tg.write_markup(model, path)",
    )


def version1_document(model: Model) -> records.Document:
    """See the top of this file."""
    names: dict[int, str] = {}
    for kind in reversed(model.kinds()):  # parts before what contains them
        stem = identifier(kind.name)
        same = sum(name == stem or name.startswith(f"{stem}-") for name in names.values())
        names[id(kind)] = f"{stem}-{same + 1}" if same else stem
    definitions: list[Any] = []
    for kind in reversed(model.kinds()):
        writer = _KindWriter(kind, names, model.settings if kind is model.root else ())
        definitions += [writer.interface(), writer.implementation()]
    return records.Document(version="1.0", definitions=tuple(definitions))


@dataclass(frozen=True)
class _Part:
    """A child of a kind, and the parameters it is given."""

    name: str
    kind: Kind
    values: dict[str, str]


class _KindWriter:
    """Writes one kind; `settings` are the numbers that the model itself gives to its outermost component."""

    def __init__(self, kind: Kind, names: dict[int, str], settings: tuple[Setting, ...]) -> None:
        self.kind = kind
        self.names = names
        self.defaults = {one.name: _default(kind, one) for one in kind.parameters if not _is_hidden(one)}
        self.texts = _texts(kind)
        self.states = {kind.variables[number].name for number in _differentiated(kind)}
        self.starts = {one.name: one.attributes.get("start") for one in kind.variables}
        self.parts = {(g, k): part for g, k, part in self._children()}
        self.equations: list[records.Equation | said.Assert] = []
        if kind.mechanics:
            raise refused(kind, "frames of mechanisms", kind.mechanics[0].location)
        for setting in (*kind.settings, *settings):
            self._set(setting)
        for stamp in kind.stamps:
            self._take(stamp)
        for variable in kind.variables:
            if variable.role != "local" and variable.name in self.states and self.starts[variable.name]:
                raise refused(kind, f"the start value of '{variable.name}', which belongs to a port", variable.location)

    @property
    def name(self) -> str:
        return self.names[id(self.kind)]

    # -- interface ---------------------------------------------------------------------------------------------------
    def interface(self) -> records.Interface:
        """Parameters and ports."""
        parameters = [self._parameter(one) for one in self._in_order()]
        ports = [self._port(port) for port in self.kind.ports]
        return records.Interface(
            ident=self.name,
            generics=said.Generics(parameters=tuple(parameters)) if parameters else None,
            boundary=said.Boundary(ports=tuple(ports)) if ports else None,
        )

    def _in_order(self) -> list[Parameter]:
        """The parameters, those first of which others are computed: version 1 reads from top to bottom."""
        left = [one for one in self.kind.parameters if not _is_hidden(one)]
        out: list[Parameter] = []
        while left:
            waiting = {one.name for one in left}
            ready = [one for one in left if not waiting & _words(self.defaults[one.name])]
            if not ready:
                raise refused(self.kind, f"parameters that need each other ({', '.join(sorted(waiting))})")
            out += ready
            left = [one for one in left if one not in ready]
        return out

    def _parameter(self, parameter: Parameter) -> said.Parameter:
        default = self.defaults[parameter.name]
        least, most = _limits(parameter)
        return said.Parameter(ident=parameter.name, nature="real", default=default, min=least, max=most)

    def _port(self, port: Port) -> Any:
        if port.is_array:
            raise refused(self.kind, f"the array of ports '{port.name}'", port.location)
        if port.family == "signal":
            self._refuse_default(port)
            direction = "in" if self.kind.variables[port.variables[0]].role == "input" else "out"
            return said.Quantity(name=port.name, direction=direction)
        if port.family not in _NATURES or "." in port.name:
            raise refused(self.kind, f"the {port.connector} '{port.name}'", port.location)
        return said.Terminal(name=port.name, nature=_NATURES[port.family])

    def _refuse_default(self, port: Port) -> None:
        number = self.kind.parameter_index.get(f"{port.name}.default")
        if number is not None and _default(self.kind, self.kind.parameters[number]) is not None:
            raise refused(self.kind, f"the value of the input '{port.name}' while nothing is connected", port.location)

    # -- implementation ----------------------------------------------------------------------------------------------
    def implementation(self) -> records.Implementation:
        """Branches and equations, parts and connections."""
        kind = self.kind
        statements = (*self.equations, *(one for joined in kind.connections for one in self._connected(joined)))
        inside = [port for port in kind.ports if port.family != "signal" and not self._is_connected(port)]
        return records.Implementation(
            ident=self.name,
            interface=self.name,
            compound=bool(self.parts),
            is_default=True,
            declarations=(
                *(self._branch(port) for port in inside),
                *(self._quantity(one) for one in kind.variables if one.role == "local"),
                *(self._component(part) for part in self.parts.values()),
            ),
            statements=records.ConcurrentStatements(statements=statements),
            description=records.Description(body=kind.description) if kind.description else None,
        )

    def _is_connected(self, port: Port) -> bool:
        ends = [end for joined in self.kind.connections for end in (joined.a, joined.b)]
        return any(end.group < 0 and self.kind.ports[end.port] is port for end in ends)

    def _branch(self, port: Port) -> said.BranchQuantity:
        roles = {self.kind.variables[number].role: self.kind.variables[number] for number in port.variables}
        for variable in roles.values():
            if variable.attributes.get("fixed"):
                raise refused(self.kind, f"the fixed start of '{variable.name}', which is not a state", port.location)
        across = (self.text_of(roles["across"]),)
        return said.BranchQuantity(across=across, through=(self.text_of(roles["through"]),), plus=port.name)

    def _quantity(self, variable: Variable) -> said.FreeQuantity:
        if variable.shape or variable.array >= 0 or variable.type != "real" or variable.discrete:
            what = "array" if variable.shape or variable.array >= 0 else "discrete variable"
            raise refused(self.kind, f"the {what} '{variable.name}'", variable.location)
        start = self.starts[variable.name]
        if variable.attributes.get("fixed") and variable.name not in self.states:
            raise refused(self.kind, f"the fixed start of '{variable.name}', which is not a state", variable.location)
        default = None if start is None else number_text(float(start))
        least, most = _limits(variable)
        ident = self.text_of(variable)
        return said.FreeQuantity(ident=ident, nature="real", default=default, min=least, max=most)

    def _component(self, part: _Part) -> records.Component:
        name = self.names[id(part.kind)]
        bindings = [records.ParameterBinding(formal=formal, actual=actual) for formal, actual in part.values.items()]
        bound = records.BoundImplementation(name=name)
        return records.Component(name=part.name, interface=name, parameters=tuple(bindings), bound=bound)

    def _connected(self, joined: Connection) -> Iterator[records.Connect]:
        rows = max(len(joined.a.elements), len(joined.b.elements))
        for row in range(rows):
            yield records.Connect(a=self._end(joined.a, row, joined), b=self._end(joined.b, row, joined))

    def _end(self, end: End, row: int, joined: Connection) -> str:
        if end.outer:
            raise refused(self.kind, f"a connection to '{end.outer}' further out", joined.location)
        if end.group < 0:
            return self.kind.ports[end.port].name
        part = self.parts[end.group, int(end.elements[row])]
        return f"{part.name}.{part.kind.ports[end.port].name}"

    # -- what is inside ----------------------------------------------------------------------------------------------
    def _children(self) -> Iterator[tuple[int, int, _Part]]:
        for g, group in enumerate(self.kind.groups):
            if group.is_array:
                raise refused(self.kind, f"the array of components '{group.names[0]}'")
            for k, name in enumerate(group.names):
                yield g, k, _Part(name, group.kind, {})

    def text_of(self, variable: Variable) -> str:
        """A variable in equations; those of terminals have the name of the terminal before theirs."""
        return self.texts[variable.name]

    def _set(self, setting: Setting) -> None:
        """Numbers given to own members, or to those of parts."""
        for element, value in zip(setting.ref.elements.tolist(), setting.values.tolist(), strict=True):
            target, name, is_parameter = self._target(setting.ref, element)
            if setting.attribute == "start" and target is None and not is_parameter:
                self.starts[name] = value
            elif setting.attribute == "fixed" and target is None and name in self.states:
                continue  # states begin with their start values
            elif setting.attribute != "value" or not is_parameter:
                whose = f"{target.name}.{name}" if target is not None else name
                raise refused(self.kind, f"{setting.attribute} of '{whose}', given by '{self.kind.name}'")
            elif target is None:
                self.defaults[name] = number_text(value)
            else:
                target.values[name] = number_text(value)

    def _target(self, ref: Ref, element: int) -> tuple[_Part | None, str, bool]:
        """The part that a reference leads to (None: the component itself), and the name of the member."""
        if ref.outer or len(ref.path) > 1:
            what = ref.outer or self.kind.groups[ref.path[0]].names[0]
            raise refused(self.kind, f"a value or equation for members inside of '{what}'")
        below = self.kind.groups[ref.path[0]].kind if ref.path else self.kind
        member = (below.parameters if ref.parameter else below.variables)[ref.member]
        if member.size != 1:
            raise refused(self.kind, f"the array '{member.name}'", member.location)
        part = self.parts[ref.path[0], element] if ref.path else None
        return part, member.name, ref.parameter

    # -- statements --------------------------------------------------------------------------------------------------
    def _take(self, stamp: Stamp) -> None:
        template = stamp.template
        location = template.location
        if stamp.section in _SECTIONS:
            raise refused(self.kind, _SECTIONS[stamp.section], location)
        if stamp.rows != 1 or any(len(ref.elements) != 1 for ref in stamp.refs):
            raise refused(self.kind, "an equation of arrays", location)
        if isinstance(template, ValueTemplate):
            self._bind(stamp, template)
        elif isinstance(template, AssertTemplate):
            slots = [self._own(ref, location) for ref in stamp.refs]
            report = formatted(template.message, template.values, lambda value: self._shown(value, slots, location))
            severity = "warning" if template.warning else "error"
            condition = self._shown(template.condition, slots, location)
            self.equations.append(said.Assert(condition=condition, report=report, severity=severity))
        elif type(template) is EquationTemplate:
            slots = [self._own(ref, location) for ref in stamp.refs]
            self._refuse_code((template.lhs, template.rhs), location)
            text = equation_text(template.lhs, template.rhs, slots, Names())
            self.equations.append(records.Equation(body=f"{_DERIVATIVE.sub(_DOT, text)};"))
        else:
            raise refused(self.kind, "an equation by operating modes", location)

    def _bind(self, stamp: Stamp, template: ValueTemplate) -> None:
        """A parameter of a part, or an own one, that is an expression of own parameters."""
        location = template.location
        slots = ["", *(self._own(ref, location) for ref in stamp.refs[1:])]
        text = self._shown(template.value, slots, location)
        target, name, _ = self._target(stamp.refs[0], int(stamp.refs[0].elements[0]))
        if target is None:
            self.defaults[name] = text
        else:
            target.values[name] = text

    def _shown(self, expr: Any, slots: list[str], location: SourceLocation) -> str:
        self._refuse_code((expr,), location)
        return expression_text(expr, slots, Names())

    def _refuse_code(self, roots: tuple[Any, ...], location: SourceLocation) -> None:
        if any(isinstance(node, Apply | Lookup) for node in walk(*roots)):
            raise refused(self.kind, "a function or table", location)

    def _own(self, ref: Ref, location: SourceLocation) -> str:
        """A member of the component itself; numbers written in equations stand there again."""
        if ref.outer or ref.path:
            whose = ref.outer or self.kind.groups[ref.path[0]].names[0]
            raise refused(self.kind, f"an equation that reads members of '{whose}'", location)
        if not ref.parameter:
            variable = self.kind.variables[ref.member]
            if variable.role in ("stream", "inflow"):
                raise refused(self.kind, f"the stream '{variable.name}'", location)
            return self.text_of(variable)
        parameter = self.kind.parameters[ref.member]
        return _number(parameter) if _is_hidden(parameter) else parameter.name


def _differentiated(kind: Kind) -> set[int]:
    """The own variables whose derivative is in an equation of the kind."""
    return {
        stamp.refs[node.index].member
        for stamp in kind.stamps
        for node in stamp.template.nodes
        if isinstance(node, Der) and not stamp.refs[node.index].path
    }


def _texts(kind: Kind) -> dict[str, str]:
    """The variables in equations: flange.phi is flange_phi, or flange_phi_ where there is one of that name."""
    taken = {one.name for one in (*kind.variables, *kind.parameters)}
    found: dict[str, str] = {}
    for variable in kind.variables:
        text = variable.name.replace(".", "_")
        while text != variable.name and text in taken:
            text += "_"
        taken.add(text)
        found[variable.name] = text
    return found


def _words(text: str | None) -> set[str]:
    return set(re.findall(r"[^\W\d]\w*", text or ""))


def _limits(member: Member) -> tuple[str, str]:
    """The least and the largest value; big is what any number is within."""
    least, most = (member.attributes.get(name) for name in ("min", "max"))
    return (
        "-big" if least is None or not np.isfinite(least) else number_text(float(least)),
        "big" if most is None or not np.isfinite(most) else number_text(float(most)),
    )


def _is_hidden(parameter: Parameter) -> bool:
    return parameter.literal


def _number(parameter: Parameter) -> str:
    text = number_text(float(parameter.attributes["value"]))
    return f"({text})" if text.startswith("-") else text


def _default(kind: Kind, parameter: Parameter) -> str | None:
    if parameter.size != 1 or parameter.shape:
        raise refused(kind, f"the array '{parameter.name}'", parameter.location)
    value = parameter.attributes.get("value")
    return None if value is None or np.isnan(value) else number_text(float(value))
