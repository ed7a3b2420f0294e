"""What operators ask about connections once they are read: cardinality, roots of graphs, what streams carry."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.translation import Translation
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.kinds.copies.copied_rows import INFLOW
from tellegen.frontends.modelica.kinds.overconstrained import ConnectionGraph
from tellegen.frontends.modelica.kinds.ports import PortTable
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, NotInlinableError
from tellegen.ir.expressions.expr import Expr, Slot


class ConnectionAnswers:
    """The answers for one model."""

    def __init__(self, ports: PortTable, uses: Counter[int], translation: Translation) -> None:
        self.ports = ports
        self.uses = uses
        self.translation = translation
        self.graph: ConnectionGraph | None = None  # once all connections are read

    def cardinality(self, entity: Any) -> int:
        """How often a connector stands in connect statements."""
        owner = entity.owner if isinstance(entity, VariableInstance) else entity
        if isinstance(owner, Instance):
            self.translation.distinguished.append(owner)
        return self.uses[id(entity)]

    def is_root(self, entity: Any) -> bool:
        """Whether an overconstrained record is the root of its tree."""
        return self._rooted_graph().is_root(entity)

    def rooted(self, entity: Any) -> bool:
        """Whether an overconstrained record is nearer to the root than the other end of its branch."""
        return self._rooted_graph().rooted(entity)

    def _rooted_graph(self) -> ConnectionGraph:
        if self.graph is None:
            raise NotInlinableError("E569", "a connection cannot depend on the roots of the graph of connections")
        return self.graph

    def in_stream(self, number: int) -> Expr:
        """What arrives at the connector of a stream variable's scalar."""
        self._flow(number)
        return Slot(number + INFLOW)

    def flow_of(self, number: int) -> Expr:
        """The flow variable of the connector of a stream variable's scalar."""
        return Slot(self._flow(number))

    def _flow(self, number: int) -> int:
        """The scalar of the flow variable beside a stream variable; in a copy that of the original, shifted."""
        variable, _ = self.translation.variable_of(number)
        original = self.translation.original(variable.first_number)
        for first in (variable.first_number, original):
            flow = self.ports.flow_of.get(first)
            if flow is not None:
                return flow.first_number + variable.first_number - first
        raise EvaluationError("E566", f"{variable.path} is not a stream variable of a connector")
