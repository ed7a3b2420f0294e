"""The server as pages and attackers see it."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import resource
import shutil
import signal
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from studio.pages import Page
from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.document.operations import AddPart, Connect, MoveParts, RemoveParts, SetArgument
from tellegen.studio.messages.codec import BEYOND
from tellegen.studio.messages.requests import Cancel, Describe, Edit, New, Open, Redo, Reload, Run, Save, Trust, Undo
from tellegen.studio.server import checking, static_files, studio
from tellegen.studio.server.serve import LARGEST_MESSAGE, Address, serving

DRIVE = Path(__file__).parents[2] / "examples" / "dc_drive.py"
Story = Callable[[Address], Awaitable[None]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a model; a page that is built, and a list of trusted folders that is empty."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    static = tmp_path / "static"
    static.mkdir()
    (static / "index.html").write_text("<p>page</p>")
    (tmp_path / "secret.js").write_text("secret")
    monkeypatch.setattr(static_files, "STATIC", static)
    monkeypatch.setattr(studio, "LOOK_SECONDS", 0.03)
    monkeypatch.setattr(studio, "SETTLE_SECONDS", 0.02)
    models = tmp_path / "models"
    models.mkdir()
    shutil.copy(DRIVE, models / "drive.py")
    return models


def play(folder: Path, story: Story) -> None:
    async def whole() -> None:
        async with serving(ModelFolder.opened(folder)) as address:
            await story(address)

    asyncio.run(whole())


def get(address: Address, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=60)
    connection.putrequest("GET", path, skip_host=True)
    for name, value in {"Host": f"127.0.0.1:{address.port}", **(headers or {})}.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    found = (answer.status, answer.read(), answer.headers)
    connection.close()
    return found


def test_only_our_files_for_our_own_page(folder: Path) -> None:
    async def story(address: Address) -> None:
        async def asked(path: str, **headers: str) -> tuple[int, bytes, Any]:
            return await asyncio.to_thread(get, address, path, headers)

        status, content, headers = await asked("/")
        assert (status, content) == (200, b"<p>page</p>")
        assert "script-src 'self';" in headers["Content-Security-Policy"]
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["Access-Control-Allow-Origin"] is None
        for path in (
            "/../secret.js",
            "/..%2fsecret.js",
            "//etc/passwd",
            "/index.html/../../secret.js",
            "/x.py",
            "/made/x.html",
        ):
            assert (await asked(path))[0] == 404
        assert (await asked("/", Host="evil.example"))[0] == 403
        assert (await asked("/", Host=f"evil.example:{address.port}"))[0] == 403
        assert (await asked("/", Origin="http://evil.example"))[0] == 403

    play(folder, story)


def test_a_foreign_page_gets_nothing(folder: Path) -> None:
    async def story(address: Address) -> None:
        for origin in ("http://evil.example", "null", None, f"https://127.0.0.1:{address.port}"):
            with pytest.raises(InvalidStatus, match="403"):
                await Page.opened(address, origin=origin)
        with pytest.raises(InvalidStatus, match="403"):
            await Page.opened(address, additional_headers={"Host": f"evil.example:{address.port}"})
        for token in ("", "x" * 32, address.token[:-1]):
            page = await Page.opened(address, token)
            assert page.welcome["kind"] == "Failed"
            assert await page.closed_with() == 4403
        page = await Page.opened(address)
        assert page.welcome["kind"] == "Welcome"
        assert page.welcome["files"] == ["drive.py"]

    play(folder, story)


def test_messages_that_are_too_large_or_wrong(folder: Path) -> None:
    async def story(address: Address) -> None:
        page = await Page.opened(address)
        with contextlib.suppress(ConnectionClosed):
            await page.send_text(json.dumps({"number": 1, "request": "x" * (50 * LARGEST_MESSAGE)}))
        assert await page.closed_with() == 1009
        page = await Page.opened(address)
        edit = {"kind": "Edit", "path": "drive.py", "cls": "Drive", "revision": 0}
        for wrong in (
            "not json",
            "[]",
            "[" * 100_000,
            '{"number": 7}',
            '{"number": {}, "request": {"kind": "Open", "path": "drive.py"}}',
            json.dumps({"number": 7, "request": {"kind": "Nonsense"}}),
            json.dumps({"number": 7, "request": {"kind": "Open", "path": 3}}),
            json.dumps({"number": 7, "request": {"kind": "Open", "path": "drive.py", "more": 1}}),
            json.dumps({"number": 7, "request": {**edit, "operation": {"kind": "Check", "text": "x"}}}),
        ):
            await page.send_text(wrong)
        for path in ("../secret.py", "/etc/passwd", "nobody.py"):
            answer = await page.ask(Open(path))
            assert answer["diagnostic"]["code"] == "E899"
        assert await page.ask(Open("drive.py")) == {}
        assert (await page.event("State"))["cls"] == "Drive"

    play(folder, story)


def test_no_code_is_run_before_the_user_agreed(folder: Path) -> None:
    (folder / "filter.cir").write_text("LC filter\nL1 in out 1m\nC1 out 0 100u\n")
    (folder / "drive.py").write_text(f"open({str(folder / 'pwned')!r}, 'w')\n{DRIVE.read_text()}")

    async def story(address: Address) -> None:
        page = await Page.opened(address)
        await page.ask(Open("drive.py"))
        state = await page.event("State")
        assert not state["runnable"]
        assert [part["name"] for part in state["diagram"]["parts"]] == ["source", "motor", "load", "ground"]
        await page.ask(Edit("drive.py", "Drive", state["revision"], SetArgument("load", "J", "2e-3")))
        await page.event("State")
        ran = await page.ask(Run("drive.py", "1", 11, {}, ()))
        assert "not run so far" in ran["diagnostic"]["message"]
        assert not (folder / "pwned").exists()
        await page.ask(Trust())
        assert (await page.event("CheckEnded", alone=True))["checked"]["ok"]
        assert (folder / "pwned").exists()
        found = await page.event("FolderClasses", lambda event: len(event["shapes"]) > 2)
        assert [shape["key"] for shape in found["shapes"]] == [
            "drive.py#DCMotor",
            "drive.py#Drive",
            "filter.cir#Filter",
        ]

    play(folder, story)


def test_a_model_from_nothing_with_a_mistake_undo_and_a_killed_worker(folder: Path) -> None:
    async def story(address: Address) -> None:
        page = await Page.opened(address)
        other = await Page.opened(address)
        await page.ask(New("circuit.py", "Circuit"))
        revision = (await page.event("State"))["revision"]
        for operation in (
            AddPart("electrical.SineVoltage", "source", 0, 0),
            AddPart("electrical.Resistor", "", 200, 0),
            AddPart("electrical.Inductor", "", 200, 100),
            Connect("source.p", "resistor.p"),
            Connect("resistor.n", "inductor.p"),
            Connect("source.n", "inductor.n"),
        ):
            await page.ask(Edit("circuit.py", "Circuit", revision, operation))
            revision = (await page.event("State"))["revision"]
        found = await page.event("CheckEnded", lambda event: event["revision"] == revision)
        (diagnostic,) = found["checked"]["diagnostics"]
        assert diagnostic["code"] == "E210"
        assert {"source", "resistor", "source.p"} <= set(diagnostic["about"])
        stale = await page.ask(Edit("circuit.py", "Circuit", revision - 1, RemoveParts(("source",))))
        assert "changed elsewhere" in stale["diagnostic"]["message"]
        for operation in (AddPart("electrical.Ground", "", 0, 200), Connect("ground.p", "source.n")):
            await page.ask(Edit("circuit.py", "Circuit", revision, operation))
            revision = (await page.event("State"))["revision"]
        assert (await page.event("CheckEnded", lambda event: event["revision"] == revision))["checked"]["ok"]
        seen_by_other = await other.event("State", lambda event: event["revision"] == revision)
        assert len(seen_by_other["diagram"]["parts"]) == 4
        await page.ask(Undo("circuit.py"))
        assert len((await page.event("State"))["diagram"]["wires"][2]["ends"]) == 2
        await page.ask(Redo("circuit.py"))
        await page.event("State")
        ran = await page.ask(Run("circuit.py", "1", 11, {"resistor.R": 2.0}, ("resistor.i",)))
        assert ran["simulated"]["ok"]
        await without_end(page)
        await killed(page)
        assert "v == R*i" in str((await page.ask(Describe("electrical.Resistor")))["equations"])
        assert await page.ask(Save("circuit.py")) == {}
        assert (await page.event("State", lambda event: not event["dirty"]))["revision"] > revision
        assert "ground = el.Ground()" in (folder / "circuit.py").read_text()
        assert not (folder / ".tellegen").exists(), "nothing is left of the recovery"

    play(folder, story)


def test_code_without_end_stops_neither_the_studio_nor_the_next_check(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check of it is ended by hand, or by the next text, also where Python cannot interrupt it."""
    monkeypatch.setattr(checking, "OVERDUE", 0.3)
    good = (folder / "drive.py").read_text()

    async def story(address: Address) -> None:
        page = await Page.opened(address)
        await page.ask(Trust())
        for endless in ("while True: pass\n", "import signal; signal.signal(2, signal.SIG_IGN)\nwhile True: pass\n"):
            (folder / "drive.py").write_text(good + endless)
            await page.ask(Open("drive.py"))
            await page.event("State", lambda state: "while True" in state["text"])
            await asyncio.sleep(0.5)
            assert (await page.ask(Describe("electrical.Resistor")))["kind"] == "Described"
            (folder / "drive.py").write_text(good)
            await page.event("State", lambda state: "while True" not in state["text"])
            await page.event("CheckEnded", lambda message: message["checked"]["ok"])
        (folder / "drive.py").write_text(good + "while True: pass\n")
        await page.event("State", lambda state: "while True" in state["text"])
        await asyncio.sleep(0.5)
        await page.ask(Cancel("drive.py"))
        ended = await page.event("CheckEnded", lambda message: not message["checked"]["ok"], alone=True)
        said = ended["checked"]["diagnostics"][0]["message"]
        assert "cancelled" in said or "ended (" in said, "the latter while the process begins"

    play(folder, story)


