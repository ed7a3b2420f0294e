"""Noise: closed-form solutions, equipartition in circuits and mechanics, figures of ngspice, and mistakes."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el

K = 1.380649e-23
T = 300.15


class LowPass(tg.Component):
    """A resistor and a capacitor, whose noise is k T/C in all."""

    source = el.ConstantVoltage(V=1.0)
    r = el.Resistor(R="1 kohm")
    c = el.Capacitor(C="1 nF")
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.c.p
        yield self.c.n, self.source.n, self.ground.p


class Brownian(tg.Component):
    """A mass on a spring in a warm fluid: its damper pushes at random."""

    x = tg.variable("m", start=0.0)
    v = tg.variable("m/s", start=0.0)
    f = tg.variable("N")
    m = tg.parameter(1e-14, "kg")
    c = tg.parameter(1e-3, "N/m")
    d = tg.parameter(1e-9, "N.s/m")

    def equations(self):
        yield tg.der(self.x) == self.v
        yield self.m * tg.der(self.v) == self.f - self.c * self.x
        yield tg.noisy(self.f == -self.d * self.v, tg.Noise("thermal", 4.0 * K * T * self.d))


class Tied(tg.Component):
    """Two states tied by a noisy equation, which index reduction differentiates: x == 2 y + n."""

    x = tg.variable(start=0.0)
    y = tg.variable()

    def equations(self):
        yield tg.noisy(self.x == 2.0 * self.y, tg.Noise("n", 3.0, 1.0))
        yield tg.der(self.x) + tg.der(self.y) == -self.y


def test_a_low_pass_has_kt_over_c() -> None:
    spectrum = tg.noise(LowPass(), np.geomspace(1.0, 1e11, 1101), "c.v", input="source.V")
    f = spectrum.frequencies
    assert spectrum.density == pytest.approx(4.0 * K * T * 1e3 / (1.0 + (2e-6 * np.pi * f) ** 2), rel=1e-9)
    assert spectrum.input_density == pytest.approx(4.0 * K * T * 1e3, rel=1e-9)
    assert spectrum.total() == pytest.approx(np.sqrt(K * T / 1e-9), rel=1e-4)
    assert spectrum["r"] == pytest.approx(spectrum["r.thermal"])
    assert "r.thermal" in str(spectrum)
    assert list(spectrum.to_pandas()) == ["r.thermal"]
    assert spectrum.plot().axes[0].get_ylabel() == "c.v [V/sqrt(Hz)]"


def test_a_particle_has_the_energy_of_equipartition() -> None:
    """c <x^2>/2 == k T/2, whatever the damping."""
    spectrum = tg.noise(Brownian(), ("1 Hz", "10 MHz"), "x")
    assert spectrum.total() == pytest.approx(np.sqrt(K * T / 1e-3), rel=1e-3)


def test_noise_of_a_differentiated_equation() -> None:
    """Y == -s N/(3 s + 1), X == 2 Y + N."""
    f = np.array([0.01, 0.1, 3.0])
    s = 2j * np.pi * f
    y = -s / (3.0 * s + 1.0)
    assert tg.noise(Tied(), f, "y").density == pytest.approx(np.abs(y) ** 2 * 3.0 / f, rel=1e-9)
    difference = tg.noise(Tied(), f, "x", reference="y").density
    assert difference == pytest.approx(np.abs(y + 1.0) ** 2 * 3.0 / f, rel=1e-9)


DIODE = """diode
v1 in 0 dc 2 ac 1
r1 in out 5k
d1 out 0 dm
c1 out 0 10n
.model dm d(is=1e-14 n=1.2 rs=20 kf=1e-16 af=1.2)
.noise v(out) v1 dec 1 1 1meg
.end
"""
BIPOLAR = """amplifier at 85 degrees
.temp 85
vcc cc 0 -12
v1 in 0 dc 0 ac 1
rs in i2 200
ci i2 b 1u
rb1 cc b 68k
rb2 b 0 12k
rc cc c 3.3k
re e 0 470
q1 c b e qm
co c out 1u
rl out 0 100k
.model qm pnp(is=1e-15 bf=120 vaf=60 rb=150 rc=30 re=4 cje=5p cjc=3p tf=0.3n ikf=50m ise=1e-14 kf=1e-15 af=1.2)
.noise v(out) v1 dec 1 1 100meg
.end
"""
MOS = """common source, half of it in the triode region
vdd dd 0 5
v1 g 0 dc 2 ac 1
rd dd d 10k
m1 d g s1 0 mm w=20u l=2u
rss s1 0 300
cl d 0 5p
.model mm nmos(level=1 vto=0.7 kp=80u gamma=0.4 phi=0.65 lambda=0.03 rd=50 rs=40 tox=30n kf=1e-26 af=1.2)
.noise v(d,s1) v1 dec 1 1 100meg
.end
"""
JFET = """junction field-effect transistor
vdd dd 0 12
v1 g 0 dc 0 ac 1
rd dd d 1.5k
j1 d g s jm
rss s 0 400
cs s 0 1u
.model jm njf(vto=-2 beta=1m lambda=0.01 rd=20 rs=30 cgs=4p cgd=2p kf=1e-16 af=1.1)
.noise v(d) v1 dec 1 1 100meg
.end
"""
NGSPICE = {  # V/sqrt(Hz) at every second frequency: of the output, and of the input
    DIODE: (
        [8.41241e-09, 1.49509e-09, 1.2402e-09, 1.40374e-10],
        [3.00571e-07, 5.3419e-08, 4.44826e-08, 4.43841e-08],
    ),
}
"""ngspice 39 with reltol 1e-9."""


@pytest.mark.parametrize("netlist", NGSPICE, ids=lambda text: text.split()[0])
def test_transistors_as_in_ngspice(netlist: str) -> None:
    """Thermal, shot and flicker noise; constants of nature differ in the sixth digit."""
    spectrum = tg.run_spice(text=netlist).noise
    assert spectrum is not None
    of_output, of_input = NGSPICE[netlist]
    assert spectrum.amplitude[::2] == pytest.approx(of_output, rel=1e-5)
    assert np.sqrt(spectrum.input_density[::2]) == pytest.approx(of_input, rel=1e-5)


class Open(LowPass):
    """With a resistor that carries no current."""

    idle = el.Resistor(R=1e3)

    def connections(self):
        yield self.idle.p, self.c.p


class Negative(tg.Component):
    x = tg.variable(start=0.0)

    def equations(self):
        yield tg.noisy(tg.der(self.x) == -self.x, tg.Noise("odd", -1.0))


class Silent(tg.Component):
    x = tg.variable(start=0.0)

    def equations(self):
        yield tg.der(self.x) == -self.x


@pytest.mark.parametrize(
    ("model", "what"),
    [(Silent, "no part of Silent has noise"), (Negative, "'odd'"), (Open, "idle")],
)
def test_what_has_no_answer(model: type[tg.Component], what: str) -> None:
    output = "c.v" if model is Open else "x"
    with pytest.raises(tg.TellegenError, match=what):
        tg.noise(model(), [1.0], output)


def test_mistakes() -> None:
    model = tg.compile(LowPass())
    with pytest.raises(tg.TellegenError, match="above zero"):
        tg.noise(model, [0.0], "c.v")
    with pytest.raises(tg.TellegenError, match=r"perhaps you meant 'c\.v'"):
        tg.noise(model, [1.0], "c.w")
    spectrum = tg.noise(model, [1.0, 10.0], "c.v")
    with pytest.raises(tg.TellegenError, match="no input was named"):
        _ = spectrum.input_density
    with pytest.raises(tg.TellegenError, match="there is no source of noise 'rr'"):
        _ = spectrum["rr"]
    with pytest.raises(tg.TellegenError, match="from 1 to 10 Hz"):
        spectrum.total(0.1, 1.0)
    with pytest.raises(tg.TellegenError, match="needs an equation"):
        tg.noisy(3.0)


@pytest.mark.parametrize(
    ("card", "what"),
    [
        (".noise v(out) dec 1 1 10", "a source, a count"),
        (".noise v(nn) v1 dec 1 1 10", "no node 'nn'"),
        (".noise v(out) v9 dec 1 1 10", "'v9' is not a source"),
        (".noise v(out) v1 dec 1 10 1", "no frequencies"),
    ],
)
def test_cards_with_mistakes(card: str, what: str) -> None:
    with pytest.raises(tg.NetlistError, match=what):
        tg.run_spice(text=DIODE.replace(".noise v(out) v1 dec 1 1 1meg", card))


GATE = """a switch inside of a subcircuit
v1 in 0 dc 1
x1 in out gate
r1 out 0 1k
.subckt gate a b
vc c 0 dc 1
s1 a b c 0 closed
.ends
.model closed sw vt=0.5 ron=1
.noise v(out) v1 dec 1 1 10
.end
"""


def test_noise_of_switches_is_rejected() -> None:
    with pytest.raises(tg.NetlistError, match=r"'x1\.s1' is a switch"):
        tg.run_spice(text=GATE)
