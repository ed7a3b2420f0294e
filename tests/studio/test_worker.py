"""The process that runs models: what user code may do to it, and that the next task is answered all the same."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tellegen as tg
from tellegen.studio.messages.work import (
    Broken,
    Check,
    Checked,
    CurvesRead,
    Printed,
    Progress,
    ReadCurves,
    Result,
    Simulate,
    Simulated,
)
from tellegen.studio.worker.process import Worker

DRIVE = Path(__file__).parents[2] / "examples" / "dc_drive.py"
ENDLESS = """
import tellegen as tg
class Fast(tg.Component):
    x = tg.variable(start=1.0)
    y = tg.variable(start=0.0)
    def equations(self):
        yield tg.der(self.x) == 1e6 * self.y
        yield tg.der(self.y) == -1e6 * self.x
"""


def check(text: str, cls: str) -> Check:
    return Check(text, "/nowhere/model.py", cls, imports=False)


def test_runs_mistakes_cancel_and_sudden_ends() -> None:
    """One process for all, since it takes a second to start; each step leaves a worker that answers the next."""

    async def story() -> None:
        worker = Worker()
        try:
            await runs(worker)
            await mistakes(worker)
            await sudden_ends(worker)
            await cancelled(worker)
        finally:
            await worker.stop()

    asyncio.run(story())


async def runs(worker: Worker) -> None:
    text = DRIVE.read_text().replace('"""A DC', 'print("not a result")\n"""A DC')
    checked = await worker.ask(check(text, "Drive"))
    assert isinstance(checked, Checked)
    assert checked.ok, checked
    ran = await worker.ask(Simulate("500 ms", 101, {"load.J": 2e-3}, ("load.w",)))
    assert isinstance(ran, Simulated)
    assert ran.ok, ran
    assert "motor.i" in ran.names
    assert {row.path: row.value for row in ran.parameters}["load.J"] == 2e-3
    found = np.frombuffer(base64.b64decode(ran.curves[0].values))
    assert ran.curves[0].unit == "rad/s"
    truth = tg.simulate(drive(), 0.5, points=101, parameters={"load.J": 2e-3})["load.w"]
    np.testing.assert_allclose(found, truth)
    first = await worker.ask(Simulate("500 ms", 101, {}, (), number=6))
    assert isinstance(first, Simulated)
    assert (first.names, first.listing) == (ran.names, 6)
    other = await worker.ask(Simulate("500 ms", 101, {}, (), number=7))
    assert isinstance(other, Simulated)
    assert (other.names, other.listing) == (ran.names, 6), "another page, or this one loaded again, has no list so far"
    task = Simulate("500 ms", 101, {"load.J": 2e-3}, ("load.w",), columns=12, number=7, listing=6)
    seen = await worker.ask(task)
    assert isinstance(seen, Simulated)
    assert not seen.names, "what a page has is not sent again while its slider moves"
    assert seen.thin
    assert len(seen.times) < 0.6 * len(ran.times)
    read = await worker.ask(ReadCurves(("load.w",), 7))
    assert isinstance(read, CurvesRead)
    assert (read.times, read.curves) == (ran.times, ran.curves), "all points, once the slider rests"
    part = await worker.ask(replace(check(text, "DCMotor"), has_ports=True))
    assert isinstance(part, Checked)
    assert (part.ok, part.is_part) == (False, True), "what a model connects to its ports completes it"
    (said,) = part.diagnostics
    assert said.warning
    alone = await worker.ask(check(text, "DCMotor"))
    assert isinstance(alone, Checked)
    assert not alone.is_part
    assert not alone.diagnostics[0].warning
    await worker.ask(check(text, "Drive"))
    gone = await worker.ask(ReadCurves(("load.w",), 6))
    assert gone == CurvesRead(6, "", ()), "curves of a run of another page are not taken for ours"


def drive() -> object:
    space: dict[str, object] = {"__name__": "drive"}
    exec(compile(DRIVE.read_text(), str(DRIVE), "exec"), space)
    return space["Drive"]()  # type: ignore[operator]


async def mistakes(worker: Worker) -> None:
    text = DRIVE.read_text()
    no_ground = text.replace(", self.ground.p", "").replace("    ground = el.Ground()\n", "")
    for wrong, code, about in (
        (no_ground, "E210", "source, motor"),
        (text.replace("J=1e-3", "K=3"), "E100", "J"),
        (text.replace("J=1e-3", 'J="1 kg"'), "E121", "kg"),
        (text.replace("load.flange_a", "ground.p"), "E130", "different domains"),
    ):
        found = await worker.ask(check(wrong, "Drive"))
        assert isinstance(found, Checked)
        assert not found.ok
        assert found.diagnostics[0].code == code
        assert about in str(found.diagnostics[0])
        assert found.diagnostics[0].line > 30
    for wrong, message in (
        ("x = 1 / 0\n", "ZeroDivisionError"),
        ("raise SystemExit(3)\n", "SystemExit"),
        ("x = (\n", "Python cannot read this"),
        ("x = 1\n", "has no attribute 'Drive'"),
        ("x = input()\n", "EOFError"),
        ('raise ValueError("x" * 3_000_000)\n', "and 2,996,000 letters more"),
        ("class E(Exception):\n    def __str__(self): raise self\nraise E()\n", "its text cannot be made"),
    ):
        found = await worker.ask(check(wrong, "Drive"))
        assert isinstance(found, Checked)
        assert message in found.diagnostics[0].message
    many = "import warnings\nfor k in range(500):\n    warnings.warn(str(k))\n"
    found = await worker.ask(check(text.replace('"""\n', f'"""\n{many}', 1), "Drive"))
    assert isinstance(found, Checked)
    assert [row.message for row in found.diagnostics[-2:]] == ["49", "450 more warnings"]
    await worker.ask(check("x = 1\n", "Drive"))
    ran = await worker.ask(Simulate("1", 11, {}, ()))
    assert isinstance(ran, Simulated)
    assert "has errors" in ran.diagnostics[0].message


async def sudden_ends(worker: Worker) -> None:
    for text in ("import os\nos._exit(7)\n", "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n"):
        found = await worker.ask(check(text, "Drive"))
        assert isinstance(found, Broken)
        assert "ended (" in found.message


async def cancelled(worker: Worker) -> None:
    checked = await worker.ask(check(ENDLESS, "Fast"))
    assert isinstance(checked, Checked)
    assert checked.ok, checked
    seen: list[Progress | Printed] = []
    running = asyncio.create_task(worker.ask(Simulate("1000", 100_000, {}, ()), seen.append))
    while not seen and not running.done():
        await asyncio.sleep(0.02)
    await worker.cancel()
    ended: Result = await running
    assert isinstance(ended, Simulated | Broken)
    assert not (isinstance(ended, Simulated) and ended.ok)
    assert seen, ended
    assert isinstance(seen[0], Progress)
    assert 0 <= seen[0].fraction < 1


@pytest.mark.parametrize("task", [Simulate("1", 5, {}, ())])
def test_nothing_to_run(task: Simulate) -> None:
    from tellegen.studio.worker.workbench import Workbench

    result = Workbench().done(task)
    assert isinstance(result, Simulated)
    assert not result.ok
