"""Flat models written by hand as text, so that the stages after flattening can be tested without it.

b = HandMade()
b.variable("v", start=1.0); b.variable("i"); b.parameter("R", 2.0)
b.equation("v == R*i")
b.group("C*der(v) == i", v=["c1.v", "c2.v"], C=["c1.C", "c2.C"], i=["c1.i", "c2.i"])
flat = b.flat()
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from tellegen.flatten.parameter_order import in_order
from tellegen.flatten.values import evaluate_bindings
from tellegen.ir.expressions.expr import TIME, Call, Const, Der, Expr, Slot
from tellegen.ir.expressions.template import EquationTemplate, SlotInfo, Template, ValueTemplate
from tellegen.ir.flat import FlatModel, Group, Node, Sums, Table, Tree
from tellegen.ir.model import Kind, Parameter, Variable
from tellegen.units import NO_UNIT, Unit

_OPERATORS = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
    ast.Mod: "mod",
    ast.USub: "neg",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.Invert: "not",
}


class Reader:
    """Text to expressions; names become slots in order of appearance."""

    def __init__(self) -> None:
        self.slots: dict[str, int] = {}

    def slot(self, node: ast.expr) -> int:
        return self.slots.setdefault(ast.unparse(node), len(self.slots))

    def read(self, node: ast.expr) -> Expr:
        if isinstance(node, ast.Constant):
            return Const(node.value)  # type: ignore[arg-type]
        if isinstance(node, ast.Name | ast.Attribute):
            return TIME if ast.unparse(node) == "time" else Slot(self.slot(node))
        if isinstance(node, ast.BinOp):
            return Call(_OPERATORS[type(node.op)], (self.read(node.left), self.read(node.right)))
        if isinstance(node, ast.UnaryOp):
            return Call(_OPERATORS[type(node.op)], (self.read(node.operand),))
        if isinstance(node, ast.Compare):
            return Call(_OPERATORS[type(node.ops[0])], (self.read(node.left), self.read(node.comparators[0])))
        assert isinstance(node, ast.Call)
        name = ast.unparse(node.func)
        if name == "der":
            return Der(self.slot(node.args[0]))
        return Call(name, tuple(self.read(arg) for arg in node.args))


def read(text: str) -> tuple[Expr, list[str]]:
    """An expression and the names of its slots."""
    reader = Reader()
    expr = reader.read(ast.parse(text, mode="eval").body)
    return expr, list(reader.slots)


class HandMade:
    """Collects declarations and statements; `flat()` gives the FlatModel."""

    def __init__(self, name: str = "HandMade") -> None:
        self.name = name
        self.variables: list[Variable] = []
        self.parameters: list[Parameter] = []
        self.index: dict[str, tuple[bool, int]] = {}
        self.sections: dict[str, list[Group]] = {"equation": [], "initial": [], "parameter": [], "start": []}
        self.pairs: list[tuple[int, int]] = []
        self.rows: list[list[tuple[int, int]]] = []
        self.inputs: list[int] = []

    def variable(self, *names: str, unit: Unit = NO_UNIT, **attributes: float) -> None:
        for name in names:
            self.index[name] = (False, len(self.variables))
            self.variables.append(Variable(name=name, unit=unit, attributes=attributes))

    def parameter(self, name: str, value: float, unit: Unit = NO_UNIT) -> None:
        self.index[name] = (True, len(self.parameters))
        self.parameters.append(Parameter(name=name, unit=unit, attributes={"value": value}))

    def input(self, name: str, start: float = 0.0) -> None:
        self.variable(name, start=start)
        self.inputs.append(self.index[name][1])

    def equation(self, text: str, section: str = "equation") -> None:
        left, right = text.split("==")
        _, names = read(f"f(({left}), ({right}))")
        self.group(text, section, **dict[str, Any]({name: [name] for name in names}))

    def group(self, text: str, section: str = "equation", **columns: Any) -> None:
        left, right = text.split("==")
        both, names = read(f"f(({left}), ({right}))")
        lhs, rhs = both.args
        slots = tuple(SlotInfo(name, self.index[columns[name][0]][0]) for name in names)
        template: Template
        if section in ("parameter", "start"):
            template = ValueTemplate(slots=slots, value=rhs)
        else:
            template = EquationTemplate(slots=slots, lhs=lhs, rhs=rhs, owner=self.name)
        bindings = np.array([[self.index[n][1] for n in columns[name]] for name in names], np.int32).T
        self.sections[section].append(Group(template, np.ascontiguousarray(bindings), ((0, 0, len(bindings)),)))

    def connect(self, a: str, b: str) -> None:
        self.pairs.append((self.index[a][1], self.index[b][1]))

    def sum(self, *terms: str) -> None:
        self.rows.append([(self.index[t.lstrip("-")][1], -1 if t.startswith("-") else 1) for t in terms])

    def flat(self) -> FlatModel:
        kind = Kind(name=self.name, variables=tuple(self.variables), parameters=tuple(self.parameters))
        count, parameters = len(self.variables), len(self.parameters)
        node = Node(kind, -1, -1, 1, 1, tuple(range(count)), tuple(range(parameters)), ())
        tree = Tree(self.name, (node,))

        def table(of_parameters: bool, n: int) -> Table:
            return Table(tree, of_parameters, tuple(range(n)), tuple((0, k) for k in range(n)), n)

        flattened: list[tuple[int, int]] = [entry for row in self.rows for entry in row]
        sums = Sums(
            np.cumsum([0, *(len(row) for row in self.rows)]),
            np.array([v for v, _ in flattened], np.int32),
            np.array([s for _, s in flattened], np.int8),
        )
        groups: dict[str, Any] = {key: tuple(value) for key, value in self.sections.items()}
        bindings = in_order(groups["parameter"], table(True, parameters))
        return FlatModel(
            name=self.name,
            tree=tree,
            variables=table(False, count),
            parameters=table(True, parameters),
            equations=groups["equation"],
            initial_equations=groups["initial"],
            whens=(),
            assertions=(),
            parameter_bindings=tuple(bindings),
            start_bindings=groups["start"],
            equalities=np.array(self.pairs, np.int32).reshape(-1, 2),
            sums=sums,
            inputs=np.array(self.inputs, np.int32),
            parameter_values=evaluate_bindings(table(True, parameters), bindings),
        )


def rc_circuit() -> FlatModel:
    """A step of 10 V on R = 1 kohm and C = 1 uF, as components with pins would flatten."""
    b = HandMade("RC")
    for name in ("source", "r", "c"):
        b.variable(f"{name}.v", f"{name}.i", f"{name}.p.v", f"{name}.p.i", f"{name}.n.v", f"{name}.n.i")
    b.variable("ground.p.v", "ground.p.i")
    b.parameter("source.V", 10.0)
    b.parameter("r.R", 1e3)
    b.parameter("c.C", 1e-6)
    for text in ("v == p_v - n_v", "p_i == i", "n_i == -i"):
        parts = ("source", "r", "c")
        columns: dict[str, Any] = {s: [f"{c}.{s.replace('_', '.')}" for c in parts] for s in read_names(text)}
        b.group(text, **columns)
    b.equation("source.v == source.V")
    b.equation("r.v == r.R*r.i")
    b.equation("c.C*der(c.v) == c.i")
    b.equation("ground.p.v == 0.0")
    b.connect("source.p.v", "r.p.v")
    b.connect("r.n.v", "c.p.v")
    b.connect("source.n.v", "c.n.v")
    b.connect("source.n.v", "ground.p.v")
    b.sum("source.p.i", "r.p.i")
    b.sum("r.n.i", "c.p.i")
    b.sum("source.n.i", "c.n.i", "ground.p.i")
    return b.flat()


def read_names(text: str) -> list[str]:
    """The names in an equation text."""
    left, right = text.split("==")
    return read(f"f(({left}), ({right}))")[1]


def ladder(n: int) -> FlatModel:
    """n resistors and n capacitors to ground behind a constant source, written with node voltages."""
    b = HandMade(f"ladder{n}")
    b.variable("source.v")
    b.parameter("V", 1.0)
    b.parameter("R", 1.0)
    b.parameter("C", 1.0 / n)
    cells = range(n)
    for kind in ("r", "c"):
        for k in cells:
            b.variable(*(f"{kind}{k}.{s}" for s in ("v", "i", "p.v", "p.i", "n.v", "n.i")))
    b.equation("source.v == V")
    for text in ("v == p_v - n_v", "p_i == i", "n_i == -i"):
        names = [f"{kind}{k}" for kind in "rc" for k in cells]
        columns: dict[str, Any] = {s: [f"{c}.{s.replace('_', '.')}" for c in names] for s in read_names(text)}
        b.group(text, **columns)
    b.group("v == R*i", v=[f"r{k}.v" for k in cells], i=[f"r{k}.i" for k in cells], R=["R"] * n)
    b.group("C*der(v) == i", v=[f"c{k}.v" for k in cells], i=[f"c{k}.i" for k in cells], C=["C"] * n)
    b.group("v == 0.0", v=[f"c{k}.n.v" for k in cells])
    b.connect("source.v", "r0.p.v")
    for k in cells:
        b.connect(f"r{k}.n.v", f"c{k}.p.v")
        if k + 1 < n:
            b.connect(f"r{k}.n.v", f"r{k + 1}.p.v")
            b.sum(f"r{k}.n.i", f"c{k}.p.i", f"r{k + 1}.p.i")
        else:
            b.sum(f"r{k}.n.i", f"c{k}.p.i")
    return b.flat()
