"""The same trees in pinocchio, whose ball joints and free bodies count their speeds in axes of the body."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from multibody_functions.random_trees import GRAVITY, Joint


def depth_first(tree: list[Joint], parent: int = -1) -> list[int]:
    """The order in which pinocchio wants its joints: what hangs on a joint stands together."""
    children = [k for k, joint in enumerate(tree) if joint.parent == parent]
    return [k for child in children for k in (child, *depth_first(tree, child))]


class Peer:
    """A tree as pinocchio's model, with its results turned into the speeds of the description."""

    def __init__(self, pin: Any, tree: list[Joint]) -> None:
        self.pin = pin
        self.tree = tree
        self.model = pin.Model()
        self.model.gravity.linear = np.array(GRAVITY)
        self.numbers = [0] * len(tree)
        for k in depth_first(tree):
            joint = tree[k]
            parent = self.numbers[joint.parent] if joint.parent >= 0 else 0
            placement = pin.SE3(joint.T.T, joint.r)
            number = self.model.addJoint(parent, self._kind(joint), placement, f"joint{k}")
            self.model.appendBodyToJoint(number, pin.Inertia(joint.m, joint.c, joint.inertia), pin.SE3.Identity())
            self.numbers[k] = number
        self.data = self.model.createData()
        self.q = np.zeros(self.model.nq)
        self.turn = np.zeros((self.model.nv, self.model.nv))  # its speeds by those of the description
        first = 0
        for joint, number in zip(tree, self.numbers, strict=True):
            own = self.model.joints[number]
            R = Rotation.from_euler("XYZ", joint.q[-3:]) if len(joint.q) > 1 else None
            place = [joint.q[:3]] if joint.kind == "free" else []
            self.q[own.idx_q : own.idx_q + own.nq] = np.concatenate([*place, R.as_quat()]) if R else joint.q
            size = len(joint.u)
            block = np.kron(np.eye(size // 3), R.as_matrix().T) if R else np.eye(1)
            self.turn[own.idx_v : own.idx_v + size, first : first + size] = block
            first += size
        self.u = self.turn @ np.concatenate([joint.u for joint in tree])

    def _kind(self, joint: Joint) -> Any:
        n = joint.n / np.linalg.norm(joint.n)
        if joint.kind == "revolute":
            return self.pin.JointModelRevoluteUnaligned(n)
        if joint.kind == "prismatic":
            return self.pin.JointModelPrismaticUnaligned(n)
        return self.pin.JointModelSpherical() if joint.kind == "spherical" else self.pin.JointModelFreeFlyer()

    def mass_matrix(self) -> Any:
        M = self.pin.crba(self.model, self.data, self.q)
        return self.turn.T @ (np.triu(M) + np.triu(M, 1).T) @ self.turn

    def bias(self) -> Any:
        """Where the speeds of the description have no acceleration."""
        still = self.pin.rnea(self.model, self.data, self.q, self.u, self._acceleration(np.zeros(len(self.u))))
        return self.turn.T @ still

    def accelerations(self) -> Any:
        found = self.pin.aba(self.model, self.data, self.q, self.u, np.zeros(len(self.u)))
        return np.linalg.solve(self.turn, found - self._acceleration(np.zeros(len(self.u))))

    def _acceleration(self, a: Any) -> Any:
        """Derivative of its speeds: a free body's velocity is in axes that turn with it."""
        out = self.turn @ a
        for joint, number in zip(self.tree, self.numbers, strict=True):
            if joint.kind == "free":
                first = self.model.joints[number].idx_v
                v, w = self.u[first : first + 3], self.u[first + 3 : first + 6]
                out[first : first + 3] -= np.cross(w, v)
        return out
