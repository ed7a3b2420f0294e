"""The architecture of a kind: branch quantities, free quantities, simultaneous statements, processes, instances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tellegen.exporters.source.given_values import Address, GivenValues, declared_values
from tellegen.exporters.source.open_inputs import OpenInputs
from tellegen.exporters.source.targets import follow
from tellegen.exporters.source.tidy import tidy
from tellegen.exporters.vhdl_ams.connections import Nodes
from tellegen.exporters.vhdl_ams.entities import Entity, GivenAround, generic_map, ranged, value_text, values_text
from tellegen.exporters.vhdl_ams.expressions import Printer, Thresholds
from tellegen.exporters.vhdl_ams.initial_equations import initial_statements
from tellegen.exporters.vhdl_ams.initial_values import InitialValues
from tellegen.exporters.vhdl_ams.lexical import comment, number, string
from tellegen.exporters.vhdl_ams.names import EntityNames, LibraryNames, refused, vhdl_type
from tellegen.exporters.vhdl_ams.processes import Processes
from tellegen.exporters.vhdl_ams.tables import TableFunctions
from tellegen.ir.expressions.expr import Call, Slot
from tellegen.ir.expressions.template import (
    AssertTemplate,
    EquationTemplate,
    ValueTemplate,
    WhenTemplate,
    formatted,
)
from tellegen.ir.model import Array, ChildGroup, Kind, Setting, Stamp


@dataclass(frozen=True)
class Text:
    """What all units of a text share."""

    library: LibraryNames
    tables: TableFunctions
    inputs: OpenInputs
    initial: InitialValues
    entities: dict[int, Entity]  # by id(kind), parts first


class Architecture:
    """Writes entity and architecture of one kind."""

    def __init__(self, text: Text, kind: Kind, outermost: tuple[Setting, ...], around: GivenAround) -> None:
        self.text = text
        self.kind = kind
        self.names: EntityNames = text.library.of(kind)
        self.thresholds = Thresholds(self.names.scope)
        self.given = GivenValues(kind, {}, self._value)
        self.given.put(outermost)
        self._check_depth()
        self.entity = Entity(self.names, self.given, text.initial, around)
        text.entities[id(kind)] = self.entity

    def lines(self) -> list[str]:
        """The architecture body."""
        rules = self.text.library.model.rules
        processes = Processes(self.names.scope, frozenset({"assign", "reinit"} if rules.reinit_at_once else {"assign"}))
        statements = self._statements(processes)
        nodes = Nodes(self.text.library, self.kind)
        statements += nodes.equations
        statements += self._default_inputs()
        instances = [
            line
            for g, group in enumerate(self.kind.groups)
            for k in range(group.size)
            for line in self._instance(nodes, g, group, k)
        ]
        declarations = [*self._constants(), *nodes.declared, *self._quantities(), *self._actuals()]
        declarations += [f"quantity {name} : real;" for name in self.thresholds.names.values()]
        statements += [f"{name} == {difference};" for difference, name in self.thresholds.names.items()]
        if self.thresholds.breaks:
            statements.append(f"break on {', '.join(self.thresholds.breaks)};")
        statements += self._start_values()
        lines = [f"architecture equations of {self.names.name} is"]
        lines += [f"  {line}" for line in [*declarations, *processes.declarations]]
        lines.append("begin")
        lines += [f"  {line}" for line in [*statements, *processes.statements, *instances]]
        return [*lines, "end architecture equations;"]

    # -- declarations -------------------------------------------------------------------------------------------
    def _constants(self) -> list[str]:
        out = []
        for n, parameter in enumerate(self.kind.parameters):
            if not parameter.literal and self.entity.is_computed(n):
                values = self.given.own(n, True, "value")
                assert values is not None
                about = comment(f"{parameter.unit.text} {parameter.description}")
                computed = values_text(values)
                if n in self.entity.overridden:
                    if values.ndim:
                        raise refused(f"'{parameter.name}', which is computed here and given elsewhere,", self.kind)
                    given = self.entity.overridden[n]
                    computed = f"choose({given} = real'low, {computed}, {given})"
                out.append(f"constant {self.names.parameters[n]} : {ranged('real', parameter)} := {computed};{about}")
        for n, start in self.entity.starts.items():
            if self.entity.has_computed_start(n):
                variable = self.kind.variables[n]
                kind_of = ranged(vhdl_type(variable), variable)
                out.append(f"constant {start} : {kind_of} := {self.entity.start_value(n)};")
        return out

    def _quantities(self) -> list[str]:
        out = []
        for n, name in self.names.variables.items():
            variable = self.kind.variables[n]
            if variable.role in ("input", "output") or n in self.names.exposed or not variable.size:
                continue
            about = comment(f"{variable.unit.text} {variable.description}")
            if n in self.names.signals:
                start = self.entity.starts.get(n) or self.entity.start_value(n)
                out.append(f"signal {name} : {ranged(vhdl_type(variable), variable)} := {start};{about}")
            else:
                out.append(f"quantity {name} : {ranged('real', variable)};{about}")
        return out

    def _actuals(self) -> list[str]:
        out = []
        for (group, _, n), name in self.names.actuals.items():
            variable = self.kind.groups[group].kind.variables[n]
            discrete = n in self.text.library.of(self.kind.groups[group].kind).signals
            word = "signal" if discrete else "quantity"
            out.append(f"{word} {name} : {ranged(vhdl_type(variable), variable)};")
        return out

    # -- statements ---------------------------------------------------------------------------------------------
    def _statements(self, processes: Processes) -> list[str]:
        out: list[str] = []
        for stamp in self.kind.stamps:
            for row in range(stamp.rows):
                template = stamp.template
                if stamp.section == "initial":
                    out += initial_statements(self._printer(stamp, row), template, self.kind)
                elif isinstance(template, EquationTemplate):
                    out += self._equation(self._printer(stamp, row), template, self._determined(stamp))
                elif isinstance(template, WhenTemplate):
                    processes.add(self._printer(stamp, row), template)
                elif isinstance(template, AssertTemplate):
                    printer = self._printer(stamp, row)
                    severity = "warning" if template.warning else "error"
                    condition = printer.text(template.condition)
                    message = string(formatted(template.message, template.values, printer.text))
                    out.append(f"assert {condition} report {message} severity {severity};")
        for n, name in self.names.seen.items():
            for element in range(self.kind.variables[n].size):
                seen = f"{name}({element})" if self.kind.variables[n].size > 1 else name
                out.append(f"{seen} == {self.names.variable(n, element)};")
        return out

    def _determined(self, stamp: Stamp) -> set[int]:
        """The slots of signals that an equation may determine: those that no when-clause of the class assigns."""
        assigned = {
            other.refs[slot].member
            for other in self.kind.stamps
            if isinstance(other.template, WhenTemplate)
            for slot in other.template.assigned()
            if not other.refs[slot].path
        }
        return {
            slot
            for slot, ref in enumerate(stamp.refs)
            if self.text.library.is_signal(self.kind, ref) and (ref.path or ref.member not in assigned)
        }

    def _equation(self, printer: Printer, template: EquationTemplate, signals: set[int]) -> list[str]:
        left = tidy(template.lhs)
        right = tidy(template.rhs)
        if isinstance(right, Slot) and right.index in signals and not printer.varies(left):
            left, right = right, left
        if isinstance(left, Slot) and left.index in signals and not printer.varies(right):
            return [f"{printer.names[left.index]} <= {printer.assigned(left.index, right)};"]
        shown = printer.text(left)
        if not (isinstance(right, Call) and right.op == "where"):
            return [f"{shown} == {printer.text(right)};"]
        lines = []
        word = "if"
        while isinstance(right, Call) and right.op == "where":
            condition, yes, right = right.args
            lines += [f"{word} {printer.text(condition)} use", f"  {shown} == {printer.text(yes)};"]
            word = "elsif"
        return [*lines, "else", f"  {shown} == {printer.text(right)};", "end use;"]

    def _printer(self, stamp: Stamp, row: int, located: bool = True) -> Printer:
        names = []
        for slot, ref in enumerate(stamp.refs):
            target = follow(self.kind, ref, {})
            if slot == 0 and isinstance(stamp.template, ValueTemplate):
                names.append("")  # what gets the value
            elif target.is_literal:
                names.append(number(target.literal_value(row)))
            else:
                names.append(self.text.library.reference(self.kind, ref, row))
        signals = [self.text.library.is_signal(self.kind, ref) for ref in stamp.refs]
        return Printer(stamp.template, names, signals, self.text.tables, self.thresholds, located)

    def _value(self, stamp: Stamp, row: int) -> str:
        printer = self._printer(stamp, row, located=False)
        return printer.assigned(0, tidy(stamp.template.value))  # type: ignore[attr-defined]

    def _default_inputs(self) -> list[str]:
        out = []
        for found in self.text.inputs.by_kind[id(self.kind)]:
            below = self.kind.groups[found.group].kind
            variable = below.variables[found.variable]
            discrete = found.variable in self.text.library.of(below).signals
            for element in found.elements.tolist():
                child, inner = divmod(element, max(variable.size, 1))
                value = self._default(found.group, child, found.parameter, inner)
                name = self.names.actual(found.group, child, found.variable)
                name = f"{name}({inner})" if variable.shape or variable.array >= 0 else name
                out.append(f"{name} {'<=' if discrete else '=='} {value_text(value, vhdl_type(variable))};")
        return out

    def _default(self, group: int, child: int, parameter: int, element: int) -> str | float:
        declared = declared_values(self.kind.groups[group].kind.parameters[parameter], "value")
        for at in (child, -1):
            values = self.given.values.get(Address(((group, at),), parameter, True, "value"))
            if values is not None:
                return np.ravel(values[child] if at < 0 else values)[element]
        if declared is None:
            raise refused("the computed default of an input", self.kind)
        return float(np.ravel(declared)[element])

    def _start_values(self) -> list[str]:
        out = []
        for n, start in self.entity.starts.items():
            variable = self.kind.variables[n]
            if n in self.names.signals:
                continue
            for element in self.text.initial.held(self.kind)[n]:
                value = f"{start}({element})" if variable.shape else start
                when = f" when {self.entity.flags[n]}" if n in self.entity.flags else ""
                out.append(f"break {self.names.variable(n, element)} => {value}{when};")
        return out

    # -- instances ----------------------------------------------------------------------------------------------
    def _instance(self, nodes: Nodes, g: int, group: ChildGroup, k: int) -> list[str]:
        entity = self.text.entities[id(group.kind)]
        names = self.text.library.of(group.kind)
        chosen = {a: v for a, v in self._given_below().items() if a.steps[0] in ((g, k), (g, -1))}
        generics = generic_map(entity, chosen, k)
        for n, flag in entity.flags.items():
            generics += [] if self.text.initial.parts[id(self.kind), g, k, n] else [f"{flag} => false"]
        ports = [
            f"{pin.name} => {nodes.terminal((g, k, port, number), pin)}"
            for port, pins in names.pins.items()
            for number, pin in enumerate(pins)
        ]
        for n, variable in enumerate(group.kind.variables):
            if variable.role in ("input", "output") or n in names.exposed:
                formal = names.seen.get(n) or names.variables[n]
                ports.append(f"{formal} => {self.names.actual(g, k, n)}")
        lines = [f"{self.names.labels[g][k]} : entity work.{names.name}"]
        if generics:
            lines.append(f"  generic map ({', '.join(generics)})")
        if ports:
            lines.append(f"  port map ({', '.join(ports)})")
        return [*lines[:-1], f"{lines[-1]};"]

    def _given_below(self) -> dict[Address, Array]:
        return {address: values for address, _, values in self.given.below() if address.attribute in ("value", "start")}

    def _check_depth(self) -> None:
        for address in self.given.values:
            if len(address.steps) > 1 and address.attribute in ("value", "start"):
                raise refused("a value given to a part of a part", self.kind)
