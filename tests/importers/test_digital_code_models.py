"""Digital code models: instants of edges in closed form, values as ngspice 39 has them, nodes with several outputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg

CHAIN = """an inverter with an inverted input and a buffer between two bridges, in subcircuits
v1 a 0 pulse(0 4 1u 100n 100n 2u 10u)
x1 a y bridged
.subckt bridged a y
aadc [a] [da] adc
xi da dy two
adac [dy] [y] dac
.ends
.subckt two x y
ainv ~x n inv
abuf n y buf
.ends
.model adc adc_bridge(in_low=1 in_high=3 rise_delay=3n fall_delay=5n)
.model inv d_inverter(rise_delay=7n fall_delay=11n)
.model buf d_buffer(rise_delay=13n fall_delay=17n)
.model dac dac_bridge(out_low=-1 out_high=3 t_rise=8n t_fall=16n)
.tran 1n 5u
.end
"""


def test_instants_of_edges() -> None:
    """Unknown from a quarter of an edge on, known from three quarters on; the output moves by 0.5 or 0.25 V/ns."""
    times = np.linspace(0.9e-6, 3.4e-6, 2501)
    found = tg.simulate(tg.read_spice(text=CHAIN), points=times).at(times)["y.v"]
    rising = 1e-6 + np.array([0.25, 0.75]) * 1e-7 + 1e-9 * np.array([3 + 7 + 13, 3 + 7 + 13])
    falling = 3.1e-6 + np.array([0.25, 0.75]) * 1e-7 + 1e-9 * np.array([5 + 11 + 17, 5 + 11 + 17])
    up = np.clip((times - rising[0]) * 5e8, 0.0, 2.0) + np.clip((times - rising[1]) * 5e8, 0.0, 2.0)
    down = np.clip((times - falling[0]) * 2.5e8, 0.0, 2.0) + np.clip((times - falling[1]) * 2.5e8, 0.0, 2.0)
    np.testing.assert_allclose(found, -1.0 + up - down, atol=1e-5)  # events are found to 1e-12 of the run


DECK = """random digital
v1 a 0 pulse(0 5 1u 10n 10n 0.7u 1.9u)
v2 b 0 pulse(0 5 0.5u 50n 10n 1.1u 2.3u)
v3 c 0 pulse(0 5 0.2u 10n 80n 0.31u 0.77u)
v4 r 0 pulse(0 5 6u 10n 10n 0.4u 5u)
aadc [a b c r] [da db dc dr] adc
.model adc adc_bridge(in_low=1.0 in_high=4.0 rise_delay=3n fall_delay=5n)
a1 da db dc null dr q1 nq1 jk
.model jk d_jkff(clk_delay=11n set_delay=10n reset_delay=4n ic=1 rise_delay=1n fall_delay=2n)
a2 da dc dr null q2 nq2 tf
.model tf d_tff(clk_delay=11n set_delay=10n reset_delay=4n ic=0 rise_delay=1n fall_delay=2n)
a3 da db dc dr null q3 nq3 sr
.model sr d_srff(clk_delay=11n set_delay=10n reset_delay=4n ic=0 rise_delay=1n fall_delay=2n)
a4 da dc null dr q4 nq4 dl
.model dl d_dlatch(data_delay=6n enable_delay=11n set_delay=10n reset_delay=4n ic=0 rise_delay=1n fall_delay=2n)
a5 da db dc dr null q5 null sl
.model sl d_srlatch(sr_delay=6n enable_delay=11n set_delay=10n reset_delay=4n ic=2 rise_delay=1n fall_delay=2n)
a6 da db bus tri
a7 dc ndb bus tri
a8 db ndb inv
a9 bus2 pu
a10 da db bus2 tri
.model pu d_pullup(load=1p)
.model tri d_tristate(delay=5n)
.model inv d_inverter(rise_delay=2n fall_delay=4n)
a11 [da db ~dc] x1 xo
.model xo d_xor(rise_delay=40n fall_delay=8n)
a12 [da db dc] x2 no
.model no d_nor(rise_delay=4n fall_delay=90n)
a13 [q1 q2 q3 q4 q5 bus bus2 x1 x2 nq1] [o1 o2 o3 o4 o5 o6 o7 o8 o9 o10] dac
.model dac dac_bridge(out_low=0.2 out_high=3.3 t_rise=20n t_fall=30n)
.tran 2n 20u
.end
"""

REFERENCE = {
    "o1": "1110000001111100001111110000011111110000000000100",
    "o2": "0000000001111001110011111111100000001111111111000",
    "o3": "000000000XXXX1011111111101111XXXXXXXXXXX110000100",
    "o4": "0001100001X00100001011001000011100011000010011000",
    "o5": "XXXXXXXX0XXXXX0111101110X1110XXXXXXXX000110011000",
    "o6": "10011101110100001010101001010110101110010100X0000",
    "o7": "1001111111011000111011101111011111111011110011000",
    "o8": "0X0010101000101000101000001000X1010100100110X0010",
    "o9": "1X00001100001000000000000010000101000010100000000",
    "o10": "0001111110000011110000001111100000001111111111011",
}
"""Of ngspice 39, with a largest step of 0.1 ns."""

_EDGES = (8, 14, 15, 23, 24, 25, 30, 31, 50, 53, 56)
_LEVELS = {"0": 0.2, "1": 3.3, "X": 1.75}


def test_registers_and_gates() -> None:
    """At 49 of 60 instants; at the others voltages are on their way, where the steps of ngspice count."""
    times = np.linspace(0.25e-6, 19.95e-6, 60)
    found = tg.simulate(tg.read_spice(text=DECK), points=times).at(times)
    settled = np.delete(np.arange(60), _EDGES)
    for name, letters in REFERENCE.items():
        expected = [_LEVELS[letter] for letter in letters]
        np.testing.assert_allclose(found[f"{name}.v"][settled], expected, atol=1e-9, err_msg=name)


def test_operating_points_are_without_delays() -> None:
    run = tg.run_spice(text=CHAIN.replace("v1 a 0", "v1 a 0 dc 4").replace(".tran 1n 5u", ".op\n.dc v1 0 4 2"))
    assert run.op is not None
    assert run.dc is not None
    assert run.op["y.v"] == 3.0
    np.testing.assert_allclose(run.dc[0]["y.v"], [-1.0, 1.0, 3.0])


WRONG = """wrong
v1 a 0 1
aadc [a] [da] adc
{card}
.model adc adc_bridge(in_low=1 in_high=3)
.model inv d_inverter(rise_delay=1n)
.model odd d_inverter(gain=1)
.model ff d_dff(ic=5)
.model tri d_tristate(delay=1n)
.tran 1n 5u
"""


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("r1 da 0 1k", "'da' of 'aadc' is digital"),
        ("a1 da inv", "has 1 ports, its model 2"),
        ("a1 da y odd", "'gain' of the model of 'a1'"),
        ("a1 da da null null q null ff", "ic=5 of 'a1'"),
        ("a1 [a da] [y] adc", "has 2 inputs and 1 outputs"),
    ],
)
def test_cards_that_are_wrong(card: str, words: str) -> None:
    with pytest.raises(tg.NetlistError, match=words):
        tg.read_spice(text=WRONG.format(card=card))


def read_back(circuit: Any, path: str) -> float:
    """The value at the end of a run."""
    return float(tg.simulate(circuit)[path][-1])


@pytest.mark.parametrize(
    ("outputs", "value"),
    [
        ("", 0.0),
        ("a1 one y buf", 1.0),
        ("a1 one y buf\na2 zero y buf", 0.5),
        ("a1 one y buf\na2 y down", 1.0),
        ("a1 one zero y tri\na2 y down", 0.0),
        ("a1 one zero y tri\na2 one one y tri", 1.0),
        ("a1 one zero y tri\na2 zero zero y tri", 0.5),
        ("a1 one half y tri\na2 zero one y tri", 0.5),
        ("a1 one half y tri\na2 one one y tri", 1.0),
        ("a1 one half y tri\na2 y down", 0.5),
        ("a1 y up\na2 y down", 0.5),
    ],
)
def test_nodes_with_several_outputs(outputs: str, value: float) -> None:
    """As the table of the event-driven algorithm has it: strong, resistive, undetermined, high impedance."""
    text = f"""node
v1 a 0 5
v2 h 0 2
ai [a 0 h] [one zero half] adc
{outputs}
ab y z buf
ac [z] [c] dac
.model adc adc_bridge(in_low=1 in_high=3)
.model buf d_buffer(rise_delay=1n)
.model tri d_tristate(delay=1n)
.model up d_pullup(load=1p)
.model down d_pulldown(load=1p)
.model dac dac_bridge(out_low=0 out_high=1)
.tran 1n 5n
"""
    assert read_back(tg.read_spice(text=text), "c.v") == value
