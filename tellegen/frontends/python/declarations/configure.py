"""How instances are configured: values for parameters, modifiers for variables, replacements for children."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tellegen.errors import LanguageError, UnknownNameError
from tellegen.frontends.python.declarations.class_info import ClassInfo
from tellegen.frontends.python.declarations.declare import PREFERENCE, VariableDecl
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.expressions.symbol import Symbol
from tellegen.ir.source_location import here


class Configurable:
    """The part of Component that takes values: by keyword, by attribute, by path."""

    _info: ClassInfo
    _values: dict[str, Any]
    _own: Any
    _base: Any
    _children: Any
    _view_of: Any
    _open: bool
    _building: bool

    _built: bool
    _parent: Any
    _version: int = 0  # of the root of a tree: how often something in it was changed
    _inherited_by: type | None
    _name: str
    if TYPE_CHECKING:  # from the other parts of Component

        def _path(self) -> str: ...

        def _unknown(self, name: str) -> UnknownNameError: ...

        def _adopt(self, name: str, value: object) -> None: ...

        def _replace(self, name: str, value: object) -> None: ...

        def _unbuild(self) -> None: ...

    def _mark_changed(self) -> None:
        """Tell the root, so that a model compiled before can warn."""
        root = self
        while root._parent is not None:
            root = root._parent
        if root._inherited_by is not None:
            raise root._belongs_to_a_base(root._inherited_by)
        root._version += 1

    def _belongs_to_a_base(self, derived: type) -> LanguageError:
        part = self._name
        base = next(cls for cls in derived.__mro__ if part in cls.__dict__)
        return LanguageError(
            "E109",
            f"'{part}' of {derived.__name__} is that of {base.__name__}: a value given here would hold for both",
            location=here(),
            advice=f"declare a part of its own: class {derived.__name__}({base.__name__}): "
            f"{part} = {type(self).__name__}(...)",
        )

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("_"):
            self.__dict__[name] = value
            return
        self._mark_changed()
        if name in self._info.order or not (self._building or self._open):
            self._configure(name, value)
        else:
            self._adopt(name, value)

    def _configure(self, name: str, value: object) -> None:
        """Take a value for a declared member: a number, an expression, a modifier or a replacement."""
        if "." in name:  # a path: Drive(**{"motor.R": 1.0})
            head, _, rest = name.partition(".")
            getattr(self, head)._configure(rest, value)
            return
        section = self._info.order.get(name)
        if section in ("parameters", "structural"):
            self._check_settable(name)
            if value is None:
                raise LanguageError("E122", f"{self._what(name)} cannot be None", location=here())
            if section == "parameters" and type(value) is not float:
                self._info.parameters[name].check(value, self._what(name))
            self._values[name] = value
            if section == "structural" and self._built:
                self._unbuild()
        elif section == "variables":
            self._configure_variable(name, value)
        elif section == "children" or (section is None and name in self._children):
            self._replace(name, value)
        elif section is None:
            raise self._unknown(name)
        else:
            raise LanguageError(
                "E106",
                f"{self._what(name)} is a {section.rstrip('s')} and cannot be assigned",
                location=here(),
                advice="connect it to other ports in connections(), or write equations for its variables",
            )

    def _check_settable(self, name: str) -> None:
        if self._view_of is not None:
            raise LanguageError(
                "E107",
                f"{self._what(name)} belongs to an element of an array",
                location=here(),
                advice=f"give all elements at once: {type(self).__name__}.array(n, {name}=[...])",
            )

    def _configure_variable(self, name: str, value: object) -> None:
        decl: VariableDecl = self._info.variables[name]
        if isinstance(value, VariableDecl) and not value.name:
            for attribute, number in value.attributes.items():
                self._values[f"{name}:{attribute}"] = decl.taken_from(value, attribute, number)
            if value.state != "default":
                self._values[f"{name}:state"] = PREFERENCE[value.state]
        elif decl.role == "input":
            self._values[f"{name}:default"] = value
        else:
            is_law = isinstance(value, Symbol)
            raise LanguageError(
                "E108",
                f"{self._what(name)} is a variable: it cannot be assigned with '='",
                location=here(),
                advice=f"equations are written with '==': yield self.{name} == ..."
                if is_law
                else f"give a start value: {name}=tg.variable(start={value!r}, fixed=True)",
            )

    def _what(self, name: str) -> str:
        path = self._path()
        return f"'{path}.{name}'" if path else f"'{name}' of {type(self).__name__}"

    def _set_attribute(self, leaf: Leaf, attribute: str, value: object) -> None:
        self._check_settable(leaf.member)
        if leaf.chosen is not None:
            raise LanguageError(
                "E107", f"set {attribute} of the whole '{leaf.member}', not of elements", location=here()
            )
        self._values[f"{leaf.member}:{attribute}"] = value
        self._mark_changed()

    def _get_attribute(self, leaf: Leaf, attribute: str) -> Any:
        key = f"{leaf.member}:{attribute}"
        declared = getattr(leaf.decl, "attributes", {}).get(attribute)
        return self._values.get(key, self._base.get(key, self._own.get(key, declared)))
