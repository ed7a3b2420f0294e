"""Random hybrid models of Modelica against SciPy; benchmarks of thousands were run outside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tellegen as tg
from modelica.random_hybrid import STOP, random_case, reference


@pytest.mark.parametrize("seed", range(8))
def test_a_random_model_is_that_of_scipy(seed: int, tmp_path: Path) -> None:
    case = random_case(np.random.default_rng(seed))
    expected = reference(case)
    if expected.margin < 1e-4:
        pytest.skip("a crossing is too near to say on which side it is")
    file = tmp_path / "Hybrid.mo"
    file.write_text(case.text)
    found = tg.simulate(tg.load_modelica(file)["Hybrid.Test"], stop=STOP, rtol=1e-9)
    assert found["count"][-1] == expected.count
    assert found["held"][-1] == pytest.approx(expected.held, abs=1e-6)
    assert found["lag.y"][-1] == pytest.approx(expected.y, abs=1e-6)
    assert found["x"][-1] == pytest.approx(expected.x, abs=1e-6)
    assert found["total"][-1] == pytest.approx(expected.total, abs=1e-5)
