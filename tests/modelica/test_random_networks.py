"""Nested networks of resistors at random against nodal analysis."""

from __future__ import annotations

import pytest

import tellegen as tg
from modelica.random_networks import random_network
from modelica_texts import views_of
from tellegen.frontends.modelica.instances.instantiate import instantiate
from tellegen.frontends.modelica.kinds.build import build_model


@pytest.mark.parametrize("seed", range(8))
def test_voltages_are_those_of_nodal_analysis(seed: int) -> None:
    network = random_network(seed)
    solution = tg.simulate(build_model(instantiate(views_of(network.text).named("M"))), stop=1.0, points=2)
    for name, voltage in network.voltages.items():
        assert float(solution[f"{name}.v"][-1]) == pytest.approx(voltage, abs=1e-9), name
