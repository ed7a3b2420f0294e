"""Netlists: every element and card against closed-form solutions, and what makes a netlist hard to read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.importers.spice.netlist.expression import ExpressionError, parse, value
from tellegen.importers.spice.netlist.numbers import number
from tellegen.library import electrical as el


def run(netlist: str, **options: Any) -> Any:
    """The netlist (its title is added), simulated as it says."""
    return tg.simulate(tg.read_spice(text="a test\n" + netlist), **options)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4.7k", 4700.0),
        ("10MEGohm", 10e6),
        ("10Meg", 10e6),
        ("5m", 5e-3),
        ("5mil", 5 * 25.4e-6),
        ("100nF", 100e-9),
        ("1F", 1e-15),
        ("2uH", 2e-6),
        ("3µ", 3e-6),
        ("-.5", -0.5),
        ("1e3k", 1e6),
        ("1.5d-3", 1.5e-3),
        ("2t", 2e12),
        ("3g", 3e9),
        ("7p", 7e-12),
        ("5V", 5.0),
        ("60Hz", 60.0),
        ("5A", 5.0),  # as in ngspice
        ("4k7", None),
        ("k", None),
        ("1e", 1.0),  # the e is a unit to nobody, as in SPICE
    ],
)
def test_numbers(text: str, expected: float | None) -> None:
    found = number(text)
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1+2*3", 7.0),
        ("(1+2)*3", 9.0),
        ("-2**2", -4.0),
        ("2^-1", 0.5),
        ("2**3**2", 64.0),
        ("10k/2meg", 5e-3),
        ("1-2-3", -4.0),
        ("8/4/2", 1.0),
        ("x > 2 ? 10 : 1/0", 10.0),
        ("x <= 2 || !(x == 3) ? 1 : 2", 2.0),
        ("max(x, 2) + min(x, 2)", 5.0),
        ("sqrt(x*x) + abs(-x)", 6.0),
        ("pow(2, x)", 8.0),
        ("limit(5, -1, 1)", 1.0),
        ("sgn(-x) + u(x)", 0.0),
        ("ln(exp(1))", 1.0),
        ("atan2(0, 1)", 0.0),
    ],
)
def test_expressions(text: str, expected: float) -> None:
    assert value(parse(text), {"x": 3.0}.__getitem__) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("text", ["1+", "(1", "1 2", "foo(1)", "max(1", "sin(1,2)", "v(a)", "a $ b", ""])
def test_expressions_that_are_none(text: str) -> None:
    with pytest.raises(ExpressionError):
        value(parse(text), lambda _: 1.0)


def test_continuations_comments_and_cases() -> None:
    s = run(
        """* nothing here
