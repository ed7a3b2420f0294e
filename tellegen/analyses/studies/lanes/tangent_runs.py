"""Runs of a study together with their derivatives: clouds of gradients.

    tg.study(model, tg.monte_carlo({...}, 1000), outputs=["final(load.w)"], sensitivities=["motor.R"], stop=2.0)
        ->  "final(load.w)" and "d final(load.w)/d motor.R" of every run

The model is compiled with its tangents (analyses/sensitivities/), whose values are outputs like all others; so these
runs are made in lanes, on GPUs and on clusters as well. The directions of the tangents are parameters of that model.
They are scaled to the model's own values, the same in all runs, and differ between runs only where parameters or start
values are computed from others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tellegen.analyses.sensitivities.design_variables import DesignVariable, Wanted, directions
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.analyses.studies.jobs import RunColumns, Task
from tellegen.analyses.studies.outputs import Output
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, si_values
from tellegen.engine.request.path_lookup import find
from tellegen.engine.results.solution import Solution
from tellegen.ensembles.refused import RefusedError
from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import PARAMETER
from tellegen.ir.source_location import here
from tellegen.symbolic.kernels.derivative import slots_in
from tellegen.variation.augment import DIRECTION, Augmented

Numbers = dict[str, float]
"""By path."""

_WITH_SLOPES = ("curve", "final")


@dataclass(frozen=True, eq=False, kw_only=True)
class TangentTask(Task):
    """Runs of `compiled`, which is `plain` with tangents of the design variables."""

    plain: CompiledModel
    augmented: Augmented
    variables: tuple[DesignVariable, ...]
    scale: FloatArray

    def simulate(self, numbers: FloatArray) -> Solution:
        """One run, with the directions that its numbers have."""
        parameters, starts = self.values_of(numbers)
        direction, moved = self._directions(parameters, starts)
        return self.compiled.run(
            self.request.with_values({**parameters, DIRECTION: direction}, {**starts, **moved}), throw=False
        )

    def _directions(
        self, parameters: dict[str, float], starts: dict[str, float]
    ) -> tuple[FloatArray, dict[str, float]]:
        """Of parameters, and the start values of tangents that are not zero."""
        p = parameter_vector(self.plain, {**self.request.parameters, **parameters})
        flat = self.plain.flat
        begun = flat.variables.column("start").copy()
        for path, value in {**self.request.start_values, **starts}.items():
            selection = find(flat, path)
            begun[selection.indices] = si_values(selection, value)
        found, scale = directions(self.plain.reduced, p, begun, self.variables)
        same = self.scale / scale
        augmented = self.augmented
        direction = np.append((found.parameters * same)[augmented.moved].ravel(), augmented.rest)
        return direction, {
            augmented.starts_name(k, j): float(found.starts[k, j] * same[j])
            for k, j in zip(*np.nonzero(found.starts), strict=True)
        }

    def in_lanes(self, numbers: FloatArray) -> RunColumns:
        """The numbers of all runs, with their directions where these differ; RefusedError where tangents jump."""
        self._refuse_jumps()
        columns = RunColumns(self.paths, self.are_starts, numbers)
        if not self._are_computed():
            return columns
        made = [self._directions(*self.values_of(row)) for row in numbers]
        entries = [f"{DIRECTION}[{k}]" for k in range(len(made[0][0]))]
        moved = list(dict.fromkeys(name for _, starts in made for name in starts))
        own = [[*direction, *(starts.get(name, 0.0) for name in moved)] for direction, starts in made]
        return RunColumns(
            paths=(*columns.paths, *entries, *moved),
            are_starts=(*columns.are_starts, *([False] * len(entries)), *([True] * len(moved))),
            numbers=np.column_stack([columns.numbers, own]),
        )

    def _are_computed(self) -> bool:
        """Whether parameters or start values follow from others: then directions differ between runs."""
        flat = self.plain.flat
        moved = {index for variable in self.variables for index, _ in variable.parameters}
        groups = (*flat.parameter_bindings, *flat.start_bindings)
        return any(int(index) in moved for group in groups for index in group.bindings[:, 1:].ravel())

    def _refuse_jumps(self) -> None:
        """At events tangents jump, which lanes do not do; but not where only time switches, at instants that stay."""
        events = self.compiled.reduced.events
        if events is None:
            return
        happens = (events.relations.flag, events.samples.flag, events.levels.index, events.first_condition[1:])
        read = {
            int(index)
            for group in events.instants.differences.groups
            for slot in slots_in(group.residual)
            if group.kinds[slot] == PARAMETER
            for index in group.bindings[:, slot]
        }
        if any(len(each) for each in happens) or read & set(np.flatnonzero(self.augmented.moved).tolist()):
            raise RefusedError("its tangents jump at events")


def with_sensitivities(task: Task, wrt: Sequence[Wanted] | Wanted) -> tuple[TangentTask, SensitivityModel]:
    """The same runs with derivatives of their outputs; the model has to be kept while they are made."""
    made = SensitivityModel(task.compiled, wrt)
    augmented, compiled = made.declared
    variables = tuple(made.variables)
    p = parameter_vector(task.compiled, task.request.parameters)
    _, scale = directions(task.compiled.reduced, p, made.start_values(task.request.start_values), variables)
    slopes = [
        _slope(task.compiled, augmented, output, variable, column, scale[column])
        for output in task.outputs
        for column, variable in enumerate(variables)
    ]
    fields = {name: getattr(task, name) for name in Task.__dataclass_fields__}
    outputs = (*task.outputs, *slopes)
    fields |= {"compiled": compiled, "outputs": outputs}
    return TangentTask(**fields, plain=task.compiled, augmented=augmented, variables=variables, scale=scale), made


def _slope(
    plain: CompiledModel, augmented: Augmented, output: Output, variable: DesignVariable, column: int, scale: float
) -> Output:
    """The derivative of an output by a design variable; where it has no tangent, zero times the output itself."""
    what = None if output.how not in _WITH_SLOPES else quantity(plain.reduced, output.path)
    if what is None or what.shape:
        advice = "outputs=['load.w', 'final(load.w)'], elements of arrays one by one; tg.gradient knows more"
        problem = f"'{output.name}' has no derivatives in a study: curves and final values of scalars have"
        raise DesignError("E603", problem, location=here(), advice=advice)
    index = int(augmented.position[int(what.selection.indices.ravel()[0]), column])
    name = f"d {output.name}/d {variable.name}"
    units = f"{what.unit.text or '1'}/({variable.unit or '1'})"
    if index < 0:
        return replace(output, name=name, factor=0.0, units=units)
    path = "der(" * what.order + augmented.flat.variables.name(index) + ")" * what.order
    return replace(output, name=name, path=path, factor=float(1.0 / scale / what.unit.scale), units=units)
