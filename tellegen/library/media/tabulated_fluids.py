"""Real fluids as tables in native code: saturation curves, and surfaces for the liquid and the vapour.

    media.TabulatedFluid("R134a")        made by CoolProp within a second or two, kept for the process

In two phases everything follows from the saturation curves exactly, for it is linear in h. The liquid and the vapour
have surfaces (bicubic splines) over ln p and a coordinate that is 0 and 1 at the edges of the phase, so the saturation
line is a grid line and no spline ever crosses it:

    liquid   (h - h_min)/(h'(p) - h_min)          vapour   (h - h''(p))/(h_max - h''(p))

Grids are denser at their edges (Chebyshev's points), where splines are weakest. Errors against CoolProp are measured in
tests/validation/test_real_fluids.py: 2e-5 of the density at most. Pressures from p_min to p_max, below critical.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

import tellegen as tg
from tellegen.frontends.python.declarations.interpolate import look_up, table_of
from tellegen.frontends.python.expressions.refusal import refused
from tellegen.library.media.coolprop_calls import coolprop, state_of
from tellegen.library.media.interface import State
from tellegen.library.media.numbers_or_symbols import choose
from tellegen.library.media.real_fluids import Saturation, TwoPhaseFluid

KINDS = ("T", "d", "s", "cp", "cv", "mu", "k")
HIGHEST = 0.9
"""The default of p_max, in parts of the critical pressure."""


@dataclass(frozen=True)
class TabulatedFluid(TwoPhaseFluid):
    """A fluid of CoolProp as tables; 0 for a limit means as far as is sensible."""

    name: str = "R134a"
    """As CoolProp calls it."""
    p_min: float = 0.0
    """Lowest pressure, Pa; by default 10 kPa, or a little above the triple point."""
    p_max: float = 0.0
    """Highest pressure, Pa; by default 0.9 times the critical one."""
    T_max: float = 0.0
    """Highest temperature at p_min, K; by default 200 K above the critical one, or the fluid's limit."""
    n_p: int = 48
    """Points along ln p."""
    n_h: int = 32
    """Points along h, in each phase."""

    def __post_init__(self) -> None:
        limits = _limits(self)
        if not limits.p_triple < limits.p_min < limits.p_max <= 0.99 * limits.p_critical:
            what = f"tables of {self.name} from {limits.p_min:g} Pa to {limits.p_max:g} Pa"
            advice = f"between {limits.p_triple:.4g} Pa (triple point) and {0.99 * limits.p_critical:.4g} Pa"
            raise refused("E704", what + ": not below each other, or outside the two phases", advice)

    def __str__(self) -> str:
        return self.name

    @property
    def substances(self) -> tuple[str, ...]:
        return (self.name,)

    def saturation(self, p: tg.Expression) -> Saturation:
        tables = _tables(self)
        x = tg.log(p / 1.0)
        h_l = look_up(tables.h_l, x)
        h_v = look_up(tables.h_v, x)
        liquid, vapour = (self._in_phase(phase, p, h, x) for phase, h in (("liquid", h_l), ("vapour", h_v)))
        return Saturation(look_up(tables.T, x), h_l, liquid("d"), liquid("s"), h_v, vapour("d"), vapour("s"))

    def _in_phase(self, phase: str, p: tg.Expression, h: tg.Expression, x: tg.Expression) -> Any:
        """A function of the kind of property: its value in a phase, or where that continues beyond its edge."""
        tables = _tables(self)
        limits = _limits(self)
        if phase == "liquid":
            position = (h - limits.h_min) / (look_up(tables.h_l, x) - limits.h_min)
            return lambda kind: look_up(tables.liquid[kind], x, position)
        edge = look_up(tables.h_v, x)
        position = (h - edge) / (limits.h_max - edge)
        return lambda kind: look_up(tables.vapour[kind], x, position) * (p / 1e5 if kind == "d" else 1.0)

    def _property(self, kind: str, p: tg.Expression, h: tg.Expression) -> Any:
        """A property of the liquid, of the vapour or, between their edges, of both by quality."""
        tables = _tables(self)
        x = tg.log(p / 1.0)
        if kind not in tables.liquid:
            raise self._lacks("viscosity and thermal conductivity")
        h_l = look_up(tables.h_l, x)
        h_v = look_up(tables.h_v, x)
        liquid = self._in_phase("liquid", p, h, x)(kind)
        vapour = self._in_phase("vapour", p, h, x)(kind)
        edge_l = look_up(tables.liquid[kind], x, 1.0)
        edge_v = look_up(tables.vapour[kind], x, 0.0)
        quality = (h - h_l) / (h_v - h_l)
        if kind == "T":
            both = look_up(tables.T, x)
        elif kind == "d":
            both = 1.0 / ((1.0 - quality) / edge_l + quality / (edge_v * p / 1e5))
        elif kind == "mu":
            both = 1.0 / ((1.0 - quality) / edge_l + quality / edge_v)
        else:
            both = (1.0 - quality) * edge_l + quality * edge_v
        return choose(h < h_l, liquid, choose(h > h_v, vapour, both))

    def temperature(self, p: tg.Expression, h: tg.Expression, X: Sequence[Any] = ()) -> Any:
        return self._property("T", p, h)

    def enthalpy(self, p: tg.Expression, T: tg.Expression, X: Sequence[Any] = ()) -> Any:
        """Of a single phase: at the boiling temperature itself p and T do not say how much has boiled."""
        liquid, vapour, _, _ = self._h_of("T", T, tg.log(p / 1.0))
        return choose(T < look_up(_tables(self).T, tg.log(p / 1.0)), liquid, vapour)

    def isentropic_enthalpy(self, p: tg.Expression, state: State) -> Any:
        tables = _tables(self)
        x = tg.log(p / 1.0)
        s = self.entropy(state)
        liquid, vapour, s_l, s_v = self._h_of("s", s, x)
        h_l = look_up(tables.h_l, x)
        h_v = look_up(tables.h_v, x)
        return choose(s < s_l, liquid, choose(s > s_v, vapour, h_l + (h_v - h_l) * (s - s_l) / (s_v - s_l)))

    def _h_of(self, kind: str, value: Any, x: tg.Expression) -> tuple[Any, Any, Any, Any]:
        """h of the liquid and of the vapour where T or s has a value, and what T or s is at their saturation."""
        tables = _tables(self)
        first = look_up(tables.liquid[kind], x, 0.0)
        edge_l = look_up(tables.liquid[kind], x, 1.0)
        edge_v = look_up(tables.vapour[kind], x, 0.0)
        last = look_up(tables.vapour[kind], x, 1.0)
        of_liquid, of_vapour = tables.h_of[kind]
        liquid = look_up(of_liquid, x, (value - first) / (edge_l - first))
        vapour = look_up(of_vapour, x, (value - edge_v) / (last - edge_v))
        return liquid, vapour, edge_l, edge_v

    def regions(self, state: State) -> Iterator[Any]:
        at = _limits(self)
        inside = (state.p > at.p_min) & (state.p < at.p_max) & (state.h > at.h_min) & (state.h < at.h_max)
        pressures = f"{at.p_min:g} Pa to {at.p_max:.6g} Pa"
        energies = f"{at.h_min:.6g} J/kg to {at.h_max:.6g} J/kg"
        yield tg.region(inside, f"{self} is outside of its tables, {pressures} and {energies}")

    def density(self, state: State) -> Any:
        return self._property("d", state.p, state.h)

    def entropy(self, state: State) -> Any:
        return self._property("s", state.p, state.h)

    def viscosity(self, state: State) -> Any:
        return self._property("mu", state.p, state.h)

    def conductivity(self, state: State) -> Any:
        return self._property("k", state.p, state.h)

    def cp(self, state: State) -> Any:
        return self._property("cp", state.p, state.h)

    def cv(self, state: State) -> Any:
        return self._property("cv", state.p, state.h)


