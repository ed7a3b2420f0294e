"""What is said of a run with sensitivities, with names for tangents: tangent[13] is d(l.i)/d(r.R)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tellegen.engine.explained.limits import Limiter
from tellegen.engine.explained.run_explanation import RunExplanation
from tellegen.errors import TellegenError
from tellegen.ir.flat import FlatModel
from tellegen.ir.show.reduced_rows import variable_location

_TANGENT = re.compile(r"tangent\[\d+\]")


@dataclass(frozen=True, eq=False)
class TangentNames:
    """The tangents of an augmented model by name: the variable and the design variable that each belongs to."""

    flat: FlatModel
    wrt: Sequence[str]
    pairs: dict[str, tuple[int, int]]

    @staticmethod
    def of(flat: FlatModel, position: Any, wrt: Sequence[str]) -> TangentNames:
        """From the positions of tangents, by variables and design variables."""
        name = flat.variables.name
        rows, columns = (position >= 0).nonzero()
        found = zip(rows.tolist(), columns.tolist(), strict=True)
        return TangentNames(flat, wrt, {name(int(position[v, j])): (v, j) for v, j in found})

    def explained(self, run: RunExplanation) -> RunExplanation:
        """The explanation with these names."""
        limiters = tuple(map(self._limiter, run.limits.limiters))
        advice = tuple(map(self._text, run.advice))
        return replace(run, limits=replace(run.limits, limiters=limiters), advice=advice)

    def put_into(self, error: TellegenError) -> None:
        """Let an error of such a run speak of these names."""
        error.message = self._text(error.message)
        error.details = tuple(map(self._text, error.details))
        error.advice = self._text(error.advice)
        error.args = (error.code, error.message)

    def _limiter(self, limiter: Limiter) -> Limiter:
        found = _TANGENT.search(limiter.name)
        pair = self.pairs.get(found[0]) if found else None
        if pair is None:
            return limiter
        location = variable_location(self.flat, pair[0])
        return replace(limiter, name=self._text(limiter.name), location=location)

    def _text(self, text: str) -> str:
        return _TANGENT.sub(self._name, text)

    def _name(self, found: re.Match[str]) -> str:
        pair = self.pairs.get(found[0])
        return found[0] if pair is None else f"d({self.flat.variables.name(pair[0])})/d({self.wrt[pair[1]]})"
