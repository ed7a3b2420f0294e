"""Small netlists that found something wrong, and what ngspice 39 computes for them (reltol 1e-6): value at a time.

(Of `derivative`, ddt, the exact values: ngspice takes differences.) Each is reduced from a netlist of somebody: cards,
spellings and numbers that are rare, and not rare enough.
"""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """A netlist without its title, and points of curves: (quantity, time, value)."""

    text: str
    points: tuple[tuple[str, float, float], ...]


CASES: dict[str, Case] = {
    "floating_collector": Case(
        """v1 a 0 pwl(0 -1 1m 1)
rb a b 10k
q1 c b e qm
ve e 0 3
g1 0 d a 0 1m m=3
rd d 0
x1 d f nothing
.subckt nothing p q
.ends
.model qm npn(is=1e-15)
.tran 10u 1m
""",
        (("v(c)", 0.0, -0.5005), ("v(c)", 1e-3, 0.848555), ("v(d)", 0.25e-3, -1.5), ("v(f)", 1e-3, 0.0)),
    ),
    "op_source_slope": Case(
        """v1 a 0 sin(0 1 1k)
c1 a b 1u
c2 b 0 1u
r1 b 0 1k
.tran 5u 2m
""",
        (
            ("v(b)", 0.000624657522, -0.407517),
            ("v(b)", 0.00154216804, -0.186548),
            ("i(v1)", 0.000624657522, 0.00243059),
            ("i(v1)", 0.00154216804, 0.00312494),
        ),
    ),
    "op_amplifier": Case(
        """VCC cc 0 12
VIN in 0 SIN(0 10m 1k)
CI in b 1u
RB1 cc b 68k
RB2 b 0 12k
RC cc c 4.7k
RE e 0 1k
CE e 0 100u
Q1 c b e QN
.model QN NPN(IS=6.7f BF=250 VAF=74 CJE=10p)
.tran 10u 5m
""",
        (
            ("v(cc)", 0.0015528, 12.0),
            ("v(in)", 0.0015528, -0.003257),
            ("v(in)", 0.0038528, -0.00798551),
            ("v(b)", 0.0015528, 1.75451),
        ),
    ),
    "tnom_of_a_model": Case(
        """i1 0 a 1m
d1 a 0 dm
r1 a 0 1meg
.model dm d(is=1e-14 tnom=50)
.tran 1u 10u
""",
        (("v(a)", 4.024e-06, 0.739831),),
    ),
    "c2_of_a_bjt": Case(
        """vb b 0 0.6
vc c 0 5
q1 c b 0 qm
.model qm npn(is=1e-16 bf=100 c2=1000 ne=1.5)
.tran 1u 10u
""",
        (
            ("i(vc)", 4.024e-06, -1.18721e-06),
            ("i(vb)", 4.024e-06, -5.32281e-07),
        ),
    ),
    "options_scale": Case(
        """vd d 0 5
rd d o 10k
vg g 0 pulse(0 3 1n 1n 1n 20n 40n)
rg g i 10k
m1 o i 0 0 nm w=10 l=2
.options scale=1u
.model nm nmos(kp=50u vto=1 tox=20n cgso=0.3n cgdo=0.3n)
.tran 0.1n 60n
""",
        (
            ("v(o)", 1.86983898e-08, 1.07335),
            ("v(o)", 4.62152904e-08, 1.07365),
            ("v(i)", 1.86983898e-08, 3.0),
            ("v(i)", 4.62152904e-08, 2.9997),
        ),
    ),
    "options_defw": Case(
        """vd d 0 5
vg g 0 3
m1 d g 0 0 nm
.options defw=10u defl=2u
.model nm nmos(kp=50u vto=1)
.tran 1u 10u
""",
        (
            ("i(vg)", 4.024e-06, 0.0),
            ("i(vd)", 4.024e-06, -0.0005),
        ),
    ),
    "same_model_twice": Case(
        """v1 a 0 1
r1 a b 1k
d1 b 0 dm
.model dm d(is=1e-14)
.model dm d(is=1e-9)
.tran 1u 10u
""",
        (
            ("v(b)", 4.024e-06, 0.629441),
            ("i(v1)", 4.024e-06, -0.000370559),
        ),
    ),
    "same_subckt_twice": Case(
        """v1 a 0 1
x1 a b s
r2 b 0 1k
.subckt s a b
r1 a b 1k
.ends
.subckt s a b
r1 a b 3k
.ends
.tran 1u 10u
""",
        (
            ("v(b)", 4.024e-06, 0.5),
            ("i(v1)", 4.024e-06, -0.0005),
        ),
    ),
    "breakdown_small_ibv": Case(
        """v1 a 0 -10
r1 a b 1k
d1 b 0 dm
.model dm d(is=1p bv=7 ibv=0.1n)
.tran 1u 10u
""",
        (
            ("v(b)", 4.024e-06, -7.55909),
            ("i(v1)", 4.024e-06, 0.00244091),
        ),
    ),
    "odd_power": Case(
        """v1 a 0 sin(0 2 1k)
b1 b 0 v=v(a)^3
r1 b 0 1k
.tran 5u 2m
""",
        (
            ("v(b)", 0.0006214, 2.63875),
            ("v(b)", 0.0015414, 0.136114),
            ("i(v1)", 0.0006214, 0.0),
        ),
    ),
    "power_of_power": Case(
        """v1 a 0 sin(0 2 1k)
b1 b 0 v=v(a)*2**3**2
r1 b 0 1k
.tran 5u 2m
""",
        (
            ("v(b)", 0.0006214, -88.4394),
            ("v(b)", 0.0015414, -32.9216),
            ("i(v1)", 0.0006214, 0.0),
        ),
    ),
    "poly1_one_coefficient": Case(
        """v1 c 0 sin(0 2 1k)
e1 a 0 poly(1) c 0 3
r1 a 0 1k
.tran 5u 2m
""",
        (
            ("v(a)", 0.0006214, 3.0),
            ("i(v1)", 0.0006214, 0.0),
        ),
    ),
    "r_model_multiplier": Case(
        """v1 a 0 1
r0 a b 1k rm
r1 b 0 1k
.model rm r(r=2)
.tran 1u 10u
""",
        (
            ("v(b)", 4.024e-06, 0.5),
            ("i(v1)", 4.024e-06, -0.0005),
        ),
    ),
    "exp_td2_zero": Case(
        """v1 a 0 exp(0 5 0.1m 0.2m 0 0.1m)
r1 a 0 1k
.tran 5u 2m
""",
        (
            ("i(v1)", 0.0006214, 0.000340183),
            ("i(v1)", 0.0015414, 3.704e-06),
        ),
    ),
    "node_slash": Case(
        """v1 /in 0 sin(0 1 1k)
r1 /in /out 1k
c1 /out 0 1u
.tran 5u 2m
""",
        (
            ("v(/out)", 0.000624980794, 0.17538),
            ("v(/out)", 0.00154122963, 0.176938),
            ("i(v1)", 0.000624980794, 0.000882402),
            ("i(v1)", 0.00154122963, 0.000433104),
        ),
    ),
    "node_underscore": Case(
        """v1 _net0 0 sin(0 1 1k)
r1 _net0 _net1 1k
c1 _net1 0 1u
.tran 5u 2m
""",
        (
            ("v(_net1)", 0.000624980794, 0.17538),
            ("v(_net1)", 0.00154122963, 0.176938),
            ("i(v1)", 0.000624980794, 0.000882402),
            ("i(v1)", 0.00154122963, 0.000433104),
        ),
    ),
    "unused_port": Case(
        """v1 a 0 sin(0 1 1k)
x1 a b 0 s
.subckt s a b c
r1 a b 1k
c1 b 0 1u
.ends
.tran 5u 2m
""",
        (
            ("v(b)", 0.000624980794, 0.17538),
            ("v(b)", 0.00154122963, 0.176938),
            ("i(v1)", 0.000624980794, 0.000882402),
            ("i(v1)", 0.00154122963, 0.000433104),
        ),
    ),
    "gnd_port": Case(
        """v1 a 0 sin(0 1 1k)
x1 a b 0 s
.subckt s a b gnd
r1 a b 1k
c1 b gnd 1u
.ends
.tran 5u 2m
""",
        (
            ("v(b)", 0.000624980794, 0.17538),
            ("v(b)", 0.00154122963, 0.176938),
            ("i(v1)", 0.000624980794, 0.000882402),
            ("i(v1)", 0.00154122963, 0.000433104),
        ),
    ),
    "global_unused_in_a_subckt": Case(
        """.global vdd
v1 vdd 0 sin(0 1 1k)
x1 b s
x2 b u
.subckt s b
r1 vdd b 1k
.ends
.subckt u b
c1 b 0 1u
.ends
.tran 5u 2m
""",
        (
            ("v(b)", 0.000624980794, 0.17538),
            ("v(b)", 0.00154122963, 0.176938),
            ("i(v1)", 0.000624980794, 0.000882402),
            ("i(v1)", 0.00154122963, 0.000433104),
        ),
    ),
    "names_plus_minus": Case(
        """v1 a 0 sin(0 1 1k)
r+ a b 1k
r- b 0 1k
.tran 5u 2m
""",
        (
            ("v(b)", 0.0006214, -0.345466),
            ("v(b)", 0.0015414, -0.1286),
            ("i(v1)", 0.0006214, 0.000345466),
            ("i(v1)", 0.0015414, 0.0001286),
        ),
    ),
    "param_tab": Case(
        """v1 a 0 sin(0 1 1k)
.param\tx=1k
r1 a 0 {x}
.tran 5u 2m
""",
        (
            ("i(v1)", 0.0006214, 0.000690933),
            ("i(v1)", 0.0015414, 0.0002572),
        ),
    ),
    "equality_in_B": Case(
        """v1 a 0 sin(0 1 1k)
r1 a 0 1k
b1 b 0 v=v(a)==0 ? 1 : 2
r2 b 0 1k
.tran 5u 2m
""",
        (
            ("v(b)", 0.0006214, 2.0),
            ("v(b)", 0.0015414, 2.0),
            ("i(v1)", 0.0006214, 0.000690933),
            ("i(v1)", 0.0015414, 0.0002572),
        ),
    ),
    "derivative": Case(
        """v1 a 0 sin(0 1 1k)
b1 b 0 v=ddt(v(a))
r2 b 0 1k
.tran 5u 2m
""",
        (
            ("v(b)", 0.0006214, -4542.23),
            ("v(b)", 0.0015414, -6071.81),
            ("i(v1)", 0.0006214, 0.0),
        ),
    ),
    "hierarchical_node": Case(
        """v1 c 0 sin(0 2 1k)
x1 c s
.subckt s c
r1 c d 1k
r2 d 0 1k
.ends
b1 a 0 v=v(x1.d)
r1 a 0 1k
.tran 5u 2m
""",
        (
            ("v(a)", 0.0006214, -0.690933),
            ("v(a)", 0.0015414, -0.2572),
            ("i(v1)", 0.0006214, 0.000690933),
            ("i(v1)", 0.0015414, 0.0002572),
        ),
    ),
    "ic_on_a_source": Case(
        """v1 a 0 1
r1 a b 1k
c1 b 0 1u
.ic v(a)=0.3 v(b)=0.2
.tran 5u 2m
""",
        (
            ("v(b)", 0.0006214, 0.570247),
            ("v(b)", 0.0015414, 0.828736),
            ("i(v1)", 0.0006214, -0.000429753),
            ("i(v1)", 0.0015414, -0.000171264),
        ),
    ),
    "sqrt": Case(
        """v1 a 0 sin(0 1 1k)
b1 b 0 v=sqrt(abs(v(a)))
r2 b 0 1k
.tran 5u 2m
""",
        (
            ("v(b)", 0.0006214, 0.831224),
            ("v(b)", 0.0015414, 0.507149),
            ("i(v1)", 0.0006214, 0.0),
        ),
    ),
    "default_of_the_same_name": Case(
        """v1 a 0 sin(0 1 1k)
.param r=5k
x1 a b rc
r1 b 0 1k
.subckt rc a b r={r}
r1 a b {r}
.ends
.tran 5u 2m
""",
        (
            ("v(b)", 0.0006214, -0.115155),
            ("v(b)", 0.0015414, -0.0428667),
            ("i(v1)", 0.0006214, 0.000115155),
            ("i(v1)", 0.0015414, 4.28667e-05),
        ),
    ),
    "area_zero": Case(
        """v1 c 0 5
r1 c a 1k
d1 a 0 dm area=0
.model dm d
.tran 1u 10u
""",
        (
            ("v(a)", 4.024e-06, 5.0),
            ("i(v1)", 4.024e-06, -5e-12),
        ),
    ),
    "m_zero": Case(
        """v1 c 0 5
r1 c 0 1k m=0
.tran 1u 10u
""",
        (("i(v1)", 4.024e-06, 0.0),),
    ),
    "bjt_ic_0_0": Case(
        """v1 c 0 5
vb b 0 0.65
q1 c b 0 qm ic=0,0
.model qm npn
.tran 1u 10u
""",
        (
            ("i(vb)", 4.024e-06, -8.20439e-08),
            ("i(v1)", 4.024e-06, -8.20477e-06),
        ),
    ),
    "diffpair_cjc": Case(
        """vin 1 0 sin(0 0.1 5meg)
vcc 8 0 12
vee 9 0 -12
q1 4 2 6 0 qnl
q2 5 3 6 0 qnl
rs1 1 2 1k
rs2 3 0 1k
rc1 4 8 10k
rc2 5 8 10k
q3 6 7 9 0 qnl
q4 7 7 9 0 qnl
rbias 7 8 20k
.model qnl npn(bf=80 rb=100 va=50 cjc=1pf)
.tran 10ns 280ns
""",
        (
            ("v(4)", 8.76206972e-08, 1.74023),
            ("v(4)", 2.19038397e-07, 6.52426),
        ),
    ),
    "rl_rectifier_with_freewheeling": Case(
        """v1 a 0 sin(0 10 1k)
d1 a b dm
d2 0 b dm
l1 b c 1m
r1 c 0 10
.model dm d
.tran 5u 2m
""",
        (
            ("v(b)", 0.000620985044, -0.759302),
            ("v(b)", 0.00154481147, -0.793284),
            ("v(c)", 0.000620985044, 0.561469),
            ("v(c)", 0.00154481147, 2.08896),
        ),
    ),
    "isolated_secondary": Case(
        """v1 a 0 sin(0 1 1k)
r1 a b 10
l1 b 0 1m
l2 c d 4m
r2 c d 100
k1 l1 l2 0.9
.tran 5u 2m
""",
        (
            ("v(b)", 0.000623366895, -0.482103),
            ("v(b)", 0.00154022738, -0.435432),
            ("v(c,d)", 0.000623366895, -0.869751),
            ("v(c,d)", 0.00154022738, -0.764588),
        ),
    ),
    "substrate_and_excess_phase": Case(
        """vcc cc 0 12
vin in 0 sin(0 0.1 100meg)
rs in x 50
cin x b 1n
rb1 cc b 10k
rb2 b 0 3k
rc cc c 300
re e 0 150
q1 c b e sub qm
vsub sub 0 -1
.model qm npn(level=1 is=4e-16 bf=90 vaf=20 ikf=0.1 rb=30 rbm=5 irb=0.2m re=1 rc=8 cje=1p vje=0.8
+ mje=0.35 cjc=0.8p vjc=0.6 mjc=0.3 xcjc=0.5 tf=20p xtf=2 vtf=3 itf=0.05 ptf=100 tr=1n ccs=2p vjs=0.6 mjs=0.4)
.tran 0.02n 40n
""",
        (
            ("v(c)", 2.17e-08, 8.47321),
            ("v(c)", 3.82e-08, 8.78064),
            ("v(b)", 3.82e-08, 2.43693),
            ("i(vsub)", 2.17e-08, -5.48826e-05),
        ),
    ),
    "substrate_at_the_base": Case(
        """vcc cc 0 -12
vin in 0 sin(0 0.1 100meg)
rs in x 50
cin x b 1n
rb1 cc b 10k
rb2 b 0 3k
rc cc c 300
re e 0 150
q1 c b e sub qm
vsub sub 0 -1
.model qm pnp(level=1 is=4e-16 bf=90 vaf=20 ikf=0.1 re=1 rc=8 cje=1p vje=0.8
+ mje=0.35 cjc=0.8p vjc=0.6 mjc=0.3 xcjc=0.5 tf=20p xtf=2 vtf=3 itf=0.05 ptf=100 tr=1n ccs=2p vjs=0.6 mjs=0.4)
.tran 0.02n 40n
""",
        (
            ("v(c)", 2.17e-08, -8.72552),
            ("v(c)", 3.82e-08, -8.41461),
            ("i(vsub)", 2.17e-08, 0.000145368),
        ),
    ),
    "node_between_blocked_transistors": Case(
        """vdd dd 0 5
vin g 0 pulse(0 5 10n 1n 1n 30n 100n)
r1 dd d 10k
m1 d g m 0 nm w=20u l=3u
m2 m g 0 0 nm w=20u l=3u
c1 d 0 0.1p
.model nm nmos(level=3 vto=0.9 uo=600 tox=45n nsub=3e16 xj=0.6u cbd=0.05p cbs=0.05p)
.tran 1n 40n
""",
        (
            ("v(d)", 5e-09, 5.0),
            ("v(d)", 1.3e-08, 0.771958),
            ("v(d)", 3.5e-08, 0.764685),
            ("v(m)", 1.3e-08, 0.35485),
            ("v(m)", 3.5e-08, 0.351206),
        ),
    ),
    "model_without_equals_signs": Case(
        """vcc cc 0 5
vin in 0 pulse 0 5 2ns 2ns 2ns 30ns
rb in b 10k
q1 c b 0 qm
rc cc c 1k
.model qm npn bf 20 rb 100 tf .1ns cjc 2pf
.tran 1ns 60ns
""",
        (
            ("v(c)", 2e-08, 1.63889),
            ("v(c)", 5e-08, 2.19671),
            ("v(b)", 2e-08, 0.848755),
            ("v(b)", 5e-08, 0.791102),
        ),
    ),
}
