"""Inverse models: closed solutions, plants that follow them, zeros of matrix pencils, and what cannot be inverted."""

from __future__ import annotations

from collections.abc import Iterator
from math import asin, exp, pi, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import tellegen as tg
from golden import check_golden
from inversion.plants import Arm, Drive, DrivenArm, DrivenDrive
from tellegen.library import blocks

STEP = 0.1


class Turned(tg.Component):
    """A step through a critically damped filter, and a second-order block turned round (Otter's figures 7 and 8)."""

    step = blocks.Step(start_time=STEP)
    smooth = blocks.Filter(analog_filter="critical_damping", order=2, f_cut=1.0)
    block = blocks.SecondOrder(k=2.0, w=4.0, D=0.3)
    turned = blocks.InverseBlockConstraints()
    by_function = tg.inverse(
        blocks.SecondOrder(k=2.0, w=4.0, D=0.3), {"y": "y"}, {"u": "u"}, filter=tg.critical_damping(cutoff="1 Hz")
    )

    def connections(self) -> Iterator[Any]:
        yield self.step.y, self.smooth.u, self.by_function.y
        yield self.smooth.y, self.turned.u1
        yield self.block.y, self.turned.u2
        yield self.turned.y2, self.block.u


def test_a_second_order_block_against_its_closed_inverse() -> None:
    """y'' + 2 D w y' + w^2 y = k w^2 u with y = 1 - (1 + a t) exp(-a t), the step response of the filter."""
    run = tg.simulate(Turned(), 1.0, rtol=1e-10)
    a = 2.0 * pi / sqrt(10.0**0.15 - 1.0)  # 3 dB less at 1 Hz
    for t in (0.11, 0.3, 0.8):
        s = t - STEP
        y = 1.0 - (1.0 + a * s) * exp(-a * s)
        rate = a * a * s * exp(-a * s)
        bend = a * a * (1.0 - a * s) * exp(-a * s)
        u = (bend + 2.0 * 0.3 * 4.0 * rate + 16.0 * y) / 32.0
        assert run.at(t)["turned.y1"] == pytest.approx(u, rel=1e-7)
        assert run.at(t)["by_function.u"] == pytest.approx(u, rel=1e-7)


class FedForward(tg.Component):
    """Feed-forward by the inverse and feedback by a PI controller (Otter's figure 6)."""

    inverse = tg.inverse(Drive(), {"load.w": "w"}, {"source.v": "v"}, filter=tg.bessel(cutoff="8 Hz"))
    plant = DrivenDrive()
    step = blocks.Step(height=20.0, start_time=STEP)
    pi = blocks.PI(k=0.05, T=0.2)
    error = tg.variable("rad/s")

    def connections(self) -> Iterator[Any]:
        yield self.step.y, self.inverse.w

    def equations(self) -> Iterator[Any]:
        yield self.error == self.inverse.plant.load.w - self.plant.load.w
        yield self.pi.u == self.error
        yield self.plant.v == self.inverse.v + self.pi.y


def test_feed_forward_leaves_no_error_to_feedback() -> None:
    """With equal parameters the error is zero; else feedback is left with what the model does not know."""
    compiled = tg.compile(FedForward())
    exact = compiled.simulate(stop=1.0, rtol=1e-8)
    assert np.abs(exact["error"]).max() < 1e-6 * 20.0
    off = compiled.simulate(stop=1.0, rtol=1e-8, parameters={"plant.load.J": 1.2e-3})
    assert 1e-2 < np.abs(off["error"]).max() < 5.0
    assert abs(off["error"][-1]) < 0.5 * np.abs(off["error"]).max()


def test_relative_degrees_and_the_equations_that_ask_for_them() -> None:
    angle = tg.inverse(Drive(), "load.phi", "source.v")
    check_golden("inversion/drive", str(angle.relative_degrees[0]))
    assert angle.internal_states == ("shaft.phi_rel",)
    assert tg.inverse(Drive(), "load.w", "source.v").relative_degrees[0].degree == 3
    simple = tg.inverse(Drive(), "load.phi", "source.v", simplify={"motor.L": 0})
    assert simple.relative_degrees[0].degree == 3
    stiff = tg.inverse(Drive(), "load.phi", "source.v", simplify={"shaft.d": 0})
    assert stiff.relative_degrees[0].degree == 5
    assert Drive().motor.L is not None, "the model itself stays as it is"


