"""BSIM3 and VDMOS transistors with all of their effects: currents and admittances of ngspice 39."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el

CARD = """tox=6.5n toxm=6.2n xj=0.12u nch=2.4e17 k1=0.55 k2=0.01 k3=2 k3b=1.5 w0=0.5u nlx=0.12u dvt0=1.4 dvt1=0.45
+ dvt2=-0.02 dvt0w=0.1 u0=380 ua=-3e-10 ub=1.8e-18 uc=4e-11 vsat=1.1e5 a0=1.3 ags=0.25 b0=2e-8 b1=1e-7
+ keta=-0.012 a1=0.02 a2=0.8 rdsw=240 prwg=0.08 prwb=-0.05 wint=12n lint=9n dwg=-3n dwb=4n voff=-0.1
+ nfactor=1.3 cit=2e-5 cdsc=3e-4 cdscd=2e-5 eta0=0.05 etab=-0.02 dsub=0.5 pclm=0.9 pdiblc1=0.2 pdiblc2=2e-3
+ pdiblcb=-0.05 drout=0.6 pscbe1=5e8 pscbe2=1e-8 pvag=0.1 ngate=1e20 alpha0=1e-9 alpha1=1e-4 beta0=18
+ cgso=0.3n cgdo=0.28n cgsl=0.1n cgdl=0.12n ckappa=0.4 cj=0.8m cjsw=0.3n cjswg=0.2n mj=0.4 pb=0.85 js=1e-5
+ jsw=1e-10 kt1=-0.2 kt2=-0.03 ute=-1.4 noff=1.1 voffcv=0.02 acde=0.9 moin=12 rsh=5 lvth0=2m pk2=1m"""
NETLIST = """characteristics
vd d 0 {sign}1.2 ac 1
vg g 0 {sign}1.4
vb b 0 {minus}0.3
m1 d g 0 b mm w=4u l=0.3u ad=2p as=2p pd=5u ps=5u nrd=0.5 m=2
.model mm {kind}mos(level=8 {which} vth0={sign}0.48 {card})
.options reltol=1e-9 abstol=1e-18 vntol=1e-12 gmin=1e-15 temp={temp}
.op
.dc vd {minus}0.4 {sign}2 {sign}1.2 vg {minus}0.3 {sign}2.3 {sign}1.3
.ac lin 1 1g 1g
.print ac i(vd) i(vg) i(vb)
.end
"""
SMALLEST = 1e-14  # A, of the solvers of both


@dataclass(frozen=True)
class Found:
    """Of ngspice: currents of the drain's source, and what a volt at the drain makes of all."""

    swept: str
    small: dict[str, complex]


CASES = [
    ("n", "version=3.3 mobmod=1 capmod=3 xpart=0", 27.0),
    ("p", "version=3.1 mobmod=3 xpart=1", 85.0),
]
NGSPICE = {
    "n": Found(
        "1.01639031e-10 0 0 0.000951175258 -0.000296721534 -0.00035099076 0.00217745482 -0.00266843855 -0.00301589028",
        {
            "vd": -8.56310106e-05 - 4.77244767e-05j,
            "vg": 1.37338002e-09 + 2.38565039e-05j,
            "vb": 1.38721239e-09 + 2.36162386e-05j,
        },
    ),
    "p": Found(
        "-2.9600502e-09 3.268e-12 3.286e-12 -0.000818181228 0.000320299007 0.000371196973 -0.00184667443 0.00231701138 "
        "0.0027371067",
        {
            "vd": -8.25767823e-05 - 4.79797697e-05j,
            "vg": 1.31278097e-09 + 2.36779299e-05j,
            "vb": 1.38072895e-09 + 2.37795191e-05j,
        },
    ),
}


def netlist(kind: str, which: str, temperature: float) -> str:
    sign, minus = ("", "-") if kind == "n" else ("-", "")
    card = CARD.replace("uc=4e-11", "uc=0.03") if "mobmod=3" in which else CARD
    return NETLIST.format(kind=kind, sign=sign, minus=minus, temp=temperature, which=which, card=card)


@pytest.mark.parametrize(("kind", "which", "temperature"), CASES)
def test_currents_and_admittances(kind: str, which: str, temperature: float) -> None:
    text = netlist(kind, which, temperature)
    assert type(tg.read_spice(text=text).m1) is (el.BSIM3NMOS if kind == "n" else el.BSIM3PMOS)
    run = tg.run_spice(text=text)
    found = np.concatenate([sweep["vd.i"] for sweep in run.dc])
    expected = [float(number) for number in NGSPICE[kind].swept.split()]
    assert found == pytest.approx(expected, rel=5e-7, abs=SMALLEST)
    for name, admittance in NGSPICE[kind].small.items():
        assert run.ac_value(f"{name}.i")[0] == pytest.approx(admittance, rel=1e-5)


