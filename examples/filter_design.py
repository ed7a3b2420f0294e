"""The smallest filter that is good enough: inductor and capacitor after a source with ripple.

A DC voltage carries a ripple of 2 kHz. The filter has to bring it below 20 mV and may not let the output shoot up by
more than 10 % when it is switched on. Coil and capacitor cost what they can store: minimize L/mH + C/(100 uF).
"""

from pathlib import Path

import matplotlib.pyplot as plt

import tellegen as tg
from tellegen.library import electrical as el


class Filter(tg.Component):
    """Source with ripple, filter, load."""

    dc = el.ConstantVoltage(V=12.0)
    ripple = el.SineVoltage(V=2.0, f=2e3)
    damping = el.Resistor(R=0.5)
    coil = el.Inductor(L=1e-3, i=tg.variable(start=0.0, fixed=True))
    capacitor = el.Capacitor(C=1e-4, v=tg.variable(start=0.0, fixed=True))
    load = el.Resistor(R=8.0)
    ground = el.Ground()

    def connections(self):
        yield self.dc.p, self.ripple.n
        yield self.ripple.p, self.damping.p
        yield self.damping.n, self.coil.p
        yield self.coil.n, self.capacitor.p, self.load.p
        yield self.load.n, self.capacitor.n, self.dc.n, self.ground.p


def main() -> None:
    """Design, and show the response."""
    model = tg.compile(Filter())
    swing = tg.peak("load.v", start=0.019) - tg.lowest("load.v", start=0.019)
    best = tg.optimize(
        model,
        stop=0.02,
        minimize=tg.final("coil.L / 1e-3 + capacitor.C / 1e-4"),
        variables={"coil.L": (1e-5, 2e-2), "capacitor.C": (1e-6, 2e-3), "damping.R": (0.1, 2.0)},
        subject_to=[1e3 * swing <= 40.0, tg.peak("load.v") <= 1.1 * tg.mean("load.v", start=0.019)],
    )
    print(best)
    output = Path("demo_output")
    output.mkdir(exist_ok=True)
    before = model.simulate(0.02, points=2000)
    after = best.solution
    figure, axis = plt.subplots(figsize=(8.0, 4.0), layout="constrained")
    axis.plot(1e3 * before.time, before["load.v"], color="0.6", label="first guess")
    axis.plot(1e3 * after.time, after["load.v"], label="smallest filter")
    axis.set_xlabel("time [ms]")
    axis.set_ylabel("load.v [V]")
    axis.grid(alpha=0.3)
    axis.legend()
    figure.savefig(output / "filter_design.png", dpi=150)
    print(f"plot: {output / 'filter_design.png'}")


if __name__ == "__main__":
    main()
