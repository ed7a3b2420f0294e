"""Warn of unknowns that a run did not determine: where parts hold the same motion, one of them has all of the load.

Two brakes hold a shaft at rest. The shaft stays at rest however they share the torque, so the run continues with one of
the solutions (engine/runtime/algebra/block_newton.py: solve_singular); the torques are not to be believed.
"""

from __future__ import annotations

from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.errors import warn_user
from tellegen.ir.show.reduced_rows import variable_text

_SHOWN = 4


def warn_of_one_of_several(system: OdeSystem) -> None:
    """Name the unknowns of blocks that were singular in steps of a run, not in a round of an event alone."""
    if not system.count("shared"):
        return
    reduced = system.model.reduced
    tears = [place for solve in system.solves.values() if solve.is_shared for place in solve.step.tear_index.tolist()]
    values = [place for place in tears if place < len(system.y) and not reduced.is_derivative[place]]
    names = [variable_text(reduced, int(reduced.unknowns[place])) for place in values]
    shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
    warn_user(
        f"{reduced.flat.name}: in some modes the equations leave unknowns open, as where parts that hold the same "
        "motion share its load; one of the solutions was taken. The motion is determined, but these unknowns are not, "
        f"nor is what follows from them: {shown}"
    )
