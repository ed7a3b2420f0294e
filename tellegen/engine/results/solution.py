"""Solution: the curves of a run, under every name the user wrote, in the units the user declared.

    solution["motor.i"]             the curve at solution.time, also of eliminated variables; a parameter is a number
    solution["der(motor.i)"]        the derivative of a state
    solution["rod.frame_b.r_0"]     where any frame of a mechanism is, its orientation (R) and motion (v_0, w, a_0, z)
    solution.at(0.5)["motor.i"]     any instant between the points; solution.at([...]) is a Solution at these times

Only the unknowns the integrator solved for are stored, once, of large runs only the states (loaded/computed_rows.py);
everything else is computed on demand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cached_property
from itertools import chain, islice
from os import PathLike
from typing import Any, overload

import numpy as np

from tellegen.engine.integrators.segmented_integrator import near
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.outcome import Outcome
from tellegen.engine.readout.discrete_history import Event, History
from tellegen.engine.readout.quantity import RecordedRows, display_unit, displayed, quantity, split_unit
from tellegen.engine.request.argument_checks import seconds
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.parameter_and_start_vectors import parameters_by_path
from tellegen.engine.request.run_state import NO_LAST_STEP, LastStep
from tellegen.engine.request.scales import Peaks
from tellegen.engine.results import export
from tellegen.engine.results.plot import PlotOptions, plot
from tellegen.engine.results.reintegration import Settings
from tellegen.errors import ExportError, LanguageError, UnknownNameError, users_call
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table
from tellegen.start.later import later
from tellegen.start.records import dataclass
from tellegen.units import Unit, parse_unit

with later():
    from tellegen.engine.events.event_descriptions import event_log
    from tellegen.engine.explained.explain_run import explain_run
    from tellegen.engine.explained.run_explanation import RunExplanation
    from tellegen.engine.readout.frame_readings import frame_names
    from tellegen.engine.readout.snapshot import Snapshot
    from tellegen.engine.results.field_plot import plot_field
    from tellegen.engine.results.interpolation import Dense
    from tellegen.engine.results.standing import run_state
    from tellegen.ir.show.bindings import binding_table
    from tellegen.ir.show.reduced_rows import variable_text

_SHOWN = 12  # variables in print() and in notebooks
_COMPLETED = 100_000  # names that are offered to complete one


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Result):
    """Values over time. `solution["motor.i"]` is an array over `solution.time`; a parameter is a number."""

    _reduced: ReducedModel
    time: FloatArray
    unknowns: FloatArray  # one row per time
    _p: FloatArray  # parameters at the start in SI units; inputs, flags and discrete values follow them
    outcome: Outcome
    stats: dict[str, Any]
    compiled: NativeModel | None = None  # for derivatives and values between the points
    rates: FloatArray | None = None  # y' where it is known already
    history: History | None = None  # what events changed
    settings: Settings | None = None  # how it was run
    peaks: Peaks | None = None  # the largest values at the integrator's steps
    last: LastStep = NO_LAST_STEP  # what a run that continues it takes over
    continues: bool = False  # another run: its first row is not the initial instant
    warned_before: frozenset[str] = frozenset()  # conditions that the run warned of which it continues
    warnings: tuple[Any, ...] = ()  # operating regions left, see engine/results/check_assertions.py

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._reduced.flat.name

    @property
    def success(self) -> bool:
        """Whether the run reached the stop time, or tg.terminate ended it."""
        return self.outcome.ok

    @property
    def message(self) -> str:
        """How the run ended; `outcome` has the details."""
        return self.outcome.message

    @property
    def bindings(self) -> dict[str, str]:
        """Which implementation stood for which interface: names by path; `parts` has those of catalogue parts."""
        return self._reduced.flat.bindings

    @property
    def parts(self) -> dict[str, str]:
        """Which catalogue part stood for which interface: names by path."""
        return {path: part.name for path, part in self._reduced.flat.parts.items()}

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the run by path, in their declared units."""
        return parameters_by_path(self._reduced.flat, self._p)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        what = f"a Solution has no '{name}'"
        raise UnknownNameError("E100", what, location=here(), advice="quantities are read by name: solution['motor.i']")

    @users_call
    def __getitem__(self, path: str) -> Any:
        if self._is_time(path):
            return self._time_unit(path).from_si(self.time)
        what = quantity(self._reduced, path)
        values = what.unit.from_si(what.read(self._rows))
        return float(values) if what.parameter and values.ndim == 0 else values

    @property
    def _rows(self) -> RecordedRows:
        return RecordedRows(self._reduced, self.unknowns, lambda: self._all_rates, self._given, self._p)

    def _ipython_key_completions_(self) -> list[str]:
        """What can be read, for completion in notebooks."""
        flat = self._reduced.flat
        return list(islice(chain(flat.variables.names(), frame_names(flat)), _COMPLETED))

    def __contains__(self, path: str) -> bool:
        try:
            return self._is_time(path) or bool(quantity(self._reduced, path))
        except LanguageError:
            return False

    def __len__(self) -> int:
        return len(self.time)

    def __getstate__(self) -> dict[str, Any]:
        return {part.name: self.__dict__[part.name] for part in fields(self)}

    @property
    def _given(self) -> Any:
        """What is not solved for: the parameters, or for models with events how they changed."""
        return self._p if self.history is None else self.history

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened when: an entry for each event, in the order of time."""
        return () if self.history is None else event_log(self._reduced, self.history.log)

    @cached_property
    def _dense(self) -> Dense:
        assert self.compiled is not None, "a solution without its model"
        return Dense(self.compiled, self.time, self.unknowns, self._given, self.settings)

    @cached_property
    def _all_rates(self) -> FloatArray:
        return self._dense.rates() if self.rates is None else self.rates

    @overload
    def at(self, t: float | str) -> Snapshot: ...

    @overload
    def at(self, t: Sequence[float] | FloatArray) -> Solution: ...

    @users_call
    def at(self, t: float | str | Sequence[float] | FloatArray) -> Snapshot | Solution:
        """The values at an instant (a Snapshot) or at several (a Solution at these times); in seconds, or "5 ms".

        States are interpolated by cubics, everything else is solved for from the model's equations. Where a curve is
        faster than the output points show, the interval between two of them is integrated again.
        """
        times, single = self._moments(t)
        first = float(self.time[0])
        last = float(self.time[-1])
        found = self._dense.values(np.clip(times, first, last))
        if single:
            return self._snapshot(float(times[0]), found[0])
        size = len(self._reduced.unknowns)
        values, rates = (np.array([pair[k] for pair in found]).reshape(len(times), size) for k in (0, 1))
        history = None if self.history is None else self.history.at_rows(self._dense.rows(times))
        return replace(self, time=times, unknowns=values, rates=rates, history=history, last=NO_LAST_STEP)

    def _snapshot(self, t: float, values: Consistent) -> Snapshot:
        """Everything at a time."""
        p = self._dense.numbers(t)
        at_row = float(self.time[self._dense.rows(np.array([t]))[0]])
        state = run_state(self, at_row if abs(t - at_row) <= near(t) else t, values, p)
        return Snapshot(self._reduced, t, values, p, state)

    def _moments(self, t: Any) -> tuple[FloatArray, bool]:
        """Instants as asked for, which must be inside the solution, and whether it is a single one."""
        single = isinstance(t, str) or np.ndim(t) == 0
        times = np.array([seconds("t", moment, "E186") for moment in ([t] if single else t)], float)
        first = float(self.time[0])
        last = float(self.time[-1])
        slack = 1e-12 * max(abs(first), abs(last))
        outside = times[~((times >= first - slack) & (times <= last + slack))]
        if len(outside):
            raise LanguageError(
                "E186",
                f"t = {outside[0]:g} is outside the solution from {first:g} to {last:g}",
                location=here(),
                advice="simulate(..., stop=...) to a later time",
            )
        return times, single

    def _title(self) -> str:
        return f"Solution of {self.name}: {len(self.time)} points to t = {self.time[-1]:g} s, {self._end()}"

    def _end(self) -> str:
        solver = self.stats.get("solver", "")
        steps = self.stats.get("steps")
        how = f"{solver}, {steps} steps" if steps is not None else solver
        return f"complete ({how})" if self.outcome.ok else str(self.outcome)

    def _page(self) -> list[Table | str]:
        shown = [displayed(self._reduced, path) for path in self.shown(limit=_SHOWN)]
        curves = [(what, self[what.path]) for what in shown]
        rows = [(what.name, f"{y[0]:.6g}", f"{y[-1]:.6g}", what.unit.text) for what, y in curves]
        left = self._reduced.flat.variables.count - len(rows)
        more = f"... {left} more variables" if left > 0 else ""
        return [Table(("variable", "first", "last", "unit"), rows), more, binding_table(self._reduced.flat)]

    def names(self) -> list[str]:
        """All variables, one name per scalar."""
        return list(self._reduced.flat.variables.names())

    @users_call
    def unit(self, path: str) -> str:
        """The unit a path is given in."""
        unit = self._time_unit(path) if self._is_time(path) else quantity(self._reduced, path).unit
        return unit.text

    @users_call
    def displayed(self, path: str) -> str:
        """The path with the unit that plots and tables use: "T [degC]" where that is not the declared one."""
        return path if self._is_time(path) else displayed(self._reduced, path).path

    def _is_time(self, path: object) -> bool:
        return isinstance(path, str) and split_unit(path.strip())[0] == "time"

    def _time_unit(self, path: str) -> Unit:
        return display_unit("time", parse_unit("s"), split_unit(path.strip())[1])

    def si(self, variables: Any, order: int = 0) -> FloatArray:
        """Recovered values of variables or of their derivatives, one column each, in SI units."""
        return self._rows.variables(variables, order)

    def until(self, points: int, outcome: Outcome) -> Solution:
        """The first points of it, with another outcome."""
        history = None if self.history is None else self.history.until(points)
        rows = {"time": self.time[:points], "unknowns": self.unknowns[:points]}
        return replace(self, **rows, outcome=outcome, history=history, last=NO_LAST_STEP)

    @users_call
    def explain(self) -> RunExplanation:
        """Why the run took its time: what limited the steps and where, which conditions made events, and what helps.

        The run is made once more with a log of its steps; print the explanation, or plot() it.
        """
        return explain_run(self)

    @users_call
    def save(self, target: str | PathLike[str]) -> None:
        """Write the whole solution with its model to a file, from which `tg.load` reads it."""
        export.save(self, target)

    @users_call
    def to_pandas(self, *paths: str) -> Any:
        """A DataFrame over time, all variables unless paths are given; the units are in its `attrs`."""
        return export.to_pandas(self, paths)

    @users_call
    def to_xarray(self, *paths: str) -> Any:
        """A Dataset over time with units and descriptions as attributes; arrays keep their shape."""
        return export.to_xarray(self, paths)

    @users_call
    def to_csv(self, target: str | PathLike[str], *paths: str) -> None:
        """Write a table: time, then one column per scalar, units in the heading."""
        export.to_csv(self, target, paths)

    @users_call
    def to_parquet(self, target: str | PathLike[str], *paths: str) -> None:
        """Write a Parquet file (needs pyarrow: pip install 'tellegen[parquet]')."""
        export.to_parquet(self, target, paths)

    @users_call
    def to_netcdf(self, target: str | PathLike[str], *paths: str) -> None:
        """Write a NetCDF file with units and descriptions."""
        export.to_netcdf(self, target, paths)

    @users_call
    def plot(
        self, *paths: str, x: str = "time", axes: Any = None, title: str | None = None, events: bool = False
    ) -> Any:
        """A matplotlib figure, one panel per unit; `shown` when no paths are given. `events` marks the events.

        "room.T [degC]" is drawn in that unit. `x` is the horizontal axis: "time [h]", or another quantity. `axes` are
        matplotlib axes to draw on instead of a new figure: one for all curves, or one for each panel.
        """
        return plot(self, paths or self.shown(limit=8), PlotOptions(x, axes, title, events))

    @users_call
    def animate(
        self,
        path: str | PathLike[str] | None = None,
        *,
        traces: str | Sequence[str] = (),
        follow: str = "",
        forces: bool | str | Sequence[str] = False,
        **file: Any,
    ) -> Any:
        """The mechanism in motion: a notebook shows it in 3-D; a path writes it (.html, .glb, .gif, .mp4, .png).

        `traces` are bodies whose outer ends leave a trace, `follow` is a body that the camera moves with. Forces and
        torques of `forces=True`, or of the components that it lists, are arrows; a page has a button for them anyway.
        Further keywords are those of the file (`Animation.save`): `speed=0.1` of a film, `time=0.5` of a picture.
        """
        if self.compiled is None:
            raise ExportError("E406", "a solution without its model cannot be animated", location=here())
        shown = forces if isinstance(forces, bool) else _names(forces)
        options = {"traces": _names(traces), "follow": follow or None, "forces": shown}
        animation = self.compiled.recompiler.animate(self, **options)
        if path is not None:
            animation.save(path, **file)
        elif file:
            names = ", ".join(file)
            raise ExportError("E406", f"{names}: options of a file, but no path is given", location=here())
        return animation

    @users_call
    def plot_field(
        self, path: str, along: Any = None, *, x: str = "time", axes: Any = None, title: str | None = None
    ) -> Any:
        """An array as an image over time: colours show the values, the vertical axis the elements.

        `along` are the positions of the elements (numbers that increase), for instance in metres; their indices unless
        given. A unit in brackets, `x`, `axes` and `title` are as for `plot`.
        """
        return plot_field(self, path, along, PlotOptions(x, axes, title))

    def shown(self, limit: int | None = None) -> tuple[str, ...]:
        """What one looks at first: what the model names (a netlist: its nodes), else its (first) states."""
        return self._reduced.flat.experiment.shown or self.states(limit)

    def states(self, limit: int | None = None) -> tuple[str, ...]:
        """The names of the (first) states; of the unknowns when there are no states."""
        model = self._reduced
        chosen = model.unknowns[model.is_state] if model.is_state.any() else model.unknowns
        return tuple(variable_text(model, int(v)) for v in chosen[:limit])


def _names(names: str | Sequence[str]) -> tuple[str, ...]:
    """One name, or several."""
    return (names,) if isinstance(names, str) else tuple(names)
