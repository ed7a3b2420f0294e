"""Nine-valued logic: the truth tables of IEEE 1164, published results of the Modelica library, and counting."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import digital as dg

V = dg.VALUES
TABLES = {
    "and": "UU0UUU0UU UX0XXX0XX 000000000 UX01XX01X UX0XXX0XX UX0XXX0XX 000000000 UX01XX01X UX0XXX0XX",
    "or": "UUU1UUU1U UXX1XXX1X UX01XX01X 111111111 UXX1XXX1X UXX1XXX1X UX01XX01X 111111111 UXX1XXX1X",
    "xor": "UUUUUUUUU UXXXXXXXX UX01XX01X UX10XX10X UXXXXXXXX UXXXXXXXX UX01XX01X UX10XX10X UXXXXXXXX",
    "wired": "UUUUUUUUU UXXXXXXXX UX0X0000X UXX11111X UX01ZWLHX UX01WWWWX UX01LWLWX UX01HWWHX UXXXXXXXX",
    "n": "UUUUUUUUU UXXXXXXXX ZZZZZZZZZ UX01ZWLHX UXXXXXXXX UXXXXXXXX ZZZZZZZZZ UX01ZWLHX UXXXXXXXX",
    "nr": "UUUUUUUUU UWWWWWWWW ZZZZZZZZZ UWLHZWLHW UWWWWWWWW UWWWWWWWW ZZZZZZZZZ UWLHZWLHW UWWWWWWWW",
}
"""By first and second input, in the order of the values; of transfer gates by enable and input."""
OPPOSITE: dict[str, str] = dict(zip("".join(V), "UX10XX10X", strict=True))
UX01: dict[str, str] = dict(zip("".join(V), "UX01XX01X", strict=True))
BUFFER = {
    "X01": "UUUU UXXX ZZZZ UX01",
    "X0H": "UUUU UXXX ZZZZ UX0H",
    "XL1": "UUUU UXXX ZZZZ UXL1",
    "X0Z": "UUUZ UXXZ ZZZZ UX0Z",
    "XZ1": "UUUU UXXX ZZZZ UXZ1",
    "WLH": "UUUU UWWW ZZZZ UWLH",
    "WLZ": "UUUU UWWZ ZZZZ UWLZ",
    "WZH": "UUUU UWWW ZZZZ UWZH",
    "W0H": "UUUU UWWW ZZZZ UW0H",
    "WL1": "UUUU UWWW ZZZZ UWL1",
}
"""Tristate buffers by strength, enable and input, these as U, X, 0 and 1."""
CHOICE = "UUUU UUUU UX01 UUUU UXUU UXXX UX01 XXXX UU0U UX0X UX01 0000 UUU1 UXX1 UX01 1111"
"""The multiplexer by in1, select and in0, as U, X, 0 and 1."""
PAIRS = list(product(V, V))


def looked_up(text: str, *key: str) -> str:
    """The entry of a table for values, in the order of all values or of U, X, 0 and 1."""
    rows = text.split()
    letters = "".join(V) if len(rows[0]) == 9 else "UX01"
    at = 0
    for value in key[:-1]:
        at = at * len(letters) + letters.index(value)
    return rows[at][letters.index(key[-1])]


def parts_and_tables() -> dict[str, tuple[Any, str]]:
    """Parts of two inputs, and the values that they have to have for all pairs."""
    found: dict[str, tuple[Any, str]] = {}

    def add(name: str, part: Any, law: Any) -> None:
        found[name] = (part, "".join(law(a, b) for a, b in PAIRS))

    for name, gate, inverse in (("and", dg.And, dg.Nand), ("or", dg.Or, dg.Nor), ("xor", dg.Xor, dg.Xnor)):
        add(name, gate(), lambda a, b, t=TABLES[name]: looked_up(t, a, b))
        add(f"not_{name}", inverse(), lambda a, b, t=TABLES[name]: OPPOSITE[looked_up(t, a, b)])
    add("wired", dg.WiredX(), lambda a, b: looked_up(TABLES["wired"], a, b))
    for name, gate, opposite in (("n", dg.NXFERGATE, dg.PXFERGATE), ("nr", dg.NRXFERGATE, dg.PRXFERGATE)):
        add(f"transfer_{name}", gate(), lambda a, b, t=TABLES[name]: looked_up(t, a, b))
        swap = {"0": "1", "1": "0", "L": "H", "H": "L"}
        add(f"low_{name}", opposite(), lambda a, b, t=TABLES[name], s=swap: looked_up(t, s.get(a, a), b))
    for strength, t in BUFFER.items():
        kinds = ((dg.BUF3S, UX01, UX01), (dg.BUF3SL, OPPOSITE, UX01), (dg.INV3S, UX01, OPPOSITE))
        for part, on, of in (*kinds, (dg.INV3SL, OPPOSITE, OPPOSITE)):
            law = lambda a, b, t=t, on=on, of=of: looked_up(t, UX01[on[a]], UX01[of[b]])  # noqa: E731
            add(f"{part.__name__}_{strength}", part(strength=strength), law)
    for select in "UX01ZH":
        add(f"choice_{select}", dg.MUX2x1(), lambda a, b, s=select: looked_up(CHOICE, UX01[a], UX01[s], UX01[b]))
    return found


def test_truth_tables() -> None:
    """All pairs of values one after another, at all parts of two inputs."""
    times = np.arange(81.0)
    s = tg.System("tables")
    s.add(a=dg.Table(x="".join(a for a, _ in PAIRS), t=times), b=dg.Table(x="".join(b for _, b in PAIRS), t=times))
    s.add(no=dg.Not(), x01=dg.LogicToX01(), x01z=dg.LogicToX01Z(), ux01=dg.LogicToUX01())
    s.add(real=dg.LogicToReal(value_U=9.0, value_L=-1.0, value_m=4.0), boolean=dg.LogicToBoolean(n=1))
    s.connect(s.a.y, s.no.x, s.x01.x[0], s.x01z.x[0], s.ux01.x[0], s.real.x[0], s.boolean.x[0])
    expected = {"no.y": "".join(OPPOSITE[a] for a, _ in PAIRS), "ux01.y[0]": "".join(UX01[a] for a, _ in PAIRS)}
    expected["x01.y[0]"] = "".join("XX01XX01X"[V.index(a)] for a, _ in PAIRS)
    expected["x01z.y[0]"] = "".join("XX01ZX01Z"[V.index(a)] for a, _ in PAIRS)
    for name, (part, values) in parts_and_tables().items():
        s.add(**{name: part})
        if isinstance(part, dg.MUX2x1):
            s.add(**{f"select_{name}": dg.Set(x=name[-1])})
            s.connect(s.a.y, part.in1)
            s.connect(s.b.y, part.in0)
            s.connect(s[f"select_{name}"].y, part.sel)
            expected[f"{name}.out"] = values
            continue
        inputs = (part.x[0], part.x[1]) if hasattr(part, "n") else (part.enable, part.x)
        s.connect(s.a.y, inputs[0])
        s.connect(s.b.y, inputs[1])
        expected[f"{name}.y"] = values
    found = tg.simulate(s, 82.0, points=2).at(times + 0.5)
    for name, values in expected.items():
        assert "".join(V[int(v)] for v in found[name]) == values, name
    numbers = dict(zip(V, [9.0, 0.5, 0.0, 1.0, 0.5, 0.5, -1.0, 1.0, 4.0], strict=True))
    assert list(found["real.y[0]"]) == [numbers[a] for a, _ in PAIRS]
    assert list(found["boolean.y[0]"]) == [float(a in "1H") for a, _ in PAIRS]


class RS(tg.Component):
    """Two Nor gates, one of them delayed."""

    s = dg.logic_input("set")
    r = dg.logic_input("reset")
    q = dg.logic_output("q")
    qn = dg.logic_output("opposite of q")
    nor1, nor2 = dg.Nor(), dg.Nor()
    delay = dg.TransportDelay(delay_time=0.001, y0="0")

    def connections(self):
        yield self.s, self.nor1.x[1]
        yield self.r, self.nor2.x[0]
        yield self.nor2.y, self.nor1.x[0], self.q
        yield self.nor1.y, self.delay.x, self.qn
        yield self.delay.y, self.nor2.x[1]


class JKFF(tg.Component):
    """Master and slave."""

    j = dg.logic_input("j")
    k = dg.logic_input("k")
    clk = dg.logic_input("clock")
    q = dg.logic_output("q")
    rs1, rs2 = RS(), RS()
    and1, and2 = dg.And(n=3), dg.And(n=3)
    and3, and4 = dg.And(), dg.And()
    inverse = dg.Not()

    def connections(self):
        yield self.clk, self.and1.x[0], self.and2.x[2], self.inverse.x
        yield self.j, self.and1.x[1]
        yield self.k, self.and2.x[1]
        yield self.and1.y, self.rs2.s
        yield self.and2.y, self.rs2.r
        yield self.inverse.y, self.and3.x[0], self.and4.x[0]
        yield self.rs2.q, self.and3.x[1]
        yield self.rs2.qn, self.and4.x[1]
        yield self.and3.y, self.rs1.s
        yield self.and4.y, self.rs1.r
        yield self.rs1.q, self.and2.x[0]
        yield self.rs1.qn, self.and1.x[2], self.q


def changes(solution: tg.Solution, name: str) -> tuple[str, list[float]]:
    """The values that a signal takes, and when; steps within an instant do not count."""
    last = np.append(np.diff(solution.time) > 0, True)
    times, values = solution.time[last], solution[name][last]
    begins = np.append(True, np.diff(values) != 0)
    return "".join(V[int(v)] for v in values[begins]), [float(t) for t in np.round(times[begins], 4)]


def register(kind: Any, **tables: Any) -> tg.System:
    """A register of two bits with its inputs as tables."""
    s = tg.System("register")
    s.add(part=kind(n=2, tHL=tables.pop("tHL"), tLH=tables.pop("tLH")))
    for name, (x, t) in tables.items():
        s.add(**{name: dg.Table(x=x, t=[float(each) for each in t])})
        port = s.part.data_in[int(name[-1])] if name.startswith("data") else getattr(s.part, name.rstrip("_"))
        s.connect(s[name].y, port)
    return s


EDGES = {"clock": ("0101010", (0, 7, 8, 10, 11, 15, 16)), "data0": ("10", (0, 12)), "data1": ("HX", (0, 10))}
SET_AND_RESET = {"clock": ("010", (0, 10, 11)), "data0": ("W", (0,)), "data1": ("0", (0,))}
LEVELS = {"enable": ("010", (0, 10, 18)), "data0": ("W1", (0, 15)), "data1": ("01", (0, 16))}
REGISTERS = {
    "DFFREG": (dg.DFFREG, {**EDGES, "reset": ("010", (0, 1, 2)), "tHL": 5.0, "tLH": 6.0}),
    "DFFREGL": (dg.DFFREGL, {**EDGES, "reset": ("101", (0, 1, 2)), "tHL": 5.0, "tLH": 6.0}),
    "DFFREGSRH": (
        dg.DFFREGSRH,
        {**SET_AND_RESET, "reset": ("010", (0, 1, 2)), "set_": ("010", (0, 5, 6)), "tHL": 2.0, "tLH": 3.0},
    ),
    "DFFREGSRL": (
        dg.DFFREGSRL,
        {**SET_AND_RESET, "reset": ("101", (0, 1, 2)), "set_": ("101", (0, 5, 6)), "tHL": 2.0, "tLH": 3.0},
    ),
    "DLATREGSRH": (
        dg.DLATREGSRH,
        {**LEVELS, "reset": ("01010", (0, 1, 2, 20, 21)), "set_": ("010", (0, 5, 6)), "tHL": 2.0, "tLH": 3.0},
    ),
}
REGISTERS["DLATREGSRL"] = (
    dg.DLATREGSRL,
    {**LEVELS, "reset": ("10101", (0, 1, 2, 20, 21)), "set_": ("101", (0, 5, 6)), "tHL": 2.0, "tLH": 3.0},
)
REGISTERS["DLATREGL"] = (
    dg.DLATREGL,
    {**LEVELS, "reset": ("10101", (0, 1, 2, 20, 21)), "tHL": 2.0, "tLH": 3.0},
)
EXPECTED = {
    "DFFREG": [("U010", [0.0, 6.0, 13.0, 20.0]), ("U0X", [0.0, 6.0, 16.0])],
    "DFFREGL": [("U010", [0.0, 6.0, 13.0, 20.0]), ("U0X", [0.0, 6.0, 16.0])],
    "DFFREGSRH": [("U01X", [0.0, 3.0, 8.0, 12.0]), ("U010", [0.0, 3.0, 8.0, 12.0])],
    "DFFREGSRL": [("U01X", [0.0, 3.0, 8.0, 12.0]), ("U010", [0.0, 3.0, 8.0, 12.0])],
    "DLATREGSRH": [("U01X10", [0.0, 3.0, 8.0, 12.0, 18.0, 22.0]), ("U01010", [0.0, 3.0, 8.0, 12.0, 19.0, 22.0])],
    "DLATREGSRL": [("U01X10", [0.0, 3.0, 8.0, 12.0, 18.0, 22.0]), ("U01010", [0.0, 3.0, 8.0, 12.0, 19.0, 22.0])],
    "DLATREGL": [("U0X10", [0.0, 3.0, 13.0, 18.0, 22.0]), ("U010", [0.0, 3.0, 19.0, 22.0])],
}
"""Values and instants of the published results of the examples of these names in the Modelica library; the last two
by hand: the same with inputs turned around, and without set."""


def test_registers() -> None:
    """All in one run; after the end of an example nothing happens any more."""
    together = tg.System("registers")
    for name, (kind, tables) in REGISTERS.items():
        together.add(**{name: register(kind, **dict(tables))})
    solution = tg.simulate(together, 25.0)
    for name, expected in EXPECTED.items():
        for k, (values, instants) in enumerate(expected):
            assert changes(solution, f"{name}.part.data_out[{k}]") == (values, instants), name


class Circuits(tg.Component):
    """The examples FlipFlop and HalfAdder of the Modelica library, and a counter of three bits."""

    j = dg.Table(x="1010", t=[50.0, 100.0, 145.0, 200.0], y0="0")
    k = dg.Table(x="1010", t=[22.0, 140.0, 150.0, 180.0], y0="0")
    clock = dg.DigitalClock(period=10.0)
    flip_flop = JKFF()
    a = dg.Table(x="1010", t=[1.0, 2.0, 3.0, 4.0], y0="0")
    b = dg.Table(x="10", t=[2.0, 4.0], y0="0")
    sum_ = dg.XorGate(tLH=0.3, tHL=0.3)
    carry = dg.AndGate(tLH=0.3, tHL=0.3)
    enable = dg.Step(step_time=1.0)
    bits = JKFF.array(3)

    def connections(self):
        yield self.clock.y, self.flip_flop.clk, self.bits[0].clk
        yield self.j.y, self.flip_flop.j
        yield self.k.y, self.flip_flop.k
        yield self.a.y, self.sum_.x[0], self.carry.x[0]
        yield self.b.y, self.sum_.x[1], self.carry.x[1]
        for bit in range(3):
            yield self.enable.y, self.bits[bit].j
            yield self.enable.y, self.bits[bit].k
        yield self.bits[0].q, self.bits[1].clk
        yield self.bits[1].q, self.bits[2].clk


def test_flip_flop_half_adder_and_counter() -> None:
    """The half adder's Xor is 1 from 1.3 on though both inputs fall and rise at 2: shorter than its delay."""
    solution = tg.simulate(Circuits(), 250.0)
    slave = [25.0, 55.0, 65.0, 75.0, 85.0, 95.0, 105.0, 155.0, 165.0, 175.0]
    master = [22.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0, 150.0, 160.0, 170.0]
    assert changes(solution, "flip_flop.q") == ("01010101010", [0.0, *slave])
    assert changes(solution, "flip_flop.rs2.qn") == ("01010101010", [0.0, *master])
    assert changes(solution, "carry.y") == ("U010", [0.0, 0.3, 3.3, 4.3])
    assert changes(solution, "sum_.y") == ("U010", [0.0, 0.3, 1.3, 3.3])
    found = solution.at(np.arange(7.5, 250.0, 10.0))  # between the falling edges at 5, 15, ...
    ones = np.array([found[f"bits[{bit}].q"] == 3 for bit in range(3)])
    assert list(np.array([1, 2, 4]) @ ones) == [(1 + k) % 8 for k in range(25)]


