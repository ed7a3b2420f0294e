"""What a run tells of its invariants: how far they drifted in a step, and whether the equations keep them at all."""

from __future__ import annotations

import warnings
from typing import Any

from tellegen.engine.loaded.invariant_projection import InvariantProjection
from tellegen.ir.show.reduced_rows import variable_text

_MOST = 0.25  # the part of the steps whose corrections may be large: after jumps and near singular positions


def count_projections(projection: InvariantProjection, stats: dict[str, Any]) -> None:
    """Enter the largest residual and the number of projections; warn of an invariant that is none."""
    record = projection.record
    count = record.get("count")
    stats["projections"] = stats.get("projections", 0) + count
    stats["drift"] = max(stats.get("drift", 0.0), record.get_double("drift"))
    if record.get("large_count") > max(_MOST * count, 2):
        model = projection.system.model.reduced
        assert model.invariants is not None
        row = projection.components.rows[record.get("drifted")]
        name = variable_text(model, int(model.invariants.residual[row]))
        warnings.warn(
            f"{model.flat.name}: the equations do not keep the invariant '{name}' zero: projection moved the states by "
            f"up to {record.get_double('largest'):.0f} times their tolerances in a step; "
            "check that its residual is constant along solutions, and its derivatives",
            stacklevel=2,
        )
