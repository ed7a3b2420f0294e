"""The missile seeker of A. Diaz-Calderon's thesis (2000): seven software components, scheduled on levels.

A gimbal with two axes, turned by two motors over elastic couplings, each under a PID controller. Gimbal and motors
compute their outputs from states alone, couplings and controllers use their inputs directly; from that follows which
code can run when. The thesis prints the code of the motor and the numbers of all components; the code of the others,
and the inertias of the gimbal, are ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import tellegen as tg


class Gimbal(tg.Software):
    """Two axes; the camera adds to the inertia of the yaw axis the more, the less it is pitched."""

    pitch_torque = tg.input("N.m")
    yaw_torque = tg.input("N.m")
    pitch = tg.output("rad")
    pitch_rate = tg.output("rad/s")
    yaw = tg.output("rad")
    yaw_rate = tg.output("rad/s")
    q1 = tg.variable("rad")
    w1 = tg.variable("rad/s")
    q2 = tg.variable("rad")
    w2 = tg.variable("rad/s")
    camera = tg.parameter(0.0012, "kg.m2")
    ring = tg.parameter(0.0018, "kg.m2")

    def outputs(self) -> tuple[float, ...]:
        """Nothing but states: an input cannot act at once."""
        return self.q1, self.w1, self.q2, self.w2

    def derivatives(self) -> tuple[float, ...]:
        """Lagrange's equations of both axes."""
        inertia = self.ring + self.camera * math.cos(self.q1) ** 2
        change = -self.camera * math.sin(2 * self.q1)  # of the inertia with pitch
        pitching = (self.pitch_torque + change * self.w2**2 / 2) / self.camera
        return self.w1, pitching, self.w2, (self.yaw_torque - change * self.w1 * self.w2) / inertia


class Motor(tg.Software):
    """Listing C-4 of the thesis."""

    voltage = tg.input("V")
    torque = tg.input("N.m")
    angle = tg.output("rad")
    q = tg.variable("rad")
    w = tg.variable("rad/s")
    Jm = tg.parameter(4.05e-7)
    bm = tg.parameter(7.9e-3)
    Km = tg.parameter(8.13e-4)
    Kl = tg.parameter(100.0)
    n = tg.parameter(10.0)

    def outputs(self) -> float:
        """The angle is a state."""
        return self.q

    def derivatives(self) -> tuple[float, ...]:
        """Drive, friction and the load at the gear."""
        return self.w, (self.Km * self.Kl * self.voltage - self.bm * self.w - self.torque / self.n) / self.Jm


class Coupling(tg.Software):
    """An elastic shaft after a gear: no state."""

    motor = tg.input("rad")
    load = tg.input("rad")
    torque = tg.output("N.m")
    stiffness = tg.parameter(1000.0, "N.m/rad")
    ratio = tg.parameter(10.0)

    def outputs(self) -> float:
        """Inputs act at once."""
        return self.stiffness * (self.motor / self.ratio - self.load)


class PID(tg.Software):
    """Angle and rate against what is wanted."""

    angle = tg.input("rad")
    rate = tg.input("rad/s")
    wanted = tg.input("rad")
    wanted_rate = tg.input("rad/s")
    voltage = tg.output("V")
    integral = tg.variable()
    kp = tg.parameter(30.0)
    ki = tg.parameter(0.01)
    kd = tg.parameter(0.6)

    def outputs(self) -> float:
        """Inputs act at once."""
        error = self.wanted - self.angle
        change = self.wanted_rate - self.rate
        return self.kp * error + self.ki * self.integral + self.kd * change

    def derivatives(self) -> float:
        """The integral of the error."""
        return self.wanted - self.angle


class Seeker(tg.Component):
    """Listing 2-7: 20 connections."""

    pitch_wanted = tg.input("rad")
    pitch_rate_wanted = tg.input("rad/s")
    yaw_wanted = tg.input("rad")
    yaw_rate_wanted = tg.input("rad/s")
    g = Gimbal()
    pid_y = PID(kp=45.0, kd=0.5)
    pid_p = PID()
    c1 = Coupling()
    c2 = Coupling(stiffness=500.0)
    dc_p = Motor()
    dc_y = Motor(Km=8e-5, Kl=400.0)
    pitch = tg.output("rad")
    yaw = tg.output("rad")

    def connections(self) -> Iterator[Any]:
        """Every input is fed by one output."""
        axes = (
            (self.c1, self.dc_p, self.pid_p, self.g.pitch, self.g.pitch_rate, self.g.pitch_torque),
            (self.c2, self.dc_y, self.pid_y, self.g.yaw, self.g.yaw_rate, self.g.yaw_torque),
        )
        for coupling, motor, pid, angle, rate, torque in axes:
            yield coupling.torque, torque
            yield motor.angle, coupling.motor
            yield angle, coupling.load
            yield angle, pid.angle
            yield rate, pid.rate
            yield pid.voltage, motor.voltage
            yield coupling.torque, motor.torque
        yield self.pitch_wanted, self.pid_p.wanted
        yield self.pitch_rate_wanted, self.pid_p.wanted_rate
        yield self.yaw_wanted, self.pid_y.wanted
        yield self.yaw_rate_wanted, self.pid_y.wanted_rate
        yield self.g.pitch, self.pitch
        yield self.g.yaw, self.yaw
