"""Spellings of other simulators: counted pulses, repeated and relative corners, tables, tc=a,b, models of a kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tellegen as tg


def run(tmp_path: Path, *lines: str) -> Any:
    path = tmp_path / "spelled.cir"
    path.write_text("* spelled\n" + "\n".join(lines) + "\n.end\n")
    return tg.run_spice(path)


def operating_point(tmp_path: Path, *lines: str) -> Any:
    return run(tmp_path, *lines, ".op").op


def transient(tmp_path: Path, source: str, stop: str) -> Any:
    return run(tmp_path, source, "R1 a 0 1k", f".tran 10n {stop}").tran


def test_pulses_that_are_counted(tmp_path: Path) -> None:
    found = transient(tmp_path, "V1 a 0 PULSE(0 1 1u 10n 10n 1u 4u 2)", "20u")
    values = [found.at(t * 1e-6)["r1.v"] for t in (0.5, 1.5, 3.0, 5.5, 9.5, 13.5)]
    assert values == pytest.approx([0.0, 1.0, 0.0, 1.0, 0.0, 0.0], abs=1e-9)
    endless = transient(tmp_path, "V1 a 0 PULSE(0 1 1u 10n 10n 1u 4u 0)", "20u")
    assert endless.at(13.5e-6)["r1.v"] == pytest.approx(1.0)


CORNERS = {
    "PWL(0 0 1u 1 2u 0)": [0.5, 0.5, 0.0, 0.0],
    "PWL(0 0 +1u 1 +1u 0)": [0.5, 0.5, 0.0, 0.0],
    "PWL(0 0 1u 1 2u 0) r=0": [0.5, 0.5, 0.5, 0.5],
    "PWL(0 0 1u 1 2u 0) r=0 td=0.5u": [0.0, 1.0, 0.0, 0.0],
    "PWL(0 0 1u 1 2u 0) r=1u": [0.5, 0.5, 0.5, 0.5],
    "PWL(0 0 1u 1 2u 0) td=1u": [0.0, 0.5, 0.5, 0.0],
}


def test_corners(tmp_path: Path) -> None:
    sources = [f"V{k} a{k} 0 {corners}\nR{k} a{k} 0 1k" for k, corners in enumerate(CORNERS)]
    found = run(tmp_path, *sources, ".tran 10n 10u").tran
    for k, expected in enumerate(CORNERS.values()):
        assert [found.at(t * 1e-6)[f"r{k}.v"] for t in (0.5, 1.5, 2.5, 8.5)] == pytest.approx(expected, abs=1e-6), k


COPIES = """V{k} a{k} 0 1 ac 1
R{k} a{k} b{k} 500
{calls}
"""
INSIDE = """.subckt two p
X1 p n one m=2
D1 n 0 dm
Q1 p n 0 qm
M1 p n 0 0 mm w=10u l=1u
G1 n 0 p 0 1m
F1 p 0 V1 2
V1 n i 0 rser=10
R1 i 0 1k m=2
H1 h 0 V1 50
R2 h p 1k
C1 n 0 1n
L1 n 0 1u
.ends
.subckt one p q
R1 p q 1k
.ends
.model dm d
.model qm npn
.model mm nmos(vto=0.5 kp=100u)
.ac lin 1 1meg 1meg"""


def test_subcircuits_in_parallel(tmp_path: Path) -> None:
    """As if they were written so many times; ngspice 39 agrees but for F, B and m= inside each other."""
    calls = "\n".join(f"X{k} b2 two" for k in (5, 6, 7))
    found = run(tmp_path, COPIES.format(k=1, calls="X4 b1 two m=3"), COPIES.format(k=2, calls=calls), INSIDE, ".op")
    assert found.op["b1.v"] == pytest.approx(found.op["b2.v"], rel=1e-9)
    assert 0.1 < found.op["b1.v"] < 0.9
    assert found.ac_value("b1.v")[0] == pytest.approx(found.ac_value("b2.v")[0], rel=1e-9)


@pytest.mark.parametrize(("control", "expected"), [(-1.0, 0.0), (0.25, 1.0), (0.75, 2.5), (9.0, 3.0)])
def test_tables_of_controlled_sources(tmp_path: Path, control: float, expected: float) -> None:
    found = operating_point(
        tmp_path,
        f"V1 a 0 {control}",
        "E1 b 0 TABLE {V(a)} = (0,0) (0.5,2) (1,3)",
        "B1 0 c i=pwl(2*v(a), 0, 0, 1, 2m, 2, 3m)",
        "R1 b 0 1k",
        "R2 c 0 1k",
    )
    assert (found["r1.v"], found["r2.v"]) == pytest.approx((expected, expected), abs=1e-9)


def test_both_temperature_coefficients_in_one(tmp_path: Path) -> None:
    found = operating_point(tmp_path, "V1 a 0 1", "R1 a 0 1k tc=1m,2u", ".temp 77")
    assert found["r1.i"] == pytest.approx(1e-3 / (1.0 + 1e-3 * 50.0 + 2e-6 * 50.0**2), rel=1e-12)


def test_a_model_that_is_a_kind_of_another(tmp_path: Path) -> None:
    base = ".model base d(is=1e-14 n=1.5 rs=2)"
    one = operating_point(tmp_path, "V1 a 0 1", "D1 a 0 dd", ".model dd ako:base d(is=1e-12)", base)
    whole = operating_point(tmp_path, "V1 a 0 1", "D1 a 0 dd", ".model dd d(is=1e-12 n=1.5 rs=2)")
    assert one["d1.i"] == pytest.approx(whole["d1.i"], rel=1e-12)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["V1 a 0 1", "D1 a 0 x", ".model x ako:y d", ".model y ako:x d"], "are each a kind of the next"),
        (["V1 a 0 1", "D1 a 0 x", ".model x ako:z d"], "there is no .model 'z'"),
        (["V1 a 0 1", "D1 a 0 x", ".model x ako:q d", ".model q npn(bf=10)"], "is of the type D"),
        (["V1 a 0 PWL(0 0 1u 1) r=2u", "R1 a 0 1", ".tran 1n 5u"], "is not before its last time"),
        (["V1 a 0 1", "X1 a s m=2", ".subckt s a", "B1 a 0 i=v(a)", ".ends"], "in a subcircuit that is called with m="),
        (["V1 a 0 1", "E1 b 0 TABLE {V(a)} = (1,0) (0,1)", "R1 b 0 1"], "do not increase"),
    ],
)
def test_mistakes(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(tg.TellegenError, match=message):
        run(tmp_path, *lines, ".op")


SCRIPTED = """scripted
.param r=2k
V1 a 0 2
R1 a b r
B1 b 0 i=v(b)/1k tc1=1m
{cards}
.end
.control
op
{commands}
plot v(b)
.endc
"""


def test_analyses_of_a_script() -> None:
    text = SCRIPTED.format(cards=".options temp=37", commands="dc v1 0 2 1\ntran 1u 5u\nalter r1 = v(b)\nac dec 1 1 10")
    found = tg.run_spice(text=text)
    conductance = 1e-3 * (1.0 + 1e-3 * 10.0)  # ten kelvin above 27 degC
    expected = 2.0 / (1.0 + 2e3 * conductance)
    assert found.op is not None
    assert found.tran is not None
    assert found.ac is None
    assert found.op["b.v"] == pytest.approx(expected)
    assert found.dc[0]["b.v"] == pytest.approx([0.0, expected / 2.0, expected])
    assert found.tran.time[-1] == 5e-6
    assert "but for its .op, .dc, .tran (not read: all from 'alter' on)" in "\n".join(found.notes)


def test_cards_go_before_commands_of_a_script() -> None:
    circuit = tg.read_spice(text=SCRIPTED.format(cards=".tran 1u 7u", commands="tran 1u 5u"))
    assert tg.simulate(circuit).time[-1] == 7e-6


def test_sweeps_over_the_temperature() -> None:
    text = "warm\nV1 a 0 1\nR1 a 0 1k tc1=1m\nR2 a 0 {1k + temper}\n.dc v1 1 2 1 temp 27 127 50\n.dc v1 3 3 1\n.end\n"
    found = tg.run_spice(text=text)
    for celsius, sweep in zip((27.0, 77.0, 127.0), found.dc[:3], strict=True):
        conductance = 1e-3 / (1.0 + 1e-3 * (celsius - 27.0)) + 1.0 / (1e3 + celsius)
        assert -sweep["v1.i"] == pytest.approx([conductance, 2.0 * conductance])
    assert found.dc[3]["a.v"] == pytest.approx([3.0])


def test_densities_of_unequal_junctions() -> None:
    text = """junctions of different areas
