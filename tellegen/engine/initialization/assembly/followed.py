"""Tangents of a start that was assembled from rough guesses, in a model with tangents.

    x - x0 + J' l = 0,  g(x, p) = 0       ->      N' (dx - dx0 + dJ' l) = 0,  dg = 0

The tangents were brought onto dg = 0 as near as possible to those of the guesses, which is all of it where the guesses
close the loops and l = 0. Here they are moved on along N. dJ are the tangents of the derivatives, which the model
computes: they depend on dx and on the parameters that are varied, linearly, so that one evaluation for each
direction of N gives exact derivatives.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.engine.initialization.assembly.closures import CURVED, STATIONARY, Closure, closure, no_derivatives
from tellegen.engine.loaded.invariant_components import Components
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.ir.flat import Tangents
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import BoolArray
from tellegen.start.records import dataclass

_MOVED = 1e-10  # of the sizes of states: what was moved less needs no correction


@dataclass(frozen=True, eq=False)
class TangentPlaces:
    """Where tangents stand in y or p, with signs; those that are zero have the sign zero."""

    place: IntArray
    of_parameter: BoolArray
    sign: FloatArray

    def values(self, system: OdeSystem) -> FloatArray:
        """Where the system was evaluated."""
        of_p = system.p.take(self.place, mode="clip")
        return self.sign * np.where(self.of_parameter, of_p, system.y.take(self.place, mode="clip"))


@dataclass(frozen=True, eq=False)
class _Pair:
    """A component in one direction: its states' tangents as numbers of states with signs, and where dJ stands."""

    of: Closure
    multipliers: FloatArray
    tangent: IntArray
    sign: FloatArray
    entries: TangentPlaces

    def tangents(self, x: FloatArray) -> FloatArray:
        """In sizes of the states."""
        return self.sign * x[self.tangent] / self.of.size


