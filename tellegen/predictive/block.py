"""The controller as a sampled part of a model: inputs are the states of the plant and references, outputs its inputs.

control.position, control.reference_position, ...  ->  control.force
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.engine.readout.quantity import quantity
from tellegen.predictive.planner import Planner

_REFERENCE = "reference_"


def name_of(path: str) -> str:
    """A path as a name: 'cart.body[2].s' is cart_body_2_s."""
    return path.replace("].", "_").replace("[", "_").replace("]", "").replace(".", "_").replace(",", "_")


def block_of(controller: Planner) -> Any:
    """A component, sampled with the controller's period."""
    problem = controller.problem
    reduced = controller.plant.compiled.reduced

    def unit(path: str) -> str:
        return quantity(reduced, path).unit.text

    states = {path: name_of(path) for path in controller.states}
    references = {path: f"{_REFERENCE}{name_of(path)}" for path in problem.tracked}
    found = {path: name_of(path) for path in problem.inputs}
    samples = _Samples(controller)

    def outputs(self: Any) -> tuple[float, ...]:
        measured = {path: getattr(self, name) for path, name in states.items()}
        wanted = {path: getattr(self, name) for path, name in references.items()}
        return samples.at(self.time, measured, wanted)

    members: dict[str, Any] = {name: tg.input(unit(path)) for path, name in states.items()}
    members |= {name: tg.input(unit(path), default=0.0) for path, name in references.items()}
    members |= {name: tg.output(unit(path)) for path, name in found.items()}
    members["period"] = tg.parameter(problem.period, "s")
    members["outputs"] = outputs
    members["controller"] = controller
    return type("ModelPredictive", (tg.Software,), members)()


class _Samples:
    """The samples of one run: an instant that is asked about again starts from the same plan."""

    def __init__(self, controller: Planner) -> None:
        self.controller = controller
        self.time: float | None = None
        self.before = controller.memory()

    def at(self, time: float, state: dict[str, float], references: dict[str, float]) -> tuple[float, ...]:
        """The inputs at a time."""
        if self.time is None or time < self.time:
            self.controller.reset()  # a new run
        elif time == self.time:
            self.controller.recall(self.before)
        self.before = self.controller.memory()
        self.time = time
        return tuple(self.controller.step(state, references).values())
