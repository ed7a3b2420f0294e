"""A class of a library, with modifications -> Model: the whole front end, for what was not translated before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tellegen.errors import ModelicaError, nearest
from tellegen.frontends.modelica.instances.instantiate import instantiate
from tellegen.frontends.modelica.kinds.build import build_model
from tellegen.frontends.modelica.kinds.experiment import experiment_of
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.views import Views
from tellegen.frontends.modelica.modifications import modified_view
from tellegen.frontends.modelica.store.store import Store
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.ir.model import Experiment, Model
from tellegen.ir.source_location import here
from tellegen.start.garbage_collection import collection_paused
from tellegen.start.records import dataclass

if TYPE_CHECKING:  # nothing is drawn to run a model
    from tellegen.frontends.modelica.graphics.drawing import Drawing
    from tellegen.frontends.modelica.graphics.shapes import Picture
    from tellegen.frontends.modelica.instances.instance import Instance

RUNNABLE = ("model", "block", "class")


@dataclass(frozen=True)
class Translated:
    """A Model, and what its user should know."""

    model: Model
    warnings: tuple[str, ...] = ()


class FoundClass:
    """A class as its text says it is."""

    def __init__(self, original: ClassView, modifications: tuple[Mapping[str, Any], ...] = ()) -> None:
        self.view = modified_view(original, *modifications)
        self._original = original

    @property
    def experiment(self) -> Experiment:
        """How it asks to be run; modifications do not change that."""
        return experiment_of(self._original)

    @property
    def is_complete(self) -> bool:
        """Whether it is a model and leaves nothing to classes that extend it."""
        return self.view.restriction in RUNNABLE and not self.view.definition.partial

    def translated(self) -> Translated:
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
            raise self._endless() from None
        warnings = tuple(map(str, root.translation.warnings))
        return Translated(replace(model, experiment=self.experiment), warnings)

    def icon(self) -> Drawing:
        """Its icon with its connectors."""
        from tellegen.frontends.modelica.graphics.drawing import Drawing
        from tellegen.frontends.modelica.graphics.pictures import icon_of

        return Drawing(f"the icon of {self.view.path}", self._drawn(icon_of), is_icon=True)

    def diagram(self) -> Drawing:
        """Its components and connections as they are placed."""
        from tellegen.frontends.modelica.graphics.drawing import Drawing
        from tellegen.frontends.modelica.graphics.pictures import diagram_of

        return Drawing(f"the diagram of {self.view.path}", self._drawn(diagram_of))

    def html(self) -> str:
        """Its icon, name and description, for notebooks."""
        from html import escape

        name, description = escape(self.view.path), escape(self.view.definition.description)
        return f"<div>{self.icon().svg}<br/><code>{name}</code> {description}</div>"

    def _drawn(self, picture_of: Callable[[Instance], Picture]) -> Picture:
        from tellegen.frontends.modelica.graphics.pictures import root_of

        try:
            with collection_paused():
                return picture_of(root_of(self.view))
        except EvaluationError as error:
            raise error.located(self.view.location(self.view.definition.token)) from None
        except RecursionError:
            raise self._endless() from None

    def _endless(self) -> ModelicaError:
        what = f"{self.view.path} is nested without end"
        advice = "look for a class, an import or a function that leads back to itself"
        return ModelicaError("E597", what, location=self.view.location(self.view.definition.token), advice=advice)

    def _check_runnable(self) -> None:
        view = self.view
        location = view.location(view.definition.token)
        if view.restriction not in RUNNABLE:
            what = f"{view.path} is a {view.restriction}, not a model"
            advice = nearest("", view.class_names()) if view.class_names() else ""
            raise ModelicaError("E596", what, location=location, advice=advice)
        if view.definition.partial:
            what = f"{view.path} is partial: something in it is left to classes that extend it"
            raise ModelicaError("E596", what, location=location, advice="use a class that extends it")


class Classes:
    """The classes of a store by their full names."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._views = Views(store)

    def find(self, name: str) -> ClassView:
        """A class; E595 where there is none."""
        view = self._views.root
        for depth, part in enumerate(name.split(".")):
            found = view.find(part)
            if not isinstance(found, ClassView):
                raise self._unknown(name, depth, view)
            view = found
        return view

    def _unknown(self, name: str, depth: int, view: ClassView) -> ModelicaError:
        parts = name.split(".")
        where = f"in {'.'.join(parts[:depth])}" if depth else "among the loaded libraries"
        names = view.class_names() if depth else self.store.names()
        if not depth and not names:
            advice = "load one: tg.load_modelica(PATH), or add it for good: tellegen modelica add PATH"
        else:
            advice = nearest(parts[depth], names)
        return ModelicaError("E595", f"there is no class '{parts[depth]}' {where}", location=here(), advice=advice)
