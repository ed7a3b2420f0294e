"""Software in the loop: a PI controller in C and an observer in Python around a DC motor.

The motor has a sensor for its current only. The observer, a copy of the motor's equations that is corrected by the
measured current, estimates the speed; the controller, C code as it would be flashed, works on the estimate. The speed
in steady state and the poles of the observer are known in closed form. Needs a C compiler (cc, gcc or clang).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class PI(tg.Software):
    """C source, compiled when the model is; X_, U_, P_ and Y_ are the indices of names in their arrays."""

    wanted = tg.input("rad/s")
    speed = tg.input("rad/s")
    voltage = tg.output("V")
    integral = tg.variable("rad", start=0.0)
    kp = tg.parameter(0.05, "V.s/rad")
    ki = tg.parameter(1.5, "V/rad")

    source = """
    void outputs(double time, const double *x, const double *u, const double *p, double *y)
    {
        double error = u[U_wanted] - u[U_speed];
        y[Y_voltage] = p[P_kp]*error + p[P_ki]*x[X_integral];
    }

    void derivatives(double time, const double *x, const double *u, const double *p, double *dx)
    {
        dx[X_integral] = u[U_wanted] - u[U_speed];
    }
    """


class Observer(tg.Software):
    """Luenberger's observer: the speed from voltage and current."""

    voltage = tg.input("V")
    current = tg.input("A")
    speed = tg.output("rad/s")
    i = tg.variable("A", start=0.0)
    w = tg.variable("rad/s", start=20.0)  # wrong at first
    R = tg.parameter(2.4, "ohm")
    L = tg.parameter(4.8e-3, "H")
    k = tg.parameter(0.04, "N.m/A")
    J = tg.parameter(2e-4, "kg.m2")
    b = tg.parameter(1e-5, "N.m.s/rad")
    fast = tg.parameter(400.0, "1/s", "decay of the error")

    def outputs(self) -> float:
        """A state: the observer closes no algebraic loop."""
        return self.w

    def derivatives(self) -> dict[str, float]:
        """The motor, and corrections that put both poles of the error at -fast."""
        miss = self.current - self.i
        to_current = 2 * self.fast - self.R / self.L - self.b / self.J
        to_speed = self.k / self.J - (self.fast - self.b / self.J) ** 2 * self.L / self.k
        return {
            "i": (self.voltage - self.R * self.i - self.k * self.w) / self.L + to_current * miss,
            "w": (self.k * self.i - self.b * self.w) / self.J + to_speed * miss,
        }


class Drive(tg.Component):
    """The motor, from library parts, and its software."""

    wanted = tg.parameter(100.0, "rad/s", "reference speed")
    source = el.SignalVoltage()
    resistor = el.Resistor(R=2.4)
    inductor = el.Inductor(L=4.8e-3)
    emf = el.EMF(k=0.04)
    rotor = rot.Inertia(J=2e-4)
    friction = rot.Damper(d=1e-5)
    housing = rot.Fixed()
    ground = el.Ground()
    control = PI()
    observer = Observer()

    def connections(self) -> Iterator[Any]:
        """Wires, shaft and signals."""
        yield self.source.p, self.resistor.p
        yield self.resistor.n, self.inductor.p
        yield self.inductor.n, self.emf.p
        yield self.emf.n, self.source.n, self.ground.p
        yield self.emf.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.friction.flange_a
        yield self.friction.flange_b, self.housing.flange
        yield self.control.voltage, self.source.u, self.observer.voltage
        yield self.observer.speed, self.control.speed

    def equations(self) -> Iterator[Any]:
        """The measurements and the reference of the software."""
        yield self.control.wanted == self.wanted
        yield self.observer.current == self.inductor.i


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate 1 s; compare the final values with the reference, and the poles of the observer with their design."""
    compiled = tg.compile(Drive())
    print(compiled.schedule())
    solution = compiled.simulate(1.0, rtol=1e-8)
    poles = tg.linearize(compiled, at=1.0).eigenvalues
    nearest = poles[np.argsort(np.abs(poles + solution["observer.fast"]))][:2]
    folder.mkdir(parents=True, exist_ok=True)
    solution.plot("rotor.w", "observer.w", "control.voltage").savefig(folder / "software_in_the_loop.png")
    print(f"speed at the end: {solution['rotor.w'][-1]:.3f} rad/s, estimated {solution['observer.w'][-1]:.3f} rad/s")
    print(f"poles of the observer: {', '.join(f'{pole:.4g}' for pole in nearest)} 1/s")
    print(f"plot:  {folder / 'software_in_the_loop.png'}")
    return solution


if __name__ == "__main__":
    main()
