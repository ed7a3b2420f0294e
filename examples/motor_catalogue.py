"""Which motor, which gear, and how much current: a choice from catalogues together with a number.

A table turns by half a turn and rests, once in every cycle of a second and a half. The motor speeds up and brakes with
the same current. More current is faster, until it is more than the motor bears for a moment (`i_peak`), until the motor
gets too warm over the cycle (`i_rated`, as a root of the mean square), or until the speed takes more voltage than there
is. Asked for are the fastest drive, and the cheapest one that is fast enough.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot

SUPPLY = 24.0
CYCLE = 1.5
ANGLE = np.pi
LOAD = 0.05


class Drive(tg.Component):
    """Amplifier, motor, gear and table; the run ends when the table has stopped."""

    current = tg.parameter(5.0, "A", "while speeding up, and against it while braking")
    i_rated = tg.parameter(3.0, "A", "what the motor bears all the time")
    i_peak = tg.parameter(12.0, "A", "what it bears for a moment")
    price = tg.parameter(100.0, description="of motor and gear together")
    cost = tg.variable(description="what is paid")
    heat = tg.variable("1", "of the winding, one is what it bears all the time")
    strain = tg.variable("1", "current of what the motor bears for a moment")
    voltage = tg.variable("V", "at the motor")
    amplifier = el.SignalCurrent()
    winding = el.Resistor(R=1.0)
    emf = el.EMF(k=0.03)
    rotor = rot.Inertia(J=2e-5)
    gear = rot.IdealGear(ratio=10.0)
    table = rot.Inertia(J=LOAD, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()

    def connections(self):
        yield self.amplifier.n, self.winding.p
        yield self.winding.n, self.emf.p
        yield self.emf.n, self.amplifier.p, self.ground.p
        yield self.emf.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.table.flange_a

    def equations(self):
        half = 0.5 * ANGLE
        yield self.amplifier.u == tg.where(self.table.phi < half, self.current, -self.current)
        yield self.cost == self.price
        yield self.heat == (self.winding.i / self.i_rated) ** 2
        yield self.strain == self.winding.i / self.i_peak
        yield self.voltage == self.winding.v + self.emf.v
        yield tg.when((self.table.w < 0) & (self.table.phi > half), tg.terminate("at rest"))


def motor(name: str, price: float, R: float, k: float, J: float, rated: float, peak: float) -> dict[str, object]:
    """A row of the catalogue."""
    numbers = {"winding.R": R, "emf.k": k, "rotor.J": J, "i_rated": rated, "i_peak": peak, "price": price}
    return {"name": name, **numbers}


MOTORS = [
    motor("S", 60.0, 1.20, 0.026, 1.0e-5, 2.4, 9.0),
    motor("M", 95.0, 0.62, 0.036, 2.6e-5, 3.6, 14.0),
    motor("L", 160.0, 0.30, 0.055, 1.3e-4, 6.2, 24.0),
    motor("XL", 240.0, 0.36, 0.120, 5.6e-4, 5.6, 20.0),
]
GEARS = [4.0, 8.0, 14.0, 22.0, 33.0, 50.0]
LIMITS = [
    tg.peak("abs(strain)") <= 1.0,
    tg.integral("heat") / CYCLE <= 1.0,
    tg.peak("abs(voltage)") <= SUPPLY,
]


def main() -> None:
    """Both questions, and the fastest move of every pair."""
    model = tg.compile(Drive())
    given = {
        "choices": {"motor": MOTORS, "gear.ratio": GEARS},
        "variables": {"current": (0.5, 25.0)},
        "stop": 5.0,
    }
    fastest = tg.optimize(model, minimize=tg.final("time"), subject_to=LIMITS, **given)
    print(fastest)
    cheapest = tg.optimize(model, minimize=tg.final("cost"), subject_to=[*LIMITS, tg.final("time") <= 0.4], **given)
    print(cheapest)
    runs = fastest.to_pandas()
    kept = runs[runs.violation < 1e-5].groupby("choice").objective.min()
    output = Path("demo_output")
    output.mkdir(exist_ok=True)
    figure, axis = plt.subplots(figsize=(7.0, 4.2), layout="constrained")
    for row in MOTORS:
        times = [kept.get(f"motor={row['name']}, gear.ratio={gear}", np.nan) for gear in GEARS]
        axis.semilogx(GEARS, times, "o-", label=f"motor {row['name']}, {row['price']:g}")
    axis.plot(fastest.choice["gear.ratio"], fastest.objective, "o", ms=12, mfc="none", color="k", label="fastest")
    point = cheapest.choice["gear.ratio"], cheapest.solution.time[-1]
    axis.plot(*point, "s", ms=12, mfc="none", color="k", label="cheapest below 0.4 s")
    axis.set_xticks(GEARS, [f"{gear:g}" for gear in GEARS])
    axis.minorticks_off()
    axis.set_xlabel("gear ratio")
    axis.set_ylabel("fastest move with this motor and gear [s]")
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8)
    figure.savefig(output / "motor_catalogue.png", dpi=150)
    print(f"plot: {output / 'motor_catalogue.png'}")


if __name__ == "__main__":
    main()
