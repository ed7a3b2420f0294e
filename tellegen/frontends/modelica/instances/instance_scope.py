"""What names mean in the text of a class, for one instance of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tellegen.frontends.modelica.evaluation.class_scope import ClassScope
from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.element_view import ElementView
from tellegen.frontends.modelica.syntax.expressions import Expression
from tellegen.frontends.modelica.values.value import Value

if TYPE_CHECKING:
    from tellegen.frontends.modelica.instances.instance import Instance
    from tellegen.frontends.modelica.instances.translation import Translation

ELEMENT = object()
"""In the table of names of a class: an element of the instance, to be asked for there."""


class InstanceScope(Scope):
    """Class `view` of an instance: the instance's class or one of its bases. Without an instance, a package's text."""

    def __init__(self, view: ClassView, instance: Instance | None, translation: Translation) -> None:
        self.view = view
        self.instance = instance
        self.translation = translation
        self._values: dict[int, Value] = {}  # by identity of the expression
        names = translation.names.get(view)
        if names is None:
            names = translation.names[view] = {}
        self._names = names

    @property
    def path(self) -> str:
        return self.view.path if self.instance is None else self.instance.path

    def first(self, name: str) -> Any:
        try:
            found = self._names[name]
        except KeyError:
            found = self._names[name] = self._look(name)
        if found is not ELEMENT:
            return found
        if self.instance is None:
            return ClassScope(self.view).first(name)
        return self.instance.element(name)

    def _look(self, name: str) -> Any:
        """What a name means in this class for all its instances."""
        if isinstance(self.view.find(name), ElementView):
            return ELEMENT
        return ClassScope(self.view).first(name)

    def scope_for(self, view: ClassView) -> Scope:
        if view is self.view:
            return self
        if self.instance is None:
            return InstanceScope(view, None, self.translation)
        return self.instance.scope_for(view)

    def evaluate(self, expression: Expression) -> Value:
        """The value of an expression of this text."""
        return evaluate(expression, self)

    def evaluate_once(self, expression: Expression) -> Value:
        """The same, kept: many elements of an array of components take their part of it."""
        key = id(expression)
        if key not in self._values:
            self._values[key] = evaluate(expression, self)
        return self._values[key]
