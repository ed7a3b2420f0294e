"""The script of a file in the studio: text, runs and figures are those of the terminal, also after a mistake."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import tellegen as tg
from studio.pages import Page
from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.messages.codec import encoded
from tellegen.studio.messages.requests import Curves, Open, ShowRun, StartScript, Trust
from tellegen.studio.messages.work import (
    Broken,
    CurvesRead,
    Printed,
    Progress,
    ReadCurves,
    ReadRun,
    RunScript,
    ScriptRan,
    Simulated,
)
from tellegen.studio.server import static_files
from tellegen.studio.server.serve import serving
from tellegen.studio.worker import main
from tellegen.studio.worker.frames import frame
from tellegen.studio.worker.process import Worker
from tellegen.studio.worker.workbench import Workbench

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPT = """import sys
from pathlib import Path
import matplotlib.pyplot as plt
import tellegen as tg

class Fall(tg.Component):
    g = tg.parameter(9.81, "m/s2")
    h = tg.variable("m", start=1.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    def equations(self):
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -self.g

if __name__ == "__main__":
    print("at", Path(sys.argv[0]).name, Path.cwd().name)
    model = tg.compile(Fall())
    for g in (9.81, 1.62):
        run = model.simulate("0.3 s", parameters={"g": g})
    tg.simulate(Fall(), 0.2, points=11)
    best = tg.optimize(model, 0.3, minimize=(tg.final("v") + 2.0) ** 2, variables={"g": (1.0, 20.0)})
    run.plot("h").savefig("fall.png")
    plt.figure()
    plt.plot([1, 2])
    plt.show()
    print("end", file=sys.stderr)
"""


def done(folder: Path, text: str, bench: Workbench) -> ScriptRan:
    ran = bench.done(RunScript(text, str(folder / "fall.py"), str(folder)))
    assert isinstance(ran, ScriptRan)
    return ran


def test_a_script_is_run_as_at_the_terminal(tmp_path: Path) -> None:
    said: list[Printed] = []
    bench = Workbench(said.append)
    ours = sys.modules["__main__"]
    ran = done(tmp_path, SCRIPT, bench)
    assert ran.ok, ran.diagnostics
    assert ran.text == f"at fall.py {tmp_path.name}\nend\n" == "".join(one.text for one in said)
    assert [run.label for run in ran.runs[:3]] == [
        "Fall until 0.3 s, parameters = g: 9.81",
        "Fall until 0.3 s, parameters = g: 1.62",
        "Fall until 0.2 s",
    ]
    assert ran.runs[3].label.startswith("optimize: ")
    assert [run.line for run in ran.runs] == [18, 18, 19, 20]
    assert (tmp_path / "fall.png").is_file()
    pictures = [base64.b64decode(figure) for figure in ran.figures]
    assert len(pictures) == 2, "one that is saved, one that is shown"
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)
    assert sys.modules["__main__"] is ours
    assert tg.simulate.__module__.endswith("simulate"), "nothing watches any more"
    assert Path.cwd() != tmp_path
    curves_of_its_runs(bench)


def curves_of_its_runs(bench: Workbench) -> None:
    """A run is read by its number; the ones of optima are those that were found."""
    second = bench.done(ReadRun(1, ("v",)))
    assert isinstance(second, Simulated)
    assert second.states == ("h", "v")
    values = np.frombuffer(base64.b64decode(second.curves[0].values))
    assert values[-1] == pytest.approx(-1.62 * 0.3, rel=1e-6)
    third = bench.done(ReadCurves(("h",), -3))
    assert isinstance(third, CurvesRead)
    assert len(np.frombuffer(base64.b64decode(third.times))) == 11
    best = bench.done(ReadRun(3, ("v",)))
    assert isinstance(best, Simulated)
    assert np.frombuffer(base64.b64decode(best.curves[0].values))[-1] == pytest.approx(-2.0, rel=1e-4)
    assert isinstance(bench.done(ReadRun(4, ())), Broken)
    gone = bench.done(ReadCurves(("h",), -9))
    assert isinstance(gone, CurvesRead)
    assert not gone.times


def test_what_was_done_before_a_mistake_is_kept(tmp_path: Path) -> None:
    bench = Workbench()
    broken = SCRIPT.replace("    tg.simulate(Fall(), 0.2, points=11)\n", "    print(1 / 0)\n")
    ran = done(tmp_path, broken, bench)
    assert not ran.ok
    assert [(row.message, row.line) for row in ran.diagnostics] == [("ZeroDivisionError: division by zero", 19)]
    assert len(ran.runs) == 2
    assert ran.text.startswith("at fall.py")
    for ending, well in (("raise SystemExit", True), ("raise SystemExit(3)", False), ("input()", False)):
        assert done(tmp_path, f"{ending}\n", bench).ok is well
    many = "import tellegen as tg\n" + SCRIPT.partition("if __name__")[0].partition("import tellegen as tg\n")[2]
    many += "model = tg.compile(Fall())\nfor k in range(230):\n    model.simulate(0.01)\n"
    ran = done(tmp_path, many + "print('x' * 500_000)\n", bench)
    assert (len(ran.runs), ran.more) == (200, 30)
    assert len(ran.text) == 400_000


def test_a_script_is_cancelled_and_ends_alone(tmp_path: Path) -> None:
    """Also in a studio that was started in the background, where shells have Ctrl-C ignored."""

    async def story() -> None:
        worker = Worker()
        try:
            news: list[Printed | Progress] = []
            text = "print('begun', flush=True)\nwhile True:\n    pass\n"
            running = asyncio.create_task(
                worker.ask(RunScript(text, str(tmp_path / "a.py"), str(tmp_path)), news.append)
            )
            while not news:
                await asyncio.sleep(0.02)
            await worker.cancel()
            ended = await running
            assert isinstance(ended, ScriptRan)
            assert not ended.ok
            assert ended.text.strip() == "begun"
            ended = await worker.ask(RunScript("import os; os._exit(3)", str(tmp_path / "a.py"), str(tmp_path)))
            assert isinstance(ended, Broken)
            ended = await worker.ask(RunScript("print(2)", str(tmp_path / "a.py"), str(tmp_path)))
            assert isinstance(ended, ScriptRan)
            assert ended.ok
        finally:
            await worker.stop()

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        asyncio.run(story())
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="there, a cancel ends the process")
def test_a_cancel_leaves_whole_messages() -> None:
    """It may come while a large result is on its way through a pipe that holds less."""
    end, begin = os.pipe()
    tail: list[bytes] = []
    sent = Printed("x" * 1_000_000)

    def read() -> None:
        with open(end, "rb") as stream:
            tail.append(stream.read(1))
            os.kill(os.getpid(), signal.SIGINT)
            tail.append(stream.read())

    reader = threading.Thread(target=read)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        reader.start()  # it has the mask of its beginning: the signal is for the main thread
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        with open(begin, "wb") as results, pytest.raises(KeyboardInterrupt):
            main.send(results, sent)
    finally:
        reader.join()
        signal.signal(signal.SIGINT, before)
    assert b"".join(tail) == frame(encoded(sent))


def test_tables_of_searches_are_no_progress() -> None:
    """A search that takes long shows a table, not a bar, which broke it here."""
    from tellegen.live_view import progress_bar

    seen: list[Progress] = []
    view = main.ProgressByMessages(seen.append)
    view.show(object())
    view.show(progress_bar("runs", 4.0, done=1.0))
    assert seen == [Progress(0.25)]


def test_no_script_is_run_before_the_user_agreed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "fall.py").write_text(f"open('ran', 'w')\n{SCRIPT}")

    async def story() -> None:
        async with serving(ModelFolder.opened(folder)) as address:
            page = await Page.opened(address)
            await page.ask(Open("fall.py"))
            assert (await page.ask(StartScript("fall.py")))["kind"] == "Failed"
            assert not (folder / "ran").exists()
            assert (await page.ask(ShowRun("fall.py", 0, ())))["kind"] == "Failed"
            await page.ask(Trust())
            ended = await page.ask(StartScript("fall.py"))
            assert ended["kind"] == "ScriptEnded"
            assert ended["ran"]["ok"], ended["ran"]
            assert (folder / "ran").exists()
            shown = await page.ask(ShowRun("fall.py", 1, ("v",)))
            assert (shown["kind"], shown["number"]) == ("RunEnded", -2)
            read = await page.ask(Curves("fall.py", ("h",), -2))
            assert read["read"]["curves"][0]["path"] == "h"
            await page.close()

    monkeypatch.setattr(static_files, "check_built", lambda: None)
    asyncio.run(story())


def test_the_script_of_an_example_does_what_it_does_at_the_terminal(tmp_path: Path) -> None:
    """One that makes no plain run of its class; all of them by benchmarks/studio_examples.py."""
    name = "fmu_controller.py"
    ran = Workbench().done(RunScript((EXAMPLES / name).read_text(), str(EXAMPLES / name), str(tmp_path)))
    assert isinstance(ran, ScriptRan)
    assert ran.ok, ran.diagnostics
    assert len(ran.runs) == 2
    assert len(ran.figures) == 1
    command = [sys.executable, str(EXAMPLES / name)]
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert without_times(ran.text) == without_times(again.stdout)


def without_times(text: str) -> str:
    return re.sub(r"[\d.]+ (s|ms|kB)\b", "_", text)
