"""A slider-crank driven by a motor with a half-wave rectifier: a diode, a capacitor, a winding and three bodies.

The mechanism is a closed loop of three hinges and a slide. Nothing marks where the loop is closed: its constraints are
differentiated in symbols and kept, so that it does not drift. The values are those of example E5 of S. A. Vaze's
dissertation, in inches and ounces as printed there (1 ozf in = 0.00706155 N m).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import machines, planar
from tellegen.library import rotational as rot


class Motor(machines.DC_PermanentMagnet):
    """The motor of the dissertation: its torque constant (0.03954 N m/A) is a little below its voltage constant."""

    two_constants = tg.parameter(True, structural=True)
    k = tg.parameter(0.0401, "V.s/rad", "voltage constant")
    k_t = tg.parameter("5.6 ozf.inch/A", "N.m/A", "torque constant")
    Ra = tg.parameter(2.4, "ohm", "resistance of the armature")
    La = tg.parameter(0.0048, "H", "inductance of the armature")
    Jr = tg.parameter("0.0044 ozf.inch.s2", "kg.m2", "moment of inertia")
    d = tg.parameter("0.0137 ozf.inch.s/rad", "N.m.s/rad", "friction of the bearings")


class SliderCrank(tg.Component):
    """Crank, connecting rod and slider, driven at `shaft`; the crank turns about its centre of mass."""

    shaft = rot.Flange()
    start = tg.parameter("45 deg", "rad", "angle of the crank at the start")
    crank_length = tg.parameter("1 inch", "m", "from shaft to crank pin")
    rod_length = tg.parameter("3 inch", "m", "from crank pin to slider")
    ground = planar.Fixed()
    bearing = planar.Revolute(use_flange=True, phi=tg.variable(start=start, fixed=True), w=tg.variable(fixed=True))
    crank = planar.Body(m="0.00136 ozf.s2/inch", I="0.00414 ozf.inch.s2")
    arm = planar.FixedTranslation(r=[crank_length, 0.0])
    crank_pin = planar.Revolute(phi=tg.variable(start=-start))  # a guess: the rod lies about along the slide
    rod = planar.BodyShape(r_ab=[rod_length, 0.0], m="0.0041 ozf.s2/inch", I="0.0373 ozf.inch.s2")
    slider_pin = planar.Revolute()
    slider = planar.Body(m="0.6211 ozf.s2/inch", I="1 ozf.inch.s2")
    slide = planar.Prismatic(r=[1.0, 0.0], s=tg.variable(start=crank_length + rod_length))

    def connections(self) -> Iterator[Any]:
        """Once round the loop."""
        yield self.shaft, self.bearing.flange_a
        yield self.ground.frame, self.bearing.frame_a, self.slide.frame_a
        yield self.bearing.frame_b, self.crank.frame_a, self.arm.frame_a
        yield self.arm.frame_b, self.crank_pin.frame_a
        yield self.crank_pin.frame_b, self.rod.frame_a
        yield self.rod.frame_b, self.slider_pin.frame_a
        yield self.slider_pin.frame_b, self.slider.frame_a, self.slide.frame_b


class RectifiedDrive(tg.Component):
    """5 V at 50 Hz, a diode D1N4148 and a capacitor of 1/24 F feed the motor."""

    world = planar.PlanarWorld(g=0.0)
    source = el.SineVoltage(V=5.0, f=50.0)
    diode = el.Diode(Is=2.682e-9, N=1.836, Rs=0.5664, Gmin=0.0, T_ref=0.026 * 1.602176634e-19 / 1.380649e-23)  # 26 mV
    c = el.Capacitor(C=1 / 24, v=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()
    motor = Motor()
    mechanism = SliderCrank()

    def connections(self) -> Iterator[Any]:
        """The rectifier, and the shaft between motor and crank."""
        yield self.source.p, self.diode.p
        yield self.diode.n, self.c.p, self.motor.pin_ap
        yield self.source.n, self.c.n, self.motor.pin_an, self.ground.p
        yield self.motor.flange, self.mechanism.shaft


def draw(solution: tg.Solution, times: Any, axes: Any) -> None:
    """The mechanism at some instants, the later the darker: ground, crank pin and slider."""
    for k, t in enumerate(times):
        row = solution.at(t)
        pin = row["mechanism.arm.frame_b.x"], row["mechanism.arm.frame_b.y"]
        points = np.array([(0.0, 0.0), pin, row["mechanism.slider.r"]]) / 0.0254
        shade = (k + 1) / len(times)
        axes.plot(*points.T, "o-", color="C0", alpha=shade, lw=2, ms=4)
        axes.plot(*points[-1], "s", color="C1", alpha=shade, ms=14)
    axes.axhline(0.0, color="grey", lw=0.5)
    axes.set(aspect="equal", xlabel="x [in]", ylabel="y [in]", title=f"from {times[0]:g} s to {times[-1]:g} s")


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate a second, print the power of the motor, plot trajectories and a few frames of the motion."""
    solution = tg.simulate(RectifiedDrive(), stop=1.0, rtol=1e-7, points=1001)
    folder.mkdir(parents=True, exist_ok=True)
    signals = ("c.v", "motor.ia", "motor.w", "mechanism.slide.a")
    solution.plot(*signals).savefig(folder / "slider_crank.png")
    figure, axes = plt.subplots(figsize=(8, 3.2), layout="constrained")
    draw(solution, np.linspace(0.6, 0.8, 6), axes)
    figure.savefig(folder / "slider_crank_motion.png", dpi=110)
    power = solution["c.v"] * solution["motor.ia"]
    for t in (0.1, 0.5, 1.0):
        print(f"t = {t:g} s: {np.interp(t, solution.time, power):.6f} W into the motor")
    pin = np.stack([solution["mechanism.arm.frame_b.x"], solution["mechanism.arm.frame_b.y"]], axis=1)
    rod = np.linalg.norm(solution["mechanism.slider.r"] - pin, axis=1)
    print(f"the rod keeps its length to {np.ptp(rod):.1e} m")
    print(f"plots: {folder / 'slider_crank.png'}, {folder / 'slider_crank_motion.png'}")
    return solution


if __name__ == "__main__":
    main()
