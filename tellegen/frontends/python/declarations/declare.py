"""Declarations: what a class body says about its parameters and variables.

A declaration is itself a symbol, so that class bodies can compute with it: `R2 = tg.parameter(2 * R1, "ohm")`.
Read through an instance it becomes the `Leaf` of that instance.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.errors import LanguageError, users_call, warn_user
from tellegen.frontends.python.expressions.symbol import Literal, Symbol, as_symbol
from tellegen.ir.source_location import SourceLocation, here
from tellegen.ir.temperatures import mistaken_difference
from tellegen.units import DIMENSIONLESS, NO_UNIT, Unit, UnitTextError, parse_quantities, parse_unit

if TYPE_CHECKING:
    pass

ATTRIBUTES = ("start", "fixed", "nominal", "min", "max")
PREFERENCE = {"never": -20.0, "avoid": -5.0, "default": 0.0, "prefer": 5.0, "always": 20.0}
"""How gladly a variable becomes a state, as a number."""

STATES = tuple(PREFERENCE)


class Declaration(Symbol):
    """Base of parameter and variable declarations."""

    __slots__ = ("description", "location", "name", "shape_text", "unit")

    def __init__(self, unit: str | None, description: str, shape: Any) -> None:
        self.location: SourceLocation = here()
        self.name = ""
        self.description = description
        try:
            self.unit: Unit = parse_unit(unit)
        except UnitTextError as error:
            raise LanguageError(
                "E120",
                str(error),
                location=self.location,
                advice="write units as 'N.m/A', 'kg.m2', 'ohm', 'degC', '1'; a description comes after the unit",
            ) from None
        self.shape_text = tuple(shape) if isinstance(shape, list | tuple) else (shape,)
        known = all(isinstance(n, (int, np.integer)) and type(n) is not bool and n >= 0 for n in self.shape_text)
        super().__init__("declared", (), tuple(int(n) for n in self.shape_text) if known else ())

    def __set_name__(self, owner: type, name: str) -> None:
        if not self.name:
            self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else instance._member(self)

    def label(self) -> str:
        """The name the declaration was given."""
        return self.name or "?"

    def picked(self, chosen: np.ndarray[Any, Any]) -> Symbol:
        """The elements numbered `chosen`, for expressions in class bodies."""
        return DeclaredPart(self, chosen)

    def check(self, value: object, what: str) -> None:
        """Reject at once what can never become a number; expressions are looked at later."""
        if not isinstance(value, Symbol) and not has_symbols(value):
            self._number(value, what, here())

    def convert(self, value: object, what: str, location: SourceLocation | None = None) -> Any:
        """A number or quantity text given by the user as a number (or array) in SI units."""
        number = self._number(value, what, location)
        if isinstance(value, str) and (mistake := mistaken_difference(value, self.name, self.description, self.unit)):
            warn_user(f"{what}: {mistake}")
        return number

    def _without_texts(self, value: object, what: str, location: SourceLocation | None) -> Any:
        """The value with numbers in the declared unit where texts such as "2.2 kohm" were."""
        try:
            return parse_quantities(value, self.unit)
        except UnitTextError as error:
            unit = f" in {self.unit.text}" if self.unit.text else ""
            advice = f"give a number{unit}, or a string with a compatible unit"
            raise LanguageError("E121", f"{what}: {error}", location=location or here(), advice=advice) from None

    def _number(self, value: object, what: str, location: SourceLocation | None) -> Any:
        value = self._without_texts(value, what, location)
        if isinstance(value, enum.Enum):
            value = list(type(value)).index(value)
        try:
            return self.unit.to_si(np.asarray(value, dtype=float))
        except (TypeError, ValueError, OverflowError):
            raise LanguageError(
                "E122",
                f"{what} cannot be {value!r} (a {type(value).__name__})",
                location=location or here(),
                advice="give a number, an array of numbers, a text such as '2.2 kohm', or an expression of parameters",
            ) from None


class ParameterDecl(Declaration):
    """A constant of a run, or with `structural` a value known while the model is built."""

    __slots__ = ("choices", "max", "min", "semantics", "structural", "value")

    def __init__(
        self,
        value: object,
        unit: str | None,
        description: str,
        *,
        structural: bool,
        bounds: tuple[Any, Any],
        shape: object,
        semantics: str = "",
    ) -> None:
        super().__init__(unit, description, shape)
        if isinstance(shape, tuple) and not shape and isinstance(value, (list, tuple, np.ndarray)) and not structural:
            array = as_symbol(value if has_symbols(value) else self._without_texts(value, "the value", None))
            self.shape_text = self.shape = array.shape
            value = array.value if isinstance(array, Literal) else array
        self.value = value
        self.structural = bool(structural)
        self.min, self.max = bounds
        self.semantics = semantics
        self.choices: tuple[str, ...] = ()
        """The words that a structural parameter can be; empty where it can be anything."""

    @property
    def is_direction(self) -> bool:
        """Declared as a dimensionless vector along an axis, [0, 0, 1]: one number for all elements is a mistake."""
        if not isinstance(self.value, np.ndarray) or self.value.ndim != 1 or self.value.size < 2:
            return False
        return np.count_nonzero(self.value) == 1 and self.unit.dimension == DIMENSIONLESS


class InstanceNumber(ParameterDecl):
    """A parameter that differs between all components of a model, elements of arrays included; see ir/model.py."""

    __slots__ = ()

    def __init__(self, description: str) -> None:
        super().__init__(0.0, None, description, structural=False, bounds=(None, None), shape=())


class VariableDecl(Declaration):
    """An unknown; `role` says how it takes part in connections."""

    __slots__ = ("attributes", "discrete", "initial_parameter", "literals", "role", "state", "type")

    def __init__(
        self, unit: str | None, description: str, shape: object, role: str, attributes: dict[str, Any], **kind: Any
    ) -> None:
        super().__init__(unit, description, shape)
        self.role = role
        self.attributes = {name: value for name, value in attributes.items() if value is not None}
        self.type: str = kind.get("type", "real")
        self.literals: tuple[str, ...] = kind.get("literals", ())
        self.discrete: bool = kind.get("discrete", self.type != "real")
        self.initial_parameter: bool = kind.get("initial_parameter", False)
        self.state: str = kind.get("state", "default")
        if not isinstance(self.state, str) or self.state not in STATES:
            raise LanguageError(
                "E123", f"state={self.state!r} is not one of {', '.join(STATES)}", location=self.location
            )

    def sized(self, shape: tuple[Any, ...]) -> VariableDecl:
        """The same declaration with another shape."""
        kind = {key: getattr(self, key) for key in ("type", "literals", "discrete", "initial_parameter", "state")}
        out = VariableDecl(self.unit.text, self.description, shape, self.role, self.attributes, **kind)
        out.location = self.location
        out.name = self.name
        return out

    def taken_from(self, modifier: VariableDecl, attribute: str, value: object) -> Any:
        """An attribute's value in a modifier, `v=tg.variable("mV", start=5)`, in the unit of this declaration."""
        if modifier.unit is NO_UNIT or attribute == "fixed" or isinstance(value, (Symbol, str)):
            return value
        if modifier.unit.dimension != self.unit.dimension and self.unit is not NO_UNIT:
            raise LanguageError(
                "E121",
                f"{attribute} of '{self.name}' is given in '{modifier.unit.text}', not in '{self.unit.text}'",
                location=modifier.location,
            )
        return self.unit.from_si(modifier.convert(value, f"{attribute} of '{self.name}'"))


