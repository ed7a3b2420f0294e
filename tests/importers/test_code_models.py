"""A elements: analog code models, against what ngspice 39 gives for the same netlist."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg

BLOCKS = """code models
v1 a 0 dc 0.3 ac 1 sin(0.3 2 1k)
v2 b 0 dc 0.7 sin(0.7 1 3k)
a1 a o1 amp
.model amp gain(gain=4 in_offset=0.1 out_offset=-0.5)
a2 [a b] o2 sum
.model sum summer(in_gain=[1.0 -2.0] in_offset=[0.1 0.2] out_gain=1.5 out_offset=0.25)
a3 [a %vd(b a) %v(b)] o3 mul
.model mul mult(in_gain=[1.0 1.5 0.5] out_offset=0.1)
a4 o2 o4 lim
.model lim limit(gain=2 in_offset=0.1 out_lower_limit=-1 out_upper_limit=2.5 limit_range=1e-6 fraction=FALSE)
a5 %vd(a b) %vd(p n) amp
rp p 0 1k
rn n 0 2k
rw o4 0 1k
.op
.tran 10u 2m
.end
"""


def test_over_time() -> None:
    """The formulas of the code models, of the sines themselves."""
    circuit = tg.read_spice(text=BLOCKS)
    times = np.linspace(0.0, 2e-3, 101)
    found = tg.simulate(circuit, points=times, rtol=1e-8).at(times)
    a = 0.3 + 2.0 * np.sin(2e3 * np.pi * times)
    b = 0.7 + np.sin(6e3 * np.pi * times)
    sums = 1.5 * ((a + 0.1) - 2.0 * (b + 0.2)) + 0.25
    np.testing.assert_allclose(found["o1.v"], 4.0 * (a + 0.1) - 0.5, atol=1e-7)
    np.testing.assert_allclose(found["o2.v"], sums, atol=1e-7)
    np.testing.assert_allclose(found["o3.v"], a * 1.5 * (b - a) * 0.5 * b + 0.1, atol=1e-7)
    np.testing.assert_allclose(found["o4.v"], np.clip(2.0 * (sums + 0.1), -1.0, 2.5), atol=1e-7)
    np.testing.assert_allclose(found["p.v"] - found["n.v"], 4.0 * (a - b + 0.1) - 0.5, atol=1e-7)


def test_operating_point() -> None:
    """The same formulas with a = 0.3 and b = 0.7."""
    run = tg.run_spice(text=BLOCKS)
    assert run.op is not None
    for path, known in {"o1.v": 1.1, "o2.v": -1.85, "o3.v": 0.163, "o4.v": -1.0}.items():
        assert run.op[path] == pytest.approx(known, abs=1e-9)


@pytest.mark.parametrize(
    ("cards", "error", "words"),
    [
        ("a1 a o amp", "E505", "there is no .model 'amp'"),
        ("a1 a o amp\n.model amp d_state(state_file=s)", "E505", "D_STATE"),
        ("a1 a o amp\n.model amp gain(gian=3)", "E507", "GIAN"),
        ("a1 a amp\n.model amp gain(gain=3)", "E506", "one output"),
        ("a1 [a b] o amp\n.model amp gain(gain=3)", "E506", "one input"),
        ("a1 %i(a) o amp\n.model amp gain(gain=3)", "E506", "port %i"),
        ("a1 a o lim\n.model lim limit(out_upper_limit=1 limit_range=0.5)", "E506", "rounded"),
    ],
)
def test_what_is_rejected(cards: str, error: str, words: str) -> None:
    with pytest.raises(tg.NetlistError, match=words) as caught:
        tg.read_spice(text=f"t\nv1 a 0 1\nrb b 0 1k\n{cards}\nro o 0 1k\n.tran 1n 1u\n.end\n")
    assert str(caught.value).startswith(error)
