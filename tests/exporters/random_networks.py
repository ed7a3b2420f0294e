"""Random models for the writers: networks of several domains with events, arrays, tables and nested parts."""

from __future__ import annotations

import random
from typing import Any

import tellegen as tg
import tellegen.library.blocks as blocks
import tellegen.library.electrical as el
import tellegen.library.rotational as rot
import tellegen.library.thermal as th


class Bank(tg.Component):
    """An array of lags with expressions between parameters, and a limited sum."""

    n = tg.parameter(3, structural=True)
    T = tg.parameter(0.5, "s", shape=n)
    k = tg.parameter(2.0)
    gain = tg.parameter(k / 4.0)
    u = tg.input()
    y = tg.output()
    x = tg.variable(shape=n, start=0.1, fixed=True)

    def equations(self) -> Any:
        yield self.T * tg.der(self.x) == self.gain * self.u - self.x
        yield self.y == tg.where(tg.sum(self.x) > self.k, self.k + 0.1 * tg.sum(self.x), tg.sum(self.x) + 0.1 * self.k)


class Counter(tg.Component):
    """Counts crossings, and toggles."""

    level = tg.parameter(0.3)
    u = tg.input()
    crossings = tg.integer(start=0)
    high = tg.boolean(start=False)
    peak = tg.variable(discrete=True, start=0.0)

    def equations(self) -> Any:
        yield tg.when(
            self.u > self.level,
            self.crossings == tg.pre(self.crossings) + 1,
            self.high == True,  # noqa: E712
        ).elsewhen(self.u < -self.level, self.high == False)  # noqa: E712
        yield tg.when(tg.sample(0.1, 0.3), self.peak == tg.maximum(tg.pre(self.peak), self.u**2))


def random_system(seed: int) -> tg.System:
    """A model that depends on the seed only."""
    draw = random.Random(seed)
    system = tg.System(f"random {seed}")
    kinds = draw.sample([_circuit, _shafts, _heat, _signals], k=draw.randint(1, 3))
    for make in kinds:
        make(system, draw)
    return system


def _between(draw: random.Random, low: float, high: float) -> float:
    return round(draw.uniform(low, high), 3)


def _circuit(system: tg.System, draw: random.Random) -> None:
    """A ladder of random one-ports over a random source; every node has a capacitor, so it has one solution."""
    source = draw.choice(
        [
            el.ConstantVoltage(V=_between(draw, 1, 5)),
            el.SineVoltage(V=_between(draw, 1, 5), f=_between(draw, 0.5, 3)),
            el.StepVoltage(V=_between(draw, 1, 5), start_time=_between(draw, 0.1, 0.7)),
        ]
    )
    system.add(source=source, ground=el.Ground())
    system.connect(system.source.n, system.ground.p)
    node = system.source.p
    for k in range(draw.randint(1, 4)):
        series = draw.choice([el.Resistor(R=_between(draw, 0.5, 3)), el.Inductor(L=_between(draw, 0.1, 1))])
        if isinstance(series, el.Inductor) and k == 0:
            series = el.Resistor(R=1.0)
        system.add(**{f"s{k}": series, f"c{k}": el.Capacitor(C=_between(draw, 0.1, 0.6))})
        one, other = system[f"s{k}"], system[f"c{k}"]
        system.connect(node, one.p)
        system.connect(one.n, other.p)
        system.connect(other.n, system.ground.p)
        node = one.n
        if draw.random() < 0.5:
            system.add(**{f"g{k}": el.Resistor(R=_between(draw, 1, 9))})
            system.connect(node, system[f"g{k}"].p)
            system.connect(system[f"g{k}"].n, system.ground.p)


def _shafts(system: tg.System, draw: random.Random) -> None:
    """Inertias with springs, dampers and gears between them."""
    system.add(j0=rot.Inertia(J=_between(draw, 0.5, 2), w=tg.variable(start=_between(draw, -3, 3), fixed=True)))
    flange = system.j0.flange_b
    for k in range(1, draw.randint(2, 4)):
        coupling = draw.choice(
            [
                rot.SpringDamper(c=_between(draw, 1, 20), d=_between(draw, 0.1, 1)),
                rot.Spring(c=_between(draw, 1, 20)),
                rot.Damper(d=_between(draw, 0.1, 1)),
                rot.IdealGear(ratio=_between(draw, 1, 4)),
            ]
        )
        system.add(**{f"k{k}": coupling, f"j{k}": rot.Inertia(J=_between(draw, 0.5, 2))})
        system.connect(flange, system[f"k{k}"].flange_a)
        system.connect(system[f"k{k}"].flange_b, system[f"j{k}"].flange_a)
        flange = system[f"j{k}"].flange_b


def _heat(system: tg.System, draw: random.Random) -> None:
    """An array of heat capacities in a row, with conductors, between two temperatures."""
    n = draw.randint(2, 5)
    starts = [_between(draw, 280, 350) for _ in range(n)]
    system.add(
        cells=th.HeatCapacitor.array(n, C=_between(draw, 1, 5), T=tg.variable(start=starts, fixed=True)),
        walls=th.ThermalConductor.array(n, G=[_between(draw, 0.5, 3) for _ in range(n)]),
        room=th.FixedTemperature(T=_between(draw, 270, 300)),
    )
    system.connect(system.walls.port_a, system.cells.port)
    system.connect(system.walls[: n - 1].port_b, system.cells[1:].port)
    system.connect(system.walls[n - 1].port_b, system.room.port)


def _signals(system: tg.System, draw: random.Random) -> None:
    """A source, blocks with arrays and a table, a counter of events."""
    source = draw.choice(
        [
            blocks.Sine(amplitude=_between(draw, 0.5, 2), f=_between(draw, 0.5, 2)),
            blocks.Ramp(height=_between(draw, -2, 2), duration=_between(draw, 0.2, 0.9)),
            blocks.Pulse(amplitude=_between(draw, 0.5, 2), period=_between(draw, 0.3, 0.8)),
        ]
    )
    n = draw.randint(1, 4)
    bank = Bank(n=n, T=[_between(draw, 0.1, 1) for _ in range(n)], k=_between(draw, 0.5, 3))
    system.add(signal=source, bank=bank, count=Counter(level=_between(draw, 0.1, 0.4)))
    system.connect(system.signal.y, system.bank.u)
    system.connect(system.bank.y, system.count.u)
