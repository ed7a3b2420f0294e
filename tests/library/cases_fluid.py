"""Power balance of fluid components: ports carry the enthalpy flow m_flow h. See test_power_balance.py for cases.

The drives are reservoirs behind conductances whose pressures swing out of tune, so that the flow turns round in every
port. Compressible cases run with a liquid of 1/1000 of the stiffness of water.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import fluid as fl
from tellegen.library import media
from tellegen.testing import TorqueDrive

SOFT = media.LinearLiquid(kappa=4.5e-7, beta=2e-4)
OIL = media.ConstantLiquid(rho=870.0, c=1900.0, mu=0.03, k=0.13)


def gone(c: Any) -> Any:
    """Sources: what leaves through the port is what they supply."""
    return -fl.enthalpy_flow(c.port)


CASES = [
    Case(fl.FixedBoundary(p=1.4e5, T=300.0), supplied=gone),
    Case(fl.Boundary_pT(), supplied=gone, drive={"p": lambda t: 1.4e5 + 1e4 * t, "T": lambda t: 300.0 + 5.0 * t}),
    Case(fl.Boundary_ph(), supplied=gone, drive={"p": lambda t: 1.4e5 + 1e4 * t, "h": lambda t: 1e5 + 1e4 * t}),
    Case(fl.MassFlowSource_T(), supplied=gone, drive={"m_flow": lambda t: 0.9 * tg.sin(3.0 * t), "T": 320.0}),
    Case(fl.MassFlowSource_h(), supplied=gone, drive={"m_flow": lambda t: 0.9 * tg.sin(3.0 * t), "h": 2e5}),
    Case(fl.ClosedVolume(V=2e-3, medium=SOFT, use_heat_port=True), stored=lambda c: c.U, reversible=True),
    Case(fl.ClosedVolume(V=2e-3, medium=SOFT, storage="intensive"), stored=lambda c: c.U, reversible=True),
    Case(fl.ClosedVolume(V=2e-3, n_ports=3), stored=lambda c: c.U, reversible=True),
    Case(fl.JunctionVolume(V=1e-3, medium=SOFT), stored=lambda c: c.U, reversible=True),
    Case(
        fl.OpenTank(A=0.02, n_ports=2, level_start=2.0, port_area=[1e-3, 2e-3], use_heat_port=True),
        stored=lambda c: c.U + 0.5 * c.M * c.g * c.level,
        reversible=True,
    ),
    Case(fl.StaticPipe(length=20.0)),
    Case(fl.StaticPipe(length=20.0, height_ab=3.0, n_parallel=3.0), supplied=lambda c: -c.g * c.height_ab * c.m_flow),
    Case(fl.DynamicPipe(n=4, length=3.0, medium=SOFT), stored=lambda c: tg.sum(c.U)),
    Case(
        fl.DynamicPipe(n=3, length=3.0, medium=SOFT, momentum="dynamic", use_heat_transfer=True, alpha=500.0),
        stored=lambda c: tg.sum(c.U),
        reversible=True,
    ),
    Case(
        fl.DynamicPipe(n=3, length=3.0, use_heat_transfer=True, heat_transfer="correlation", height_ab=2.0),
        stored=lambda c: tg.sum(c.U),
        supplied=lambda c: -c.g * c.height_ab * c.m_flow[0],
        reversible=True,
    ),
    Case(fl.ValveLinear(m_flow_nominal=0.3), drive={"opening": lambda t: 0.5 + 0.4 * tg.sin(5.0 * t)}),
    Case(fl.ValveDiscrete(m_flow_nominal=0.3, opening_min=0.1), drive={"open": lambda t: 0.5 + tg.sin(7.0 * t)}),
    Case(
        fl.ValveDiscreteRamp(m_flow_nominal=0.3, T_open=0.3, T_close=0.1),
        drive={"open": lambda t: 0.5 + tg.sin(7.0 * t)},
    ),
    Case(fl.ValveIncompressible(Av=4e-5, medium=OIL, characteristic="equal_percentage")),
    Case(fl.ValveCompressible(Av=4e-5, medium=SOFT, characteristic="quadratic")),
    Case(fl.SimpleGenericOrifice(zeta=30.0)),
    Case(fl.SharpEdgedOrifice(diameter=0.008)),
    Case(fl.AbruptAdaptor(medium=OIL)),
    Case(fl.Junction(n_ports=4)),
    Case(fl.PrescribedPump(), supplied=lambda c: c.W, drive={"N": lambda t: 900.0 * tg.sin(2.0 * t)}),
    Case(fl.Fan(), supplied=lambda c: c.W, drive={"N": lambda t: 1500.0 * t}),
    Case(fl.ControlledPump(), supplied=lambda c: c.W, drive={"m_flow_set": lambda t: 0.4 * tg.sin(3.0 * t)}),
    Case(fl.Pump(medium=SOFT), stored=lambda c: c.U, drive={"flange": TorqueDrive(offset=2.0)}, reversible=True),
    Case(fl.WallPiece(C=5.0), stored=lambda c: c.C * c.T),
    *(Case(fl.HeatExchangerNTU(medium_2=OIL, arrangement=how)) for how in ("counter", "co", "cross", "cross_mixed")),
    Case(
        fl.DynamicHeatExchanger(n=3, medium_1=SOFT, medium_2=OIL),
        stored=lambda c: tg.sum(c.pipe_1.U) + tg.sum(c.pipe_2.U) + c.C_wall / c.n * tg.sum(c.wall.T),
    ),
    *(
        Case(sensor(), idle=True)
        for sensor in (fl.Pressure, fl.Temperature, fl.Density, fl.SpecificEnthalpy, fl.SpecificEntropy)
    ),
    Case(fl.MassFractions(), idle=True),
    Case(fl.RelativePressure(), idle=True),
    *(
        Case(sensor())
        for sensor in (
            fl.MassFlowRate,
            fl.VolumeFlowRate,
            fl.TemperatureTwoPort,
            fl.SpecificEnthalpyTwoPort,
            fl.DensityTwoPort,
            fl.SpecificEntropyTwoPort,
            fl.MassFractionsTwoPort,
        )
    ),
]

BASE = "a base without a law of its own; the components made of it have cases"
EXEMPT = {fl.PartialThrottle: BASE, fl.PartialTwoPort: BASE}