V1 IN 0 ; the source
* between
+ DC
+ 10 $ volts
R1 in OUT 1K // upper
r2 Out gnd 3k
.TRAN 1u 1m
.END
this is not read
"""
    )
    assert s["out.v"][-1] == pytest.approx(7.5)


def test_it_starts_from_the_operating_point_or_from_initial_conditions() -> None:
    """V through 1 kohm and 4 kohm to ground: 4 V at rest, time constant 0.8 ms."""
    netlist = "v1 in 0 5\nr1 in out 1k\nc1 out 0 1u ic=3\nr2 out 0 4k\n.tran 1u 2m"
    np.testing.assert_allclose(run(netlist)["out.v"], 4.0, rtol=1e-9)
    s = run(netlist + " uic")
    np.testing.assert_allclose(s["out.v"], 4.0 - np.exp(-s.time / 0.8e-3), rtol=1e-5)


def test_inductors_start_with_their_current() -> None:
    netlist = "i1 0 out 1\nr1 out 0 10\nl1 out 0 1m ic=0.25\n.tran 1u 0.3m"
    np.testing.assert_allclose(run(netlist)["l1.i"], 1.0, rtol=1e-9)
    s = run(netlist + " uic")
    np.testing.assert_allclose(s["l1.i"], 1.0 - 0.75 * np.exp(-s.time / 1e-4), rtol=1e-5)


def test_ic_holds_a_node_while_the_operating_point_is_found() -> None:
    """Two capacitors at the held node: both start at 1 V, the rest of the circuit at its place for 1 V."""
    netlist = "v1 in 0 5\nr1 in out 1k\nc1 out 0 1u\nc2 out 0 3u\nr2 out x 1k\nr3 x 0 1k\nc3 x 0 1u\n.ic v(out)=1\n"
    s = run(netlist + ".tran 1u 40m")
    assert s["out.v"][0] == pytest.approx(1.0)
    assert s["x.v"][0] == pytest.approx(0.5)
    assert s["c1.i"][0] == pytest.approx(0.25 * (4e-3 - 0.5e-3))
    assert s["c3.i"][0] == pytest.approx(0.0, abs=1e-12)
    assert s["out.v"][-1] == pytest.approx(5.0 * 2 / 3, rel=1e-3)


def test_ic_with_uic_gives_the_voltages_of_capacitors() -> None:
    s = run("r1 a b 1k\nc1 a 0 1u\nc2 b 0 1u\n.ic v(a)=3 v(b)=1\n.tran 1u 5m uic")
    np.testing.assert_allclose(s["a.v"] - s["b.v"], 2.0 * np.exp(-s.time / 0.5e-3), atol=1e-5)


def test_a_file_in_the_place_of_the_title(tmp_path: Path) -> None:
    """ngspice reads it, and beginners forget the title."""
    (tmp_path / "part.inc").write_text("r1 1 0 2\nr2 1 0 2\n")
    (tmp_path / "a.cir").write_text(".include part.inc\nv1 1 0 1\n.op\n")
    assert tg.steady_state(tg.read_spice(tmp_path / "a.cir"))["v1.i"] == pytest.approx(-1.0)


def test_ic_and_nodeset_inside_of_subcircuits() -> None:
    """With uic .nodeset gives initial voltages where .ic says nothing, as in SPICE; the last value of a node holds."""
    netlist = """r1 a 0 1k
c1 a 0 1u
x1 a inner
.subckt inner a
r1 a b 1k
c1 b 0 1u
.ends
.ic v(a)=1 v(a)=2
.nodeset v(a)=5 v(x1.b)=3
.tran 1u 1m uic
"""
    began = run(netlist)
    assert (began["a.v"][0], began["x1.b.v"][0]) == (2.0, 3.0)
    held = run(netlist.replace(".nodeset v(a)=5", ".ic").replace("uic", ""))
    assert (held["a.v"][0], held["x1.b.v"][0]) == (pytest.approx(2.0), pytest.approx(3.0))


def test_sources_over_time() -> None:
    s = run(
        """v1 a 0 sin(1 2 100 1m 50 90)
v2 b 0 pulse(1 -1 1m 1m 2m 3m 10m)
v3 c 0 pwl(0 0 5m 10 6m 10)
v4 d 0 exp(0 1 1m 2m 5m 1m)
v5 e 0 dc 3 ac 1 sffm(0 1 200 2 50)
i1 0 f sin(0 1m 100)
r1 a 0 1
r2 b 0 1
r3 c 0 1
r4 d 0 1
r5 e 0 1
r6 f 0 1k
.tran 10u 20m"""
    )
    t = s.time
    late = np.maximum(t - 1e-3, 0.0)
    expected = 1 + 2 * np.exp(-50 * late) * np.sin(200 * np.pi * late + np.pi / 2)
    np.testing.assert_allclose(s["a.v"], expected, atol=1e-6)
    corners = ([0, 1e-3, 2e-3, 5e-3, 7e-3, 11e-3, 12e-3, 15e-3, 17e-3, 20e-3], [1, 1, -1, -1, 1, 1, -1, -1, 1, 1])
    np.testing.assert_allclose(s["b.v"], np.interp(t, *corners), atol=1e-6)
    np.testing.assert_allclose(s["c.v"], np.interp(t, [0, 5e-3, 6e-3], [0, 10, 10]), atol=1e-6)
    fall = np.where(t > 5e-3, 1 - np.exp(-(t - 5e-3) / 1e-3), 0.0)
    np.testing.assert_allclose(s["d.v"], 1 - np.exp(-late / 2e-3) - fall, atol=1e-6)
    np.testing.assert_allclose(s["e.v"], np.sin(400 * np.pi * t + 2 * np.sin(100 * np.pi * t)), atol=1e-6)
    np.testing.assert_allclose(s["f.v"], np.sin(200 * np.pi * t), atol=1e-6)


def test_controlled_sources() -> None:
    s = run(
        """v1 a 0 2
