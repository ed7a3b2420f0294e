"""Exported models in which states jump together: charge and momentum are conserved without Python too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import translational as tr

fmpy = pytest.importorskip("fmpy")
pytest.importorskip("ziglang")


class Divider(tg.Component):
    """10 V across 1 F and 3 F in series: the same charge passes through both."""

    v = el.StepVoltage(V=10.0, start_time=0.5)
    c1 = el.Capacitor(C=1.0)
    c2 = el.Capacitor(C=3.0)
    r = el.Resistor(R=1e6)
    g = el.Ground()

    def connections(self) -> Iterator[Any]:
        yield self.v.p, self.c1.p
        yield self.c1.n, self.c2.p, self.r.p
        yield self.v.n, self.c2.n, self.r.n, self.g.p


class Impact(tg.Component):
    """Two bodies that bounce off each other where they touch."""

    a = tr.Flange()
    b = tr.Flange()
    gap = tg.variable("m", start=0.0)
    v = tg.variable("m/s", "speed at which the gap opens")
    acceleration = tg.variable("m/s2")
    f = tg.variable("N", "force between impacts")
    rest = tg.parameter(0.0, "N")
    e = tg.parameter(0.5, "1", "restitution")

    def equations(self) -> Iterator[Any]:
        yield self.gap == self.b.s - self.a.s
        yield tg.der(self.gap) == self.v
        yield tg.der(self.v) == self.acceleration
        yield self.a.f == self.f
        yield self.b.f == -self.f
        yield self.f == self.rest
        yield tg.when((self.gap <= 0) & (self.v < 0), tg.reinit(self.v, -self.e * tg.pre(self.v)))


class Collision(tg.Component):
    """A mass hits two that are rigidly connected."""

    m0 = tr.Mass(m=1.0, s=tg.variable(start=-0.5, fixed=True), v=tg.variable(start=1.0, fixed=True))
    impact = Impact()
    m1 = tr.Mass(m=2.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=0.0, fixed=True))
    m2 = tr.Mass(m=3.0)

    def connections(self) -> Iterator[Any]:
        yield self.m0.flange_b, self.impact.a
        yield self.impact.b, self.m1.flange_a
        yield self.m1.flange_b, self.m2.flange_a


def ends(model: tg.Component, path: Path, version: str, names: list[str]) -> Iterator[list[float]]:
    """Values at the end in Co-Simulation and in Model Exchange."""
    tg.export_fmu(model, path, version=version, stop=1.0)
    for kind in ("CoSimulation", "ModelExchange"):
        result = fmpy.simulate_fmu(str(path), fmi_type=kind, stop_time=1.0, output=names)
        yield [float(result[name][-1]) for name in names]


def test_charge(tmp_path: Path) -> None:
    for found in ends(Divider(), tmp_path / "divider.fmu", "3.0", ["c1.v", "c2.v"]):
        assert found == pytest.approx([7.5, 2.5], rel=1e-6)


def test_momentum(tmp_path: Path) -> None:
    """Of 1 kg with 1 m/s on 5 kg with e = 1/2: the speeds part as e says."""
    for found in ends(Collision(), tmp_path / "collision.fmu", "2.0", ["m0.v", "m1.v", "m2.v"]):
        assert found == pytest.approx([-0.25, 0.25, 0.25], rel=1e-6)
