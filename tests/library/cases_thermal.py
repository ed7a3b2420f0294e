"""Power balance of thermal components, that is of heat flows. See test_power_balance.py for how to add a case."""

from __future__ import annotations

import tellegen as tg
from library.case import Case
from tellegen.library import thermal as th

CASES = [
    Case(th.HeatCapacitor(C=3.0), stored=lambda c: c.C * c.T),
    Case(th.ThermalConductor(G=3.0)),
    Case(th.ThermalResistor(R=0.3)),
    Case(th.BodyRadiation(Gr=0.7)),
    Case(th.FixedTemperature(T=310.0), supplied=lambda c: -c.port.Q_flow),
    Case(th.PrescribedTemperature(), supplied=lambda c: -c.port.Q_flow, drive={"T": lambda t: 290.0 + 20.0 * t}),
    Case(th.FixedHeatFlow(Q_flow=15.0), supplied=lambda c: c.Q_flow),
    Case(th.FixedHeatFlow(Q_flow=15.0, alpha=0.02), supplied=lambda c: -c.port.Q_flow),
    Case(th.PrescribedHeatFlow(alpha=0.01), supplied=lambda c: -c.port.Q_flow, drive={"Q_flow": lambda t: 9.0 * t}),
    Case(th.MeltingCapacitor(C_solid=2.0, C_liquid=3.0, H_melt=8.0, T_melt=295.0), stored=lambda c: c.H),
    Case(th.Convection(), drive={"Gc": lambda t: 2.0 * (1.0 + 0.5 * tg.sin(3.0 * t))}),
    Case(th.ConvectiveResistor(), drive={"Rc": lambda t: 0.5 * (1.0 + 0.6 * tg.sin(3.0 * t))}),
    Case(th.GeneralHeatFlow(Q_nominal=90.0, dT_nominal=20.0)),
    Case(th.ForcedConvectionPlate(L=0.4), drive={"v": lambda t: 30.0 * tg.sin(2.0 * t)}),
    Case(th.ForcedConvectionPipe(L=0.02), drive={"v": lambda t: 4.0 * t}),
    Case(th.ForcedConvectionPipe(L=0.02, correlation="dittus_boelter"), drive={"v": 20.0}),
    Case(th.FreeConvectionVerticalPlate(L=0.3, A=0.5)),
    Case(th.ThermalCollector(m=3)),
    Case(
        th.Rod(n=4, L=0.2, k=5.0, rho=10.0, c=20.0, use_surface=True, h=4.0, perimeter=0.3),
        stored=lambda c: c.rho * c.c * c.A * c.L / c.n * tg.sum(c.T),
    ),
    Case(
        th.Wall(thickness=[0.1, 0.05], k=[2.0, 1.0], rho=[5.0, 8.0], c=[20.0, 30.0], A=2.0, n=3),
        stored=lambda c: 2.0 * (10.0 * tg.sum(c.layer[0].T) + 12.0 * tg.sum(c.layer[1].T)) / 3.0,
    ),
    Case(th.HeatFlowSensor()),
    Case(th.RelTemperatureSensor(), idle=True),
    Case(th.TemperatureSensor(), idle=True),
]

BASE = "a base without a law of its own; the components made of it have cases"
EXEMPT = {th.Element1D: BASE, th.SolidToFluid: BASE, th.Correlation: BASE}
