"""Stream connectors with numbers: what flows into a node flows out of it, whichever way it flows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from golden_models.fluid import Tee, TeeMixer
from golden_models.parts import Boundary, FluidPort, Valve
from language.reading import statements
from tellegen.flatten.streams import EPSILON, SHARE, mixing_template
from tellegen.ir.flat import FlatModel
from tellegen.symbolic.evaluate import evaluate
from tellegen_theorem import random_through


def role(flat: FlatModel, index: int) -> str:
    return flat.variables.declaration(index).role


def arriving(flat: FlatModel, values: Any) -> None:
    """Fill in, by repetition from the leaves up and down, what arrives at every port and what composites send on."""
    pairs = [(int(a), int(b)) for a, b in flat.equalities if role(flat, int(a)) in ("stream", "inflow")]
    mixing = [group for group in flat.equations if group.template.owner == "mixing"]
    for _ in range(12):
        for got, sent in pairs:
            values[got] = values[sent]
        for group in mixing:
            for row in group.bindings:
                values[row[0]] = evaluate(group.template.rhs, [0.0, *values[row[1:]]])  # type: ignore[attr-defined]


def leaf_streams(flat: FlatModel) -> list[tuple[int, int, int]]:
    """Flow, outflow and inflow variable of every stream element of every leaf port."""
    out = []
    for node in flat.tree.nodes:
        kind = node.kind
        for port in kind.ports:
            if kind.groups or port.family == "signal":
                continue
            members = {kind.variables[m].role: m for m in port.variables}
            size = kind.variables[members["stream"]].size // port.count
            for connector in range(node.count * port.count):
                for e in range(size):
                    outflow = node.variable_base[members["stream"]] + connector * size + e
                    inflow = node.variable_base[members["stream"] + 1] + connector * size + e
                    out.append((node.variable_base[members["through"]] + connector, outflow, inflow))
    return out


def unbalance(flat: FlatModel, random: np.random.Generator) -> tuple[float, float]:
    """Sum and scale of flow times what it carries over all leaf ports, for random flows that obey the sums."""
    values = random.uniform(1.0, 5.0, flat.variables.count)
    flows = np.unique(flat.sums.indices)
    values[flows] = random_through(flat, random)[flows]
    arriving(flat, values)
    terms = [values[m] * (values[inflow] if values[m] > 0 else values[out]) for m, out, inflow in leaf_streams(flat)]
    return float(np.sum(terms)), float(np.sum(np.abs(terms)))


def star(count: int) -> tg.System:
    system = tg.System("star")
    system.add(b=[Boundary() for _ in range(count)])
    system.connect(*(part.port for part in system.b))
    return system


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", range(8))
def test_energy_is_conserved_at_a_node(count: int, seed: int) -> None:
    total, scale = unbalance(tg.flatten(star(count)), np.random.default_rng(seed))
    assert scale > 0
    assert abs(total) < 1e-13 * scale


class Manifold(tg.Component):
    """Two tees inside a composite, one of their ports handed out twice removed."""

    inlet = FluidPort()
    ends = FluidPort.array(2)
    tee = Tee()
    v = Valve()

    def connections(self) -> Any:
        yield self.inlet, self.tee.port, self.v.a
        yield self.tee.out1, self.ends[0], self.v.b
        yield self.tee.out2, self.ends[1]


class Plant(tg.Component):
    m = Manifold.array(2)
    b = Boundary.array(3)
    c = Boundary()

    def connections(self) -> Any:
        yield self.m[0].inlet, self.m[1].inlet, self.c.port, self.b[0].port
        yield self.m[0].ends[0], self.b[1].port, self.m[1].ends[1]
        yield self.m[0].ends[1], self.b[2].port


@pytest.mark.parametrize("model", [TeeMixer, Plant])
@pytest.mark.parametrize("seed", range(8))
def test_energy_is_conserved_through_hierarchies(model: Any, seed: int) -> None:
    total, scale = unbalance(tg.flatten(model()), np.random.default_rng(seed))
    assert scale > 0
    assert abs(total) < 1e-12 * scale


def test_the_check_itself_notices_a_wrong_mixture() -> None:
    flat = tg.flatten(star(3))
    values = np.zeros(flat.variables.count)
    streams = leaf_streams(flat)
    for (m, out, inflow), flow, h in zip(streams, (2.0, -1.5, -0.5), (0.0, 10.0, 40.0), strict=True):
        values[m], values[out], values[inflow] = flow, h, -1.0
    arriving(flat, values)
    assert values[streams[0][2]] == pytest.approx((1.5 * 10 + 0.5 * 40) / 2.0)
    assert values[streams[1][2]] == pytest.approx(40.0, rel=0.01), (
        "if the flow there turned round, only the third could supply it; smoothed by what flows"
    )
    assert values[streams[1][2]] < 40.0


def test_one_and_two_ports() -> None:
    alone = tg.System("alone")
    alone.add(b=Boundary())
    pair = star(2)
    lines = [tg.flatten(system) for system in (alone, pair)]
    equal = [{tuple(flat.variables.name(int(k)) for k in row) for row in flat.equalities} for flat in lines]
    assert equal[0] == {("b.port.h_outflow.inflow", "b.port.h_outflow")}
    assert ("b[0].port.h_outflow.inflow", "b[1].port.h_outflow") in equal[1]
    assert ("b[1].port.h_outflow.inflow", "b[0].port.h_outflow") in equal[1]


@pytest.mark.parametrize("count", [2, 3, 5])
def test_mixtures_without_flow_are_defined_and_join_smoothly(count: int) -> None:
    template = mixing_template((-1,) * count, -1)
    sent = np.linspace(1.0, 9.0, count)

    def mixture(share: float) -> float:
        flows = -EPSILON * share * np.arange(1, count + 1)
        return float(evaluate(template.rhs, [0.0, *flows, *sent, 0.0]))

    assert mixture(0.0) == pytest.approx(sent.mean())
    exact = float(np.arange(1, count + 1) @ sent / np.arange(1, count + 1).sum())
    assert mixture(1.0) == pytest.approx(exact, rel=1e-14)
    assert mixture(-5.0) == pytest.approx(sent.mean()), "everything flows in: nothing to mix"
    shares = np.linspace(0.0, 1.0, 2001) / np.arange(1, count + 1).sum() * 1.5
    found = np.array([mixture(share) for share in shares])
    assert np.all((found >= sent.min()) & (found <= sent.max()))
    assert np.max(np.abs(np.diff(found))) < 0.02, "no jump on the way"


def test_what_arrives_at_a_sender_is_smooth() -> None:
    """While it sends 2 kg/s nobody receives it; a neighbour that begins to send must not make it jump."""
    template = mixing_template((-1, -1), -1)
    others = np.linspace(-1e-3, 1e-3, 401)  # the flow of one neighbour; the other receives
    found = [float(evaluate(template.rhs, [0.0, flow, 2.0 - flow, 10.0, 50.0, -2.0])) for flow in others]
    assert found[-1] == pytest.approx(30.0), "nobody else sends: the mean of those who could"
    assert np.max(np.abs(np.diff(found))) < 0.1, "no jump, while 1e-3 kg/s more or less are sent"
    receiving = [float(evaluate(template.rhs, [0.0, -1.0, -3.0, 10.0, 50.0, own])) for own in (4.0, 1e-12, 0.0)]
    assert receiving == pytest.approx([40.0] * 3, rel=1e-15), "exact for whoever receives"
    sending = float(evaluate(template.rhs, [0.0, -1.0, -3.0, 10.0, 50.0, -1e-3]))
    assert sending == pytest.approx(40.0, rel=SHARE), "and continuous where the flow turns"


def test_in_stream_and_actual_stream() -> None:
    class Pipe(tg.Component):
        ports = FluidPort.array(2)
        h = tg.variable("J/kg", shape=2)
        first = tg.variable("J/kg")

        def equations(self) -> Any:
            yield self.ports.p[0] == self.ports.p[1]
            yield tg.sum(self.ports.m_flow) == 0
            yield self.ports.h_outflow == tg.in_stream(self.ports.h_outflow)[::-1]
            yield self.h == tg.actual_stream(self.ports.h_outflow)
            yield self.first == tg.actual_stream(self.ports[1].h_outflow)

    class Top(tg.Component):
        pipe = Pipe()
        a = Boundary()
        b = Boundary()

        def connections(self) -> Any:
            yield self.pipe.ports[0], self.a.port
            yield self.pipe.ports[1], self.b.port

    lines = statements(Top())
    assert "pipe.ports[0].h_outflow == pipe.ports[1].h_outflow.inflow" in lines
    chosen = "where(pipe.ports[1].m_flow > 0, pipe.ports[1].h_outflow.inflow, pipe.ports[1].h_outflow)"
    assert f"pipe.h[1] == {chosen}" in lines
    assert f"pipe.first == {chosen}" in lines


class MixturePort(tg.Connector):
    p = tg.across("Pa")
    m_flow = tg.through("kg/s")
    h = tg.stream("J/kg")
    X = tg.stream("1", shape=2)


class MixtureSource(tg.Component):
    port = MixturePort()
    X = tg.parameter([0.2, 0.8], "1")

    def equations(self) -> Any:
        yield self.port.p == 1e5
        yield self.port.h == 1e3
        yield self.port.X == self.X


def test_streams_with_several_substances() -> None:
    system = tg.System("mixture")
    system.add(s=MixtureSource.array(3, X=[[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]]))
    system.connect(system.s[0].port, system.s[1].port, system.s[2].port)
    flat = tg.flatten(system)
    assert flat.variables.count == flat.equation_count
    values = np.zeros(flat.variables.count)
    index = {name: k for k, name in enumerate(flat.variables.names())}
    for k, (m, h) in enumerate(((3.0, 5.0), (-1.0, 7.0), (-2.0, 10.0))):
        values[index[f"s[{k}].port.m_flow"]] = m
        values[index[f"s[{k}].port.h"]] = h
        for j in range(2):
            values[index[f"s[{k}].port.X[{j}]"]] = 0.1 * (k + 1) if j == 0 else 1 - 0.1 * (k + 1)
    arriving(flat, values)

    def at(name: str) -> float:
        return float(values[index[name]])

    assert at("s[0].port.h.inflow") == pytest.approx((7 + 2 * 10) / 3)
    assert at("s[0].port.X.inflow[0]") == pytest.approx((0.2 + 2 * 0.3) / 3)
    assert at("s[0].port.X.inflow[0]") + at("s[0].port.X.inflow[1]") == pytest.approx(1)