async def without_end(page: Page) -> None:
    """A parameter larger than any double: the message about its run is one that browsers can read, see `no_json`."""
    revision = page.latest("circuit.py")["revision"]
    await page.ask(Edit("circuit.py", "Circuit", revision, SetArgument("inductor", "L", "1e400")))
    ran = await page.ask(Run("circuit.py", "1", 11, {}, ()))
    assert {row["path"]: row["value"] for row in ran["simulated"]["parameters"]}["inductor.L"] == BEYOND
    await page.ask(Undo("circuit.py"))
    await page.event("State", lambda event: "1e400" not in event["text"])


async def killed(page: Page) -> None:
    """The process of a model is killed in the middle of a run of a billion periods: the page is told in words, the next
    run works, in a new process, and what was not saved is still there.
    """
    before = workers()
    assert len(before) == 1
    running = asyncio.create_task(page.ask(Run("circuit.py", "1e3", 100_000, {"source.f": 1e6}, ())))
    while not any(message["kind"] == "RunProgress" for message in page.seen):
        assert not running.done(), running.result()
        await asyncio.sleep(0.02)
    os.kill(before[0], signal.SIGKILL)
    answer = await running
    assert answer["kind"] == "Failed"
    assert "ended (signal SIGKILL); the next run starts a new one" in answer["diagnostic"]["message"]
    state = await page.event("State")
    assert state["dirty"]
    assert "ground = el.Ground()" in state["text"], "nothing of the model is lost"
    ran = await page.ask(Run("circuit.py", "1", 11, {}, ("resistor.i",)))
    assert ran["simulated"]["ok"]
    assert len(ran["simulated"]["curves"]) == 1
    assert len(workers()) == 1
    assert workers() != before, "a new process did it"


