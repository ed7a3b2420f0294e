"""A bouncing ball, and a PID controller in software that holds the speed of a rotor."""

from __future__ import annotations

import tellegen as tg
from golden_models.parts import Flange, Inertia, Statements


class Ball(tg.Component):
    """Bounces until it is slow, then lies."""

    e = tg.parameter(0.8, "1")
    g = tg.parameter(9.81, "m/s2")
    h = tg.variable("m", start="1 m", fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    bounces = tg.integer("how often it hit the ground")
    flying = tg.boolean("not yet at rest", start=True)

    def equations(self) -> Statements:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == tg.where(self.flying, -self.g, 0)
        yield tg.when(
            self.h <= 0,
            tg.reinit(self.v, -self.e * tg.pre(self.v)),
            self.bounces == tg.pre(self.bounces) + 1,
            self.flying == (tg.pre(self.v) < -0.01),
        ).elsewhen(tg.time > 10, tg.terminate("long enough"))
        yield tg.assert_(self.h > -0.1, "the ball fell through the ground")  # noqa: PT009


class PID(tg.Software):
    """A sampled PID controller with limited output."""

    reference = tg.input("rad/s")
    measured = tg.input("rad/s")
    torque = tg.output("N.m")
    integral = tg.variable("rad")
    last = tg.variable("rad/s")
    kp = tg.parameter(2.0, "N.m.s/rad")
    ki = tg.parameter(1.0, "N.m/rad")
    kd = tg.parameter(0.0, "N.m.s2/rad")
    limit = tg.parameter(10.0, "N.m")
    period = tg.parameter("1 ms", "s")

    def outputs(self) -> float:
        error = self.reference - self.measured
        rate = (error - self.last) / self.period
        wanted = self.kp * error + self.ki * self.integral + self.kd * rate
        return min(max(wanted, -self.limit), self.limit)

    def next_states(self) -> dict[str, float]:
        error = self.reference - self.measured
        return {"integral": self.integral + self.period * error, "last": error}


class Actuator(tg.Component):
    """Puts a commanded torque on a flange."""

    flange = Flange()
    tau = tg.input("N.m")

    def equations(self) -> Statements:
        yield self.flange.tau == -self.tau


class Tacho(tg.Component):
    """Measures the speed of a flange."""

    flange = Flange()
    w = tg.output("rad/s")

    def equations(self) -> Statements:
        yield self.flange.tau == 0
        yield self.w == tg.der(self.flange.phi)


class SpeedLoop(tg.Component):
    """The rotor is held at 1000 turns a minute."""

    pid = PID(reference="1000 rpm", kp=0.5)
    actuator = Actuator()
    rotor = Inertia(J="2 g.m2")
    tacho = Tacho()

    def connections(self) -> Statements:
        yield self.pid.torque, self.actuator.tau
        yield self.actuator.flange, self.rotor.a
        yield self.rotor.b, self.tacho.flange
        yield self.tacho.w, self.pid.measured


class Mixing(tg.StateMachine):
    """A stirrer that goes left and right while a vessel is full: modes inside a mode."""

    level = tg.input("m")
    turn = tg.variable("1", discrete=True, start=0.0)

    def modes(self) -> Statements:
        turning = tg.modes(
            tg.mode("left", self.turn == -1),
            tg.mode("right", self.turn == 1),
            tg.transition("left", "right", tg.after("5 s")),
            tg.transition("right", "left", tg.after("5 s")),
            name="sense",
        )
        yield tg.mode("still", self.turn == 0)
        yield tg.mode("stirring", turning)
        yield tg.transition("still", "stirring", self.level > 0.9)
        yield tg.transition("stirring", "still", self.level < 0.1)


class Vessel(tg.Component):
    """Is filled, and drained through an orifice once it is full: modes with equations of different unknowns."""

    A = tg.parameter(1.0, "m2")
    level = tg.variable("m", start=0.0, fixed=True)
    flow = tg.variable("m3/s", "out")
    fed = tg.variable("m3/s", "in")
    mixing = Mixing()

    def equations(self) -> Statements:
        yield self.mixing.level == self.level
        yield self.A * tg.der(self.level) == self.fed - self.flow
        yield tg.modes(
            tg.mode("filling", self.fed == 0.1, self.flow == 0),
            tg.mode("draining", self.flow == 0.2 * tg.sqrt(self.level), self.fed == 0),
            tg.mode("constant", self.fed == self.flow, self.flow == 0.05),
            tg.transition("filling", "draining", self.level > 1, tg.reinit(self.level, 1)),
            tg.transition("draining", "constant", self.level < 0.05),
            tg.transition("*", "filling", tg.after("1 min")),
        )
        yield tg.region(self.level < 2, "the vessel is 2 m high")
