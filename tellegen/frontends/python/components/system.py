"""System: a model composed by hand, for scripts and generated structure."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from tellegen.errors import LanguageError, users_call
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.components.connector import Connector
from tellegen.frontends.python.expressions.refusal import needs_names
from tellegen.ir.source_location import here, mark


class Connected(NamedTuple):
    """The arguments of connect(), and the line of the call."""

    ends: tuple[Any, ...]
    mark: tuple[str, int]


class System(Component):
    """A component whose children and connections are added one by one.

    s = tg.System("divider")
    s.add(r1=el.Resistor(R=1.0), r2=el.Resistor(R=2.0))
    s.connect(s.r1.n, s.r2.p)
    """

    _open = True
    _is_joined_by_names = True  # no connection refers to an object

    def __init__(self, name: str = "system") -> None:
        super().__init__()
        if not isinstance(name, str):
            raise LanguageError(
                "E122", f"a System needs a name, not {name!r}", location=here(), advice='tg.System("ladder")'
            )
        self.__dict__["_title"] = name
        self.__dict__["_joined"] = []
        self.__dict__["_written"] = []

    def _clone(self, parent: object, name: str, level: int = 1) -> Self:  # noqa: ARG002
        """A declared child becomes one of every instance, but components were added to this System alone."""
        raise LanguageError(
            "E109",
            f"the System '{self._title}' is declared as '{name}' in a class, each instance of which needs its own",
            location=here(),
            advice=f"write it as a class, make it in build(), or add it to another System: s.add({name}=...)",
        )

    @users_call
    def add(self, *unnamed: Any, **components: Any) -> None:
        """Add components (or lists, dicts of them) under the given names."""
        if unnamed:
            raise needs_names("add", unnamed, ["r1", "r2"])
        self._mark_changed()
        info = self._info.order
        children = self._children
        for name, component in components.items():
            if name in children or name in info or name in self.__dict__:
                raise LanguageError(
                    "E129",
                    f"there is already a '{name}' in '{self._title}'",
                    location=here(),
                    advice="choose another name",
                )
            if callable(getattr(type(self), name, None)):
                raise LanguageError(
                    "E129",
                    f"'{name}' is a method of System, so a component of that name could not be reached",
                    location=here(),
                    advice="choose another name",
                )
            self._adopt(name, component)

    def connect(self, *ends: Any) -> None:
        """Connect ports (or signals) with each other."""
        self._mark_changed()
        light = tuple(self._light(end) for end in ends)
        if self._is_joined_by_names and not all(type(end) is tuple for end in light):
            self.__dict__["_is_joined_by_names"] = False
        self._joined.append(Connected(light, mark()))

    def _light(self, end: object) -> Any:
        """A plain port of a child as two names: millions of them cost nothing to keep."""
        if isinstance(end, Connector) and end._count is None:
            component = end._component
            if component is not None and component._parent is self and component._count is None:
                return (component._name, end._path)
        if isinstance(end, tuple):
            raise LanguageError(
                "E138",
                f"{end!r} is not a port",
                location=here(),
                advice="connect(a.p, b.p): ports, one after the other",
            )
        return end

    def equation(self, *equations: Any) -> None:
        """Add equations between members of the system."""
        self._mark_changed()
        location = here()
        self._written.extend((equation, location) for equation in equations)

    def __getitem__(self, name: str) -> Any:  # type: ignore[override]
        """A child by name, for names made by a program."""
        if not isinstance(name, str):
            raise self._unknown(str(name))
        return getattr(self, name) if "[" not in name else self._child_by_text(name)

    def _child_by_text(self, name: str) -> Any:
        if name not in self._children:
            raise self._unknown(name)
        return self._child(name)

    def connections(self) -> Any:
        """The arguments of connect(), each with its location."""
        return iter(self._joined)
