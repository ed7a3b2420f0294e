"""Three-phase transformers against their equivalent circuit and their name plate.

Tolerance: what is compared are pointers, fitted to the last period of a run at rtol 1e-9; what remains of the
magnetizing transient is fitted as a parabola. That leaves some 1e-6.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import polyphase as pp
from validation.measured import within

F, V = 50.0, 1000.0
W = 2.0 * np.pi * F
PLATE = {"R1": 0.5, "R2": 0.04, "L1sigma": 5e-3, "L2sigma": 3e-4, "Lm1": 2.0, "Gc": 2e-4}


def pointer(s: tg.Solution, name: str, phase: int = 0) -> complex:
    """Amplitude and angle of the fundamental in the last period."""
    chosen = s.time >= s.time[-1] - 1.0 / F
    t, x = s.time[chosen], s[name][chosen]
    x = x[:, phase] if x.ndim == 2 else x
    slow = t - t[0]
    basis = np.column_stack([np.cos(W * t), -np.sin(W * t), np.ones_like(t), slow, slow**2])
    c = np.linalg.lstsq(basis, x, rcond=None)[0]
    return complex(c[0], c[1])


class Fed(tg.Component):
    """A transformer on a source, star points grounded where there are any, loaded by R in star."""

    group = tg.parameter("Dyn5", structural=True)
    R = tg.parameter(1e6, "ohm")
    source = pp.SineVoltage(V=V, f=F)
    star = pp.Star()
    trafo = pp.Transformer(group=group, n=4.0, **PLATE)
    load = pp.Resistor(R=R)
    end = pp.Star()
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.plug_p, self.trafo.plug1
        yield self.source.plug_n, self.star.plug_p
        yield self.trafo.plug2, self.load.plug_p
        yield self.load.plug_n, self.end.plug_p
        yield self.star.pin_n, self.end.pin_n, self.ground.p
        if "Y" in self.group:
            yield self.trafo.starpoint1, self.ground.p
        if "y" in self.group or "z" in self.group:
            yield self.trafo.starpoint2, self.ground.p


def run(group: str, stop: float = 0.3, **values: Any) -> tg.Solution:
    return tg.simulate(Fed(group=group, **values), stop, rtol=1e-9, atol=1e-10)


GROUPS = ["Yy0", "YNyn2", "Dd6", "Dd4", "Yd1", "Yd11", "Dyn5", "Dy7", "Yzn11", "Yz5", "Dz0", "Dzn2", "Dz10"]


@pytest.mark.parametrize("group", GROUPS)
def test_vector_groups(group: str) -> None:
    """Without load the lines of side 2 have V/n and lag by 30 degrees times the number, in all phases."""
    s = run(group, 0.1, R=1e9)
    hours = int("".join(c for c in group if c.isdigit()))
    winding = PLATE["R1"] + 1j * W * PLATE["L1sigma"]
    core = 1.0 / (PLATE["Gc"] + 1.0 / (1j * W * PLATE["Lm1"]))
    expected = core / (core + winding) / 4.0 * np.exp(-1j * np.pi / 6 * hours)
    found = [pointer(s, "load.v", k) / pointer(s, "source.v", k) for k in range(3)]
    within("vector groups, ratio and phase shift", abs(np.array(found) / expected - 1.0), 1e-5, "1/n, 30 degrees each")


def test_open_and_short_circuit() -> None:
    """The two tests of every transformer, in star: what it takes is that of the equivalent circuit."""
    z1 = PLATE["R1"] + 1j * W * PLATE["L1sigma"]
    z2 = 16.0 * (PLATE["R2"] + 1j * W * PLATE["L2sigma"])
    core = 1.0 / (PLATE["Gc"] + 1.0 / (1j * W * PLATE["Lm1"]))
    s = run("YNyn0", 0.2, R=1e9)
    z = -pointer(s, "source.v") / pointer(s, "source.i")
    within("open circuit, impedance", abs(z / (z1 + core) - 1.0), 2e-5, "winding 1 and core in series")
    s = run("YNyn0", 0.2, R=0.0)
    z = -pointer(s, "source.v") / pointer(s, "source.i")
    within("short circuit, impedance", abs(z / (z1 + core * z2 / (core + z2)) - 1.0), 1e-6, "equivalent circuit")
    ratio = pointer(s, "load.i") / -pointer(s, "source.i")
    within("short circuit, current", abs(ratio / (4.0 * core / (core + z2)) - 1.0), 1e-6, "n, less the magnetization")


def test_windings_with_free_ends() -> None:
    """An ideal and a lossy transformer connected by hand: delta on side 1 and star on side 2 is Dy11."""

    class ByHand(tg.Component):
        source = pp.SineVoltage(V=V, f=F)
        star = pp.Star()
        ideal = pp.IdealTransformer(n=10.0)
        lossy = pp.LossyTransformer(n=10.0, R1=1e-3, L1sigma=1e-6, Gc=1e-9, R2=1e-3, L2sigma=1e-6)
        delta1, delta2, end1, end2 = pp.Delta(), pp.Delta(), pp.Star(), pp.Star()
        load1, load2 = pp.Resistor(R=1e3), pp.Resistor(R=1e3)
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.source.plug_n, self.star.plug_p
            pairs = [(self.ideal, self.delta1, self.end1), (self.lossy, self.delta2, self.end2)]
            for (trafo, delta, end), load in zip(pairs, [self.load1, self.load2], strict=True):
                yield self.source.plug_p, trafo.plug_p1, delta.plug_p
                yield trafo.plug_n1, delta.plug_n
                yield trafo.plug_p2, load.plug_p
                yield trafo.plug_n2, load.plug_n, end.plug_p
                yield end.pin_n, self.star.pin_n, self.ground.p

    s = tg.simulate(ByHand(), 0.02, rtol=1e-9)
    lines = s["source.v"] - np.roll(s["source.v"], -1, axis=1)
    within("delta by hand, ideal", (s["load1.v"] - lines / 10.0) / V, 1e-9, "(line k - line k+1)/n")
    later = s.time > 1e-3  # the leakage lets the current begin at zero
    within("delta by hand, lossy", (s["load2.v"] - lines / 10.0)[later] / V, 2e-6, "(line k - line k+1)/n, less R2/R")


def test_a_group_that_does_not_exist() -> None:
    with pytest.raises(tg.LanguageError, match=r"(?s)E703.*no vector group 'Dy6'.*odd ones"):
        tg.flatten(Fed(group="Dy6"))


class Loaded(tg.Component):
    """A transformer of one phase at a sine, loaded with a resistor."""

    source = el.SineVoltage(V=100.0, f=50.0)
    core = el.LossyTransformer(core_losses=False)
    load = el.Resistor(R=1.0)
    ground = el.Ground()
    other = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.core.p1
        yield self.source.n, self.core.n1, self.ground.p
        yield self.core.p2, self.load.p
        yield self.load.n, self.core.n2, self.other.p


def test_a_transformer_without_core_losses() -> None:
    """In the steady state the current is that of the T circuit, by phasors; its transient decays with 0.12 s."""
    run = tg.simulate(Loaded(core=el.LossyTransformer(core_losses=False, Lm1=0.01)), 2.0, rtol=1e-9, points=40001)
    w = 2.0 * np.pi * 50.0
    branch = 0.1 + 1j * w * 1e-3
    shunt = 1j * w * 0.01
    secondary = branch + 1.0
    drawn = 100.0 / (branch + shunt * secondary / (shunt + secondary))
    amplitude = abs(drawn * shunt / (shunt + secondary))
    late = run.time > 1.9
    assert np.max(np.abs(run["load.i"][late])) == pytest.approx(amplitude, rel=1e-4)


def test_no_core_conductance_is_rejected() -> None:
    """The number of states would change: it has to be said as core_losses=False."""
    with pytest.raises(tg.TellegenError, match=r"(?s)core\.Gc.*above 0.*core_losses=False"):
        tg.simulate(Loaded(core=el.LossyTransformer(Gc=0.0)), 0.1)