class Limits(NamedTuple):
    """Where the tables end."""

    p_triple: float
    p_critical: float
    p_min: float
    p_max: float
    h_min: float
    h_max: float


class Tables(NamedTuple):
    """Saturation curves over ln p, and the surfaces of both phases; d of the vapour is that per bar."""

    T: Any
    h_l: Any
    h_v: Any
    liquid: dict[str, Any]
    vapour: dict[str, Any]
    h_of: dict[str, tuple[Any, Any]]
    """h of the liquid and of the vapour over ln p and T or s, 0 and 1 at the edges of the phase."""


@lru_cache
def _limits(fluid: TabulatedFluid) -> Limits:
    CP = coolprop()
    state = state_of(fluid.name)
    p_triple = state.trivial_keyed_output(CP.iP_min)
    p_critical = state.p_critical()
    p_min = fluid.p_min or max(1e4, 2.0 * p_triple)
    p_max = fluid.p_max or HIGHEST * p_critical
    coldest = state.trivial_keyed_output(CP.iT_min)
    if state.has_melting_line():
        coldest = max(coldest, state.melting_line(CP.iT, CP.iP, p_max))
    state.update(CP.PT_INPUTS, p_max, coldest + 0.5)
    h_min = state.hmass()
    state.update(CP.PT_INPUTS, p_min, fluid.T_max or min(state.T_critical() + 200.0, state.Tmax()))
    return Limits(p_triple, p_critical, p_min, p_max, h_min, state.hmass())


