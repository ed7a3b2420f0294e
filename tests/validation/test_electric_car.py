"""An electric car with a field-weakened PMSM through a drive cycle: every solver at every tolerance, and its energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks, drives
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import rotational as rot
from tellegen.library import translational as tr

TIMES = [0, 10, 30, 60, 75, 85, 110, 150, 165, 175, 215, 255, 285, 300]
KM_PER_HOUR = [0, 0, 50, 50, 0, 0, 80, 80, 30, 30, 110, 110, 0, 0]
RADIUS = 0.3
MASS = 1500.0


class Inverter(tg.Component):
    """Lossless, averaged, between a dc link and a machine in d and q."""

    dc_p = el.Pin()
    dc_n = el.Pin()
    v_d = tg.input("V")
    v_q = tg.input("V")
    i_d = tg.input("A")
    i_q = tg.input("A")
    P = tg.variable("W")

    def equations(self) -> Any:
        yield self.P == 1.5 * (self.v_d * self.i_d + self.v_q * self.i_q)
        yield self.P == (self.dc_p.v - self.dc_n.v) * self.dc_p.i
        yield self.dc_p.i + self.dc_n.i == 0


class Car(tg.Component):
    """Battery, drive and a vehicle with drag and rolling resistance."""

    ratio = tg.parameter(9.0, "1")
    battery = ma.Battery(Ns=96, Np=40, SOC=tg.variable(start=0.9, fixed=True))
    inverter = Inverter()
    motor = ma.SM_PermanentMagnetDQ(
        use_damper_cage=False,
        use_flange=True,
        p=4,
        Rs=0.02,
        Lssigma=5e-5,
        Lmd=1.5e-4,
        Lmq=3.5e-4,
        psi_pm=0.07,
        Jr=0.05,
        d=1e-3,
    )
    speed = drives.SpeedController(J=0.05 + MASS * RADIUS**2 / 81, w_s=5.0, tau_max=250.0)
    reference = drives.CurrentReference(p=4, psi=0.07, L_d=2e-4, L_q=4e-4, i_max=600.0, mtpa=True)
    weak = drives.FieldWeakening(i_max=400.0)
    current = drives.CurrentController(R=0.02, L_d=2e-4, L_q=4e-4, w_c=1000.0)
    gear = rot.IdealGear(ratio=ratio)
    wheel = rot.IdealRollingWheel(radius=RADIUS)
    mass = tr.Mass(m=MASS)
    drag = tr.QuadraticSpeedDependentForce(f_nominal=-0.39, v_nominal=1.0, force_direction=False)
    roll = tr.SupportFriction(F_Coulomb=0.01 * MASS * 9.81)
    ground = el.Ground()
    cycle = blocks.Table(times=TIMES, values=[v / 3.6 for v in KM_PER_HOUR])
    E = tg.variable("J", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield self.speed.w_ref == self.cycle.y / RADIUS * self.ratio
        yield self.speed.w == self.motor.w
        yield self.current.i_d == self.motor.i_d
        yield self.current.i_q == self.motor.i_q
        yield self.inverter.i_d == self.motor.i_d
        yield self.inverter.i_q == self.motor.i_q
        yield self.current.w_axes == 4 * self.motor.w
        yield self.current.psi == 0.07
        yield self.current.v_max == self.battery.v / np.sqrt(3)
        yield self.weak.v_limit == 0.95 * self.battery.v / np.sqrt(3)
        yield tg.der(self.E) == -self.battery.v * self.battery.i

    def connections(self) -> Any:
        yield self.speed.tau, self.reference.tau
        yield self.reference.i_d, self.current.i_d_ref
        yield self.reference.i_q, self.current.i_q_ref
        yield self.current.v_d, self.motor.v_d, self.inverter.v_d, self.weak.v_d
        yield self.current.v_q, self.motor.v_q, self.inverter.v_q, self.weak.v_q
        yield self.weak.i_d, self.reference.i_d_more
        yield self.battery.p, self.inverter.dc_p
        yield self.battery.n, self.inverter.dc_n, self.ground.p
        yield self.motor.flange, self.gear.flange_a
        yield self.gear.flange_b, self.wheel.flange_r
        yield self.wheel.flange_t, self.mass.flange_a
        yield self.mass.flange_b, self.drag.flange, self.roll.flange_a


@pytest.fixture(scope="module")
def car() -> tg.CompiledModel:
    return tg.compile(Car())


def test_the_battery_pays_for_all_losses(car: tg.CompiledModel) -> None:
    """The car stands at both ends, so its energy is lost in the winding, the bearing, the air and the tyres.

    The trapezoidal rule over 30 001 points is good to 1e-5; what still moves at the end is less.
    """
    run = car.simulate(300.0, rtol=1e-8, points=30_001)
    v = run["mass.v"]
    copper = 1.5 * 0.02 * (run["motor.i_d"] ** 2 + run["motor.i_q"] ** 2)
    lost = copper + 1e-3 * run["motor.w"] ** 2 + 0.39 * np.abs(v) * v**2 + run["roll.f"] * v
    assert np.trapezoid(lost, run.time) == pytest.approx(run["E"][-1], rel=1e-4)
    assert run["motor.i_d"].min() < -100.0  # the field is weakened


@pytest.mark.parametrize("solver", ["auto", "cvode", "ida"])
def test_every_tolerance_is_reached(car: tg.CompiledModel, solver: str) -> None:
    """Runs at tight tolerances failed; errors may add up to a hundred times the relative tolerance."""
    ends = {}
    for rtol in (1e-5, 1e-7, 1e-9):
        ends[rtol] = [
            car.simulate(300.0, rtol=rtol, solver=solver, parameters={"ratio": r})["E"][-1] for r in (8.95, 9.05)
        ]
    for rtol in (1e-5, 1e-7):
        np.testing.assert_allclose(ends[rtol], ends[1e-9], rtol=100 * rtol)
