"""A kind as a Modelica class: declarations, initial equations, equations, connections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tellegen.exporters.modelica.declarations import Declarations
from tellegen.exporters.modelica.expressions import Element, Printer
from tellegen.exporters.modelica.lexical import number, string
from tellegen.exporters.modelica.names import ClassNames, PackageNames
from tellegen.exporters.modelica.statements import has_ticks_besides_the_start, statement
from tellegen.exporters.modelica.tables import TableFunctions, array_text
from tellegen.exporters.source.given_values import GivenValues
from tellegen.exporters.source.loops import Affine, affine, loop_counts
from tellegen.exporters.source.open_inputs import OpenInput, OpenInputs
from tellegen.exporters.source.targets import Target, axes, follow
from tellegen.exporters.source.tidy import tidy
from tellegen.ir.expressions.template import Template, WhenTemplate
from tellegen.ir.model import Connection, End, IntArray, Kind, Ref, Setting, Stamp


@dataclass(frozen=True)
class Package:
    """What all classes of a package share."""

    names: PackageNames
    tables: TableFunctions
    inputs: OpenInputs


@dataclass(frozen=True)
class Rows:
    """Rows of a statement: one of them, or loops over all with these counters."""

    row: int = 0
    counts: tuple[int, ...] = ()
    counters: tuple[str, ...] = ()

    def subscripts(self, target: Target) -> list[Affine]:
        """The subscripts of a target in these rows."""
        table = target.subscripts
        if self.counts:
            columns = [np.broadcast_to(table[:, j], (int(np.prod(self.counts)),)) for j in range(table.shape[1])]
            return [found for column in columns if (found := affine(column, self.counts)) is not None]
        return [Affine(int(k), ()) for k in table[min(self.row, len(table) - 1)]]

    def within(self, lines: Iterable[str]) -> list[str]:
        """The lines inside the loops."""
        out = list(lines)
        for counter, count in zip(reversed(self.counters), reversed(self.counts), strict=True):
            out = [f"for {counter} in 1:{count} loop", *(f"  {line}" for line in out), "end for;"]
        return out


class ClassWriter:
    """Writes the class of one kind; `outermost` are numbers given to the model itself."""

    def __init__(self, package: Package, kind: Kind, outermost: Sequence[Setting] = ()) -> None:
        self.package = package
        self.kind = kind
        self.names: ClassNames = package.names.of(kind)
        self.literals: dict[int, str] = {}  # of numbers that loops run over, by parameter
        self.begins = self.names.scope.unique("begins") if _asks_for_the_start(kind) else ""
        self.given = GivenValues(kind, self.names.outers, self._value)
        self.given.put(outermost)

    def lines(self, annotation: str = "") -> list[str]:
        """The class."""
        known = [f"{self.begins} = time;"] if self.begins else []
        start = self._section("initial equation", [*known, *self._stamps("initial")])
        laws = [*self._stamps("equation"), *self._stamps("when"), *self._stamps("assert")]
        for found in self.package.inputs.by_kind[id(self.kind)]:
            laws += self._default_input(found)
        for connection in (c for c in self.kind.connections if self._joins(c)):
            laws += self._connection(connection)
        declared = Declarations(self.package.names, self.kind, self.given, self.package.inputs).lines()
        constants = [
            f"constant Real {name}[{np.size(values)}] = {array_text(np.ravel(values))};"
            for name, values in ((self.literals[k], self.kind.parameters[k].attributes["value"]) for k in self.literals)
        ]
        if self.begins:
            constants.append(f'parameter Real {self.begins}(fixed = false) "time at which the run begins";')
        comment = f" {string(self.kind.description)}" if self.kind.description else ""
        lines = [f"model {self.names.name}{comment}", *(f"  {line}" for line in declared)]
        lines += self._section("protected", constants)
        lines += start + self._section("equation", laws)
        if annotation:
            lines.append(f"  {annotation}")
        return [*lines, f"end {self.names.name};"]

    def _section(self, title: str, lines: list[str]) -> list[str]:
        return [title, *(f"  {line}" for line in lines)] if lines else []

    # -- statements ---------------------------------------------------------------------------------------------
    def _stamps(self, section: str) -> list[str]:
        out: list[str] = []
        for stamp in self.kind.stamps:
            if stamp.section == section and stamp.rows:
                out += self._stamp(stamp)
        return out

    def _stamp(self, stamp: Stamp) -> list[str]:
        targets = self._targets(stamp)
        out: list[str] = []
        for rows in self._rows(targets, stamp.rows):
            out += rows.within(statement(self._printer(stamp.template, targets, rows)))
        return out

    def _targets(self, stamp: Stamp) -> list[Target]:
        return [self.package.names.target(self.kind, ref) for ref in stamp.refs]

    def _printer(self, template: Template, targets: Sequence[Target], rows: Rows) -> Printer:
        names = [self._reference(target, rows) for target in targets]
        elements = [self._element(target) for target in targets] if isinstance(template, WhenTemplate) else ()
        rules = self.package.names.model.rules
        return Printer(template, names, self.package.tables, elements, self.begins, rules.reinit_at_once)

    def _element(self, target: Target) -> Element | None:
        """The array that a target is an element of; None if it is none, or part of a connector."""
        sizes = axes(target.member)
        if not sizes or target.is_literal or "." in target.member.name:
            return None
        place = target.subscripts[0]
        fixed = [Affine(int(k), ()) for k in place]
        name = self.package.names.reference(self.kind, target, fixed, ())
        array = name[: name.rindex("[")]
        return Element(array, sizes, int(np.ravel_multi_index(tuple(place[len(target.groups) :]), sizes)))

    def _rows(self, targets: Sequence[Target], rows: int) -> list[Rows]:
        """Loops where subscripts allow them, else every row by itself."""
        if rows == 1:
            return [Rows()]
        counts = loop_counts([column for target in targets for column in _columns(target, rows)], rows)
        named = (target.subscripts[:, j] for target in targets for j, g in enumerate(target.groups) if not g.is_array)
        if counts is None or any(len(np.unique(column)) > 1 for column in named):
            return [Rows(row) for row in range(rows)]
        counters: list[str] = []
        for name in ("k", "l")[: len(counts)]:
            counters.append(self.names.scope.free(name))
        return [Rows(0, counts, tuple(counters))]

    def _reference(self, target: Target, rows: Rows) -> str:
        if target.is_literal and not rows.counts:
            return number(target.literal_value(rows.row))
        if target.is_literal:
            if target.number not in self.literals:
                self.literals[target.number] = self.names.parameters[target.number]
            return f"{self.literals[target.number]}[{rows.subscripts(target)[-1].text(rows.counters, 1)}]"
        return self.package.names.reference(self.kind, target, rows.subscripts(target), rows.counters)

    def _value(self, stamp: Stamp, row: int) -> str:
        """The value of a binding in one row."""
        printer = self._printer(stamp.template, self._targets(stamp), Rows(row))
        return printer.assigned(0, tidy(stamp.template.value))  # type: ignore[attr-defined]

    # -- connections --------------------------------------------------------------------------------------------
    def _default_input(self, found: OpenInput) -> list[str]:
        refs = [
            Ref((found.group,), found.variable, found.elements, False),
            Ref((found.group,), found.parameter, found.elements, True),
        ]
        targets = [self.package.names.target(self.kind, ref) for ref in refs]
        out: list[str] = []
        for rows in self._rows(targets, len(found.elements)):
            left, right = (self._reference(target, rows) for target in targets)
            out += rows.within([f"{left} = {right};"])
        return out

    def _joins(self, connection: Connection) -> bool:
        """Whether a connection has variables: those of frames were composed into equations before."""
        end = connection.a
        around = self.names.outers[end.outer] if end.outer else self.kind
        kind = around.groups[end.group].kind if end.group >= 0 else around
        port = kind.port_index[end.outer_port] if end.outer else end.port
        return bool(kind.ports[port].variables)

    def _connection(self, connection: Connection) -> list[str]:
        ends = [self._end(connection.a), self._end(connection.b)]
        out: list[str] = []
        for rows in self._rows([target for target, _ in ends], len(connection.a.elements)):
            texts = [self._connector(target, port, rows) for target, port in ends]
            out += rows.within([f"connect({texts[0]}, {texts[1]});"])
        return out

    def _end(self, end: End) -> tuple[Target, int]:
        """One side of connections: the first variable of its port stands for it."""
        kind = self.kind
        port = end.port
        if end.outer:
            kind = self.names.outers[end.outer]
            port = kind.port_index[end.outer_port]
        elif end.group >= 0:
            kind = kind.groups[end.group].kind
        variable = kind.variables[kind.ports[port].variables[0]]
        size = kind.ports[port].count
        scalars = variable.size // size if size else 1  # per connector
        path = () if end.outer or end.group < 0 else (end.group,)
        ref = Ref(
            path, kind.ports[port].variables[0], _first_scalars(end.elements, scalars), False, end.outer, variable.name
        )
        return follow(self.kind, ref, self.names.outers), port

    def _connector(self, target: Target, port: int, rows: Rows) -> str:
        text = self._reference(target, rows)
        if target.kind.ports[port].family == "signal":
            return text
        return text.rpartition(".")[0]


def _asks_for_the_start(kind: Kind) -> bool:
    return any(
        has_ticks_besides_the_start(branch.condition)
        for stamp in kind.stamps
        if isinstance(stamp.template, WhenTemplate)
        for branch in stamp.template.branches
    )


def _first_scalars(elements: IntArray, scalars: int) -> IntArray:
    return elements * scalars


def _columns(target: Target, rows: int) -> list[IntArray]:
    table = target.subscripts
    return [np.broadcast_to(table[:, j], (rows,)) for j in range(table.shape[1])]
