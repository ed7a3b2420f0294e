"""The order in which a model is evaluated, as tasks of its components on levels (Diaz-Calderon, 2000, section 2.3).

    level 0   gimbal.outputs                     tasks that need nothing but time and states
    level 1   gimbal.pitch, gimbal.yaw           what they give and others need
    level 2   pid.outputs, pid.derivatives       tasks that need it
    ...

Even levels hold tasks, odd ones variables. All tasks of a level may run at once; or each as soon as what it needs is
there. Every component with code has two operators: outputs, and derivatives. An input precedes the outputs only if the
code reads it, the derivatives always; an operator with nothing to compute is idle. Components of equations have the
same two tasks (one for each level where their equations stand), and an algebraic loop is one task.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.dataflow.code_loops import CodeLoop, code_loops, component_of
from tellegen.dataflow.rows import rows_of
from tellegen.dataflow.schedule_plot import plot_schedule
from tellegen.errors import StructureError
from tellegen.ir.expressions.expr import Apply, Slot, walk
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.reduced_rows import unknown_text, written_row
from tellegen.ir.sorted import EXPLICIT, SortedModel
from tellegen.sheet import Table
from tellegen.start.records import dataclass

_SHOWN = 6
_LOOP = "loop"


@dataclass(frozen=True)
class Task:
    """An operator of a component (or a loop of several) with the unknowns it needs and gives, by name."""

    component: str
    operator: str
    level: int  # even
    needs: tuple[str, ...]
    gives: tuple[str, ...]
    idle: bool = False

    @property
    def name(self) -> str:
        """component.operator."""
        return f"{self.component}.{self.operator}" if self.operator != _LOOP else f"loop of {self.component}"


@dataclass(frozen=True, repr=False)
class Schedule:
    """The tasks by level, the loops through external code, and what runs at sampling instants instead."""

    model: str
    tasks: tuple[Task, ...]
    loops: tuple[CodeLoop, ...]
    sampled: tuple[str, ...]

    def levels(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Level by level: names of tasks on even levels, of the variables that later tasks need on odd ones."""
        last = max((task.level for task in self.tasks), default=-1)
        for level in range(last + 1):
            if level % 2 == 0:
                yield level, tuple(task.name for task in self.tasks if task.level == level)
                continue
            needed = {name for task in self.tasks if task.level > level for name in task.needs}
            given = (name for task in self.tasks if task.level == level - 1 for name in task.gives)
            yield level, tuple(name for name in given if name in needed)

    def table(self) -> Table:
        """A row for each level: the tasks on it, or the values."""
        kinds = ("tasks", "values")
        rows = [(str(level), kinds[level % 2], ", ".join(names)) for level, names in self.levels()]
        return Table(("level", "", "names"), rows)

    def plot(self) -> Any:
        """Levels from left to right, tasks as boxes, between them the values that they pass on."""
        return plot_schedule(self)

    def __repr__(self) -> str:
        return f"<Schedule of {self.model}: {len(self.tasks)} tasks>"

    def __str__(self) -> str:
        idle = sum(task.idle for task in self.tasks)
        levels = list(self.levels())
        lines = [f"{self.model}: {len(self.tasks)} tasks on {len(levels)} levels" + (f", {idle} idle" if idle else "")]
        for level, names in levels:
            if level % 2:
                lines.append(f"level {level}  {_listed(names) or 'nothing new'}")
                continue
            lines.append(f"level {level}")
            for task in (task for task in self.tasks if task.level == level):
                lines.append(f"  {task.name}{' (idle)' if task.idle else ''}")
                lines += [f"    {word} {_listed(n)}" for word, n in (("needs", task.needs), ("gives", task.gives)) if n]
        lines += [f"loop: {loop}" for loop in self.loops]
        lines += [f"sampled: {name}" for name in self.sampled]
        return "\n".join(lines)


