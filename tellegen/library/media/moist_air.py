"""Moist air: dry air with water, as vapour and, where there is more than air can hold, as fog.

Both gases are ideal, with NASA polynomials; h is zero for dry air and for liquid water at 0 degC, as in psychrometric
charts. X[0] is the mass of water in 1 kg of moist air, vapour and fog together. Up to saturation all water is vapour;
what is more floats as drops, or as ice below freezing, and takes no room:

    X_steam = min(X, X_sat)      X_sat/(1 - X) = 0.622 p_sat/(p - p_sat)      h = X_air h_air + X_steam h_v + X_fog h_l

Range: 190 K to 647 K, pressures at which p_sat stays well below p.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library.media.gas_data import GASES
from tellegen.library.media.ideal_gases import dry_air
from tellegen.library.media.interface import Medium, State
from tellegen.library.media.nasa import coefficients
from tellegen.library.media.numbers_or_symbols import at_least, at_most
from tellegen.library.media.saturated_water import saturation_pressure, saturation_temperature

STEAM = GASES["H2O"]
R_STEAM = STEAM.R
R_AIR = dry_air().gas_constant()
T_ZERO = 273.15
H_EVAPORATION = 2.50084e6
H_MELTING = 3.3355e5
"""Heat of evaporation and of melting of water at 0 degC, J/kg (IAPWS)."""
C_LIQUID = 4190.0
C_ICE = 2100.0
"""Heat capacities of the fog, J/(kg.K)."""
FREEZING = 0.25
"""The fog freezes within this many K around 0 degC, along a straight line: a jump would have no inverse."""

_VAPOUR = coefficients((STEAM,), (1.0,))
_AIR = dry_air().polynomials()
_H_VAPOUR = float(_VAPOUR.h(T_ZERO))
_H_AIR = float(_AIR.h(T_ZERO))
_S_VAPOUR = float(_VAPOUR.s0(T_ZERO))
_S_AIR = float(_AIR.s0(T_ZERO))


@dataclass(frozen=True)
class MoistAir(Medium):
    """Air with water vapour and fog; X[0] is the mass fraction of water."""

    X_start: float = 0.01
    """Mass fraction of water where nobody gives another."""

    @property
    def substances(self) -> tuple[str, ...]:
        return ("water", "air")

    @property
    def X_default(self) -> tuple[float, ...]:
        return (self.X_start,)

    # -- water in it -----------------------------------------------------------------------------------------------
    def saturation_pressure(self, T: tg.Expression) -> Any:
        """Pressure of the vapour in saturated air, Pa."""
        return saturation_pressure(T)

    def X_saturated(self, p: tg.Expression, T: tg.Expression, X: Sequence[Any]) -> Any:
        """How much of 1 kg of this moist air could be vapour."""
        p_sat = saturation_pressure(T)
        return (1.0 - X[0]) * (R_AIR / R_STEAM) * p_sat / at_least(p - p_sat, 1e-3 * p)

    def steam(self, p: tg.Expression, T: tg.Expression, X: Sequence[Any]) -> Any:
        """Mass fraction of water that is vapour."""
        return at_most(X[0], self.X_saturated(p, T, X))

    def fog(self, state: State) -> Any:
        """Mass fraction of water that is liquid or ice."""
        return state.X[0] - self.steam(state.p, state.T, state.X)

    def X_of_humidity(self, p: tg.Expression, T: tg.Expression, phi: tg.Expression) -> tuple[Any]:
        """The X of air of relative humidity phi (0 to 1)."""
        p_v = phi * saturation_pressure(T)
        ratio = (R_AIR / R_STEAM) * p_v / (p - p_v)
        return (ratio / (1.0 + ratio),)

    def vapour_pressure(self, state: State) -> Any:
        """Partial pressure of the vapour, Pa."""
        steam = self.steam(state.p, state.T, state.X)
        return state.p * steam * R_STEAM / self._R(steam, state.X)

    def relative_humidity(self, state: State) -> Any:
        """Partial pressure of the vapour over its saturation pressure, 0 to 1."""
        return self.vapour_pressure(state) / saturation_pressure(state.T)

    def dew_point(self, state: State) -> Any:
        """The temperature at which water begins to condense when the air is cooled, K."""
        return saturation_temperature(self.vapour_pressure(state))

    def wet_bulb(self, state: State) -> float:
        """The temperature of air that has evaporated water of that temperature until it was saturated, K; of numbers.

        (h + (w_s - w) h_water) at the wet bulb is that of saturated air: bisection, for the difference rises with T.
        """
        p = float(state.p)
        T = float(state.T)
        X = float(state.X[0])
        w = X / (1.0 - X)
        h = float(state.h) / (1.0 - X)
        low = T_ZERO - 60.0
        high = T
        for _ in range(60):
            mid = 0.5 * (low + high)
            X_s = float(self.X_of_humidity(p, mid, 1.0)[0])
            w_s = X_s / (1.0 - X_s)
            h_s = float(self.enthalpy(p, mid, (X_s,))) / (1.0 - X_s)
            low, high = (low, mid) if h_s > h + (w_s - w) * float(_condensed(mid)) else (mid, high)
        return 0.5 * (low + high)

    # -- the medium ------------------------------------------------------------------------------------------------
    def _R(self, steam: tg.Expression, X: Sequence[Any]) -> Any:
        """Gas constant in J per K and kg of moist air; the fog has none."""
        return (1.0 - X[0]) * R_AIR + steam * R_STEAM

    def enthalpy(self, p: tg.Expression, T: tg.Expression, X: Sequence[Any] = ()) -> Any:
        steam = self.steam(p, T, X)
        vapour = H_EVAPORATION + _VAPOUR.h(T) - _H_VAPOUR
        return (1.0 - X[0]) * (_AIR.h(T) - _H_AIR) + steam * vapour + (X[0] - steam) * _condensed(T)

    def temperature(self, p: tg.Expression, h: tg.Expression, X: Sequence[Any] = ()) -> Any:
        """By bisection, of numbers only: the enthalpy has a corner at saturation."""
        low = 150.0
        high = 1000.0
        for _ in range(60):
            mid = 0.5 * (low + high)
            low, high = (low, mid) if float(self.enthalpy(p, mid, X)) > h else (mid, high)
        return 0.5 * (low + high)

    def density(self, state: State) -> Any:
        return state.p / (self._R(self.steam(state.p, state.T, state.X), state.X) * state.T)

    def internal_energy(self, state: State) -> Any:
        return state.h - self._R(self.steam(state.p, state.T, state.X), state.X) * state.T

    def entropy(self, state: State) -> Any:
        """Zero for dry air at 0 degC and 1 bar and for water at 0 degC; each gas at its share of the pressure."""
        p = state.p
        T = state.T
        X = state.X
        steam = self.steam(p, T, X)
        p_v = at_least(self.vapour_pressure(state), 1e-6)
        air = _AIR.s0(T) - _S_AIR - R_AIR * tg.log((p - p_v) / 1e5)
        start = H_EVAPORATION / T_ZERO + R_STEAM * np.log(float(saturation_pressure(T_ZERO)))
        vapour = start + _VAPOUR.s0(T) - _S_VAPOUR - R_STEAM * tg.log(p_v / 1.0)
        return (1.0 - X[0]) * air + steam * vapour + (X[0] - steam) * C_LIQUID * tg.log(T / T_ZERO)

    def cp(self, state: State) -> Any:
        """Of air, vapour and fog as they are: without the heat of what evaporates."""
        steam = self.steam(state.p, state.T, state.X)
        gases = (1.0 - state.X[0]) * _AIR.cp(state.T) + steam * _VAPOUR.cp(state.T)
        return gases + (state.X[0] - steam) * C_LIQUID

    def cv(self, state: State) -> Any:
        return self.cp(state) - self._R(self.steam(state.p, state.T, state.X), state.X)

    def speed_of_sound(self, state: State) -> Any:
        R = self._R(self.steam(state.p, state.T, state.X), state.X)
        return tg.sqrt(self.isentropic_exponent(state) * R * state.T)

    def regions(self, state: State) -> Iterator[Any]:
        yield tg.region((state.T > 190.0) & (state.T < 647.0), "moist air is outside of 190 K to 647 K")
        steam = saturation_pressure(state.T) < 0.9 * state.p
        yield tg.region(steam, "the air boils: its saturation pressure is above 90 % of its pressure")

    def viscosity(self, state: State) -> Any:
        """That of dry air; vapour changes it by less than 2 % below 50 degC."""
        return dry_air().viscosity(state)

    def conductivity(self, state: State) -> Any:
        """That of dry air."""
        return dry_air().conductivity(state)


def _condensed(T: tg.Expression) -> Any:
    """Enthalpy of the fog: ice and liquid, with a straight line where it freezes."""
    t = T - T_ZERO
    melted = at_most(at_least(0.5 + 0.5 * t / FREEZING, 0.0), 1.0)
    return melted * C_LIQUID * t + (1.0 - melted) * (C_ICE * t - H_MELTING)
