"""A DC motor fitted to a noisy measurement: resistance, inductance, constant, inertia and friction, with intervals.

The measurement is simulated, with parameters the fit does not know; a real one would be the name of a CSV file.
"""

from pathlib import Path

import numpy as np
import pandas as pd

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Motor(tg.Component):
    """A voltage step on a motor with a flywheel."""

    source = el.StepVoltage(V=12.0, start_time=0.05)
    r = el.Resistor(R=1.0)
    coil = el.Inductor(L=1e-3, i=tg.variable(start=0.0, fixed=True))
    emf = el.EMF(k=0.1)
    load = rot.Inertia(J=5e-4, w=tg.variable(start=0.0, fixed=True))
    bearing = rot.Damper(d=1e-4)
    housing = rot.Fixed()
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.coil.p
        yield self.coil.n, self.emf.p
        yield self.emf.n, self.source.n, self.ground.p
        yield self.emf.flange, self.load.flange_a, self.bearing.flange_a
        yield self.bearing.flange_b, self.housing.flange


TRUE = {"r.R": 2.1, "coil.L": 6e-3, "emf.k": 0.045, "load.J": 1.4e-3, "bearing.d": 3e-4}


def measurement(model: tg.CompiledModel) -> pd.DataFrame:
    """What instruments would show: 400 rows with noise of 50 mA and 1 rad/s."""
    rng = np.random.default_rng(5)
    table = model.simulate(2.0, points=400, parameters=TRUE).at(np.linspace(0.0, 2.0, 400))
    current = table["coil.i"] + 0.05 * rng.standard_normal(400)
    speed = table["load.w"] + 1.0 * rng.standard_normal(400)
    return pd.DataFrame({"time": table.time, "current": current, "speed": speed})


def main() -> None:
    """Measure, fit, and check whether the true values are in the confidence region."""
    model = tg.compile(Motor())
    fit = tg.calibrate(
        model,
        measurement(model),
        variables={
            "r.R": (0.5, 10.0),
            "coil.L": (5e-4, 5e-2),
            "emf.k": (0.01, 0.2),
            "load.J": (1e-4, 1e-2),
            "bearing.d": (1e-5, 1e-2),
        },
        match={"coil.i": "current", "load.w": "speed"},
    )
    print(fit)
    print(f"the true values are {'' if fit.contains(TRUE) else 'not '}in the joint {fit.confidence:.0%} region")
    output = Path("demo_output")
    output.mkdir(exist_ok=True)
    fit.plot().savefig(output / "calibrate_motor.png", dpi=150)
    print(f"plot: {output / 'calibrate_motor.png'}")


if __name__ == "__main__":
    main()
