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


class SuperCap(Lossy, OnePort):
    """A supercapacitor: v = Rs (1 + alpha (T - T_ref)) i + vc, C dvc/dt = i - Idis vc/Vnom.

    Idis is the current of its self-discharge at the voltage Vnom. What Rs and the self-discharge take becomes heat.
    """

    C = tg.parameter(100.0, "F", "capacitance", min=1e-300)
    Vnom = tg.parameter(2.7, "V", "rated voltage", min=1e-300)
    Rs = tg.parameter(1e-2, "ohm", "series resistance at T_ref", min=0.0)
    alpha = tg.parameter(0.0, "1/K", "relative change of Rs with temperature; needs the heat port")
    Idis = tg.parameter(0.0, "A", "self-discharge at the rated voltage", min=0.0)
    vc = tg.variable("V", "voltage of the capacitance", start=Vnom)
    SOC = tg.variable("1", "state of charge, vc/Vnom")

    def resistance(self) -> Any:
        return self.Rs * (1.0 + self.alpha * (self.temperature() - self.T_ref))

    def losses(self) -> Any:
        return self.resistance() * self.i**2 + self.Idis / self.Vnom * self.vc**2

    def equations(self) -> Statements:
        yield self.v == self.resistance() * self.i + self.vc
        yield self.C * tg.der(self.vc) == self.i - self.Idis / self.Vnom * self.vc
        yield self.SOC == self.vc / self.Vnom


class CCCVcharger(OnePort):
    """Charges with the current I until the voltage is Vend, and holds that then: i = -I, or v = Vend.

    A parameter s runs along the characteristic: the voltage that is missing, or below zero the current that is less
    than I. The current rises from start_time on in ramp_time. A load that draws the voltage down gets the current
    again.
    """

    I = tg.parameter(1.0, "A", "charging current", min=0.0)  # noqa: E741
    Vend = tg.parameter(4.2, "V", "voltage at the end of charge")
    start_time = tg.parameter(0.0, "s", "begin of charging")
    ramp_time = tg.parameter(60.0, "s", "duration of the rise of the current", min=1e-300)
    s = tg.variable(description="missing voltage if positive, missing current if negative", start=1.0)
    constant_voltage = tg.boolean("the voltage is held")

    def equations(self) -> Statements:
        ramp = tg.minimum(tg.maximum((tg.time - self.start_time) / self.ramp_time, 0.0), 1.0)
        yield self.constant_voltage == (self.s < 0.0)
        yield self.v == self.Vend - tg.where(self.constant_voltage, 0.0, self.s)
        yield self.i == -(self.I * ramp + tg.where(self.constant_voltage, self.s, 0.0))