r1 a 0 100
e1 b 0 a 0 10
g1 0 c a 0 1m
rc c 0 1k
f1 0 d v1 3
rd d 0 1k
h1 e 0 v1 1k
e2 f 0 poly(2) a 0 b 0 1 2 3 0 0.5
f2 0 g poly(1) v1 0 0 1k
b1 h 0 v=v(a)*v(b,a) + i(v1)*{10*2} + max(time, 5)
g2 0 k value={v(a)**2*1m}
rb b 0 1
re e 0 1
rf f 0 1
rg g 0 1
rh h 0 1
rk k 0 1k
.tran 1u 1u"""
    )
    current = -0.02  # of v1, from its + through the source
    for name, expected in {
        "b": 20.0,
        "c": 2.0,
        "d": 3 * current * 1e3,
        "e": 1e3 * current,
        "f": 1 + 2 * 2 + 3 * 20 + 0.5 * 2 * 20,
        "g": 1e3 * current**2,
        "h": 2 * 18 + current * 20 + 5,
        "k": 4.0,
    }.items():
        assert s[f"{name}.v"][-1] == pytest.approx(expected, rel=1e-9), name


def test_two_sources_sense_one_current() -> None:
    s = run("v1 a 0 1\nr1 a 0 1\nf1 0 b v1 2\nrb b 0 1\nf2 0 c v1 3\nrc c 0 1\nh1 d 0 v1 4\nrd d 0 1\n.tran 1 1")
    assert [s[f"{node}.v"][-1] for node in "bcd"] == pytest.approx([-2.0, -3.0, -4.0])
    assert s["v1.i"][-1] == pytest.approx(-1.0)


def test_coupled_inductors_are_a_transformer() -> None:
    """k = 0.5, L2 open: v2 = k sqrt(L2/L1) v1."""
    s = run("v1 a 0 sin(0 1 1k)\nr0 a b 1m\nl1 b 0 1m\nl2 c 0 4m\nk1 l1 l2 0.5\nrl c 0 1g\n.tran 1u 1m")
    np.testing.assert_allclose(s["c.v"], s["b.v"], atol=1e-6)
    assert s["l1.M"] == pytest.approx([1e-3])


def test_switches_have_a_hysteresis() -> None:
    """RC up to 6 V, down to 2 V: with 10 kohm towards 10 V, 10 nF, and 150 ohm to ground while it is closed."""
    s = run(
        """v1 in 0 10
r1 in out 10k
c1 out 0 10n ic=2
s1 out x out 0 sm
rx x 0 100
.model sm sw(ron=50 roff=1g vt=4 vh=2)
.tran 1u 400u uic"""
    )
    parallel, low = 1 / (1 / 10e3 + 1 / 150.0), 10.0 * 150.0 / 10150.0
    up, down = 1e-4 * np.log(8 / 4), parallel * 1e-8 * np.log((6 - low) / (2 - low))
    closings = [event.time for event in s.events if abs(s.at(event.time)["out.v"] - 6.0) < 1e-3]
    expected = up + (up + down) * np.arange(5)
    assert sorted({round(time, 9) for time in closings}) == pytest.approx(expected, rel=1e-4)


def test_a_switch_controlled_by_a_current_and_one_that_begins_closed() -> None:
    s = run(
        """v1 a 0 pulse(0 10 1m 0.1m 0.1m 1m 4m)
