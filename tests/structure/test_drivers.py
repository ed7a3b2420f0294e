"""Loops of across drivers and cut-sets of through drivers are refused with the components named."""

from __future__ import annotations

from typing import Any

import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.stages import reduce_model


class Sources(tg.Component):
    """Three voltage sources in a ring, with resistors that do not help."""

    v1 = el.ConstantVoltage(V=5.0)
    v2 = el.ConstantVoltage(V=6.0)
    v3 = el.ConstantVoltage(V=7.0)
    r1 = el.Resistor()
    r2 = el.Resistor()
    g = el.Ground()

    def connections(self):
        yield self.v1.p, self.v2.p, self.r1.p
        yield self.v2.n, self.v3.p, self.r2.p
        yield self.v1.n, self.v3.n, self.r1.n, self.r2.n, self.g.p


class Currents(tg.Component):
    """Two current sources in series."""

    i1 = el.ConstantCurrent(I=5.0)
    i2 = el.ConstantCurrent(I=6.0)
    r = el.Resistor()
    g = el.Ground()

    def connections(self):
        yield self.i1.n, self.i2.p
        yield self.i1.p, self.r.p
        yield self.i2.n, self.r.n, self.g.p


class Blocked(tg.Component):
    """A shaft held at both ends."""

    left = rot.Fixed()
    right = rot.Fixed(phi0=1.0)
    gear = rot.IdealGear(ratio=2.0)

    def connections(self):
        yield self.left.flange, self.gear.flange_a
        yield self.gear.flange_b, self.right.flange


class Gears(tg.Component):
    """Two gears between the same shafts."""

    a = rot.Inertia()
    b = rot.Inertia()
    g1 = rot.IdealGear(ratio=2.0)
    g2 = rot.IdealGear(ratio=2.0)

    def connections(self):
        yield self.a.flange_b, self.g1.flange_a, self.g2.flange_a
        yield self.g1.flange_b, self.g2.flange_b, self.b.flange_a


class ThreeGears(Gears):
    """And a third one, which leaves no movement at all."""

    g3 = rot.IdealGear(ratio=3.0)

    def connections(self):
        yield self.a.flange_b, self.g3.flange_a
        yield self.g3.flange_b, self.b.flange_b


@pytest.mark.parametrize(
    ("model", "code", "names"),
    [
        (Sources, "E207", ["v1", "v2", "v3"]),
        (Currents, "E208", ["i1", "i2"]),
        (Blocked, "E207", ["left", "right", "gear"]),
        (Gears, "E201", ["g1, g2 determine the same"]),
        (ThreeGears, "E202", ["g1, g2, g3 determine the same"]),
    ],
)
def test_culprits_are_named(model: Any, code: str, names: list[str]) -> None:
    with pytest.raises(tg.StructureError) as caught:
        reduce_model(model())
    assert caught.value.code == code
    first = caught.value.message
    assert all(name in first for name in names)
    assert "r1" not in first
    assert caught.value.location is not None
    assert caught.value.location.file == __file__, "where the component was made, not a line of the library"


def test_a_resistance_in_series_is_enough() -> None:
    system = tg.System("cured")
    system.add(v1=el.ConstantVoltage(V=5.0), v2=el.ConstantVoltage(V=6.0), r=el.Resistor(R=0.5), g=el.Ground())
    system.connect(system.v1.p, system.r.p)
    system.connect(system.r.n, system.v2.p)
    system.connect(system.v1.n, system.v2.n, system.g.p)
    solution = tg.simulate(system, 1.0)
    assert solution["r.i"][-1] == pytest.approx((5.0 - 6.0) / 0.5)
