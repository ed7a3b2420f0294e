"""What the studio does for each request; what happens by itself (checks, progress) is sent to all pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from importlib import metadata
from itertools import count
from typing import Any

from tellegen.class_reference import find, laws, library_entries, usage
from tellegen.errors import DocumentError, TellegenError
from tellegen.studio.document.model_folder import GONE, ModelFolder, OnDisk
from tellegen.studio.document.model_text import ModelText
from tellegen.studio.document.text.script_run import ScriptRun
from tellegen.studio.document.text.source_file import parsed_file
from tellegen.studio.library.catalogue import differentiated, library_shapes
from tellegen.studio.library.realized import found_parts
from tellegen.studio.messages.answers import (
    Answer,
    Answered,
    ChangedOnDisk,
    CurvesAnswer,
    Described,
    Failed,
    Files,
    FolderClasses,
    Merged,
    PageReady,
    PartsFound,
    RunEnded,
    RunProgress,
    ScriptText,
    State,
    Welcome,
)
from tellegen.studio.messages.diagnostic import Diagnostic
from tellegen.studio.messages.questions import (
    Calibrate,
    Explained,
    PageText,
    Question,
    Refused,
    SensitivitiesFound,
    Table,
)
from tellegen.studio.messages.requests import (
    Ask,
    AsScript,
    Cancel,
    Curves,
    Describe,
    Edit,
    FindParts,
    New,
    Open,
    Redo,
    Reload,
    Request,
    Run,
    Save,
    Script,
    ShowRun,
    StartScript,
    Trust,
    Undo,
)
from tellegen.studio.messages.work import (
    Broken,
    CurvesRead,
    Printed,
    Progress,
    ReadCurves,
    Result,
    Simulate,
    Simulated,
)
from tellegen.studio.server import recovery
from tellegen.studio.server.changes import difference
from tellegen.studio.server.checking import Checking
from tellegen.studio.server.folder_library import FolderLibrary
from tellegen.studio.server.located import located
from tellegen.studio.server.made_pages import MadePages
from tellegen.studio.server.open_document import OpenDocument
from tellegen.studio.server.script import script_of
from tellegen.studio.server.scripts import Scripts
from tellegen.studio.server.trust import is_trusted, trust

MOST_POINTS = 100_000
LOOK_SECONDS = 1.0
"""How often files are looked at for changes by other programs."""
SETTLE_SECONDS = 0.2
"""How long a file has to stay as it is: other programs may write it in pieces."""


class Studio:
    """The open folder and its documents. `tell_all` sends a message to every page."""

    def __init__(self, folder: ModelFolder, first: str, tell_all: Callable[[Answer], None]) -> None:
        self.folder = folder
        self.first = first
        self.tell_all = tell_all
        self.documents: dict[str, OpenDocument] = {}
        self.pages = MadePages()
        self._library = FolderLibrary(folder, self._classes_found)
        self._reading: set[asyncio.Task[None]] = set()
        self._checking = Checking(tell_all, self._show)
        self._scripts = Scripts(tell_all)
        self._sent: dict[str, State] = {}
        """What pages know of each document."""
        self._asked: dict[str, tuple[OnDisk | str, ModelText]] = {}
        """What was there and what was here when people were asked which to keep."""
        self._runs = count(1)

    @property
    def trusted(self) -> bool:
        """Whether code of the folder may be run."""
        return is_trusted(self.folder.root)

    def welcome(self) -> Welcome:
        """The first answer."""
        files = tuple(self.folder.models())
        library = tuple(library_shapes().values())
        version = metadata.version("tellegen")
        return Welcome(version, str(self.folder.root), files, self.trusted, self.first, library)

    async def answer(self, request: Request) -> Answer | None:
        """Carry out a request; what is wrong with it is the answer."""
        try:
            return await self._carry_out(request)
        except TellegenError as error:
            return Failed(Diagnostic(error.code, error.message, error.details, error.advice, 0))
        except Exception as error:  # a mistake of ours: the page goes on, and says so
            advice = "nothing was done; please report it with what you did"
            return Failed(Diagnostic("", f"the studio failed: {type(error).__name__}: {error}", (), advice, 0))

    async def _carry_out(self, request: Request) -> Answer | None:
        match request:
            case Run():
                return await self._run(request)
            case Curves(path, names, number):
                if number < 0:
                    return _answered(await self._scripts.curves(path, names, number))
                read = await self._document(path).worker.ask(ReadCurves(names, number))
                return CurvesAnswer(path, read) if isinstance(read, CurvesRead) else _broken(read)
            case StartScript(path):
                self._check_consent(self._document(path))
                return _answered(await self._scripts.run(self._document(path)))
            case ShowRun(path, number, curves):
                return _answered(await self._scripts.run_made(self._document(path), number, curves))
            case Ask(path, question):
                return await self._ask(self._document(path), question)
            case Script(path):
                document = self._document(path)
                script = document.script if document.as_script else ScriptRun()
                return ScriptText(path, script_of(path, document.cls, document.done, script))
            case Cancel(path):
                await asyncio.gather(self._document(path).worker.cancel(), self._scripts.cancel(path))
                return None
            case Describe(cls):
                return await asyncio.to_thread(_described, cls)
            case FindParts(search):
                return await asyncio.to_thread(_parts_found, search)
            case Trust():
                trust(self.folder.root)
                self._read_folder()
                for document in self.documents.values():
                    self._changed(document)
                return Files(tuple(self.folder.models()), self.trusted)
        return self._edited(request)

    def _edited(self, request: Request) -> Answer | None:
        """Requests that change a document, or which one is shown; nothing is waited for, so they stay in order."""
        match request:
            case New(path, cls):
                self.folder.create(path, cls)
                recovery.forget(self.folder, path)  # of a file of that name that is gone
                document = self._opened(path, made_here=True)
                self.tell_all(Files(tuple(self.folder.models()), self.trusted))
                self._read_folder()  # for the parts of files that other programs wrote since
            case Open(path, cls):
                document = self._opened(path)
                if cls:
                    document.show(cls)
                self._changed(document, whole=True)
                self.tell_all(self._library.classes())
                self._read_folder()
                return None
            case Edit(path, cls, revision, operation):
                document = self._document(path)
                if revision != document.revision:
                    advice = "nothing was done; look at the present state and repeat it"
                    raise DocumentError("E898", "the model was changed elsewhere in the meantime", advice=advice)
                document.edit(operation, cls)
            case Undo(path) | Redo(path):
                document = self._document(path)
                document.step(-1 if isinstance(request, Undo) else 1)
            case Save(path, anyway):
                document = self._document(path)
                merges = not anyway and document.changed_on_disk() and self._merged(document)
                document.save(anyway)
                self._asked.pop(path, None)
                if not merges:
                    self._show(document)
                    return None
            case AsScript(path, on):
                document = self._document(path)
                document.as_script = on
                document.revision += 1
            case Reload(path):
                document = self._document(path)
                document.reload()
                self._asked.pop(path, None)
            case _:
                return None
        self._changed(document)
        return None

    def _classes_found(self, found: FolderClasses) -> None:
        """There are other parts than before; what they are on open sheets is shown."""
        self.tell_all(found)
        for document in self.documents.values():
            document.library = self._library.shapes
            self._show(document)

    def _read_folder(self) -> None:
        """Look for parts in the folder, beside everything else; files in other languages after consent alone."""
        works = [self._library.read_modules()] + ([self._library.read_sources()] if self.trusted else [])
        for work in works:
            task = asyncio.ensure_future(work)
            self._reading.add(task)
            task.add_done_callback(self._reading.discard)

    def _document(self, path: str) -> OpenDocument:
        if path not in self.documents:
            raise DocumentError("E898", f"{path!r} is not open", advice="open it first")
        return self.documents[path]

    def _opened(self, path: str, made_here: bool = False) -> OpenDocument:
        name = self.folder.path(path).relative_to(self.folder.root).as_posix()
        if name not in self.documents:
            self._library.add_imports(parsed_file(self.folder.read(name)[0].text, name))
            self.documents[name] = OpenDocument(self.folder, name, self._library.shapes, made_here)
        return self.documents[name]

    def _changed(self, document: OpenDocument, whole: bool = False) -> None:
        """Every page sees the document as it is now, and a check of it begins."""
        self._show(document, whole)
        if self.trusted or document.made_here:
            self._checking.begin(document, imports=self.trusted)

    def _show(self, document: OpenDocument, whole: bool = False) -> None:
        """Send what is different since it was sent last, or the whole document."""
        state = document.state(self.trusted)
        before = self._sent.get(document.path)
        if state == before and not whole:
            return
        self._sent[document.path] = state
        change = difference(before, state) if before is not None and not whole else None
        self.tell_all(change or state)

    async def _run(self, request: Run) -> Answer:
        document = self._document(request.path)
        await self._checked(document)
        document.done.append(request)
        revision = document.revision
        points = min(max(request.points, 2), MOST_POINTS)
        options = document.script.options if document.as_script else {}
        number = next(self._runs)
        columns = min(max(request.columns, 0), MOST_POINTS)
        task = Simulate(
            request.stop, points, request.parameters, request.curves, options, columns, number, request.listing
        )

        ran = await document.worker.ask(task, self._progress_of(document))
        if not isinstance(ran, Simulated):
            document.revision += 1  # the new process has no model yet
            self._checking.forget(document)
            self._changed(document)
            return _broken(ran)
        found = located(ran.diagnostics, document)
        return RunEnded(request.path, revision, number, replace(ran, diagnostics=found))

    async def _checked(self, document: OpenDocument) -> None:
        """The code of the document may be run, and its last check has ended."""
        self._check_consent(document)
        await self._checking.ended(document)

    def _check_consent(self, document: OpenDocument) -> None:
        if not (self.trusted or document.made_here):
            advice = "agree to the folder first"
            raise DocumentError("E898", "code of this folder is not run so far", advice=advice)

    def _progress_of(self, document: OpenDocument) -> Callable[[Progress | Printed], None]:
        """Tells every page how far the work for a document is."""

        def tell(news: Progress | Printed) -> None:
            if isinstance(news, Progress):
                self.tell_all(RunProgress(document.path, news))

        return tell

    async def _ask(self, document: OpenDocument, question: Question) -> Answer:
        await self._checked(document)
        if isinstance(question, Calibrate):
            question = replace(question, file=str(self.folder.data(question.file)))

        found = await document.worker.ask(question, self._progress_of(document))
        match found:
            case PageText(what, html):
                document.done.append(question)
                return PageReady(document.path, what, self.pages.kept(html))
            case Explained() | SensitivitiesFound() | Table():
                document.done.append(question)
                return Answered(document.path, found)
            case Refused(diagnostics):
                return Failed(diagnostics[0])
        return _broken(found)

    async def look_at_files(self) -> None:
        """Until cancelled: what other programs wrote is read again, and merged with what is not saved."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for document in list(self.documents.values()):
                if document.changed_on_disk():
                    await self._take_in(document)

    async def _take_in(self, document: OpenDocument) -> None:
        """What another program wrote, once it has written all of it."""
        found = document.there()
        await asyncio.sleep(SETTLE_SECONDS)
        if document.there() != found or not document.changed_on_disk():
            return
        if self._asked.get(document.path) != (found, document.model) and self._merged(document):
            self._changed(document)

    def _merged(self, document: OpenDocument) -> bool:
        """Whether the changes of another program and ours are together now; people are asked where that cannot be."""
        ours = document.dirty
        there = document.there()
        usable = there != GONE
        try:
            both = document.merge() if ours or not usable else ()
            if not ours and not both:
                document.reload()
        except DocumentError as error:
            both = (error.message,)
            usable = False
        if both:
            self._asked[document.path] = (there, document.model)
            self._show(document)
            self.tell_all(ChangedOnDisk(document.path, both, usable))
        else:
            self._asked.pop(document.path, None)
            if ours:
                self.tell_all(Merged(document.path))
        return not both

    async def close(self) -> None:
        """End all workers."""
        self._checking.close()
        for task in self._reading:
            task.cancel()
        await self._scripts.close()
        for document in self.documents.values():
            await document.worker.stop()


def _answered(found: Answer | Result) -> Answer:
    """An answer; a result that is none says why."""
    return found if isinstance(found, Answer) else _broken(found)


def _broken(result: Any) -> Failed:
    message = result.message if isinstance(result, Broken) else "no answer"
    return Failed(Diagnostic("", message, (), "", 0))


def _parts_found(search: str) -> Answer:
    """Parts of the catalogue; what is wrong with a condition is in the answer: people are still typing it."""
    try:
        return PartsFound(search, *found_parts(search, library_shapes()))
    except TellegenError as error:
        return PartsFound(search, (), 0, error.message)


def _described(cls: str) -> Answer:
    """The documentation and the equations of a class of the library."""
    entry = next((entry for entry in find(library_entries(), cls) if entry.full_name == cls), None)
    if entry is None:
        raise DocumentError("E898", f"{cls!r} is not a class of the library")
    rows = [f"{when}: {row}" if when else row for when, texts in laws(entry.cls) for row in texts]
    return Described(cls, entry.text, usage(entry), tuple(rows), differentiated(entry, rows))
