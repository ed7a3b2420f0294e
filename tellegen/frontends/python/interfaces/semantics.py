"""What an interface means beyond its ports and parameters: data that tools read, compare and write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tellegen.errors import BindingError, nearest, users_call
from tellegen.ir.source_location import SourceLocation, here
from tellegen.start.records import dataclass

SIGNS = {"+": "rises with", "-": "falls with", "?": "depends on"}


@dataclass(frozen=True)
class Proportionality:
    """A qualitative proportionality: `quantity` rises ("+"), falls ("-") or just depends ("?") with `cause`."""

    quantity: str
    sign: str
    cause: str

    def __str__(self) -> str:
        return f"{self.quantity} {SIGNS[self.sign]} {self.cause}"


@dataclass(frozen=True)
class Conversion:
    """A function of a component: what it requires at some ports to provide something at others."""

    requires: tuple[tuple[str, str], ...]  # port and quantity
    provides: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        sides = (", ".join(f"{what} at {port}" for port, what in side) for side in (self.requires, self.provides))
        return "requires {}, provides {}".format(*sides)


class Semantics:
    """Assumptions, qualitative proportionalities, functions, remarks and limited quantities of an interface.

    semantics = tg.Semantics(
        assumptions=["the shaft is rigid"],
        proportional=[("flange.tau", "+", "p.i")],
        functions=[{"requires": {"p": "current"}, "provides": {"flange": "torque"}},
                   {"requires": {"flange": "torque"}, "provides": {"p": "current"}}],  # alternatives
        limits={"current_max": "p.i", "voltage_max": "p.v - n.v"},  # what ratings of parts limit
    )
    """

    @users_call
    def __init__(
        self,
        assumptions: Iterable[str] = (),
        proportional: Iterable[tuple[str, str, str]] = (),
        functions: Iterable[Mapping[str, Mapping[str, str]]] = (),
        remarks: Iterable[str] = (),
        limits: Mapping[str, str] | None = None,
    ) -> None:
        try:
            self.assumptions = _words(assumptions)
            self.proportional = tuple(Proportionality(*_words(one)) for one in proportional)
            self.functions = tuple(_conversion(one) for one in functions)
            self.remarks = _words(remarks)
            self.limits = dict(zip(_words(limits or ()), _words((limits or {}).values()), strict=True))
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            what = f"tg.Semantics is given something else than words: {error}"
            advice = 'proportional=[("flange.tau", "+", "p.i")], functions=[{"requires": {"p": "current"}, ...}]'
            raise BindingError("E806", what, location=here(), advice=advice) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Semantics) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.assumptions, self.proportional, self.functions, self.remarks, *self.limits.items()))

    def __repr__(self) -> str:
        lines = [*self.assumptions, *map(str, self.proportional), *map(str, self.functions), *self.remarks]
        return f"<Semantics: {'; '.join(lines)}>" if lines else "<Semantics>"

    def check(self, owner: Any, location: SourceLocation) -> None:
        """E806 for signs, ports and quantities that the interface does not have."""
        info = owner._info
        for one in self.proportional:
            if one.sign not in SIGNS:
                what = f"{owner.__name__}: the sign of '{one.quantity}' over '{one.cause}' is {one.sign!r}"
                advice = 'use "+" (rises with), "-" (falls with) or "?" (depends on)'
                raise BindingError("E806", what, location=location, advice=advice)
            for path in (one.quantity, one.cause):
                _check_path(owner, path, location)
        for expression in self.limits.values():
            for path in QUANTITY.findall(expression):
                _check_path(owner, path, location)
        for function in self.functions:
            for port, _ in (*function.requires, *function.provides):
                if port not in info.ports and port not in info.variables:
                    hint = nearest(port, [*info.ports, *info.variables])
                    what = f"{owner.__name__}: a function names the port '{port}', which it does not have; {hint}"
                    advice = "functions require and provide quantities at ports of the interface"
                    raise BindingError("E806", what, location=location, advice=advice)


QUANTITY = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\[\d+\]|\.[A-Za-z_]\w*)*(?![\w.]|\s*\()")
"""Names of quantities in an expression such as `der(flange.phi) * p.i`; functions do not count."""


def _check_path(owner: Any, path: str, location: SourceLocation) -> None:
    head, _, member = path.partition(".")
    info = owner._info
    port = info.ports.get(head)
    known = [*info.order]
    if member and port is not None:
        known = [f"{head}.{name}" for name in port._info.order]
    if path not in known:
        what = f"{owner.__name__} has no quantity '{path}'; {nearest(path, known)}"
        advice = "name parameters, variables and quantities of ports: p.i, flange.tau"
        raise BindingError("E806", what, location=location, advice=advice)


def _words(given: Iterable[str]) -> tuple[str, ...]:
    """Several strings; a single one would be read letter by letter."""
    words = tuple(given)
    if isinstance(given, str) or not all(isinstance(word, str) for word in words):
        raise TypeError(f"{given!r} is not a list of strings")
    return words


def _conversion(given: Mapping[str, Mapping[str, str]] | Conversion) -> Conversion:
    if isinstance(given, Conversion):
        return given
    return Conversion(_pairs(given["requires"]), _pairs(given["provides"]))


def _pairs(side: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(zip(_words(side), _words(side.values()), strict=True))
