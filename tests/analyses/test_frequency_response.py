"""Small oscillations against closed solutions and nodal analysis in complex numbers; inputs whose derivatives count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Divider(tg.Component):
    """Two capacitors across a source: the source enters a constraint between their voltages."""

    source = el.ConstantVoltage(V=1.0)
    c1 = el.Capacitor(C="2 uF")
    c2 = el.Capacitor(C="1 uF")
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.c1.p
        yield self.c1.n, self.c2.p
        yield self.c2.n, self.source.n, self.ground.p


class ForcedCoils(tg.Component):
    """A current that two coils share, given as an input of the model."""

    u = tg.input("A")
    source = el.SignalCurrent()
    a = el.Inductor(L="1 mH")
    b = el.Inductor(L="2 mH")
    ra = el.Resistor(R=3.0)
    rb = el.Resistor(R=2.0)
    ground = el.Ground()

    def connections(self):
        yield self.u, self.source.u
        yield self.source.p, self.ground.p
        yield self.source.n, self.a.p, self.b.p
        yield self.a.n, self.ra.p
        yield self.b.n, self.rb.p
        yield self.ra.n, self.rb.n, self.ground.p


class Resonance(tg.Component):
    source = el.ConstantVoltage(V=1.0)
    r = el.Resistor(R=10.0)
    coil = el.Inductor(L="1 mH")
    c = el.Capacitor(C="1 uF")
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.coil.p
        yield self.coil.n, self.c.p
        yield self.c.n, self.source.n, self.ground.p


class Prescribed(tg.Component):
    """The angle of a flange is a parameter."""

    flange = rot.Flange()
    angle = tg.parameter(0.0, "rad", "where the flange is")

    def equations(self):
        yield self.flange.phi == self.angle


class MovedShaft(tg.Component):
    """The angle of an inertia is prescribed, so its torque follows the second derivative."""

    drive = Prescribed()
    load = rot.Inertia(J=0.02)
    damper = rot.Damper(d=0.5)
    wall = rot.Fixed()

    def connections(self):
        yield self.drive.flange, self.load.flange_a
        yield self.load.flange_b, self.damper.flange_a
        yield self.damper.flange_b, self.wall.flange


def test_a_capacitive_divider_divides_at_all_frequencies() -> None:
    linear = tg.linearize(Divider(), inputs="source.V", outputs="c2.v")
    assert linear.frequency_response([0.1, 1e6])[:, 0, 0] == pytest.approx([2.0 / 3.0] * 2, rel=1e-10)
    response = tg.frequency_response(Divider(), ("1 Hz", "1 kHz"), inputs="source.V", outputs=["c2.v", "c2.i"], at=None)
    assert response["c2.v"] == pytest.approx(np.full(301, 2.0 / 3.0), rel=1e-10)
    s = 2j * np.pi * response.frequencies
    assert response["c2.i", "source.V"] == pytest.approx(s * 2e-6 / 3.0, rel=1e-10)


def test_an_output_that_follows_the_derivative_of_an_input_is_refused_by_linear_models() -> None:
    with pytest.raises(tg.NumericError, match=r"'c2.i' follows the derivative of 'source.V'"):
        tg.linearize(Divider(), inputs="source.V", outputs="c2.i")


def test_coils_share_a_forced_current() -> None:
    """i_a (R_a + s L_a) = i_b (R_b + s L_b) and i_a + i_b = u."""
    frequencies = np.geomspace(1.0, 1e5, 7)
    s = 2j * np.pi * frequencies
    expected = (2.0 + 2e-3 * s) / (5.0 + 3e-3 * s)
    linear = tg.linearize(ForcedCoils(), outputs="a.i")
    assert linear.frequency_response(frequencies)[:, 0, 0] == pytest.approx(expected, rel=1e-10)
    response = tg.frequency_response(ForcedCoils(), frequencies, outputs="a.i")
    assert response["a.i"] == pytest.approx(expected, rel=1e-10)


def test_a_forced_current_flows_through_coils_in_a_run() -> None:
    """The derivative of u - a.i - b.i == 0 read the rate of another unknown in place of the constant u."""
    solution = tg.simulate(ForcedCoils(), stop="10 ms", parameters={"u": 3.0})
    assert solution["a.i"] + solution["b.i"] == pytest.approx(np.full(len(solution.time), 3.0), rel=1e-9)
    assert solution["a.i"][-1] == pytest.approx(1.2, rel=1e-5)  # by resistances; exp(-16) is left


def test_a_prescribed_angle_takes_the_torque_of_its_second_derivative() -> None:
    frequencies = np.array([0.1, 1.0, 10.0])
    s = 2j * np.pi * frequencies
    outputs = ["load.w", "load.a", "drive.flange.tau"]
    response = tg.frequency_response(MovedShaft(), frequencies, inputs="drive.angle", outputs=outputs)
    assert response["load.w"] == pytest.approx(s, rel=1e-10)
    assert response["load.a"] == pytest.approx(s**2, rel=1e-10)
    assert response["drive.flange.tau"] == pytest.approx(-0.02 * s**2 - 0.5 * s, rel=1e-10)


def test_a_resonance_and_its_margins() -> None:
    response = tg.frequency_response(Resonance(), ("10 Hz", "1 MHz"), inputs="source.V", outputs="c.v")
    s = 2j * np.pi * response.frequencies
    assert np.abs(response["c.v"] - 1.0 / (1.0 + 1e-5 * s + 1e-9 * s**2)).max() < 1e-13
    assert response.decibels("c.v")[0] == pytest.approx(0.0, abs=1e-3)
    assert response.degrees("c.v")[-1] == pytest.approx(-180.0, abs=1.0)
    assert response.margins().phase_margin == pytest.approx(response.linear_model.margins().phase_margin)
    assert response.to_pandas().shape == (501, 1)
    assert "501 frequencies" in repr(response)
    for kind in ("bode", "nyquist", "nichols"):
        assert response.plot(kind).axes


def _random_branches(seed: int) -> tuple[list[tuple[str, float, int, int]], int]:
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(2, 7))
    sizes = {"R": 1e3, "C": 1e-7, "L": 1e-2}
    branches = [("R", float(1e3 * rng.uniform(0.5, 2.0)), k, 0) for k in range(1, nodes + 1)]
    branches += [("R", float(1e3 * rng.uniform(0.5, 2.0)), k, k + 1) for k in range(1, nodes)]
    for _ in range(int(rng.integers(2, 9))):
        a, b = rng.choice(nodes + 1, 2, replace=False)
        kind = str(rng.choice(["R", "C", "L", "C"]))
        branches.append((kind, float(sizes[kind] * 10.0 ** rng.uniform(-1.0, 1.0)), int(a), int(b)))
    return branches, nodes


@pytest.mark.parametrize("seed", range(12))
def test_random_networks_against_nodal_analysis(seed: int) -> None:
    branches, nodes = _random_branches(seed)
    system = tg.System("network")
    system.add(ground=el.Ground(), source=el.ConstantCurrent(I=0.0))
    kinds: dict[str, Any] = {"R": el.Resistor, "C": el.Capacitor, "L": el.Inductor}
    ends: dict[int, list[Any]] = {node: [] for node in range(nodes + 1)}
    ends[0] += [system.ground.p, system.source.p]
    ends[1].append(system.source.n)
    for k, (kind, value, a, b) in enumerate(branches):
        system.add(**{f"part{k}": kinds[kind](**{kind: value})})
        part = getattr(system, f"part{k}")
        ends[a].append(part.p)
        ends[b].append(part.n)
    for pins in ends.values():
        system.connect(*pins)
    frequencies = np.geomspace(1.0, 1e6, 5)
    outputs = [f"part{k}.v" for k in range(nodes)]  # the first resistors go from each node to ground
    response = tg.frequency_response(system, frequencies, inputs="source.I", outputs=outputs)
    for f, row in zip(frequencies, response.values[:, :, 0], strict=True):
        s = 2j * np.pi * f
        admittance = np.zeros((nodes + 1, nodes + 1), complex)
        for kind, value, a, b in branches:
            y = {"R": 1.0 / value, "C": s * value, "L": 1.0 / (s * value)}[kind]
            admittance[[a, b], [a, b]] += y
            admittance[[a, b], [b, a]] -= y
        current = np.zeros(nodes)
        current[0] = 1.0
        assert row == pytest.approx(np.linalg.solve(admittance[1:, 1:], current), rel=1e-9)


@pytest.mark.parametrize(
    ("frequencies", "word"),
    [
        (("1 Hz", "1 V"), "measures something else"),
        ((-1.0,), "at least zero"),
        (("10 Hz", "1 Hz"), "to a higher one"),
        (None, "numbers"),
        ([], "at least zero"),
    ],
)
def test_wrong_frequencies(frequencies: Any, word: str) -> None:
    with pytest.raises(tg.LanguageError, match=word):
        tg.frequency_response(Resonance(), frequencies, inputs="source.V", outputs="c.v")


def test_wrong_names_and_plots() -> None:
    response = tg.frequency_response(Resonance(), ("1 kHz", "1 MHz"), inputs="source.V", outputs=["c.v", "coil.i"])
    with pytest.raises(tg.LanguageError, match=r"no output 'c.u'"):
        response["c.u"]
    with pytest.raises(tg.LanguageError, match="no plot 'bodes'"):
        response.plot("bodes")


class Sine(Resonance):
    source = el.SineVoltage(V=1.0, f="1 kHz")


def test_an_input_that_nothing_follows_is_warned_of() -> None:
    """The amplitude of a sine is multiplied by zero at t = 0; its offset is what oscillates."""
    with pytest.warns(UserWarning, match=r"no output follows 'source.V'"):
        tg.frequency_response(Sine(), [1e3], inputs="source.V", outputs="c.v")
    assert tg.frequency_response(Sine(), [1e-3], inputs="source.offset", outputs="c.v")["c.v"] == pytest.approx(1.0)


def test_a_response_needs_inputs() -> None:
    with pytest.raises(tg.LanguageError, match="needs inputs and outputs"):
        tg.frequency_response(Resonance(), [1e3], outputs="c.v")


class Delayed(tg.Component):
    """k x' = u - d + u(t - 0.05), where d is x^2 + u/10 as it was 0.3 s ago, by two delays one after the other."""

    u = tg.input("1", default=2.0)
    k = tg.parameter(0.8, "s")
    x = tg.variable("1", start=1.3)
    late = tg.variable("1")

    def equations(self):
        yield self.late == tg.delay(tg.delay(self.x**2 + 0.1 * self.u, 0.1), 0.2)
        yield self.k * tg.der(self.x) == (self.u - self.late) + tg.delay(self.u, 0.05)