class Followed:
    """The correction of tangents at one point."""

    def __init__(self, system: OdeSystem, t: float, free: BoolArray, size: FloatArray) -> None:
        assert system.projection is not None
        assert system.model.reduced.flat.tangents is not None
        self.system = system
        self.t = t
        self.free = free
        self.size = size
        self.of: Components = system.projection.components
        self.tangents: Tangents = system.model.reduced.flat.tangents

    def run(self, origin: FloatArray, x: FloatArray, chosen: IntArray) -> FloatArray:
        """States with the tangents of some components (of the model itself) corrected."""
        if not self.system.rhs(self.t, x):
            return x
        pairs = self._pairs(origin, x, chosen)
        if not pairs:
            return x
        start = self._defects(pairs, origin, x)
        unit = [max(1.0, float(np.abs(pair.tangents(x)).max())) for pair in pairs]
        columns: list[list[FloatArray]] = [[] for _ in pairs]
        for k in range(max(pair.of.along.shape[1] for pair in pairs)):
            point = x.copy()
            for pair, length in zip(pairs, unit, strict=True):
                if k < pair.of.along.shape[1]:
                    point[pair.tangent] += pair.sign * pair.of.size * length * pair.of.along[:, k]
            if not self.system.rhs(self.t, point):
                return x
            for number, defect in enumerate(self._defects(pairs, origin, point)):
                if k < pairs[number].of.along.shape[1]:
                    columns[number].append((defect - start[number]) / unit[number])
        out = x.copy()
        for pair, defect, found in zip(pairs, start, columns, strict=True):
            u = self._solved(pair, np.stack(found, axis=1), defect)
            out[pair.tangent] -= pair.sign * pair.of.size * (pair.of.along @ u)
        return out

    def _solved(self, pair: _Pair, matrix: FloatArray, defect: FloatArray) -> FloatArray:
        """u; E312 where a motion leaves the distance as it is, unless nothing moves that way."""
        if np.abs(defect).max(initial=0.0) == 0.0:
            return defect
        if np.linalg.svd(matrix, compute_uv=False)[-1] <= CURVED:
            raise no_derivatives(self.system.model, self.system.states[pair.of.states])
        return np.linalg.solve(matrix, defect).astype(np.float64)

    def _defects(self, pairs: list[_Pair], origin: FloatArray, x: FloatArray) -> list[FloatArray]:
        """N' (dx - dx0 + dJ' l) of all pairs, where the system was evaluated."""
        out = []
        for pair in pairs:
            derivatives = np.zeros(len(self.of.entry_place))
            derivatives[self.of.entries_of(pair.of.component)] = pair.entries.values(self.system)
            change = pair.of.scaled(self.of.dense(pair.of.component, derivatives))
            way = pair.tangents(x) - pair.tangents(origin)
            out.append(pair.of.along.T @ (way + change.T @ pair.multipliers))
        return out

    def _pairs(self, origin: FloatArray, x: FloatArray, chosen: IntArray) -> list[_Pair]:
        """Components that were moved far and are free to move, in all directions."""
        out = []
        system = self.system
        derivatives = self.of.derivatives(system.y, system.p)
        for c in chosen.tolist():
            each = closure(self.of, c, derivatives, self.free, self.size)
            way = each.way(x, origin)
            if np.abs(way).max(initial=0.0) <= _MOVED or not each.along.shape[1]:
                continue
            if np.abs(each.along.T @ way).max() > STATIONARY:
                raise no_derivatives(system.model, system.states[each.states])
            out += [self._pair(each, way, j) for j in range(self.tangents.variable.shape[1])]
        return out

    def _pair(self, each: Closure, way: FloatArray, direction: int) -> _Pair:
        """A component in one direction."""
        system = self.system
        number = np.full(len(system.y), -1)
        number[system.states] = np.arange(len(system.states))
        places = system.states[each.states]
        of_states = tangent_places(system.model, places, np.zeros(len(places), bool), direction)
        mine = self.of.entries_of(each.component)
        entries = tangent_places(system.model, self.of.entry_place[mine], self.of.of_parameter[mine], direction)
        return _Pair(
            of=each,
            multipliers=each.multipliers(way),
            tangent=number[of_states.place],
            sign=of_states.sign,
            entries=replace(entries, sign=entries.sign * self.of.sign[mine]),
        )


def tangent_places(model: NativeModel, places: IntArray, in_p: BoolArray, direction: int) -> TangentPlaces:
    """The tangents of what stands at places of y, or of p, in one direction.

    What stands there represents variables that are equal up to a sign; one of them has a tangent.
    """
    reduced = model.reduced
    tangents = reduced.flat.tangents
    assert tangents is not None
    has = np.flatnonzero(tangents.variable[:, direction] >= 0)
    own = reduced.representative[has]
    member = np.full(len(reduced.unknowns), -1)
    known = np.full(reduced.parameter_indices, -1)
    solved = (reduced.position[own] >= 0) & (reduced.sign[has] != 0)
    member[reduced.position[own[solved]]] = has[solved]
    given = (reduced.known_position[own] >= 0) & (reduced.sign[has] != 0)
    known[reduced.known_position[own[given]]] = has[given]
    of_variable = np.where(in_p, known.take(places, mode="clip"), member.take(places, mode="clip"))
    tangent = tangents.variable[of_variable, direction]
    leader = reduced.representative[tangent]
    sign = np.where(of_variable >= 0, reduced.sign[of_variable] * reduced.sign[tangent], 0).astype(float)
    place = np.where(reduced.position[leader] >= 0, reduced.position[leader], reduced.known_position[leader])
    of_parameter = reduced.position[leader] < 0
    plain = in_p & (places < len(tangents.direction))
    number = tangents.direction[np.where(plain, places, 0), direction]
    return TangentPlaces(
        place=np.where(plain, number, place),
        of_parameter=np.where(plain, True, of_parameter),
        sign=np.where(plain, 1.0, sign),
    )
