"""Whether a run fulfils a requirement, and what decides over it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """The margin of a requirement (in the units of its deciding condition) and the instant that decides; print it."""

    name: str
    margin: float
    at: float | None  # None: it holds whatever happens, or never
    condition: str

    @property
    def holds(self) -> bool:
        """Whether the run fulfils it."""
        return self.margin >= 0.0

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        if self.at is None and self.margin > 0.0:
            return f"{self.name}: holds, because nothing happened that it is about"
        word = "holds" if self.holds else "VIOLATED"
        where = "" if self.at is None else f", decided by '{self.condition}' at t = {self.at:.6g}"
        return f"{self.name}: {word} by {abs(self.margin):.4g}{where}"
