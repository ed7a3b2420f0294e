"""The analysis cards of netlists: closed-form solutions, figures of ngspice, and mistakes."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg

LOW_PASS = """low pass
v1 in 0 dc 2 ac 3 90 sin(1 1 1k)
r1 in out 1k
c1 out 0 100n
.op
.ac dec 5 10 100k
.dc v1 -1 1 0.25
.tran 1u 2m
.end
"""

AMPLIFIER = """amplifier
vcc vcc 0 12
vin in 0 dc 0 ac 1 sin(0 0.05 10k)
cin in b 1u
r1 vcc b 47k
r2 b 0 10k
rc vcc c 2.2k
re e 0 470
q1 c b e qm
.model qm npn(bf=150 is=1e-15 cjc=4p cje=8p tf=0.4n vaf=80 rb=100)
.op
.dc vcc 0 12 4
.ac dec 1 10 100meg
.print v(c)
.end
"""

NGSPICE_POINT = 6.279007
NGSPICE_SWEEP = [6.79611e-29, 3.79397, 5.14274, 6.27901]
NGSPICE_GAINS = [1.91056, 4.43721, 4.53802, 4.53907, 4.53905, 4.53604, 4.2642, 1.52534]


def test_a_low_pass_in_all_analyses() -> None:
    run = tg.run_spice(text=LOW_PASS)
    assert run.op is not None
    assert run.op["out.v"] == pytest.approx(2.0)  # the DC value, not that of the sine at t = 0
    assert run.ac is not None
    assert len(run.ac.frequencies) == 21
    s = 2j * np.pi * run.ac.frequencies
    assert run.ac_value("out.v") == pytest.approx(3j / (1.0 + 1e-4 * s), rel=1e-10)
    assert run.dc[0].values == pytest.approx(np.linspace(-1.0, 1.0, 9))
    assert run.dc[0]["out.v"] == pytest.approx(run.dc[0].values)
    assert run.tran is not None
    assert run.tran["out.v"][0] == pytest.approx(1.0)  # a run over time begins at the sine
    assert run.success
    assert ".ac" in str(run)


def test_an_amplifier_as_in_ngspice() -> None:
    """ngspice 39 with reltol 1e-6: operating point, sweep of the supply, and gains from 10 Hz to 100 MHz."""
    run = tg.run_spice(text=AMPLIFIER)
    assert run.op is not None
    assert run.op["c.v"] == pytest.approx(NGSPICE_POINT, rel=1e-6)
    assert run.dc[0]["c.v"] == pytest.approx(NGSPICE_SWEEP, abs=1e-5)
    assert np.abs(run.ac_value("c.v")) == pytest.approx(NGSPICE_GAINS, rel=1e-5)


def test_two_sources_superpose() -> None:
    text = "two\nv1 a 0 dc 0 ac 1\ni1 0 b dc 0 ac 1m 180\nr1 a b 1k\nr2 b 0 1k\n.ac lin 3 10 30\n.end\n"
    run = tg.run_spice(text=text)
    assert run.ac_value("b.v") == pytest.approx([0.5 - 0.5] * 3, abs=1e-12)


def test_a_family_of_curves() -> None:
    text = "family\nv1 a 0 1\nv2 b 0 1\nr1 a c 1k\nr2 b c 1k\nr3 c 0 1k\n.dc v1 0 2 1 v2 0 3 3\n.end\n"
    run = tg.run_spice(text=text)
    assert run.dc[0]["c.v"] == pytest.approx([0.0, 1.0 / 3.0, 2.0 / 3.0])
    assert run.dc[1]["c.v"] == pytest.approx([1.0, 4.0 / 3.0, 5.0 / 3.0])


def test_a_netlist_without_analyses() -> None:
    with pytest.raises(tg.NetlistError, match="no analysis"):
        tg.run_spice(text="nothing\nv1 a 0 1\nr1 a 0 1\n.end\n")


def test_the_value_at_zero_where_no_dc_value_is_given() -> None:
    text = "zero\nv1 a 0 {}\nr1 a 0 1\n.op\n.end\n"
    for shape, value in (("sin(1 2 1k 0 0 30)", 2.0), ("pulse(3 5 0 1n 1n 1u 2u)", 3.0), ("pwl(0 4 1m 7)", 4.0)):
        point = tg.run_spice(text=text.format(shape)).op
        assert point is not None
        assert point["a.v"] == pytest.approx(value)


@pytest.mark.parametrize(
    ("card", "word"),
    [
        (".dc v1 0 5", "needs a source"),
        (".dc v9 0 5 1", "'v9' is not a source"),
        (".dc v1 0 5 -1", "has no values"),
        (".ac dec 10 1", "two ends"),
        (".ac dec 10 0 1k", "no frequencies"),
        (".ac dec 10 1 1k", "AC amplitude"),
    ],
)
def test_mistakes(card: str, word: str) -> None:
    with pytest.raises(tg.NetlistError, match=word) as caught:
        tg.run_spice(text=f"wrong\nv1 a 0 1\nr1 a 0 1\n{card}\n.end\n")
    assert caught.value.location is not None


MEASURED = """measured
v1 in 0 sin(0 1 1k)
r1 in 0 1k
v2 step 0 pulse(0 5 1m 1u 1u 5m 10m)
r2 step out 1k
c1 out 0 1u
.param half=2.5
.tran 1u 6m
.meas tran top MAX v(in)
.meas tran swing PP v(in)
.meas tran mean AVG v(in) FROM=0 TO=1m
.meas tran effective RMS v(in) FROM=0 TO=2m
.meas tran area INTEG v(in) FROM=0 TO=0.5m
.meas tran rise TRIG v(out) VAL=0.5 RISE=1 TARG v(out) VAL=4.5 RISE=1
.meas tran middle WHEN v(out)={half} CROSS=1
.meas tran last WHEN v(in)=0.5 FALL=LAST
.meas tran there FIND v(out) AT=2m
.meas tran then FIND v(in) WHEN v(out)=2.5
.meas tran never WHEN v(out)=7
.meas tran drop MAX v(step,out)
.meas tran current MIN i(v1)
.end
"""


def test_measurements_of_a_run_over_time() -> None:
    run = tg.run_spice(text=MEASURED)
    found = run.measurements
    start = 1e-3 + 0.5e-6  # the middle of the edge, for a time constant of 1 ms
    expected = {
        "top": 1.0,
        "swing": 2.0,
        "mean": 0.0,
        "effective": np.sqrt(0.5),
        "area": 1e-3 / np.pi,
        "rise": 1e-3 * np.log(9.0),
        "middle": start + 1e-3 * np.log(2.0),
        "last": 5e-3 + 5.0 / 12.0 * 1e-3,
        "there": 5.0 * (1.0 - np.exp(-(2e-3 - start) / 1e-3)),
        "drop": 5.0 * np.exp(-0.5e-3),
        "current": -1e-3,
    }
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=1e-3, abs=1e-4), name
    assert found["then"] == pytest.approx(np.sin(2e3 * np.pi * found["middle"]), abs=1e-4)
    assert np.isnan(found["never"])
    assert "effective" in str(run)


EDGES = """edges at the level
v1 a 0 sin(0 1 1k)
v2 b 0 pulse(0 1 0.5m 0.1m 0.1m 0.3m 1m)
r1 a b 1k
.tran 5u 1.5m
.meas tran begins when v(a)=0 rise=1
.meas tran again when v(a)=0 rise=2
.meas tran leaves when v(b)=0 rise=1
.meas tran arrives when v(b)=1 cross=1
.meas tran stays when v(b)=1 fall=1
.end
"""


def test_curves_that_begin_or_stay_at_the_level_of_a_crossing() -> None:
    """A sine that starts at 0 rises there, as in ngspice; roundings of a flat top are no edges."""
    found = tg.run_spice(text=EDGES).measurements
    expected = {"begins": 0.0, "again": 1e-3, "leaves": 0.5e-3, "arrives": 0.6e-3}
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-9)
    assert np.isnan(found["stays"])


@pytest.mark.parametrize(
    "card", ["MAX out", "MAX v(nowhere)", "TRIG v(a) RISE=1 TARG v(a) VAL=1", "OVER v(a) AT=1", "MAX v(a) TILL=1"]
)
def test_measurements_that_are_not_understood(card: str) -> None:
    with pytest.raises(tg.NetlistError, match=r"\.measure") as caught:
        tg.run_spice(text=f"wrong\nv1 a 0 1\nr1 a 0 1\n.tran 1u 1m\n.meas tran x {card}\n.end\n")
    assert caught.value.location is not None


STEPPED = """divider
.param r=1k
v1 a 0 {supply} ac 1
r1 a b {{r}}
r2 b 0 1k tc1=1e-3
.op
{steps}
.end
"""


@pytest.mark.parametrize(
    ("steps", "values"),
    [
        (".step param r 1k 3k 1k", [5.0, 10.0 / 3.0, 2.5]),
        (".step param r list 4k 1k", [2.0, 5.0]),
        (".step dec param r 1k 100k 1", [5.0, 10.0 / 11.0, 10.0 / 101.0]),
        (".step v1 2 4 2", [1.0, 2.0]),
        (".step lin v1 4 2 -2", [2.0, 1.0]),
        (".step r2 list 1k 9k", [5.0, 9.0]),
        (".step temp 27 127 100", [5.0, 10.0 * 1.1 / 2.1]),
        (".step v1 1 2 1\n.step param r list 1k 3k", [0.5, 1.0, 0.25, 0.5]),
    ],
)
def test_steps(steps: str, values: list[float]) -> None:
    """Dividers; the first card changes fastest."""
    run = tg.run_spice(text=STEPPED.format(supply="dc 10", steps=steps))
    found = [step.run.op["b.v"] for step in run.steps if step.run.op is not None]
    assert found == pytest.approx(values, rel=1e-9)
    assert run.op is not None
    assert run.op["b.v"] == found[0]
    assert ".step" in str(run)


def test_steps_go_before_values_of_the_caller() -> None:
    run = tg.run_spice(text=STEPPED.format(supply="10", steps=".step param r list 3k 1k"), parameters={"R": 9e3})
    assert [step.values["r"] for step in run.steps] == [3e3, 1e3]
    assert run.op is not None
    assert run.op["b.v"] == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (".step param q 1 2 1", "there is no 'q'"),
        (".step param r 1 2", "two ends and a step"),
        (".step param r 1 2 0", "no values"),
        (".step dec param r 0 10 5", "no values"),
        (".step v1 0 1 1u", "no values"),
        (".step v2 0 1 1", "there is no 'v2'"),
        (".step npn qm(bf) 1 2 1", "is not understood"),
        (".step r1 list", "no values"),
    ],
)
def test_steps_that_mean_nothing(steps: str, words: str) -> None:
    with pytest.raises(tg.NetlistError, match=words):
        tg.run_spice(text=STEPPED.format(supply="10", steps=steps))


def test_steps_of_a_source_without_a_plain_value() -> None:
    with pytest.raises(tg.NetlistError, match="no plain value"):
        tg.run_spice(text=STEPPED.format(supply="sin(0 1 1k)", steps=".step v1 0 1 1"))


def test_resistances_inside_of_elements() -> None:
    """LTspice's rser= and rpar=: a divider of three parts, and a coil whose current ends at V/R."""
    text = """inside
v1 a 0 6 rser=10
l1 a b 1m rser=20 rpar=1meg
c1 b 0 1u rser=5 rpar=30 m=2
.op
.tran 10u 10m
.end
"""
    run = tg.run_spice(text=text)
    series = 20.0 * 1e6 / (20.0 + 1e6)
    assert run.op is not None
    assert run.op["b.v"] == pytest.approx(6.0 * 15.0 / (10.0 + series + 15.0), rel=1e-9)
    assert run.op["l1.i"] == pytest.approx(run.op["a.v"] / 20.0 - run.op["b.v"] / 20.0, rel=1e-9)
    assert run.op["c1_rser.R"] == 2.5


