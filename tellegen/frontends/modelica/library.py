"""Modelica libraries as Python sees them.

    msl = tg.load_modelica("Modelica 4.1.0")
    tg.simulate(msl["Modelica.Mechanics.Rotational.Examples.First"], stop=1.0)
    motor = msl["Modelica.Electrical.Machines.BasicMachines.DCMachines.DC_PermanentMagnet"](Ra=0.1)

What `library[...]` returns is used where a component is: simulated, compiled, checked. Called with modifications it
is a component, also as a part of components written in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from tellegen.errors import ModelicaError, nearest, users_call, warn_user
from tellegen.frontends.modelica.graphics.drawing import Drawing
from tellegen.frontends.modelica.graphics.pictures import diagram_of, icon_of, root_of
from tellegen.frontends.modelica.graphics.shapes import Picture
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.instantiate import instantiate
from tellegen.frontends.modelica.kinds.build import build_model
from tellegen.frontends.modelica.kinds.experiment import experiment_of
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.views import Views
from tellegen.frontends.modelica.modifications import modified_view
from tellegen.frontends.modelica.store.store import Store
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.python.building.from_model import component_class
from tellegen.frontends.python.components.component import Component
from tellegen.ir.model import Model
from tellegen.ir.source_location import here
from tellegen.start.garbage_collection import collection_paused

_RUNNABLE = ("model", "block", "class")


@users_call
def load_modelica(*paths: str | Path) -> ModelicaLibrary:
    """Load Modelica libraries: folders with a package.mo, .mo files, or folders that hold libraries.

    Libraries that were added with `tellegen modelica add`, and those on MODELICAPATH, are found by their names; so
    `tg.load_modelica()` is enough where the standard library was added. Files are read when a class in them is used.
    """
    store = Store()
    for path in paths:
        store.add(path)
    return ModelicaLibrary(store)


class ModelicaLibrary:
    """Loaded libraries; `library["A.B.C"]` is a class of them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._views = Views(store)

    @users_call
    def __getitem__(self, name: str) -> ModelicaClass:
        view = self._views.root
        for depth, part in enumerate(name.split(".")):
            found = view.find(part)
            if not isinstance(found, ClassView):
                raise self._unknown(name, depth, view)
            view = found
        return ModelicaClass(view)

    def _unknown(self, name: str, depth: int, view: ClassView) -> ModelicaError:
        parts = name.split(".")
        where = f"in {'.'.join(parts[:depth])}" if depth else "among the loaded libraries"
        names = view.class_names() if depth else self._store.names()
        if not depth and not names:
            advice = "load one: tg.load_modelica(PATH), or add it for good: tellegen modelica add PATH"
        else:
            advice = nearest(parts[depth], names)
        return ModelicaError("E595", f"there is no class '{parts[depth]}' {where}", location=here(), advice=advice)

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


class ModelicaClass:
    """A class of a Modelica library, with modifications where it was called with some."""

    def __init__(self, original: ClassView, modifications: tuple[Mapping[str, Any], ...] = ()) -> None:
        self.view = modified_view(original, *modifications)
        self._original = original
        self._modifications = modifications
        self._experiment = experiment_of(original)

    @property
    def name(self) -> str:
        """Its full name."""
        return self.view.path

    @property
    def description(self) -> str:
        """What its text says it is."""
        return self.view.definition.description

    @property
    def is_complete(self) -> bool:
        """Whether it is a model and leaves nothing to classes that extend it."""
        return self.view.restriction in _RUNNABLE and not self.view.definition.partial

    @property
    def is_example(self) -> bool:
        """Whether it is meant to be run: a complete model with an experiment annotation."""
        return self.is_complete and self._experiment.stop is not None

    @users_call
    def __call__(self, **modifications: Any) -> Component:
        """A component of this class; modifications are numbers, texts of expressions, names of classes, or dicts."""
        modified = self.modified(**modifications)
        return component_class(modified.model)()

    @users_call
    def modified(self, **modifications: Any) -> ModelicaClass:
        """The class with modifications: `R=2.0`, `load={"J": 0.1}`, `**{"load.J": 0.1}`, `Medium="Lib.Water"`;
        components of Python replace those whose connectors they have: `motor=Servo(R=2.0)`."""
        return ModelicaClass(self._original, (*self._modifications, modifications))

    @cached_property
    def model(self) -> Model:
        """The Model it is translated to."""
        self._check_runnable()
        location = self.view.location(self.view.definition.token)
        try:
            with collection_paused():
                root = instantiate(self.view)
                model = build_model(root)
        except EvaluationError as error:
            raise error.located(location) from None
        except RecursionError:
            what = f"{self.name} is nested without end"
            advice = "look for a class, an import or a function that leads back to itself"
            raise ModelicaError("E597", what, location=location, advice=advice) from None
        for warning in root.translation.warnings:
            warn_user(str(warning))
        return replace(model, experiment=self._experiment)

    @property
    def icon(self) -> Drawing:
        """Its icon with its connectors."""
        return Drawing(f"the icon of {self.name}", self._drawn(icon_of), is_icon=True)

    @property
    def diagram(self) -> Drawing:
        """Its diagram: components at their placements and the lines of its connections; those that the text does not
        place stand in rows."""
        return Drawing(f"the diagram of {self.name}", self._drawn(diagram_of))

    def _drawn(self, picture_of: Callable[[Instance], Picture]) -> Picture:
        try:
            with collection_paused():
                return picture_of(root_of(self.view))
        except EvaluationError as error:
            raise error.located(self.view.location(self.view.definition.token)) from None

    def _repr_html_(self) -> str:
        return f"<div>{self.icon.svg}<br/><code>{escape(self.name)}</code> {escape(self.description)}</div>"

    def _check_runnable(self) -> None:
        definition = self.view.definition
        if self.view.restriction not in _RUNNABLE:
            what = f"{self.name} is a {self.view.restriction}, not a model"
            advice = nearest("", self.view.class_names()) if self.view.class_names() else ""
            raise ModelicaError("E596", what, location=self.view.location(definition.token), advice=advice)
        if definition.partial:
            what = f"{self.name} is partial: something in it is left to classes that extend it"
            advice = "use a class that extends it"
            raise ModelicaError("E596", what, location=self.view.location(definition.token), advice=advice)

    def __repr__(self) -> str:
        about = f": {self.description}" if self.description else ""
        return f"<{self.view.restriction} {self.name}{about}>"
