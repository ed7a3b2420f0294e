"""Cases in which mixed systems (ideal diodes, friction) went wrong once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from validation.ngspice_circuits import scr_bridge
from validation.test_diode_networks import Network
from validation.test_ngspice import FOLDER
from validation.test_rectifiers import HalfWave, Smoothed, smoothed


def netlist(name: str) -> Any:
    """A netlist of tests/reference."""
    return tg.read_spice(FOLDER / f"{name}.cir")


def test_reinit_of_a_variable_that_is_no_state() -> None:
    """v = 2 x follows from the state x: setting v to 0 has to set x to 0, or to be refused."""

    class Twice(tg.Component):
        x = tg.variable(start=1.0, fixed=True, state="always")
        v = tg.variable(state="never")

        def equations(self):
            yield tg.der(self.x) == 1.0
            yield self.v == 2 * self.x
            yield tg.when(tg.time > 1.0, tg.reinit(self.v, 0.0))

    with pytest.raises(tg.StructureError, match="'v' cannot be reinitialized"):
        tg.simulate(Twice(), 2.0)


def test_a_corner_of_a_diode_is_no_contradiction() -> None:
    """Against all combinations of branches; interpolation at rtol 1e-6 of 10 V, as in the random networks."""
    network = Network(173, 4, 5)
    s = tg.simulate(network.model(), 0.04, points=101)
    exact = np.array([network.exact(t) for t in s.time])
    np.testing.assert_allclose(np.array([s[f"leak{k}.v"] for k in range(network.nodes)]).T, exact, atol=2e-5)


def test_one_event_for_one_change_of_branch() -> None:
    """Three periods: five changes between conducting and blocking after the start."""
    s = tg.simulate(HalfWave(), 0.059, rtol=1e-8)
    assert len(s.events) == 5


def test_short_pulses_of_current_are_not_stepped_over() -> None:
    """The charge of C1 in the last negative half wave, 0.1 ms long, against a run with a smaller tolerance."""
    loose, tight = (tg.simulate(netlist("doubler"), 10e-3, rtol=rtol, points=401)["c1.v"] for rtol in (1e-6, 1e-8))
    np.testing.assert_allclose(loose, tight, atol=1e-3)


@pytest.mark.parametrize(
    ("circuit", "seen"), [(netlist("buck"), "l1.i"), (netlist("boost"), "l1.i"), (scr_bridge(), "rl.v")]
)
def test_exponential_diodes_with_switches_in_ode_mode(circuit: Any, seen: str) -> None:
    """From -24 V to 0.7 V, the first step of Newton is 1e6 V. IDA has another way there and must agree."""
    times = np.linspace(0.0, 1e-4, 101)[1:]
    runs = (tg.simulate(circuit, 1e-4, rtol=1e-8, points=times, solver=solver) for solver in ("auto", "ida"))
    mine, other = (run.at(times)[seen] for run in runs)
    np.testing.assert_allclose(mine, other, atol=1e-5 * max(float(np.ptp(other)), 1e-3))


@pytest.mark.parametrize("solver", ["ida", "cvode"])
def test_output_times_on_the_instants_of_a_pulse(solver: str) -> None:
    """Pulses of 10 us and an output every 5 us: 0.001975 s is both, but for the last digit."""

    class Pulsed(tg.Component):
        pulse = blocks.Pulse(period=1e-5)
        x = tg.variable(start=0.0, fixed=True)
        high = tg.boolean()

        def equations(self):
            yield tg.der(self.x) == self.pulse.y - self.x
            yield self.high == (self.x > 10.0)

    s = tg.simulate(Pulsed(), 10e-3, points=2001, solver=solver)
    assert len(np.unique(s.time)) == 2001
    # x' = u - x with u = 1 in the first half of every period T: exact from period to period
    half = np.exp(-0.5e-5)
    exact, x = [], 0.0
    for _ in range(1000):
        x = (x * half + 1.0 - half) * half
        exact.append(x)
    ends = [s.at(k * 1e-5)["x"] for k in range(100, 1001, 100)]
    np.testing.assert_allclose(ends, exact[99::100], rtol=1e-4)


def test_a_boolean_variable_may_be_a_signal() -> None:
    class Signal(tg.Component):
        x = tg.variable(start=0.0, fixed=True)
        u = tg.variable()
        on = tg.boolean()

        def equations(self):
            yield tg.der(self.x) == self.u
            yield self.on == (tg.time > 0.5)
            yield self.u == self.on

    assert tg.simulate(Signal(), 1.0)["x"][-1] == pytest.approx(0.5)


def test_an_event_that_moves_nothing_at_once_still_changes_what_follows() -> None:
    """A diode stops conducting where its current is zero: neither v nor dv/dt jumps, but the law is another one.

    Without a restart there the error was 2.6e-2 V, 1.1e-4 V, 9.4e-4 V at rtol 1e-6, 1e-8, 1e-10.
    """
    s = tg.simulate(Smoothed(), 0.1, rtol=1e-8, solver="cvode")
    np.testing.assert_allclose(s["c.v"], smoothed(0.1)[1](s.time), atol=1e-5)


def test_boost_converter_with_an_exponential_diode_at_the_default_tolerance() -> None:
    """No step of IDA succeeded at 0.2 ms until what it asks of algebraic unknowns gave way; against CVODE."""
    times = np.linspace(0.0, 3e-4, 301)[1:]
    runs = (tg.simulate(netlist("boost"), 3e-4, solver=solver, points=times) for solver in ("ida", "cvode"))
    mine, other = (run.at(times)["l1.i"] for run in runs)
    np.testing.assert_allclose(mine, other, atol=1e-3 * float(np.ptp(other)))
