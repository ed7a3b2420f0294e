"""Junction field-effect transistors and temperatures of elements, against ngspice 39 (reltol 1e-6)."""

from __future__ import annotations

from typing import Any

import pytest

import tellegen as tg
from tellegen.library import electrical as el

CIRCUIT = """one transistor
vd d0 0 {vd}
rdd d0 d 100
vg g0 0 {vg} ac 1
rgg g0 g 10k
j1 d g 0 jm {rest}
.model jm {model}
.op
.ac lin 1 10meg 10meg
.print v(d)
.end
"""
CASES = [
    ((8, -0.5, "", "njf(vto=-2 beta=1m lambda=0.02 rd=10 rs=20 cgs=4p cgd=2p)"), 7.756972, -0.0425937 + 0.109919j),
    (
        (-6, 0.3, "2.5 temp=90", "pjf(vto=-1.8 beta=0.8m is=1e-13 cgs=3p cgd=3p pb=0.9 fc=0.4)"),
        -5.549995,
        -0.00847842 + 0.0836884j,
    ),
    (
        (-1.5, 0.55, "dtemp=40", "njf(vto=-2.5 beta=0.6m lambda=0.01 b=0.6 cgs=5p cgd=1p pb=0.8)"),
        -1.131067,
        0.0118859 - 0.00116911j,
    ),
    ((3, -4, "", "njf(vto=-2 beta=1m cgs=4p cgd=2p tnom=50)"), 3.0, 0.00201132 + 0.00128046j),
]
"""Saturation, a warm P-channel, the channel reversed with a doping tail and a gate that conducts, cut-off.

The operating point of the drain, and its gain at 10 MHz, where the charges of the gate count."""


@pytest.mark.parametrize(("numbers", "point", "gain"), CASES)
def test_transistors(numbers: tuple[float, float, str, str], point: float, gain: complex) -> None:
    vd, vg, rest, model = numbers
    run = tg.run_spice(text=CIRCUIT.format(vd=vd, vg=vg, rest=rest, model=model))
    assert run.op is not None
    assert run.op["d.v"] == pytest.approx(point, rel=2e-6)
    assert run.ac_value("d.v")[0] == pytest.approx(gain, rel=2e-5)


def amplifier(transistor: Any, sign: float) -> tg.SteadyState:
    """A resistor of 1 kOhm at the drain; the source is grounded, the gate at 0.5 V below it."""
    s = tg.System("amplifier")
    s.add(j=transistor, supply=el.ConstantVoltage(V=sign * 10.0), gate=el.ConstantVoltage(V=-sign * 0.5))
    s.add(r=el.Resistor(R=1e3), ground=el.Ground())
    s.connect(s.supply.p, s.r.p)
    s.connect(s.r.n, s.j.D)
    s.connect(s.gate.p, s.j.G)
    s.connect(s.j.S, s.supply.n, s.gate.n, s.ground.p)
    return tg.steady_state(s)


def test_both_channels_are_mirror_images() -> None:
    numbers: dict[str, Any] = {"Vto": -2.0, "Beta": 1e-3, "Gmin": 0.0, "Is": 1e-30}
    one = amplifier(el.NJFET(**numbers), 1.0)
    other = amplifier(el.PJFET(**numbers), -1.0)
    assert one["j.D.i"] == pytest.approx(1e-3 * 1.5**2, rel=1e-9)
    assert other["j.D.i"] == pytest.approx(-one["j.D.i"], rel=1e-12)
    assert other["j.v_gd"] == pytest.approx(one["j.v_gd"], rel=1e-12)


WARM = """parts with temperatures of their own
v1 a 0 5
r1 a d 1k tc1=1e-3 tc2=1e-5 temp=80
d1 d 0 dm dtemp=30
r2 a c 2k
rb a b 200k
q1 c b 0 qm temp=-20
vg g 0 2
r3 a m 5k
m1 m g 0 0 nm w=10u l=2u temp=100 dtemp=7
.model dm d(is=1e-14 n=1.2 eg=1.2 xti=2 rs=1)
.model qm npn(is=1e-16 bf=100 xtb=1.5 ise=1e-14)
.model nm nmos(kp=50u vto=0.8 gamma=0.5 phi=0.65 lambda=0.02)
.options temp=40
.op
.end
"""


def test_temperatures_of_elements() -> None:
    run = tg.run_spice(text=WARM)
    assert run.op is not None
    for path, value in {"d.v": 0.7712435, "b.v": 0.8402809, "c.v": 2.774779, "m.v": 4.151144}.items():
        assert run.op[path] == pytest.approx(value, rel=1e-5), path


def test_elements_that_have_none() -> None:
    with pytest.raises(tg.NetlistError, match="temp=80"):
        tg.read_spice(text="t\nv1 a 0 5 temp=80\nr1 a 0 1k\n")
