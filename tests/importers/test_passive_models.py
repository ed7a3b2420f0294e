"""Models with sizes and temperatures: R, L and C against ngspice 39 (currents of .op and .ac, six digits)."""

from __future__ import annotations

import pytest

import tellegen as tg
from tellegen.errors import NetlistError

MODELS = """sizes and temperatures
.options temp=50
.model rm r(rsh=100 narrow=.1u short=.2u defw=2u tc1=1e-3 tnom=10)
.model rr r(rsh=100 r=77)
.model rl r(rsh=50 l=30u)
.model re r(r=5 tce=2)
.model cm c(cj=1e-3 cjsw=1e-9 narrow=.1u short=.2u defw=2u tc1=1e-3)
.model cc c(cj=1e-3 cap=3p)
.model ct c(thick=1e-7 di=4 del=.1u)
.model co c(thick=1e-7 tnom=0 tc2=1e-4)
.model lm l(ind=1m tc1=1e-3 tnom=20)
"""
OMEGA = 6.283185307179586 * 159154.0
CASES = (
    ("r1 1 0 rm l=20u w=3u", 1.0 / 0.00137363),
    ("r1 1 0 rm w=3u", 1.0 / 0.00280449),
    ("r1 1 0 rm m=2", 1.0 / 0.00360577),
    ("r1 1 0 5k rm l=2u", 1.0 / 0.000192308),
    ("r1 1 0 rr", 1.0 / 0.01),
    ("r1 1 0 rl", 1.0 / 0.00666667),
    ("r1 1 0 re tc1=.1", 1.0 / 0.126546),
    ("r1 1 0 1k rr scale=2", 1.0 / 0.0005),
    ("r1 1 0 1k tce=3", 1.0 / 0.000503298),
    ("c1 1 0 cm l=20u w=3u", 1.05184e-07 / OMEGA),
    ("c1 1 0 cm", 3.08944e-09 / OMEGA),
    ("c1 1 0 cc l=5u w=2u", 2.99998e-06 / OMEGA),
    ("c1 1 0 ct l=5u w=5u", 8.15997e-09 / OMEGA),
    ("c1 1 0 co l=9u", 3.88475e-08 / OMEGA),
    ("l1 1 0 1m scale=2 m=3", 2e-3 / 3.0),
    ("l1 1 0 lm", 1.03e-3),
)


def test_amounts_of_ngspice() -> None:
    cards = [f"{card[0]}{k} 1 0 {card[7:]}" for k, (card, _) in enumerate(CASES)]
    values = tg.steady_state(tg.read_spice(text="\n".join([MODELS, "r 1 0 1", *cards, "i1 0 1 1", ".end\n"])))
    found = [values[f"{card[0]}{k}.{card[0].upper()}"] for k, (card, _) in enumerate(CASES)]
    assert found == pytest.approx([expected for _, expected in CASES], rel=5e-6)


def test_a_strip_without_width_is_rejected() -> None:
    with pytest.raises(NetlistError, match="of which 2 x 2e-06 m are lost"):
        tg.read_spice(text="a strip\n.model thin r(rsh=100 dw=2u)\nr1 1 0 thin l=5u w=3u\nv1 1 0 1\n.end\n")


COEFFICIENTS = """as warm as it was measured
v1 1 0 1
r1 1 2 1k
d1 2 0 dm
q1 2 2 0 qm
.model dm d(is=1e-14 rs=10 trs1=1m tbv1=1m tcv=1m jsw=1e-10 cjsw=1p php=.8 ns=1.2 tm1=1m ctp=1m)
.model qm npn(is=1e-18 trb1=1m tre2=1u tikf1=1m tvaf1=1m tvje=1m)
.op
"""


def test_coefficients_without_effect() -> None:
    """Not rejected where the circuit is as warm as the models and diodes have no side walls. Value of ngspice 39."""
    assert tg.steady_state(tg.read_spice(text=COEFFICIENTS))["n2.v"] == pytest.approx(0.6328682, abs=1e-6)
    with pytest.raises(NetlistError, match="no effect for TRS1"):
        tg.read_spice(text=f"{COEFFICIENTS}.temp 30\n")
