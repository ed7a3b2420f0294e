"""What compiling did to a model: the passes, the sizes, the blocks, the states and why they are, the solver.

print(compiled.report())
"""

from __future__ import annotations

import numpy as np

from tellegen.dataflow.code_loops import code_loops, functions_of
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import initial_system
from tellegen.engine.initialization.run_start import RunStart
from tellegen.engine.integrators.choose_solver import choose
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, starts
from tellegen.errors import NumericError
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.bindings import binding_table
from tellegen.ir.show.reduced_rows import variable_text
from tellegen.ir.sorted import EXPLICIT, LINEAR, Blocks, SortedModel
from tellegen.sheet import Shown, Table

_SHOWN = 20


class Report(Shown):
    """What compiling did: print it, or show it in a notebook."""

    def __init__(self, compiled: NativeModel) -> None:
        self.compiled = compiled
        choice = choose(compiled, "auto")
        self.solver = choice.solver
        self.reason = choice.reason

    @property
    def ordered(self) -> SortedModel | None:
        """The model in order of evaluation, where the solver uses it."""
        return self.compiled.ode.sorted if self.solver != "ida" else None

    def sizes(self) -> dict[str, str]:
        """How large everything is, in words."""
        model = self.compiled.reduced
        compiled = self.compiled
        states = int(model.is_state.sum())
        unknowns = len(model.unknowns)
        own = model.flat.variables.count
        kept = unknowns - len(model.derivatives.base) + len(model.known)
        out = {
            "variables": f"{own}, of which {own - kept} eliminated as aliases, negated aliases or zero",
            "unknowns": f"{unknowns}: {states} states, {unknowns - states} algebraic",
            "Jacobian": f"{compiled.program.pattern.count} entries",
            "native code": f"{sum(len(m.functions) for m in compiled.native.modules)} functions, "
            f"{sum(len(m.text) for m in compiled.native.modules) / 1000:.0f} kB of LLVM",
        }
        if len(model.derivatives.base):
            out["index reduction"] = f"{len(model.derivatives.base)} derivatives became unknowns"
        if self.ordered is not None:
            out["blocks"] = blocks_text(self.ordered.blocks)
        if loops := self.loops():
            out["loops through external code"] = "\n".join(loops)
        return out | {"initial system": self.initial(), "solver": f"{self.solver}: {self.reason}"}

    def initial(self) -> str:
        """How the equations at the initial time are solved, as the model is declared."""
        compiled = self.compiled
        p = parameter_vector(compiled, None)
        first = starts(compiled, p, None)
        if self.solver != "ida" and RunStart(Point(0.0, p), first).gives_states_alone(compiled):
            return "the start values of the states, then the blocks above"
        try:
            system, solver = initial_system(compiled, Point(0.0, p), first)
        except NumericError as error:
            return error.message
        order = solver.order()
        if order is None:
            return f"{system.pattern.shape[0]} equations, solved simultaneously"
        return f"{blocks_text(order.blocks)}; solved in {len(np.unique(order.stage))} parts"

    def loops(self) -> list[str]:
        """Algebraic loops through the user's code: the components around each, and the unknowns of Newton's method."""
        ordered = self.compiled.ode.sorted if functions_of(self.compiled.reduced) else None
        if ordered is None:
            return []
        found = code_loops(ordered)
        more = [f"... and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
        return [f"{loop} ({_counted(loop.tears)} by Newton's method)" for loop in found[:_SHOWN]] + more

    def states(self) -> list[tuple[str, str]]:
        """The states, each with the reason for its choice."""
        model = self.compiled.reduced
        chosen = np.flatnonzero(model.is_state)
        rows = [(variable_text(model, int(model.unknowns[k])), state_reason(model, int(k))) for k in chosen[:_SHOWN]]
        left = len(chosen) - len(rows)
        return [*rows, (f"... {left} more", "")] if left else rows

    def _title(self) -> str:
        return f"Report of {self.compiled.flat.name}: {self.solver}, {len(self.compiled.reduced.unknowns)} unknowns"

    def _page(self) -> list[Table | str]:
        passes = [
            (record.name.replace("_", " "), f"{record.seconds:.4f}", str(record.equations), str(record.unknowns))
            for record in (self.ordered or self.compiled.reduced).report
        ]
        sizes = [(name, line) for name, text in self.sizes().items() for line in text.splitlines()]
        states = self.states()
        return [
            Table(("pass", "seconds", "equations", "unknowns"), passes),
            Table(("what", "how much"), sizes),
            Table(("state", "why"), states) if states else "",
            binding_table(self.compiled.flat),
        ]


def _counted(unknowns: int) -> str:
    return f"{unknowns} unknown{'' if unknowns == 1 else 's'}"


def blocks_text(blocks: Blocks) -> str:
    """How many blocks of which kind, and the largest loops before and after tearing."""
    explicit = int((blocks.kind == EXPLICIT).sum())
    parts = [f"{explicit} explicit"]
    for kind, name in ((LINEAR, "linear"), (LINEAR + 1, "nonlinear")):
        mine = np.flatnonzero(blocks.kind == kind)
        if len(mine):
            sizes = ", ".join(f"{blocks.size[k]} → {blocks.tears[k]}" for k in mine[np.argsort(-blocks.size[mine])][:4])
            more = ", ..." if len(mine) > 4 else ""
            parts.append(f"{len(mine)} {name} (unknowns → after tearing: {sizes}{more})")
    return f"{len(blocks.level)}: " + ", ".join(parts)


def state_reason(model: ReducedModel, column: int) -> str:
    """Why an unknown is a state."""
    variable = int(model.unknowns[column])
    if not model.is_tied[column]:
        return "its derivative occurs"
    if variable >= model.flat.variables.count:
        return f"a derivative of a state: {_preference(model, int(model.written[column]))}"
    return f"chosen among variables related by constraints: {_preference(model, variable)}"


def _preference(model: ReducedModel, variable: int) -> str:
    """What speaks for a variable or one of its aliases."""
    table = model.flat.variables
    aliases = np.flatnonzero((model.representative == model.representative[variable]) & (model.sign != 0))
    for k in aliases:
        if table.column("state", 0.0)[k] > 0.0:
            return f"{table.name(int(k))} is declared as a preferred state"
    for attribute, test, text in (("fixed", 1.0, "has a fixed start"), ("start", None, "has a start value")):
        values = table.column(attribute)[aliases]
        good = ~np.isnan(values) if test is None else values == test
        if good.any():
            return f"{table.name(int(aliases[np.flatnonzero(good)[0]]))} {text}"
    return "the constraints determine the others"
