"""The equations of motion of a small mechanism in symbols.

The routines are those of numbers (network/mechanics), run on SymPy objects, so that both say the same. Parameters that
have a unit and are not zero become symbols named after member and component: `rod.m` is m_rod; the lengths, masses and
inertias of the lumps follow from them by the formulas of the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.errors import StructureError
from tellegen.ir.expressions.template import ValueTemplate
from tellegen.ir.flat import FlatModel, Group
from tellegen.ir.mechanism import BALL, COORDINATES, FREE, POINT, MechanismMap, TreeLink
from tellegen.ir.source_location import here
from tellegen.network.mechanics.closures import closures
from tellegen.network.mechanics.mechanism_numbers import PartValues, cut_numbers, tree_numbers
from tellegen.network.mechanics.spatial import Functions
from tellegen.network.mechanics.tree_dynamics import joint_forces, mass_matrix
from tellegen.network.mechanics.tree_motion import motions, places
from tellegen.symbolic.to_sympy import expressions, the_package

MOST_COORDINATES = 12
"""Of a small mechanism; expressions grow fast with their number."""
_AXES = "xyz"


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

    def __repr__(self) -> str:
        return f"<SymbolicEquations: {self.M.shape[0]} speeds, {self.phi.shape[0]} constraints>"

    def __str__(self) -> str:
        lines = [f"M = {self.M.tolist()}", f"h = {list(self.h)}"]
        return "\n".join([*lines, f"phi = {list(self.phi)}"] if len(self.phi) else lines)

    def latex(self) -> str:
        """M, h and the constraints as LaTeX, aligned at the equals sign."""
        sympy = the_package("the numbers of tg.mechanism work without it")
        shown = [("M", self.M), ("h", self.h)] + ([(r"\varphi", self.phi), ("J", self.J)] if len(self.phi) else [])
        lines = [f"{name} &= {sympy.latex(value)}" for name, value in shown]
        return "\\begin{align}\n  " + " \\\\\n  ".join(lines) + "\n\\end{align}\n"


def symbolic_equations(flat: FlatModel, mechanism: MechanismMap, simplify: bool) -> SymbolicEquations:
    """See the top of this file."""
    sympy = the_package("the numbers of tg.mechanism work without it")
    count = sum(COORDINATES[link.motion] for link in mechanism.links)
    if count > MOST_COORDINATES:
        raise StructureError(
            "E238",
            f"{flat.name} has {count} coordinates; equations in symbols are for mechanisms of up to {MOST_COORDINATES}",
            location=here(),
            advice="use the functions of numbers: mass_matrix(q), bias(q, v), inverse_dynamics(q, v, a)",
        )
    symbols = _Symbols(sympy, flat)
    value = PartValues(flat, symbols.parameters())
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
    return SymbolicEquations(_matrix(sympy, q[0]), _matrix(sympy, v[0]), M, h, phi, J, symbols.values)


def _row(symbols: list[Any]) -> Any:
    row = np.empty((1, len(symbols)), object)
    row[0] = symbols
    return row


def _matrix(sympy: Any, array: Any, simplify: bool = False) -> Any:
    if not array.size:
        return sympy.zeros(*(array.shape if array.ndim == 2 else (len(array), 1)))
    matrix = sympy.Matrix(array.tolist()).applyfunc(lambda one: sympy.nsimplify(one, rational=True))
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


class _Symbols:
    """Parameters of a model as symbols, and what is computed from them."""

    def __init__(self, sympy: Any, flat: FlatModel) -> None:
        self.sympy = sympy
        self.flat = flat
        self.values: dict[Any, float] = {}

    def symbol(self, link: TreeLink, name: str) -> Any:
        """A coordinate or speed."""
        return self.sympy.Symbol(f"{name}_{_flat_name(link.path)}", real=True)

    def parameters(self) -> Any:
        """All parameters: symbols, exact numbers, and expressions of these."""
        values = np.empty(self.flat.parameters.count, object)
        computed = np.zeros(len(values), bool)
        for group in self.flat.parameter_bindings:
            computed[group.bindings[:, 0]] = True
        for start, length, _, declared in self.flat.parameters.blocks():
            named = bool(declared.unit.dimension) and any(declared.unit.dimension)
            for k in range(start, start + length):
                number = self.flat.parameter_values[k]
                values[k] = self.sympy.nsimplify(float(number), rational=True)
                if named and number != 0.0 and not computed[k] and not declared.literal:
                    values[k] = self.sympy.Symbol(_parameter_name(self.flat.parameters.name(k)), real=True)
                    self.values[values[k]] = float(number)
        for group in self.flat.parameter_bindings:
            self._compute(group, values)
        return values

    def _compute(self, group: Group, values: Any) -> None:
        template = group.template
        assert isinstance(template, ValueTemplate)
        for row in group.bindings:
            found = expressions(self.sympy, (template.value,), lambda node, row=row: values[row[node.index]])
            values[row[0]] = found[0]


def _parameter_name(path: str) -> str:
    """`arm.rod.r[0]` is r_arm_rod_x."""
    owner, _, member = path.rpartition(".")
    name, _, place = member.partition("[")
    suffix = f"_{_AXES[int(place[:-1])]}" if place and place[:-1] in ("0", "1", "2") else ""
    return "_".join(filter(None, [name, _flat_name(owner)])) + suffix


def _flat_name(path: str) -> str:
    return path.replace(".", "_").replace("[", "_").replace("]", "")
