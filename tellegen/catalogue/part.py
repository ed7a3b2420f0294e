"""A realized part: an interface with fixed parameters, the limits of the part, and where the numbers come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field, replace
from typing import Any

from tellegen.catalogue.interfaces_by_name import family_name, interface_named, is_interface
from tellegen.catalogue.quantity import ONE, Quantity, converted, is_number, read_quantity
from tellegen.errors import BindingError, nearest
from tellegen.ir.source_location import SourceLocation, here
from tellegen.sheet import Shown, Table
from tellegen.units import parse_unit


@dataclass(frozen=True, repr=False)
class Part(Shown):
    """A part that can be bought, or a realized component of one's own.

    `parameters` are values of the interface's parameters in their declared units; `limits` are ratings and other facts
    (torque_max, mass) in the units they were stated in. `tg.bind(system, {"motor": part})` is a system with the part.
    Numbers may be given with a unit, "2.4 ohm"; a parameter without one is in the declared unit.
    """

    name: str
    interface: Any  # the class; its name where there is not a class of this name
    parameters: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, Any] = field(default_factory=dict)
    implementation: str | None = None
    source: str = ""
    date: str = ""
    tags: tuple[str, ...] = ()
    location: InitVar[SourceLocation | None] = None  # what errors refer to, if not the caller

    def __post_init__(self, location: SourceLocation | None) -> None:
        place = location or here()
        _check_form(self, place)
        interface = _interface(self, place)
        _check_implementation(self, interface, place)
        parameters = {name: _parameter(self, interface, name, place) for name in self.parameters}
        limits = {
            name: read_quantity(given, place, f"'{name}' of '{self.name}'") for name, given in self.limits.items()
        }
        normal = {"interface": interface, "parameters": parameters, "limits": limits, "tags": tuple(self.tags)}
        for name, value in normal.items():
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return hash((self.name, self.family))

    @property
    def family(self) -> str:
        """The name of the interface in catalogues."""
        return family_name(self.interface)

    def using(self, implementation: str | None) -> Part:
        """The same part with another implementation of its interface: `motor.using("friction")`."""
        return replace(self, implementation=implementation, location=here())

    def quantity(self, name: str) -> Quantity:
        """A parameter or limit with its unit."""
        if name in self.limits:
            return self.limits[name]
        value = self.parameters.get(name)
        if isinstance(value, Quantity):
            return value
        if not is_number(value):
            numbers = [*(one for one, given in self.parameters.items() if is_number(given)), *self.limits]
            raise BindingError(
                "E828", f"{self.name} has no quantity '{name}'; {nearest(name, numbers)}", location=here()
            )
        return Quantity(float(value), parameters_of(self.interface)[name].unit.text or ONE)  # type: ignore[arg-type]

    def _title(self) -> str:
        bound = f", {self.implementation}" if self.implementation else ""
        return f"{self.name} ({self.family}{bound})"

    def _page(self) -> list[Table | str]:
        numbers = {name: self.quantity(name) for name in self.parameters if is_number(self.parameters[name])}
        shown = {**self.parameters, **numbers, **self.limits}
        read = f", read {self.date}" if self.date else ""
        origin = f"source: {self.source}{read}" if self.source else ""
        tags = f"tags: {', '.join(self.tags)}" if self.tags else ""
        return [Table(("", ""), [(name, str(value)) for name, value in shown.items()]), tags, origin]


def parameters_of(interface: Any) -> dict[str, Any]:
    """The declared parameters of an interface, structural ones included, by name."""
    return {**interface._info.structural, **interface._info.parameters}


def _is_text(given: Any) -> bool:
    return isinstance(given, str)


def _is_table(given: Any) -> bool:
    return isinstance(given, Mapping) and all(map(_is_text, given))


def _is_list_of_text(given: Any) -> bool:
    return isinstance(given, list | tuple) and all(map(_is_text, given))


_FORMS = {
    "name": (lambda given: _is_text(given) and given.strip(), "a string that is not empty"),
    "parameters": (_is_table, "a dict of values by name"),
    "limits": (_is_table, "a dict of numbers with units by name"),
    "implementation": (lambda given: given is None or _is_text(given), "the name of an implementation, or None"),
    "source": (_is_text, "a string"),
    "date": (_is_text, "a string"),
    "tags": (_is_list_of_text, "a list of strings"),
}


def _check_form(part: Part, location: SourceLocation) -> None:
    """E821 for an argument of another type; data may come from anywhere."""
    for name, (fits, expected) in _FORMS.items():
        given = getattr(part, name)
        if not fits(given):
            what = f"'{name}' of a part is {expected}, not {given!r}"
            advice = "tg.Part('my motor', MotorInterface, {'R': '2.4 ohm'}, {'mass': '130 g'}, source='data sheet')"
            raise BindingError("E821", what, location=location, advice=advice)


def _interface(part: Part, location: SourceLocation) -> Any:
    if isinstance(part.interface, str):
        return interface_named(part.interface) or part.interface
    if is_interface(part.interface):
        return part.interface
    what = f"the interface of the part '{part.name}' is {part.interface!r}"
    advice = "a class that derives from tg.Interface, or its name"
    raise BindingError("E821", what, location=location, advice=advice)


def _check_implementation(part: Part, interface: Any, location: SourceLocation) -> None:
    if part.implementation is None or isinstance(interface, str):
        return
    known = interface.implementations
    if part.implementation not in known:
        what = f"the part '{part.name}' is bound to '{part.implementation}', which {interface.__name__} does not have"
        raise BindingError("E830", what, location=location, advice=nearest(part.implementation, known))


def _parameter(part: Part, interface: Any, name: str, location: SourceLocation) -> Any:
    """A parameter in the unit the interface declares; E830 for one it does not have or that cannot be converted."""
    given = part.parameters[name]
    if isinstance(interface, str):
        return _quantity(part, name, given, location) if is_number(given) else _frozen(given)
    known = parameters_of(interface)
    if name not in known:
        what = f"the part '{part.name}' sets '{name}', which is not a parameter of {interface.__name__}"
        advice = f"{nearest(name, known)}; ratings belong to limits"
        raise BindingError("E830", what, location=location, advice=advice)
    declared = known[name].unit
    if isinstance(given, str) and not is_number(given) and name in interface._info.parameters:
        what = f"'{name}' of '{part.name}' is {given!r}, not a number with a unit"
        advice = f"{interface.__name__} declares it in '{declared.text or 'no unit'}'; words belong to the tags"
        raise BindingError("E822", what, location=location, advice=advice)
    if not is_number(given):
        return _frozen(given)
    quantity = _quantity(part, name, given, location)
    if declared.dimension is None or not isinstance(given, str | Quantity):
        return quantity.value
    stated = parse_unit(quantity.unit)
    if stated.dimension != declared.dimension:
        what = f"'{name}' of '{part.name}' is {quantity}, which cannot be converted to '{declared.text}'"
        advice = f"{interface.__name__} declares it in '{declared.text}'"
        raise BindingError("E830", what, location=location, advice=advice)
    return converted(quantity.value, stated, declared)


def _quantity(part: Part, name: str, given: Any, location: SourceLocation) -> Quantity:
    return read_quantity(given, location, f"'{name}' of '{part.name}'")


def _frozen(given: Any) -> Any:
    return tuple(map(_frozen, given)) if isinstance(given, list | tuple) else given