def test_memories_and_delays() -> None:
    """A word is written and read back; an unknown address reads as X. Pulses pass a transport delay, not the others."""
    s = tg.System("memories")
    s.add(ram=dg.DLATRAM(content=("00", "10", "01", "11")), rom=dg.DLATROM(content=("00", "10", "0H"), strength="WLH"))
    s.add(a0=dg.Table(x="010X0", t=[0.0, 1.0, 2.0, 5.0, 6.0]), a1=dg.Table(x="01", t=[0.0, 2.0]))
    s.add(read=dg.Table(x="101", t=[0.0, 3.0, 4.0]), write=dg.Table(x="010", t=[0.0, 2.5, 2.75]))
    s.add(d0=dg.Set(x="1"), d1=dg.Set(x="Z"))
    for part in (s.ram, s.rom):
        s.connect(s.a0.y, part.addr[0])
        s.connect(s.a1.y, part.addr[1])
        s.connect(s.read.y, part.RE)
    s.connect(s.write.y, s.ram.WE)
    s.connect(s.d0.y, s.ram.data_in[0])
    s.connect(s.d1.y, s.ram.data_in[1])
    s.add(pulse=dg.Pulse(pulse="1", quiet="0", width=0.1, start_time=1.0, nperiod=2.0))
    s.add(transport=dg.TransportDelay(delay_time=1.55, y0="0"), inertial=dg.InertialDelay(delay_time=0.5, y0="0"))
    s.add(sensitive=dg.InvGate(tLH=0.2, tHL=0.05), buffer=dg.BufGate(y0="0", tLH=0.2))
    s.add(plain=dg.InertialDelaySensitive(tLH=0.05, y0="0"))
    s.connect(s.pulse.y, s.plain.x)
    s.connect(s.pulse.y, s.transport.x, s.inertial.x, s.sensitive.x, s.buffer.x)
    s.add(gate=dg.OrGate(tLH=0.01, y0="0"), nor=dg.NorGate(tHL=0.02, y0="1"), xnor=dg.XnorGate(n=3, tHL=0.03, y0="1"))
    for part in (s.gate, s.nor, s.xnor):
        for k in range(part.n):
            s.connect(s.pulse.y, part.x[k])
    bank = dg.InertialDelaySensitiveVector(n=3, tHL=1.0, tLH=2.0)  # the example VectorDelay of the Modelica library
    s.add(bank=bank, v0=dg.Table(x="01010", t=[0.0, 1.0, 5.0, 7.0, 8.0]))
    s.add(v1=dg.Table(x="01", t=[0.0, 1.0]), v2=dg.Table(x="010", t=[0.0, 1.0, 6.0]))
    for k in range(3):
        s.connect(s[f"v{k}"].y, s.bank.x[k])
    s.add(wave=blocks.Sine(f=1.0), level=dg.RealToLogic(upper_limit=0.5, lower_limit=-0.5), flag=dg.BooleanToLogic())
    s.connect(s.wave.y, s.level.x[0], s.flag.x[0])
    solution = tg.simulate(s, 7.0)
    assert changes(solution, "ram.data_out[0]") == ("0101Z1X1", [0.0, 1.0, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0])
    assert changes(solution, "ram.data_out[1]") == ("01XZX", [0.0, 2.0, 2.5, 3.0, 4.0])
    assert changes(solution, "rom.data_out[1]") == ("LHZHWH", [0.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert changes(solution, "transport.y") == ("01010", [0.0, 2.55, 2.65, 3.55, 3.65])
    assert changes(solution, "inertial.y")[0] == changes(solution, "buffer.y")[0] == "0"
    assert changes(solution, "sensitive.y") == ("U10101", [0.0, 0.2, 1.05, 1.3, 2.05, 2.3])
    assert changes(solution, "plain.y") == ("01010", [0.0, 1.05, 1.1, 2.05, 2.1])
    assert changes(solution, "gate.y") == ("01010", [0.0, 1.01, 1.1, 2.01, 2.1])
    assert changes(solution, "nor.y") == ("10101", [0.0, 1.02, 1.1, 2.02, 2.1])
    assert changes(solution, "xnor.y") == ("10101", [0.0, 1.03, 1.1, 2.03, 2.1])
    assert changes(solution, "bank.y[0]") == ("U10", [0.0, 3.0, 6.0])
    assert changes(solution, "bank.y[2]") == ("U10", [0.0, 3.0, 7.0])
    sixth = 1.0 / 6.0
    edges = [0.0, sixth / 2, 5 * sixth / 2, 7 * sixth / 2, 11 * sixth / 2, 13 * sixth / 2]
    letters, instants = changes(solution, "level.y[0]")
    assert letters[:6] == "X1X0X1"
    assert instants[:6] == pytest.approx(edges, abs=1e-4)
    assert changes(solution, "flag.y[0]")[0][:3] == "010"


def test_mistakes_in_words() -> None:
    with pytest.raises(tg.TellegenError, match="'2' is none of the nine values"):
        tg.compile(dg.Table(x="02", t=[0.0, 1.0]))
    with pytest.raises(tg.TellegenError, match="x='Q' does not exist"):
        tg.compile(dg.Set(x="Q"))
    with pytest.raises(tg.TellegenError, match="do not fit into"):
        tg.compile(dg.DLATROM(content=("010",)))
    s = tg.System("crowded")
    s.add(clock=dg.DigitalClock(period=0.1), delay=dg.TransportDelay(delay_time=1.0))
    s.connect(s.clock.y, s.delay.x)
    with pytest.raises(tg.TellegenError, match="more depth"):
        tg.simulate(s, 2.0)
