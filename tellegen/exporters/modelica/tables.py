"""Tables as Modelica functions: a search for the segment and a polynomial, with its derivative as a second function.

A table of two arguments searches along both. Functions are named after what made the table: interpolate, interpolate_2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.exporters.modelica.lexical import number
from tellegen.exporters.source.identifiers import Scope, joined
from tellegen.ir.expressions.table import Table


class TableFunctions:
    """The tables of a package, each written once."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.names: dict[Table, str] = {}

    def name(self, table: Table) -> str:
        """The name of the function of a table."""
        if table not in self.names:
            self.names[table] = self.scope.unique(joined(table.name.replace("'", "_slope")))
        return self.names[table]

    def texts(self) -> list[list[str]]:
        """The functions as lines, those of the derivatives included."""
        written: list[list[str]] = []
        asked = list(self.names)
        for table in asked:
            slopes = [table.slope(axis) for axis in range(len(table.breaks))]
            called = [None if slope.is_zero else self.name(slope) for slope in slopes]
            derivative = self.scope.unique(f"{self.names[table]}_der")
            written.append(_function(table, self.names[table], derivative))
            written.append(_derivative(len(table.breaks), derivative, called))
        written += [_function(table, self.names[table], "") for table in list(self.names)[len(asked) :]]
        return written


def array_text(values: Any) -> str:
    """Nested braces."""
    if np.ndim(values) == 0:
        return number(float(values))
    return "{" + ", ".join(array_text(value) for value in values) + "}"


def _arguments(count: int) -> list[str]:
    return ["u"] if count == 1 else [f"u{k + 1}" for k in range(count)]


def _function(table: Table, name: str, derivative: str) -> list[str]:
    inputs = _arguments(len(table.breaks))
    powers = table.coefficients.shape[len(table.breaks) :]
    lines = [f'function {name} "Piecewise polynomial"']
    lines += [f"  input Real {name};" for name in inputs]
    lines += ["  output Real y;", "protected"]
    for k, breaks in enumerate(table.breaks):
        lines.append(f"  constant Real breaks{k + 1}[{len(breaks)}] = {array_text(breaks)};")
    sizes = ", ".join(str(size) for size in table.coefficients.shape)
    lines.append(f"  constant Real c[{sizes}] = {array_text(table.coefficients)};")
    for k in range(len(inputs)):
        lines += [f"  Integer s{k + 1};", f"  Real d{k + 1};"]
    if len(inputs) == 2:
        lines.append("  Real part;")
    lines.append("algorithm")
    for k, argument in enumerate(inputs, 1):
        lines += [
            f"  s{k} := 1;",
            f"  for k in 1:{len(table.breaks[k - 1])} loop",
            f"    if {argument} >= breaks{k}[k] then",
            f"      s{k} := k + 1;",
            "    end if;",
            "  end for;",
            f"  d{k} := {argument} - breaks{k}[max(s{k} - 1, 1)];",
        ]
    lines += _one_argument(powers[0]) if len(inputs) == 1 else _two_arguments(powers)
    if derivative:
        lines.append(f"  annotation(derivative = {derivative});")
    return [*lines, f"end {name};"]


def _one_argument(powers: int) -> list[str]:
    return [
        f"  y := c[s1, {powers}];",
        f"  for k in 1:{powers - 1} loop",
        f"    y := y*d1 + c[s1, {powers} - k];",
        "  end for;",
    ]


def _two_arguments(powers: tuple[int, ...]) -> list[str]:
    first, second = powers
    return [
        "  y := 0.0;",
        f"  for i in 1:{first} loop",
        f"    part := c[s1, s2, {first} + 1 - i, {second}];",
        f"    for k in 1:{second - 1} loop",
        f"      part := part*d2 + c[s1, s2, {first} + 1 - i, {second} - k];",
        "    end for;",
        "    y := y*d1 + part;",
        "  end for;",
    ]


def _derivative(count: int, name: str, slopes: list[str | None]) -> list[str]:
    inputs = _arguments(count)
    listed = ", ".join(inputs)
    terms = [
        f"{slope}({listed})*der_{argument}" for slope, argument in zip(slopes, inputs, strict=True) if slope is not None
    ]
    return [
        f"function {name}",
        *(f"  input Real {argument};" for argument in inputs),
        *(f"  input Real der_{argument};" for argument in inputs),
        "  output Real der_y;",
        "algorithm",
        f"  der_y := {' + '.join(terms) or '0.0'};",
        f"end {name};",
    ]
