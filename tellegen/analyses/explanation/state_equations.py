"""State equations of a linear graph in symbols, by the normal tree: algorithms E and F of composable simulation.

E   terminal equations of all edges, cut-set equations of the branches, circuit equations of the chords
F   secondary variables out by the constraints, then drivers and algebraic variables out, then solved for the highest
    derivatives of the states

Where a derivative of something is asked for that no equation gives (a capacitor beside a source: C dv/dt), its equation
is differentiated. What cannot be solved in symbols (a diode's law for its voltage) stays as an implicit equation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.errors import InternalError
from tellegen.ir.expressions.expr import Der, Slot
from tellegen.ir.expressions.template import EquationTemplate
from tellegen.ir.flat import Group
from tellegen.ir.show.latex import symbol as latex_symbol
from tellegen.network.classes import ACCUMULATOR, ACROSS, DELAY, THROUGH
from tellegen.network.local import Symbol
from tellegen.symbolic.to_sympy import expressions, the_package

if TYPE_CHECKING:
    from tellegen.analyses.explanation.system_graph import SystemGraph

_MOST_ROUNDS = 10
Variable = tuple[Any, str, int]
"""Edge number and role, or the number of a variable and "signal"; then the order of the derivative."""


@dataclass(frozen=True, eq=False, repr=False)
class StateEquations:
    """`derivatives` of states and `algebraic` variables as SymPy expressions of states, parameters, inputs and t."""

    states: tuple[str, ...]
    derivatives: dict[str, Any]
    algebraic: dict[str, Any]
    implicit: tuple[Any, ...]  # expressions that are zero
    names: dict[str, str]  # LaTeX by name

    def __repr__(self) -> str:
        return f"<StateEquations: {len(self.states)} states, {len(self.implicit)} implicit equations>"

    def __str__(self) -> str:
        lines = [f"{name} == {value}" for name, value in self.derivatives.items()]
        return "\n".join([*lines, *(f"0 == {value}" for value in self.implicit)])

    def latex(self) -> str:
        """The equations aligned at the equals sign."""
        sympy = the_package("print(...) shows the equations as plain text")
        symbols = {sympy.Symbol(name, real=True): text for name, text in self.names.items()}
        rows = [(sympy.Symbol(name, real=True), value) for name, value in self.derivatives.items()]
        rows += [(sympy.Integer(0), value) for value in self.implicit]
        lines = [" &= ".join(sympy.latex(side, symbol_names=symbols) for side in row) for row in rows]
        return "\\begin{align}\n  " + " \\\\\n  ".join(lines) + "\n\\end{align}\n"

    def sympy(self) -> list[Any]:
        """The equations as sympy.Eq; derivatives are symbols called der(...)."""
        sympy = the_package("print(...) shows the equations as plain text")
        known = [sympy.Eq(sympy.Symbol(name, real=True), value) for name, value in self.derivatives.items()]
        return known + [sympy.Eq(sympy.Integer(0), value) for value in self.implicit]


def state_equations(graph: SystemGraph) -> StateEquations:
    """See the top of this file."""
    return _Derivation(graph).result()


class _Derivation:
    """The equations on their way."""

    def __init__(self, graph: SystemGraph) -> None:
        self.sympy = the_package("print(graph.normal_tree()) shows the states without it")
        self.graph = graph
        self.tree = graph.normal_tree()
        self.network = graph.network
        self.chosen = graph.forest.chosen
        self.in_tree = graph.forest.in_tree
        self.flat = graph.network.flat
        self.variables: dict[Any, Variable] = {}  # by SymPy symbol
        self.parameter_names: dict[str, str] = {}
        self.is_given = np.zeros(self.flat.variables.count, bool)  # from outside, or changed by events only
        self.is_given[self.flat.inputs] = True
        for start, length, _, member in self.flat.variables.blocks():
            self.is_given[start : start + length] |= member.discrete
        self.edge_of = {
            (int(p), int(i), int(k)): edge
            for edge, (p, i, k) in enumerate(zip(*map(np.asarray, self._columns()), strict=True))
        }
        self.allowed: set[Any] = set()  # derivatives of what is not a state, for which there is an equation
        self.left_out = {(p, i, k) for p, i, k in self.network.left_out}

    def _columns(self) -> tuple[Any, Any, Any]:
        return self.network.part, self.network.instance, self.network.local

    def result(self) -> StateEquations:
        """E1, E2 and F."""
        equations = [e for e in self._all_equations() if e != 0]
        states = self._states()
        equations, solved = self._solve(equations, states)
        names = {str(s): self._latex(s) for s in list(self.variables)} | self.parameter_names
        order = [symbol for symbol in solved if self._rank(symbol, states) == 2]
        order.sort(key=lambda symbol: self._order(symbol))
        tops = {(p, r, o + 1) for p, r, o in states if (p, r, o + 1) not in states}
        if not equations and tops != {self.variables[symbol] for symbol in order}:
            raise InternalError("E903", "the state equations of the graph are not complete")
        text = {str(symbol): self._simple(solved[symbol]) for symbol in order}
        algebraic = {str(symbol): solved[symbol] for symbol in solved if symbol not in order}
        listed = tuple(str(self._symbol(*state)) for state in states)
        return StateEquations(listed, text, algebraic, tuple(map(self._simple, equations)), names)

    def _order(self, symbol: object) -> tuple[int, Any]:
        position, _, _ = self.variables[symbol]
        return (0, position)

    def _simple(self, expr: Any) -> Any:
        return self.sympy.simplify(expr) if expr.count_ops() < 300 else expr

    def _states(self) -> dict[Variable, None]:
        """Every state with its order."""
        found: dict[Variable, None] = {}
        for k in range(self.network.edge_count):
            kind = self.network.edge_class(k, self.chosen)
            branch = bool(self.in_tree[k])
            role = "across" if branch else "through"
            if kind.name == (ACCUMULATOR if branch else DELAY):
                count = kind.order
            else:
                count = kind.integrals if kind.name == (ACROSS if branch else THROUGH) else 0
            found |= dict.fromkeys((k, role, order) for order in range(count))
        for position, role, order in list(self.variables.values()):  # inside components and blocks
            if role == "signal":
                found |= dict.fromkeys((position, role, below) for below in range(order))
        return found

    def _symbol(self, position: Any, role: str, order: int) -> Any:
        name = self.flat.variables.name(position) if role == "signal" else self.graph.names.of_edge(position, role)
        symbol = self.sympy.Symbol("der(" * order + name + ")" * order, real=True)
        if role != "signal" or not self.is_given[position]:
            self.variables.setdefault(symbol, (position, role, order))
        return symbol

    def _all_equations(self) -> list[Any]:
        """E1 and E2: the equations of all components over primary variables, then those of the block diagram."""
        out: list[Any] = []
        for number, part in enumerate(self.network.parts):
            if any((number, 0, k) in self.left_out for k in range(len(part.edges))):
                continue
            for instance in range(self.flat.tree.nodes[part.node].count):
                leaf = partial(self._leaf, number, instance)
                out += expressions(self.sympy, tuple(part.equations), leaf)
                values = expressions(self.sympy, tuple(part.outputs.values()), leaf)
                for output, value in zip(part.outputs, values, strict=True):
                    index = self.graph.names.index(part, instance, Symbol("variable", output))
                    out.append(self._symbol(index, "signal", 0) - value)
        out += self._blocks()
        return [self.sympy.expand(equation) for equation in out]

    def _blocks(self) -> list[Any]:
        """Equations of components without terminals, and connected signals."""
        physical = {part.node for part in self.network.parts}
        out = [
            self._symbol(int(a), "signal", 0) - self._symbol(int(b), "signal", 0)
            for a, b in self.flat.equalities
            if self.flat.variables.declaration(int(a)).role in ("input", "output")
        ]
        for group in self.flat.equations:
            template = group.template
            assert isinstance(template, EquationTemplate)
            for row in range(group.rows):
                if group.owner(row)[0] not in physical:
                    out += expressions(self.sympy, (template.residual,), partial(self._plain, group, row))
        return out

    def _plain(self, group: Group, row: int, node: Slot | Der) -> Any:
        """A leaf of an equation as it is written."""
        index = int(group.bindings[row, node.index])
        if group.template.slots[node.index].parameter:
            return self._parameter(index)
        return self._symbol(index, "signal", int(isinstance(node, Der)))

    def _parameter(self, index: int) -> Any:
        declared = self.flat.parameters.declaration(index)
        if declared.literal:
            return self.sympy.Float(self.flat.parameters.column("value")[index])
        name = self.flat.parameters.name(index)
        self.parameter_names[name] = latex_symbol(name)
        return self.sympy.Symbol(name, real=True)

    def _leaf(self, number: int, instance: int, node: Slot | Der) -> Any:
        """A leaf of a terminal equation."""
        part = self.network.parts[number]
        symbol = part.symbols.known[node.index]
        if symbol.kind in ("across", "through"):
            return self._primary(self.edge_of[number, instance, symbol.position], symbol.kind, symbol.order)
        index = self.graph.names.index(part, instance, symbol)
        return self._parameter(index) if symbol.kind == "parameter" else self._symbol(index, "signal", symbol.order)

    def _primary(self, edge: int, role: str, order: int) -> Any:
        """A variable of an edge: itself if primary, else the sum that circuits or cut-sets make of it."""
        branch = bool(self.in_tree[edge])
        if branch == (role == "across"):
            return self._symbol(edge, role, order)
        matrix, rows = (self.tree.Q, self.tree.branches) if branch else (self.tree.B, self.tree.chords)
        row = int(np.searchsorted(rows, edge))
        span = slice(matrix.indptr[row], matrix.indptr[row + 1])
        terms = [
            -int(sign) * self._symbol(int(k), role, order)
            for k, sign in zip(matrix.indices[span].tolist(), matrix.data[span].tolist(), strict=True)
            if k != edge
        ]
        return self.sympy.Add(*terms)

    def _rank(self, symbol: object, states: dict[Variable, None]) -> int:
        """0 no unknown (states, parameters), 1 algebraic, 2 the highest derivative of a state, 3 beyond that."""
        if symbol not in self.variables:
            return 0
        if symbol in self.allowed:
            return 1
        position, role, order = self.variables[symbol]
        if (position, role, order) in states:
            return 0
        if (position, role, order - 1) in states:
            return 2
        return 1 if order == 0 else 3

    def _solve(self, equations: list[Any], states: dict[Variable, None]) -> tuple[list[Any], dict[Any, Any]]:
        """F: solve for one unknown after the other, drivers and algebraic ones first."""
        solved: dict[Any, Any] = {}
        left = list(equations)
        for _ in range(_MOST_ROUNDS):
            left = self._eliminate(left, solved, states)
            beyond = {s for e in [*left, *solved.values()] for s in e.free_symbols if self._rank(s, states) == 3}
            if not beyond or not any(self._below(symbol) in solved for symbol in beyond):
                break
            found = self._differentiated(beyond, solved)
            left += [symbol - rate for symbol, rate in found.items()]
            self.allowed |= found.keys()
            for symbol in [symbol for symbol, value in solved.items() if value.free_symbols & found.keys()]:
                left.append(symbol - solved.pop(symbol))  # to be solved again together with them
        return left, solved

    def _eliminate(self, left: list[Any], solved: dict[Any, Any], states: dict[Variable, None]) -> list[Any]:
        while True:
            found = self._simplest(left, states)
            if found is None:
                return [e for e in left if e != 0]
            row, symbol, value = found
            left = [self.sympy.expand(e.subs(symbol, value)) for k, e in enumerate(left) if k != row]
            for key in solved:
                solved[key] = solved[key].subs(symbol, value)
            solved[symbol] = value

    def _simplest(self, left: list[Any], states: dict[Variable, None]) -> tuple[int, Any, Any] | None:
        """An equation linear in an unknown, algebraic unknowns first, then the shortest."""
        best: tuple[tuple[int, int], int, Any, Any] | None = None
        for row, equation in enumerate(left):
            for symbol in sorted(equation.free_symbols, key=str):
                rank = self._rank(symbol, states)
                if rank in (0, 3):
                    continue
                factor = equation.diff(symbol)
                cost = (rank, equation.count_ops())
                if factor == 0 or (best is not None and cost >= best[0]):
                    continue
                if any(self._rank(s, states) for s in factor.free_symbols):
                    continue
                factor = self.sympy.simplify(factor)
                if factor != 0:
                    rest = equation.subs(symbol, 0)
                    best = cost, row, symbol, self.sympy.together(-rest / factor)
        return None if best is None else best[1:]

    def _differentiated(self, beyond: set[Any], solved: dict[Any, Any]) -> dict[Any, Any]:
        """Derivatives that no equation gives yet, from the values of their integrals where these are known."""
        out = {}
        for symbol in sorted(beyond, key=str):
            if (before := self._below(symbol)) in solved:
                out[symbol] = self._rate(solved[before])
        return out

    def _below(self, symbol: object) -> Any:
        """What a symbol is the derivative of."""
        position, role, order = self.variables[symbol]
        return self._symbol(position, role, order - 1)

    def _rate(self, value: Any) -> Any:
        """d/dt of an expression of states, inputs, parameters and time."""
        total = value.diff(self.sympy.Symbol("t", real=True))
        for symbol in value.free_symbols:
            if symbol in self.variables:
                position, role, order = self.variables[symbol]
                total += value.diff(symbol) * self._symbol(position, role, order + 1)
        return total

    def _latex(self, symbol: object) -> str:
        position, role, order = self.variables[symbol]
        return latex_symbol(str(self._symbol(position, role, 0)), order)
