"""Why a network is singular, in the words of networks: a loop of across drivers or a cut-set of through drivers.

    v1.v == 5 and v2.v == 6 on the same two nodes    ->   v1 and v2 form a loop: both fix the same potentials
    i1.i == 5 and i2.i == 6 in series                ->   i1 and i2 form a cut-set: both fix the same flow

Read off the equations in conflict: the components they belong to, and whether what they fight over is (an alias of, or
a difference of) potentials or flows of connectors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.dataflow.code_loops import component_of
from tellegen.errors import StructureError
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.reduced_rows import equation_location

_SHOWN = 8
TAKE_OUT = "remove one of them, or insert a spring, a damper, a resistance, ... between them"


def network_error(model: ReducedModel, rows: Any, columns: Any, details: list[str]) -> StructureError | None:
    """The error for a conflict of drivers, None when the conflict is of another sort."""
    components = components_of(model, rows)
    across, through = _roles(model, columns)
    if len(components) < 2 or across == through:
        return None
    names = _names(components)
    location = next(filter(None, (equation_location(model, int(row)) for row in rows)), None)
    if across:
        return StructureError(
            "E207",
            f"{names} form a loop of across drivers: together they fix the same potentials more than once",
            location=location,
            details=details,
            advice="remove one of them, or put a resistance (a spring, a conductor, ...) in series with it",
            about=components,
        )
    return StructureError(
        "E208",
        f"{names} form a cut-set of through drivers: together they fix the same flow more than once",
        location=location,
        details=details,
        advice="remove one of them, or connect a resistance (a damper, a capacitance, ...) in parallel to it",
        about=components,
    )


def repeated(model: ReducedModel, lonely: Any, involved: Any) -> str:
    """Which components say the same, as half a sentence; empty when it is not a matter between components.

    Equations without an unknown are set against those in conflict that were written by the same class, if any.
    """
    sources = {_statement(model, row) for row in lonely}
    alike = [row for row in involved if _statement(model, row) in sources]
    components = components_of(model, [*(alike or involved), *lonely])
    if len(components) < 2:
        return ""
    return f"{_names(components)} determine the same quantities more than once"


def _statement(model: ReducedModel, row: Any) -> tuple[str, int]:
    """What the rows of one statement have in common."""
    origin = model.origin(int(row))
    return origin.kind, origin.number


def _names(components: list[str]) -> str:
    more = len(components) - _SHOWN
    return ", ".join(components[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def components_of(model: ReducedModel, rows: Any) -> list[str]:
    """The components whose equations these are."""
    found: dict[str, None] = {}
    for row in np.asarray(rows).tolist():
        component = component_of(model, int(row))
        if component and component != model.flat.name:
            found.setdefault(component)
    return list(found)


def _roles(model: ReducedModel, columns: Any) -> tuple[bool, bool]:
    """Whether potentials, and whether flows, of connectors are among the variables fought over or their aliases."""
    fought = np.zeros(model.variable_count, bool)
    fought[model.unknowns[columns]] = True
    members = np.flatnonzero(fought[model.representative])
    roles = {model.flat.variables.declaration(int(v)).role for v in members[:1000]}
    return "across" in roles, "through" in roles
