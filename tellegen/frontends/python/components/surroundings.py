"""What a component sees around it: outer components, parts that are switched off."""

from __future__ import annotations

import warnings
from typing import Any

from tellegen.errors import LanguageError
from tellegen.frontends.python.expressions.refusal import NotAQuantity
from tellegen.ir.source_location import SourceLocation, here


class Disabled(NotAQuantity):
    """Stands for a component or port whose condition is false: connections to it vanish."""

    def __init__(self, path: str, port_of: object = None, condition: str = "") -> None:
        self._path_text = path
        self._port_of = port_of  # the component, of a port
        self._condition_name = condition  # the structural parameter that switches it on, if it is one

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Disabled(f"{self._path_text}.{name}")

    def __getitem__(self, key: Any) -> Disabled:
        return self

    def _no_quantity(self) -> LanguageError:
        return LanguageError(
            "E139",
            f"there is no '{self._path_text}' here: it is disabled by its only_if(...) condition",
            location=here(),
            advice="write the equation only where the component exists; the condition "
            "is a structural parameter, known to "
            "Python:\nif self.<condition>: yield ...",
        )


def warn_of_absent_ports(within: Any, ends: Any, location: SourceLocation) -> None:
    """Warn of a connection that vanishes although its components exist: often a forgotten `use_heat_port=True`.

    A port of the component that writes the connection may be absent: then nobody outside is interested.
    """
    for end in ends:
        if isinstance(end, Disabled) and end._port_of is not None and end._port_of is not within:
            kind = type(end._port_of).__name__
            text = f"a connection is removed: '{end._path_text}' is disabled, see only_if in {kind}"
            switch = end._condition_name or "use_heat_port"
            advice = f"enable it where the component is created, {kind}({switch}=True)"
            if not end._condition_name:
                advice += " for instance"
            warnings.warn_explicit(f"{text}; {advice}", UserWarning, location.file, location.line)


class Outer:
    """A component found in the surroundings: the nearest enclosing component's child of this name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.location = here()

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else instance._find_outer(self)


def outer(name: str) -> Any:
    """Declare outer components: `world = tg.outer("world")` finds the `world` of an enclosing component."""
    return Outer(name)


def find_outer(component: Any, wanted: Outer) -> Any:
    """The nearest enclosing component's child of the wanted name."""
    above = component._parent
    seen = []
    while above is not None:
        if wanted.name in above._info.children or wanted.name in above._children:
            found = above._child(wanted.name)
            if above is component._parent and component._name == wanted.name:
                raise LanguageError(
                    "E105",
                    f"'{component._path()}' refers to the outer '{wanted.name}' and finds itself",
                    location=wanted.location.within(type(component).__name__),
                    advice="give one of the two another name",
                )
            if not isinstance(found, Disabled):
                return found
        seen += [name for name in {**above._info.children, **above._children} if name != component._name]
        above = above._parent
    raise LanguageError(
        "E105",
        f"{type(component).__name__} refers to the outer '{wanted.name}', but no enclosing component has one",
        location=wanted.location.within(component._path() or type(component).__name__),
        details=[f"around it: {', '.join(seen[:12])}"] if seen else [],
        advice=f"add a component named '{wanted.name}' to the model that contains it",
    )