@lru_cache
def _tables(fluid: TabulatedFluid) -> Tables:
    """Made by CoolProp, point by point."""
    limits = _limits(fluid)
    x = np.log(limits.p_min) + np.log(limits.p_max / limits.p_min) * _chebyshev(fluid.n_p)
    y = _chebyshev(fluid.n_h)
    edges = np.empty((3, len(x)))  # T, h of the liquid, h of the vapour
    phases = np.empty((2, len(KINDS), len(x), len(y)))
    h_of = {kind: np.empty((2, len(x), len(y))) for kind in ("T", "s")}
    for i, p in enumerate(np.exp(x)):
        edges[:, i], phases[:, :, i] = _isobar(fluid.name, p, limits, y)
        for k, ends in enumerate(((limits.h_min, edges[1, i]), (edges[2, i], limits.h_max))):
            for kind, found in h_of.items():
                values = phases[k, KINDS.index(kind), i, [0, -1]]
                found[k, i] = _h_along(fluid.name, p, kind, values[0] + y * (values[1] - values[0]), ends)
    phases[1, KINDS.index("d")] *= 1e5 / np.exp(x)[:, None]  # nearly constant along p, as an ideal gas has it
    known = [n for n in range(len(KINDS)) if np.isfinite(phases[:, n]).all()]
    liquid, vapour = ({KINDS[n]: table_of((x, y), phase[n], "cubic", "extend") for n in known} for phase in phases)
    T, h_l, h_v = (table_of((x,), values, "cubic", "extend") for values in edges)
    inverse = {
        kind: (table_of((x, y), found[0], "cubic", "extend"), table_of((x, y), found[1], "cubic", "extend"))
        for kind, found in h_of.items()
    }
    return Tables(T, h_l, h_v, liquid, vapour, inverse)


def _isobar(name: str, p: float, limits: Limits, y: Any) -> tuple[list[float], Any]:
    """T, h' and h'' at a pressure, and the properties [phase, kind, place] along h in both phases."""
    CP = coolprop()
    state = state_of(name)
    phases = np.empty((2, len(KINDS), len(y)))
    edges = []
    for k, saturated in enumerate((-1, 0)):  # the place at saturation, where a flash by h might see two phases
        state.update(CP.PQ_INPUTS, p, float(k))
        edges += [state.T(), state.hmass()]
        phases[k, :, saturated] = _properties(state)
    T, h_l, _, h_v = edges
    for k, (low, high) in enumerate(((limits.h_min, h_l), (h_v, limits.h_max))):
        for j in range(len(y))[slice(0, -1) if k == 0 else slice(1, None)]:
            state.update(CP.HmassP_INPUTS, low + y[j] * (high - low), p)
            phases[k, :, j] = _properties(state)
    return [T, h_l, h_v], phases


def _h_along(name: str, p: float, kind: str, values: Any, ends: tuple[float, float]) -> list[float]:
    """h at values of T or s along an isobar in one phase; at the ends it is known."""
    CP = coolprop()
    state = state_of(name)
    found = []
    for value in values[1:-1]:
        state.update(CP.PSmass_INPUTS if kind == "s" else CP.PT_INPUTS, p, value)
        found.append(state.hmass())
    return [ends[0], *found, ends[1]]


def _properties(state: Any) -> list[float]:
    """In the order of KINDS; CoolProp does not know the viscosity and conductivity of every fluid."""
    try:
        flow = [state.viscosity(), state.conductivity()]
    except ValueError:
        flow = [np.nan, np.nan]
    return [state.T(), state.rhomass(), state.smass(), state.cpmass(), state.cvmass(), *flow]


def _chebyshev(count: int) -> Any:
    """Points from 0 to 1, dense at both ends."""
    return 0.5 - 0.5 * np.cos(np.pi * np.arange(count) / (count - 1))
