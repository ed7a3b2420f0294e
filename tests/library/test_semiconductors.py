"""Semiconductors: effects come with their parameters, charge is conserved, no events, and starts from anywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

import tellegen as tg
from tellegen.library import electrical as el


class Loaded(tg.Component):
    """A diode in series with a resistor at a sine."""

    R = tg.parameter(0.0, "ohm")
    source = el.SineVoltage(V=5.0, f=1e3)
    diode = el.Diode()
    load = el.Resistor(R=1e3)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.diode.p
        yield self.diode.n, self.load.p
        yield self.load.n, self.source.n, self.ground.p


def states(model: Any) -> int:
    return int(tg.compile(model).reduced.is_state.sum())


class Slow(el.Diode):
    Cjo = tg.parameter(2e-12, "F")


@pytest.mark.parametrize(
    ("diode", "count"),
    [
        (el.Diode(), 0),
        (el.Diode(Rs=1.0, Bv=20.0), 0),
        (el.Diode(Cjo=0.0, Tt=0), 0),
        (el.Diode(Cjo=1e-12), 1),
        (el.Diode(Cjo="1 pF"), 1),
        (el.Diode(Tt=1e-9, Rs=1.0), 1),
        (Slow(), 1),
    ],
)
def test_only_a_diode_with_charge_has_a_state(diode: Any, count: int) -> None:
    assert states(Loaded(diode=diode)) == count


def test_an_effect_comes_and_goes_by_attribute() -> None:
    model = Loaded()
    assert model.diode.effects == ()
    model.diode.Cjo = 1e-12
    model.diode.Rs = 0.5
    assert model.diode.effects == ("Cjo", "Rs")
    model.diode.Cjo = 0.0
    assert model.diode.effects == ("Rs",)
    assert states(model) == 0


def test_an_effect_given_by_an_outer_parameter() -> None:
    class Outer(Loaded):
        diode = el.Diode(Rs=Loaded.R)

    ends = [tg.simulate(Outer(), 0.25e-3, parameters={"R": R})["load.i"][-1] for R in (0.0, 1e3)]
    assert ends[1] == pytest.approx((5.0 - 0.7) / 2e3, rel=0.02)
    assert ends[0] == pytest.approx((5.0 - 0.7) / 1e3, rel=0.02)


def test_diodes_of_an_array_share_their_effects() -> None:
    class Bank(tg.Component):
        d = el.Diode.array(3, Cjo=[1e-12, 2e-12, 3e-12])

    assert Bank().d.effects == ("Cjo",)


def test_the_breakdown_has_the_emission_coefficient_of_the_junction() -> None:
    """As in ngspice, where NBV is N until it is given: ngspice 39 has v(k) = -6.24852 for

    v1 a 0 -9 | r1 a k 100 | d1 k 0 dm | .model dm d(is=1e-14 n=1.1 bv=6.2 ibv=5m)
    """

    class Reverse(tg.Component):
        source = el.ConstantVoltage(V=-9.0)
        r = el.Resistor(R=100.0)
        d = el.Diode(Is=1e-14, N=1.1, Bv=6.2, Ibv=5e-3)
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.source.p, self.r.p
            yield self.r.n, self.d.p
            yield self.d.n, self.source.n, self.ground.p

    assert tg.steady_state(Reverse())["d.v"] == pytest.approx(-6.24852, abs=2e-5)  # printed to five digits


def test_an_absent_effect_is_not_silently_ignored_by_a_run() -> None:
    with pytest.raises(tg.LanguageError, match=r"'diode\.Rs' is in no equation") as caught:
        tg.simulate(Loaded(), 1e-3, parameters={"diode.Rs": 1.0})
    assert caught.value.code == "E159"


class AtSource(tg.Component):
    """A diode straight at a source; its charging current is integrated."""

    source = el.SineVoltage(V=0.7, f=1.0, offset=-0.2)
    diode = el.Diode(Is=1e-9, Cjo=1e-3, Vj=0.6, M=0.4, Tt=0.05)
    ground = el.Ground()
    q = tg.variable("C", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.q) == self.diode.i - self.diode.i_j

    def connections(self) -> Any:
        yield self.source.p, self.diode.p
        yield self.source.n, self.diode.n, self.ground.p


def test_charge_comes_back_and_is_that_of_the_capacitances() -> None:
    """Over a period nothing is left, and at the crest there is the integral of C(v) plus Tt I, computed by SciPy."""
    s = tg.simulate(AtSource(), 1.0, rtol=1e-9, points=[0.0, 0.25, 0.75, 1.0])
    d, Vt = AtSource().diode, 8.617333262e-5 * 300.15

    def depletion(v: float) -> float:
        knee = 0.5 * 0.6
        straight = 1.0 + 0.4 * (v - knee) / (0.6 * 0.5)  # the tangent at Fc Vj
        return 1e-3 * ((1 - v / 0.6) ** -0.4 if v < knee else 0.5**-0.4 * straight)

    assert d.effects == ("Cjo", "Tt")
    expected = quad(depletion, -0.2, 0.5, points=[0.3])[0] + 0.05 * 1e-9 * (np.exp(0.5 / Vt) - np.exp(-0.2 / Vt))
    values = dict(zip(s.time, s["q"], strict=True))
    assert values[0.25] == pytest.approx(expected, rel=1e-6)
    assert abs(values[1.0]) < 1e-7 * expected
    assert values[0.75] < -1e-4


def test_no_events_though_every_region_is_passed() -> None:
    class Amplifier(tg.Component):
        source = el.SineVoltage(V=4.0, f=1e3, offset=1.0)
        supply = el.ConstantVoltage(V=5.0)
        r = el.Resistor(R=10e3)
        load = el.Resistor(R=1e3)
        q = el.NPN(Cje=5e-12, Cjc=3e-12, Tf=1e-9, Vaf=50.0, Ikf=0.01)
        m = el.NMOS(Vto=1.0, Kp=1e-3, Gamma=0.4, Lambda=0.02, Tox=50e-9, Cbd=1e-12, Cgdo=1e-9)
        drain = el.Resistor(R=1e3)
        z = el.ZDiode(Bv=3.3, Cjo=1e-11)
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.source.p, self.r.p, self.m.G
            yield self.r.n, self.q.B, self.z.n
            yield self.supply.p, self.load.p, self.drain.p
            yield self.load.n, self.q.C
            yield self.drain.n, self.m.D
            yield self.source.n, self.supply.n, self.q.E, self.m.S, self.m.B, self.z.p, self.ground.p

    s = tg.simulate(Amplifier(), 2e-3, initial="steady")
    assert len(s.events) == 0
    assert s["m.D.v"].min() < 1.5 < 4.99 < s["m.D.v"].max()
    assert s["q.v_bc"].min() < -4.0 < 0.5 < s["q.v_bc"].max()


@pytest.mark.parametrize("guess", [-5.0, 0.0, 0.7, 5.0])
def test_an_operating_point_is_found_from_bad_guesses(guess: float) -> None:
    """Two stages with feedback; currents as in ngspice, whose k and q of 2014 move them by 1e-6, from every guess."""

    class Stages(tg.Component):
        supply = el.ConstantVoltage(V=12.0)
        r = el.Resistor.array(5, R=[100e3, 10e3, 4.7e3, 1e3, 220e3])
        q = el.NPN.array(2, Bf=200.0, Vaf=80.0, Is=1e-14)
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.supply.p, self.r[1].p, self.r[2].p
            yield self.r[1].n, self.q[0].C, self.q[1].B
            yield self.r[2].n, self.q[1].C
            yield self.q[1].E, self.r[3].p, self.r[4].p
            yield self.r[4].n, self.q[0].B, self.r[0].p
            yield self.r[0].n, self.r[3].n, self.q[0].E, self.supply.n, self.ground.p

    rest = tg.steady_state(Stages(), initial={"q.v_be": guess, "q.v_bc": guess})
    assert rest["q.i_c"] == pytest.approx([4.2143681678e-4, 2.0169622287e-3], rel=2e-6)


@pytest.mark.parametrize(("cls", "s"), [(el.NPN, 1.0), (el.PNP, -1.0)])
def test_transistors_mirror_each_other(cls: Any, s: float) -> None:
    """In the active region i_c = Bf i_b, into the collector of an NPN and out of that of a PNP."""

    class Stage(tg.Component):
        base = el.ConstantCurrent(I=s * 1e-5)
        supply = el.ConstantVoltage(V=s * 5.0)
        q = cls(Bf=150.0, Gmin=0.0)
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.base.n, self.q.B
            yield self.supply.p, self.q.C
            yield self.base.p, self.supply.n, self.q.E, self.ground.p

    rest = tg.steady_state(Stage())
    assert rest["q.C.i"] == pytest.approx(s * 1.5e-3, rel=1e-9)
    assert rest["q.E.i"] == pytest.approx(-s * 1.51e-3, rel=1e-9)
    assert rest["q.B.v"] == pytest.approx(s * 8.617333262e-5 * 300.15 * np.log(1.5e-3 / 1e-16), rel=1e-6)


@pytest.mark.parametrize(("cls", "s"), [(el.DelayedNPN, 1.0), (el.DelayedPNP, -1.0)])
def test_excess_phase_delays_the_collector_current(cls: type[el.DelayedBJT], s: float) -> None:
    """With i_f = I exp(a t) the delayed current is i_f/(1 + a t_d + (a t_d)^2/3), t_d = Ptf Tf."""
    c = tg.System("ramp")
    c.add(base=el.RampVoltage(V=0.2 * s, offset=0.5 * s, duration=1e-9), supply=el.ConstantVoltage(V=3.0 * s))
    c.add(q=cls(Tf=20e-12, Ptf="100 deg"), ground=el.Ground())
    c.connect(c.base.p, c.q.B)
    c.connect(c.supply.p, c.q.C)
    c.connect(c.ground.p, c.base.n, c.supply.n, c.q.E)
    end = tg.simulate(c, 1e-9, rtol=1e-8).at(0.98e-9)
    delay = np.deg2rad(100.0) * 20e-12
    growth = 0.2e9 / (300.15 * 1.380649e-23 / 1.602176634e-19) * delay
    assert end["q.i_x"] / end["q.i_f"] == pytest.approx(1.0 / (1.0 + growth + growth**2 / 3.0), rel=1e-5)
