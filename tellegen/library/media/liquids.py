"""Liquids: incompressible with constant properties or properties of temperature, and slightly compressible ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import tellegen as tg
from tellegen.library.media.interface import Medium, State

Polynomial = tuple[float, ...]
"""Coefficients by rising powers."""


@dataclass(frozen=True)
class ConstantLiquid(Medium):
    """An incompressible liquid of constant properties: u = c (T - T0), h = u + p/rho, s = c ln(T/T0)."""

    rho: float = 1000.0
    """Density, kg/m3."""
    c: float = 4184.0
    """Specific heat capacity, J/(kg.K)."""
    mu: float = 1e-3
    """Dynamic viscosity, Pa.s."""
    k: float = 0.6
    """Thermal conductivity, W/(m.K)."""
    a: float = 1500.0
    """Speed of sound, m/s; volumes do not know it, pipes with water hammer may."""
    T0: float = 273.15
    """Where u is zero, K."""

    compressible: ClassVar[bool] = False
    constant_density: ClassVar[bool] = True

    def enthalpy(self, p: tg.Expression, T: tg.Expression, X: Sequence[Any] = ()) -> Any:
        return self.c * (T - self.T0) + p / self.rho

    def temperature(self, p: tg.Expression, h: tg.Expression, X: Sequence[Any] = ()) -> Any:
        return self.T0 + (h - p / self.rho) / self.c

    def density(self, state: State) -> Any:
        return self.rho

    def internal_energy(self, state: State) -> Any:
        return self.c * (state.T - self.T0)

    def entropy(self, state: State) -> Any:
        return self.c * tg.log(state.T / self.T0)

    def cp(self, state: State) -> Any:
        return self.c

    def cv(self, state: State) -> Any:
        return self.c

    def viscosity(self, state: State) -> Any:
        return self.mu

    def conductivity(self, state: State) -> Any:
        return self.k

    def speed_of_sound(self, state: State) -> Any:
        return self.a


@dataclass(frozen=True)
class Water(ConstantLiquid):
    """Liquid water near room temperature, with constant properties."""

    rho: float = 995.586
    c: float = 4184.0
    mu: float = 1e-3
    k: float = 0.598
    a: float = 1484.0


@dataclass(frozen=True)
class LinearLiquid(Medium):
    """A slightly compressible liquid: v = 1/rho is linear in p and T, cp is constant.

    v = v0 (1 + beta (T - T0) - kappa (p - p0)), h = cp (T - T0) + v0 (1 - beta T0) (p - p0) - v0 kappa (p - p0)^2/2,
    s = cp ln(T/T0) - v0 beta (p - p0): all three from one free energy, so that cycles gain nothing.
    """

    rho0: float = 995.586
    """Density at p0 and T0, kg/m3."""
    c: float = 4184.0
    """Specific heat capacity at constant pressure, J/(kg.K)."""
    kappa: float = 4.5e-10
    """Isothermal compressibility, 1/Pa."""
    beta: float = 2.1e-4
    """Thermal expansion, 1/K."""
    mu: float = 1e-3
    k: float = 0.598
    p0: float = 101325.0
    T0: float = 293.15

    def enthalpy(self, p: tg.Expression, T: tg.Expression, X: Sequence[Any] = ()) -> Any:
        dp = p - self.p0
        return self.c * (T - self.T0) + dp / self.rho0 * (1.0 - self.beta * self.T0 - 0.5 * self.kappa * dp)

    def temperature(self, p: tg.Expression, h: tg.Expression, X: Sequence[Any] = ()) -> Any:
        return self.T0 + (h - self.enthalpy(p, self.T0)) / self.c

    def density(self, state: State) -> Any:
        return self.rho0 / (1.0 + self.beta * (state.T - self.T0) - self.kappa * (state.p - self.p0))

    def entropy(self, state: State) -> Any:
        return self.c * tg.log(state.T / self.T0) - self.beta / self.rho0 * (state.p - self.p0)

    def cp(self, state: State) -> Any:
        return self.c

    def cv(self, state: State) -> Any:
        return self.c - state.T * self.beta**2 / (self.rho0 * self.kappa)

    def viscosity(self, state: State) -> Any:
        return self.mu

    def conductivity(self, state: State) -> Any:
        return self.k

    def speed_of_sound(self, state: State) -> Any:
        slopes = self.density_derivatives(state)
        return tg.sqrt(self.cp(state) / (self.cv(state) * slopes[0]))

    def density_derivatives(self, state: State) -> tuple[Any, Any, tuple[Any, ...]]:
        square = self.density(state) ** 2 / self.rho0
        return square * self.kappa, -square * self.beta, ()


@dataclass(frozen=True)
class PolynomialLiquid(Medium):
    """An incompressible liquid whose properties are polynomials of the temperature above T0.

    rho, c and k by rising powers of T - T0; the logarithm of mu by rising powers of 1/T - 1/T0. u is the integral of c.
    A closed loop of it needs somewhere to expand: an open tank, or a boundary.
    """

    rho: Polynomial = (1000.0,)
    c: Polynomial = (4184.0,)
    log_mu: Polynomial = (math.log(1e-3),)
    k: Polynomial = (0.6,)
    T0: float = 273.15

    compressible: ClassVar[bool] = False

    @classmethod
    def from_table(cls, T: Sequence[float], degree: int = 2, **columns: Sequence[float]) -> PolynomialLiquid:
        """The liquid whose polynomials come nearest to tables of rho, c, mu and k over temperatures T (K)."""
        at = np.asarray(T)
        T0 = 273.15
        fitted = {
            name: tuple(np.polynomial.polynomial.polyfit(at - T0, columns[name], degree)) for name in ("rho", "c", "k")
        }
        thick = np.polynomial.polynomial.polyfit(1.0 / at - 1.0 / T0, np.log(columns["mu"]), degree)
        return cls(log_mu=tuple(map(float, thick)), **{n: tuple(map(float, v)) for n, v in fitted.items()}, T0=T0)

    def enthalpy(self, p: tg.Expression, T: tg.Expression, X: Sequence[Any] = ()) -> Any:
        state = State(p, T, None)
        return self.internal_energy(state) + p / self.density(state)

    def density(self, state: State) -> Any:
        return _value(self.rho, state.T - self.T0)

    def internal_energy(self, state: State) -> Any:
        above = state.T - self.T0
        return above * _value(tuple(c / (j + 1) for j, c in enumerate(self.c)), above)

    def entropy(self, state: State) -> Any:
        """The integral of c/T, written with powers of T: c = sum b_j T^j."""
        powers = np.polynomial.Polynomial(self.c)(np.polynomial.Polynomial((-self.T0, 1.0))).coef
        rest = sum(float(b) / j * (state.T**j - self.T0**j) for j, b in enumerate(powers) if j)
        return float(powers[0]) * tg.log(state.T / self.T0) + rest

    def cp(self, state: State) -> Any:
        return _value(self.c, state.T - self.T0)

    def cv(self, state: State) -> Any:
        return self.cp(state)

    def viscosity(self, state: State) -> Any:
        return tg.exp(_value(self.log_mu, 1.0 / state.T - 1.0 / self.T0))

    def conductivity(self, state: State) -> Any:
        return _value(self.k, state.T - self.T0)


def _value(coefficients: Polynomial, x: tg.Expression) -> Any:
    """A polynomial by Horner's rule."""
    total: Any = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        total = total * x + c
    return total


def glycol47() -> PolynomialLiquid:
    """Water with 47 % of ethylene glycol, a coolant for vehicles, -30 to 100 degC."""
    return PolynomialLiquid.from_table(
        T=[243.15, 253.15, 263.15, 273.15, 293.15, 313.15, 333.15, 353.15, 373.15],
        rho=[1066.0, 1062.0, 1058.0, 1054.0, 1044.0, 1030.0, 1015.0, 999.0, 984.0],
        c=[3450.0, 3490.0, 3520.0, 3560.0, 3620.0, 3690.0, 3760.0, 3820.0, 3890.0],
        mu=[0.160, 0.0743, 0.0317, 0.0190, 0.00626, 0.00299, 0.00162, 0.00110, 0.00081],
        k=[0.397, 0.396, 0.395, 0.395, 0.394, 0.393, 0.392, 0.391, 0.390],
    )
