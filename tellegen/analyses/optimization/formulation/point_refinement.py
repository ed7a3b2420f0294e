"""Output points of the runs of a search: as many as its curves need, the same for all runs.

Performance functions are computed from splines through the output points (performance/response.py). Where a curve is
too fast for those there are, points are added for this run and all later ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.analyses.optimization.formulation.driven_model import DrivenModel
from tellegen.analyses.performance.response import Response
from tellegen.engine.request.run_options import Options
from tellegen.errors import warn_user
from tellegen.ir.model import FloatArray

ROUNDS = 12
"""After so many runs more points do not help."""
_MOST = 20_000


class PointRefinement:
    """`points` are times or their number; parts of the run where inputs are driven (driven_model.py).

    `tolerance` is the error of curves between the points, relative to their largest values.
    """

    def __init__(self, options: Options, driven: DrivenModel, tolerance: float = 1e-6) -> None:
        self.start = options.start
        self.stop = options.stop
        self.driven = driven
        self.tolerance = tolerance
        self._first: Any = driven.first_points(options.points)
        self.points: Any = self._first
        self._warned: set[str] = set()

    def begin_again(self) -> None:
        """With the points asked for: those added for fast curves elsewhere are not needed any more."""
        self.points = self._first

    def times(self, end: float | None) -> Any:
        """As a run takes them; `end` is when it ends, where that is searched."""
        return self.driven.from_parts(self.points, end)

    def add_for_events(self, response: Response) -> bool:
        """Many events, or an end long before `stop`, need many points: those that are filled in are less exact."""
        if self.driven.drives or self.driven.free_end:
            return False  # whose points are even in all pieces
        part = (response.stop.value - response.start.value) / (self.stop - self.start)
        wanted = min(int(response.enough() / part), _MOST)
        if wanted <= (self.points if isinstance(self.points, int) else len(self.points)):
            return False
        self.points = np.linspace(self.start, self.stop, wanted)
        return True

    def add_for_curves(self, response: Response, end: float | None, last: bool) -> bool:
        """Points where the curves that were read are too fast; with `last`, or when there are too many, a warning."""
        finer = response.finer()
        if finer is None:
            return False
        if last or len(finer) > _MOST:
            self._warn_of_rough(response)
            return False
        self.points = self.driven.to_parts(self._to_the_end(finer, end), end)
        return True

    def _to_the_end(self, points: FloatArray, end: float | None) -> FloatArray:
        """More points of a run that ended itself, with those after its end: the next run may be longer."""
        if self.driven.free_end or points[-1] >= self.stop:
            return points
        before = self.times(end)
        if isinstance(before, int):
            before = np.linspace(self.start, self.stop, before)
        before = np.asarray(before, float)
        return np.concatenate([points[:-1], before[(before > points[-1]) & (before < self.stop)], [self.stop]])

    def _warn_of_rough(self, response: Response) -> None:
        """Signals that more points do not make smooth, once each."""
        for path in response.rough.keys() - self._warned:
            self._warned.add(path)
            when = response.rough[path].min()
            warn_user(
                f"'{path}' is not smooth near t = {when:.4g}, where the model has no event: values and gradients that "
                "depend on it may be wrong"
            )
