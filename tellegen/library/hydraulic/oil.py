"""Hydraulic liquids: density, compressibility and viscosity by a few numbers, with entrained air as an option.

A model has one liquid, a part named `oil`, which every hydraulic component around it finds by itself:

    oil = hydraulic.Oil(T="50 degC", air=0.01)

The liquid stays at its temperature T. Then everything follows from one law, the volume of a given mass at the absolute
pressure p over its volume at p_ambient,

    v(p) = (1 - air) exp(-(p - p_ambient)/K) + air (p_ambient/p)^(1/n)

the liquid with the bulk modulus K, and bubbles that fill the part `air` of the volume at p_ambient and are compressed
polytropically. Density, effective bulk modulus and energy are this law, its derivative and its integral, so that a
chamber neither gains nor loses mass or energy, whatever the pressure:

    rho = rho0/v          K_eff = rho dp/drho = -v/(dv/dp)          h = integral of dp/rho from p_ambient to p

h is the energy that a kilogram of oil can deliver on its way to p_ambient; m_flow h is the power of an oil flow. For
oil that is hardly compressed it is (p - p_ambient)/rho, and the power the product of pressure and volume flow.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg

_LEAST = 1e-6
"""Pressures over p_ambient below which bubbles do not grow on: a million times their size."""


class Liquid(tg.Component):
    """Base of hydraulic liquids of constant temperature: rho = rho0/v(p) with v as above; subclasses know viscosities.

    Density rho0 = rho_15/(1 + beta (T - 15 degC)) at p_ambient. With entrained air, `air` is the part of the volume
    that bubbles fill at p_ambient, 0.002 to 0.02 in practice; it also keeps the absolute pressure above zero where a
    pump or a cylinder draws more than there is (cavitation).
    """

    T = tg.parameter("40 degC", "K", "temperature", min=200.0)
    rho_15 = tg.parameter(875.0, "kg/m3", "density at 15 degC and p_ambient", min=1e-300)
    beta = tg.parameter(7e-4, "1/K", "thermal expansion")
    K = tg.parameter(1.6e9, "Pa", "bulk modulus of the liquid without air", min=1e-300)
    air = tg.parameter(0.0, "1", "volume of undissolved air over the whole, at p_ambient", min=0.0, max=0.5)
    n = tg.parameter(1.4, "1", "polytropic exponent of the bubbles: 1 isothermal, 1.4 adiabatic", min=1.0)
    p_ambient = tg.parameter(101325.0, "Pa", "pressure of the surroundings, absolute", min=1e-300)
    T_15 = tg.parameter("15 degC", "K", "temperature of rho_15")
    rho0 = tg.parameter(rho_15 / (1.0 + beta * (T - T_15)), "kg/m3", "density at T and p_ambient")
    nu = tg.parameter(46e-6, "m2/s", "kinematic viscosity at T", min=0.0)

    def swelling(self, p: tg.Expression) -> Any:
        """v(p), the volume at the pressure p over that at p_ambient."""
        return self._liquid(p) + self.air * self._bubbles(p)

    def rho(self, p: tg.Expression) -> Any:
        """Density of the mixture."""
        return self.rho0 / self.swelling(p)

    def bulk_modulus(self, p: tg.Expression) -> Any:
        """K_eff = -v/(dv/dp) of the mixture."""
        bubbles = (1.0 - self._bend()) * self._bubbles(p) / (self.p_ambient * self._ratio(p))
        slope = self._liquid(p) / self.K + self.air * bubbles
        return self.swelling(p) / slope

    def h(self, p: tg.Expression) -> Any:
        """Energy that a kilogram delivers on its way to p_ambient; the enthalpy of a liquid of constant temperature."""
        gas = (self._ratio(p) * self._bubbles(p) - 1.0) / self._bend()
        liquid = self.K * (1.0 - self.air - self._liquid(p))
        return (liquid + self.air * self.p_ambient * gas) / self.rho0

    def e(self, p: tg.Expression) -> Any:
        """Energy stored in a kilogram, h less the work p/rho of pushing it."""
        return self.h(p) - p / self.rho(p)

    def _liquid(self, p: tg.Expression) -> Any:
        return (1.0 - self.air) * tg.exp(-(p - self.p_ambient) / self.K)

    def _bubbles(self, p: tg.Expression) -> Any:
        return self._ratio(p) ** (self._bend() - 1.0)

    def _ratio(self, p: tg.Expression) -> Any:
        return tg.maximum(p / self.p_ambient, _LEAST)

    def _bend(self) -> Any:
        """1 - 1/n, a little above zero: then the integral over isothermal bubbles is the same formula as all others."""
        return tg.maximum(1.0 - 1.0 / self.n, 1e-6)


class Oil(Liquid):
    """Mineral oil, by default ISO VG 46 at 40 degC without air: rho = rho0/v(p), viscosity by Walther's equation.

    ln ln(nu/cSt + 0.7) = a - b ln T (ASTM D341) goes through nu_40 at 40 degC and nu_100 at 100 degC, and
    rho0 = rho_15/(1 + beta (T - 15 degC)). `air` is the part of the volume that bubbles fill at p_ambient.
    """

    nu_40 = tg.parameter(46e-6, "m2/s", "kinematic viscosity at 40 degC", min=0.4e-6)
    nu_100 = tg.parameter(6.8e-6, "m2/s", "kinematic viscosity at 100 degC", min=0.4e-6)
    T_40 = tg.parameter("40 degC", "K", "temperature of nu_40")
    T_100 = tg.parameter("100 degC", "K", "temperature of nu_100")
    cSt = tg.parameter(1e-6, "m2/s", "the unit of Walther's equation")
    walther_40 = tg.parameter(tg.log(tg.log(nu_40 / cSt + 0.7)), "1", "Walther's double logarithm at 40 degC")
    walther_100 = tg.parameter(tg.log(tg.log(nu_100 / cSt + 0.7)), "1", "the same at 100 degC")
    walther = tg.parameter(
        walther_40 + (walther_100 - walther_40) * tg.log(Liquid.T / T_40) / tg.log(T_100 / T_40), "1", "the same at T"
    )
    nu = tg.parameter(cSt * (tg.exp(tg.exp(walther)) - 0.7), "m2/s", "kinematic viscosity at T", min=0.0)


class Water(Liquid):
    """Water as the liquid of hydraulic components: rho = rho0/v(p), 998 kg/m3 and 1 mm2/s at 20 degC, K = 2.19 GPa.

    rho0 nu = mu_0 10^(T_1/(T - T_0)), good to 2 % between 0 and 100 degC; density to 0.5 % between 5 and 50 degC.
    """

    T = tg.parameter("20 degC", "K", "temperature", min=200.0)
    rho_15 = tg.parameter(999.1, "kg/m3", "density at 15 degC and p_ambient", min=1e-300)
    beta = tg.parameter(2.1e-4, "1/K", "thermal expansion")
    K = tg.parameter(2.19e9, "Pa", "bulk modulus of the liquid without air", min=1e-300)
    mu_0 = tg.parameter(2.414e-5, "Pa.s", "dynamic viscosity of the formula, at infinite temperature")
    T_0 = tg.parameter(140.0, "K", "temperature of the formula, where viscosity becomes infinite")
    T_1 = tg.parameter(247.8, "K", "temperature of the formula, how steeply it falls")
    nu = tg.parameter(
        mu_0 * tg.exp(2.302585092994046 * T_1 / (T - T_0)) / Liquid.rho0, "m2/s", "kinematic viscosity at T", min=0.0
    )
