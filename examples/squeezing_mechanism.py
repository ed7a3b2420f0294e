"""Andrews' squeezing mechanism: seven bodies and three loops, driven by a motor against a spring.

A test problem of multibody programs since 1981, with the data of W. Schiehlen's handbook as used by E. Hairer and
G. Wanner (Solving Ordinary Differential Equations II, sec. VII.7). Here it is ten hinges and seven bodies, connected as
they are; angles at the end agree with the values published there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import planar
from tellegen.library import rotational as rot


def hinge(angle: float = 0.0) -> planar.Revolute:
    """With a guess for its angle: the loops can be assembled in several ways."""
    return planar.Revolute(phi=tg.variable(start=angle))


class SqueezingMechanism(tg.Component):
    """The motor turns k1; k2 pulls k3, which a spring holds, and squeezes the pairs k4, k5 and k6, k7."""

    world = planar.PlanarWorld(g=0.0)
    o = planar.Fixed()
    a = planar.Fixed(r=[-0.06934, -0.00227])
    b = planar.Fixed(r=[-0.03635, 0.03273])
    c = planar.Fixed(r=[0.014, 0.072])
    k1 = planar.BodyShape(r_ab=[7e-3, 0.0], r_CM=[9.2e-4, 0.0], m=0.04325, I=2.194e-6)
    k2 = planar.BodyShape(r_ab=[-28e-3, 0.0], r_CM=[-11.5e-3, 0.0], m=0.00365, I=4.410e-7)
    k3 = planar.BodyShape(r_ab=[0.0, -35e-3], r_CM=[10.43e-3, -18.74e-3], m=0.02373, I=5.255e-6)
    hook = planar.FixedTranslation(r=[20e-3, -18e-3])
    k4 = planar.BodyShape(r_ab=[0.0, -20e-3], r_CM=[0.0, -5.79e-3], m=0.00706, I=5.667e-7)
    k5 = planar.BodyShape(r_ab=[40e-3, 0.0], r_CM=[23.08e-3, 9.16e-3], m=0.07050, I=1.169e-5)
    k6 = planar.BodyShape(r_ab=[20e-3, 0.0], r_CM=[5.79e-3, 0.0], m=0.00706, I=5.667e-7)
    k7 = planar.BodyShape(r_ab=[0.0, -40e-3], r_CM=[-4.49e-3, -12.28e-3], m=0.05498, I=1.912e-5)
    beta = planar.Revolute(
        use_flange=True,
        phi=tg.variable(start=-0.0617138900142764496, fixed=True),
        w=tg.variable(start=0.0, fixed=True),
    )
    theta = hinge()
    gamma = hinge(0.455279819163070380)
    phi = hinge(0.222668390165885885)
    delta = hinge(0.487364979543842550)
    omega = hinge(-0.222668390165885885)
    epsilon = hinge(1.23054744454982119)
    pin3 = hinge()
    pin4 = hinge()
    pin6 = hinge()
    spring = planar.Spring(c=4530.0, s_unstretched=0.07785)
    motor = rot.ConstantTorque(tau_constant=0.033)

    def connections(self) -> Iterator[Any]:
        """From the bearings at o, b and a to the pin that all three loops share."""
        yield self.o.frame, self.beta.frame_a
        yield self.beta.flange_a, self.motor.flange
        yield self.beta.frame_b, self.k1.frame_a
        yield self.k1.frame_b, self.theta.frame_a
        yield self.theta.frame_b, self.k2.frame_a
        yield self.k2.frame_b, self.pin3.frame_a, self.pin4.frame_a, self.pin6.frame_a
        yield self.b.frame, self.gamma.frame_a
        yield self.gamma.frame_b, self.k3.frame_a, self.hook.frame_a
        yield self.k3.frame_b, self.pin3.frame_b
        yield self.hook.frame_b, self.spring.frame_a
        yield self.c.frame, self.spring.frame_b
        yield self.a.frame, self.delta.frame_a, self.epsilon.frame_a
        yield self.delta.frame_b, self.k5.frame_a
        yield self.k5.frame_b, self.phi.frame_a
        yield self.phi.frame_b, self.k4.frame_a
        yield self.k4.frame_b, self.pin4.frame_b
        yield self.epsilon.frame_b, self.k7.frame_a
        yield self.k7.frame_b, self.omega.frame_a
        yield self.omega.frame_b, self.k6.frame_a
        yield self.k6.frame_b, self.pin6.frame_b


PUBLISHED = {
    "beta.phi": 15.81077119629904,
    "theta.phi": -15.75637105984298,
    "gamma.phi": 0.04082224013073101,
    "phi.phi": -0.5347301163226948,
    "delta.phi": 0.5244099658805304,
    "omega.phi": 0.5347301163226948,
    "epsilon.phi": 1.048080741042263,
}
"""Angles after 30 ms."""


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate 30 ms, compare with the published angles and plot all angles."""
    solution = tg.simulate(SqueezingMechanism(), stop="30 ms", rtol=1e-8)
    error = max(abs(solution[path][-1] - angle) for path, angle in PUBLISHED.items())
    folder.mkdir(parents=True, exist_ok=True)
    figure, axis = plt.subplots(figsize=(8, 3.6), layout="constrained")
    for path in PUBLISHED:
        axis.plot(1e3 * solution.time, np.angle(np.exp(1j * solution[path])), label=path)
    axis.set(xlabel="time in ms", ylabel="angle in rad", ylim=(-1.0, 1.4))
    axis.legend(ncols=4)
    figure.savefig(folder / "squeezing_mechanism.png")
    print(f"{solution.stats['steps']} steps of {solution.stats['solver']}, largest error of an angle {error:.1e} rad")
    print(f"plot:  {folder / 'squeezing_mechanism.png'}")
    return solution


if __name__ == "__main__":
    main()
