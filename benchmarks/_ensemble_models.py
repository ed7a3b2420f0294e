"""The models of benchmarks/ensembles.py, and what is varied in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Lorenz(tg.Component):
    """Three states, no events."""

    s = tg.parameter(10.0)
    r = tg.parameter(28.0)
    b = tg.parameter(8.0 / 3.0)
    x = tg.variable(start=1.0, fixed=True)
    y = tg.variable(start=0.0, fixed=True)
    z = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """Those of 1963."""
        yield tg.der(self.x) == self.s * (self.y - self.x)
        yield tg.der(self.y) == self.x * (self.r - self.z) - self.y
        yield tg.der(self.z) == self.x * self.y - self.b * self.z


class Drive(tg.Component):
    """A DC motor with a gearbox and a load with friction."""

    source = el.StepVoltage(V=12.0, start_time=0.1)
    R = el.Resistor(R=2.4)
    L = el.Inductor(L=4.8e-3)
    emf = el.EMF(k=0.04)
    rotor = rot.Inertia(J=1e-4)
    gear = rot.IdealGear(ratio=5.0)
    load = rot.Inertia(J=2e-3)
    friction = rot.Damper(d=1e-3)
    fixed = rot.Fixed()
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        """Source, armature, shaft."""
        yield self.source.p, self.R.p
        yield self.R.n, self.L.p
        yield self.L.n, self.emf.p
        yield self.source.n, self.emf.n, self.ground.p
        yield self.emf.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.load.flange_a
        yield self.load.flange_b, self.friction.flange_a
        yield self.friction.flange_b, self.fixed.flange


class Ball(tg.Component):
    """Falls and bounces."""

    g = tg.parameter(9.81)
    e = tg.parameter(0.8)
    h = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """Free fall and impact."""
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -self.g
        yield tg.when(self.h < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)))


class Thermostat(tg.Component):
    """A heated room, on below one temperature and off above another."""

    C = tg.parameter(1000.0)
    G = tg.parameter(10.0)
    P = tg.parameter(500.0)
    low = tg.parameter(19.5)
    high = tg.parameter(20.5)
    T = tg.variable(start=20.0, fixed=True)
    on = tg.boolean("heats", start=True)

    def equations(self) -> Iterator[Any]:
        """Balance of heat, and the switch."""
        outside = 5.0 + 3.0 * tg.sin(0.01 * tg.time)
        yield self.C * tg.der(self.T) == tg.where(self.on, self.P, 0.0) - self.G * (self.T - outside)
        yield tg.when(self.T > self.high, self.on == False).elsewhen(self.T < self.low, self.on == True)  # noqa: E712


class Robertson(tg.Component):
    """Three stiff reactions."""

    k1 = tg.parameter(0.04)
    k2 = tg.parameter(3e7)
    k3 = tg.parameter(1e4)
    a = tg.variable(start=1.0, fixed=True)
    b = tg.variable(start=0.0, fixed=True)
    c = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """Those of 1966."""
        yield tg.der(self.a) == -self.k1 * self.a + self.k3 * self.b * self.c
        yield tg.der(self.b) == self.k1 * self.a - self.k3 * self.b * self.c - self.k2 * self.b**2
        yield tg.der(self.c) == self.k2 * self.b**2


class Hires(tg.Component):
    """High irradiance responses of photomorphogenesis: eight stiff states (Hairer and Wanner, sec. IV.10)."""

    k = tg.parameter(1.71)
    y = tg.variable(shape=(8,), start=[1.0, 0, 0, 0, 0, 0, 0, 0.0057], fixed=True)

    def equations(self) -> Iterator[Any]:
        """Eight reactions."""
        y = self.y
        rate = 280.0 * y[5] * y[7]
        yield tg.der(y[0]) == -self.k * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007
        yield tg.der(y[1]) == self.k * y[0] - 8.75 * y[1]
        yield tg.der(y[2]) == -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4]
        yield tg.der(y[3]) == 8.32 * y[1] + self.k * y[2] - 1.12 * y[3]
        yield tg.der(y[4]) == -1.745 * y[4] + 0.43 * (y[5] + y[6])
        yield tg.der(y[5]) == -rate + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6]
        yield tg.der(y[6]) == rate - 1.81 * y[6]
        yield tg.der(y[7]) == -rate + 1.81 * y[6]


class Ladder(tg.Component):
    """Fifty resistors and capacitors, or a wall of fifty layers."""

    R = tg.parameter(100.0)
    C = tg.parameter(1e-5)
    u = tg.parameter(1.0)
    v = tg.variable(shape=(50,), start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        """What flows in from the left and out to the right."""
        v = self.v
        for k in range(50):
            left = self.u if k == 0 else v[k - 1]
            right = (v[k] - v[k + 1]) / self.R if k < 49 else 0.0
            yield self.C * tg.der(v[k]) == (left - v[k]) / self.R - right


@dataclass(frozen=True)
class Case:
    """A model, what is varied, what is asked for, and how long it runs."""

    name: str
    model: type[tg.Component]
    ranges: dict[str, tuple[float, float]]
    output: str
    stop: float
    solver: str = "auto"
    fixed_steps: int = 0
    is_stiff: bool = False


CASES = (
    Case("Lorenz, 1000 RK4 steps", Lorenz, {"r": (20.0, 30.0)}, "x", 1.0, "rk45", 1000),
    Case("Lorenz, adaptive", Lorenz, {"r": (20.0, 30.0)}, "x", 1.0, "rk45"),
    Case("DC motor with gearbox", Drive, {"R.R": (2.0, 3.0), "load.J": (1e-3, 3e-3)}, "load.w", 2.0),
    Case("bouncing ball", Ball, {"e": (0.75, 0.9), "g": (9.0, 10.0)}, "h", 2.0, "rk45"),
    Case("thermostat", Thermostat, {"C": (800.0, 1500.0), "P": (300.0, 600.0)}, "T", 300.0, "rk45"),
    Case("Robertson", Robertson, {"k1": (0.03, 0.05), "k3": (0.8e4, 1.2e4)}, "c", 1e5, "rodas", is_stiff=True),
    Case("HIRES", Hires, {"k": (1.6, 1.8)}, "y[7]", 321.8122, "rodas", is_stiff=True),
    Case("RC ladder, 50 states", Ladder, {"R": (80.0, 120.0), "C": (0.8e-5, 1.2e-5)}, "v[49]", 1.0, is_stiff=True),
)
