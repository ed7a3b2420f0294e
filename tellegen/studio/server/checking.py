"""Checks of documents after each edit, in their workers: what is checked already is not checked again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from tellegen.start.records import dataclass
from tellegen.studio.document.made_parts import NOTHING
from tellegen.studio.messages.answers import Answer, CheckEnded
from tellegen.studio.messages.diagnostic import Diagnostic
from tellegen.studio.messages.work import Broken, Check, Checked
from tellegen.studio.server.located import located
from tellegen.studio.server.open_document import OpenDocument


@dataclass(frozen=True)
class _Begun:
    """A check of a text; the task ends with what was found."""

    task: Check
    running: asyncio.Task[Checked]


OVERDUE = 3.0
"""Seconds that a check may take once its text is out of date: a model may be built without end."""


class Checking:
    """At most one check for each document; a move of a part, which leaves the text as it is, needs none."""

    def __init__(self, tell_all: Callable[[Answer], None], show: Callable[[OpenDocument], None]) -> None:
        self._tell_all = tell_all
        self._show = show
        """Sends the document, which has parts that were not known before."""
        self._begun: dict[str, _Begun] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        self._reports: set[asyncio.Task[None]] = set()

    def begin(self, document: OpenDocument, imports: bool) -> None:
        """Check the document as it is now, and report the outcome to every page."""
        model = document.script.model if document.as_script else ""
        ports = any(part.port for part in document.diagram.parts)
        file = str(document.folder.path(document.path))
        task = Check(document.model.text, file, document.cls, imports, model, ports)
        begun = self._begun.get(document.path)
        if begun is None or begun.task != task or begun.running.cancelled():
            running = asyncio.ensure_future(self._checked(document, task))
            begun = self._begun[document.path] = _Begun(task, running)
        report = asyncio.ensure_future(self._report(document, begun))
        self._reports.add(report)
        report.add_done_callback(self._reports.discard)

    def forget(self, document: OpenDocument) -> None:
        """The next check is a new one: the process has ended."""
        self._begun.pop(document.path, None)

    async def ended(self, document: OpenDocument) -> None:
        """Wait until the last check has ended."""
        begun = self._begun.get(document.path)
        if begun is not None:
            await asyncio.wait([begun.running])

    def close(self) -> None:
        """Nothing more is reported."""
        for report in self._reports:
            report.cancel()
        for begun in self._begun.values():
            begun.running.cancel()

    async def _checked(self, document: OpenDocument, task: Check) -> Checked:
        diagram = document.diagram
        if not diagram.parts and not diagram.parameters and document.made_here:
            return Checked(False, (), "")
        turn = self._turns.setdefault(document.path, asyncio.Lock())
        await self._taken(turn, document)
        try:
            if self._begun[document.path].task != task:
                return Checked(False, (), "")  # while it waited another text came: that one is checked
            checked = await document.worker.ask(task)
        finally:
            turn.release()
        if isinstance(checked, Broken):
            checked = Checked(False, (Diagnostic("", checked.message, (), "", 0),), "")
        assert isinstance(checked, Checked)
        if checked.ok and document.built(task, checked) and document.model.text == task.text:
            self._show(document)
        return replace(checked, structure=NOTHING)

    async def _taken(self, turn: asyncio.Lock, document: OpenDocument) -> None:
        """Wait for the check before, and end it if that takes long."""
        while True:
            try:
                async with asyncio.timeout(OVERDUE):
                    await turn.acquire()
                    return
            except TimeoutError:
                await document.worker.cancel_check(but=self._begun[document.path].task)

    async def _report(self, document: OpenDocument, begun: _Begun) -> None:
        checked = await asyncio.shield(begun.running)
        if self._begun.get(document.path) is not begun:
            return  # of another text: nobody wants to know
        found = located(checked.diagnostics, document)
        self._tell_all(CheckEnded(document.path, document.revision, replace(checked, diagnostics=found)))
