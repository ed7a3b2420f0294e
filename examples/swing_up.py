"""A pendulum on a cart is swung up and held by a controller that looks two seconds ahead with the model of the plant.

The controller is made of the plant: nothing is written twice. At every sample it finds the forces for the next forty
periods, within the force of the drive and the length of the track, and applies the first of them. It runs as a sampled
part of the model, in less than a millisecond a sample.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg


class Cart(tg.Component):
    """A cart with a pendulum; phi is zero when it stands upright."""

    M = tg.parameter(1.0, "kg", "mass of the cart")
    m = tg.parameter(0.2, "kg", "mass at the end of the rod")
    rod = tg.parameter(0.5, "m", "length of the rod")
    g = tg.parameter(9.81, "m/s2")
    force = tg.input("N", "of the drive")
    s = tg.variable("m", "position of the cart", start=0.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    phi = tg.variable("rad", "angle of the rod", start=np.pi, fixed=True)
    w = tg.variable("rad/s", start=0.0, fixed=True)

    def equations(self):
        sine = tg.sin(self.phi)
        cosine = tg.cos(self.phi)
        swing = self.m * self.rod * (cosine * tg.der(self.w) - sine * self.w**2)
        yield tg.der(self.s) == self.v
        yield tg.der(self.phi) == self.w
        yield (self.M + self.m) * tg.der(self.v) - swing == self.force
        yield self.rod * tg.der(self.w) - cosine * tg.der(self.v) == self.g * sine


FORCE = 10.0
TRACK = 0.8
CONTROLLER = tg.predictive_control(
    Cart(),
    period="50 ms",
    horizon=40,
    cost=tg.Cost(track={"phi": 10.0, "s": 1.0, "w": 0.1, "v": 0.1}, effort={"force": 0.01}),
    limits={"force": (-FORCE, FORCE), "s": (-TRACK, TRACK)},
)


class Loop(tg.Component):
    """The cart, a little heavier than the controller believes, with its controller."""

    cart = Cart(m=0.22)
    control = CONTROLLER.block()

    def equations(self):
        yield self.cart.force == self.control.force
        for name in CONTROLLER.states:
            yield getattr(self.control, name) == getattr(self.cart, name)
        yield self.control.reference_s == tg.where(tg.time > 4.0, 0.5, 0.0)


def main() -> None:
    """Swing up, hold, move half a metre along."""
    solution = tg.simulate(Loop(), stop=8.0)
    seconds = [sample.seconds for sample in CONTROLLER.samples]
    print(CONTROLLER)
    print(f"upright after {solution.time[np.abs(solution['cart.phi']) > 0.1][-1]:.2f} s")
    print(f"furthest on the track: {np.abs(solution['cart.s']).max():.3f} m of {TRACK} m")
    print(f"time of a sample: {1e3 * np.median(seconds):.2f} ms, the first {1e3 * seconds[0]:.0f} ms")
    folder = Path("demo_output")
    folder.mkdir(exist_ok=True)
    figure, axes = plt.subplots(3, 1, figsize=(8.0, 7.0), sharex=True, layout="constrained")
    axes[0].plot(solution.time, np.degrees(solution["cart.phi"]))
    axes[0].set_ylabel("angle [deg]")
    axes[1].plot(solution.time, solution["cart.s"])
    axes[1].plot(solution.time, solution["control.reference_s"], "--", label="reference")
    axes[1].axhspan(-TRACK, TRACK, alpha=0.1, label="track")
    axes[1].set_ylabel("position [m]")
    axes[1].legend()
    axes[2].plot(solution.time, solution["cart.force"])
    axes[2].set_ylabel("force [N]")
    axes[2].set_xlabel("time [s]")
    target = folder / "swing_up.png"
    figure.savefig(target, dpi=110)
    print(f"plot: {target}")


if __name__ == "__main__":
    main()