def _listed(names: tuple[str, ...]) -> str:
    more = f", ... {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def schedule_of(model: SortedModel) -> Schedule:
    """The schedule of a model whose blocks are known."""
    blocks = model.blocks
    if blocks.reason:
        raise StructureError(
            "E212",
            f"{model.flat.name} has no schedule: {blocks.reason}",
            advice='it is integrated as one system: solver="ida"',
        )
    names = _names(model)
    needs = _needs(model)
    tasks: dict[tuple[str, str, int], Task] = {}
    for block, rows in enumerate(_rows_by_block(model)):
        level = 2 * int(blocks.level[block])
        loop = blocks.kind[block] != EXPLICIT
        owners = tuple(dict.fromkeys(filter(None, (component_of(model, row) for row in rows))))
        component = _listed(owners) or model.flat.name
        operator = _LOOP if loop else _operator(model, rows[0])
        gives = tuple(names[int(blocks.assigned[row])] for row in rows)
        wanted = dict.fromkeys(names[column] for row in rows for column in needs.get(row, ()))
        key = (component, operator, -1 - block if loop else level)
        known = tasks.get(key, Task(component, operator, level, (), ()))
        known_needs = dict.fromkeys((*known.needs, *(name for name in wanted if name not in gives)))
        tasks[key] = replace(known, needs=tuple(known_needs), gives=(*known.gives, *gives))
    every = [*tasks.values(), *_idle(model, tasks)]
    every.sort(key=lambda task: (task.level, task.operator == "derivatives"))
    return Schedule(model.flat.name, tuple(every), tuple(code_loops(model)), tuple(_sampled(model)))


def _rows_by_block(model: SortedModel) -> list[list[int]]:
    blocks = model.blocks
    order = np.argsort(blocks.block, kind="stable")
    return [part.tolist() for part in np.split(order, np.cumsum(blocks.size)[:-1])] if len(order) else []


def _calls(model: ReducedModel, row: int) -> list[Apply]:
    """The calls of software in an equation."""
    written = written_row(model, row)
    nodes = written[0].template.nodes if written is not None else ()
    return [node for node in nodes if isinstance(node, Apply) and node.function.operator]


def _operator(model: SortedModel, row: int) -> str:
    """That of the code an equation calls; else by what the equation determines."""
    if calls := _calls(model, row):
        return calls[0].function.operator
    return "derivatives" if model.is_state[model.blocks.assigned[row]] else "outputs"


def _names(model: SortedModel) -> list[str]:
    """The name of each unknown: of all that are equal, the one in the equation that determines it."""
    blocks = model.blocks
    names = [""] * len(model.unknowns)
    for row, column in enumerate(blocks.assigned.tolist()):
        names[column] = unknown_text(model, column)
        written = written_row(model, row)
        if written is None or model.is_state[column]:
            continue
        group, local = written
        for node in walk(*group.template.expressions()):
            if isinstance(node, Slot) and not group.template.slots[node.index].parameter:
                variable = int(group.bindings[local, node.index])
                if model.position[model.representative[variable]] == column:
                    names[column] = model.flat.variables.name(variable)
                    break
    return names


def _needs(model: SortedModel) -> dict[int, list[int]]:
    """The unknowns in each equation besides its own, states excepted."""
    out: dict[int, list[int]] = {}
    rows, columns = rows_of(model).occurrences(model.wanted)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if column != model.blocks.assigned[row]:
            out.setdefault(row, []).append(column)
    return out


def _idle(model: SortedModel, tasks: dict[tuple[str, str, int], Task]) -> Iterator[Task]:
    """The operators of software that have nothing to compute, on the level where their inputs are known."""
    functions = {component_of(model, row) for row in range(model.equation_count) if _calls(model, row)}
    present = {(task.component, task.operator): task for task in tasks.values()}
    for component in sorted(functions):
        outputs, rates = (present.get((component, name)) for name in ("outputs", "derivatives"))
        if outputs is not None and rates is None:
            yield replace(outputs, operator="derivatives", gives=(), idle=True)
        elif rates is not None and outputs is None:
            yield Task(component, "outputs", 0, (), (), idle=True)


def _sampled(model: ReducedModel) -> Iterator[str]:
    """The operators that run at sampling instants, component by component."""
    for group in model.flat.whens:
        calls = [node.function.operator for node in group.template.nodes if isinstance(node, Apply)]
        for row in range(group.rows):
            path = model.flat.tree.path(*group.owner(row)) or model.flat.name
            yield from (f"{path}.{operator}" for operator in dict.fromkeys(calls) if operator)
