"""Models that use every part of the native runtime, run in a process of its own with TELLEGEN_CHECK_BOUNDS=1.

python checked_models.py all            all models; prints the runtimes that were used
python checked_models.py allocation     an access outside an array that Python has allocated
python checked_models.py local          one outside a local array
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np

import tellegen as tg
from network.random_circuits import Oracle, fault, random_parts, system_of
from tellegen.engine.native.extents import EXTENTS
from tellegen.engine.native.machine_code import MachineCode
from tellegen.engine.native.record import Record as Words
from tellegen.engine.runtime import runtimes
from tellegen.procedures.language import Array, Record, f64, field_names, i64, local_array, procedure
from tellegen.procedures.load import load
from tellegen.procedures.lower import lower

SOLVERS = ("ida", "cvode", "rk45", "rodas")


class Ball(tg.Component):
    """Events, ticks and an algebraic loop for Newton's method."""

    h = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    held = tg.variable(start=0.0, discrete=True)
    a = tg.variable(start=0.1)
    b = tg.variable(start=0.1)

    def equations(self) -> Any:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81 - 0.1 * self.a
        yield self.a + tg.exp(self.b) == self.v
        yield self.b - tg.tanh(self.a) == self.h
        yield tg.when(self.h <= 0.0, tg.reinit(self.v, -0.8 * tg.pre(self.v)))
        yield tg.when(tg.sample(0.0, 0.1), self.held == self.h)


class Delayed(tg.Component):
    """Reads its past."""

    x = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == -tg.delay(self.x, 0.3)


class Pendulum(tg.Component):
    """Goes round, so that its states are chosen while it runs."""

    x = tg.variable(start=1.0)
    y = tg.variable(start=0.0)
    vx = tg.variable(start=0.0)
    vy = tg.variable(start=-7.0)
    f = tg.variable()

    def equations(self) -> Any:
        yield tg.der(self.x) == self.vx
        yield tg.der(self.y) == self.vy
        yield tg.der(self.vx) == -self.f * self.x
        yield tg.der(self.vy) == -self.f * self.y - 9.81
        yield self.x * self.x + self.y * self.y == 1.0


class Circle(tg.Component):
    """A point that keeps its distance from the origin, with a row that repeats another."""

    x = tg.variable(shape=2, start=[1.0, 0.1])
    gap = tg.variable(shape=2)
    J = tg.variable(shape=(2, 2))

    def equations(self) -> Any:
        x = self.x
        yield tg.der(x) == [-x[1], x[0]]
        yield self.gap[0] == x[0] * x[0] + x[1] * x[1] - 1.0
        yield self.gap[1] == 3.0 * self.gap[0]
        yield self.J[0] == 2.0 * x
        yield self.J[1] == 6.0 * x
        yield tg.invariant(self.gap, {x: self.J})


def run_all() -> None:
    """Every model with every solver that it can have."""
    parts = random_parts(10001, most_nodes=40, two_ports=True)
    oracle = Oracle(parts)
    assert oracle.regular
    circuit = tg.compile(system_of(parts))
    ball = tg.compile(Ball())
    for solver in SOLVERS:
        assert fault(circuit, oracle, solver) == ""
        assert ball.simulate(1.0, solver=solver).outcome.ok
    tg.steady_state(system_of(parts))
    tg.simulate(Delayed(), 1.0)
    tg.simulate(Pendulum(), 2.0)
    for solver in SOLVERS[1:]:
        tg.simulate(Circle(), 2.0, solver=solver)
    others = [name for name in ("ida", "pivot", "cvode") if getattr(runtimes, f"{name}_runtime").cache_info().currsize]
    print(*runtimes.loaded_runtimes(), *others)


class Room(Record):
    """An array of `count` numbers."""

    count: i64
    values: Array[f64]


@procedure
def fill_too_far(room: Room) -> None:
    for k in range(room.count + 1):
        room.values[k] = 1.0


@procedure
def fill_local_array_too_far(room: Room) -> None:
    work = local_array(f64, 3)
    for k in range(room.count):
        work[k] = 1.0


def call(function: Any) -> None:
    """Compile a procedure with checks and call it with an array of four numbers."""
    assert EXTENTS is not None
    code = MachineCode((lower(load(function), 1, runtimes._guard(EXTENTS)),))
    words = Words(field_names(Room))
    words.set(count=4, values=np.zeros(4))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(code.addresses[function.__name__])(words.address)


if __name__ == "__main__":
    {
        "all": run_all,
        "allocation": lambda: call(fill_too_far),
        "local": lambda: call(fill_local_array_too_far),
    }[sys.argv[1]]()
