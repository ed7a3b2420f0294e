"""A drive written in Modelica, tuned with exact gradients: the gains of its PI controller for the least squared error.

The model is examples/data/Servo.mo. It is translated like any component: events at the limits of the amplifier and at
the load step, and derivatives of the cost with respect to the gains, need nothing more.
"""

from pathlib import Path

import matplotlib.pyplot as plt

import tellegen as tg

FILE = Path(__file__).parent / "data" / "Servo.mo"
GAINS = {"kp": (0.1, 20.0), "Ti": (0.02, 2.0)}


def servo() -> tg.Component:
    """The drive of the file, as a component."""
    return tg.load_modelica(FILE)["Servo.Drive"]()


def main() -> None:
    """Tune, print both costs, draw both step responses."""
    drive = tg.compile(servo())
    before = drive.simulate(1.0)
    tuned = tg.optimize(drive, stop=1.0, minimize=tg.final("cost"), variables=GAINS)
    after = tuned.solution
    print(tuned)
    figure, (speed, voltage) = plt.subplots(2, 1, sharex=True, layout="constrained")
    for solution, name in ((before, "as written"), (after, "tuned")):
        speed.plot(solution.time, solution["load.w"], label=name)
        voltage.plot(solution.time, solution["motor.amplifier.y"])
    speed.set(ylabel="load.w in rad/s", title="Speed of a drive written in Modelica")
    speed.legend()
    voltage.set(xlabel="time in s", ylabel="voltage in V")
    output = Path("demo_output")
    output.mkdir(exist_ok=True)
    figure.savefig(output / "modelica_servo.png", dpi=150)
    print(f"plot: {output / 'modelica_servo.png'}")


if __name__ == "__main__":
    main()
