"""A trial value that overflows in a branch of a characteristic does not end a run."""

from __future__ import annotations

import tellegen as tg
from modelica.library import msl_folder


def test_reverse_breakthrough_of_a_thyristor_is_not_tried() -> None:
    """With megaohms of a blocked triac a current wrong by 1e-4 A is a voltage whose exponential is no number."""
    circuit = tg.load_modelica(msl_folder())["Modelica.Electrical.Analog.Examples.SimpleTriacCircuit"]
    solution = tg.simulate(circuit, stop=8e-5, rtol=1e-12)
    assert "all relations as events" in solution.stats["solver_reason"]
    assert abs(solution["L.i"]).max() < 3.0, "30 V and 10 Ohm"


def test_forces_that_begin_as_roundings_have_no_small_sizes() -> None:
    """A run whose sizes were taken from values at the start is repeated without them where it fails."""
    name = "Modelica.Electrical.Machines.Examples.SynchronousMachines.SMEE_LoadDump"
    solution = tg.simulate(tg.load_modelica(msl_folder())[name], stop=0.5, rtol=1e-6)
    assert solution.success
