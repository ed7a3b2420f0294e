"""The gas of pneumatic components: ideal, with constant heat capacities; air by default.

A model has one gas, a part named `gas`, which every pneumatic component around it finds by itself:

    gas = pneumatic.Gas()
    gas = pneumatic.Gas(R=2077.0, kappa=1.667)      helium
"""

from __future__ import annotations

import tellegen as tg


class Gas(tg.Component):
    """Ideal gas, by default dry air: p = rho R T, cp = kappa R/(kappa - 1), cv = R/(kappa - 1).

    Enthalpy is h = cp T and internal energy u = cv T. rho_ref is the density at the reference conditions of ISO 8778,
    100 kPa and 20 degC (with 65 % humidity, therefore 1.185 kg/m3): sonic conductances refer to such air.
    """

    R = tg.parameter(287.05, "J/(kg.K)", "gas constant", min=1e-300)
    kappa = tg.parameter(1.4, "1", "ratio of heat capacities", min=1.000001)
    mu = tg.parameter(1.82e-5, "Pa.s", "dynamic viscosity", min=0.0)
    p_ambient = tg.parameter(101325.0, "Pa", "pressure of the surroundings, absolute", min=1e-300)
    T_ambient = tg.parameter(293.15, "K", "temperature of the surroundings", min=1e-300)
    rho_ref = tg.parameter(1.185, "kg/m3", "density at the reference conditions of ISO 8778", min=1e-300)
    T_ref = tg.parameter(293.15, "K", "temperature of the reference conditions", min=1e-300)
    cp = tg.parameter(kappa * R / (kappa - 1.0), "J/(kg.K)", "heat capacity at constant pressure")
    cv = tg.parameter(R / (kappa - 1.0), "J/(kg.K)", "heat capacity at constant volume")
    b = tg.parameter((2.0 / (kappa + 1.0)) ** (kappa / (kappa - 1.0)), "1", "critical pressure ratio, 0.528 for air")
