"""Digital circuits in the nine values of IEEE 1164: gates, delays, registers, tristate outputs, memories, converters.

Signals are `U X 0 1 Z W L H -`; results hold their numbers 0 to 8. For example, a half adder:

    import tellegen as tg
    from tellegen.library import digital as dg

    class HalfAdder(tg.Component):
        a = dg.Table(x="1010", t=[1.0, 2.0, 3.0, 4.0], y0="0")
        b = dg.Table(x="10", t=[2.0, 4.0], y0="0")
        sum_ = dg.XorGate(tLH=0.3, tHL=0.3)
        carry = dg.AndGate(tLH=0.3, tHL=0.3)

        def connections(self):
            yield self.a.y, self.sum_.x[0], self.carry.x[0]
            yield self.b.y, self.sum_.x[1], self.carry.x[1]

    tg.simulate(HalfAdder(), stop=5.0).plot("sum_.y", "carry.y")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.digital.converters import (
    BooleanToLogic,
    LogicToBoolean,
    LogicToReal,
    LogicToUX01,
    LogicToX01,
    LogicToX01Z,
    RealToLogic,
)
from tellegen.library.digital.delays import (
    InertialDelay,
    InertialDelaySensitive,
    InertialDelaySensitiveVector,
    TransportDelay,
)
from tellegen.library.digital.gates import (
    And,
    AndGate,
    BufGate,
    InvGate,
    Nand,
    NandGate,
    Nor,
    NorGate,
    Not,
    Or,
    OrGate,
    Xnor,
    XnorGate,
    Xor,
    XorGate,
)
from tellegen.library.digital.logic import STRENGTHS, VALUES, logic_input, logic_output, logic_variable
from tellegen.library.digital.memories import DLATRAM, DLATROM
from tellegen.library.digital.registers import (
    DFFR,
    DFFREG,
    DFFREGL,
    DFFREGSRH,
    DFFREGSRL,
    DFFSR,
    DLATR,
    DLATREG,
    DLATREGL,
    DLATREGSRH,
    DLATREGSRL,
    DLATSR,
)
from tellegen.library.digital.sources import DigitalClock, Pulse, Set, Step, Table
from tellegen.library.digital.tristates import (
    BUF3S,
    BUF3SL,
    INV3S,
    INV3SL,
    NRXFERGATE,
    NXFERGATE,
    PRXFERGATE,
    PXFERGATE,
    MUX2x1,
    WiredX,
)

__all__ = [
    "BUF3S",
    "BUF3SL",
    "DFFR",
    "DFFREG",
    "DFFREGL",
    "DFFREGSRH",
    "DFFREGSRL",
    "DFFSR",
    "DLATR",
    "DLATRAM",
    "DLATREG",
    "DLATREGL",
    "DLATREGSRH",
    "DLATREGSRL",
    "DLATROM",
    "DLATSR",
    "INV3S",
    "INV3SL",
    "NRXFERGATE",
    "NXFERGATE",
    "PRXFERGATE",
    "PXFERGATE",
    "STRENGTHS",
    "VALUES",
    "And",
    "AndGate",
    "BooleanToLogic",
    "BufGate",
    "DigitalClock",
    "InertialDelay",
    "InertialDelaySensitive",
    "InertialDelaySensitiveVector",
    "InvGate",
    "LogicToBoolean",
    "LogicToReal",
    "LogicToUX01",
    "LogicToX01",
    "LogicToX01Z",
    "MUX2x1",
    "Nand",
    "NandGate",
    "Nor",
    "NorGate",
    "Not",
    "Or",
    "OrGate",
    "Pulse",
    "RealToLogic",
    "Set",
    "Step",
    "Table",
    "TransportDelay",
    "WiredX",
    "Xnor",
    "XnorGate",
    "Xor",
    "XorGate",
    "logic_input",
    "logic_output",
    "logic_variable",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
