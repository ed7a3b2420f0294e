"""Where the numbers of a controller stand in its C code.

pid.kp (parameter)        c->par.pid_kp            A[1,0] (parameter)        c->par.A[1][0]
pid.integral, before      c->state.pid_integral    anything else             a local, pid_error
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.exporters.controller.sample import Sample
from tellegen.exporters.source.identifiers import Scope, ascii_name, joined
from tellegen.ir import procedure as ir
from tellegen.ir.flat import Table
from tellegen.procedures.print_c import TAKEN
from tellegen.start.records import dataclass
from tellegen.units import describe

SECTIONS = {
    "in": "inputs: set them before each step",
    "out": "outputs: valid after each step",
    "par": "parameters: may be changed, see {name}_update",
    "fixed": "what follows from parameters",
    "state": "what the next step remembers",
}
RECORD = "c"


@dataclass(frozen=True)
class FieldOfRecord:
    """A member of a section: a number, or an array of them."""

    section: str
    name: str
    shape: tuple[int, ...]
    comment: str

    @property
    def declaration(self) -> str:
        """As it stands in the record."""
        return f"double {self.name}{''.join(f'[{size}]' for size in self.shape)};"


class CNames:
    """Names of all cells, and the record they are in."""

    def __init__(self, sample: Sample, name: str) -> None:
        self.sample = sample
        self.name = name
        self.fields: dict[tuple[str, int], FieldOfRecord] = {}  # by section and first scalar of the member
        self.scopes = {section: Scope(_spelled) for section in SECTIONS}
        self.locals = Scope(_spelled, (RECORD, "rounds"))
        self.places: dict[int, ir.Expr] = {}
        self.starts: dict[str, float] = {}
        self.temporaries = 0
        self._declare()

    @property
    def record(self) -> ir.Expr:
        """The argument of all functions."""
        return ir.Local(RECORD, ir.RecordOf(self.name))

    def _declare(self) -> None:
        sample = self.sample
        flat = sample.compiled.flat
        for variable, cell in sample.inputs.items():
            self.places[cell] = self._field("in", flat.variables, variable, sample.defaults.get(variable, 0.0))
        self.outputs = {
            variable: self._field("out", flat.variables, variable, sample.start(variable))
            for variable in sample.outputs
        }
        follows = set(sample.follows)
        read = {cell for each in (*follows, *sample.assigned) for cell in sample.rows.reads(each)}
        for cell in sorted(read | follows):
            if cell < flat.parameters.count:
                section = "fixed" if cell in follows else "par"
                self.places[cell] = self._field(section, flat.parameters, cell, float(sample.numbers[cell]))
        for cell, variable in sample.memory.items():
            self.places[cell] = self._field("state", flat.variables, variable, sample.start(variable))

    def _field(self, section: str, table: Table, index: int, start: float) -> ir.Expr:
        """The place of a scalar in the record."""
        _, _, _, element = table.locate(index)
        member = table.declaration(index)
        first = index - element
        if (section, first) not in self.fields:
            path = table.name(first).partition("[")[0] if member.shape else table.name(first)
            name = self.scopes[section].unique(path)
            self.fields[section, first] = FieldOfRecord(section, name, member.shape, _comment(member))
        made = self.fields[section, first]
        where = np.unravel_index(element, member.shape) if member.shape else ()
        text = f"{section}.{made.name}{''.join(f'[{int(k)}]' for k in where)}"
        self.starts[text] = start
        return ir.Field(self.record, text, ir.F64)

    def in_memory(self) -> tuple[str, ...]:
        """All numbers of the record in the order in which it holds them: in.u, par.A[0][1]."""
        found: list[str] = []
        for section in SECTIONS:
            for field in (each for each in self.fields.values() if each.section == section):
                for where in np.ndindex(*field.shape):
                    found.append(f"{section}.{field.name}{''.join(f'[{k}]' for k in where)}")
        return tuple(found)

    def local(self, cell: int) -> ir.Local:
        """A variable of the step."""
        return ir.Local(self.locals.unique(self.sample.cells.name(cell)), ir.F64)

    def temporary(self, kind: ir.Type) -> ir.Local:
        """One that has no name in the model."""
        self.temporaries += 1
        return ir.Local(self.locals.unique(f"t{self.temporaries}"), kind)


def _spelled(name: str) -> str:
    plain = ascii_name(joined(name))
    return f"{plain}_" if plain in TAKEN or not (plain[0].isalpha() or plain[0] == "_") else plain


def _comment(member: Any) -> str:
    """Unit and description; numbers are in SI units."""
    dimension = member.unit.dimension
    unit = describe(dimension) if dimension is not None and any(dimension) else ""
    text = ", ".join(part for part in (unit, member.description) if part)
    return text.replace("*/", "* /").replace("\n", " ")
