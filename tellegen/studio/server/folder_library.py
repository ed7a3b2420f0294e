"""Parts of the opened folder: classes of its modules, and of its files in other languages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.document.module_classes import imported_files, module_shapes
from tellegen.studio.document.text.source_file import SourceFile
from tellegen.studio.library.catalogue import library_shapes
from tellegen.studio.library.shapes import ClassShape, Shapes
from tellegen.studio.messages.answers import FolderClasses
from tellegen.studio.messages.work import Broken, ReadSources, SourcesRead
from tellegen.studio.worker.process import Worker

Stamp = tuple[tuple[str, int], ...]
"""Files and when they were changed."""


class FolderLibrary:
    """All classes that a model of the folder can use. `report` is called when there are others than before."""

    def __init__(self, folder: ModelFolder, report: Callable[[FolderClasses], None]) -> None:
        self._folder = folder
        self._report = report
        self._modules: dict[str, ClassShape] = {}
        self._sources: tuple[ClassShape, ...] = ()
        self._notes: tuple[str, ...] = ()
        self._stamp: Stamp = ()
        self._all: Shapes = {}

    @property
    def shapes(self) -> Shapes:
        """The library, and what is known of the folder."""
        if not self._all:
            own = {shape.key: shape for shape in self._sources}
            self._all = {**library_shapes(), **self._modules, **own}
        return self._all

    def add_imports(self, source: SourceFile) -> None:
        """What a file imports from others of the folder is known at once."""
        self._modules_found(module_shapes(self._folder, imported_files(source), library_shapes()))

    async def read_modules(self) -> None:
        """Classes of all modules."""
        found = await asyncio.to_thread(lambda: module_shapes(self._folder, self._folder.models(), library_shapes()))
        if self._modules_found(found):
            self._report(self.classes())

    def _modules_found(self, found: dict[str, ClassShape]) -> bool:
        both = {**self._modules, **found}
        new = both != self._modules
        if new:
            self._modules = both
            self._all = {}
        return new

    async def read_sources(self) -> None:
        """Classes of files in other languages, in a process of its own; nothing is done where none has changed."""
        files = self._folder.sources()
        stamp = tuple((file, _changed(self._folder.root / file)) for file in files)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        worker = Worker()
        try:
            read = await worker.ask(ReadSources(str(self._folder.root), tuple(files)))
        finally:
            await worker.stop()
        if isinstance(read, Broken):
            read = SourcesRead((), (read.message,))
        assert isinstance(read, SourcesRead)
        self._sources = read.shapes
        self._notes = read.notes
        self._all = {}
        self._report(self.classes())

    def classes(self) -> FolderClasses:
        """What a page has to know."""
        return FolderClasses((*self._modules.values(), *self._sources), self._notes)


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
