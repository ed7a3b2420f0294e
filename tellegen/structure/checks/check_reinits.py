"""Check that what is reinitialized is a state: anything else follows from the states, and a new value would be lost.

v == 2*x, der(x) == 1, when ...: reinit(v, 0)      E293: v follows from x
"""

from __future__ import annotations

import numpy as np

from tellegen.errors import StructureError
from tellegen.ir.events import REINIT
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.reduced_rows import variable_text
from tellegen.ir.show.statements import show_row


def check_reinits(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    if model.events is None:
        return model
    actions = model.events.actions
    mine = np.flatnonzero(actions.verb == REINIT)
    position = model.position[actions.target[mine]]
    wrong = mine[(position < 0) | ~model.is_state[position]]
    if not len(wrong):
        return model
    name = variable_text(model, int(actions.target[wrong[0]]))
    source, row = model.events.sources[int(actions.when[wrong[0]])]
    when = model.flat.whens[source]
    raise StructureError(
        "E293",
        f"'{name}' cannot be reinitialized: it is not a state of this model, but computed from the states",
        location=when.template.location,
        details=[show_row(model.flat, when, row)],
        advice=f"reinit a state it is computed from (compiled.report() lists them), or make it one: "
        f"tg.variable(..., state='always') for '{name}'",
    )
