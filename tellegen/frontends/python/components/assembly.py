"""How components come to contain others: copies of declared children, build(), replacement, System.add."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Self

from tellegen.errors import LanguageError, UndeclaredQuantityError, nearest
from tellegen.frontends.python.components.connector import Connector
from tellegen.frontends.python.declarations.declare import Declaration
from tellegen.frontends.python.declarations.structural import decided
from tellegen.frontends.python.expressions.refusal import NOT_MADE, check_depth, users_code
from tellegen.ir.source_location import here


class Assembly:
    """The part of Component that keeps its children. `_base` are values that came with the declaration, `_values`
    those given to this very instance."""

    _children: Any = MappingProxyType({})  # a dict of its own from the first child on
    _values: Any = NOT_MADE
    _base: dict[str, Any]
    _dynamic_ports: dict[str, Connector] | None = None
    _replaced = False
    _pattern: Any = None
    _parent: Any
    _levels: Any = MappingProxyType({})  # for each value in _base: how many components up the class is that gave it
    _level = 1  # the same, for the declaration this is a copy of
    _own: Any = MappingProxyType({})  # values that build() gave to members of this very component
    _building = False
    _built = False
    _frozen: Any

    def _clone(self, parent: object, name: str, level: int = 1) -> Self:
        """The instance that a declared child becomes below an instance of the parent."""
        new = object.__new__(type(self))
        new.__dict__.update((key, value) for key, value in self.__dict__.items() if key.startswith("_"))
        new.__dict__.update(_parent=parent, _name=name, _values={}, _base={**self._base, **self._values}, _built=False)
        new.__dict__.update(_pattern=self, _level=level, _levels={**self._levels, **dict.fromkeys(self._values, level)})
        new.__dict__.pop("_children", None)
        for child_name, child in self._children.items():
            if child_name in self._info.children or child._replaced:  # type: ignore[attr-defined]
                new._keep(child_name, child._clone(new, child_name, level + 1))
        return new

    def _keep(self, name: str, child: object) -> None:
        """Note a child."""
        if "_children" not in self.__dict__:
            self.__dict__["_children"] = {}
        self._children[name] = child

    def _exchange(self, name: str, child: object) -> None:
        """Put another component in the place of a child, also in the lists and dicts that build() or add() made."""
        old = self._children.get(name)
        self._keep(name, child)
        for key in [key for key in self.__dict__ if not key.startswith("_")]:
            self.__dict__[key] = _exchanged(self.__dict__[key], old, child)

    def _materialize(self) -> None:
        """Run build() once, if there is one."""
        if self._built:
            return
        self._built = True
        builders = [(cls, cls.__dict__["build"]) for cls in reversed(type(self).__mro__) if "build" in cls.__dict__][1:]
        if not builders:
            return
        check_depth(self)
        given = dict(self._values)
        self._building = True
        try:
            for cls, builder in builders:
                with users_code(cls, "build", self):
                    builder(self)
        finally:
            self._building = False
        self._keep_own(given)
        for child in self._children.values():
            child._seal()
        if self._pattern is not None:
            self._overlay(self._pattern, self._level)

    def _keep_own(self, given: dict[str, Any]) -> None:
        """What build() gave to members of its own component belongs to the kind, and yields to what the user gave."""
        structural = self._info.structural  # type: ignore[attr-defined]
        own = {k: v for k, v in self._values.items() if k not in structural and given.get(k, NOT_MADE) is not v}
        if own:
            self._own = own
            self._values = {k: v for k, v in self._values.items() if k not in own} | {
                k: v for k, v in given.items() if k in own
            }

    def _unbuild(self) -> None:
        """Forget what build() made: a structural parameter has another value now."""
        for name in [name for name in self.__dict__ if not name.startswith("_")]:
            del self.__dict__[name]
        for name in [name for name in self._children if name not in self._info.children]:  # type: ignore[attr-defined]
            del self._children[name]
        self.__dict__.update(_built=False, _dynamic_ports=None, _own=MappingProxyType({}))

    def _overlay(self, pattern: Assembly, level: int, below: int = 1) -> None:
        """Values given to built children of the declaration, from outside of it, hold for its copies as well."""
        for name, child in pattern._children.items():
            own = self._child(name) if name in self._info.children else self._children.get(name)  # type: ignore[attr-defined]
            if isinstance(own, Assembly) and child._replaced and type(own) is not type(child):
                self._exchange(name, child._clone(self, name, level + below))
            elif isinstance(own, Assembly) and own._pattern is not child:
                levels = {key: number for key, number in child._levels.items() if number > below}
                levels |= dict.fromkeys(child._values, level + below)
                given = {**child._base, **child._values}
                own._base = {**own._base, **{key: given[key] for key in levels}}
                own._levels = {**own._levels, **levels}
                own._overlay(child, level, below + 1)

    def _seal(self, level: int = 1) -> None:
        """What build() gave to a child belongs to the kind, not to the instance."""
        if self._values:
            self._levels = {**self._levels, **dict.fromkeys(self._values, level)}
            self._base = {**self._base, **self._values}
            self._values = {}
        for child in self._children.values():
            child._seal(level + 1)

    def _adopt(self, name: str, value: Any) -> None:
        """Take a component, port, or container of them under a new name."""
        if isinstance(value, Assembly):
            value._settle(self, name)
            self._keep(name, value)
        elif isinstance(value, Connector):
            self._add_port(name, value)
        elif _holds(value, Connector):
            _same_class(name, value)
            port = type(value[0]).array(len(value)).of(value[0]._of) if value else None
            if port is not None:
                self._add_port(name, port)
        elif _holds(value, Assembly):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for key, item in items:
                self._adopt(f"{name}[{key}]", item)
            self.__dict__[name] = value
        elif isinstance(value, Declaration):
            raise LanguageError(
                "E118",
                f"build() of {type(self).__name__} assigns the parameter or variable '{name}'",
                location=here(),
                advice=f"declare it in the class body; build() assigns components and ports\n"
                f"an array whose size depends on a structural parameter: {name} = tg.variable(..., shape=n)",
            )
        elif self._building:
            self.__dict__[name] = value  # a helper of build(): it depends on structural parameters only
        else:
            made = isinstance(value, type)
            raise LanguageError(
                "E118",
                f"'{name}' must be a component, not {f'the class {value.__name__}' if made else repr(value)}",
                location=here(),
                advice=f"create an instance, with parentheses: {name}={value.__name__}()"
                if made
                else "give a component",
            )

    def _add_port(self, name: str, port: Connector) -> None:
        port._name = name
        if self._dynamic_ports is None:
            self._dynamic_ports = {}
        self._dynamic_ports[name] = port

    def _settle(self, parent: object, name: str) -> None:
        """Become the child of a parent, once."""
        if self._parent is not None:
            raise LanguageError(
                "E109",
                f"the component given as '{name}' is already '{self._path()}'",  # type: ignore[attr-defined]
                location=here(),
                advice="create a new instance for each use",
            )
        object.__setattr__(self, "_parent", parent)
        object.__setattr__(self, "_name", name)
        if self._frozen is not None:  # changes are counted at the root from now on
            self.__dict__["_frozen"] = None

    def _replace(self, name: str, value: object) -> None:
        """Put another component with the same ports in the place of a declared one."""
        declared = self._children.get(name) or self._info.children[name]._clone(self, name)  # type: ignore[attr-defined]
        if not isinstance(value, Assembly):
            raise LanguageError(
                "E126",
                f"'{name}' of {type(self).__name__} is a component ({type(declared).__name__}), not a value",
                location=here(),
                advice=f"set its parameters, {name}.<parameter> = ..., or give a component with the same ports",
            )
        check_ports(name, declared, value)
        value._settle(self, name)
        value.__dict__["_replaced"] = True
        if value._condition is None:  # type: ignore[attr-defined]
            value.__dict__["_condition"] = declared._condition
        if declared._is_interface:  # what the system gives to an interface holds for all that stands for it
            value._inherit(declared)
        self._keep(name, value)

    def _inherit(self, declared: Any) -> None:
        """Begin with the values of the interface that this component stands for."""
        given = {**declared._base, **declared._values}
        known = {name for name in given if name.partition(":")[0] in self._info.order}  # type: ignore[attr-defined]
        self.__dict__["_base"] = {**{name: given[name] for name in known}, **self._base}
        levels = {name: level for name, level in declared._levels.items() if name in known}
        self.__dict__["_levels"] = {**levels, **self._levels}


def _holds(value: object, kind: type) -> bool:
    """Whether a list, tuple or dict (of lists ...) holds objects of a kind."""
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return all(isinstance(item, kind) or _holds(item, kind) for item in value)


def _exchanged(value: Any, old: object, new: object) -> Any:
    """A value, or a container of values, with one object in the place of another."""
    if value is old:
        return new
    if not _holds(value, Assembly):
        return value
    if isinstance(value, dict):
        return {key: _exchanged(item, old, new) for key, item in value.items()}
    return type(value)(_exchanged(item, old, new) for item in value)


def _same_class(name: str, ports: Any) -> None:
    if len({type(port) for port in ports}) > 1:
        raise LanguageError("E127", f"the connectors in '{name}' are of different classes", location=here())


def ports_of(component: Any) -> dict[str, Connector]:
    """The ports a component has, by name, declared and built (as far as it can be built where it stands)."""
    try:
        component._materialize()
        absent = {
            name
            for name, port in component._info.ports.items()
            if port._condition is not None and not decided(component, port._condition)
        }
    except UndeclaredQuantityError:  # sizes that only the place where it will stand decides
        component._unbuild()
        absent = set()
    ports = {**component._info.ports, **(component._dynamic_ports or {})}
    return {name: port for name, port in ports.items() if name not in absent}


def check_ports(name: str, declared: Any, given: Any) -> None:
    """A replacement must offer every port of what it replaces."""
    offered = ports_of(given)
    for port_name, port in ports_of(declared).items():
        other = offered.get(port_name)
        if other is None:
            raise LanguageError(
                "E128",
                f"{type(given).__name__} cannot replace '{name}' ({type(declared).__name__}): it has no port "
                f"'{port_name}' ({type(port).__name__}); {nearest(port_name, offered)}",
                location=here(),
                advice=f"a replacement needs the ports {', '.join(ports_of(declared))}",
            )
        if other._family != port._family:
            raise LanguageError(
                "E128",
                f"{type(given).__name__} cannot replace '{name}' ({type(declared).__name__}): its port '{port_name}' "
                f"is a {type(other).__name__}, not a {type(port).__name__}",
                location=here(),
                advice=f"a replacement needs ports of the same connectors: {port_name} = {type(port).__name__}()",
            )
    for signal, variable in declared._info.variables.items():
        if variable.role in ("input", "output") and signal not in given._info.variables:
            raise LanguageError(
                "E128",
                f"{type(given).__name__} cannot replace '{name}' ({type(declared).__name__}): it has no "
                f"{variable.role} '{signal}'; {nearest(signal, given._info.variables)}",
                location=here(),
            )
