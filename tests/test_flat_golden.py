"""Golden texts of the model and flat stages: read them as a physicist before committing a change."""

from __future__ import annotations

import pytest

import tellegen as tg
from golden import check_golden
from golden_models import electric, fluid, hybrid, rods
from tellegen.ir.show.flat_model import show_flat
from tellegen.ir.show.statements import show_model
from tellegen.stages import build_model

CASES = {
    "rc": electric.RC,
    "dc_drive": electric.Drive,
    "replaced_part": electric.TwoFilters,
    "mixer": fluid.Mixer,
    "mixer_hierarchy": fluid.TeeMixer,
    "rod_array_equations": rods.HeatedArrayRod,
    "rod_component_arrays": rods.CellRod,
    "bouncing_ball": hybrid.Ball,
    "software_pid": hybrid.SpeedLoop,
    "modes": hybrid.Vessel,
}


@pytest.mark.golden
@pytest.mark.parametrize("name", CASES)
def test_flat_text(name: str) -> None:
    model = build_model(CASES[name]())
    check_golden(f"flat/{name}", show_flat(tg.flatten(model)))


@pytest.mark.golden
@pytest.mark.parametrize("name", CASES)
def test_model_text(name: str) -> None:
    check_golden(f"model/{name}", show_model(build_model(CASES[name]())))
