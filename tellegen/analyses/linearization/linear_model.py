"""LinearModel: x' = A x + B u, y = C x + D u with the names and units of the model it was taken from.

A model with sampled parts gives one in discrete time: x[k+1] = A x[k] + B u[k].

All quantities are deviations from the point of linearization, in the declared units.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import eig, expm

from tellegen.analyses.linearization.linear_plot import plot
from tellegen.analyses.linearization.loop_plot import LOOP_PLOTS, plot_loop
from tellegen.analyses.linearization.margins import Margins, margins_of
from tellegen.analyses.linearization.modes import Mode, exponents, without_rounding
from tellegen.analyses.linearization.open_loop import open_loop
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.errors import ExportError, users_call
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table

Numbers = Sequence[float] | FloatArray

_SHOWN = 20


@dataclass(frozen=True, eq=False, repr=False)
class LinearModel(Result):
    """See the top of this file. `units` gives the unit of every name, `point` where it was taken.

    With a sample time `dt` it is x[k+1] = A x[k] + B u[k], y[k] = C x[k] + D u[k]: x just before a tick, y just after.
    """

    A: FloatArray
    B: FloatArray
    C: FloatArray
    D: FloatArray
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    units: dict[str, str]
    point: Snapshot
    dt: float | None = None

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.point.name

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters it was linearized with, by path and in their declared units."""
        return self.point.parameters

    @cached_property
    def eigenvalues(self) -> Any:
        """The eigenvalues of A, slowest first."""
        values = self._rounded(np.linalg.eigvals(self.A))
        return values[np.lexsort((values.imag, np.abs(exponents(values, self.dt))))]

    def _rounded(self, values: Any) -> Any:
        return without_rounding(values) if self.dt is None else np.asarray(values, complex)

    @property
    def stable(self) -> bool:
        """Whether every mode decays."""
        return bool((exponents(self.eigenvalues, self.dt).real < 0.0).all())

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """Eigenvalues with participation factors |v_ki w_ki| (Perez-Arriaga et al., 1982), slowest first."""
        if not self.states:
            return ()
        found: Any = eig(self.A, left=True, right=True)
        values, left, right = found
        values = self._rounded(values)
        share = np.abs(left.conj() * right)
        total = share.sum(axis=0)
        share = share / np.where(total > 0.0, total, 1.0)
        out = []
        for k in np.lexsort((-values.imag, np.abs(exponents(values, self.dt)))):
            if values[k].imag < 0.0:
                continue
            order = [int(i) for i in np.argsort(-share[:, k], kind="stable") if share[i, k] > 0.01]
            out.append(Mode(complex(values[k]), tuple((self.states[i], float(share[i, k])) for i in order), self.dt))
        return tuple(out)

    def to_pandas(self) -> Any:
        """The block matrix [A B; C D] as one DataFrame: A is frame.loc["derivative", "state"]."""
        import pandas as pd

        rows = [("derivative", name) for name in self.states] + [("output", name) for name in self.outputs]
        columns = [("state", name) for name in self.states] + [("input", name) for name in self.inputs]
        blocks = np.block([[self.A, self.B], [self.C, self.D]])
        return pd.DataFrame(blocks, pd.MultiIndex.from_tuples(rows), pd.MultiIndex.from_tuples(columns))

    def to_control(self) -> Any:
        """The same system as a python-control StateSpace with named signals."""
        if importlib.util.find_spec("control") is None:
            raise ExportError(
                "E402",
                "this needs the package control, which is not installed",
                location=here(),
                advice="pip install 'tellegen[control]'; A, B, C and D are plain NumPy arrays",
            )
        import control  # pyright: ignore[reportMissingImports]

        def plain(names: tuple[str, ...]) -> list[str]:
            return [name.replace(".", "_") for name in names]  # python-control reserves the dot

        signals = {"states": plain(self.states), "inputs": plain(self.inputs), "outputs": plain(self.outputs)}
        time = {} if self.dt is None else {"dt": self.dt}
        return control.ss(self.A, self.B, self.C, self.D, name=self.name, **signals, **time)

    @users_call
    def response(self, times: FloatArray, u: Numbers | None = None, x: Numbers | None = None) -> FloatArray:
        """Outputs (one column each) at equally spaced times, from state x (zero) under a constant input u (zero)."""
        n = len(self.states)
        steps = np.asarray(times, float)
        held = np.zeros(len(self.inputs)) if u is None else np.asarray(u, float)
        if self.dt is not None:
            return self._ticks(np.floor(steps / self.dt + 1e-9).astype(int), held, x)
        augmented = np.zeros((n + 1, n + 1))
        augmented[:n, :n] = self.A
        augmented[:n, n] = self.B @ held
        now = np.append(np.zeros(n) if x is None else np.asarray(x, float), 1.0)
        if len(steps) and steps[0] != 0.0:
            now = expm(augmented * steps[0]) @ now
        across = expm(augmented * (steps[1] - steps[0])) if len(steps) > 1 else np.eye(n + 1)
        out = np.empty((len(steps), len(self.outputs)))
        for k in range(len(steps)):
            out[k] = self.C @ now[:n] + self.D @ held
            now = across @ now
        return out

    def _ticks(self, ticks: Any, u: FloatArray, x: Numbers | None) -> FloatArray:
        """Outputs after ticks with these numbers, in rising order."""
        now = np.zeros(len(self.states)) if x is None else np.asarray(x, float)
        out = np.empty((len(ticks), len(self.outputs)))
        done = 0
        for k, tick in enumerate(ticks):
            for _ in range(tick - done):
                now = self.A @ now + self.B @ u
            done = tick
            out[k] = self.C @ now + self.D @ u
        return out

    def frequency_response(self, frequencies: Numbers) -> Any:
        """C (jw I - A)^-1 B + D at frequencies in Hz, with the shape (frequencies, outputs, inputs).

        In discrete time exp(jw dt) stands for jw.
        """
        eye = np.eye(len(self.states))
        points = 2j * np.pi * np.asarray(frequencies, float)
        points = points if self.dt is None else np.exp(points * self.dt)
        return np.array([self.C @ np.linalg.solve(s * eye - self.A, self.B.astype(complex)) + self.D for s in points])

    @users_call
    def margins(
        self,
        input: str | None = None,
        output: str | None = None,
        *,
        dead_time: float = 0.0,
        feedback: str = "negative",
    ) -> Margins:
        """Gain, phase and delay margins and the sensitivity peak of the loop that connects an output to an input.

        The linear model is the open loop, closed by "negative" or "positive" `feedback`; input and output have to be
        named where there are several. `dead_time` are seconds of delay in the loop besides the linear model.
        """
        return margins_of(open_loop(self, input, output, dead_time, feedback), self.name)

    @users_call
    def plot(
        self,
        kind: str = "poles",
        input: str | None = None,
        output: str | None = None,
        *,
        dead_time: float = 0.0,
        feedback: str = "negative",
    ) -> Any:
        """A matplotlib figure: "poles" (eigenvalues), "step" (responses to unit steps), "bode", "nyquist" or "nichols".

        The last two show the loop from one input to one output, with the other arguments as for `margins`.
        """
        if kind in LOOP_PLOTS:
            return plot_loop(open_loop(self, input, output, dead_time, feedback), self.name, kind)
        return plot(self, kind)

    def _title(self) -> str:
        counts = f"{len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs"
        rate = "" if self.dt is None else f", every {self.dt:g} s"
        return f"LinearModel of {self.name} {self.point.when}: {counts}{rate}"

    def _page(self) -> list[Table | str]:
        unit = " [1/s]" if self.dt is None else ""
        columns = (f"eigenvalue{unit}", "damping", "frequency [Hz]", "time constant [s]", "participating states")
        left = len(self.modes) - _SHOWN
        signals = {"inputs": self.inputs, "outputs": self.outputs}
        lists = (f"{label}: {', '.join(names)}" for label, names in signals.items() if names)
        return [
            Table(columns, [_cells(mode) for mode in self.modes[:_SHOWN]]),
            f"... {left} faster modes" if left > 0 else "",
            "\n".join(lists),
        ]


def _cells(mode: Mode) -> tuple[str, ...]:
    """A mode as a row of the table."""
    value = mode.eigenvalue
    pair = f"{value.real:.5g} ± {abs(value.imag):.5g}j" if value.imag else f"{value.real:.5g}"
    states = ", ".join(f"{name} {share:.0%}" for name, share in mode.participation[:4])
    frequency = f"{mode.frequency:.4g}" if value.imag else ""
    return pair, f"{mode.damping:.3f}", frequency, f"{mode.time_constant:.4g}", states
