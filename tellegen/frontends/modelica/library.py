"""Modelica libraries as Python sees them.

    msl = tg.load_modelica("Modelica 4.1.0")
    tg.simulate(msl["Modelica.Mechanics.Rotational.Examples.First"], stop=1.0)
    motor = msl["Modelica.Electrical.Machines.BasicMachines.DCMachines.DC_PermanentMagnet"](Ra=0.1)

What `library[...]` returns is used where a component is: simulated, compiled, checked. Called with modifications it
is a component, also as a part of components written in Python.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tellegen.errors import users_call, warn_user
from tellegen.frontends.modelica.kept_classes import ClassFacts, KeptClass, Origin, can_keep, model_bytes
from tellegen.frontends.modelica.store.installed import places
from tellegen.frontends.python.components.component import Component
from tellegen.ir.model import Model
from tellegen.kept.pickles import NotKeptError, from_bytes
from tellegen.start.garbage_collection import lasting
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.frontends.modelica.graphics.drawing import Drawing
    from tellegen.frontends.modelica.lookup.class_view import ClassView
    from tellegen.frontends.modelica.store.store import Store
    from tellegen.frontends.modelica.translate import Classes, FoundClass

Modifications = tuple[Mapping[str, Any], ...]


@users_call
def load_modelica(*paths: str | Path) -> ModelicaLibrary:
    """Load Modelica libraries: folders with a package.mo, .mo files, or folders that hold libraries.

    Libraries that were added with `tellegen modelica add`, and those on MODELICAPATH, are found by their names; so
    `tg.load_modelica()` is enough where the standard library was added. Files are read when a class in them is used.
    """
    resolved = tuple(Path(path).expanduser().resolve() for path in paths)
    origin = Origin(resolved, tuple(places()))
    library = ModelicaLibrary(origin=origin)
    if not origin.can_be_loaded():
        origin.loaded(library._store.read)
    return library


class ModelicaLibrary:
    """Loaded libraries; `library["A.B.C"]` is a class of them."""

    def __init__(self, store: Store | None = None, origin: Origin | None = None) -> None:
        """Of a store; or of what is loaded when it is first needed, and may be known already."""
        self._given_store = store
        self._origin = origin

    @cached_property
    def _classes(self) -> Classes:
        with lasting():
            from tellegen.frontends.modelica.store.store import Store
            from tellegen.frontends.modelica.translate import Classes
        if self._given_store is not None:
            return Classes(self._given_store)
        assert self._origin is not None
        store = Store(list(self._origin.searched))
        for path in self._origin.paths:
            store.add(path)
        return Classes(store)

    @property
    def _store(self) -> Store:
        return self._classes.store

    @users_call
    def __getitem__(self, name: str) -> ModelicaClass:
        return ModelicaClass(self, name)

    @property
    def loaded(self) -> list[str]:
        """The names of libraries that were loaded so far."""
        return list(self._store.libraries)

    @users_call
    def models(self, name: str) -> list[str]:
        """A class and those below it that are complete models, by their names, in the order written."""
        found = self[name]
        if found.view.restriction == "package":
            return [model for inner in found.view.class_names() for model in self.models(f"{name}.{inner}")]
        return [name] if found.is_complete else []

    @users_call
    def classes(self, package: str = "") -> list[str]:
        """The names of the classes in a package; of the libraries, without one."""
        if not package:
            return list(self._store.names())
        return [f"{package}.{name}" for name in self[package].view.class_names()]

    @users_call
    def examples(self, package: str) -> Iterator[str]:
        """The names of all classes below a package that say how they are to be run (an experiment annotation)."""
        for name in self.classes(package):
            found = self[name]
            if found.view.restriction == "package":
                yield from self.examples(name)
            elif found.is_example:
                yield name

    def __repr__(self) -> str:
        known = ", ".join(f"{library.name} {library.version}".strip() for library in self._store.libraries.values())
        return f"<ModelicaLibrary: {known or 'nothing loaded yet'}>"

    @property
    def _is_kept(self) -> bool:
        """Whether what is translated is kept for later processes."""
        return self._origin is not None and can_keep()

    def _kept(self, name: str, modifications: Modifications) -> KeptClass | None:
        return self._origin.kept_class(name, modifications) if self._origin is not None else None

    def _found(self, name: str, modifications: Modifications) -> FoundClass:
        from tellegen.frontends.modelica.translate import FoundClass

        return FoundClass(self._classes.find(name), modifications)

    def _keep(self, name: str, modifications: Modifications, made: KeptClass) -> None:
        if self._origin is not None:
            self._origin.keep_class(name, modifications, made, self._store.read)


@dataclass(frozen=True)
class _Translation:
    """What a class was translated to, now or before; `content` is empty where that is not kept."""

    model: Model | bytes
    content: str


class ModelicaClass:
    """A class of a Modelica library, with modifications where it was called with some.

    What was translated before, and has not changed, is not read again: `view`, which is the class as its text says it
    is, is found when somebody asks for it.
    """

    def __init__(self, library: ModelicaLibrary, name: str, modifications: Modifications = ()) -> None:
        self._library = library
        self._name = name
        self._modifications = modifications
        self._kept = library._kept(name, modifications)
        self._facts = self._kept.facts if self._kept is not None else self._read_facts()

    def _read_facts(self) -> ClassFacts:
        found = self._found
        view = found.view
        is_example = found.is_complete and found.experiment.stop is not None
        return ClassFacts(view.path, view.restriction, view.definition.description, found.is_complete, is_example)

    @cached_property
    def _found(self) -> FoundClass:
        return self._library._found(self._name, self._modifications)

    @property
    def view(self) -> ClassView:
        """The class as its text says it is."""
        return self._found.view

    @property
    def name(self) -> str:
        """Its full name."""
        return self._facts.path

    @property
    def description(self) -> str:
        """What its text says it is."""
        return self._facts.description

    @property
    def is_complete(self) -> bool:
        """Whether it is a model and leaves nothing to classes that extend it."""
        return self._facts.is_complete

    @property
    def is_example(self) -> bool:
        """Whether it is meant to be run: a complete model with an experiment annotation."""
        return self._facts.is_example

    @users_call
    def __call__(self, **modifications: Any) -> Component:
        """A component of this class; modifications are numbers, texts of expressions, names of classes, or dicts."""
        from tellegen.frontends.python.building.from_model import component_class

        modified = self.modified(**modifications)
        return component_class(modified.model)()

    @users_call
    def modified(self, **modifications: Any) -> ModelicaClass:
        """The class with modifications: `R=2.0`, `load={"J": 0.1}`, `**{"load.J": 0.1}`, `Medium="Lib.Water"`;
        components of Python replace those whose connectors they have: `motor=Servo(R=2.0)`."""
        return ModelicaClass(self._library, self._name, (*self._modifications, modifications))

    @cached_property
    def model(self) -> Model:
        """The Model it is translated to."""
        made = self._translation.model
        if isinstance(made, Model):
            return made
        try:
            return from_bytes(made)
        except NotKeptError:
            return self._found.translated().model

    @property
    def icon(self) -> Drawing:
        """Its icon with its connectors."""
        return self._found.icon()

    @property
    def diagram(self) -> Drawing:
        """Its diagram: components at their placements and the lines of its connections; those that the text does not
        place stand in rows."""
        return self._found.diagram()

    def _repr_html_(self) -> str:
        return self._found.html()

    @property
    def content(self) -> str:
        """A name for what its Model contains, known without the Model where it was translated before."""
        return self._translation.content

    @cached_property
    def _translation(self) -> _Translation:
        kept = self._kept
        if kept is not None:
            warnings = kept.warnings
            translation = _Translation(kept.model, kept.content)
        else:
            made = self._found.translated()
            warnings = made.warnings
            translation = _Translation(made.model, self._keep(made.model, warnings))
        for warning in warnings:
            warn_user(warning)
        return translation

    def _keep(self, model: Model, warnings: tuple[str, ...]) -> str:
        data = model_bytes(model) if self._library._is_kept else b""
        if not data:
            return ""
        content = hashlib.sha256(data).hexdigest()
        made = KeptClass(self._facts, warnings, data, content, self._library._store.read.stamps)
        self._library._keep(self._name, self._modifications, made)
        return content

    def __repr__(self) -> str:
        about = f": {self.description}" if self.description else ""
        return f"<{self._facts.restriction} {self.name}{about}>"