@pytest.mark.parametrize(
    "card", [".noise v(b) v1 dec 1 1 10", ".tf v(b) v1", ".backanno", ".sens v(b)", ".pz a 0 b 0 vol pz"]
)
def test_analyses_that_are_not_run_are_noted(card: str) -> None:
    circuit = tg.read_spice(text=f"t\nv1 a 0 sine(0 1 1k)\nr1 a b 1k\nc1 b 0 1u\n{card}\n.tran 1u 1m\n")
    assert any(card.split()[0] in note for note in circuit.notes)


def source_of(law: str, cards: str = "") -> float:
    """The voltage of a B source beside one of 3 V at the node a, at the operating point."""
    run = tg.run_spice(text=f"t\nv1 a 0 3\n{cards}\nb1 b 0 v={law}\nr1 b 0 1k\n.op\n")
    assert run.op is not None
    return float(run.op["b.v"])


def test_functions_of_the_netlist() -> None:
    cards = ".func f(x, y) {x*y + k}\n.func g(x) = f(x, 2) - x\n.param k=1"
    assert source_of("f(v(a), 1+1)", cards) == pytest.approx(7.0)
    assert source_of("2*g(max(v(a), 4))", cards) == pytest.approx(2 * (4 * 2 + 1 - 4))
    run = tg.run_spice(text=f"t\n{cards}\nv1 a 0 8\nr1 a b 1k\nr2 b 0 {{f(1k, 3) - 1}}\n.op\n")
    assert run.op is not None
    assert run.op["b.v"] == pytest.approx(6.0)


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        (".func f(x) {x}", "has 1 arguments, and 2 are given"),
        (".func f(x, y) {f(x, y)}", "without end"),
        (".func f", "not understood"),
    ],
)
def test_functions_that_mean_nothing(cards: str, words: str) -> None:
    with pytest.raises(tg.NetlistError, match=words):
        source_of("f(1, 2)", cards)


