"""Battery cells: an open-circuit voltage that depends on the charge, and a resistance."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library.electrical.interfaces import Statements


class BatteryCellInterface(tg.Interface):
    """A cell of a capacity between two pins; a current into p charges it. It begins full."""

    p = el.Pin("positive pin")
    n = el.Pin("negative pin")
    Qnom = tg.parameter("2.5 A.h", "C", "capacity", min=0.0, semantics="capacity")
    R0 = tg.parameter(0.0, "ohm", "internal resistance", min=0.0, semantics="internal_resistance")
    V_empty = tg.parameter(3.0, "V", "open-circuit voltage when empty", min=0.0, semantics="voltage_empty")
    V_full = tg.parameter(4.2, "V", "open-circuit voltage when full", min=0.0, semantics="voltage_full")
    SOC_table = tg.parameter(
        (0.0, 1.0), structural=True, description="states of charge of the points of OCV_table, rising"
    )
    OCV_table = tg.parameter((3.0, 4.2), structural=True, description="open-circuit voltages at these points (V)")
    SOC = tg.variable("1", "state of charge, 1 when full", start=1.0, fixed=True)
    OCV = tg.variable("V", "open-circuit voltage")
    semantics = tg.Semantics(limits={"current_max": "p.i", "voltage_min": "p.v - n.v", "voltage_max": "p.v - n.v"})


class LinearCell(tg.Component, implements=BatteryCellInterface, name="linear", default=True, tags={"cost": 1}):
    """The open-circuit voltage is linear between empty and full: v = OCV(SOC) + R0 i, Qnom dSOC/dt = i."""

    def voltage(self) -> Any:
        """The open-circuit voltage."""
        return self.V_empty + (self.V_full - self.V_empty) * self.SOC

    def equations(self) -> Statements:
        yield self.p.i + self.n.i == 0
        yield self.Qnom * tg.der(self.SOC) == self.p.i
        yield self.OCV == self.voltage()
        yield self.p.v - self.n.v == self.OCV + self.R0 * self.p.i


class TableCell(tg.Component, implements=BatteryCellInterface, name="table", tags={"cost": 2}):
    """The open-circuit voltage is the characteristic through OCV_table: v = OCV(SOC) + R0 i, Qnom dSOC/dt = i."""

    def equations(self) -> Statements:
        yield self.p.i + self.n.i == 0
        yield self.Qnom * tg.der(self.SOC) == self.p.i
        yield self.OCV == tg.interpolate(self.SOC, self.SOC_table, self.OCV_table, kind="monotone")
        yield self.p.v - self.n.v == self.OCV + self.R0 * self.p.i
        yield tg.region(self.SOC > 0.0, "the cell is empty: its voltage is no longer that of the table")
        yield tg.region(self.SOC < 1.0 + 1e-6, "the cell is overcharged: its voltage is no longer that of the table")
