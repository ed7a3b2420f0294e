"""Connectors: the ports of components, typed by energy domain.

Written in a class body a connector is a declaration; read through an instance it is bound: it knows its component.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import Any, Self

import numpy as np

from tellegen.errors import LanguageError, NotAnArrayError
from tellegen.frontends.python.declarations.class_info import ClassInfo, class_location, collect, section_of_declaration
from tellegen.frontends.python.declarations.declare import Declaration
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.declarations.structural import known_value
from tellegen.frontends.python.expressions.refusal import NotAQuantity, no_quantity, unknown_name
from tellegen.ir.source_location import NOWHERE, SourceLocation, here


class Connector(NotAQuantity):
    """Base of all connectors. A subclass declares across, through, stream, input and output variables.

    Every across variable needs a through variable (their product, or for heat the flow itself, is power); a class
    with redundant potentials says `overdetermined = True`.
    """

    _info: ClassInfo = ClassInfo()
    _family: str = ""
    overdetermined = False

    _name = ""
    _component: Any = None
    _path = ""
    _count: Any = None
    _index: Any = None
    _condition: Any = None
    _must_connect = False
    _of: Any = None  # what flows through it, for connectors that have to know
    _location: SourceLocation = NOWHERE
    description = ""

    def __init__(self, description: str = "") -> None:
        self.description = description
        self._location = here()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._info = collect(cls, Connector, _section)
        _check_pairs(cls)
        same = [
            base
            for base in cls.__mro__
            if "_info" in base.__dict__ and base._info.order.keys() == cls._info.order.keys()
        ]
        root = same[-1]
        cls._family = f"{root.__module__}.{root.__qualname__}"

    @classmethod
    def array(cls, count: object, description: str = "") -> Self:
        """`count` connectors of this class under one name; `count` may be a structural parameter."""
        out = cls(description)
        out._count = count
        return out

    def only_if(self, condition: object, *, must_connect: bool = False) -> Self:
        """The port exists only where a structural condition holds; with `must_connect` it may not stay open then."""
        self._condition = condition
        self._must_connect = must_connect
        return self

    def of(self, value: object) -> Self:
        """What the port carries, such as a medium: only ports of equal values can be connected.

        Sizes of the connector's variables may be functions of it: `X = tg.stream(shape=lambda medium: medium.n_X)`.
        """
        self._of = value
        return self

    def _typed(self, component: object) -> Self:
        """The port as one of a class of its own for what it carries, once that is known; see `carrying`."""
        if self._of is None and not _needs_value(type(self)):
            return self
        out = object.__new__(carrying(type(self), known_value(component, self._of), self))
        out.__dict__.update(self.__dict__)
        return out

    def __set_name__(self, owner: type, name: str) -> None:
        if not self._name:
            self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Self:
        return self if instance is None else instance._bound_port(self)

    def _bound_port(self, inner: Connector) -> Connector:
        """A connector inside this one, bound to the same component."""
        return inner._bind(self._component, f"{self._path}.{inner._name}", self._count, self._index)

    def _bind(self, component: object, path: str, count: int | None, index: object) -> Self:
        out = object.__new__(type(self))
        state = out.__dict__
        state["_component"] = component
        state["_path"] = path
        state["_name"] = self._name
        if count is not None:
            state["_count"] = count
            state["_index"] = index
        return out

    def _member(self, decl: Declaration) -> Any:
        if self._component is None:
            raise LanguageError(
                "E104",
                f"'{decl.name}' of a connector that belongs to no component",
                location=here(),
                advice="use connectors through a component: self.p.v inside equations()",
            )
        leaf: Leaf = self._component._leaf(decl, f"{self._path}.{decl.name}", self._count)
        if self._count is None or self._index is None:
            return leaf
        axis = len(leaf.full) - len(decl_shape(leaf)) - 1
        return leaf[(slice(None),) * axis + (self._index,)]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise unknown_name(f"'{self._label()}' ({type(self).__name__})", name, self._info.descriptions())

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("_") or name == "description":
            self.__dict__[name] = value
        elif name not in self._info.order:
            getattr(self, name)
        else:
            raise LanguageError(
                "E106",
                f"'{self._label()}.{name}' cannot be assigned with '='",
                location=here(),
                advice=f"write an equation: yield self.{self._path}.{name} == ...\n"
                f"or a start value: {self._path}.{name}.start = ...",
            )

    def _no_quantity(self) -> LanguageError:
        return no_quantity("port", type(self).__name__, self._label(), self._info.names())

    def __len__(self) -> int:
        if self._count is None:
            what = f"connector '{self._path or self._name}' is not an array"
            raise NotAnArrayError("E115", what, location=here())
        return int(self._count) if self._index is None else len(self._index)

    def __getitem__(self, key: Any) -> Self:
        if self._component is not None and self._count is None and self._component._is_array():
            # r.n[1:] of a component array means r[1:].n
            return self._bind(self._component[key], self._path, None, None)
        if self._count is None:
            raise LanguageError("E115", f"port '{self._path or self._name}' is not an array", location=here())
        index = np.arange(int(self._count)) if self._index is None else self._index
        try:
            chosen = index[key]
        except IndexError:
            raise LanguageError(
                "E115", f"port '{self._path}' has {len(index)} elements, so there is no [{key}]", location=here()
            ) from None
        return self._bind(self._component, self._path, self._count, np.asarray(chosen))

    def __iter__(self) -> Iterator[Self]:
        return (self[k] for k in range(len(self)))

    def __str__(self) -> str:
        return self._label()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._label()}>"

    def _label(self) -> str:
        """The path from the top, as the user would write it."""
        if self._component is None:
            return self._name or "(unbound)"
        path = self._component._path()
        name = f"{path}.{self._path}" if path else self._path
        if self._index is not None:
            name += f"[{int(self._index)}]" if self._index.ndim == 0 else "[...]"
        return name


def decl_shape(leaf: Leaf) -> tuple[int, ...]:
    """The shape the declaration itself gives, without the axes of arrays around it."""
    return leaf.owner._shape_of(leaf.decl)


_CARRYING: dict[tuple[type[Connector], Any], type[Connector]] = {}


def _needs_value(cls: type[Connector]) -> bool:
    return any(isinstance(n, FunctionType) for decl in cls._info.variables.values() for n in decl.shape_text)


def carrying(cls: Any, value: Any, port: Connector) -> Any:
    """The subclass of a connector for ports that carry `value`: sizes are numbers, and it is a family of its own."""
    if value is None:
        raise LanguageError(
            "E131",
            f"port '{port._name}' is a {cls.__name__}, which needs a medium",
            location=port._location,
            advice=f"declare it: {port._name or 'port'} = {cls.__name__}().of(medium)",
        )
    try:
        found = _CARRYING.get((cls, value))
    except TypeError:
        what = f"port '{port._name}' cannot carry {value!r}: it is not hashable"
        advice = "make it immutable, for example a dataclass with frozen=True and tuples instead of lists"
        raise LanguageError("E131", what, location=port._location, advice=advice) from None
    if found is None:
        sized = {
            name: decl.sized(tuple(n(value) if isinstance(n, FunctionType) else n for n in decl.shape_text))
            for name, decl in cls._info.variables.items()
        }
        found = type(
            f"{cls.__name__} of {value}", (cls,), {"__doc__": cls.__doc__, "__module__": cls.__module__, **sized}
        )
        found._info.location = cls._info.location
        found._family = f"{cls._family}[{len(_CARRYING)}]"
        found._of = value
        _CARRYING[cls, value] = found
    return found


def _section(value: object) -> str | None:
    return "ports" if isinstance(value, Connector) else section_of_declaration(value)


def _check_pairs(cls: type[Connector]) -> None:
    """Otter's first rule: as many potentials as flows. It makes balanced components possible at all."""
    roles = [variable.role for variable in cls._info.variables.values()]
    across = roles.count("across")
    through = roles.count("through")
    if cls._info.parameters or cls._info.structural:
        raise LanguageError(
            "E131",
            f"connector {cls.__name__} declares parameters; connectors have only variables",
            location=class_location(cls),
            advice="declare parameters in the components that have such a port",
        )
    if across != through and not cls.overdetermined:
        raise LanguageError(
            "E132",
            f"connector {cls.__name__} has {across} across and {through} through variables; they must form pairs",
            location=class_location(cls),
            advice="give every across variable its through variable (voltage and current, angle "
            "and torque, temperature and heat flow),\n"
            "or declare signals with tg.input / tg.output",
        )
    if "stream" in roles and through != 1:
        raise LanguageError(
            "E133",
            f"connector {cls.__name__} has stream variables, so it needs exactly one through variable to carry them",
            location=class_location(cls),
            advice='a fluid port has p = tg.across("Pa"), m_flow = tg.through("kg/s"), h = tg.stream("J/kg")',
        )
    if "local" in roles:
        name = next(name for name, variable in cls._info.variables.items() if variable.role == "local")
        raise LanguageError(
            "E134",
            f"'{name}' of connector {cls.__name__} is a plain variable, which has no connection rule",
            location=class_location(cls),
            advice="declare it with tg.across, tg.through, tg.stream, tg.input or tg.output",
        )