def workers() -> list[int]:
    """The processes that run models for this one."""
    text = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    found = [int(word) for word in text.split()]
    return [child for child in found if b"studio.worker" in Path(f"/proc/{child}/cmdline").read_bytes()]


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """Writing stops after a few bytes of a file: the system refuses, as it does on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


def test_a_full_disk_is_survived(folder: Path) -> None:
    path = folder / "drive.py"

    async def story(address: Address) -> None:
        page = await Page.opened(address)
        await page.ask(Open("drive.py"))
        revision = (await page.event("State"))["revision"]
        with full_disk():
            assert await page.ask(Edit("drive.py", "Drive", revision, SetArgument("load", "J", "2e-3"))) == {}
            refused = await page.ask(Save("drive.py"))
        assert refused["diagnostic"]["code"] == "E899"
        assert "cannot be written" in refused["diagnostic"]["message"]
        assert "nothing is lost" in refused["diagnostic"]["advice"]
        assert path.read_text() == DRIVE.read_text(), "the old file is whole"
        assert [found.name for found in folder.iterdir() if found.is_file()] == ["drive.py"], "nothing half is left"
        state = await page.event("State")
        assert state["dirty"]
        assert "J=2e-3" in state["text"]
        assert await page.ask(Save("drive.py")) == {}
        assert "J=2e-3" in path.read_text()

    play(folder, story)


def test_other_programs_write_too_and_nothing_is_lost(folder: Path) -> None:
    path = folder / "drive.py"

    async def story(address: Address) -> None:
        page = await Page.opened(address)
        await page.ask(Open("drive.py"))
        await page.event("State")
        path.write_text(path.read_text().replace("J=1e-3", "J=5e-3"))
        state = await page.event("State", lambda event: "J=5e-3" in event["text"])
        await page.ask(Edit("drive.py", "Drive", state["revision"], SetArgument("load", "J", "2e-3")))
        assert (await page.event("State"))["dirty"]
        path.write_text(path.read_text().replace("J=5e-3", "J=7e-3"))
        assert "J=5e-3" in (await page.event("ChangedOnDisk"))["both"][0]
        refused = await page.ask(Save("drive.py"))
        assert "changed by another program" in refused["diagnostic"]["message"]

    async def after_a_crash(address: Address) -> None:
        page = await Page.opened(address)
        await page.ask(Open("drive.py"))
        state = await page.event("State")
        assert state["dirty"], "what was not saved is there again"
        assert "J=2e-3" in state["text"]
        await page.event("ChangedOnDisk", alone=True)
        refused = await page.ask(Save("drive.py"))
        assert "changed by another program" in refused["diagnostic"]["message"], "a crash does not make it ours"
        assert "J=7e-3" in path.read_text()
        await page.ask(Undo("drive.py"))
        await page.event("State", lambda event: "J=7e-3" in event["text"])
        await page.ask(Redo("drive.py"))
        await page.event("State", lambda event: "J=2e-3" in event["text"])
        assert await page.ask(Save("drive.py", anyway=True)) == {}
        await page.event("State", lambda event: not event["dirty"])
        assert "J=2e-3" in path.read_text()
        path.write_text("class :\n")
        broken = await page.ask(Reload("drive.py"))
        assert broken["diagnostic"]["code"] == "E895"

    play(folder, story)
    play(folder, after_a_crash)


def test_what_two_programs_wrote_is_together(folder: Path) -> None:
    """Two pages and another editor on one file: other statements are merged, unsaved and while saving."""
    path = folder / "drive.py"

    async def story(address: Address) -> None:
        page = await Page.opened(address)
        other = await Page.opened(address)
        await page.ask(Open("drive.py"))
        revision = (await page.event("State"))["revision"]
        await page.ask(Edit("drive.py", "Drive", revision, SetArgument("load", "J", "2e-3")))
        revision = (await page.event("State"))["revision"]
        await other.ask(Open("drive.py"))
        await other.ask(Edit("drive.py", "Drive", revision, MoveParts(("source",), (8,), (16,))))
        path.write_text(path.read_text().replace("el.Ground()\n", "el.Ground()  # the frame\n"))
        await page.event("Merged")
        state = await page.event("State", lambda event: "the frame" in event["text"])
        assert "J=2e-3" in state["text"]
        assert state["dirty"]
        assert not state["runnable"], "what another program wrote is not run without consent"
        await page.ask(Undo("drive.py"))
        assert "the frame" not in (await page.event("State"))["text"]
        await page.ask(Redo("drive.py"))
        path.write_text("# by hand\n" + path.read_text())
        assert await page.ask(Save("drive.py")) == {}, "written together with what came in the same second"
        await page.event("State", lambda event: not event["dirty"])
        text = path.read_text()
        assert text.startswith("# by hand\n")
        assert "J=2e-3" in text
        assert "the frame" in text
        assert '"source": [' in (folder / "drive.layout.json").read_text()
        assert not (folder / ".tellegen").exists()

    play(folder, story)


def test_a_file_that_is_removed_or_half_written_is_not_lost(folder: Path) -> None:
    """What another program left unreadable, or took away, is said; nobody's text is the price of a save."""
    path = folder / "drive.py"
    half = path.read_text().replace("class Drive", "clas Drive")

    async def story(address: Address) -> None:
        page = await Page.opened(address)
        await page.ask(Open("drive.py"))
        revision = (await page.event("State"))["revision"]
        path.write_text(half)
        assert "cannot read" in (await page.event("ChangedOnDisk"))["both"][0]
        await page.ask(Edit("drive.py", "Drive", revision, SetArgument("load", "J", "2e-3")))
        refused = await page.ask(Save("drive.py"))
        assert "changed by another program" in refused["diagnostic"]["message"]
        assert path.read_text() == half, "the half-written text is still theirs"
        path.write_text("\ufeff" + DRIVE.read_text().replace("J=1e-3", "J=1e-3, w=1"))
        await page.event("ChangedOnDisk")
        path.write_text("\ufeff" + DRIVE.read_text() + "# the end\n")
        await page.event("Merged")
        assert await page.ask(Save("drive.py")) == {}
        assert path.read_bytes().startswith(b"\xef\xbb\xbf"), "the mark of some editors stays"
        assert "J=2e-3" in path.read_text()
        assert path.read_text().endswith("# the end\n")
        path.write_bytes(b"\xff\x00\xfe")
        garbage = await page.event("ChangedOnDisk", lambda event: "can't decode" in event["both"][0])
        assert not garbage["usable"]
        refused = await page.ask(Save("drive.py"))
        assert "cannot be read" in refused["diagnostic"]["message"], "what is there is not replaced unasked"
        assert path.read_bytes() == b"\xff\x00\xfe"
        assert await page.ask(Save("drive.py", anyway=True)) == {}
        assert "J=2e-3" in path.read_text()
        path.rename(folder / "renamed.py")
        await page.event("ChangedOnDisk", lambda event: "removed" in event["both"][0])
        assert page.latest("drive.py")["dirty"]
        assert await page.ask(Save("drive.py")) == {}
        assert "J=2e-3" in path.read_text()

    play(folder, story)