vb b 0 0.5
vd b d 0
vs b s 0
m1 d 0 s b mm ad=30p as=10p
.model mm nmos(level=1 js=1e-6 xj=0.3u)
.op
.end
"""
    found = tg.run_spice(text=text)
    assert found.op is not None
    assert found.op["vd.i"] == pytest.approx(3.0 * found.op["vs.i"], rel=1e-6)
    assert any("xj of its model has no effect" in note for note in found.notes)


def test_a_switch_whose_control_falls_onto_its_threshold() -> None:
    """Vt is 0 where a model does not give it, and a control of 1 or 0 never falls below that."""
    text = """switched by a comparator
v1 a 0 pulse(-1 1 0 50u 50u 0 100u)
b1 c 0 v = v(a) < 0 ? 1 : 0
v2 d 0 1
s1 d e c 0 sm
r1 e 0 1k
.model sm sw(ron=1)
.tran 1u 100u
"""
    found = tg.simulate(tg.read_spice(text=text))
    assert [found.at(t)["e.v"] for t in (20e-6, 60e-6)] == pytest.approx([1.0, 0.0], abs=2e-3)


def test_a_law_after_value_without_a_sign() -> None:
    """`e1 out 0 value {...}`, as PSpice and LTspice write it."""
    found = tg.run_spice(text="t\nv1 a 0 3\ne1 b 0 value {v(a)*2}\ng1 0 c value {v(a)}\nrc c 0 2\nrb b 0 1k\n.op\n").op
    assert found is not None
    assert found["b.v"] == pytest.approx(6.0)
    assert found["c.v"] == pytest.approx(6.0)


def test_parameters_of_hspice_that_ngspice_ignores() -> None:
    text = "t\nv1 d 0 3\nm1 d d 0 0 nm w=4u l=1u\n.model nm nmos(level=1 vto=1 kp=100u cox=3e-5 capop=0)\n.op\n"
    run = tg.run_spice(text=text)
    assert run.op is not None
    assert run.op["v1.i"] == pytest.approx(-0.5 * 100e-6 * 4.0 * 4.0, rel=1e-6)
    assert any("cox, capop of its model has no effect" in note for note in run.notes)


def test_values_that_are_expressions_of_voltages(tmp_path: Path) -> None:
    """R and C of voltages; ngspice 39: v(b) and v(d) at the operating point, and v(b) after 3 ms."""
    lines = (
        "v1 a 0 dc 2 sin(2 1 1k)",
        "vc c 0 3",
        "r1 a b r={1k*(1+v(c)+v(a,b))} m=2",
        "r2 b 0 1k",
        "c1 b 0 c={1u*(1+0.1*v(b))}",
        "r3 c d 1k",
        "r4 d 0 '2k+1k*v(d)'",
    )
    found = run(tmp_path, *lines, ".tran 10u 3m", ".op")
    assert found.op is not None
    assert found.op["b.v"] == pytest.approx(0.5358984, rel=1e-6)
    assert found.op["d.v"] == pytest.approx(2.449490, rel=1e-6)
    assert found.tran is not None
    assert found.tran["b.v"][-1] == pytest.approx(0.4786691, rel=1e-5)


def test_signs_and_marks_that_mean_nothing(tmp_path: Path) -> None:
    """A plus behind a number, degrees, the end mark of DOS, an .ic without nodes, a pulse without .tran."""
    lines = (
        ".options temp = 27°C",
        "v1 d 0 dc 2 pulse 0 1 10n 100n 0",
        "v2 b 0 -1",
        "m1 d d 0 b mm w=10u l=1u",
        ".model mm nmos (kp=50u vto=0.5 gamma=0.6+ xj=0 lambda=0.01 phi=.6 n=1)",
        ".ic",
        ".op",
        "\x1a",
    )
    found = run(tmp_path, *lines)
    assert found.op is not None
    assert -found.op["v1.i"] == pytest.approx(3.70765e-4, rel=2e-6)  # ngspice 39
