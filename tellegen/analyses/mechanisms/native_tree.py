"""The tree of a mechanism in native memory, and its compiled functions (tree_kernels.py)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from tellegen.analyses.mechanisms import tree_kernels as kernels
from tellegen.engine.native.machine_code import MachineCode
from tellegen.engine.native.record import Record
from tellegen.engine.runtime.runtimes import HOT_LOOPS, procedure_module
from tellegen.ir.mechanism import BALL, FREE, POINT, PRISMATIC, REVOLUTE, WELD
from tellegen.network.mechanics.tree_motion import TreeNumbers
from tellegen.procedures.language import field_names

ENTRIES = (kernels.inverse_dynamics, kernels.mass_matrix, kernels.jacobian)
KINDS = {
    REVOLUTE: kernels.REVOLUTE,
    PRISMATIC: kernels.PRISMATIC,
    BALL: kernels.BALL,
    FREE: kernels.FREE,
    POINT: kernels.POINT,
    WELD: kernels.WELD,
}
_ADDRESS = ctypes.c_void_p
_COUNT = ctypes.c_int64


@cache
def _code() -> MachineCode:
    return MachineCode((procedure_module(ENTRIES, HOT_LOOPS),))


@cache
def _function(name: str, *kinds: Any) -> Callable[..., None]:
    return ctypes.CFUNCTYPE(None, *kinds)(_code().addresses[name])


class NativeTree:
    """Functions of rows of coordinates, speeds and accelerations; there is room for one call at a time."""

    def __init__(self, tree: TreeNumbers) -> None:
        self.speeds = tree.speeds
        self._tree = tree
        self._record = _record_of(tree)
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[NativeTree], tuple[TreeNumbers]]:
        """Memory is not pickled."""
        return NativeTree, (self._tree,)

    def inverse_dynamics(self, q: Any, u: Any, acceleration: Any) -> Any:
        """Torques and forces of the joints."""
        given = [np.ascontiguousarray(rows, float) for rows in (q, u, acceleration)]
        tau = np.empty((len(q), self.speeds))
        run = _function("inverse_dynamics", _ADDRESS, _COUNT, *4 * [_ADDRESS])
        with self._lock:
            run(self._record.address, len(q), *(rows.ctypes.data for rows in given), tau.ctypes.data)
        return tau

    def mass_matrix(self, q: Any) -> Any:
        """M(q)."""
        rows = np.ascontiguousarray(q, float)
        M = np.zeros((len(q), self.speeds, self.speeds))
        run = _function("mass_matrix", _ADDRESS, _COUNT, _ADDRESS, _ADDRESS)
        with self._lock:
            run(self._record.address, len(q), rows.ctypes.data, M.ctypes.data)
        return M

    def jacobian(self, q: Any, lump: int, point: Any) -> Any:
        """Velocity and angular velocity of a point that is given in the axes of its lump, by the speeds."""
        rows = np.ascontiguousarray(q, float)
        place = np.ascontiguousarray(point, float)
        J = np.zeros((len(q), 6, self.speeds))
        run = _function("jacobian", _ADDRESS, _COUNT, _ADDRESS, _COUNT, _ADDRESS, _ADDRESS)
        with self._lock:
            run(self._record.address, len(q), rows.ctypes.data, lump, place.ctypes.data, J.ctypes.data)
        return J


def _record_of(tree: TreeNumbers) -> Record:
    """The numbers of all links, one after the other, and room for one sample."""
    links = tree.links
    count = len(links)
    A = np.zeros((count + 1, 9))
    A[0] = np.eye(3).ravel()
    record = Record(field_names(kernels.Tree))
    record.set(
        links=count,
        coordinates=tree.coordinates,
        speeds=tree.speeds,
        kind=np.array([KINDS[link.motion] for link in links], np.int32),
        parent=np.array([link.parent for link in links], np.int32),
        root=_roots(tree),
        first_q=np.array([link.q.start for link in links], np.int32),
        first_u=np.array([*(link.u.start for link in links), tree.speeds], np.int32),
        g=np.array(tree.g, float),
        **{name: _column(links, name) for name in ("s", "C", "m", "h", "J")},
        n=np.array([link.n if link.motion in (REVOLUTE, PRISMATIC) else np.zeros(3) for link in links], float),
        A=A,
        S=np.zeros((tree.speeds, 6)),
        mass=np.zeros(count),
        inertia=np.zeros((count, 9)),
        **{name: np.zeros((count + 1, 3)) for name in ("r", "w", "z", "a")},
        **{name: np.zeros((count, 3)) for name in ("d", "force", "moment", "first_moment")},
    )
    return record


def _column(links: Any, name: str) -> Any:
    return np.ascontiguousarray([np.ravel(getattr(link, name)) for link in links], float)


def _roots(tree: TreeNumbers) -> Any:
    """The link next to the ground on the way to each link."""
    roots = np.arange(len(tree.links), dtype=np.int32)
    for k, link in enumerate(tree.links):
        if link.parent > 0:
            roots[k] = roots[link.parent - 1]
    return roots
