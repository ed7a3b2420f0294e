"""The server's end of a worker: a process that can be asked, cancelled and replaced."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from tellegen.studio.messages.codec import decoded, encoded
from tellegen.studio.messages.work import Broken, Check, Printed, Progress, Result, Task
from tellegen.studio.worker.frames import HEADER, LARGEST, frame

PATIENCE = 2.0
"""Seconds that a cancelled run has to end by itself before its process is ended."""


class Worker:
    """One process; it is started at the first task, and again after it has ended."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._task: Task | None = None
        """What is being done."""

    async def start(self) -> None:
        """Have a process ready: importing takes a second."""
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,  # -P: modules are not looked for in the present folder
                *("-P", "-X", "utf8", "-m", "tellegen.studio.worker.main"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={**os.environ, "MPLBACKEND": "Agg", "TELLEGEN_PROGRESS": "1"},
                start_new_session=True,  # Ctrl-C at the terminal is for the server
            )

    async def ask(self, task: Task, on_news: Callable[[Progress | Printed], Any] = lambda _: None) -> Result:
        """The result of a task; `Broken` if the process ends on it. `on_news` is called with how far it is.

        Tasks are done one after the other.
        """
        async with self._turn:
            await self.start()
            self._task = task
            try:
                return await self._answer(task, on_news)
            except (asyncio.IncompleteReadError, ConnectionError, ValueError):
                return Broken(await self._last_words())
            finally:
                self._task = None

    async def _answer(self, task: Task, on_news: Callable[[Progress | Printed], Any]) -> Result:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(frame(encoded(task)))
        await self._process.stdin.drain()
        while True:
            (length,) = HEADER.unpack(await self._process.stdout.readexactly(HEADER.size))
            if length > LARGEST:
                raise ValueError("a result without end")
            result = decoded(Result, json.loads(await self._process.stdout.readexactly(length)))
            if not isinstance(result, Progress | Printed):
                return result
            on_news(result)

    async def _last_words(self) -> str:
        """Why the process has ended; a new one is started by the next task."""
        assert self._process is not None
        with contextlib.suppress(TimeoutError):  # its pipe is closed, so it is about to end
            await asyncio.wait_for(self._process.wait(), PATIENCE)
        if self._process.returncode is None:
            self._process.kill()
        code = await self._process.wait()
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return f"the process that runs the model ended ({how}); the next run starts a new one"

    async def cancel_check(self, but: Check) -> None:
        """Interrupt a check that is another one, and nothing else."""
        if isinstance(self._task, Check) and self._task != but:
            await self.cancel()

    async def cancel(self) -> None:
        """Interrupt what is being done; after a while end the process."""
        process = self._process
        task = self._task
        if task is None or process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT if sys.platform != "win32" else signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while self._task is task:
                    await asyncio.sleep(0.02)
                return
        with contextlib.suppress(ProcessLookupError):
            process.kill()

    async def stop(self) -> None:
        """End the process."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
