"""A friction coupling that breaks loose with less acceleration than the peak of its friction is high.

`slips = pre(stuck) and (s > peak or pre(slips) and s > 1)`, where the load s falls below the peak once it slips: with
pre(slips) fixed neither answer agrees with itself. Modelica's friction elements are written so (OneWayClutch between
large inertias); event iteration has to move pre() on before it judges. The motion has a closed solution.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tellegen as tg

TEXT = """
model Slip
  parameter Real m = 3;
  parameter Real peak = 1.0001;
  Real v1(start = 0, fixed = true);
  Real v2(start = 0, fixed = true);
  Real w(start = 0), a, s, f;
  Boolean slips(start = false, fixed = true);
  Boolean locked;
  Boolean stuck(start = true, fixed = true);
equation
  w = v1 - v2;
  a = der(w);
  m*der(v1) = time - f;
  m*der(v2) = f;
  slips = pre(stuck) and (s > peak or pre(slips) and s > 1);
  locked = pre(stuck) and not slips;
  a = if locked then 0 else s - 1;
  f = if locked then s else 1;
  stuck = locked or w <= 0;
end Slip;
"""


@pytest.fixture(scope="module")
def slip(tmp_path_factory: pytest.TempPathFactory) -> tg.CompiledModel:
    file = tmp_path_factory.mktemp("slip") / "Slip.mo"
    file.write_text(TEXT)
    return tg.compile(tg.load_modelica(Path(file))["Slip"])


@pytest.mark.parametrize(("solver", "m"), [("rk45", 3.0), ("rodas", 20.0), ("cvode", 3.0), ("ida", 3.0), ("rk45", 1.0)])
def test_it_slips_from_the_peak_on(slip: tg.CompiledModel, solver: str, m: float) -> None:
    solution = slip.simulate(stop=4.0, solver=solver, parameters={"m": m})
    begin = 2.0 * 1.0001  # half of the force passes through the coupling
    since = np.maximum(solution.time, begin)
    expected = ((since - 2.0) ** 2 - (begin - 2.0) ** 2) / (2.0 * m)
    assert np.abs(solution["w"] - expected).max() < 1e-6
    assert [event.time for event in solution.events] == pytest.approx([begin] * len(solution.events), abs=1e-6)
