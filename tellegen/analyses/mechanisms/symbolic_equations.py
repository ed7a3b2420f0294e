"""The equations of motion of a small mechanism in symbols.

The routines are those of numbers (network/mechanics), run on SymPy objects, so that both say the same. Parameters that
have a unit and are not zero become symbols named after member and component: `rod.m` is m_rod; the lengths, masses and
inertias of the lumps follow from them by the formulas of the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellegen.analyses.mechanisms.symbolic_code import (
    WHY,
    MatrixFunction,
    Program,
    Vector,
    c_source,
    python_source,
)
from tellegen.errors import StructureError
from tellegen.ir.expressions.template import ValueTemplate
from tellegen.ir.flat import FlatModel
from tellegen.ir.mechanism import BALL, COORDINATES, FREE, POINT, FramePlace, MechanismMap, TreeLink
from tellegen.ir.source_location import here
from tellegen.network.mechanics.closures import closures
from tellegen.network.mechanics.mechanism_numbers import PartValues, cut_numbers, tree_numbers
from tellegen.network.mechanics.spatial import Functions, times
from tellegen.network.mechanics.tree_dynamics import joint_forces, mass_matrix
from tellegen.network.mechanics.tree_motion import Places, TreeNumbers, jacobian, motions, places
from tellegen.symbolic.to_sympy import expressions, the_package

MOST_COORDINATES = 12
"""Of a small mechanism; expressions grow fast with their number."""
_AXES = "xyz"


@dataclass(frozen=True, eq=False)
class SymbolicFrame:
    """Position of a frame in the world, and its velocity and angular velocity by the speeds (six rows)."""

    position: Any
    J: Any


@dataclass(frozen=True, eq=False, repr=False)
class SymbolicEquations:
    """M(q) a + h(q, v) = tau as SymPy matrices; with loops J' multipliers are added, and phi = 0."""

    q: Any
    v: Any
    M: Any
    h: Any
    phi: Any
    J: Any
    values: dict[Any, float]  # of the symbols, as the model has them
    name: str = ""
    frames: dict[str, SymbolicFrame] = field(default_factory=dict)  # those that were asked for

    def __repr__(self) -> str:
        return f"<SymbolicEquations: {self.M.shape[0]} speeds, {self.phi.shape[0]} constraints>"

    def __str__(self) -> str:
        lines = [f"M = {self.M.tolist()}", f"h = {list(self.h)}"]
        return "\n".join([*lines, f"phi = {list(self.phi)}"] if len(self.phi) else lines)

    def latex(self) -> str:
        """M, h and the constraints as LaTeX, aligned at the equals sign."""
        sympy = the_package(WHY)
        shown = [("M", self.M), ("h", self.h)] + ([(r"\varphi", self.phi), ("J", self.J)] if len(self.phi) else [])
        lines = [f"{name} &= {sympy.latex(value)}" for name, value in shown]
        return "\\begin{align}\n  " + " \\\\\n  ".join(lines) + "\n\\end{align}\n"

    def python(self) -> str:
        """The source of functions of NumPy: mass_matrix(q, p), bias(q, v, p), inverse_dynamics(q, v, a, p), ..."""
        return python_source(self._program())

    def c(self) -> str:
        """The same in C99: void mass_matrix(const double q[], const double p[], double out[])."""
        return c_source(self._program())

    def _program(self) -> Program:
        sympy = the_package(WHY)
        q = Vector("q", tuple(self.q))
        v = Vector("v", tuple(self.v))
        p = Vector("p", tuple(self.values))
        a = Vector("a", tuple(sympy.Symbol(f"der_{symbol}", real=True) for symbol in self.v))
        torques = self.M * sympy.Matrix(a.symbols) + self.h
        functions = [
            MatrixFunction("mass_matrix", "M(q)", self.M, (q, p)),
            MatrixFunction("bias", "h(q, v)", self.h, (q, v, p), flat=True),
            MatrixFunction("inverse_dynamics", "M(q) a + h(q, v)", torques, (q, v, a, p), flat=True),
        ]
        if len(self.phi):
            functions.append(MatrixFunction("constraints", "the gaps of the loops", self.phi, (q, p), flat=True))
            functions.append(MatrixFunction("constraint_jacobian", "their derivatives by v", self.J, (q, p)))
        for path, frame in self.frames.items():
            name = _flat_name(path)
            functions.append(MatrixFunction(f"position_{name}", f"where {path} is", frame.position, (q, p), flat=True))
            functions.append(MatrixFunction(f"jacobian_{name}", f"motion of {path} by v", frame.J, (q, p)))
        return Program(f"M(q) a + h(q, v) = tau of {self.name}", tuple(functions), self.values)


