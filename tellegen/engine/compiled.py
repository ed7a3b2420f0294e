"""CompiledModel: the public face of a model that is ready to run."""

from __future__ import annotations

from typing import Any, Protocol, Unpack
from weakref import ref

from tellegen.engine.diagnostics.step_log import StepLog
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.user_functions import forget
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.engine.request.run_request import RunKeywords, RunRequest, request_run, run_call
from tellegen.engine.results.solution import Solution
from tellegen.engine.runs.run import complete, repeat_run, run_model
from tellegen.errors import warn_user
from tellegen.ir.flat import FlatModel
from tellegen.sheet import Shown, Table
from tellegen.start.later import later
from tellegen.start.records import dataclass

with later():
    from tellegen.dataflow.schedule import Schedule, schedule_of
    from tellegen.engine.results.compile_report import Report
    from tellegen.engine.results.equation_listing import equations
    from tellegen.engine.results.warn_unused_guesses import tell_guesses
    from tellegen.ir.show.reduced_rows import variable_text

_SHOWN = 12


class Versioned(Protocol):
    """A model as the user wrote it; its version counts the changes made to it."""

    _version: int


class CompiledVersion:
    """Which version of the user's model was compiled. The model itself is not kept alive."""

    def __init__(self, component: Versioned) -> None:
        self.component = ref(component)
        self.version = component._version

    def warn_if_changed(self, flat: FlatModel) -> None:
        """Warn, once for each change, that runs do not know of it."""
        component = self.component()
        if component is not None and component._version != self.version:
            self.version = component._version
            warn_user(
                f"{flat.name} was changed after it was compiled: this run has the values it was compiled with; "
                "call tg.compile again, or give values with parameters={...}"
            )


@dataclass(frozen=True, eq=False, repr=False)
class CompiledModel(NativeModel, Shown):
    """A model ready to run, as `tg.compile` returns it: simulate it, or ask what compiling did."""

    source: CompiledVersion | None = None

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.flat.name

    @property
    def bindings(self) -> dict[str, str]:
        """Which implementation stands for which interface: names by path."""
        return self.flat.bindings

    def _title(self) -> str:
        states = int(self.reduced.is_state.sum())
        return f"CompiledModel {self.name}: {self.flat.variables.count} variables, {states} states"

    def _page(self) -> list[Table | str]:
        model = self.reduced
        states = [variable_text(model, int(v)) for v in model.unknowns[model.is_state]]
        known = {name: quantity(model, name) for name in states[:_SHOWN]}
        rows = [(name, what.unit.text, what.description) for name, what in known.items()]
        more = f"... {len(states) - len(rows)} more states" if len(states) > len(rows) else ""
        return [Table(("state", "unit", "description"), rows) if rows else "no states", more]

    @run_call()
    def simulate(self, stop: float | str | None = None, *, throw: bool = True, **run: Unpack[RunKeywords]) -> Solution:
        """Simulate from `start` to `stop`; see tg.simulate. Nothing is compiled again."""
        return self.run(request_run(self.flat.experiment, stop, **run), throw)

    def run(self, request: RunRequest, throw: bool = True) -> Solution:
        """The run asked for; without `throw` as far as it goes."""
        forget()
        if self.source is not None:
            self.source.warn_if_changed(self.flat)
        solution = run_model(self, request)
        if request.initial is not None and not isinstance(request.initial, str | Snapshot):
            tell_guesses(solution, request.initial)
        return complete(solution) if throw else solution

    def repeat(self, solution: Solution, log: StepLog) -> Solution:
        """The run of a solution once more, up to where it came, with its steps in a log."""
        return repeat_run(self, solution, log)

    def report(self) -> Report:
        """What the passes did, how large everything is, which states were chosen and why: print it."""
        return Report(self)

    def schedule(self) -> Schedule:
        """In which order components are evaluated, level by level, and which of them can run at once: print it."""
        return schedule_of(self.ode.sorted)

    def equations(self, form: str = "text") -> Any:
        """The equations as they are solved: "text", "latex" (both strings) or "sympy" (a list of sympy.Eq)."""
        return equations(self.reduced, form)
