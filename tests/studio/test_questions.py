"""Understand, vary and share a model: answers equal those of the Python calls, and so does the script."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.studio.document.text.script_run import ScriptRun
from tellegen.studio.messages.questions import (
    Calibrate,
    Explain,
    Explained,
    Goal,
    Limit,
    MakePage,
    Optimize,
    PageText,
    Range,
    Refused,
    Sensitivities,
    SensitivitiesFound,
    Study,
    Table,
)
from tellegen.studio.messages.requests import Run
from tellegen.studio.messages.work import Check, Simulate, Simulated
from tellegen.studio.server.made_pages import MOST, MadePages
from tellegen.studio.server.script import Done, script_of
from tellegen.studio.worker.workbench import Workbench

EXAMPLES = Path(__file__).parents[2] / "examples"
J = Range("load.J", 5e-4, 2e-3)
W = Goal("final", "load.w")


@pytest.fixture(scope="module")
def bench() -> Workbench:
    found = Workbench()
    file = EXAMPLES / "dc_drive.py"
    found.done(Check(file.read_text(), str(file), "Drive", imports=False))
    ran = found.done(Simulate("0.5", 51, {}, ("load.w",)))
    assert isinstance(ran, Simulated)
    assert ran.ok
    return found


@pytest.mark.parametrize(
    ("what", "words"),
    [("model", "order of evaluation"), ("equations", "motor.k"), ("reduced", "load.w == der(load.phi)"),
     ("blocks", "level 0"), ("graph", "NormalTree"), ("report", "eliminate aliases"),
     ("time", "steps limited by")],
)  # fmt: skip
def test_pages_about_a_model(bench: Workbench, what: str, words: str) -> None:
    found = bench.done(Explain(what))
    assert isinstance(found, Explained)
    assert words in found.text
    if what == "model":
        assert {(mark.path, mark.text) for mark in found.marks} == {("motor", "i"), ("load", "phi, w")}
    if what == "graph":
        assert {edge.component: edge.branch for edge in found.edges}["load"]
        assert {edge.label for edge in found.edges if not edge.branch} == {"motor.p", "motor.shaft"}


def test_sensitivities_are_percent_per_percent(bench: Workbench) -> None:
    found = bench.done(Sensitivities("load.w", "0.5", {}))
    assert isinstance(found, SensitivitiesFound)
    bars = {bar.path: bar.relative for bar in found.bars}
    ends = [simulated({"load.J": 1e-3 * factor})["load.w"][-1] for factor in (0.999, 1.001)]
    assert bars["load.J"] == pytest.approx((ends[1] - ends[0]) / 0.002 / simulated({})["load.w"].max(), rel=1e-4)
    assert [abs(bar.relative) for bar in found.bars] == sorted(map(abs, bars.values()), reverse=True)


def simulated(parameters: dict[str, float]) -> Any:
    space: dict[str, Any] = {"__name__": "dc_drive"}
    exec(compile((EXAMPLES / "dc_drive.py").read_text(), "dc_drive.py", "exec"), space)
    return tg.simulate(space["Drive"](), 0.5, points=501, parameters=parameters)


def test_studies_and_optima(bench: Workbench) -> None:
    table = bench.done(Study((J,), 3, (W,), "0.5", {}))
    assert isinstance(table, Table)
    assert table.columns == ("load.J", "final(load.w)", "outcome")
    assert len(table.rows) == 3
    assert table.numbers[1][0] == pytest.approx(simulated({"load.J": 5e-4})["load.w"][-1], rel=1e-5)
    best = bench.done(Optimize(W, True, (J,), (Limit(Goal("final", "load.phi"), 20.0),), "0.5", {}))
    assert isinstance(best, Table), best
    found = simulated(dict(best.values))
    assert 5e-4 < best.values["load.J"] < 2e-3
    assert found["load.phi"][-1] == pytest.approx(20.0, rel=1e-4), "the limit holds it"
    for wrong in (
        Study((), 3, (), "1", {}),
        Study((J,) * 8, 9, (W,), "1", {}),
        Study((J,), 3, (Goal("x", "y"),), "1", {}),
    ):
        assert isinstance(bench.done(wrong), Refused)


def test_calibration_finds_the_value_that_was_measured(bench: Workbench, tmp_path: Path) -> None:
    measured = simulated({"load.J": 1.4e-3})
    noise = np.random.default_rng(1).normal(0.0, 0.1, len(measured.time))
    rows = np.column_stack([measured.time, measured["load.w"] + noise])
    np.savetxt(tmp_path / "run.csv", rows, delimiter=",", header="time,speed", comments="")
    fit = bench.done(Calibrate(str(tmp_path / "run.csv"), {"load.w": "speed"}, (J,)))
    assert isinstance(fit, Table), fit
    assert fit.values["load.J"] == pytest.approx(1.4e-3, rel=2e-3)


def test_a_page_to_share_and_what_has_no_scene(bench: Workbench) -> None:
    page = bench.done(MakePage("live", (J,), ("load.w",), "0.5"))
    assert isinstance(page, PageText), page
    assert "load.w" in page.html
    assert "http://" not in page.html.replace("http://www.w3.org", "")
    refused = bench.done(MakePage("scene", (), (), ""))
    assert isinstance(refused, Refused)
    assert "nothing to draw" in refused.diagnostics[0].message
    kept = MadePages()
    addresses = [kept.kept(f"page {k}") for k in range(MOST + 1)]
    assert kept.found(addresses[-1]) == f"page {MOST}".encode()
    assert kept.found(addresses[0]) is None
    assert kept.found("/made/x.html") is None


def test_the_script_does_what_was_done(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run("dc_drive.py", "0.5", 51, {"load.J": 2e-3}, ("load.w",))
    done: list[Done] = [Run("dc_drive.py", "0.5", 51, {}, ("load.w",)), run, Explain("report")]
    done += [Sensitivities("load.w", "0.5", {}), Study((J,), 3, (W,), "0.5", {}), Explain("report")]
    optimum = Optimize(W, True, (J,), (Limit(Goal("final", "load.phi"), 20.0),), "500 ms", {})
    done.append(optimum)
    text = script_of("dc_drive.py", "Drive", done, ScriptRun())
    assert text.count("tg.simulate(") == 1, "while a slider moves, the last counts"
    assert text.count("model.report()") == 1
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setenv("MPLBACKEND", "Agg")
    space: dict[str, Any] = {"__name__": "done"}
    exec(compile(text, "done.py", "exec"), space)
    again = bench.done(Simulate("0.5", 51, {"load.J": 2e-3}, ("load.w",)))
    assert isinstance(again, Simulated)
    curve = np.frombuffer(base64.b64decode(again.curves[0].values))
    np.testing.assert_allclose(space["solution"]["load.w"], curve, rtol=1e-12)
    best = bench.done(optimum)
    assert isinstance(best, Table)
    assert space["best"].variables["load.J"] == pytest.approx(best.values["load.J"], rel=1e-6)
