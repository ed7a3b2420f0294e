"""Values asked for by `initial=` that the run does not start from.

Only states can be given: the equations determine the rest. The value of another variable is where Newton's method
begins, which is what it is meant for if the equations have several solutions; whoever means more must hear that it is
not so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.engine.readout.quantity import columns
from tellegen.engine.request.parameter_and_start_vectors import si_values
from tellegen.engine.request.path_lookup import find
from tellegen.errors import warn_user

if TYPE_CHECKING:
    from tellegen.engine.results.solution import Solution

_NEAR = 1e-4
"""Initial values this near to those asked for need no word: the constraints between states are solved numerically."""


def tell_guesses(solution: Solution, initial: Mapping[str, Any]) -> None:
    """Warn of every path whose first value is another one than asked for."""
    model = solution._reduced
    for path, value in initial.items():
        selection = find(model.flat, path)
        if model.flat.tangents is not None and selection.member.name == "tangent":
            continue  # of a guess: what it starts at follows from the equations, like the guess itself
        position = model.position[model.representative[selection.indices]]
        if (position >= 0).all() and (model.is_state[position] & ~model.is_tied[position]).all():
            continue  # states start at their given values
        asked = np.broadcast_to(si_values(selection, value), selection.indices.shape).ravel()
        where = columns(model, selection.indices.ravel())
        found = where.read(solution.unknowns[:1], None, solution._p)[0]
        off = np.flatnonzero(~np.isclose(found, asked, rtol=_NEAR, atol=1e-9))
        if not len(off):
            continue
        k = off[0]
        unit = selection.member.unit
        name = model.flat.variables.name(int(selection.indices.ravel()[k]))
        first, wanted = (f"{unit.from_si(x[k]):.6g} {unit.text}".rstrip() for x in (found, asked))
        text = (
            f"'{name}' starts at {first}, not at the {wanted} of initial=: the equations determine it from the states, "
            "so the value was only an initial guess. To start there, give initial values "
            "of the states (compiled.report() lists "
            "them), or declare it with start=... and fixed=True"
        )
        warn_user(text)
