"""What a run warns of: an entry of Solution.warnings."""

from __future__ import annotations

from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class Warned:
    """An entry of Solution.warnings: from when until when a condition did not hold, and what it saw at first."""

    time: float
    until: float | None  # None: to the end of the run
    component: str
    message: str
    condition: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        end = f" until t = {self.until:g}" if self.until is not None else ""
        return self.told(f"at t = {self.time:g}") + end

    def told(self, at: str) -> str:
        """It in words, with where it was seen."""
        where = f" in {self.component}" if self.component else ""
        seen = ", ".join([*self.values, f"not {self.condition}"])
        return f"{at}{where}: {self.message} ({seen})"
