"""Overconstrained connections (MLS 9.4): which of them carry equalities, and which ones equalityConstraint.

Records such as the orientation of a frame have more fields than degrees of freedom. Connected ones and those that
Connections.branch joins form a graph; edges of its spanning forest equate the records field by field, each cut edge
has the equations residual = equalityConstraint(a, b) = 0 instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.evaluation.calls import call_function
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.kinds.connect import OptionalEdge
from tellegen.frontends.modelica.kinds.pending import Pending, pending_equation
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.sections.statements import Equation, GraphStatement
from tellegen.frontends.modelica.values.value import is_known, scalars, symbol
from tellegen.graph.rooted_forest import ForestTask, rooted_forest
from tellegen.ir.expressions.expr import ZERO


class ConnectionGraph:
    """The graph of a whole model, with its roots."""

    def __init__(self, statements: list[GraphStatement], edges: list[OptionalEdge]) -> None:
        self._numbers: dict[int, int] = {}  # of vertices, by id of the record
        self._kept: list[Any] = []  # so that no other object gets the id of a vertex
        self.edges = edges
        branches = [s for s in statements if s.operator == "branch"]
        roots = [s for s in statements if s.operator == "root"]
        potential = [s for s in statements if s.operator == "potentialRoot"]
        self.branches = [(self._vertex(s.nodes[0]), self._vertex(s.nodes[1])) for s in branches]
        root_vertices = [self._vertex(s.nodes[0]) for s in roots]
        candidates = [(s.priority, self._vertex(s.nodes[0])) for s in potential]
        optional = [(self._vertex(edge.a), self._vertex(edge.b)) for edge in edges]
        task = ForestTask(len(self._numbers), self.branches, optional, root_vertices, candidates)
        self.forest = rooted_forest(task)
        if self.forest.conflicts:
            _refuse(
                "two roots are joined by branches that cannot be cut", roots, root_vertices, self.forest.conflicts[0]
            )
        if self.forest.loops:
            statement = branches[self.forest.loops[0]]
            raise ModelicaError(
                "E587",
                "Connections.branch closes a circle that cannot be cut",
                location=statement.location,
                advice="a circle needs a connection between connectors or a component that constrains without a branch",
            )

    def is_root(self, record: Any) -> bool:
        """Connections.isRoot(a.R)."""
        return id(record) in self._numbers and self._numbers[id(record)] in self.forest.roots

    def rooted(self, record: Any) -> bool:
        """Connections.rooted(a.R): whether it is nearer to the root than the other end of its one branch."""
        vertex = self._numbers.get(id(record), -1)
        depth = self.forest.depth
        for a, b in self.branches:
            if vertex in (a, b):
                return depth[vertex] < depth[b if vertex == a else a]
        return False

    def equations(self) -> Iterator[Pending]:
        """The equations of all connections between overconstrained records."""
        for edge, is_cut in zip(self.edges, self.forest.cut, strict=True):
            pairs = _residual(edge) if is_cut else _fields(edge.a, edge.b)
            for left, right in pairs:
                yield pending_equation("equation", Equation(left, right, edge.location), edge.part)

    def _vertex(self, record: Any) -> int:
        self._kept.append(record)
        return self._numbers.setdefault(id(record), len(self._numbers))


def _fields(a: Instance | VariableInstance, b: Instance | VariableInstance) -> Iterator[tuple[Any, Any]]:
    for one, other in zip(scalars(a.value()), scalars(b.value()), strict=True):
        if not (is_known(one) and is_known(other)):
            yield symbol(one), symbol(other)


def _residual(edge: OptionalEdge) -> Iterator[tuple[Any, Any]]:
    record = edge.a
    view = record.view if isinstance(record, Instance) else record.layout.type.view
    assert isinstance(view, ClassView)
    function = view.find("equalityConstraint")
    assert isinstance(function, ClassView)
    owner = record if isinstance(record, Instance) else record.owner
    scope = owner.scope_for(owner.view)
    value = call_function(function, (edge.a.value(), edge.b.value()), {}, scope)
    residue = value[0] if isinstance(value, tuple) else value
    for residual in scalars(residue):
        if not is_known(residual):
            yield symbol(residual), ZERO


def _refuse(what: str, statements: list[GraphStatement], vertices: list[int], culprit: int) -> None:
    raise ModelicaError(
        "E587",
        what,
        location=statements[vertices.index(culprit)].location,
        advice="keep one of the roots, or make the others potential roots",
    )
