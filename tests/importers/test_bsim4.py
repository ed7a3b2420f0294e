"""BSIM4 transistors with all of their effects: currents and admittances of ngspice 39."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import tellegen as tg
from tellegen.importers.spice.elements.mos.bsim4_card import Bsim4Card
from tellegen.importers.spice.elements.mos.bsim4_numbers import Place, numbers
from tellegen.library import electrical as el

CARD = """level=14 version=4.8 binunit=1 mobmod=0 capmod=2 igcmod=1 igbmod=1 diomod=1 rdsmod=0 rbodymod=1 rgatemod=1
+ permod=1 toxe=1.8n toxp=1.3n toxm=1.8n wint=4n lint=6n vth0={sign}0.38 k1=0.42 k2=0.02 k3=1.5 dvt0=1.8 dvt1=0.6
+ dvt0w=0.2 dsub=0.3 minv=0.03 voffl=1n dvtp0=8n dvtp1=0.07 lpe0=40n lpeb=1n xj=30n ngate=3e20 ndep=2.1e18 nsd=2e20
+ cdsc=2e-4 cdscd=1e-5 cit=1e-4 voff=-0.12 nfactor=1.4 eta0=0.01 etab=-0.02 u0=0.03 ua=8e-10 ub=2e-18 uc=-2e-11
+ ud=1e14 vsat=1.2e5 a0=1.5 ags=0.4 a1=0.03 a2=0.9 b0=1e-8 keta=-0.03 dwg=1n dwb=1n pclm=0.3 pdiblc1=0.03
+ pdiblc2=0.01 pdiblcb=-0.01 drout=0.5 pvag=0.05 delta=0.012 pscbe1=6e8 pscbe2=1e-6 fprout=0.1 pdits=0.1 pditsd=0.2
+ pditsl=1e6 rdsw=120 prwg=0.2 prwb=0.05 alpha0=0.01 alpha1=0.002 beta0=20 agidl=1e-4 bgidl=2e9 cgidl=0.01 egidl=0.7
+ aigc=0.015 bigc=0.002 cigc=0.002 aigsd=0.014 bigsd=0.002 cigsd=0.002 pigcd=2 aigbacc=0.012 bigbacc=0.003
+ cigbacc=0.002 aigbinv=0.014 bigbinv=0.004 cigbinv=0.004 cgso=0.3n cgdo=0.25n cgbo=0.02n cgsl=0.1n cgdl=0.12n
+ ckappas=0.3 ckappad=0.4 acde=0.9 moin=12 noff=1.1 voffcv=0.01 xpart=0 jss=1e-3 jsws=1e-9 jswgs=1e-9 cjs=1m
+ cjsws=0.4n cjswgs=0.3n mjs=0.4 tpb=1m tcj=1m xtis=3 kt1=-0.2 kt1l=1n kt2=-0.03 rshg=0.5 rbpb=20 rbpd=30 rbps=40
+ rbdb=50 rbsb=60 dmcg=60n dmci=50n lvth0=1m wvsat=500 pk2=1m"""
NETLIST = """characteristics
vd d 0 {sign}0.9 ac 1
vg g 0 {sign}0.8
vb b 0 {minus}0.2
m1 d g 0 b mm w=1.2u l=80n nf=2 ad=0.1p pd=1.4u m=2
.model mm {kind}mos({card})
.options reltol=1e-9 abstol=1e-18 vntol=1e-12 gmin=1e-15 temp={temp}
.op
.dc vd {minus}0.4 {sign}1 {sign}0.7 vg {minus}0.3 {sign}1.1 {sign}0.7
.ac lin 1 1g 1g
.print ac i(vd) i(vg) i(vb)
.end
"""
ROUNDED = 3e-15  # A: what is left of currents between resistances of the bulk in ngspice


@dataclass(frozen=True)
class Found:
    """Of ngspice: currents of the sources, gate voltage by gate voltage, and what a volt at the drain makes of them."""

    swept: dict[str, str]
    small: dict[str, complex]


NGSPICE = {
    "n": Found(
        {
            "vd": "2.67561294e-09 -4.63742686e-11 -1.78349658e-09 0.000426006058 -3.74141833e-07 -5.58967721e-07 "
            "0.00136353955 -0.000611256847 -0.000796702624",
            "vg": "5.03808106e-12 5.16949816e-11 1.39040357e-09 -2.49114507e-10 -1.27824418e-11 3.38760131e-11 "
            "-8.05797384e-09 -1.18969057e-09 -1.01962616e-09",
            "vb": "-6.83640297e-12 1.02591546e-14 3.98423718e-10 -6.8036618e-12 1.03597686e-14 6.73007136e-11 "
            "1.92285399e-09 6.60987237e-12 7.98512298e-12",
        },
        {
            "vd": -5.234999148683526e-05 - 1.2082638407746979e-05j,
            "vg": 7.43311735864404e-11 + 6.756506935248374e-06j,
            "vb": 1.0145355044742947e-09 + 5.283881177336634e-06j,
        },
    ),
    "p": Found(
        {
            "vd": "-4.56630156e-08 9.46887043e-12 4.08091863e-10 -0.000467794654 2.07187261e-06 2.91966078e-06 "
            "-0.00124344006 0.000591600244 0.000804833783",
            "vg": "-1.11022302e-16 -2.10942375e-15 -1.68864922e-13 1.35669254e-13 8.8817842e-16 -1.33226763e-15 "
            "3.76484044e-09 2.82973645e-11 2.9235725e-11",
            "vb": "6.08417539e-09 -2.76984616e-11 -4.26111951e-10 6.08403527e-09 -2.76990653e-11 -2.92940512e-10 "
            "2.3200554e-09 -5.59211011e-11 -5.69857217e-11",
        },
        {
            "vd": -5.797776132573288e-05 - 1.2125138674596335e-05j,
            "vg": 6.936299595852183e-11 + 6.7560727432194395e-06j,
            "vb": 6.668331129620635e-10 + 5.3265271776940075e-06j,
        },
    ),
}


def netlist(kind: str, temperature: float) -> str:
    sign, minus = ("", "-") if kind == "n" else ("-", "")
    card = CARD.format(sign=sign)
    return NETLIST.format(kind=kind, sign=sign, minus=minus, temp=temperature, card=card)


@pytest.mark.parametrize(("kind", "temperature"), [("n", 27.0), ("p", 85.0)])
def test_currents_and_admittances(kind: str, temperature: float) -> None:
    run = tg.run_spice(text=netlist(kind, temperature))
    for name, expected in NGSPICE[kind].swept.items():
        found = np.concatenate([sweep[f"{name}.i"] for sweep in run.dc])
        assert found == pytest.approx([float(number) for number in expected.split()], rel=1e-7, abs=ROUNDED)
    for name, admittance in NGSPICE[kind].small.items():
        assert run.ac_value(f"{name}.i")[0] == pytest.approx(admittance, rel=1e-8)


@pytest.mark.parametrize("written", ["rdsmod=1", "tempmod=2", "ljtss=3", "capmod=0"])
def test_laws_that_are_not_there_are_rejected(written: str) -> None:
    text = f"a\nm1 d g 0 0 mm\nvd d 0 1\nvg g 0 1\n.model mm nmos level=14 {written}\n.op\n"
    with pytest.raises(tg.NetlistError, match=f"BSIM4 has no effect for {written.split('=')[0].upper()}"):
        tg.read_spice(text=text)


def test_names_that_nobody_knows_are_noted() -> None:
    text = "a\nm1 d g 0 0 mm\nvd d 0 1\nvg g 0 1\n.model mm nmos level=14 nonsense=3 lvth0=0 jtss=0\n.op\n"
    assert any("has no nonsense: ignored, as in ngspice" in note for note in tg.read_spice(text=text).notes)


@pytest.mark.parametrize(("mode", "source", "drain"), [(0, 210, 210), (1, 210, 150), (6, 160, 210), (8, 160, 160)])
def test_areas_by_what_outer_regions_border_on(mode: int, source: float, drain: float) -> None:
    """Of three fingers of 1 um two regions of 50 nm are inside; the outer one has 110 nm alone, 50 shared, 60 merged.

    ngspice 39 gives the admittances of such transistors for geomod = 1, 4, 6 and 8 (to 1e-5).
    """
    lengths = {"dmcg": 50e-9, "dmci": 60e-9, "dmdg": 60e-9}
    given = {"geomod": float(mode), "cjs": 1.0, "cjd": 1.0, **lengths}
    place = Place(L=1e-7, W=3e-6, nf=3.0, count=1.0, T=300.15, measured=300.15, given={})
    found = numbers(Bsim4Card(given, 1.0), place)
    assert [found["Cb_s"] * 1e15, found["Cb_d"] * 1e15] == pytest.approx([source, drain], rel=1e-9)


def test_noise_is_rejected() -> None:
    text = "a\nm1 d g 0 0 mm\nvd e 0 1\nr1 e d 1k\nvg g 0 1\n.model mm nmos level=14\n.noise v(d) vg dec 1 1 10\n"
    with pytest.raises(tg.NetlistError, match="'m1' is a BSIM4 transistor, whose noise is not computed"):
        tg.run_spice(text=text)


def test_with_uic_supplies_step_on_and_share_charges() -> None:
    """A transistor that is off passes on a part of the step through its overlap; ngspice 39: 24.91216 mV."""
    circuit = tg.read_spice(
        text="""charged by a transistor that is off
vdd vdd 0 1
vin in 0 1
m1 out in vdd vdd mm w=0.5u l=100n
c1 out 0 50f
.model mm pmos level=54 version=4.6.1 vth0=-0.4 toxe=2n
.ic v(out)=0
.tran 1p 10p uic
"""
    )
    assert isinstance(circuit.m1, el.BSIM4PMOS)
    assert not isinstance(circuit.m1, el.BSIM4NMOS)
    assert tg.simulate(circuit)["out.v"][-1] == pytest.approx(2.491216e-2, rel=1e-5)