r1 a 0 1k
v2 b 0 5
w1 b c v1 wm
rc c 0 1k
s1 b d 0 0 sm on
rd d 0 1k
.model wm csw(ron=1 roff=1g it=-5m ih=1m)
.model sm sw(ron=1 roff=1g vt=0 vh=1)
.tran 1u 4m"""
    )
    assert s.at(0.5e-3)["c.v"] == pytest.approx(5.0, rel=2e-3)
    assert s.at(1.5e-3)["c.v"] == pytest.approx(0.0, abs=1e-4)
    assert s.at(3.5e-3)["c.v"] == pytest.approx(5.0, rel=2e-3)
    np.testing.assert_allclose(s["d.v"], 5.0, rtol=2e-3)


NESTED = """
.param gain=3 r=1k
.global vdd
vdd vdd 0 10
v1 in 0 1
x1 in out amp params: k=5
x2 in low amp
rl out 0 1k
.subckt amp a b k=2
.param total={k*gain}
e1 m 0 a 0 {total}
x9 m b load r=2k
.subckt load p q r=1
r1 p q {r}
r2 q vdd {r}
.ends
.ends amp
.tran 1u 1u
"""


def test_subcircuits_nest_and_take_parameters() -> None:
    circuit = tg.read_spice(text=f"a test{NESTED}")
    s = tg.simulate(circuit)
    assert s["x1.m.v"][-1] == pytest.approx(15.0)
    assert s["x2.m.v"][-1] == pytest.approx(6.0)
    assert s["low.v"][-1] == pytest.approx(8.0)
    assert s["out.v"][-1] == pytest.approx((15 + 10) / 2 / (1 + 1.0))
    assert s["x1.x9.r1.R"] == 2e3
    other = tg.simulate(tg.read_spice(text=f"a test{NESTED}", parameters={"GAIN": 1.0}))
    assert other["x1.m.v"][-1] == pytest.approx(5.0)


def test_equal_subcircuits_are_compiled_once() -> None:
    """A ladder of 40 sections in fives: as many kinds as with 5."""
    head = "ladder\nv1 n0 0 1\n.subckt s a b\nr1 a b 1\nr2 b 0 1\n.ends\n"
    few, many = (
        tg.flatten(tg.read_spice(text=head + "".join(f"x{k} n{k} n{k + 1} s\n" for k in range(count))))
        for count in (5, 40)
    )
    assert many.summary.kinds == few.summary.kinds


def test_models_are_local_and_scale_with_area() -> None:
    """Two equal diodes in parallel carry as much as one of twice the area."""
    s = run(
        """i1 0 a 2m
d1 a 0 dm
d2 a 0 dm
i2 0 b 2m
d3 b 0 dm 2
i3 0 c 2m
x1 c other
.model dm d(is=1e-14 n=1)
.subckt other p
d1 p 0 dm
.model dm d(is=1e-12 n=1)
.ends
.tran 1u 1u"""
    )
    assert s["a.v"][-1] == pytest.approx(s["b.v"][-1], rel=1e-9)
    assert s["c.v"][-1] == pytest.approx(8.617333e-5 * 300.15 * np.log(2e-3 / 1e-12), rel=1e-5)


def test_all_that_belongs_to_an_area_scales_with_it() -> None:
    """One part of twice the area is two in parallel, at currents at which each effect takes part."""
    s = run(
        """i1 0 a 20m
