"""Several FMUs that a master steps, seen as one instance for Co-Simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.errors import FmuError
from tellegen.fmi.description import Value, Variable
from tellegen.importers.coupling.master import Link, Master, Method
from tellegen.importers.fmu.instances.instance import FmuInstance, Stepped
from tellegen.importers.fmu.quantities import Quantity
from tellegen.ir.source_location import SourceLocation

_EXCHANGES = 20  # while FMUs initialize


@dataclass(frozen=True)
class Place:
    """Where a variable of the whole stands: which part, and its variable there."""

    part: int
    variable: Variable


class CoupledPart:
    """An instance of an FMU for masters."""

    def __init__(self, instance: FmuInstance, inputs: Sequence[Quantity], outputs: Sequence[Quantity]) -> None:
        self.instance = instance
        self.inputs = inputs
        self.outputs = outputs

    def put(self, places: Sequence[int], values: Sequence[float]) -> None:
        """Set inputs."""
        for place, value in zip(places, values, strict=True):
            self.instance.set_values(self.inputs[place].variable, [value])

    def read(self) -> np.ndarray:
        """All outputs."""
        return np.array([self.instance.get_values(each.variable, 1)[0] for each in self.outputs])

    def step(self, t: float, h: float) -> bool:
        """From a time on; an FMU that returns early is asked to continue."""
        return self.instance.advance(t, t + h)

    def save(self) -> Any:
        """Its state, which lives until the next one is saved."""
        return self.instance.save_state()

    def restore(self, state: Any) -> None:
        """Back to a state."""
        self.instance.restore_state(state)


class CoupledInstance:
    """What FmuInstance is for one FMU."""

    handle = 1

    def __init__(
        self,
        name: str,
        parts: Sequence[CoupledPart],
        links: Sequence[Link],
        places: dict[int, Place],
        method: Method,
    ) -> None:
        self.name = name
        self.parts = parts
        self.places = places
        self.master = Master(parts, links, method, self._inaccurate)

    def _inaccurate(self) -> FmuError:
        return FmuError(
            "E527",
            f"{self.name}: no step is small enough for rtol={self.master.method.rtol:g}",
            location=SourceLocation(self.name, 0),
            advice="a larger rtol; outputs that jump inside a step cannot be followed",
        )

    def enter_initialization(self, start: float, tolerance: float | None) -> None:
        """Begin of initialization mode."""
        for part in self.parts:
            part.instance.enter_initialization(start, tolerance)

    def exit_initialization(self) -> None:
        """End of initialization mode: inputs and outputs agree."""
        before: list[np.ndarray] = []
        for _ in range(_EXCHANGES):
            self.master.exchange()
            now = self.master.reached.now
            if before and all(np.array_equal(a, b) for a, b in zip(before, now, strict=True)):
                break
            before = now
        for part in self.parts:
            part.instance.exit_initialization()
        self.master.begin()

    def advance(self, begin: float, end: float) -> bool:
        """Over a communication step."""
        return self.master.advance(begin, end - begin)

    def do_step(self, t: float, step: float) -> Stepped:
        """From one communication point to the next."""
        return Stepped(t + step, self.master.advance(t, step))

    def set_values(self, variable: Variable, values: Sequence[Value]) -> None:
        """Of one variable, all its elements."""
        place = self.places[variable.reference]
        self.parts[place.part].instance.set_values(place.variable, values)

    def get_values(self, variable: Variable, count: int) -> list[float]:
        """Of one numeric variable, all its elements."""
        place = self.places[variable.reference]
        return self.parts[place.part].instance.get_values(place.variable, count)

    def failed(self, name: str, status: int) -> FmuError:
        """A call that failed, as an error."""
        return self.parts[0].instance.failed(name, status)

    def free(self) -> None:
        """Give all instances back."""
        for part in self.parts:
            part.instance.free()
