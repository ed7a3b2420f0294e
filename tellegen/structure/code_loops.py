"""Check that no algebraic loop goes through code that says it must not be part of one.

    before    y == PI.outputs(u),  u == w - y          PI has in_loops = False
    after     the same, or an error that names the components around the loop

Other code in loops is solved for by Newton's method with difference quotients. The order of evaluation is found only
for models with such a promise; ODE mode finds it again when somebody asks for it.
"""

from __future__ import annotations

from tellegen.errors import StructureError
from tellegen.ir.code_loops import code_loops, functions_of
from tellegen.ir.show_sorted import equation_place, equation_text
from tellegen.ir.sorted import SortedModel
from tellegen.structure.blocks import order_blocks
from tellegen.structure.tearing import tear_blocks

_SHOWN = 6


def check_code_loops(model: SortedModel) -> SortedModel:
    """See the top of this file."""
    if all(function.in_loops for function in functions_of(model)):
        return model
    for loop in code_loops(tear_blocks(order_blocks(model))):
        refusing = next((function for function in loop.functions if not function.in_loops), None)
        if refusing is not None:
            shown = [f"  {equation_text(model, row)}" for row in loop.rows[:_SHOWN]]
            more = [f"  ... and {len(loop.rows) - _SHOWN} more"] if len(loop.rows) > _SHOWN else []
            raise StructureError(
                "E211",
                f"an algebraic loop goes through {refusing.name}, which says in_loops = False: {loop}",
                place=equation_place(model, loop.rows[0]),
                details=["equations of the loop:", *shown, *more],
                advice="break it: compute the outputs from states alone, put a filter or a delay (a sampled block)\n"
                "into the loop, or allow it to be solved by Newton's method: in_loops = True",
            )
    return model
