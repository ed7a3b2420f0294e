"""Power balance of thermal components, that is of heat flows. See test_power_balance.py for how to add a case."""

from __future__ import annotations

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
    Case(th.TemperatureSensor(), idle=True),
]

EXEMPT = {th.Element1D: "a base without a law of its own; the components made of it have cases"}