def test_choices_and_tables() -> None:
    assert source_of("if(v(a) > 2, v(a), 1)") == pytest.approx(3.0)
    assert source_of("if(v(a) > 4, v(a), 1)") == pytest.approx(1.0)
    assert source_of("stp(v(a))") == pytest.approx(1.0)
    for x, y in ((-5.0, 1.0), (0.0, 1.0), (1.0, 3.0), (3.0, 4.0), (9.0, 6.0)):
        assert source_of(f"table(v(a) - 3 + {x}, 0, 1, 1, 3, 7, 6)") == pytest.approx(y)


def test_a_circuit_without_sources() -> None:
    """It has no unknowns left, and a steady state all the same."""
    circuit = tg.read_spice(text="nothing moves\nr1 a 0 1k\n.tran 1u 1m\n")
    assert tg.simulate(circuit)["a.v"][-1] == 0.0


@pytest.mark.parametrize(
    ("card", "count", "last"),
    [("dec 5 1 800meg", 45, 800e6), ("dec 3 1 7", 3, 7.0), ("oct 3 1 10", 10, 8.0), ("lin 4 1 10", 4, 10.0)],
)
def test_frequencies_of_ngspice(card: str, count: int, last: float) -> None:
    """ngspice 39 stretches the steps of decades to the end of the range, and those of octaves not."""
    run = tg.run_spice(text=f"t\nv1 a 0 dc 0 ac 1\nr1 a b 1k\nc1 b 0 1u\n.ac {card}\n.end\n")
    assert run.ac is not None
    assert len(run.ac.frequencies) == count
    assert run.ac.frequencies[-1] == pytest.approx(last, rel=1e-12)


BRIDGE = """a bridge whose capacitor is charged in short peaks
vin 2 1 sin(0 100 60 0 0 90)
d1 0 2 dmod
d2 0 1 dmod
d3 2 3 dmod
d4 1 3 dmod
r1 3 0 10k
c1 3 0 250u
.model dmod d
.tran 0.1ms 0.1s
.end
"""


@pytest.mark.parametrize("solver", ["auto", "rk45", "cvode"])
def test_short_peaks_are_not_stepped_over(solver: str) -> None:
    """Steps are as long as that of .tran at most, as in SPICE: between peaks nothing announces the next one."""
    run = tg.simulate(tg.read_spice(text=BRIDGE), solver=solver, points=2001)
    late = run.time > 0.01
    assert run["n3.v"][late].min() == pytest.approx(98.1424, abs=2e-4)  # ngspice 39 with steps of 10 us
    assert np.abs(run["vin.i"]).max() == pytest.approx(0.486, abs=3e-3)
