"""Operational amplifiers."""

from __future__ import annotations

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library.electrical.interfaces import Statements


class OpAmpInterface(tg.Interface):
    """An operational amplifier; the output is against ground, the supply is not shown."""

    in_p = el.Pin("non-inverting input")
    in_n = el.Pin("inverting input")
    out = el.Pin("output")
    A0 = tg.parameter(2e5, "1", "gain of slow signals", min=1.0, semantics="open_loop_gain")
    GBW = tg.parameter(1e6, "Hz", "gain-bandwidth product", min=0.0, semantics="gain_bandwidth_product")
    SR = tg.parameter(5e5, "V/s", "slew rate", min=0.0, semantics="slew_rate")
    V_max = tg.parameter(12.0, "V", "largest output voltage of either sign", min=0.0, semantics="output_swing")
    semantics = tg.Semantics(limits={"current_max": "out.i"})


class PerfectOpAmp(tg.Component, implements=OpAmpInterface, name="ideal", tags={"cost": 1}):
    """in_p.v = in_n.v and no currents into the inputs. Needs feedback."""

    amplifier = el.IdealOpAmp3Pin()

    def connections(self) -> Statements:
        yield self.in_p, self.amplifier.in_p
        yield self.in_n, self.amplifier.in_n
        yield self.out, self.amplifier.out


class DynamicOpAmp(tg.Component, implements=OpAmpInterface, name="macromodel", default=True, tags={"cost": 2}):
    """Finite gain, bandwidth, slew rate and output swing: dv/dt = SR tanh(2 pi GBW v_in/SR) inside +-V_max."""

    Rin = tg.parameter(1e12, "ohm", "resistance between the inputs", min=0.0)
    Rout = tg.parameter(1e-3, "ohm", "resistance of the output", min=0.0)
    amplifier = el.OpAmp(
        A0=OpAmpInterface.A0,
        GBW=OpAmpInterface.GBW,
        SR=OpAmpInterface.SR,
        Vps=OpAmpInterface.V_max,
        Vns=-OpAmpInterface.V_max,
        drop=0.0,
        Rin=Rin,
        Rout=Rout,
    )

    def connections(self) -> Statements:
        yield self.in_p, self.amplifier.in_p
        yield self.in_n, self.amplifier.in_n
        yield self.out, self.amplifier.out
