"""Inverse dynamics as a linear function of masses, first moments and inertias, for identification and adaptive control.

    tau = Y(q, v, a) theta,      theta of each lump: m, m c (3), J about its reference point (6)

In axes of the lump, with angular velocity w, angular acceleration z and acceleration a of the reference point against
gravity, its force and moment are

    f = m a + z x (m c) + w x (w x (m c)),       n = (m c) x a + J z + w x (J w)

and the Jacobian of the reference point makes joint torques of them. Not every parameter has an influence of its own:
base parameters are the combinations that have (M. Gautier, W. Khalil, 1990), found here from random motions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.ir.mechanism import BALL, COORDINATES, FREE, MechanismMap
from tellegen.network.mechanics.spatial import times, transposed
from tellegen.network.mechanics.tree_motion import Motions, Places, TreeNumbers, jacobian, motions, places
from tellegen.sheet import Result, Table

OF_A_LUMP = ("m", "mx", "my", "mz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
DEPENDENT = 1e-9
"""Of the size of a column: what is left of it after the columns before it, where it depends on them."""
_MOTIONS_A_PARAMETER = 3


@dataclass(frozen=True, eq=False, repr=False)
class BaseParameters(Result):
    """The parameters that inverse dynamics depends on: Y theta = Y[..., columns] @ values, and values = P theta."""

    columns: tuple[int, ...]  # of the regressor
    names: tuple[str, ...]
    P: Any  # one row for each
    values: Any
    parameters: tuple[str, ...]  # the names of all of theta

    def combination(self, k: int) -> str:
        """A base parameter as a sum of parameters: `elbow.m + 2.5 wrist.m`."""
        return " + ".join(
            name if abs(factor - 1.0) < 1e-9 else f"{factor:.6g} {name}"
            for name, factor in zip(self.parameters, self.P[k], strict=True)
            if abs(factor) > 1e-9
        )

    def _title(self) -> str:
        return f"BaseParameters: {len(self.columns)} of {len(self.parameters)} parameters"

    def _page(self) -> list[Table | str]:
        rows = [(self.names[k], f"{value:.6g}", self.combination(k)) for k, value in enumerate(self.values)]
        return [Table(("base parameter", "value", "combination"), rows)]


def parameter_names(mechanism: MechanismMap) -> tuple[str, ...]:
    """The parameters of all lumps, each named after the joint that carries it."""
    return tuple(f"{link.path}.{name}" for link in mechanism.links for name in OF_A_LUMP)


def parameter_values(tree: TreeNumbers) -> Any:
    """Theta."""
    found = []
    for link in tree.links:
        J = np.asarray(link.J, float)
        found.append(np.r_[float(link.m), link.h, J[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]])
    return np.concatenate([np.zeros(0), *found])


def regressor(tree: TreeNumbers, at: Places, moving: Motions) -> Any:
    """Y: samples x speeds x ten columns for each lump."""
    columns = []
    for k in range(len(tree.links)):
        into_lump = transposed(at.A[k + 1])
        linear, angular = jacobian(tree, at, k + 1, at.r[k + 1])
        w, z, a = (times(into_lump, one[k + 1]) for one in (moving.w, moving.z, moving.a))
        force, moment = _by_parameters(w, z, a)
        columns.append(transposed(into_lump @ linear) @ force + transposed(into_lump @ angular) @ moment)
    return np.concatenate(columns, axis=-1)


def base_parameters(tree: TreeNumbers, names: tuple[str, ...], seed: int) -> BaseParameters:
    """Of each column that depends on those before it, its share is added to theirs."""
    Y = _of_random_motions(tree, seed)
    size = np.linalg.norm(Y, axis=0)
    used = np.flatnonzero(size > 0.0)
    R = np.linalg.qr(Y[:, used] / size[used], mode="r")
    own = used[np.abs(np.diag(R)) > DEPENDENT]
    others = np.setdiff1d(used, own)
    P = np.zeros((len(own), Y.shape[1]))
    P[np.arange(len(own)), own] = 1.0
    P[:, others] = np.linalg.lstsq(Y[:, own], Y[:, others], rcond=None)[0]
    P[np.abs(P) < DEPENDENT] = 0.0
    values = P @ parameter_values(tree)
    return BaseParameters(tuple(own.tolist()), tuple(names[k] for k in own), P, values, names)


def _by_parameters(w: Any, z: Any, a: Any) -> tuple[Any, Any]:
    """Force and moment of a lump in its axes, by its ten parameters."""
    spin = _cross_matrix(w)
    nothing = np.zeros((*w.shape, 6))
    force = np.concatenate([a[..., None], _cross_matrix(z) + spin @ spin, nothing], axis=-1)
    moment = np.concatenate([0.0 * a[..., None], -_cross_matrix(a), _by_inertia(z) + spin @ _by_inertia(w)], axis=-1)
    return force, moment


def _cross_matrix(v: Any) -> Any:
    """v x as a matrix."""
    x, y, z = np.moveaxis(v, -1, 0)
    o = np.zeros_like(x)
    return np.stack([np.stack([o, -z, y], -1), np.stack([z, o, -x], -1), np.stack([-y, x, o], -1)], -2)


def _by_inertia(v: Any) -> Any:
    """J v by the six numbers of J: xx, yy, zz, xy, xz, yz."""
    x, y, z = np.moveaxis(v, -1, 0)
    o = np.zeros_like(x)
    rows = ((x, o, o, y, z, o), (o, y, o, x, o, z), (o, o, z, o, x, y))
    return np.stack([np.stack(row, -1) for row in rows], -2)


def _of_random_motions(tree: TreeNumbers, seed: int) -> Any:
    """Rows of the regressor for many motions of everything, one below the other."""
    random = np.random.default_rng(seed)
    count = _MOTIONS_A_PARAMETER * len(OF_A_LUMP) * max(1, len(tree.links))
    q = random.uniform(-np.pi, np.pi, (count, tree.coordinates))
    for link in tree.links:
        if link.motion in (BALL, FREE):
            turn = slice(link.q.stop - COORDINATES[BALL], link.q.stop)
            q[:, turn] /= np.linalg.norm(q[:, turn], axis=1, keepdims=True)
    at = places(tree, q)
    v, a = random.standard_normal((2, count, tree.speeds))
    Y = regressor(tree, at, motions(tree, at, v, a))
    return Y.reshape(-1, Y.shape[-1])
