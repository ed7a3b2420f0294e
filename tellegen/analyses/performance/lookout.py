"""When many runs of one model are measured, in which of them peaks between points are looked for.

Looking takes longer than a short run. So it is done in the first run, the second, the fourth, the eighth, ... and, once
there were such peaks, in all of them. Requirements are always judged with all that the run does.
"""

from __future__ import annotations

from collections.abc import Sequence

from tellegen.analyses.performance.expression import Performance, shown
from tellegen.analyses.performance.response import Response


class Lookout:
    """Counts the runs of a search."""

    def __init__(self) -> None:
        self.runs = 0
        self.has_peaks = False

    def shown(self, functions: Sequence[Performance], response: Response) -> Response:
        """A run with points enough, as far as it is looked into."""
        self.runs += 1
        is_power_of_two = not self.runs & (self.runs - 1)
        everything = self.has_peaks or is_power_of_two
        asked = [each for each in functions if everything or each.required is not None]
        seen = shown(asked, response) if asked else response
        self.has_peaks |= seen is not response
        return seen
