"""Snapshot: all variables and parameters at one instant, by path and in the declared units.

    now = solution.at(0.5)
    now["motor.i"], now["der(motor.i)"], now["motor.R"]

A mapping over the variables' names. That of a run also holds where the run stood, so that `simulate(..., initial=now)`
continues from there. `initial=dict(now)` starts another run from its values.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from tellegen.engine.readout.quantity import RecordedRows, displayed, quantity
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.parameter_and_start_vectors import parameters_by_path
from tellegen.engine.request.run_state import RunPoint, RunState
from tellegen.errors import LanguageError
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.sheet import Shown, Table

_SHOWN = 40


class Snapshot(Shown, RunPoint):
    """The values of a model at time `t`."""

    def __init__(
        self,
        model: ReducedModel,
        t: float,
        values: Consistent,
        parameters: FloatArray,
        run_state: RunState | None = None,
    ) -> None:
        self.run_state = run_state
        self.t = t
        self._reduced = model
        self._p = parameters  # in SI units, with inputs, flags and discrete values after the parameters
        self.unknowns, self.rates = values  # in SI units, in the order of the solver

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._reduced.flat.name

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by path, in their declared units."""
        return parameters_by_path(self._reduced.flat, self._p)

    @property
    def when(self) -> str:
        """Its instant in words."""
        return f"at t = {self.t:g} s"

    def __getitem__(self, path: str) -> Any:
        what = quantity(self._reduced, path)
        rows = RecordedRows(self._reduced, self.unknowns[None, :], lambda: self.rates[None, :], self._p, self._p)
        found = what.read(rows)
        values = what.unit.from_si(found if what.parameter else found[0]) + 0.0  # no -0
        return float(values) if values.ndim == 0 else values

    def __contains__(self, path: object) -> bool:
        try:
            return bool(quantity(self._reduced, str(path)))
        except LanguageError:
            return False

    def __iter__(self) -> Iterator[str]:
        return self._reduced.flat.variables.names()

    def __len__(self) -> int:
        return self._reduced.flat.variables.count

    def unit(self, path: str) -> str:
        """The unit a path is given in."""
        return quantity(self._reduced, path).unit.text

    def to_pandas(self, *paths: str) -> Any:
        """A DataFrame with one row for each variable: value, unit, description."""
        import pandas as pd

        described = {path: quantity(self._reduced, path) for path in paths or self}
        rows = [(path, self[path], what.unit.text, what.description) for path, what in described.items()]
        return pd.DataFrame(rows, columns=["name", "value", "unit", "description"]).set_index("name")

    def _title(self) -> str:
        return f"{type(self).__name__} of {self.name} {self.when}: {len(self)} variables"

    def _page(self) -> list[Table | str]:
        shown = [displayed(self._reduced, name) for name in islice(self, _SHOWN)]
        rows = [(what.name, f"{self[what.path]:.6g}", what.unit.text) for what in shown]
        left = len(self) - len(rows)
        return [Table(("variable", "value", "unit"), rows), f"... {left} more" if left else ""]