@pytest.mark.parametrize(
    ("written", "named"),
    [("capmod=0", "CAPMOD = 0"), ("nqsmod=1", "NQSMOD = 1"), ("acm=2", "ACM = 2"), ("version=3.0", "version 3.0")],
)
def test_laws_that_are_not_there_are_rejected(written: str, named: str) -> None:
    text = f"a\nm1 d g 0 0 mm\nvd d 0 1\nvg g 0 1\n.model mm nmos level=49 {written}\n.op\n"
    with pytest.raises(tg.NetlistError, match=named):
        tg.read_spice(text=text)


GATE = """a gate that nothing loads
vdd vdd 0 2.5
va a 0 pulse(0 2.5 1n 0.1n 0.1n 4n)
vb b 0 pulse(0 2.5 1n 0.1n 0.1n 2n)
m1 out a vdd vdd pm w=3u l=0.3u
m2 out b vdd vdd pm w=3u l=0.3u
m3 out a x 0 nm w=2u l=0.3u
m4 x b 0 0 nm w=2u l=0.3u
.model nm nmos(level=8 version=3.3 vth0=0.5 cgso=0.3n cgdo=0.3n)
.model pm pmos(level=8 version=3.3 vth0=-0.5 u0=120 cgso=0.3n cgdo=0.3n)
.tran 0.05n 3.3n
.end
"""


@pytest.mark.filterwarnings("ignore:.*the jumps of states that constraints tie")  # of 4e-17 V: roundings
def test_a_gate_has_no_events_of_its_transistors() -> None:
    """Charges change at other rates where v_ds is zero, which is so but for roundings while a gate stands still."""
    solution = tg.simulate(tg.read_spice(text=GATE), points=331)
    assert len(solution.events) == 1  # pulses begin
    at = np.array([0.5, 1.06, 1.1, 2.0, 3.13, 3.2]) * 1e-9
    ngspice = {
        "out": [2.5, 3.0017, 2.8104, 0.0, -0.1124, -0.0531],
        "x": [0.0001, 1.2501, 0.4563, 0.0, -0.0936, -0.1035],
    }  # with reltol 1e-6 and steps of 1 ps
    for node, values in ngspice.items():
        assert np.interp(at, solution.time, solution[f"{node}.v"]) == pytest.approx(values, abs=4e-3)


POWER = """power transistors
vd d 0 5
vg g 0 0 ac 1
vp p 0 -5
m1 d g 0 nm
m2 p p 0 pm m=2
.model nm vdmos(rg=3 vto=3 rd=72m rs=18m rb=36m kp=4.9 lambda=.03 theta=0.02 ksubthres=.12 subshift=0.1 mtriode=1.3
+ rq=0.4 vq=5 is=67p n=1.1 rds=1meg cgs=1n cgdmin=0.1n cgdmax=1.3n a=0.6 cjo=0.8n tcvth=-3m trd1=4m mfg=somebody
+ vds=100 ron=1m)
.model pm vdmos(pchan vto=-2 kp=3 rs=50m)
.options reltol=1e-9 abstol=1e-15 vntol=1e-12 temp=60
.dc vd -1 20 7 vg 4 6 2
.ac lin 1 1meg 1meg
.print ac i(vd) i(vg)
.end
"""


POWER_CURRENTS = "12.4554061 -1.36567679 -1.58849841 -1.80826001 14.9027019 -12.9482146 -14.6906972 -16.397758"


def test_power_transistors() -> None:
    """Against ngspice 39, whose thermal voltage is an older one: the diode's current differs by 1e-5."""
    run = tg.run_spice(text=POWER)
    found = np.concatenate([sweep["vd.i"] for sweep in run.dc])
    assert found == pytest.approx([float(number) for number in POWER_CURRENTS.split()], rel=2e-6)
    assert run.dc[0]["vp.i"][0] == pytest.approx(17.0080825, rel=1e-8)
    assert run.ac_value("vg.i")[0] == pytest.approx(-0.00018642732310608645 - 0.00785073061622555j, rel=1e-9)
    circuit = tg.read_spice(text=POWER)
    assert isinstance(circuit.m1, el.NVDMOS)
    assert isinstance(circuit.m2, el.PVDMOS)
    assert isinstance(circuit.m1_body, el.Diode)


def test_unknown_parameters_of_power_transistors_are_rejected() -> None:
    text = "a\nvd d 0 1\nm1 d d 0 nm\n.model nm vdmos(vp=0.3)\n.op\n"
    with pytest.raises(tg.NetlistError, match="VDMOS has no effect for VP"):
        tg.read_spice(text=text)
