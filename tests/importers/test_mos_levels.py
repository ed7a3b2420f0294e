"""MOS models of levels 2 and 3, and what follows from the doping of any: currents of ngspice."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el

CARDS = {
    "velocity": "level=3 vto=0.7 nsub=1e16 tox=25n xj=0.3u ld=0.05u uo=550 vmax=1.5e5 theta=0.06 eta=0.1 kappa=0.3 "
    "delta=0.6 nfs=2e11",
    "long": "level=3 nsub=5e15 tox=40n ld=0.1u theta=0.05 eta=0.5 kappa=0.4 rsh=20 tpg=-1 nss=1e10",
    "plain": "level=3 vto=0.9 kp=60u gamma=0.5 phi=0.7",
    "bulk charge": "level=2 vto=0.8 nsub=8e15 tox=40n xj=0.4u ld=0.1u uo=500 uexp=0.15 ucrit=6e4 delta=0.8",
    "limited velocity": "level=2 nsub=1e16 tox=30n xj=0.3u uo=600 vmax=6e4 neff=3 nfs=3e11 tpg=1",
    "given numbers": "level=2 vto=0.9 kp=60u gamma=0.5 phi=0.7 lambda=0.03",
    "doping at level 1": "level=1 nsub=9e15 tox=30n uo=450 lambda=0.02 js=1e-8",
}
NETLIST = """characteristics
vd d 0 {sign}3
vg g 0 {sign}2
vb b 0 {minus}1
m1 d g 0 b mm w=10u l=1.5u ad=20p as=20p
.model mm {kind}mos({card})
.dc vd {begin} {end} 2 vg {sign}1 {sign}5 {sign}2
.end
"""
NGSPICE = {  # i(vd), gate voltage by gate voltage
    ("n", "velocity"): [
        0.000328414,
        -1.25518e-05,
        -1.80609e-05,
        -2.48792e-05,
        0.00104275,
        -0.000658543,
        -0.000851994,
        -0.000954591,
        0.00164886,
        -0.00132245,
        -0.00215398,
        -0.00241561,
    ],
    ("p", "velocity"): [
        2.48792e-05,
        1.80608e-05,
        1.25518e-05,
        -0.000328414,
        0.000954591,
        0.000851994,
        0.000658543,
        -0.00104275,
        0.00241561,
        0.00215398,
        0.00132245,
        -0.00164886,
    ],
    ("n", "long"): [
        0.000174204,
        -2.00999e-12,
        -8.78339e-06,
        -0.000131441,
        0.000803364,
        -0.000435452,
        -0.00103881,
        -0.00180453,
        0.00132603,
        -0.00102687,
        -0.00255754,
        -0.00411969,
    ],
    ("p", "long"): [
        0.000116311,
        5.36887e-06,
        2.00999e-12,
        -0.000162628,
        0.0017635,
        0.00101015,
        0.000423386,
        -0.000792612,
        0.00407866,
        0.0025301,
        0.00101696,
        -0.00131726,
    ],
    ("p", "plain"): [
        6.01e-12,
        4.01e-12,
        2.01e-12,
        -0.000210544,
        0.000635748,
        0.000635748,
        0.00052739,
        -0.00101012,
        0.00272826,
        0.00266712,
        0.00132739,
        -0.00181012,
    ],
    ("n", "bulk charge"): [
        0.0003028,
        -4.34047e-06,
        -7.29052e-06,
        -1.08667e-05,
        0.000945848,
        -0.000610126,
        -0.000900076,
        -0.00106253,
        0.0014545,
        -0.00117557,
        -0.00263802,
        -0.00311859,
    ],
    ("p", "limited velocity"): [
        0.00014576,
        0.000127385,
        0.000105212,
        -0.000564907,
        0.00142514,
        0.00127201,
        0.00098365,
        -0.00150206,
        0.00309555,
        0.00276759,
        0.00190449,
        -0.0024229,
    ],
    ("n", "given numbers"): [
        0.000198838,
        -2.01e-12,
        -4.01e-12,
        -6.01e-12,
        0.0010205,
        -0.000527143,
        -0.00065493,
        -0.00070116,
        0.00184524,
        -0.00135189,
        -0.00281204,
        -0.00305039,
    ],
    ("n", "doping at level 1"): [
        0.00046426,
        -6.23943e-05,
        -6.48411e-05,
        -6.72879e-05,
        0.0011687,
        -0.000737981,
        -0.00123265,
        -0.00127917,
        0.00187314,
        -0.00144242,
        -0.00339886,
        -0.00401043,
    ],
    ("p", "doping at level 1"): [
        6.72879e-05,
        6.48411e-05,
        6.23943e-05,
        -0.00046426,
        0.00127917,
        0.00123265,
        0.000737981,
        -0.0011687,
        0.00401043,
        0.00339886,
        0.00144242,
        -0.00187314,
    ],
}
"""ngspice 39 with reltol 1e-9."""


def netlist(kind: str, card: str) -> str:
    """A family of curves through both directions of the channel."""
    n = {"kind": "n", "sign": "", "minus": "-", "begin": -1, "end": 5}
    p = {"kind": "p", "sign": "-", "minus": "", "begin": -5, "end": 1}
    card = card if kind == "n" else card.replace("vto=", "vto=-")
    return NETLIST.format(card=card, **(n if kind == "n" else p))


@pytest.mark.parametrize("name", NGSPICE, ids=lambda name: " ".join(name))
def test_currents_of_ngspice(name: tuple[str, str]) -> None:
    """Six digits are given; constants of nature differ in the sixth."""
    run = tg.run_spice(text=netlist(name[0], CARDS[name[1]]))
    found = np.concatenate([sweep["vd.i"] for sweep in run.dc])
    reference = np.array(NGSPICE[name])
    assert found == pytest.approx(reference, rel=5e-5, abs=5e-5 * np.abs(reference).max() * 1e-3)


def test_other_levels_are_refused_by_name() -> None:
    with pytest.raises(tg.NetlistError, match="LEVEL = 5"):
        tg.run_spice(text=netlist("n", "level=5 vto=1"))


@pytest.mark.parametrize(
    ("sign", "plain", "short"),
    [(1.0, el.NMOS, el.NMOS3), (-1.0, el.PMOS, el.PMOS3), (1.0, el.NMOS, el.NMOS2), (-1.0, el.PMOS, el.PMOS2)],
)
def test_without_its_effects_it_is_level_1(sign: float, plain: type[tg.Component], short: type[tg.Component]) -> None:
    """No body effect, no doping, no limits of velocity: Shichman and Hodges."""
    numbers = {"Vto": 0.8 * sign, "Kp": 1e-4, "W": 1e-5, "L": 2e-6}
    s = tg.System("pair")
    s.add(drain=el.ConstantVoltage(V=sign), gate=el.ConstantVoltage(V=sign), ground=el.Ground())
    s.add(first=plain(**numbers), second=short(**numbers))
    s.connect(s.drain.p, s.first.D, s.second.D)
    s.connect(s.gate.p, s.first.G, s.second.G)
    s.connect(s.ground.p, s.drain.n, s.gate.n, s.first.S, s.first.B, s.second.S, s.second.B)
    for gate in (0.5, 1.5, 3.0):
        curve = tg.sweep(s, {"drain.V": sign * np.linspace(-0.5, 4.0, 10)}, parameters={"gate.V": sign * gate})
        assert curve["second.i_ds"] == pytest.approx(curve["first.i_ds"], rel=1e-9, abs=1e-15)


def test_a_limited_velocity_has_one_saturation() -> None:
    """From below the threshold on: there the equation of the velocity had a second solution, of negative voltage."""
    run = tg.run_spice(
        text="""limited velocity from below the threshold on
