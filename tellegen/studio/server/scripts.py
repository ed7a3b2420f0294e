"""Scripts of open files, each run in a process of its own beside the one of its model: what they leave stays there."""

from __future__ import annotations

from collections.abc import Callable

from tellegen.errors import DocumentError
from tellegen.studio.messages.answers import Answer, CurvesAnswer, RunEnded, RunProgress, ScriptEnded, ScriptPrinted
from tellegen.studio.messages.work import (
    CurvesRead,
    Printed,
    Progress,
    ReadCurves,
    ReadRun,
    Result,
    RunScript,
    ScriptRan,
    Simulated,
)
from tellegen.studio.server.located import located
from tellegen.studio.server.open_document import OpenDocument
from tellegen.studio.worker.process import Worker


class Scripts:
    """The last run of each script."""

    def __init__(self, tell_all: Callable[[Answer], None]) -> None:
        self._tell_all = tell_all
        self._workers: dict[str, Worker] = {}

    async def run(self, document: OpenDocument) -> Answer | Result:
        """The text as it is shown, saved or not, run in the folder that is open."""
        worker = self._workers.setdefault(document.path, Worker())
        file = str(document.folder.path(document.path))
        task = RunScript(document.model.text, file, str(document.folder.root))

        def tell(news: Progress | Printed) -> None:
            progress = isinstance(news, Progress)
            self._tell_all(RunProgress(document.path, news) if progress else ScriptPrinted(document.path, news))

        ran = await worker.ask(task, tell)
        if not isinstance(ran, ScriptRan):
            return ran
        return ScriptEnded(document.path, ran, located(ran.diagnostics, document))

    async def run_made(self, document: OpenDocument, number: int, curves: tuple[str, ...]) -> Answer | Result:
        """One of the runs that the script made; it is known as -1, -2, ... from then on."""
        read = await self._worker(document.path).ask(ReadRun(number, curves))
        if not isinstance(read, Simulated):
            return read
        return RunEnded(document.path, document.revision, -1 - number, read)

    async def curves(self, path: str, names: tuple[str, ...], number: int) -> Answer | Result:
        """Curves of such a run."""
        read = await self._worker(path).ask(ReadCurves(names, number))
        return CurvesAnswer(path, read) if isinstance(read, CurvesRead) else read

    async def cancel(self, path: str) -> None:
        """Interrupt a script."""
        if path in self._workers:
            await self._workers[path].cancel()

    async def close(self) -> None:
        """End all of them."""
        for worker in self._workers.values():
            await worker.stop()

    def _worker(self, path: str) -> Worker:
        if path not in self._workers:
            raise DocumentError("E898", f"the script of {path!r} was not run", advice="run it first")
        return self._workers[path]
