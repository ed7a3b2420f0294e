"""A speed controller travels as an FMU: exported, read again, and run with the drive it was made for.

The supplier of a controller hands out an FMU; the customer connects it to a model of the drive. Here both are at home,
so the same loop can also be run without an FMU, and the curves agree.
"""

from pathlib import Path

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Controller(tg.Component):
    """A PI controller with a limited output that keeps its integrator from winding up."""

    wanted = tg.input("rad/s", "speed that is wanted")
    measured = tg.input("rad/s", "speed that is measured")
    v = tg.output("V", "voltage for the drive")
    k = tg.parameter(0.4, "V.s/rad", "gain")
    Ti = tg.parameter(0.1, "s", "integrator time")
    limit = tg.parameter(24.0, "V", "largest voltage")
    x = tg.variable("V", "state of the integrator", start=0.0, fixed=True)
    u = tg.variable("V", "output without a limit")

    def equations(self):
        error = self.wanted - self.measured
        yield self.u == self.k * error + self.x
        yield self.v == tg.minimum(tg.maximum(self.u, -self.limit), self.limit)
        yield tg.der(self.x) == self.k * error / self.Ti + (self.v - self.u) / self.Ti


class Plant(tg.Component):
    """A DC motor with a load."""

    source = el.SignalVoltage()
    r = el.Resistor(R=1.2)
    coil = el.Inductor(L="2 mH", i=tg.variable(start=0.0, fixed=True))
    emf = el.EMF(k=0.05)
    load = rot.Inertia(J=5e-4, w=tg.variable(start=0.0, fixed=True))
    friction = rot.Damper(d=1e-4)
    wall = rot.Fixed()
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.coil.p
        yield self.coil.n, self.emf.p
        yield self.source.n, self.emf.n, self.ground.p
        yield self.emf.flange, self.load.flange_a
        yield self.load.flange_b, self.friction.flange_a
        yield self.friction.flange_b, self.wall.flange


def closed_loop(controller: type) -> tg.Component:
    """The drive with a controller, whatever that is made of."""

    class Loop(tg.Component):
        """A step of the speed that is wanted, after 0.1 s."""

        plant = Plant()
        control = controller()

        def equations(self):
            yield self.control.wanted == tg.where(tg.time > 0.1, 200.0, 0.0)
            yield self.control.measured == self.plant.load.w
            yield self.plant.source.u == self.control.v

    return Loop()


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Run the loop with the controller as equations, and as an FMU."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "controller.fmu"
    print(tg.export_fmu(Controller(), path))
    runs = {
        "equations": tg.simulate(closed_loop(Controller), stop=1.0),
        "FMU": tg.simulate(closed_loop(tg.read_fmu(path)), stop=1.0),
    }
    for name, run in runs.items():
        print(f"{name:10} speed after 1 s: {run['plant.load.w'][-1]:.6f} rad/s")
    runs["FMU"].plot("plant.load.w", "control.v").savefig(folder / "fmu_controller.png")
    print(f"plot:  {folder / 'fmu_controller.png'}")
    print(f"FMU:   {path}")
    return runs["FMU"]


if __name__ == "__main__":
    main()
