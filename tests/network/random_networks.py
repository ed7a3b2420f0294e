"""Random connected networks of library parts, for properties that hold for all of them.

A random tree keeps the graph connected, further edges close loops. Storage and resistances are anywhere, so loops of
capacitors and cut-sets of inductors occur; drivers are few and never in conflict by construction: each across driver is
in series with a resistance, each through driver in parallel to one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library import thermal as th
from tellegen.library import translational as tr


def value(random: Any) -> float:
    return float(np.exp(random.uniform(-1.0, 1.0)))


class Builder:
    """Adds parts between numbered points; point 0 of a domain is its reference."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.system = tg.System(f"random{seed}")
        self.points: dict[tuple[str, int], Any] = {}
        self.count = 0

    def join(self, domain: str, point: int, port: Any) -> None:
        known = self.points.setdefault((domain, point), port)
        if known is not port:
            self.system.connect(known, port)

    def add(self, part: Any) -> Any:
        self.count += 1
        self.system.add(**{f"x{self.count}": part})
        return part

    def edges(self, points: int, more: int) -> list[tuple[int, int]]:
        """A random tree and some more edges."""
        found = [(int(self.random.integers(k)), k) for k in range(1, points)]
        for _ in range(more):
            a, b = self.random.choice(points, 2, replace=False)
            found.append((int(a), int(b)))
        return found


def electrical(builder: Builder, points: int = 6, more: int = 4) -> None:
    random, domain = builder.random, "electrical"
    ground = builder.add(el.Ground())
    builder.join(domain, 0, ground.p)
    kinds = [el.Resistor, el.Capacitor, el.Inductor]
    for a, b in builder.edges(points, more):
        kind = kinds[random.integers(3)]
        name = {"Resistor": "R", "Capacitor": "C", "Inductor": "L"}[kind.__name__]
        part = builder.add(kind(**{name: value(random)}))
        builder.join(domain, a, part.p)
        builder.join(domain, b, part.n)
    for k in range(1, points):  # every point has a resistance to ground: no cut-set of inductors leaves it undetermined
        part = builder.add(el.Resistor(R=10.0 * value(random)))
        builder.join(domain, k, part.p)
        builder.join(domain, 0, part.n)
    source, inner = builder.add(el.SineVoltage(V=1.0, f=0.3)), builder.add(el.Resistor(R=value(random)))
    builder.join(domain, points, source.p)
    builder.join(domain, points, inner.p)
    builder.join(domain, 1, inner.n)
    builder.join(domain, 0, source.n)


def rotational(builder: Builder, points: int = 5, more: int = 3) -> None:
    random, domain = builder.random, "rotational"
    wall = builder.add(rot.Fixed())
    builder.join(domain, 0, wall.flange)
    for k in range(1, points):
        part = builder.add(rot.Inertia(J=value(random)))
        builder.join(domain, k, part.flange_a)
    for a, b in builder.edges(points, more):
        spring = bool(random.integers(2))
        part = builder.add(rot.Spring(c=value(random)) if spring else rot.Damper(d=value(random)))
        builder.join(domain, a, part.flange_a)
        builder.join(domain, b, part.flange_b)
    gear = builder.add(rot.IdealGear(ratio=1.0 + value(random)))
    load = builder.add(rot.Inertia(J=value(random)))
    builder.join(domain, 1, gear.flange_a)
    builder.join(domain, points, gear.flange_b)
    builder.join(domain, points, load.flange_a)
    torque = builder.add(rot.ConstantTorque(tau_constant=1.0))
    builder.join(domain, points - 1, torque.flange)


def translational(builder: Builder, points: int = 5, more: int = 3) -> None:
    random, domain = builder.random, "translational"
    wall = builder.add(tr.Fixed())
    builder.join(domain, 0, wall.flange)
    for k in range(1, points):
        part = builder.add(tr.Mass(m=value(random)))
        builder.join(domain, k, part.flange_a)
    for a, b in builder.edges(points, more):
        spring = bool(random.integers(2))
        part = builder.add(tr.Spring(c=value(random)) if spring else tr.Damper(d=value(random)))
        builder.join(domain, a, part.flange_a)
        builder.join(domain, b, part.flange_b)
    force = builder.add(tr.ConstantForce(f_constant=1.0))
    builder.join(domain, 1, force.flange)


def thermal(builder: Builder, points: int = 5, more: int = 3) -> None:
    random, domain = builder.random, "thermal"
    room = builder.add(th.FixedTemperature(T=293.15))
    builder.join(domain, 0, room.port)
    for k in range(1, points):
        part = builder.add(th.HeatCapacitor(C=value(random)))
        builder.join(domain, k, part.port)
    for a, b in builder.edges(points, more):
        part = builder.add(th.ThermalConductor(G=value(random)))
        builder.join(domain, a, part.port_a)
        builder.join(domain, b, part.port_b)
    heater = builder.add(th.FixedHeatFlow(Q_flow=3.0))
    builder.join(domain, points - 1, heater.port)


def drive(builder: Builder) -> None:
    """An electrical and a rotational network, coupled by a transducer with a resistance in series."""
    electrical(builder)
    rotational(builder)
    emf, inner = builder.add(el.EMF(k=value(builder.random))), builder.add(el.Resistor(R=1.0))
    builder.join("electrical", 2, inner.p)
    builder.join("electrical", 99, inner.n)
    builder.join("electrical", 99, emf.p)
    builder.join("electrical", 0, emf.n)
    rotor = builder.add(rot.Inertia(J=value(builder.random)))  # holds two connections at one point
    builder.join("rotational", 98, emf.flange)
    builder.join("rotational", 98, rotor.flange_a)
    builder.join("rotational", 2, rotor.flange_b)


MIXES = {
    "electrical": electrical,
    "rotational": rotational,
    "translational": translational,
    "thermal": thermal,
    "drive": drive,
}


def network(mix: str, seed: int) -> tg.System:
    """A random network of a mix of domains."""
    builder = Builder(seed)
    MIXES[mix](builder)
    return builder.system
