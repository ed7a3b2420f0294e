"""MESFETs (Z) and the code model `zener` against ngspice 39, with reltol 1e-7 or by their laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el

MESFETS = """both channels
vd d 0 dc 3
vg g 0 dc -0.4 ac 1
z1 d1 g1 s1 mes area=2
rd d d1 20
rg g g1 30
rs s1 0 5
.model mes nmf(vto=-1.3 beta=3m b=0.5 alpha=2.3 lambda=0.05 rd=10 rs=12 cgs=0.5p cgd=0.15p pb=0.8 is=1e-14)
vd2 x 0 dc -2
z2 x1 g2 0 mesp
rx x x1 15
rg2 g g2 30
.model mesp pmf(vto=-1.1 beta=2m cgs=0.4p cgd=0.1p)
.dc vd -2 4 1.5 vg -1.2 0.6 0.9
.ac dec 1 10meg 10g
.end
"""
DRAINS = [
    [1.12348231e-02, 1.13531083e-03, -5.84745016e-05, -6.34067207e-05, -6.75729069e-05],
    [2.51009304e-02, 4.23255264e-03, -3.74163369e-03, -4.13547962e-03, -4.38966914e-03],
    [4.07568221e-02, 1.01291953e-02, -9.30613049e-03, -1.10945346e-02, -1.17611139e-02],
]
OTHER_DRAINS = [[0.00431027] * 5, [0.00276056] * 5, [0.00043478] * 5]
RESPONSE = {
    "s1.v": [0.03240069 + 0.00014985j, 0.03243881 + 0.00149756j, 0.03601265 + 0.01405204j],
    "d1.v": [-0.12959918 + 0.00077598j, -0.12939963 + 0.00775463j, -0.11069709 + 0.07270344j],
    "g1.v": [0.99999466 - 0.00206309j, 0.99946657 - 0.02061727j, 0.94996972 - 0.19336737j],
}
"""At 10 MHz, 100 MHz and 1 GHz."""


def test_currents_and_admittances() -> None:
    run = tg.run_spice(text=MESFETS)
    assert run.ac is not None
    assert run.dc is not None
    for sweep, drains, other in zip(run.dc, DRAINS, OTHER_DRAINS, strict=True):
        np.testing.assert_allclose(sweep["vd.i"], drains, rtol=1e-6)
        np.testing.assert_allclose(sweep["vd2.i"], other, rtol=2e-5)  # five digits
    for path, amplitudes in RESPONSE.items():
        np.testing.assert_allclose(run.ac_value(path)[:3], amplitudes, rtol=1e-5)


def test_an_area_without_a_name_is_noted() -> None:
    """It counts, as SPICE has it; ngspice 39 reads 1."""
    circuit = tg.read_spice(text="t\nv1 d 0 1\nz1 d 0 0 m 3\n.model m nmf(beta=1m)\n")
    assert tg.steady_state(circuit)["z1.Beta"] == 3e-3
    assert any("area=" in note for note in circuit.notes)


@pytest.mark.parametrize(("cls", "sign"), [(el.NMESFET, 1.0), (el.PMESFET, -1.0)])
def test_the_law_of_statz(cls: Any, sign: float) -> None:
    """Saturated, 2 V beyond 3/Alpha: Beta x^2/(1 + B x) (1 + Lambda v_ds); a P-channel is the mirror image."""
    s = tg.System("bias")
    s.add(drain=el.ConstantVoltage(V=2.0 * sign), gate=el.ConstantVoltage(V=-0.5 * sign), ground=el.Ground())
    s.add(fet=cls(Beta=2e-3, B=0.4, Vto=-1.5, Lambda=0.1, Alpha=3.0))
    s.connect(s.drain.p, s.fet.D)
    s.connect(s.gate.p, s.fet.G)
    s.connect(s.drain.n, s.gate.n, s.fet.S, s.ground.p)
    current = tg.steady_state(s)["fet.D.i"]
    assert abs(current - sign * 2e-3 / 1.4 * 1.2) < 1e-11  # Gmin and Is of the gate


@pytest.mark.parametrize("level", ["level=2", "level=5"])
def test_other_levels_are_rejected(level: str) -> None:
    with pytest.raises(tg.NetlistError, match="LEVEL"):
        tg.read_spice(text=f"t\nv1 d 0 1\nz1 d 0 0 m\n.model m nmf({level})\n")


ZENER = """a zener diode
v1 a 0 0
a1 a gnd z
.model z zener(v_breakdown={v} i_breakdown=2e-2 r_breakdown={r} i_sat={i} n_forward=1.2 limit_switch=false)
.dc v1 -5.75 0.75 0.25
.end
"""


@pytest.mark.parametrize(("v", "r", "i"), [(5.6, 1.0, 1e-12), (1.0, 30.0, 1e-9)])
def test_the_zener_of_code_models(v: float, r: float, i: float) -> None:
    """In three pieces, or two where the exponentials meet before a straight line fits between them."""
    run = tg.run_spice(text=ZENER.format(v=v, r=r, i=i))
    assert run.dc is not None
    u = np.arange(-5.75, 0.751, 0.25)
    forward, reverse = 1.2 * 0.026, 2e-2 * r
    v12, v23 = forward * np.log(forward / 10.0), -v + reverse * np.log(10.0 / i / r)
    if v23 < v12:
        at_v12 = i * (np.exp(v12 / forward) - 1.0)
        begin = -v + reverse * np.log(2e-2 / 1e-6)
        middle = at_v12 + 0.1 * i * (np.clip(u, v23, v12) - v12)
        below = middle - 1e-6 * (np.exp((begin - np.minimum(u, v23)) / reverse) - np.exp((begin - v23) / reverse))
        expected = np.where(u > v12, i * (np.exp(u / forward) - 1.0), below)
    else:
        at_zero = 2e-2 / (np.exp(v / reverse) - 1.0)
        slopes = (i / forward, at_zero / reverse)
        above = i * (np.exp(u / forward) - 1.0) + max(slopes[1] - slopes[0], 0.0) * u
        below = -at_zero * (np.exp(-u / reverse) - 1.0) + max(slopes[0] - slopes[1], 0.0) * u
        expected = np.where(u >= 0.0, above, below)
    np.testing.assert_allclose(-run.dc[0]["v1.i"], expected + 1e-6 / v * u, rtol=1e-9, atol=1e-16)
