"""A user-defined component together with those of the library: a fan, driven by a motor, cools a plate.

How it was written and tested is described in docs/your-own-component.md; `tellegen library examples/fan.py:Fan`
explains it.
"""

from pathlib import Path

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library import thermal as th


class Fan(tg.Component):
    """A fan that cools: tau = k w |w| at the shaft, Q_flow = g |w| (port_hot.T - port_air.T) from port_hot to the air.

    The torque at the flange is positive, against the motion. The shaft power heats the air as well.
    """

    flange = rot.Flange("shaft")
    port_hot = th.HeatPort("cooled body")
    port_air = th.HeatPort("the air")
    k = tg.parameter(2e-6, "N.m.s2/rad2", "torque over the square of the speed", min=0.0)
    g = tg.parameter(0.01, "W.s/(K.rad)", "thermal conductance over the speed", min=0.0)
    w = tg.variable("rad/s", "speed", start=0.0)

    def equations(self):
        yield self.w == tg.der(self.flange.phi)
        yield self.flange.tau == self.k * self.w * abs(self.w)
        yield self.port_hot.Q_flow == self.g * abs(self.w) * (self.port_hot.T - self.port_air.T)
        yield self.port_hot.Q_flow + self.port_air.Q_flow + self.flange.tau * self.w == 0


class Cooled(tg.Component):
    """A heated plate; a small motor with a fan starts after 60 s."""

    supply = el.StepVoltage(V=12.0, start_time=60.0)
    winding = el.Resistor(R=2.0)
    motor = el.EMF(k=0.04)
    rotor = rot.Inertia(J=1e-4)
    fan = Fan()
    ground = el.Ground()
    heater = th.FixedHeatFlow(Q_flow=40.0)
    plate = th.HeatCapacitor(C=50.0, T=tg.variable(start=293.15, fixed=True))
    room = th.FixedTemperature(T="20 degC")

    def connections(self):
        yield self.supply.p, self.winding.p
        yield self.winding.n, self.motor.p
        yield self.supply.n, self.motor.n, self.ground.p
        yield self.motor.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.fan.flange
        yield self.heater.port, self.plate.port, self.fan.port_hot
        yield self.fan.port_air, self.room.port


def main() -> None:
    """Simulate five minutes and leave a plot in demo_output/."""
    solution = tg.simulate(Cooled(), stop=300.0)
    output = Path("demo_output")
    output.mkdir(exist_ok=True)
    solution.plot("fan.w", "plate.T").savefig(output / "fan.png", dpi=150)
    hottest = max(solution["plate.T"])
    print(f"the plate reaches {hottest:.1f} K, and {solution['plate.T'][-1]:.1f} K with the fan")
    print(f"plot:  {output / 'fan.png'}")


if __name__ == "__main__":
    main()
