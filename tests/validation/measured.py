"""What every validation test shares: an error is compared with its tolerance and, when asked, written down.

`python tests/validation/report.py` runs all of them and writes the figures into docs/validation.md.
"""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from tellegen.engine.request.run_options import SOLVERS

ALL = [solver for solver in SOLVERS if solver != "auto"]
"""Every integrator there is: for smooth problems that are not stiff."""

STIFF = [solver for solver in ALL if solver != "rk45"]
"""Those for stiff problems: an explicit method would take millions of steps."""

DAE = [solver for solver in ALL if solver == "ida"]
"""Those that take algebraic equations as they are."""


def within(case: str, error: Any, tolerance: float, against: str, solver: str = "auto") -> None:
    """`error` (its largest absolute entry) is at most `tolerance`; `against` says what it is the error to."""
    largest = float(np.max(np.abs(error), initial=0.0))
    if path := os.environ.get("TELLEGEN_VALIDATION"):
        row = {"case": case, "error": largest, "tolerance": tolerance, "against": against, "solver": solver}
        row["module"] = os.environ["PYTEST_CURRENT_TEST"].split("::")[0].rsplit("/", 1)[-1].removesuffix(".py")
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
    assert largest <= tolerance, f"{case}: error {largest:.3g} is above {tolerance:.3g} (against {against})"


def relative(value: Any, reference: Any) -> Any:
    """(value - reference) / |reference|, entry by entry."""
    reference = np.asarray(reference, float)
    return (np.asarray(value, float) - reference) / np.abs(reference)
