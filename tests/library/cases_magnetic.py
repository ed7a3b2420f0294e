"""Power balance of magnetic components: the power through a port is V_m dPhi/dt. See test_power_balance.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import cumulative_simpson

import tellegen as tg
from library.case import Case
from tellegen.library import magnetic as mg
from tellegen.testing import ForceDrive, MagneticDrive

BASE = "a base without a law of its own; the components made of it have cases"


def by_permeance(c: Any) -> Any:
    return c.Phi**2 / (2.0 * c.G_m)


def linear(c: Any) -> Any:
    """Of a tube with constant permeability."""
    return c.Phi * c.V_m / 2.0


def saturating(c: Any) -> Any:
    """Volume times the integral of H dB, which has no closed form: on a fine grid, for M350_50A."""
    mu_i, B_max, c_a, c_b, n = mg.SOFT["M350_50A"]
    b = np.linspace(0.0, 3.0, 30001)
    mu = 1.0 + (mu_i - 1.0 + c_a * b / B_max) / (1.0 + c_b * b / B_max + (b / B_max) ** n)
    density = cumulative_simpson(b / (mg.MU_0 * mu), x=b, initial=0.0)
    volume = c.area() ** 2 / c.shape()
    return 1.0 * volume * tg.interpolate(1.0 * abs(c.B), b, density, kind="cubic") / 1.0


def pushed() -> dict[str, Any]:
    """An armature on a heavy mass, so that the gap stays open and the overlap stays an overlap."""
    return {"flange": ForceDrive(F=0.5, m=2.0, d=5.0)}


def strong() -> dict[str, Any]:
    """Into saturation."""
    return {"port_p": MagneticDrive(V=600.0), "port_n": MagneticDrive(V=300.0, f=1.4)}


CASES = [
    Case(mg.Ground(), idle=True),
    Case(mg.ConstantReluctance(R_m=2e6), stored=lambda c: c.R_m * c.Phi**2 / 2.0),
    Case(mg.ConstantPermeance(G_m=3e-6), stored=lambda c: c.G_m * c.V_m**2 / 2.0),
    Case(
        mg.VariableReluctance(),
        stored=lambda c: c.R_m * c.Phi**2 / 2.0,
        supplied=lambda c: c.Phi**2 / 2.0 * tg.der(c.R_m),
        drive={"R_m": lambda t: 1e6 * (2.0 + tg.sin(3.0 * t))},
    ),
    Case(
        mg.VariablePermeance(),
        stored=lambda c: c.G_m * c.V_m**2 / 2.0,
        supplied=lambda c: -(c.V_m**2) / 2.0 * tg.der(c.G_m),
        drive={"G_m": lambda t: 1e-6 * (2.0 + tg.sin(3.0 * t))},
    ),
    Case(
        mg.LeakageWithCoefficient(c_useful=0.6),
        stored=by_permeance,
        supplied=lambda c: -(c.V_m**2) / 2.0 * tg.der(c.G_m),
        drive={"R_m_useful": lambda t: 1e6 * (2.0 + tg.sin(3.0 * t))},
    ),
    Case(mg.Short()),
    Case(mg.Idle(), idle=True),
    Case(mg.ElectroMagneticConverter(N=30.0)),
    Case(
        mg.ElectroMagneticConverterWithLeakageInductance(N=30.0, mu_rel=800.0),
        stored=lambda c: c.stray_permeance() * c.V_m**2 / 2.0,
    ),
    Case(mg.EddyCurrent(l=0.1, A=1e-4)),
    Case(mg.GenericFluxTube(l=0.2, A=3e-4, mu_r=900.0), stored=linear),
    Case(mg.Cuboid(l=0.2, a=0.02, b=0.015, mu_r=900.0), stored=linear),
    Case(mg.Cuboid(l=0.2, a=0.01, b=0.005, **mg.soft("M350_50A")), stored=saturating, drive=strong()),
    Case(mg.HollowCylinderAxialFlux(l=0.1, r_i=0.004, mu_r=900.0), stored=linear),
    Case(mg.HollowCylinderRadialFlux(l=0.03, mu_r=900.0), stored=linear),
    Case(mg.HollowCylinderRadialFlux(l=0.003, **mg.soft("M350_50A")), stored=saturating, drive=strong()),
    Case(mg.HollowCylinderCircumferentialFlux(mu_r=900.0), stored=linear),
    Case(mg.Toroid(r=0.03, mu_r=900.0, alpha=5.0), stored=linear),
    Case(mg.PermanentMagnet(**mg.hard("Sm2Co17")), stored=lambda c: mg.MU_0 * c.mu_r * c.H**2 * c.A * c.l / 2.0),
    Case(
        mg.HysteresisFluxTube(l=0.2, eddy_currents=True, sigma=5e6, d=2e-3),
        stored=lambda c: mg.MU_0 * c.H**2 * c.A * c.l / 2.0,
        reversible=True,
        drive=strong(),
    ),
    Case(mg.AxialGap(A=0.02, l_0=0.05), stored=by_permeance, drive=pushed()),
    Case(mg.AxialGap(A=0.02, l_0=0.05, dl_ds=-1, use_support=True), stored=by_permeance, drive=pushed()),
    Case(mg.CuboidParallelFlux(a=0.3, b=0.1, l_0=0.05), stored=by_permeance, drive=pushed()),
    Case(mg.CylinderAxialFlux(r_i=0.03, r_o=0.1, l_0=0.05), stored=by_permeance, drive=pushed()),
    Case(mg.CuboidOrthogonalFlux(b=1e-3, l_0=0.5), stored=by_permeance, drive=pushed()),
    Case(mg.CylinderRadialFlux(r_o=0.0105, l_0=0.5, dl_ds=-1), stored=by_permeance, drive=pushed()),
    Case(mg.LeakageAroundPoles(l_0=0.05, r=0.1), stored=by_permeance, drive=pushed()),
    Case(mg.HalfCylinder(), stored=by_permeance),
    Case(mg.QuarterCylinder(), stored=by_permeance),
    Case(mg.HalfHollowCylinder(ratio=0.7), stored=by_permeance),
    Case(mg.QuarterHollowCylinder(ratio=0.7), stored=by_permeance),
    Case(mg.EighthOfSphere(r=0.3), stored=by_permeance),
    Case(mg.QuarterSphere(r=0.5), stored=by_permeance),
    Case(mg.EighthOfHollowSphere(t=0.3), stored=by_permeance),
    Case(mg.QuarterHollowSphere(t=0.3), stored=by_permeance),
    Case(mg.CoaxCylindersEndFaces(r_0=0.3, r_1=0.4, r_2=0.6), stored=by_permeance),
    Case(mg.ConstantMagneticPotentialDifference(V_m_constant=70.0), supplied=lambda c: -c.V_m * tg.der(c.Phi)),
    Case(
        mg.SignalMagneticPotentialDifference(),
        supplied=lambda c: -c.V_m_set * tg.der(c.Phi),
        drive={"V_m_set": lambda t: 70.0 * tg.sin(5.0 * t)},
    ),
    Case(mg.ConstantMagneticFlux(), idle=True),
    Case(
        mg.SignalMagneticFlux(),
        supplied=lambda c: -c.V_m * tg.der(c.Phi_set),
        drive={"Phi_set": lambda t: 1e-4 * tg.sin(5.0 * t)},
    ),
    Case(mg.MagneticPotentialDifferenceSensor(), idle=True),
    Case(mg.MagneticFluxSensor()),
]

EXEMPT = dict.fromkeys((mg.FixedShape, mg.Gap, mg.HollowCylinder, mg.Permeance, mg.TwoPort), BASE)