class DeclaredPart(Symbol):
    """Some elements of a declared array."""

    __slots__ = ("chosen", "decl")

    def __init__(self, decl: Declaration, chosen: np.ndarray[Any, Any]) -> None:
        super().__init__("declared", (), chosen.shape)
        self.decl = decl
        self.chosen = chosen

    def picked(self, chosen: np.ndarray[Any, Any]) -> Symbol:
        """The elements numbered `chosen`, counted over these."""
        return DeclaredPart(self.decl, self.chosen.ravel()[chosen])

    def label(self) -> str:
        """The declared name and where in it."""
        return f"{self.decl.label()}[{', '.join(map(str, self.chosen.ravel().tolist()[:4]))}]"


@users_call
def parameter(
    value: object = None,
    unit: str | None = None,
    description: str = "",
    *,
    structural: bool = False,
    min: object = None,
    max: object = None,
    shape: object = (),
    semantics: str = "",
    fixed: bool = True,
    choices: Iterable[str] = (),
) -> Any:
    """Declare a parameter: a number in `unit`, a quantity text, an array or an expression of other parameters.

    A structural parameter may be any value; it is known while the model is built and may decide its structure. With
    `choices` it is one of these words, `tg.parameter("linear", choices=("linear", "quadratic"))`, and structural.
    `semantics` is a word for what it means ("torque_constant"): interfaces are compared by it. With `fixed=False` it is
    an unknown of the initialization, determined by initial equations, and constant afterwards; the value is a guess.
    """
    bounds = (min, max)
    if not fixed:
        attributes = {"start": value, "min": min, "max": max}
        return VariableDecl(unit, description, shape, "local", attributes, discrete=True, initial_parameter=True)
    words = tuple(choices)
    structural = structural or bool(words)
    declared = ParameterDecl(
        value, unit, description, structural=structural, bounds=bounds, shape=shape, semantics=semantics
    )
    declared.choices = words
    return declared