class ByDerivatives(tg.Component):
    """x = t^6 exp(-2 t) and its derivatives, given one by one to an inverse of relative degree 4."""

    per_second = tg.parameter(1.0, "1/s")
    inverse = tg.inverse(Drive(), {"load.phi": "phi"}, {"source.v": "v"})
    plant = DrivenDrive()

    def equations(self) -> Iterator[Any]:
        t = self.per_second * tg.time
        factor = [1.0 / self.per_second**0, 1.0, 1.0, 1.0, 1.0]
        terms = np.zeros(7)
        terms[6] = 1.0  # of the polynomial in front of exp(-2 t)
        for order, name in enumerate(("phi", "der_phi", "der2_phi", "der3_phi", "der4_phi")):
            value = sum((float(c) * t**k for k, c in enumerate(terms) if c), 0.0 * t)
            yield getattr(self.inverse, name) == value * tg.exp(-2 * t) * self.per_second**order * factor[0]
            terms = np.append(terms[1:] * np.arange(1, 7), 0.0) - 2.0 * terms

    def connections(self) -> Iterator[Any]:
        yield self.inverse.v, self.plant.v


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_the_drive_follows_the_derivatives_of_its_reference(solver: str, by_derivatives: tg.CompiledModel) -> None:
    run = by_derivatives.simulate(stop=4.0, rtol=1e-8, solver=solver)
    wanted = run.time**6 * np.exp(-2.0 * run.time)
    assert np.abs(run["plant.load.phi"] - wanted).max() < 1e-6 * wanted.max()


@pytest.fixture(scope="module")
def by_derivatives() -> tg.CompiledModel:
    return tg.compile(ByDerivatives())


class Moved(tg.Component):
    """An arm that follows its inverse through jumps of the reference."""

    inverse = tg.inverse(
        Arm(),
        {"shoulder.phi": "q1", "elbow.phi": "q2"},
        {"shoulder.tau": "t1", "elbow.tau": "t2"},
        filter=tg.bessel(cutoff="3 Hz"),
    )
    arm = DrivenArm()
    first = blocks.Step(height=1.0, start_time=0.1)
    second = blocks.Step(height=-2.0, start_time=0.3)

    def connections(self) -> Iterator[Any]:
        yield self.first.y, self.inverse.q1
        yield self.second.y, self.inverse.q2
        yield self.inverse.t1, self.arm.t1
        yield self.inverse.t2, self.arm.t2


def test_the_arm_follows() -> None:
    assert [each.degree for each in Moved().inverse.relative_degrees] == [2, 2]
    run = tg.simulate(Moved(), 1.2, rtol=1e-9)
    for joint, number in (("shoulder", 1), ("elbow", 2)):
        wanted = run[f"inverse.filter_q{number}.y"]
        assert np.abs(run[f"arm.{joint}.phi"] - wanted).max() < 1e-6 * np.ptp(wanted)


class Fading(tg.Component):
    """x' = -x + cos(x) u: nothing acts on x where it is pi/2."""

    u = tg.input()
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == -self.x + tg.cos(self.x) * self.u


def test_the_relative_degree_drops_where_the_reference_passes_a_singular_point() -> None:
    inverse = tg.inverse(Fading(), "x", "u")
    found = tg.zero_dynamics(inverse, {"x": 3 * tg.sin(tg.time)}, times=np.linspace(0.1, 1.0, 10))
    assert not found.success
    assert found.singular[0].time == pytest.approx(asin(pi / 6.0), rel=1e-5)
    assert "relative degree drops" in str(found)
    below = tg.zero_dynamics(inverse, {"x": tg.sin(tg.time)}, times=np.linspace(0.1, 2.0, 5))
    assert below.success
    assert not below.singular


class Linear(tg.Component):
    """x' = A x + b u, y = c x with c b = 1: three zeros."""

    u = tg.input()
    y = tg.output()
    A = tg.parameter(np.zeros((4, 4)), shape=(4, 4))
    x = tg.variable(shape=4, start=0.0)

    def equations(self) -> Iterator[Any]:
        b = np.array([1.0, 0.5, -0.3, 0.2])
        yield tg.der(self.x) == self.A @ self.x + b * self.u
        yield self.y == self.x[0] + 0.8 * self.x[1] + 2.0 * self.x[2] + self.x[3]


def test_zeros_equal_those_of_the_matrix_pencil() -> None:
    inverse = tg.inverse(Linear(), "y", "u")
    rng = np.random.default_rng(23)
    b = np.array([[1.0], [0.5], [-0.3], [0.2]])
    c = np.array([[1.0, 0.8, 2.0, 1.0]])
    unstable = 0
    for _ in range(6):
        a = rng.normal(size=(4, 4))
        found = tg.zero_dynamics(inverse, parameters={"plant.A": a})
        pencil = np.block([[a, b], [c, np.zeros((1, 1))]])
        values: Any = scipy.linalg.eigvals(pencil, np.diag([1.0] * 4 + [0.0]))
        wanted = np.sort_complex(values[np.abs(values) < 1e6])
        known = [z for zero in found.points[0].values for z in {zero.value, zero.value.conjugate()}]
        assert np.sort_complex(np.array(known)) == pytest.approx(wanted, rel=1e-8)
        assert bool(found.unstable) == bool((wanted.real > 0.0).any())
        assert found.success == (not found.unstable)
        unstable += bool(found.unstable)
    assert 0 < unstable < 6


