"""Transformers: ideal, coupled inductances, and three-phase ones of any vector group."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.losses import Lossy
from tellegen.library.polyphase.transformers import VectorGroup, zigzag_matrix
from tellegen.library.quasi_static.interfaces import FourPin, Phases, PhasorPin, Referenced, Statements
from tellegen.library.quasi_static.joints import Delta, Star
from tellegen.library.quasi_static.phasors import Phasor, equal
from tellegen.library.thermal import HeatPort


class IdealTransformer(FourPin):
    """v1 = n v2 and i2 = -n i1 in every phase, without losses."""

    n = tg.parameter(1.0, "1", "turns of winding 1 over turns of winding 2")

    def equations(self) -> Statements:
        v1, v2 = self.voltages()
        i1, i2 = self.currents()
        yield from equal(v1, v2.scaled(self.n))
        yield from equal(i2, i1.scaled(-self.n))


class Transformer(Referenced, FourPin):
    """Two coupled inductances in every phase: v1 = j w (L1 i1 + M i2), v2 = j w (M i1 + L2 i2)."""

    L1 = tg.parameter(1.0, "H", "inductance of side 1", min=0.0)
    L2 = tg.parameter(1.0, "H", "inductance of side 2", min=0.0)
    M = tg.parameter(0.9, "H", "mutual inductance, at most sqrt(L1 L2)")

    def equations(self) -> Statements:
        v1, v2 = self.voltages()
        i1, i2 = self.currents()
        w = self.reference.w
        yield from equal(v1, (i1.scaled(self.L1) + i2.scaled(self.M)).turned(w))
        yield from equal(v2, (i1.scaled(self.M) + i2.scaled(self.L2)).turned(w))
        yield tg.assert_(self.M**2 <= self.L1 * self.L2 * (1.0 + 1e-12), "M is at most sqrt(L1 L2)")  # noqa: PT009


class Windings(Lossy, Referenced, FourPin):
    """Three cores with resistances, leakage, and if wanted magnetizing currents and core losses.

        v1 = (R1 + j w L1sigma) i1 + v_m,    v2 = (R2 + j w L2sigma) i2 + v_m/n,    i1 + i2/n = (Gc + 1/(j w Lm1)) v_m

    With `zigzag` winding 2 is a half on each of two cores: v_m[k] - v_m[k + 1] stands for v_m, and so for i2.
    """

    m = tg.parameter(3, structural=True, description="number of phases", min=3, max=3)
    zigzag = tg.parameter(False, structural=True, description="winding 2 in zigzag")
    magnetization = tg.parameter(False, structural=True, description="magnetizing currents through Lm1")
    n = tg.parameter(1.0, "1", "turns of winding 1 over turns of winding 2, or of a half of it in zigzag")
    R1 = tg.parameter(0.0, "ohm", "resistance of a winding 1", min=0.0)
    R2 = tg.parameter(0.0, "ohm", "resistance of a winding 2", min=0.0)
    L1sigma = tg.parameter(0.0, "H", "leakage inductance of a winding 1", min=0.0)
    L2sigma = tg.parameter(0.0, "H", "leakage inductance of a winding 2", min=0.0)
    Lm1 = tg.parameter(1.0, "H", "magnetizing inductance of a core seen from winding 1", min=1e-300)
    Gc = tg.parameter(0.0, "S", "conductance of the core losses seen from winding 1", min=0.0)
    vm_re = tg.variable("V", "real parts of the induced voltages of windings 1", shape=Phases.m)
    vm_im = tg.variable("V", "imaginary parts of the induced voltages of windings 1", shape=Phases.m)

    def losses(self) -> Any:
        i1, i2 = self.currents()
        copper = self.R1 * square(i1) + self.R2 * square(i2)
        return copper + self.Gc * square(Phasor(self.vm_re, self.vm_im))

    def equations(self) -> Statements:
        v1, v2 = self.voltages()
        i1, i2 = self.currents()
        induced = Phasor(self.vm_re, self.vm_im)
        other = induced.through(zigzag_matrix()) if self.zigzag else induced
        referred = i2.through(zigzag_matrix().T) if self.zigzag else i2
        w = self.reference.w
        yield from equal(v1, i1.scaled(self.R1) + i1.turned(w * self.L1sigma) + induced)
        yield from equal(v2, i2.scaled(self.R2) + i2.turned(w * self.L2sigma) + other.scaled(1.0 / self.n))
        excitation = induced.scaled(self.Gc)
        if self.magnetization:
            excitation = excitation + induced.turned(-1.0 / (w * self.Lm1))
        yield from equal(i1 + referred.scaled(1.0 / self.n), excitation)


def square(of: Phasor) -> Any:
    """The sum of the squares of the absolute values."""
    return tg.dot(of.re, of.re) + tg.dot(of.im, of.im)


class ThreePhaseTransformer(tg.Component):
    """A three-phase transformer of a vector group such as "Dyn5": `Windings` in star, delta or zigzag.

    n is the ratio of the voltages between lines, V1/V2 = n. The lines of side 2 lag those of side 1 by 30 degrees times
    the number at the end of the group. Resistances and inductances are those of one winding.
    """

    group = tg.parameter("Dyn5", structural=True, description="vector group: Y or D, then y, d or z, and the clock")
    magnetization = tg.parameter(False, structural=True, description="magnetizing currents through Lm1")
    use_heat_port = tg.parameter(False, structural=True, description="the losses leave through heat_port")
    n = tg.parameter(1.0, "1", "voltage between lines of side 1 over that of side 2, without load")
    R1 = tg.parameter(5e-3, "ohm", "resistance of a winding 1", min=0.0)
    R2 = tg.parameter(5e-3, "ohm", "resistance of a winding 2", min=0.0)
    L1sigma = tg.parameter(78e-6, "H", "leakage inductance of a winding 1", min=0.0)
    L2sigma = tg.parameter(78e-6, "H", "leakage inductance of a winding 2", min=0.0)
    Lm1 = tg.parameter(1.0, "H", "magnetizing inductance of a core seen from winding 1", min=1e-300)
    Gc = tg.parameter(0.0, "S", "conductance of the core losses seen from winding 1", min=0.0)
    p1 = PhasorPin.array(3, "lines of side 1")
    p2 = PhasorPin.array(3, "lines of side 2")
    heat_port = HeatPort("where the losses go").only_if(use_heat_port, must_connect=True)

    def build(self) -> None:
        self.wiring = VectorGroup.read(self.group, self._location)
        self.core = Windings(
            zigzag=self.wiring.second == "z",
            magnetization=self.magnetization,
            n=self.wiring.turns * self.n,
            R1=self.R1,
            R2=self.R2,
            L1sigma=self.L1sigma,
            L2sigma=self.L2sigma,
            Lm1=self.Lm1,
            Gc=self.Gc,
            use_heat_port=self.use_heat_port,
        )
        self.joint1 = Delta() if self.wiring.first == "D" else Star()
        self.joint2 = Delta() if self.wiring.second == "d" else Star()
        if self.wiring.first == "Y":
            self.starpoint1 = PhasorPin.array(1, "star point of side 1")
        if self.wiring.second != "d":
            self.starpoint2 = PhasorPin.array(1, "star point of side 2")

    def connections(self) -> Statements:
        core = self.core
        begin, end = (core.n2, core.p2) if self.wiring.reversed else (core.p2, core.n2)
        yield self.p1, core.p1
        for joint, lines, ends in ((self.joint1, core.p1, core.n1), (self.joint2, begin, end)):
            if isinstance(joint, Star):
                yield joint.p, ends
            else:
                yield joint.p, lines
                yield joint.n, ends
        for k in range(3):
            yield self.p2[k], begin[(k + self.wiring.shift) % 3]
        if self.wiring.first == "Y":
            yield self.starpoint1, self.joint1.n
        if self.wiring.second != "d":
            yield self.starpoint2, self.joint2.n
        if self.use_heat_port:
            yield self.heat_port, core.heat_port