vd d 0 1
vg g 0 2
m1 d g 0 0 mm w=10u l=5u
.model mm nmos(level=2 vto=1.08 nsub=1.87e16 tox=59.8n uo=530 vmax=4.72e4 xj=0.41u delta=1.68 lambda=0.037)
.dc vg 0.9 1.7 0.1
.end
"""
    )
    found = run.dc[0]["vd.i"]
    assert found[:2] == pytest.approx(0.0, abs=1e-11)  # ngspice has 5e-8 A out of the drain there
    assert found[[4, 8]] == pytest.approx([-1.168e-6, -7.850e-6], rel=1e-3)


def test_models_in_bins() -> None:
    text = """bins
vd d 0 1
m1 d d 0 0 nm w=2u l=1u
m2 d d 0 0 nm w=20u l=1u
.model nm.1 nmos(vto=0.5 wmin=1u wmax=10u lmin=0.5u lmax=2u)
.model nm.2 nmos(vto=0.7 wmin=10u wmax=100u lmin=0.5u lmax=2u)
"""
    circuit = tg.read_spice(text=text)
    solution = tg.simulate(circuit, 1e-6)
    assert (solution["m1.Vto"], solution["m2.Vto"]) == (0.5, 0.7)
    with pytest.raises(tg.NetlistError, match="no bin of the model 'nm' has l = 3e-06 m"):
        tg.read_spice(text=text.replace("w=2u l=1u", "w=2u l=3u"))


LEVEL_6 = [
    *(0.00034364853, -2.8114145e-05, -3.8104378e-05, 0.00055750797, -0.00028034068, -0.0003242888),
    *(0.00074207156, -0.00050775155, -0.00070000897),
]


def test_the_power_law_of_level_6() -> None:
    """Against ngspice 39 (whose .ac has no admittances at this level)."""
    run = tg.run_spice(
        text="""level 6
