"""What derivatives cannot see: functions that keep what they are given, and act by it when others are called later.

An FMU gets its parameters once, when a run begins, and its discrete state belongs to itself. No derivative of what it
computes afterwards by these is known. To take it for zero would be wrong, so that it is an error.
"""

from __future__ import annotations

from typing import Any

from tellegen.dataflow.code_loops import functions_of
from tellegen.errors import DesignError, NumericError
from tellegen.ir.expressions.expr import Apply, Slot, walk
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here

_ADVICE = "vary what is outside of it, or take differences of runs: tg.study(model, tg.grid({'pump.R': [0.99, 1.01]}))"
_NAMED = "name it where the FMU is read, if it is tunable: tg.read_fmu(..., sensitivities=['R'])"
_TANGENTS = ("tangent", ")/d(")
"""How tangents of discrete variables and of others are called in messages."""


def refuse_kept_parameters(flat: FlatModel, moved: FloatArray) -> None:
    """Raise E647 where a parameter that is moved (not zero in `moved`) is given to a function that keeps it."""
    for group in flat.initial_equations:
        for call in group.template.nodes:
            if not (isinstance(call, Apply) and call.function.keeps_arguments):
                continue
            kept = call.args[: len(call.args) - call.function.labels]
            slots = {node.index for node in walk(*kept) if isinstance(node, Slot)}
            for slot in slots:
                if group.template.slots[slot].parameter:
                    _refuse(flat, group.bindings[:, slot], moved)


def _refuse(flat: FlatModel, parameters: Any, moved: FloatArray) -> None:
    for index in parameters.tolist():
        if moved[index].any():
            name = flat.parameters.name(index)
            what = f"derivatives with respect to '{name}' are not known: an FMU keeps its parameters to itself"
            raise DesignError("E647", what, location=here(), advice=f"{_NAMED}, or {_ADVICE}")


def of_events(model: ReducedModel, error: NumericError) -> DesignError | None:
    """The error of a run whose tangents were not numbers, in words, where a function has kept what it was given."""
    first = error.message.partition("\n")[0]
    said = [first, *(line for line in error.details if line.rstrip().endswith("= nan"))]
    if not any(name in line for line in said for name in _TANGENTS):
        return None
    if not any(function.keeps_arguments for function in functions_of(model, at_instants=True)):
        return None
    what = (
        f"{model.flat.name}: an event of an FMU, or a step of its Co-Simulation, has changed values in a way that no "
        "derivative is known of"
    )
    return DesignError("E647", what, location=here(), details=(first,), advice=_ADVICE)
