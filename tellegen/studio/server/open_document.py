"""A document that is open: its history, what is on disk, and the class that is shown."""

from __future__ import annotations

from tellegen.errors import DocumentError
from tellegen.studio.document.apply_operation import applied
from tellegen.studio.document.diagram import Diagram
from tellegen.studio.document.layout_file import layout_text, parse_layout
from tellegen.studio.document.made_parts import NOTHING, Structure, beyond_text
from tellegen.studio.document.merge import merged_layouts, merged_texts
from tellegen.studio.document.model_folder import GONE, ModelFolder, OnDisk
from tellegen.studio.document.model_text import ModelText
from tellegen.studio.document.operations import Operation
from tellegen.studio.document.text.origins import origin_of
from tellegen.studio.document.text.script_run import ScriptRun, script_run
from tellegen.studio.document.text.source_file import parsed_file
from tellegen.studio.library.shapes import Shapes
from tellegen.studio.messages.answers import State
from tellegen.studio.messages.work import Check, Checked
from tellegen.studio.server import recovery
from tellegen.studio.server.script import Done
from tellegen.studio.worker.process import Worker


class OpenDocument:
    """Every state that the document had can be had back: undo has no limit."""

    def __init__(self, folder: ModelFolder, path: str, library: Shapes, made_here: bool) -> None:
        self.folder = folder
        self.path = path
        self.library = library
        self.made_here = made_here
        """Whether all of its text was written by the studio."""
        self.as_script = True
        """Whether runs are those of the script: with its options, of the model that it makes."""
        self.worker = Worker()
        self.done: list[Done] = []
        """Runs and questions, for the script of what was done."""
        self._structures: dict[str, Structure] = {}
        """What classes had when they were built last."""
        self.revision = 0
        model, self.disk = folder.read(path)
        self._history = [model]
        self._now = 0
        unsaved = recovery.recovered(folder, path)
        if unsaved is not None and unsaved.model != model:
            self._add(unsaved.model)
            self.disk = unsaved.disk  # what another program has written since then is asked about
            self.made_here = False
        self.cls = self._usual_class()

    @property
    def model(self) -> ModelText:
        """The present state."""
        return self._history[self._now]

    @property
    def diagram(self) -> Diagram:
        """The class that is shown."""
        return self.model.diagram(self.cls, self.library)

    @property
    def dirty(self) -> bool:
        """Whether something is not saved."""
        return self.model.text != self.disk.text or layout_text(self.model.layout) != self.disk.layout

    def classes(self) -> list[str]:
        """The component classes of the file, and functions that make a model."""
        return self._classes_of(self.model)

    def _classes_of(self, model: ModelText) -> list[str]:
        file = parsed_file(model.text, model.name)
        own = [*file.component_classes(), *file.builders]
        return own or [name for name in file.imported if self._is_component(file.key_of(name))]

    def _classes_in(self, model: ModelText) -> list[str]:
        """The same; E898 where there is none."""
        names = self._classes_of(model)
        if not names:
            advice = "a model is a class that derives from tg.Component, or a function annotated with -> tg.System"
            raise DocumentError("E898", f"{self.path} has no component class", advice=advice)
        return names

    def _is_component(self, key: str) -> bool:
        """Whether a class of another file is one that can be shown: a file that has none shows what it imports."""
        shape = self.library.get(key) if origin_of(key) else None
        return shape is not None and not shape.connector

    def _usual_class(self) -> str:
        """The class that the script of the file runs, or the last one with parts: that is what the others are for."""
        names = self._classes_in(self.model)
        ran = script_run(parsed_file(self.model.text, self.model.name)).cls
        if ran:
            return ran
        with_parts = [name for name in names if self.model.diagram(name, self.library).parts]
        return (with_parts or names)[-1]

    def show(self, cls: str) -> None:
        """Another class of the file."""
        if cls not in self.classes():
            raise DocumentError("E898", f"there is no component class {cls!r} in {self.path}")
        self.cls = cls

    def edit(self, operation: Operation, cls: str) -> None:
        """Carry out an operation."""
        self._add(applied(self.model, cls, operation, self.library))
        recovery.keep(self.folder, self.path, self.model, self.disk)

    def built(self, task: Check, checked: Checked) -> bool:
        """What a class has once it is built; whether the sheet changes by it."""
        structure = self._structures.get(task.cls, NOTHING) if checked.same_structure else checked.structure
        self._structures[task.cls] = structure
        if self.model.text != task.text:
            return False
        before = self.model.diagram(task.cls, self.library)
        made = beyond_text(structure, before)
        if made == self.model.made.get(task.cls, NOTHING):
            return False
        self._history[self._now] = self.model.with_made(task.cls, made)
        return self.model.diagram(task.cls, self.library) != before

    def _add(self, model: ModelText) -> None:
        self._history[self._now + 1 :] = [model]
        self._now += 1
        self.revision += 1

    def step(self, by: int) -> None:
        """Back or forward in the history."""
        self._now = min(max(self._now + by, 0), len(self._history) - 1)
        self.revision += 1
        if self.cls not in self.classes():
            self.cls = self._usual_class()
        recovery.keep(self.folder, self.path, self.model, self.disk)

    def save(self, anyway: bool) -> None:
        """Write the file."""
        self.disk = self.folder.save(self.path, self.model, None if anyway else self.disk)
        recovery.forget(self.folder, self.path)

    def reload(self) -> None:
        """Read the file again; what was here is one step back."""
        model, disk = self.folder.read(self.path)
        self._classes_in(model)  # what cannot be shown is not taken over: a save would be the end of it
        self.disk = disk
        self.made_here = False
        if model != self.model:
            self._add(model)
        if self.cls not in self.classes():
            self.cls = self._usual_class()
        recovery.forget(self.folder, self.path)

    def merge(self) -> tuple[str, ...]:
        """Take in what another program wrote; if both changed the same, nothing is done and that is the answer."""
        theirs = self.folder.now(self.path)
        if theirs == GONE:
            self.disk = GONE
            recovery.keep(self.folder, self.path, self.model, self.disk)
            return ("it was removed or has another name now",)
        text = merged_texts(self.disk.text, self.model.text, theirs.text)
        places = (parse_layout(self.disk.layout), self.model.layout, parse_layout(theirs.layout))
        layout = merged_layouts(*places)
        if text.both or layout.both:
            return (*text.both, *layout.both)
        model = self.model.changed(text.text, layout.layout)
        self._classes_in(model)
        self.disk = theirs
        self.made_here = False
        if model != self.model:
            self._add(model)
        if self.cls not in self.classes():
            self.cls = self._usual_class()
        if self.dirty:
            recovery.keep(self.folder, self.path, self.model, self.disk)
        else:
            recovery.forget(self.folder, self.path)
        return ()

    def changed_on_disk(self) -> bool:
        """Whether another program wrote the file."""
        return self.there() != self.disk

    def there(self) -> OnDisk | str:
        """What is on disk now, or why it cannot be read."""
        try:
            return self.folder.now(self.path)
        except DocumentError as error:
            return error.message

    @property
    def script(self) -> ScriptRun:
        """How the script of the file runs the class that is shown."""
        ran = script_run(parsed_file(self.model.text, self.model.name))
        return ran if ran.cls == self.cls else ScriptRun()

    def state(self, trusted: bool) -> State:
        """What the page shows."""
        return State(
            path=self.path,
            cls=self.cls,
            classes=tuple(self.classes()),
            revision=self.revision,
            dirty=self.dirty,
            can_undo=self._now > 0,
            can_redo=self._now + 1 < len(self._history),
            runnable=trusted or self.made_here,
            text=self.model.text,
            script=self.script,
            as_script=self.as_script,
            diagram=self.diagram,
        )
