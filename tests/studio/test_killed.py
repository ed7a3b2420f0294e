"""The studio is killed (SIGKILL) while it edits and saves: files are whole, and what was answered is not lost."""

from __future__ import annotations

import ast
import asyncio
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from studio.pages import Page
from tellegen.studio.document.operations import SetArgument
from tellegen.studio.messages.requests import Edit, Open, Save
from tellegen.studio.server.serve import Address

DRIVE = Path(__file__).parents[2] / "examples" / "dc_drive.py"
KILLS = 3
SERVE = """
import asyncio, sys
from pathlib import Path
from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.server import static_files
from tellegen.studio.server.serve import serving
static_files.check_built = lambda: None
async def main():
    async with serving(ModelFolder.opened(Path(sys.argv[1]))) as address:
        print(address.port, address.token, flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""


def test_killed_while_saving_nothing_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    shutil.copy(DRIVE, folder / "drive.py")
    chance = random.Random(7)
    numbers = itertools.count(1)
    answered = 0
    for _ in range(KILLS):
        with started(folder) as server:
            answered = asyncio.run(edits_until_killed(server, folder, numbers, answered, chance.uniform(0.2, 0.8)))
        text = (folder / "drive.py").read_text()
        ast.parse(text)
        assert len(text.splitlines()) == len(DRIVE.read_text().splitlines()), "whole, whenever it ended"
    assert answered > KILLS


async def edits_until_killed(
    server: subprocess.Popen[str], folder: Path, numbers: itertools.count[int], answered: int, seconds: float
) -> int:
    """Each edit sets a number; the last one that was answered is there again, or the one that was not answered."""
    assert server.stdout is not None
    port, token = (await asyncio.to_thread(server.stdout.readline)).split()
    page = await Page.opened(Address(int(port), token))
    await page.ask(Open("drive.py"))
    state = page.latest("drive.py")
    assert number_in(state["text"]) in (answered, answered + 1), "nothing that was answered is lost"
    asyncio.get_running_loop().call_later(seconds, server.kill)
    asked = number_in(state["text"])
    try:
        for number in numbers:
            asked = number
            revision = page.latest("drive.py")["revision"]
            edit = SetArgument("load", "J", f"{number}.0")
            assert (await page.ask(Edit("drive.py", "Drive", revision, edit))).get("kind") != "Failed"
            answered = number
            await page.ask(Save("drive.py"))
    except (ConnectionClosed, ConnectionError):
        pass
    assert asked in (answered, answered + 1)
    assert number_in((folder / "drive.py").read_text()) <= asked
    return answered


def number_in(text: str) -> int:
    found = re.search(r"J=(\d+)\.0", text)
    return int(found[1]) if found else 0


def started(folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder.parent / "config")}
    command = [sys.executable, "-c", SERVE, str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