def test_delays_are_exact() -> None:
    """Of states, inputs and other delays, as the transfer function has them; around the initial values."""
    f = np.linspace(0.1, 5.0, 17)
    found = tg.frequency_response(Delayed(), f, at=None, inputs="u", outputs=["x", "late"])
    s = 2j * np.pi * f
    past = np.exp(-0.3 * s)
    x = (1.0 + np.exp(-0.05 * s) - 0.1 * past) / (0.8 * s + 2.0 * 1.3 * past)
    np.testing.assert_allclose(np.asarray(found.values)[:, 0, 0], x, rtol=1e-13)
    np.testing.assert_allclose(np.asarray(found.values)[:, 1, 0], past * (2.6 * x + 0.1), rtol=1e-13)


class Stretched(tg.Component):
    """A delay whose time varies."""

    u = tg.input("1", default=1.0)
    T = tg.parameter(1.0, "s")
    x = tg.variable("1", start=0.1)

    def equations(self):
        yield self.T * tg.der(self.x) == self.u - tg.delay(self.x, 0.2 * self.T * self.x, 1.0)


def test_delays_that_vary_are_rejected() -> None:
    with pytest.raises(tg.NumericError, match="delays whose time varies"):
        tg.frequency_response(Stretched(), [1.0], at=None, inputs="u", outputs="x")
