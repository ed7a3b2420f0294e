"""A servo drive for colleagues without Tellegen: one file, opened in a browser, with sliders and curves that follow.

The page has the compiled model inside (WebAssembly, the code that `tg.simulate` runs), so a run takes a few
milliseconds on the reader's machine, and no server is asked.
"""

from pathlib import Path

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Servo(tg.Component):
    """A speed controller, a DC motor, an elastic shaft and a load that is braked after half a second."""

    wanted = blocks.Step(height=100.0, start_time=0.05)
    controller = blocks.LimPID(controller_type="PI", k=0.5, Ti=0.08, y_max=48.0)
    source = el.SignalVoltage()
    resistor = el.Resistor(R=0.8)
    coil = el.Inductor(L="1.5 mH", i=tg.variable(start=0.0, fixed=True))
    emf = el.EMF(k=0.12)
    rotor = rot.Inertia(J=2e-4, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=0.0, fixed=True))
    shaft = rot.SpringDamper(c=8.0, d=2e-3)
    load = rot.Inertia(J=8e-4, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=0.0, fixed=True))
    brake = rot.TorqueStep(step_torque=-0.6, start_time=0.5)
    sensor = rot.SpeedSensor()
    ground = el.Ground()

    def connections(self):
        yield self.wanted.y, self.controller.u_s
        yield self.sensor.w, self.controller.u_m
        yield self.controller.y, self.source.u
        yield self.source.p, self.resistor.p
        yield self.resistor.n, self.coil.p
        yield self.coil.n, self.emf.p
        yield self.source.n, self.emf.n, self.ground.p
        yield self.emf.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.shaft.flange_a
        yield self.shaft.flange_b, self.load.flange_a, self.brake.flange, self.sensor.flange


def main():
    folder = Path("demo_output")
    folder.mkdir(exist_ok=True)
    page = tg.export_html(
        Servo(),
        folder / "live_page.html",
        stop=1.0,
        sliders={"controller.k": (0.05, 2.0), "controller.Ti": (0.01, 0.5), "shaft.c": (1.0, 40.0), "load.J": None},
        plots=["rotor.w", "load.w", "coil.i", "source.v"],
    )
    figure = tg.simulate(Servo(), stop=1.0).plot(*page.plots)
    figure.savefig(folder / "live_page.png")
    print(page)
    print(f"open it in a browser: {page.path}; its first curves are in {folder / 'live_page.png'}")


if __name__ == "__main__":
    main()
