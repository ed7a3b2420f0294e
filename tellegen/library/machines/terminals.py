"""Between grid and machine: star and delta, starting, and the speed by frequency."""

from __future__ import annotations

import math
from typing import Any

import tellegen as tg
from tellegen.library import polyphase as pp
from tellegen.library.machines.interfaces import Statements

CONNECTIONS = ("Y", "D")


class TerminalBox(tg.Component):
    """The windings of a machine in star or delta: plug_supply.v = plug_sp.v, and plug_sn joined as Star or Delta do.

    Systems of many phases are joined base system by base system; starpoints has one for each of them, in star.
    """

    m = tg.parameter(3, structural=True, description="number of phases", min=2)
    terminal_connection = tg.parameter("Y", structural=True, description="Y for star, D for delta", choices=CONNECTIONS)
    plug_supply = pp.Plug.array(m, "to the grid")
    plug_sp = pp.Plug.array(m, "to the begins of the windings")
    plug_sn = pp.Plug.array(m, "to the ends of the windings")

    def build(self) -> None:
        if self.terminal_connection == "Y":
            self.star = pp.MultiStar(m=self.m)
            self.starpoints = pp.Plug.array(pp.base_systems(self.m), "star points")
        else:
            self.delta = pp.MultiDelta(m=self.m)

    def connections(self) -> Statements:
        yield self.plug_supply, self.plug_sp
        if self.terminal_connection == "Y":
            yield self.plug_sn, self.star.plug_p
            yield self.star.starpoints, self.starpoints
        else:
            yield self.delta.plug_p, self.plug_sp
            yield self.delta.plug_n, self.plug_sn


class SwitchYD(tg.Component):
    """Joins windings in star while control <= 1/2, in delta while control > 1/2.

    Both contacts are open for delay_time after a change; they open with an arc in SwitchYDwithArc.
    """

    m = tg.parameter(3, structural=True, description="number of phases", min=2)
    Ron = tg.parameter(1e-5, "ohm", "resistance of a closed contact", min=0.0)
    Goff = tg.parameter(1e-5, "S", "conductance of an open contact", min=0.0)
    delay_time = tg.parameter(0.0, "s", "time between opening and closing", min=0.0)
    control = tg.input("1", "above 1/2: delta")
    plug_supply = pp.Plug.array(m, "to the grid")
    plug_sp = pp.Plug.array(m, "to the begins of the windings")
    plug_sn = pp.Plug.array(m, "to the ends of the windings")

    def contacts(self) -> tuple[Any, Any]:
        """What closes for delta, and what opens for it."""
        data = {"m": self.m, "Ron": self.Ron, "Goff": self.Goff}
        return pp.IdealClosingSwitch(**data), pp.IdealOpeningSwitch(**data)

    def build(self) -> None:
        from tellegen.library import blocks

        self.closer, self.opener = self.contacts()
        self.delay = blocks.LogicalDelay(delay_time=self.delay_time)
        self.star = pp.Star(m=self.m)
        self.delta = pp.Delta(m=self.m)

    def connections(self) -> Statements:
        yield self.plug_supply, self.plug_sp, self.delta.plug_p
        yield self.delta.plug_n, self.closer.plug_p
        yield self.closer.plug_n, self.plug_sn, self.opener.plug_p
        yield self.opener.plug_n, self.star.plug_p
        yield self.control, self.delay.u

    def equations(self) -> Statements:
        yield self.closer.control == [self.delay.y2] * self.m
        yield self.opener.control == [self.delay.y1] * self.m


class SwitchYDwithArc(SwitchYD):
    """Joins windings in star or delta as SwitchYD, with contacts that open with an arc."""

    V0 = tg.parameter(30.0, "V", "voltage of an arc when a contact opens", min=0.0)
    dVdt = tg.parameter(10e3, "V/s", "rise of that voltage", min=0.0)
    Vmax = tg.parameter(60.0, "V", "largest voltage of an arc", min=0.0)

    def contacts(self) -> tuple[Any, Any]:
        arc = {"V0": self.V0, "dVdt": self.dVdt, "Vmax": self.Vmax}
        data = {"m": self.m, "Ron": self.Ron, "Goff": self.Goff, **arc}
        return pp.CloserWithArc(**data), pp.OpenerWithArc(**data)


class Rheostat(tg.Component):
    """Base of starting resistors between the ends of rotor windings: v = R(t) i in every phase."""

    m = tg.parameter(3, structural=True, description="number of phases", min=1)
    RStart = tg.parameter(1.0, "ohm", "resistance of the start", min=0.0)
    t_start = tg.parameter(1.0, "s", "time at which it is reduced")
    plug_p = pp.Plug.array(m, "to the begins of the rotor windings")
    plug_n = pp.Plug.array(m, "to their ends")

    def resistance(self) -> Any:
        """The resistance at this time."""
        raise NotImplementedError(f"{type(self).__name__} has to define resistance()")

    def build(self) -> None:
        self.rheostat = pp.VariableResistor(m=self.m)

    def connections(self) -> Statements:
        yield self.plug_p, self.rheostat.plug_p
        yield self.plug_n, self.rheostat.plug_n

    def equations(self) -> Statements:
        yield self.rheostat.R == [self.resistance()] * self.m


class RampedRheostat(Rheostat):
    """A starting resistor that falls from RStart to 0 in t_ramp from t_start on."""

    t_ramp = tg.parameter(1.0, "s", "duration of the reduction", min=1e-300)

    def resistance(self) -> Any:
        left = 1.0 - (tg.time - self.t_start) / self.t_ramp
        end = self.t_start + self.t_ramp
        return tg.where(tg.time < self.t_start, self.RStart, tg.where(tg.time < end, self.RStart * left, 0.0))


class SwitchedRheostat(Rheostat):
    """A starting resistor RStart that is shorted by contacts of Ron at t_start."""

    Ron = tg.parameter(1e-5, "ohm", "resistance after t_start", min=0.0)

    def resistance(self) -> Any:
        return tg.where(tg.time < self.t_start, self.RStart, self.Ron)


class VfController(tg.Component):
    """Voltages whose amplitude rises with the frequency u: y = V sin(x - 2 pi k/m), dx/dt = 2 pi u.

    V = sqrt(2) V_nominal |u|/f_nominal below f_nominal, with economy_mode by the square of that.
    """

    m = tg.parameter(3, structural=True, description="number of phases", min=1)
    V_nominal = tg.parameter(100.0, "V", "nominal rms voltage of a phase", min=0.0)
    f_nominal = tg.parameter(50.0, "Hz", "nominal frequency", min=1e-300)
    base_phase = tg.parameter(0.0, "rad", "phase of the first phase at the start")
    economy_mode = tg.parameter(False, structural=True, description="the voltage goes with the square of the frequency")
    u = tg.input("Hz", "frequency")
    y = tg.output("V", "voltages", shape=m)
    x = tg.variable("rad", "angle", start=0.0, fixed=True)
    amplitude = tg.variable("V", "amplitude")

    def equations(self) -> Statements:
        part = tg.minimum(abs(self.u) / self.f_nominal, 1.0)
        yield self.amplitude == math.sqrt(2.0) * self.V_nominal * (part**2 if self.economy_mode else part)
        yield tg.der(self.x) == 2.0 * tg.pi * self.u
        for k in range(self.m):
            behind = 2.0 * math.pi * k / self.m
            yield self.y[k] == self.amplitude * tg.sin(self.x + self.base_phase - behind)
