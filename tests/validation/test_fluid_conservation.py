"""Mass, energy and species over reversals of flow: what came in through the boundaries is stored, to round-off.

Vessels store M, U and the masses of substances as states ("conserved"). An integrator of any order keeps linear sums of
states, so the balance of a vessel with meters at its boundaries closes to round-off, not to the tolerance of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.library import fluid as fl
from tellegen.library import media
from validation.measured import within


@dataclass(frozen=True)
class Brine(media.LinearLiquid):
    """Two salts in a soft liquid: the heat capacity and the density depend on what is dissolved."""

    kappa: float = 4.5e-7

    @property
    def substances(self) -> tuple[str, ...]:
        return ("chloride", "sulfate", "water")

    def enthalpy(self, p: Any, T: Any, X: Sequence[Any] = ()) -> Any:
        lighter = 0.3 * X[0] + 0.5 * X[1] if len(X) else 0.0
        return super().enthalpy(p, T) - self.c * lighter * (T - self.T0)

    def density(self, state: media.State) -> Any:
        return super().density(state) * (1.0 + 0.6 * state.X[0] + 0.8 * state.X[1])


class Meter(tg.Component):
    """Integrates what flows out of a boundary into the model."""

    m_flow = tg.input("kg/s")
    H_flow = tg.input("W")
    X_flow = tg.input("kg/s", shape=2)
    m = tg.variable("kg", start=0.0)
    H = tg.variable("J", start=0.0)
    X = tg.variable("kg", start=0.0, shape=2)

    def equations(self) -> Any:
        yield tg.der(self.m) == self.m_flow
        yield tg.der(self.H) == self.H_flow
        yield tg.der(self.X) == self.X_flow


class MeteredBoundary(tg.Component):
    """A reservoir whose pressure swings, with a meter."""

    medium = tg.parameter(Brine(), structural=True)
    port = fl.FluidPort().of(medium)
    inner = fl.Boundary_pT(medium=medium)
    meter = Meter()
    p = tg.parameter(1.5e5, "Pa")
    swing = tg.parameter(4e4, "Pa")
    w = tg.parameter(1.0, "rad/s")
    T = tg.parameter(300.0, "K")
    X = tg.parameter([0.1, 0.2], "1")

    def equations(self) -> Any:
        yield self.inner.p == self.p + self.swing * tg.sin(self.w * tg.time)
        yield self.inner.T == self.T
        yield self.inner.X == self.X
        yield self.meter.m_flow == -self.inner.port.m_flow
        yield self.meter.H_flow == -fl.enthalpy_flow(self.inner.port)
        from_, to = self.inner.port.Xi_outflow, tg.in_stream(self.inner.port.Xi_outflow)
        m = -self.inner.port.m_flow
        for k in range(2):
            flow = tg.no_event(tg.maximum(m, 0.0) * from_[k] + tg.minimum(m, 0.0) * to[k])
            yield self.meter.X_flow[k] == flow

    def connections(self) -> Any:
        yield self.inner.port, self.port


class Star(tg.Component):
    """Three vessels around one mixing point, each with a boundary of its own; the flow turns round everywhere."""

    medium = tg.parameter(Brine(), structural=True)
    b = MeteredBoundary.array(
        3, medium=medium, w=[1.0, 1.7, 2.3], T=[290.0, 320.0, 350.0], X=[[0.0, 0.1], [0.3, 0.0], [0.1, 0.2]]
    )
    outer = fl.ValveIncompressible.array(3, medium=medium, Av=5e-4)
    v = fl.ClosedVolume.array(
        3, medium=medium, V=[0.02, 0.05, 0.03], T_start=[300.0, 310.0, 320.0], p_start=[1.6e5, 1.5e5, 1.4e5]
    )
    inner = fl.ValveIncompressible.array(3, medium=medium, Av=5e-4)

    def connections(self) -> Any:
        yield self.b.port, self.outer.port_a
        for k in range(3):
            yield self.outer[k].port_b, self.v[k].ports[0]
            yield self.v[k].ports[1], self.inner[k].port_a
        yield self.inner[0].port_b, self.inner[1].port_b, self.inner[2].port_b


@pytest.mark.parametrize("solver", ["auto", "cvode"])
def test_three_port_mixing_and_reversal(solver: str) -> None:
    """1e-12 is some hundred steps of round-off; the tolerance of the run is 1e-6, a million times larger."""
    s = shared_model(Star).simulate(20.0, solver=solver, points=201)
    flows = np.array([s[f"inner[{k}].m_flow"] for k in range(3)])
    assert all(np.sum(np.diff(np.sign(flow)) != 0) >= 5 for flow in flows), "every branch turns round"
    names = {"mass": ("M", "m"), "energy": ("U", "H"), "chloride": ("MXi[0]", "X[0]"), "sulfate": ("MXi[1]", "X[1]")}
    for name, (inside, metered_by) in names.items():
        stored = np.sum([s[f"v[{k}].{inside}"] for k in range(3)], axis=0)
        metered = np.sum([s[f"b[{k}].meter.{metered_by}"] for k in range(3)], axis=0)
        error = (stored - stored[0] - metered) / np.max(np.abs(stored))
        within(f"Three-port mixing and reversal: {name}", error, 1e-12, "boundary integrals", solver)


def test_mixing_is_exact_at_every_instant() -> None:
    """Over the mixing point, which stores nothing, enthalpy flows sum to zero; blending acts below 1e-8 kg/s."""
    s = tg.simulate(Star(), 20.0, rtol=1e-8)
    flows = np.array([s[f"inner[{k}].m_flow"] for k in range(3)])
    h_out = np.array([s[f"v[{k}].h"] for k in range(3)])
    mixed = np.array([s[f"inner[{k}].port_a.h_outflow"] for k in range(3)])  # what comes back into vessel k
    energy = np.where(flows > 0, flows * h_out, flows * mixed).sum(axis=0)
    turned = np.abs(flows * h_out).sum(axis=0)
    within("Enthalpy over a mixing point", energy / turned.max(), 1e-7, "zero")
    receives = flows < -1e-6
    lowest = np.min(np.where(flows > 0, h_out, np.inf), axis=0)
    highest = np.max(np.where(flows > 0, h_out, -np.inf), axis=0)
    inside = (mixed >= lowest - 1.0) & (mixed <= highest + 1.0)
    assert np.all(inside[receives]), "a mixture lies between what it is made of"


def test_reversal_makes_no_events() -> None:
    s = tg.simulate(Star(), 20.0)
    assert not s.events
    assert s.stats["steps"] < 3000


def test_intensive_storage_conserves_to_the_tolerance() -> None:
    """The other form, p and T as states with partial derivatives: the same solution, and a balance that drifts."""
    soft = media.LinearLiquid(kappa=4.5e-7)

    class Filling(tg.Component):
        storage = tg.parameter("conserved", structural=True)
        source = fl.Boundary_pT(medium=soft, p=2e5, T=350.0)
        valve = fl.ValveIncompressible(medium=soft, Av=1e-5)
        vessel = fl.ClosedVolume(medium=soft, V=0.01, n_ports=1, storage=storage)

        def connections(self) -> Any:
            yield self.source.port, self.valve.port_a
            yield self.valve.port_b, self.vessel.ports[0]

    one, other = (tg.simulate(Filling(storage=how), 2.0, rtol=1e-8) for how in ("conserved", "intensive"))
    for name in ("p", "T", "M", "U"):
        error = (other[f"vessel.{name}"] - one[f"vessel.{name}"]) / np.max(np.abs(one[f"vessel.{name}"]))
        within(f"Two ways of storing: {name}", error, 2e-6, "each other")


def test_long_reversals_of_a_dynamic_pipe() -> None:
    """A column of brine that is pushed to and fro through ten cells."""

    class Swing(tg.Component):
        b = MeteredBoundary.array(2, w=[1.0, 1.3], X=[[0.0, 0.1], [0.3, 0.0]], T=[290.0, 350.0])
        pipe = fl.DynamicPipe(medium=Brine(), n=10, length=20.0, diameter=0.03, p_start=1.5e5)

        def connections(self) -> Any:
            yield self.b[0].port, self.pipe.port_a
            yield self.pipe.port_b, self.b[1].port

    s = tg.simulate(Swing(), 30.0, points=301)
    assert np.sum(np.diff(np.sign(s["pipe.m_flow[5]"])) != 0) >= 8
    for name, stored, metered in (
        ("mass", s["pipe.M"].sum(axis=1), s["b.meter.m"].sum(axis=1)),
        ("energy", s["pipe.U"].sum(axis=1), s["b.meter.H"].sum(axis=1)),
        ("species", s["pipe.MXi"][:, 0].sum(axis=1), sum(s[f"b[{k}].meter.X[0]"] for k in range(2))),
    ):
        error = (stored - stored[0] - metered) / np.max(np.abs(stored))
        within(f"A pipe that is swept back and forth: {name}", error, 1e-12, "boundary integrals")


def test_reversal_by_ida() -> None:
    """IDA tests the error of all unknowns, also of flows near zero: pressures follow from masses to 2 Pa, and flows
    amplify that. Tolerances of algebraic unknowns give way where no step succeeds."""
    runs = (tg.simulate(Star(), 20.0, solver=solver, rtol=1e-7) for solver in ("ida", "cvode"))
    mine, other = (np.concatenate([run["v.T"][-1], run["v.p"][-1]]) for run in runs)
    np.testing.assert_allclose(mine, other, rtol=1e-4)