@users_call
def variable(
    unit: str | None = None,
    description: str = "",
    *,
    start: object = None,
    fixed: object = None,
    nominal: object = None,
    min: object = None,
    max: object = None,
    shape: object = (),
    **kind: Any,
) -> Any:
    """Declare an unknown. Further keywords: `state` (never ... always, state-selection preference), `discrete`.

    Given as a value, it modifies one: `Capacitor(v=tg.variable(start=1.0, fixed=True))`.
    """
    attributes = {"start": start, "fixed": fixed, "nominal": nominal, "min": min, "max": max}
    return VariableDecl(unit, description, shape, "local", attributes, **_checked(kind))


def _checked(kind: dict[str, Any]) -> dict[str, Any]:
    wrong = set(kind) - {"state", "discrete"}
    if wrong:
        raise LanguageError(
            "E101",
            f"variable() has no keyword '{min(wrong)}'",
            location=here(),
            advice="its keywords are: unit, description, start, fixed, nominal, min, max, shape, state, discrete",
        )
    return kind


@users_call
def integer(description: str = "", *, start: int = 0, shape: object = ()) -> Any:
    """Declare a discrete integer. A value that is not an integer is an error, before the run or at its event."""
    if np.asarray(start).dtype.kind == "f" and not np.array_equal(np.floor(start), start):
        raise LanguageError(
            "E177",
            f"an integer cannot start at {start}",
            location=here(),
            advice="give an integer, or declare a discrete real variable: tg.variable(discrete=True)",
        )
    return VariableDecl(None, description, shape, "local", {"start": start, "fixed": True}, type="integer")


@users_call
def boolean(description: str = "", *, start: bool = False, shape: object = ()) -> Any:
    """Declare a discrete Boolean."""
    return VariableDecl(None, description, shape, "local", {"start": float(start), "fixed": True}, type="boolean")


@users_call
def enumeration(
    choices: type[enum.Enum] | Sequence[str], description: str = "", *, start: enum.Enum | str | None = None
) -> Any:
    """Declare a discrete variable whose values are the members of a Python Enum, or names: ["off", "on"]."""
    members: list[Any] = list(choices)
    names = tuple(member.name if isinstance(member, enum.Enum) else str(member) for member in members)
    if start is not None and start not in members:
        raise LanguageError(
            "E179", f"the start {start!r} is none of {', '.join(names)}", location=here(), advice="take one"
        )
    attributes = {"start": float(members.index(start)) if start is not None else 0.0, "fixed": True}
    return VariableDecl(None, description, (), "local", attributes, type="enumeration", literals=names)


@users_call
def across(unit: str | None = None, description: str = "", *, start: object = None, shape: object = ()) -> Any:
    """Declare a connector variable that is equal for all connected (a potential)."""
    return VariableDecl(unit, description, shape, "across", {"start": start})


@users_call
def through(unit: str | None = None, description: str = "", *, start: object = None, shape: object = ()) -> Any:
    """Declare a connector variable that sums to zero (a flow), positive into the component."""
    return VariableDecl(unit, description, shape, "through", {"start": start})


@users_call
def stream(unit: str | None = None, description: str = "", *, start: object = None, shape: object = ()) -> Any:
    """Declare a property carried by the connector's flow; its value is that of an outflow."""
    return VariableDecl(unit, description, shape, "stream", {"start": start})


@users_call
def input(unit: str | None = None, description: str = "", *, default: object = None, shape: object = ()) -> Any:
    """Declare a signal that is computed elsewhere; `default` serves when nothing is connected."""
    return VariableDecl(unit, description, shape, "input", {"default": default})


@users_call
def output(unit: str | None = None, description: str = "", *, start: object = None, shape: object = ()) -> Any:
    """Declare a signal that this component computes."""
    return VariableDecl(unit, description, shape, "output", {"start": start})


def has_symbols(value: object) -> bool:
    """Whether a list (of lists ...) holds expressions."""
    return isinstance(value, (list, tuple)) and any(isinstance(v, Symbol) or has_symbols(v) for v in value)