def test_unsaved_changes_stay_apart_and_inside_of_the_folder(folder: Path, tmp_path: Path) -> None:
    (folder / "a").mkdir()
    names = ("a/b.py", "a__b.py")
    for name in names:
        shutil.copy(DRIVE, folder / name)

    async def changed(address: Address) -> None:
        page = await Page.opened(address)
        for k, name in enumerate(names):
            await page.ask(Open(name))
            await page.ask(Edit(name, "Drive", 0, SetArgument("load", "J", f"{k + 2}e-3")))

    async def again(address: Address) -> None:
        page = await Page.opened(address)
        for k, name in enumerate(names):
            await page.ask(Open(name))
            assert f"J={k + 2}e-3" in page.latest(name)["text"]

    play(folder, changed)
    play(folder, again)
    shutil.rmtree(folder / ".tellegen")
    (tmp_path / "elsewhere").mkdir()
    (folder / ".tellegen").symlink_to(tmp_path / "elsewhere")
    (folder / "a" / "b.layout.json").symlink_to(tmp_path / "secret.js")

    async def by_links(address: Address) -> None:
        page = await Page.opened(address)
        assert "leads out" in (await page.ask(Open("a/b.py")))["diagnostic"]["message"]
        await page.ask(Open("a__b.py"))
        await page.ask(Edit("a__b.py", "Drive", 0, SetArgument("load", "J", "9e-3")))
        assert page.latest("a__b.py")["dirty"]
        assert not list((tmp_path / "elsewhere").rglob("*.json"))

    play(folder, by_links)
