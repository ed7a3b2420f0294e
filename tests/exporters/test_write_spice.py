"""Netlists of our circuits, read by our own reader of netlists: the same curves; and what netlists do not express."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Amplifier(tg.Component):
    """A stage with an emitter resistor."""

    supply = el.ConstantVoltage(V=12.0)
    input = el.SineVoltage(V=0.05, f="10 kHz")
    coupling = el.Capacitor(C="1 uF")
    r1 = el.Resistor(R="47 kohm")
    r2 = el.Resistor(R="10 kohm")
    rc = el.Resistor(R="2.2 kohm")
    re = el.Resistor(R=470.0)
    q = el.NPN(Bf=150.0, Is=1e-15, Cjc="4 pF", Cje="8 pF", Tf="0.4 ns")
    ground = el.Ground()

    def connections(self):
        yield self.supply.p, self.r1.p, self.rc.p
        yield self.supply.n, self.input.n, self.r2.n, self.re.n, self.ground.p
        yield self.input.p, self.coupling.p
        yield self.coupling.n, self.r1.n, self.r2.p, self.q.B
        yield self.rc.n, self.q.C
        yield self.re.p, self.q.E


def test_an_amplifier_reads_back_as_itself(tmp_path: Path) -> None:
    file = tmp_path / "amplifier.cir"
    text = tg.write_spice(Amplifier(), file, stop="100 us")
    assert file.read_text() == text
    # The same equations from the same starts; at this tolerance steps are shorter than the one that `.tran` asks for.
    here = tg.simulate(Amplifier(), stop="100 us", rtol=1e-8)
    there = tg.simulate(tg.read_spice(file), stop="100 us", rtol=1e-8)
    assert there["rrc.v"] == pytest.approx(here["rc.v"], abs=1e-10)


def _driven(source: Any) -> tg.System:
    """A source across a resistor and a capacitor."""
    system = tg.System("driven")
    system.add(source=source, r=el.Resistor(R=100.0), c=el.Capacitor(C="1 uF"), ground=el.Ground())
    is_current = type(source).__name__.endswith("Current")
    system.connect(system.source.n if is_current else system.source.p, system.r.p)
    system.connect(system.r.n, system.c.p)
    system.connect(system.c.n, system.source.p if is_current else system.source.n, system.ground.p)
    return system


SOURCES = [
    el.ConstantVoltage(V=2.0),
    el.StepVoltage(V=2.0, offset=-1.0, start_time="0.2 ms"),
    el.SineVoltage(V=2.0, f="3 kHz", offset=0.5, start_time="0.1 ms"),
    el.SineVoltage(V=2.0, f="3 kHz", phase=0.7),
    el.CosineVoltage(V=2.0, f="3 kHz"),
    el.ExpSineVoltage(V=2.0, f="3 kHz", damping=2e3),
    el.PulseVoltage(V=2.0, period="0.3 ms", width=0.3, offset=-1.0),
    el.RampVoltage(V=2.0, duration="0.4 ms", start_time="0.2 ms"),
    el.TrapezoidVoltage(V=2.0, rising="50 us", width="0.1 ms", falling="20 us", period="0.3 ms"),
    el.TableVoltage(times=(0.0, 2e-4, 5e-4, 1e-3), values=(0.0, 1.0, -1.0, 3.0)),
    el.SineCurrent(I=0.01, f="3 kHz"),
    el.StepCurrent(I=0.01, start_time="0.3 ms"),
]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: type(source).__name__)
def test_sources(source: Any) -> None:
    """Edges of a netlist take 1e-6 of the shortest time; the capacitor averages over them."""
    model = _driven(source)
    here = tg.simulate(model, stop="1 ms", points=200, rtol=1e-8)
    there = tg.simulate(tg.read_spice(text=tg.write_spice(model, stop="1 ms")), stop="1 ms", points=200, rtol=1e-8)
    times = np.linspace(0.0, 1e-3, 60)
    size = np.abs(here["c.v"]).max()
    ours = np.array([here.at(t)["c.v"] for t in times])
    theirs = np.array([there.at(t)["cc.v"] for t in times])
    assert np.abs(ours - theirs).max() < 1e-5 * size


class Couplings(tg.Component):
    """Controlled sources, transformers, a diode and a transistor."""

    source = el.SineVoltage(V=5.0, f="1 kHz")
    r = el.Resistor(R=10.0)
    transformer = el.Transformer(L1="1 mH", L2="4 mH", M="1.5 mH")
    load = el.Resistor(R=50.0)
    vcv = el.VCV(gain=2.0)
    ideal = el.IdealTransformer(n=3.0)
    ccv = el.CCV(trans_resistance=100.0)
    rt = el.Resistor(R=7.0)
    rh = el.Conductor(G=1e-3)
    diode = el.Diode(Is=1e-14, Cjo="1 pF")
    rd = el.Resistor(R="1 kohm")
    mos = el.NMOS(Kp=1e-3, Vto=1.0, Lambda=0.01, W="20 um", L="1 um")
    rm = el.Resistor(R="1 kohm")
    supply = el.ConstantVoltage(V=5.0)
    jfet = el.NJFET(Vto=-1.5, Beta=2e-3, Lambda=0.02, Rs=10.0, Cgs="3 pF", B=0.7)
    rj = el.Resistor(R=500.0, T_ref=350.0)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.transformer.p1
        yield self.transformer.p2, self.load.p, self.vcv.p1, self.diode.p, self.mos.G
        yield self.vcv.p2, self.ideal.p1
        yield self.ideal.p2, self.ccv.p1
        yield self.ccv.n1, self.rt.p
        yield self.ccv.p2, self.rh.p
        yield self.diode.n, self.rd.p
        yield self.supply.p, self.rm.p, self.jfet.D
        yield self.rm.n, self.mos.D
        yield self.jfet.S, self.rj.p
        yield self.jfet.G, self.rd.p
        grounded = (self.source, self.load, self.rt, self.rh, self.rd, self.supply, self.rj)
        yield (
            self.ground.p,
            *(part.n for part in grounded),
            *(part.n1 for part in (self.transformer, self.vcv, self.ideal)),
            *(part.n2 for part in (self.transformer, self.vcv, self.ideal, self.ccv)),
            self.mos.S,
            self.mos.B,
        )


def test_couplings_and_semiconductors() -> None:
    text = tg.write_spice(Couplings(), stop="2 ms")
    here = tg.simulate(Couplings(), stop="2 ms", points=300)
    there = tg.simulate(tg.read_spice(text=text), stop="2 ms", points=300)
    later = slice(10, None, 10)  # with uic sources are 0 before they step on at t = 0
    for name in ("load", "rt", "rd", "rm", "rj"):
        size = np.abs(here[f"{name}.v"]).max()
        assert size > 0.1
        at = np.array([there.at(t)[f"r{name}.v"] for t in here.time[later]])
        assert np.abs(at - here[f"{name}.v"][later]).max() < 1e-4 * size  # tolerances of two runs
    again = tg.read_spice(text=text)
    assert tg.steady_state(again)["rrj.T_ref"] == pytest.approx(350.0)


class Motor(tg.Component):
    source = el.ConstantVoltage(V=12.0)
    emf = el.EMF(k=0.1)
    load = rot.Inertia(J=1e-3)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.emf.p
        yield self.source.n, self.emf.n, self.ground.p
        yield self.emf.flange, self.load.flange_a


@pytest.mark.parametrize(
    ("model", "word"),
    [
        (Motor(), "'emf' is of the class EMF"),
        (_driven(el.SineVoltage(phase=0.7, start_time=0.1)), "phase"),
        (_driven(el.CosineVoltage(start_time=0.1)), "constant before its start"),
    ],
)
def test_what_netlists_do_not_express(model: Any, word: str) -> None:
    with pytest.raises(tg.ExportError, match=word) as caught:
        tg.write_spice(model)
    assert caught.value.code == "E431"


def test_a_netlist_by_the_ending_of_its_file(tmp_path: Path) -> None:
    from tellegen.markup.formats import convert

    assert convert(Amplifier(), tmp_path / "a.cir").name == "a SPICE netlist"
    assert (tmp_path / "a.cir").read_text().endswith(".end\n")


READ_BACK = """all shapes of sources
V1 1 0 PULSE(0 5 1u 1u 2u 10u 30u)
V2 2 0 SIN(0.5 2 1e5 1u 100 30)
V3 3 0 PWL(0 0 1u 3 5u -1)
I4 0 4 EXP(0 1m 1u 2u 10u 3u)
V5 5 0 SFFM(0.2 1 1e5 2 2e4)
R1 1 a 1k
R2 2 a 1k
R3 3 a 1k
R4 4 a 1k
R5 5 a 1k
C1 a 0 1n
D1 a 4 part
.model part d is=1e-14 rs=1 cjo=1p
.tran 1u 60u
.end
"""


def test_what_was_read_from_a_netlist_is_written_with_its_start(tmp_path: Path) -> None:
    """From rest, as it was read: `uic` started it from zero, 0.5 V away. Its sources had no cards."""
    first = tmp_path / "first.cir"
    second = tmp_path / "second.cir"
    first.write_text(READ_BACK)
    circuit = tg.read_spice(first)
    text = tg.write_spice(circuit, second, stop="60 us")
    assert "uic" not in text
    times = np.linspace(0.0, 60e-6, 61)
    own = tg.simulate(circuit, stop="60 us").at(times)
    again = tg.simulate(tg.read_spice(second), stop="60 us").at(times)
    assert again["cc1.v"] == pytest.approx(own["c1.v"], abs=1e-4)