vd d 0 2
vg g 0 1.5
vb b 0 -0.5
m1 d g 0 b nm w=10u l=2u
m2 p p 0 0 pm w=20u l=2u
vp p 0 -2.5
.model nm nmos(level=6 vto=0.7 kc=4e-5 nc=1.3 kv=1.1 nv=0.65 gamma=0.4 gamma1=0.03 sigma=0.02 phi=0.65 lambda0=0.03
+ lambda1=0.01 tox=20n cgso=0.2n cgdo=0.2n cj=0.3m ld=0.1u)
.model pm pmos(level=6 vto=-0.8 tox=20n nsub=1e16 lambda=0.02)
.dc vd -1 3 2 vg 1 3 1
"""
    )
    found = np.concatenate([sweep["vd.i"] for sweep in run.dc])
    assert found == pytest.approx(LEVEL_6, rel=1e-5, abs=1e-10)
    assert run.dc[0]["vp.i"][0] == pytest.approx(0.00092300269, rel=1e-6)
    models = ".model nm nmos level=6\n.model pm pmos level=6\n"
    circuit = tg.read_spice(text=f"a\nm1 d d 0 0 nm\nm2 d d 0 0 pm\nvd d 0 1\n{models}")
    assert isinstance(circuit.m1, el.NMOS6)
    assert isinstance(circuit.m2, el.PMOS6)


def test_an_oxide_without_any_other_capacitance() -> None:
    """The drain has none while the channel is off or saturated: E310 or E305 at all levels. Points of ngspice 39."""
    netlist = """common source
.model mm nmos(level=1 vto=0.9 kp=2e-5 tox=4e-8)
m0 o a s 0 mm w=40u l=4u
v1 in 0 pulse(0 3 100n 50n 50n 300n 800n)
rg in a 1meg
rs s 0 1k
rd vdd o 100k
vdd vdd 0 3
.tran 10n 600n
"""
    at = tg.simulate(tg.read_spice(text=netlist)).at([1.2e-7, 2e-7, 2.5e-7, 3e-7, 5.5e-7])
    assert at["a.v"] == pytest.approx([0.082832, 1.525403, 1.925168, 2.236224, 1.669644], abs=3e-5)
    assert at["o.v"] == pytest.approx([3.0, 0.337985, 0.185549, 0.145149, 0.235502], abs=3e-5)
