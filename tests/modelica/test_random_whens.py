"""When-clauses, elsewhen, pre, edge and change that read each other at one instant, against event iteration by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import tellegen as tg
from modelica.random_whens import Writer, expected


@pytest.mark.parametrize("seed", range(6))
def test_clauses_that_read_each_other(seed: int, tmp_path: Path) -> None:
    """Clauses acted on values that others replaced at the same instant. 170 models were run by hand."""
    writer = Writer(seed)
    wanted = expected(writer.items)
    assert wanted is not None
    (tmp_path / "M.mo").write_text(writer.text())
    model = tg.compile(tg.load_modelica(tmp_path / "M.mo")["M"]())
    for solver in ("rk45", "ida"):
        run = model.simulate(2.0, solver=solver, points=2)
        assert {name: int(run[name][-1]) for name in writer.all} == wanted
