"""Properties of random networks: both formulations agree, Tellegen's theorem holds, the tree predicts the states."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg
from network.random_networks import MIXES, network
from tellegen.network.names import Names

SEEDS = range(8)
RTOL = 1e-7


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("seed", SEEDS)
def test_formulations_states_and_tellegens_theorem(mix: str, seed: int) -> None:
    """Tolerance of the comparison: a thousand times that of the runs, of the largest value of each variable.

    The two orders of equations round differently, and errors of the integration grow over the run by the network.
    """
    model = network(mix, seed)
    plain, by_graph = tg.compile(model), tg.compile(model, formulation="graph")
    a, b = (compiled.simulate(2.0, rtol=RTOL, points=41, throw=True) for compiled in (plain, by_graph))
    graph = tg.system_graph(model)
    tree = graph.normal_tree()
    assert abs(tree.incidence @ tree.B.T).sum() == 0
    assert abs(tree.Q @ tree.B.T).sum() == 0
    states = int((plain.reduced.is_state).sum())
    assert tree.state_count == states, (tree.states, states)
    flat = plain.flat
    for k in range(flat.variables.count):
        name = flat.variables.name(k)
        scale = np.abs(a[name]).max() + 1e-3
        assert np.abs(a[name] - b[name]).max() <= 1e3 * RTOL * scale, name
    _tellegen(graph.names, by_graph, b)


def _tellegen(names: Names, compiled: tg.CompiledModel, solution: tg.Solution) -> None:
    """The sum of across times through over all edges is zero at every instant, domain by domain."""
    network, flat = names.network, compiled.flat
    power = np.zeros((len(network.domains), len(solution.time)))
    turned = np.zeros_like(power)
    for k in range(network.edge_count):
        part, instance = network.parts[int(network.part[k])], int(network.instance[k])
        edge = part.edges[int(network.local[k])]

        def read(terminal: int, role: int, part=part, instance=instance) -> np.ndarray:
            chosen = part.terminals[terminal]
            index = (chosen.across, chosen.through)[role] + chosen.strides[role] * instance
            return solution[flat.variables.name(index)]

        across = read(edge.tails[0], 0) - (read(edge.head, 0) if edge.head >= 0 else 0.0)
        through = sum(read(tail, 1) for tail in edge.tails)
        power[int(network.domain[k])] += across * through
        turned[int(network.domain[k])] += np.abs(across * through)
    assert turned.max() > 0.0
    assert np.abs(power).max() <= 1e-9 * turned.max()
