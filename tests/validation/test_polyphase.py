"""Three phases against the theory of symmetrical systems.

Tolerances: runs at rtol 1e-9 leave errors of some hundred times that in currents with dynamics; a thousand times is
allowed. Where nothing is integrated the values are exact up to rounding, 1e-12 of their size; in circuits without a
state IDA iterates to its tolerance.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import polyphase as pp
from tellegen.library.polyphase.transforms import inverse_clarke, inverse_park
from validation.measured import relative, within

V, F = 230.0 * np.sqrt(2.0), 50.0
W = 2.0 * np.pi * F


class Supplied(tg.Component):
    """A source in star; its star point is the ground."""

    source = pp.SineVoltage(V=V, f=F)
    star = pp.Star()
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.plug_n, self.star.plug_p
        yield self.star.pin_n, self.ground.p


class StarLoad(Supplied):
    """R and L in star, the neutral open."""

    r = pp.Resistor(R=10.0)
    load = pp.Inductor(L=0.02)
    end = pp.Star()

    def connections(self) -> Any:
        yield self.source.plug_p, self.r.plug_p
        yield self.r.plug_n, self.load.plug_p
        yield self.load.plug_n, self.end.plug_p


class DeltaLoad(Supplied):
    """R and L in delta."""

    r = pp.Resistor(R=30.0)
    load = pp.Inductor(L=0.06)
    delta = pp.Delta()

    def connections(self) -> Any:
        yield self.source.plug_p, self.r.plug_p, self.delta.plug_p
        yield self.r.plug_n, self.load.plug_p
        yield self.load.plug_n, self.delta.plug_n


def settled(model: Any, stop: float = 0.1, **options: Any) -> tg.Solution:
    return tg.simulate(model, stop, **dict[str, Any]({"rtol": 1e-9, "atol": 1e-11}, **options))


def last(s: tg.Solution, periods: float = 1.0) -> Any:
    return s.time > s.time[-1] - periods / F


def test_power_of_a_balanced_load() -> None:
    """3 V I cos(phi), and the same at every instant; a delta of three times the impedance takes the same."""
    z = np.hypot(10.0, W * 0.02)
    expected = 3.0 * 230.0 * (230.0 / z) * (10.0 / z)
    for name, model in (("star", StarLoad()), ("delta", DeltaLoad())):
        s = settled(model)
        power = -(s["source.v"] * s["source.i"]).sum(axis=1)[last(s)]
        within(f"power of a balanced load in {name}, every instant", relative(power, expected), 1e-6, "3 V I cos(phi)")
    amplitude = abs(s["source.i"][last(s, 2.0)]).max(axis=0)
    within("line current of a delta", relative(amplitude, V / z), 2e-3, "three times the star's impedance; samples")


def test_a_load_without_balance() -> None:
    """Only phase 1 loaded, star point wired: its current returns through the neutral."""

    class Unbalanced(Supplied):
        r = pp.Conductor(G=[0.1, 0.0, 0.0])
        end = pp.Star()

        def connections(self) -> Any:
            yield self.source.plug_p, self.r.plug_p
            yield self.r.plug_n, self.end.plug_p
            yield self.end.pin_n, self.ground.p

    s = settled(Unbalanced(), 0.02)
    within("neutral current", s["end.pin_n.i"] + 0.1 * V * np.sin(W * s.time), 1e-8, "that of phase 1, A")


def test_phases_with_common_flux() -> None:
    """Equal mutual inductances M: a symmetrical current sees L - M, one in all phases alike L + 2 M."""

    class Coupled(tg.Component):
        source = pp.SineCurrent(I=2.0, f=F)
        coil = pp.MutualInductor(L=[[0.1, 0.04, 0.04], [0.04, 0.1, 0.04], [0.04, 0.04, 0.1]])
        star = pp.Star()
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.source.plug_n, self.coil.plug_p
            yield self.coil.plug_n, self.source.plug_p, self.star.plug_p
            yield self.star.pin_n, self.ground.p

    lag = 2.0 * np.pi / 3.0 * np.arange(3)
    s = settled(Coupled(), 0.02)
    expected = 0.06 * W * 2.0 * np.cos(W * s.time[:, None] - lag)
    within("mutual inductor, symmetrical current", s["coil.v"] - expected, 1e-7, "(L - M) di/dt, V")
    same = Coupled(source=pp.SineCurrent(I=2.0, f=F, phase=lag))
    s = settled(same, 0.02)
    expected = 0.18 * W * 2.0 * np.cos(W * s.time[:, None]) * np.ones(3)
    within("mutual inductor, equal currents", s["coil.v"] - expected, 1e-7, "(L + 2 M) di/dt, V")


@pytest.mark.parametrize("power_invariant", [False, True])
def test_pointers(power_invariant: bool) -> None:
    """A system of amplitude 5 with a zero sequence 0.5: length of its pointer, d and q, and back again."""

    class Signals(tg.Component):
        clarke = pp.Clarke(power_invariant=power_invariant)
        back = pp.InverseClarke(power_invariant=power_invariant)
        park = pp.Park(power_invariant=power_invariant)
        out = pp.InversePark(power_invariant=power_invariant)
        turn = pp.Rotator()
        pointer = pp.SpacePhasor(power_invariant=power_invariant)
        clock = tg.variable(
            "s", "a state, so that nothing is left to IDA, which stops where the angle jumps", start=0.0
        )

        def equations(self) -> Any:
            yield tg.der(self.clock) == 1.0
            abc = [5.0 * tg.cos(W * tg.time - 2 * tg.pi * k / 3) + 0.5 for k in range(3)]
            yield self.clarke.u == abc
            yield self.park.u == abc
            yield self.pointer.u == abc
            yield self.park.phi == W * tg.time - 0.3
            yield self.out.phi == W * tg.time - 0.3
            yield self.turn.phi == W * tg.time - 0.3
            yield self.turn.u == self.clarke.y[:2]

        def connections(self) -> Any:
            yield self.clarke.y, self.back.u
            yield self.park.y, self.out.u

    s = settled(Signals(), 0.02)
    k, k0 = (np.sqrt(1.5), np.sqrt(3.0)) if power_invariant else (1.0, 1.0)
    word = "power-invariant" if power_invariant else "amplitude-invariant"
    dq = np.array([5.0 * k * np.cos(0.3), 5.0 * k * np.sin(0.3), 0.5 * k0])
    within(f"Park, {word}", s["park.y"] - dq, 1e-12, "k A cos and sin of the angle between")
    within(f"Rotator, {word}", s["turn.y"] - dq[:2], 1e-12, "Park after Clarke")
    within(f"there and back, {word}", s["back.y"] - s["clarke.u"], 1e-12, "the identity")
    within(f"there and back with Park, {word}", s["out.y"] - s["clarke.u"], 1e-12, "the identity")
    within(f"length of the pointer, {word}", s["pointer.length"] - 5.0 * k, 1e-12, "k A")
    within(f"zero sequence, {word}", s["pointer.zero"] - 0.5 * k0, 1e-12, "k0 times the mean")
    turned = np.exp(1j * s["pointer.angle"]) - np.exp(1j * W * s.time)
    within(f"angle of the pointer, {word}", abs(turned), 1e-12, "w t")


def test_power_of_pointers() -> None:
    """v . i of the phases is v . i of the orthogonal components, and 3/2 of those that keep amplitudes."""
    rng = np.random.default_rng(1)
    v, i = rng.normal(size=3), rng.normal(size=3)
    power = np.dot(inverse_clarke(*v, power_invariant=True), inverse_clarke(*i, power_invariant=True))
    within("power in orthogonal components", power - v @ i, 1e-12, "that of the phases, W")
    power = np.dot(inverse_park(v[0], v[1], 0.7, v[2]), inverse_park(i[0], i[1], 0.7, i[2]))
    within(
        "power with amplitudes kept", power - 1.5 * v[:2] @ i[:2] - 3.0 * v[2] * i[2], 1e-12, "that of the phases, W"
    )


class BrushedRings(tg.Component):
    """Given currents through the brushes of three slip rings."""

    source = pp.SineCurrent(I=10.0, f=50.0)
    brushes = pp.Brushes(V=0.8, I=4.0)
    star = pp.Star()
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.plug_p, self.brushes.plug_n
        yield self.source.plug_n, self.brushes.plug_p, self.star.plug_p
        yield self.star.pin_n, self.ground.p


def test_brushes_lose_what_a_clipped_voltage_and_a_sine_give() -> None:
    """In each phase on average (2/pi) (V i^2/I (a/2 - sin(2 a)/4) + V i cos(a)), with sin(a) = I/i."""
    solution = tg.simulate(BrushedRings(), stop=0.02, points=4001)
    begins = np.arcsin(0.4)
    linear = 0.8 * 10.0**2 / 4.0 * (begins / 2.0 - np.sin(2.0 * begins) / 4.0)
    mean = 2.0 / np.pi * (linear + 0.8 * 10.0 * np.cos(begins))
    power = solution["brushes.v"] * solution["brushes.i"]
    assert np.trapezoid(power, solution.time, axis=0) / 0.02 == pytest.approx(mean * np.ones(3), rel=1e-5)