def symbolic_equations(
    flat: FlatModel, mechanism: MechanismMap, simplify: bool, frames: Mapping[str, FramePlace] | None = None
) -> SymbolicEquations:
    """See the top of this file."""
    sympy = the_package(WHY)
    count = sum(COORDINATES[link.motion] for link in mechanism.links)
    if count > MOST_COORDINATES:
        raise StructureError(
            "E238",
            f"{flat.name} has {count} coordinates; equations in symbols are for mechanisms of up to {MOST_COORDINATES}",
            location=here(),
            advice="use the functions of numbers: mass_matrix(q), bias(q, v), inverse_dynamics(q, v, a)",
        )
    symbols = _Symbols(sympy, flat)
    value = PartValues(flat, symbols)
    tree = tree_numbers(mechanism, value)
    cuts = cut_numbers(mechanism, value)
    q = _row([symbols.symbol(link, name) for link in mechanism.links for name in _coordinates(link)])
    v = _row([symbols.symbol(link, name) for link in mechanism.links for name in _speeds(link)])
    functions = Functions(np.vectorize(sympy.cos, otypes=[object]), np.vectorize(sympy.sin, otypes=[object]))
    at = places(tree, q, functions)
    forces = joint_forces(tree, at, motions(tree, at, v, v * 0))
    found = closures(tree, cuts, at)
    done = [mass_matrix(tree, at)[0], forces.tau[0], found.phi[0], found.J[0]]
    M, h, phi, J = (_matrix(sympy, one, simplify) for one in done)
    wanted = {}
    for path, place in (frames or {}).items():
        position, by_speeds = _frame(tree, at, value, place)
        wanted[path] = SymbolicFrame(_matrix(sympy, position, simplify), _matrix(sympy, by_speeds, simplify))
    q_column, v_column = (_matrix(sympy, one[0]) for one in (q, v))
    return SymbolicEquations(q_column, v_column, M, h, phi, J, symbols.values, flat.name, wanted)


def _frame(tree: TreeNumbers, at: Places, value: PartValues, place: FramePlace) -> tuple[Any, Any]:
    """Position of a frame and its Jacobian."""
    s = value(place.part, "s") if place.part else np.zeros(3, int).astype(object)
    r = at.r[place.lump] + times(at.A[place.lump], s)
    linear, angular = jacobian(tree, at, place.lump, r)
    return r[0], np.concatenate([linear[0], angular[0]])


def _row(symbols: list[Any]) -> Any:
    row = np.empty((1, len(symbols)), object)
    row[0] = symbols
    return row


def _matrix(sympy: Any, array: Any, simplify: bool = False) -> Any:
    if not array.size:
        return sympy.zeros(*(array.shape if array.ndim == 2 else (len(array), 1)))
    matrix = sympy.Matrix(array.tolist())
    if matrix.has(sympy.Float):
        matrix = matrix.applyfunc(lambda one: sympy.nsimplify(one, rational=True))
    return matrix.applyfunc(lambda one: sympy.simplify(sympy.trigsimp(sympy.expand(one)))) if simplify else matrix


def _coordinates(link: TreeLink) -> list[str]:
    """Names of the coordinates of a joint inside it."""
    if link.coordinate:
        return [link.coordinate]
    place = [f"r_{axis}" for axis in _AXES] if link.motion in (FREE, POINT) else []
    return place + ([f"Q_{k}" for k in range(4)] if link.motion in (BALL, FREE) else [])


def _speeds(link: TreeLink) -> list[str]:
    """Names of its speeds."""
    if link.speed:
        return [link.speed]
    velocity = [f"v_{axis}" for axis in _AXES] if link.motion in (FREE, POINT) else []
    return velocity + ([f"w_{axis}" for axis in _AXES] if link.motion in (BALL, FREE) else [])


@dataclass(frozen=True, eq=False)
class _Rule:
    """How a parameter is computed: a formula, and which parameters stand in its slots."""

    template: ValueTemplate
    row: Any


class _Symbols:
    """Parameters of a model by number: symbols, exact numbers, and expressions of these, made when they are read."""

    def __init__(self, sympy: Any, flat: FlatModel) -> None:
        self.sympy = sympy
        self.flat = flat
        self.values: dict[Any, float] = {}  # of the symbols made so far
        self._made: dict[int, Any] = {}
        self._rules: dict[int, _Rule] = {}
        for group in flat.parameter_bindings:
            assert isinstance(group.template, ValueTemplate)
            self._rules |= {int(row[0]): _Rule(group.template, row) for row in group.bindings}
        self._is_symbol = np.zeros(flat.parameters.count, bool)
        for start, length, _, declared in flat.parameters.blocks():
            has_unit = bool(declared.unit.dimension) and any(declared.unit.dimension)
            self._is_symbol[start : start + length] = has_unit and not declared.literal

    def symbol(self, link: TreeLink, name: str) -> Any:
        """A coordinate or speed."""
        return self.sympy.Symbol(f"{name}_{_flat_name(link.path)}", real=True)

    def __getitem__(self, indices: Any) -> Any:
        """The parameters of these numbers, in the shape of the array of numbers."""
        found = np.empty(np.shape(indices), object)
        for place, k in np.ndenumerate(indices):
            found[place] = self._parameter(int(k))
        return found if found.ndim else found[()]

    def _parameter(self, k: int) -> Any:
        if k not in self._made:
            self._made[k] = self._make(k)
        return self._made[k]

    def _make(self, k: int) -> Any:
        rule = self._rules.get(k)
        if rule is not None:

            def read(node: Any) -> Any:
                return self._parameter(int(rule.row[node.index]))

            return expressions(self.sympy, (rule.template.value,), read)[0]
        number = float(self.flat.parameter_values[k])
        if number == 0.0 or not self._is_symbol[k]:
            return self.sympy.nsimplify(number, rational=True)
        symbol = self.sympy.Symbol(_parameter_name(self.flat.parameters.name(k)), real=True)
        self.values[symbol] = number
        return symbol


def _parameter_name(path: str) -> str:
    """`arm.rod.r[0]` is r_arm_rod_x."""
    owner, _, member = path.rpartition(".")
    name, _, place = member.partition("[")
    suffix = f"_{_AXES[int(place[:-1])]}" if place and place[:-1] in ("0", "1", "2") else ""
    return "_".join(filter(None, [name, _flat_name(owner)])) + suffix


def _flat_name(path: str) -> str:
    return path.replace(".", "_").replace("[", "_").replace("]", "")