d1 a 0 dm
d2 a 0 dm
i2 0 b 20m
d3 b 0 dm 2
vc c 0 1
i4 0 e 0.4m
q1 c e 0 qm
q2 c e 0 qm
i5 0 f 0.4m
q3 c f 0 qm 2
.model dm d(is=1e-14 rs=2 ikf=1m isr=1e-8 nr=2)
.model qm npn(is=1e-15 ise=1e-13 ikf=5m rb=50 rbm=5 rc=3 re=1)
.tran 1u 1u"""
    )
    assert s["a.v"][-1] == pytest.approx(s["b.v"][-1], rel=1e-9)
    assert s["e.v"][-1] == pytest.approx(s["f.v"][-1], rel=1e-9)


def test_parameters_of_models_are_left_out_only_if_asked_for() -> None:
    card = "t\ni1 0 a 1m\nd1 a 0 dm\n.model dm d(is=1e-14 jtun=0.1 isr=0 kf=1 swell=3)\n.tran 1 1"
    with pytest.raises(tg.NetlistError, match=r"(?s)JTUN = 0.1, SWELL = 3.*leave_out=\['jtun', 'swell'\]") as caught:
        tg.read_spice(text=card)
    assert caught.value.code == "E507"
    circuit = tg.read_spice(text=card, leave_out=["JTUN", "swell"])
    assert "JTUN, swell are ignored" in circuit.notes[0]
    assert tg.simulate(circuit)["a.v"][-1] == pytest.approx(8.617333e-5 * 300.15 * np.log(1e-3 / 1e-14), rel=1e-5)


def test_temperature_of_resistors() -> None:
    s = run(".temp 127\ni1 0 a 1\nr1 a 0 10 tc1=1m tc2=1u\ni2 0 b 1\nr2 b 0 rm 10\n.model rm r(tc1=2m)\n.tran 1 1")
    assert s["a.v"][-1] == pytest.approx(10 * (1 + 0.1 + 0.01))
    assert s["b.v"][-1] == pytest.approx(12.0)


def test_sections_of_libraries(tmp_path: Path) -> None:
    """`.lib file section`, a section that uses another one, and `.lib file` without sections."""
    library = tmp_path / "corners.lib"
    library.write_text(
        ".param outside=1\n.lib common\n.param c=2\n.endl common\n"
        ".lib slow\n.lib corners.lib common\n.param r={c*1k}\n.endl\n.lib fast\n.param r=1k\n.endl fast\n"
    )
    (tmp_path / "plain.lib").write_text(".param top=8\n")
    main = tmp_path / "main.cir"
    text = "title\n.lib 'corners.lib' {}\n.LIB plain.lib\nv1 in 0 {{top}}\nr1 in out {{r}}\nr2 out 0 1k\n.tran 1u 1u\n"
    main.write_text(text.format("slow"))
    assert tg.simulate(tg.read_spice(main))["out.v"][-1] == pytest.approx(8.0 / 3.0)
    main.write_text(text.format("FAST"))
    assert tg.simulate(tg.read_spice(main))["out.v"][-1] == pytest.approx(4.0)
    main.write_text(text.format("fsat"))
    with pytest.raises(tg.NetlistError, match="no section 'fsat'; perhaps you meant 'fast'"):
        tg.read_spice(main)


def test_included_files(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "lib.inc").write_text(
        ".include 'values.inc'\n.subckt half a b\nr1 a b {r}\nr2 b 0 {r}\n.ends\n"
    )
    (tmp_path / "parts" / "values.inc").write_text(".param r=2k\n")
    main = tmp_path / "main.cir"
    main.write_text("title\n.include parts/lib.inc\nv1 in 0 8\nx1 in out half\n.tran 1u 1u\n.end\n")
    circuit = tg.read_spice(main)
    assert type(circuit).__name__ == "main"
    assert tg.simulate(circuit)["out.v"][-1] == pytest.approx(4.0)


def test_names_of_nodes() -> None:
    circuit = tg.read_spice(text="t\nv1 1 0 1\nr1 1 r2 1\nr2 r2 build 1\nr3 build 0 2\nr4 a+ 0 1\nr5 a+ 1 1\n.tran 1 1")
    assert circuit.nodes == {"1": "n1", "0": "ground", "r2": "r2_", "build": "build_", "a+": "a_"}
    s = tg.simulate(circuit)
    assert s["r2_.v"][-1] == pytest.approx(0.75)
    assert s["a_.v"][-1] == pytest.approx(0.5)


def test_names_of_elements_and_of_ports_of_subcircuits() -> None:
    cell = ".subckt cell r1 build\nr1 r1 build 1\n.ends\n"
    s = run(f"v:1 a 0 1\nx1 a b cell\nrl b 0 1\nf1 0 c v:1 2\nrc c 0 1\n{cell}.tran 1 1")
    assert s["x1.r1.i"][-1] == pytest.approx(0.5)
    assert s["x1.build_.v"][-1] == pytest.approx(0.5)
    assert s["c.v"][-1] == pytest.approx(2 * s["v_1.i"][-1])
    with pytest.raises(tg.NetlistError, match="the name of an element"):
        tg.read_spice(text="t\nr1 a 0 1\n", ports={"r1": "a"})


def test_a_netlist_is_a_part_of_other_models() -> None:
    """A divider with its own ground pin, twice in a class, in one case lifted to 5 V."""
    divider = "divider\n.param r=1k\nr1 in out {r}\nr2 out 0 1k\n"

    class Two(tg.Component):
        source = el.ConstantVoltage(V=10.0)
        base = el.ConstantVoltage(V=5.0)
        low = tg.read_spice(text=divider, ports={"inp": "in", "out": "out"})
        high = tg.read_spice(text=divider, ports={"inp": "in", "out": "out", "ref": "0"}, parameters={"r": 3e3})
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.source.p, self.low.inp, self.high.inp
            yield self.base.p, self.high.ref
            yield self.source.n, self.base.n, self.ground.p

    s = tg.simulate(Two(), 1.0)
    assert s["low.out.v"][-1] == pytest.approx(5.0)
    assert s["high.out.v"][-1] == pytest.approx(6.25)
    assert tg.simulate(Two(), 1.0, parameters={"low.r1.R": 3e3})["low.out.v"][-1] == pytest.approx(2.5)


def test_several_of_one_netlist_and_arrays() -> None:
    cell = type(tg.read_spice(text="cell\nr1 a b 1k\nc1 b 0 1u\n", ports=["a", "b"]))
    s = tg.System("chain")
    s.add(source=el.ConstantVoltage(V=1.0), ground=el.Ground(), cells=cell.array(3))
    s.connect(s.source.p, s.cells[0].a)
    s.connect(s.cells[:-1].b, s.cells[1:].a)
    s.connect(s.source.n, s.ground.p)
    assert tg.simulate(s, 0.1)["cells[2].b.v"][-1] == pytest.approx(1.0, rel=1e-4)


def test_what_is_left_out_is_noted() -> None:
    circuit = tg.read_spice(
        text="t\nv1 a 0 1\nr1 a 0 1\n.ac dec 10 1 1k\n.options reltol=1e-4 gmin=1e-13\n.print tran v(a) i(v1)\n"
        ".control\nrun\nplot v(a)\n.endc\n.tran 1u 1m 0.5m\n"
    )
    notes = "\n".join(circuit.notes)
    for expected in (
        ":4: .ac is not used",
        ":5: the options reltol are not used",
        ":7: a .control block",
        "not at 0.0005",
    ):
        assert expected in notes
    assert tg.simulate(circuit).shown() == ("a.v", "v1.i")


def test_errors_of_the_model_name_the_line_of_the_netlist() -> None:
    with pytest.raises(tg.StructureError, match="v1 a 0 1"):
        run("v1 a 0 1\nv2 a 0 2\nr1 a 0 1\n.tran 1 1")
    with pytest.raises(tg.NetlistError, match="there is no ground node"):
        run("v1 a b 1\nr1 a b 1\n.tran 1 1")


def test_nodes_whose_names_begin_with_a_sign() -> None:
    circuit = tg.read_spice(text="signs\nV1 +5v 0 5\nV2 -5v 0 -5\nR1 +5v -5v 1k\n.end\n")
    assert circuit.nodes == {"+5v": "n_5v", "0": "ground", "-5v": "n_5v_"}
    found = tg.steady_state(circuit)
    assert (found["n_5v.v"], found["n_5v_.v"]) == (5.0, -5.0)


@pytest.mark.parametrize("line", ["(", "( )", ",", "()()"])
def test_a_line_without_words(line: str) -> None:
    with pytest.raises(tg.NetlistError, match="no name at its beginning") as caught:
        tg.read_spice(text=f"title\nV1 1 0 1\nR1 1 0 1k\n{line}\n.end\n")
    assert caught.value.location is not None
    assert caught.value.location.line == 4


def test_a_title_that_reads_as_an_element_is_warned_of() -> None:
    rest = "R1 a b 1k\nR2 b 0 1k\n.op\n.end\n"
    with pytest.warns(UserWarning, match="is its title, so 'V1 a 0 5' is not an element"):
        tg.read_spice(text="V1 a 0 5\n" + rest)
    for title in ("* V1 a 0 5", "Regulator with 2 resistors", "V1 in out 5", "r1 a a 1"):
        assert tg.read_spice(text=f"{title}\n{rest}").notes