def test_an_unstable_zero_is_named_with_its_states() -> None:
    class Backwards(tg.Component):
        u = tg.input()
        y = tg.output()
        x = tg.variable(start=0.0, fixed=True)
        v = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == self.v
            yield tg.der(self.v) == -2 * self.x - 3 * self.v + self.u
            yield self.y == 3 * self.x - self.v

    found = tg.zero_dynamics(tg.inverse(Backwards(), "y", "u"))
    assert found.zeros == pytest.approx([3.0])
    assert found.message == "at rest: unstable zero at 3 1/s, carried by v"
    assert found.plot() is not None
    turning = tg.zero_dynamics(tg.inverse(Drive(), "load.w", "source.v"))
    assert turning.success, "the angle of the load is at the origin, and nobody asks for it"


def test_linearized_it_is_the_inverse_behind_its_filter() -> None:
    """The responses of the inverse and of the plant, one after the other, are that of the filter."""
    inverse = tg.inverse(Drive(), {"load.w": "w"}, {"source.v": "v"}, filter=tg.butterworth(cutoff="8 Hz"))
    back = tg.linearize(inverse, inputs="w", outputs="v")
    plant = tg.linearize(DrivenDrive(), inputs="v", outputs="load.w")
    hertz = np.array([0.3, 2.0, 8.0, 40.0])
    product = back.frequency_response(hertz)[:, 0, 0] * plant.frequency_response(hertz)[:, 0, 0]
    s = 1j * hertz / 8.0
    assert product == pytest.approx(1.0 / ((s + 1.0) * (s * s + s + 1.0)), rel=1e-6)
    exact = tg.inverse(Drive(), {"load.w": "w"}, {"source.v": "v"})
    parts = tg.linearize(exact, inputs=["w", "der_w", "der2_w", "der3_w"], outputs="v")
    s = 2j * pi * hertz
    total = np.einsum("fi,if->f", parts.frequency_response(hertz)[:, 0, :], np.array([s**k for k in range(4)]))
    assert total * plant.frequency_response(hertz)[:, 0, 0] == pytest.approx(np.ones(4), rel=1e-6)
    direct = tg.frequency_response(exact, hertz, inputs=["w", "der_w", "der2_w", "der3_w"], outputs="v")
    assert direct["v", "der2_w"] == pytest.approx(parts.frequency_response(hertz)[:, 0, 2], rel=1e-6)


def test_it_is_written_as_modelica_text() -> None:
    text = tg.write_modelica(tg.inverse(Drive(), "load.w", "source.v", filter=tg.bessel()))
    assert "source_v = plant.source.v" in text
    with pytest.raises(tg.ExportError, match="E421"):
        tg.write_modelica(tg.inverse(Drive(), "load.w", "source.v"))


def test_a_system_and_an_input_that_is_fed() -> None:
    system = tg.System("chain")
    system.add(a=blocks.FirstOrder(T=1.0), b=blocks.FirstOrder(T=2.0))
    system.connect(system.a.y, system.b.u)
    assert tg.inverse(system, "b.y", "a.u").relative_degrees[0].degree == 2
    with pytest.raises(tg.StructureError, match=r"E220.*connected inside of the model"):
        tg.inverse(system, "b.y", "b.u")


def test_an_exported_inverse_runs_alike(tmp_path: Path) -> None:
    inverse = tg.inverse(blocks.FirstOrder(k=2.0, T=0.5), "y", "u")
    unit = tg.read_fmu(tg.export_fmu(inverse, tmp_path / "inverse.fmu").path)

    class Fed(tg.Component):
        fmu = unit()

        def equations(self) -> Iterator[Any]:
            yield self.fmu.y == tg.sin(3 * tg.time)
            yield self.fmu.der_y == 3 * tg.cos(3 * tg.time)

    run = tg.simulate(Fed(), 1.0)
    assert run["fmu.u"] == pytest.approx((np.sin(3 * run.time) + 1.5 * np.cos(3 * run.time)) / 2.0, abs=1e-6)


def test_a_reference_inside_and_its_effect_on_parameters() -> None:
    """The reference may be an expression of time; derivatives by parameters pass through the inverse."""
    inverse = tg.inverse(blocks.FirstOrder(k=2.0, T=0.5), {"y": tg.sin(3 * tg.time)}, "u")
    found = tg.sensitivity(inverse, 1.0, wrt=["plant.T"])
    t = found.solution.time
    assert found.solution["u"] == pytest.approx((np.sin(3 * t) + 1.5 * np.cos(3 * t)) / 2.0, abs=1e-6)
    assert found["u", "plant.T"] == pytest.approx(3.0 * np.cos(3 * t) / 2.0, abs=1e-6)
