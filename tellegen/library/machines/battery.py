"""Batteries: a voltage that depends on the state of charge, with a resistance and two slow RC branches."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical import OnePort
from tellegen.library.losses import Lossy
from tellegen.library.machines.interfaces import Statements


class Battery(Lossy, OnePort):
    """Ns cells in series, Np of such strings in parallel, all alike; the current i > 0 into p charges.

    For one cell, with the current ic = i/Np and the voltage v/Ns:

        Qnom dSOC/dt = ic
        v/Ns = OCV(SOC) + R0 ic + v1 + v2,        C1 dv1/dt = ic - v1/R1,        C2 dv2/dt = ic - v2/R2

    OCV is the curve through the points of SOC_table and OCV_table (by default about those of a lithium cell with
    an oxide of nickel, manganese and cobalt). With the heat port all resistances change with temperature by the factor
    exp(B (1/T - 1/T_ref)). What R0, R1 and R2 take becomes heat. A warning says when the battery is empty
    or overcharged.
    """

    SOC_table = tg.parameter(
        (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
        structural=True,
        description="states of charge of the points of OCV_table, rising",
    )
    OCV_table = tg.parameter(
        (3.0, 3.3, 3.45, 3.55, 3.61, 3.65, 3.7, 3.79, 3.89, 3.98, 4.08, 4.2),
        structural=True,
        description="open-circuit voltages of a cell (V)",
    )
    kind = tg.parameter("monotone", structural=True, description="how to interpolate, see tg.interpolate")
    Ns = tg.parameter(1.0, "1", "cells in series", min=1.0)
    Np = tg.parameter(1.0, "1", "strings in parallel", min=1.0)
    Qnom = tg.parameter("2.5 A.h", "C", "capacity of a cell", min=0.0)
    R0 = tg.parameter(0.02, "ohm", "resistance of a cell that acts at once", min=0.0)
    R1 = tg.parameter(0.01, "ohm", "resistance of its faster RC branch", min=0.0)
    C1 = tg.parameter(2e3, "F", "capacitance of that", min=0.0)
    R2 = tg.parameter(0.015, "ohm", "resistance of its slower RC branch", min=0.0)
    C2 = tg.parameter(4e4, "F", "capacitance of that", min=0.0)
    B = tg.parameter(0.0, "K", "how the resistances fall with temperature; typically 2000 to 4000 K")
    SOC = tg.variable("1", "state of charge, 1 when full", start=1.0)
    OCV = tg.variable("V", "open-circuit voltage of a cell")
    v1 = tg.variable("V", "voltage of the faster branch of a cell", start=0.0)
    v2 = tg.variable("V", "voltage of the slower branch of a cell", start=0.0)

    def warmth(self) -> Any:
        """Resistances over those at T_ref."""
        return tg.exp(self.B * (1.0 / self.temperature() - 1.0 / self.T_ref)) if self.use_heat_port else 1.0

    def losses(self) -> Any:
        warm = self.warmth()
        ic = self.i / self.Np
        cell = self.R0 * warm * ic**2 + (self.v1**2 / self.R1 + self.v2**2 / self.R2) / warm
        return self.Ns * self.Np * cell

    def equations(self) -> Statements:
        warm = self.warmth()
        ic = self.i / self.Np
        yield self.Qnom * tg.der(self.SOC) == ic
        yield self.OCV == tg.interpolate(self.SOC, self.SOC_table, self.OCV_table, kind=self.kind)
        yield self.v == self.Ns * (self.OCV + self.R0 * warm * ic + self.v1 + self.v2)
        yield self.C1 * tg.der(self.v1) == ic - self.v1 / (self.R1 * warm)
        yield self.C2 * tg.der(self.v2) == ic - self.v2 / (self.R2 * warm)
        yield tg.region(self.SOC > 0.0, "the battery is empty: its voltage is no longer that of the table")
        yield tg.region(self.SOC < 1.0 + 1e-6, "the battery is overcharged: its voltage is no longer that of the table")
