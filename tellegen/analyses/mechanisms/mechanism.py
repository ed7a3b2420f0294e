"""The mechanical side of a model as data and as functions of its joint coordinates.

    m = tg.mechanism(Robot())
    print(m)                                    bodies, joints, lumps, loops, degrees of freedom
    m.mass_matrix({"shoulder": 0.3})            numbers; rows of coordinates give rows of results
    m.symbolic().M                              the same in symbols, by SymPy

Coordinates are those of the joints of the spanning tree. Loops are closed where the coordinates close them: positions
are taken as they are given, `assembled` finds the nearest one that does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.analyses.mechanisms.coordinates import coordinates_of, number_of_samples
from tellegen.analyses.mechanisms.inverse_kinematics import FramePose, InverseKinematics, goal_of, search_pose
from tellegen.analyses.mechanisms.listing import pages
from tellegen.analyses.mechanisms.native_tree import NativeTree
from tellegen.analyses.mechanisms.regressor import (
    BaseParameters,
    base_parameters,
    parameter_names,
    parameter_values,
    regressor,
)
from tellegen.analyses.mechanisms.results import Constraints, Energy, InertialParameters, Reaction
from tellegen.analyses.mechanisms.symbolic_equations import SymbolicEquations, symbolic_equations
from tellegen.errors import DataError, StructureError, nearest, users_call
from tellegen.ir.flat import FlatModel
from tellegen.ir.mechanism import LENGTH, ROLLING, SPEEDS, FramePlace, MechanismMap
from tellegen.ir.source_location import here
from tellegen.network.mechanics.assembly import Freedoms, assembled, freedoms, independent_rows
from tellegen.network.mechanics.closures import closure_bias, closures
from tellegen.network.mechanics.gravity import first_moment, potential_energy
from tellegen.network.mechanics.mechanical_graph import MechanicalGraph, ReducedGraph, extended_graph, reduced_graph
from tellegen.network.mechanics.mechanism_numbers import PartValues, cut_numbers, tree_numbers
from tellegen.network.mechanics.repeated_joints import repeated_joints
from tellegen.network.mechanics.spatial import times, transposed
from tellegen.network.mechanics.tree_dynamics import (
    joint_forces,
    kinetic_energy,
    total_mass,
)
from tellegen.network.mechanics.tree_motion import Places, jacobian, motions, places
from tellegen.sheet import Result, Table
from tellegen.stages import flatten_model

MOST_REDUNDANT = 1e-9
"""Multipliers of constraints that repeat others are not determined: singular values below this give none."""


@users_call
def mechanism(model: object) -> Mechanism:
    """The mechanism of a model (or flat model) with frames."""
    flat = flatten_model(model)
    if flat.mechanism is None:
        raise StructureError(
            "E235",
            f"{flat.name} has no mechanism: none of its components has frames",
            location=here(),
            advice="add bodies and joints of tellegen.library.multibody; planar mechanisms have equations only",
        )
    return Mechanism(flat, flat.mechanism)


class Mechanism(Result):
    """See the top of this file. Methods take one position, or rows of them, and return the same."""

    def __init__(self, flat: FlatModel, found: MechanismMap) -> None:
        _check_kinds(found)
        self.name = flat.name
        self.map = found
        self._flat = flat
        value = PartValues(flat)
        self._value = value
        self._tree = tree_numbers(found, value)
        self._cuts = cut_numbers(found, value)
        self._q, self._u = coordinates_of(flat, found, self._tree)

    # -- data -----------------------------------------------------------------------------------------------------
    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the coordinates, in the order of arrays."""
        return self._q.names

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names of the speeds, in the order of arrays; torques, forces and accelerations have it too."""
        return self._u.names

    @property
    def start(self) -> Any:
        """The coordinates of the start values."""
        return self._q.default.copy()

    @property
    def bodies(self) -> tuple[str, ...]:
        """Paths of the bodies."""
        return tuple(member.path for member in self.map.members if member.verb == "mass")

    @property
    def joints(self) -> tuple[str, ...]:
        """Paths of the joints: those of the tree, then those that close loops."""
        return tuple(one.path for one in (*self.map.links, *self.map.loops))

    @property
    def lumps(self) -> tuple[tuple[str, ...], ...]:
        """The components that move together; the first lump is the ground."""
        found: list[dict[str, None]] = [{} for _ in range(len(self.map.links) + 1)]
        for member in self.map.members:
            found[member.lump][member.path] = None
        return tuple(tuple(one) for one in found)

    @property
    def loops(self) -> dict[str, tuple[str, ...]]:
        """For each joint that closes a loop, the joints of the tree around it."""
        found = {}
        for loop in self.map.loops:
            first, second = (set(self._tree.way(lump)) for lump in loop.lumps)
            found[loop.path] = tuple(self.map.links[k].path for k in sorted(first ^ second))
        return found

    @cached_property
    def _native(self) -> NativeTree:
        """The compiled functions."""
        return NativeTree(self._tree)

    @cached_property
    def repeated(self) -> dict[str, str]:
        """Joints that permit the same motion between the same two lumps as another one: that other one, by them."""
        return repeated_joints(self.map, self._value).kept

    @cached_property
    def graph(self) -> MechanicalGraph:
        """The extended mechanical graph: every body, joint and rigid connection as written."""
        return extended_graph(self.map.described)

    @cached_property
    def reduced_graph(self) -> ReducedGraph:
        """The graph of the lumps, without the joints that repeat others."""
        return reduced_graph(self.graph, self.repeated)

    def mass_of_lump(self, lump: int) -> float:
        """The mass of all bodies of a lump that moves."""
        return float(self._tree.links[lump - 1].m)

    def freedoms(self) -> Freedoms:
        """Degrees of freedom: those of the tree, less the rank of the constraints near the start."""
        return freedoms(self._tree, self._cuts, self.start[None])

    # -- positions and velocities -----------------------------------------------------------------------------------
    def frame(self, path: str, q: Any) -> FramePose:
        """Position of a frame and its orientation, whose rows are its axes in the world."""
        rows, single = self._q.rows(q)
        pose = self._pose(path, places(self._tree, rows))
        return FramePose(*_like(single, pose.position, pose.orientation))

    def jacobian(self, path: str, q: Any) -> Any:
        """Velocity (rows 0 to 2) and angular velocity (3 to 5) of a frame in the world, by the speeds."""
        rows, single = self._q.rows(q)
        lump, point, _ = self._place(path)
        return _like(single, self._native.jacobian(rows, lump, point))[0]

    def center_of_mass(self, q: Any) -> Any:
        """Of everything that moves."""
        rows, single = self._q.rows(q)
        at = places(self._tree, rows)
        return _like(single, first_moment(self._tree, at) / total_mass(self._tree))[0]

    def assembled(self, q: Any = None) -> Any:
        """The position nearest to q, or to the start, in which the loops are closed."""
        rows, single = self._q.rows(self.start if q is None else q)
        found, gap = assembled(self._tree, self._cuts, rows)
        if gap.max() > 1e-9:
            found_gaps = closures(self._tree, self._cuts, places(self._tree, found))
            worst = int(np.abs(found_gaps.phi[gap.argmax()]).argmax())
            raise StructureError(
                "E236",
                f"the loops of {self.name} cannot be closed from here: a gap of {gap.max():.3g} is left",
                location=here(),
                details=[f"the largest is {found_gaps.names[worst]}"],
                advice="begin nearer to an assembled position, or check the lengths of the bodies in the loop",
            )
        return _like(single, found)[0]

    def inverse_kinematics(self, path: str, target: Any, guess: Any = None, **options: Any) -> InverseKinematics:
        """Coordinates that bring a frame to a target: a position, or a pair of position and orientation.

        Damped least squares from `guess`, or from the start. Options: tolerance=1e-10, iterations=200.
        """
        rows, _ = self._q.rows(self.start if guess is None else guess)

        def at(q: Any) -> tuple[FramePose, Any]:
            found = places(self._tree, q)
            return self._pose(path, found), self._frame_jacobian(path, found)

        return search_pose(self._tree, self._cuts, at, goal_of(target, rows[:1]), **options)

    # -- forces -------------------------------------------------------------------------------------------------------
    def mass_matrix(self, q: Any) -> Any:
        """M(q), by the speeds of the tree."""
        rows, single = self._q.rows(q)
        return _like(single, self._native.mass_matrix(rows))[0]

    def bias(self, q: Any, v: Any) -> Any:
        """h(q, v) of M a + h = tau: Coriolis, centrifugal and gravity forces."""
        return self.inverse_dynamics(q, v, np.zeros(len(self.speeds)))

    def gravity(self, q: Any) -> Any:
        """What holds the mechanism at rest: h(q, 0)."""
        return self.bias(q, np.zeros(len(self.speeds)))

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        """Torques and forces of the joints of the tree for a motion; loops are taken as open."""
        if self._tree.drawn:
            _, _, forces, single = self._forces(q, v, a)
            return _like(single, forces.tau)[0]
        position, speed, acceleration, single = self._matched(q, v, a)
        return _like(single, self._native.inverse_dynamics(position, speed, acceleration))[0]

    def regressor(self, q: Any, v: Any, a: Any) -> Any:
        """Y(q, v, a) of inverse_dynamics(q, v, a) = Y @ inertial_parameters.values."""
        self._check_uniform_gravity()
        at, moving, _, single = self._forces(q, v, a)
        return _like(single, regressor(self._tree, at, moving))[0]

    @property
    def inertial_parameters(self) -> InertialParameters:
        """Mass, first moments and inertia of each lump about its joint, in the order of the regressor."""
        return InertialParameters(parameter_names(self.map), parameter_values(self._tree))

    def base_parameters(self, seed: int = 0) -> BaseParameters:
        """The combinations of inertial parameters that inverse dynamics depends on, found from random motions."""
        self._check_uniform_gravity()
        return base_parameters(self._tree, parameter_names(self.map), seed)

    def reactions(self, q: Any, v: Any, a: Any) -> dict[str, Reaction]:
        """Force and torque of every joint of the tree for a motion; loops are taken as open."""
        _, _, forces, single = self._forces(q, v, a)
        found = zip(self.map.links, forces.f, forces.n, strict=True)
        return {link.path: Reaction(*_like(single, f, n)) for link, f, n in found}

    def accelerations(self, q: Any, v: Any, tau: Any = 0.0) -> Any:
        """Accelerations of the joints of the tree for these torques and forces; loops stay closed."""
        driving = np.broadcast_to(tau, len(self.speeds)) if np.ndim(tau) == 0 else tau
        at, moving, forces, single = self._forces(q, v, np.zeros(len(self.speeds)))
        given, single_tau = self._u.rows(driving)
        number_of_samples([len(given), len(forces.tau)])
        M = self._native.mass_matrix(np.broadcast_to(self._q.rows(q)[0], (len(forces.tau), len(self.coordinates))))
        a = np.linalg.solve(M, (given - forces.tau)[..., None])[..., 0]
        if self._cuts:
            J = np.broadcast_to(closures(self._tree, self._cuts, at).J, (len(a), *self._shape_of_J()))
            wanted = times(J, a) + closure_bias(self._cuts, at, moving)
            by_multipliers = np.linalg.solve(M, transposed(J))
            a = a - times(by_multipliers, _least_multipliers(J @ by_multipliers, wanted))
        return _like(single and single_tau, a)[0]

    def constraints(self, q: Any) -> Constraints:
        """The constraints of the loops: gaps, Jacobian, rank, and which repeat others."""
        rows, single = self._q.rows(q)
        found = closures(self._tree, self._cuts, places(self._tree, rows))
        ranks = [independent_rows(J) for J in found.J]
        redundant = tuple(name for k, name in enumerate(found.names) if k not in ranks[0][1])
        rank = np.array([one[0] for one in ranks])
        gaps, J, rank = _like(single, found.phi, found.J, rank)
        return Constraints(found.names, gaps, J, rank, redundant)

    def energy(self, q: Any, v: Any) -> Energy:
        """Kinetic energy, and potential energy of gravity."""
        at, moving, _, single = self._forces(q, v, np.zeros(len(self.speeds)))
        kinetic = kinetic_energy(self._tree, at, moving)
        potential = potential_energy(self._tree, at)
        return Energy(*_like(single, kinetic, np.broadcast_to(potential, kinetic.shape)))

    def symbolic(self, simplify: bool = True, frames: Sequence[str] = ()) -> SymbolicEquations:
        """M, h, constraints and their Jacobian in symbols, by SymPy, and Jacobians of frames: for small mechanisms.

        `.latex()`, `.python()` and `.c()` of the result write them as formulas and as source code.
        """
        return symbolic_equations(self._flat, self.map, simplify, {path: self._known(path) for path in frames})

    # -- inside -----------------------------------------------------------------------------------------------------
    def _forces(self, q: Any, v: Any, a: Any) -> tuple[Places, Any, Any, bool]:
        """Positions, motions and forces of the joints; samples of q, v and a are matched row by row."""
        position, speed, acceleration, single = self._matched(q, v, a)
        at = places(self._tree, position)
        moving = motions(self._tree, at, speed, acceleration)
        return at, moving, joint_forces(self._tree, at, moving), single

    def _matched(self, q: Any, v: Any, a: Any) -> tuple[Any, Any, Any, bool]:
        """As many samples of each, and whether it was a single one."""
        given = [self._q.rows(q), self._u.rows(v), self._u.rows(a)]
        count = number_of_samples([len(rows) for rows, _ in given])
        position, speed, acceleration = (np.broadcast_to(rows, (count, rows.shape[1])) for rows, _ in given)
        return position, speed, acceleration, all(single for _, single in given)

    def _check_uniform_gravity(self) -> None:
        if self._tree.drawn:
            raise StructureError(
                "E237",
                f"inverse dynamics of {self.name} is not linear in its inertial parameters: gravity is that of a point",
                location=here(),
                advice="use inverse_dynamics(q, v, a), or a World with uniform gravity",
            )

    def _shape_of_J(self) -> tuple[int, int]:
        names = closures(self._tree, self._cuts, places(self._tree, self.start[None])).names
        return len(names), len(self.speeds)

    def _pose(self, path: str, at: Places) -> FramePose:
        lump, s, C = self._place(path)
        A = at.A[lump]
        return FramePose(at.r[lump] + times(A, s), transposed(A @ C))

    def _frame_jacobian(self, path: str, at: Places) -> Any:
        lump, _, _ = self._place(path)
        linear, angular = jacobian(self._tree, at, lump, self._pose(path, at).position)
        return np.concatenate([linear, angular], axis=1)

    def _place(self, path: str) -> tuple[int, Any, Any]:
        found = self._known(path)
        if not found.part:
            return found.lump, np.zeros(3), np.eye(3)
        return found.lump, self._value(found.part, "s"), self._value(found.part, "C")

    def _known(self, path: str) -> FramePlace:
        if path in self.map.frames:
            return self.map.frames[path]
        raise DataError(
            "E708",
            f"'{path}' is not a frame of {self.name}; {nearest(path, self.map.frames)}",
            location=here(),
            advice="name a frame by its component: 'tool.frame_b'",
        )

    def _title(self) -> str:
        moving = sum(SPEEDS[link.motion] for link in self.map.links)
        count = len(self._cuts)
        loops = f", {count} loop{'s' * (count > 1)}" if count else ""
        return f"Mechanism of {self.name}: {len(self.bodies)} bodies, {moving} freedoms in the tree{loops}"

    def _page(self) -> list[Table | str]:
        return pages(self)


def _like(single: bool, *rows: Any) -> tuple[Any, ...]:
    """Results as the arguments were: one sample, or rows of them."""
    return tuple(one[0] for one in rows) if single else rows


def _least_multipliers(matrix: Any, wanted: Any) -> Any:
    """The smallest multipliers, each in the size of its constraint, where some constraints repeat others."""
    scale = 1 / np.sqrt(np.maximum(np.diagonal(matrix, axis1=1, axis2=2), 1e-300))
    scaled = matrix * scale[:, :, None] * scale[:, None, :]
    inverse = np.linalg.pinv(scaled, rcond=MOST_REDUNDANT, hermitian=True)
    return scale * times(inverse, scale * wanted)


def _check_kinds(found: MechanismMap) -> None:
    for joint in (*found.links, *(loop for loop in found.loops if not loop.by_directions)):
        if joint.motion not in SPEEDS and joint.motion not in (LENGTH, ROLLING):
            raise StructureError(
                "E237",
                f"'{joint.path}' moves in a way that the functions of mechanisms do not know: {joint.motion}",
                location=joint.location,
                advice="simulate the model, which knows it; or build the joint of hinges and slides",
            )
