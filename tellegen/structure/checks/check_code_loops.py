"""Check that no algebraic loop goes through code that says it must not be part of one.

    before    y == PI.outputs(u),  u == w - y          PI has in_loops = False
    after     the same, or an error that names the components around the loop

Other code in loops is solved for by Newton's method with difference quotients, sampled code by iteration at its
instants. The order of evaluation is found only for models with such a promise; ODE mode finds it again when somebody
asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tellegen.dataflow.code_loops import code_loops, functions_of, written_round
from tellegen.errors import StructureError
from tellegen.ir.expressions.expr import Function
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.reduced_rows import equation_location, equation_text
from tellegen.ir.show.statements import show_row
from tellegen.ir.source_location import SourceLocation
from tellegen.start.later import later
from tellegen.structure.ordering.order_blocks import order_blocks
from tellegen.structure.ordering.tear_blocks import tear_blocks

with later():
    from tellegen.structure.checks.instant_loops import instant_loops

_SHOWN = 6


def check_code_loops(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    if all(function.in_loops for function in functions_of(model, at_instants=True)):
        return model
    ordered = tear_blocks(order_blocks(model))
    for loop in code_loops(ordered):
        refusing = next((function for function in loop.functions if not function.in_loops), None)
        if refusing is not None:
            texts = [equation_text(model, row) for row in loop.rows]
            raise _refused(refusing, loop.components, texts, equation_location(model, loop.rows[0]))
    for found in instant_loops(ordered) if model.events is not None else ():
        texts = [show_row(model.flat, *statement) for statement in found.statements]
        group, row = found.statements[0]
        location = model.flat.tree.location(*group.owner(row))
        raise _refused(found.function, found.components, texts, location)
    return model


def _refused(
    function: Function, around: Sequence[str], texts: list[str], location: SourceLocation | None
) -> StructureError:
    more = [f"  ... and {len(texts) - _SHOWN} more"] if len(texts) > _SHOWN else []
    return StructureError(
        "E211",
        f"an algebraic loop goes through {function.name}, which declares in_loops = False: {written_round(around)}",
        location=location,
        details=["equations of the loop:", *(f"  {text}" for text in texts[:_SHOWN]), *more],
        advice="break it: compute the outputs of a block in it from its states alone (a filter, or a sampled block\n"
        "that outputs what it read one sample earlier), or allow the loop to be solved by iteration: in_loops = True",
    )
