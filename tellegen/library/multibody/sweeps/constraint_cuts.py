"""Constraints between two lumps, given by the directions they lock; they have no coordinates of their own.

along      rows t: the origins stay together along t of frame_a
across     rows t and, in `beside`, rows u: t of frame_a and u of frame_b stay at a right angle
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library.multibody.sweeps.cuts import Held, in_world
from tellegen.library.multibody.sweeps.lump import Statements
from tellegen.library.multibody.sweeps.vectors import cross

ACROSS = np.eye(3)[[0, 1, 1]]
BESIDE = np.eye(3)[[2, 2, 0]]
"""Directions of frame_a and frame_b that are at right angles where the frames are not turned against each other."""


class ConstraintCut(Held):
    """See the top of this file; without other directions it is a weld.

    cut_f and cut_t act at frame_a on the constraint, in axes of frame_a.
    """

    positions = tg.parameter(3, structural=True, description="number of directions that are locked")
    rotations = tg.parameter(0, structural=True, description="number of rotations that are locked")
    along = tg.parameter(
        lambda self: np.eye(3)[: self.positions], "1", "locked directions of frame_a", shape=(positions, 3)
    )
    across = tg.parameter(lambda self: ACROSS[: self.rotations], "1", "directions of frame_a", shape=(rotations, 3))
    beside = tg.parameter(
        lambda self: BESIDE[: self.rotations],
        "1",
        "directions of frame_b at right angles to them",
        shape=(rotations, 3),
    )
    releasable = tg.parameter(False, structural=True, description="whether an event may end the constraints")
    held = tg.input("1", "1 while the constraints hold, 0 once they have been released", default=1.0)
    gap = tg.variable("m", "constraints", shape=positions)
    rate = tg.variable("m/s", "their rates", shape=positions)
    force = tg.variable("N", "multipliers", shape=positions)
    T = tg.variable("1", "directions of frame_a that stay at right angles", shape=(rotations, 3))
    U = tg.variable("1", "to these of frame_b", shape=(rotations, 3))
    W = tg.variable("1", "directions of the torques", shape=(3, 3))
    tilt = tg.variable("1", "constraints of rotation", shape=rotations)
    tilt_rate = tg.variable("rad/s", "their rates", shape=rotations)
    couple = tg.variable("N", "multipliers of rotation, as forces at the radius of gyration", shape=rotations)
    t_a = tg.variable("N.m", "torque about the origin of frame_a", shape=3)
    cut_f = tg.output("N", "force on the second lump", shape=3)
    cut_t = tg.output("N.m", "torque on the second lump", shape=3)

    def compliance(self) -> Any:
        """Released constraints have no directions left, and this makes their multipliers zero."""
        stiff = super().compliance()
        return stiff + (1.0 - self.held) / self.m_loop if self.releasable else stiff

    def locked(self, direction: Any) -> Any:
        """A direction of frame_a that is locked, in axes of the world; zero once it has been released."""
        t = in_world(self.A_p, self.C, direction)
        return self.held * t if self.releasable else t

    def equations(self) -> Statements:
        for k in range(self.positions):
            yield self.F_a[k] == self.locked(self.along[k])
            yield from self.hold_along(k, self.F_a[k])
        for k in range(self.rotations):
            yield self.T[k] == self.locked(self.across[k])
            yield self.U[k] == in_world(self.A_o, self.C_o, self.beside[k])
            yield from self.hold_upright(k, self.T[k], self.U[k])
        for k in range(self.positions, 3):
            yield self.F_a[k] == 0.0
        for k in range(self.rotations, 3):
            yield self.W[k] == 0.0
        yield self.f_b == total([self.force[k] * self.F_a[k] for k in range(self.positions)])
        yield self.t_b == total([self.couple[k] * self.radius * self.W[k] for k in range(self.rotations)])
        yield self.t_a == self.t_b + cross(self.g, self.f_b)
        yield self.cut_f == self.C.T @ (self.A_p.T @ self.f_b)
        yield self.cut_t == self.C.T @ (self.A_p.T @ self.t_a)


def total(terms: list[Any]) -> Any:
    """The sum of vectors; none is zero."""
    return sum(terms[1:], terms[0]) if terms else 0.0
