"""What a component or connector class declares, collected once when the class is made."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from tellegen.errors import LanguageError
from tellegen.frontends.python.declarations.declare import Declaration, ParameterDecl, VariableDecl
from tellegen.frontends.python.expressions.symbol import Symbol
from tellegen.ir.source_location import NOWHERE, SourceLocation, here
from tellegen.start.records import dataclass

RESERVED = frozenset({"array", "only_if", "equations", "initial_equations", "connections", "build", "add", "connect"})

READ_AS = {"time": "the time of the run", "pi": "the number 3.14159..."}
"""Names that have a meaning of their own where a path may stand."""

ONE_OF = {
    "parameters": "parameter",
    "structural": "structural parameter",
    "variables": "variable",
    "ports": "port",
    "children": "part",
    "outers": "outer component",
}
"""What a member is called, by the part of ClassInfo that holds it."""


@dataclass
class ClassInfo:
    """The members of a class by name, in the order written, bases first."""

    parameters: dict[str, ParameterDecl] = field(default_factory=dict)
    structural: dict[str, ParameterDecl] = field(default_factory=dict)
    variables: dict[str, VariableDecl] = field(default_factory=dict)
    ports: dict[str, Any] = field(default_factory=dict)  # Connector
    children: dict[str, Any] = field(default_factory=dict)  # Component
    outers: dict[str, Any] = field(default_factory=dict)  # Outer
    order: dict[str, str] = field(default_factory=dict)  # name -> which of the above
    location: SourceLocation = NOWHERE  # of the class statement

    def names(self) -> list[str]:
        """All declared names."""
        return list(self.order)

    def descriptions(self) -> dict[str, str]:
        """All declared names with what they are said to be."""
        return {name: getattr(getattr(self, part)[name], "description", "") for name, part in self.order.items()}

    def put(self, section: str, name: str, declaration: object) -> None:
        """Add a member; a name declared again in a subclass keeps its position and takes the new declaration."""
        previous = self.order.get(name)
        if previous is not None:
            del getattr(self, previous)[name]
        self.order[name] = section
        getattr(self, section)[name] = declaration


def collect(cls: type, root: type, section_of: Any) -> ClassInfo:
    """The ClassInfo of a class: what its bases declare, those that Python looks at last first, then its own body.

    Each base counts with its own body alone. What it has inherited comes with the class that declares it, or a base of
    several that only inherits a member would win over another one that declares it again. `root` is Component or
    Connector: it and its bases are the language, and declare nothing.
    """
    info = ClassInfo(location=here().within(cls.__name__))
    cls._info = info  # type: ignore[attr-defined]
    language = set(root.__mro__)
    for base in reversed(cls.__mro__[1:]):
        if base in language:
            continue
        inherited: ClassInfo | None = base.__dict__.get("_info")
        if inherited is None:
            _collect_body(cls, base, section_of)
            continue
        for name, section in inherited.order.items():
            if name in base.__dict__:
                info.put(section, name, getattr(inherited, section)[name])
    _collect_body(cls, cls, section_of)
    return info


def _collect_body(cls: Any, body: type, section_of: Any) -> None:
    """Add what a body declares: that of the class itself, or of a mixin, a base that is not a component."""
    for name, value in list(body.__dict__.items()):
        section = section_of(value)
        if section is None:
            _refuse_bare_symbol(cls, name, value)
            _refuse_class(cls, name, value)
            _refuse_plain(cls, cls._info, name, value)
            continue
        _refuse_twin(cls, name, value)
        _refuse_reserved(cls, name, value)
        cls._info.put(section, name, value)


def check_still_declared(cls: Any) -> None:
    """Whether the class still holds what it declared: `Motor.R = 3.0` after its body would change no model.

    Only what a class body declares receives its name (`__set_name__`); what is assigned to the class later does not.
    """
    info: ClassInfo = cls._info
    for name, section in info.order.items():
        found = next((base.__dict__[name] for base in cls.__mro__ if name in base.__dict__), None)
        if _name_in_class(found) == name or section == "outers":  # these have the name of what they refer to
            continue
        raise LanguageError(
            "E106",
            f"the {ONE_OF[section]} '{name}' of {cls.__name__} was assigned to the class after its declaration",
            location=class_location(cls),
            advice=f"give values to an instance, {cls.__name__}({name}=...), or declare it again in a derived class",
        )


def own_first(cls: Any) -> list[str]:
    """The parameters of a class, those of its own body before those of its bases: what it is about comes first."""
    names = [*cls._info.parameters, *cls._info.structural]
    return sorted(names, key=lambda name: next(k for k, base in enumerate(cls.__mro__) if name in base.__dict__))


def _refuse_reserved(cls: type, name: str, value: object) -> None:
    if name in RESERVED or name.startswith("_"):
        why = "the name is reserved"
        advice = "choose another name, without a leading underscore"
    elif name in READ_AS and isinstance(value, Declaration):
        why = f'in results and in strings such as "2*{name}" it is {READ_AS[name]}'
        advice = f"choose another name, such as '{name}_1'"
    else:
        return
    what = f"'{name}' cannot name a member of {cls.__name__}: {why}"
    raise LanguageError("E102", what, location=class_location(cls), advice=advice)


def _refuse_bare_symbol(cls: type, name: str, value: object) -> None:
    if isinstance(value, Symbol) and not name.startswith("_"):
        raise LanguageError(
            "E103",
            f"'{name} = {value}' in the body of {cls.__name__} is an expression, not a declaration",
            location=class_location(cls),
            advice=f"declare it: {name} = tg.parameter({value})  or write an equation for a variable in equations()",
        )


def _refuse_class(cls: type, name: str, value: object) -> None:
    """A component class under a small name is an instance without its parentheses; `Load = Resistor` is an alias."""
    if isinstance(value, (list, tuple)) and any(hasattr(item, "_info") for item in value):
        what = next(item for item in value if hasattr(item, "_info"))
        cls_name = what.__name__ if isinstance(what, type) else type(what).__name__
        raise LanguageError(
            "E118",
            f"'{name}' of {cls.__name__} is a list in the class body, where every member has its own name",
            location=class_location(cls),
            advice=f"declare an array: {name} = {cls_name}.array({len(value)}), or assign the list in build(self)",
        )
    if isinstance(value, type) and hasattr(value, "_info") and name[:1].islower():
        raise LanguageError(
            "E118",
            f"'{name}' of {cls.__name__} is the class {value.__name__}, not an instance of it",
            location=class_location(cls),
            advice=f"create an instance, with parentheses: {name} = {value.__name__}()",
        )


def _refuse_plain(cls: type, info: ClassInfo, name: str, value: object) -> None:
    """`R = 5.0` in a subclass would hide the parameter R without changing its value."""
    if name in info.order:
        what = ONE_OF[info.order[name]]
        raise LanguageError(
            "E106",
            f"'{name} = {value!r}' in the body of {cls.__name__} hides the {what} '{name}' of its base class",
            location=class_location(cls),
            advice=f"declare it again, such as {name} = tg.parameter({value!r}, unit), or choose another name",
        )


def _name_in_class(value: object) -> str:
    return value.name if isinstance(value, Declaration) else getattr(value, "_name", "")


def _refuse_twin(cls: type, name: str, value: object) -> None:
    """One object declared under two names would be one member of the model."""
    first = _name_in_class(value)
    if first and first != name:
        what = type(value).__name__ if not isinstance(value, Declaration) else "declaration"
        raise LanguageError(
            "E109",
            f"'{name}' and '{first}' of {cls.__name__} are the same object ({what})",
            location=class_location(cls),
            advice=f"{name} = tg.parameter({first}, ...) makes a parameter with the same value"
            if isinstance(value, ParameterDecl)
            else f"create a new one for each name: {name} = {what}(...)"
            if not isinstance(value, Declaration)
            else "declare each variable by itself, and write an equation if they are equal",
        )


def section_of_declaration(value: object) -> str | None:
    """Where a parameter or variable declaration belongs."""
    if isinstance(value, ParameterDecl):
        return "structural" if value.structural else "parameters"
    if isinstance(value, VariableDecl):
        return "variables"
    return None


def class_location(cls: type) -> SourceLocation:
    """Where a class was written: the line of its class statement."""
    return cls.__dict__["_info"].location
