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
        where = f" in {self.component}" if self.component else ""
        end = f" until t = {self.until:g}" if self.until is not None else ""
        seen = ", ".join([*self.values, f"not {self.condition}"])
        return f"at t = {self.time:g}{where}: {self.message} ({seen}){end}"
