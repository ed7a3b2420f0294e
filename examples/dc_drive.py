"""A DC motor drive across two energy domains: a voltage step spins up an inertia.

Run it with `python examples/dc_drive.py`, look at its equations with
`tellegen show examples/dc_drive.py:Drive --stage flat`.
"""

from pathlib import Path

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class DCMotor(tg.Component):
    """Permanent-magnet DC motor."""

    p = el.Pin()
    n = el.Pin()
    shaft = rot.Flange()
    R = tg.parameter(2.4, "ohm", "armature resistance")
    L = tg.parameter(4.8e-3, "H", "armature inductance")
    k = tg.parameter(0.04, "N.m/A", "torque constant")
    i = tg.variable("A", "armature current", start=0.0)

    def equations(self):
        w = tg.der(self.shaft.phi)
        yield self.p.v - self.n.v == self.R * self.i + self.L * tg.der(self.i) + self.k * w
        yield self.shaft.tau == -self.k * self.i
        yield self.p.i == self.i
        yield self.n.i == -self.i


class Drive(tg.Component):
    """A motor between a voltage step and a flywheel."""

    source = el.StepVoltage(V=12.0)
    motor = DCMotor()
    load = rot.Inertia(J=1e-3)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.motor.p
        yield self.source.n, self.motor.n, self.ground.p
        yield self.motor.shaft, self.load.flange_a


def main() -> None:
    """Simulate two seconds and leave a plot and a table in demo_output/."""
    solution = tg.simulate(Drive(), stop=2.0)
    output = Path("demo_output")
    output.mkdir(exist_ok=True)
    solution.to_csv(output / "dc_drive.csv")
    figure = solution.plot("motor.i", "load.w")
    figure.savefig(output / "dc_drive.png", dpi=150)
    print(f"after 2 s: {solution['load.w'][-1]:.1f} rad/s at {solution['motor.i'][-1]:.3f} A")
    print(f"plot:  {output / 'dc_drive.png'}")
    print(f"table: {output / 'dc_drive.csv'}")


if __name__ == "__main__":
    main()
