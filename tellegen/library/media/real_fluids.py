"""Real fluids by CoolProp: liquid, vapour, both at once and beyond the critical point, as functions of p and h.

    media.RealFluid("R134a")          by its equation of state, a Helmholtz energy, of full accuracy

CoolProp is an optional extra, `pip install 'tellegen[coolprop]'`. Any of its pure fluids will do. In equations its
functions are opaque, with exact slopes (coolprop_calls.py), called once for all properties of a state.
`media.TabulatedFluid` is the same fluid as tables in native code, which is much faster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import tellegen as tg
from tellegen.library.media.coolprop_calls import Slopes, Values, state_of
from tellegen.library.media.interface import Medium, State


class Saturation(NamedTuple):
    """Boiling liquid (_l) and dry vapour (_v) at one pressure."""

    T: Any
    h_l: Any
    d_l: Any
    s_l: Any
    h_v: Any
    d_v: Any
    s_v: Any


@dataclass(frozen=True)
class TwoPhaseFluid(Medium):
    """Base of fluids that boil: functions of p and h, with saturation properties."""

    basis: ClassVar[str] = "ph"

    def saturation(self, p: tg.Expression) -> Saturation:
        """Liquid and vapour in equilibrium at a pressure; held a little below the critical pressure."""
        raise self._lacks("saturation")

    def T_sat(self, p: tg.Expression) -> Any:
        """Boiling temperature, K."""
        return self.saturation(p).T

    def h_bubble(self, p: tg.Expression) -> Any:
        """Enthalpy of boiling liquid, J/kg."""
        return self.saturation(p).h_l

    def h_dew(self, p: tg.Expression) -> Any:
        """Enthalpy of dry vapour, J/kg."""
        return self.saturation(p).h_v

    def quality(self, state: State) -> Any:
        """(h - h')/(h'' - h'): the vapour's share of the mass in two phases; below 0 in liquid, above 1 in vapour."""
        at = self.saturation(state.p)
        return (state.h - at.h_l) / (at.h_v - at.h_l)

    def isentropic_enthalpy(self, p: tg.Expression, state: State) -> Any:
        """Specific enthalpy at pressure p and the entropy of the state."""
        raise self._lacks("isentropes")

    def isentrope(self, start: State, end: State) -> Iterator[Any]:
        yield end.h == self.isentropic_enthalpy(end.p, start)
        yield self.relation(end)

    def speed_of_sound(self, state: State) -> Any:
        """1/a^2 = drho/dp + (drho/dh)/rho; in two phases that of an equilibrium mixture."""
        by_p, by_h, _ = self.density_derivatives(state)
        return 1.0 / tg.sqrt(by_p + by_h / self.density(state))


@dataclass(frozen=True)
class RealFluid(TwoPhaseFluid):
    """A fluid of CoolProp."""

    name: str = "R134a"
    """As CoolProp calls it."""

    def __post_init__(self) -> None:
        state_of(self.name)  # reports at once what is missing

    def __str__(self) -> str:
        return self.name

    @property
    def substances(self) -> tuple[str, ...]:
        return (self.name,)

    @property
    def p_critical(self) -> float:
        """Critical pressure, Pa."""
        return state_of(self.name).p_critical()

    @property
    def T_critical(self) -> float:
        """Critical temperature, K."""
        return state_of(self.name).T_critical()

    def enthalpy(self, p: tg.Expression, T: tg.Expression, X: Sequence[Any] = ()) -> Any:
        """Of a single phase: at the boiling temperature itself p and T do not say how much has boiled."""
        return _functions(self).pT(p, T)

    def temperature(self, p: tg.Expression, h: tg.Expression, X: Sequence[Any] = ()) -> Any:
        return _functions(self).ph(p, h)[0]

    def density(self, state: State) -> Any:
        return _functions(self).ph(state.p, state.h)[1]

    def entropy(self, state: State) -> Any:
        return _functions(self).ph(state.p, state.h)[2]

    def density_derivatives(self, state: State) -> tuple[Any, Any, tuple[Any, ...]]:
        by_p, by_h = _functions(self).ph(state.p, state.h)[3:5]
        return by_p, by_h, ()

    def isentropic_enthalpy(self, p: tg.Expression, state: State) -> Any:
        return _functions(self).ps(p, self.entropy(state))

    def saturation(self, p: tg.Expression) -> Saturation:
        return Saturation(*_functions(self).saturated(p))

    def viscosity(self, state: State) -> Any:
        """In two phases by W. H. McAdams: 1/mu = (1 - x)/mu' + x/mu''."""
        return _functions(self).transport(state.p, state.h)[0]

    def conductivity(self, state: State) -> Any:
        """In two phases that of liquid and vapour by quality."""
        return _functions(self).transport(state.p, state.h)[1]

    def cp(self, state: State) -> Any:
        """In two phases, where it is infinite, that of liquid and vapour by quality."""
        return _functions(self).transport(state.p, state.h)[2]

    def cv(self, state: State) -> Any:
        """In two phases that of liquid and vapour by quality."""
        return _functions(self).transport(state.p, state.h)[3]


class Functions(NamedTuple):
    """CoolProp as functions for equations."""

    ph: Any
    """p, h -> T, d, s, dd/dp, dd/dh."""
    pT: Any
    """p, T -> h."""
    ps: Any
    """p, s -> h."""
    saturated: Any
    """p -> Saturation."""
    transport: Any
    """p, h -> viscosity, conductivity, cp, cv."""


@lru_cache
def _functions(fluid: RealFluid) -> Functions:
    """The same objects for equal fluids, so that all components share one call."""

    def function(which: str, outputs: int, slopes: bool = True) -> Any:
        values = Values(which, fluid.name)
        derivative = Slopes(which, fluid.name) if slopes else None
        return tg.function(values, opaque=True, outputs=outputs, derivative=derivative, elementwise=True)

    return Functions(
        function("ph", 5),
        function("pT", 1),
        function("ps", 1),
        function("saturated", 7),
        function("transport", 4, False),
    )
