"""LinearModel: x' = A x + B u, y = C x + D u with the names and units of the model it was taken from.

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

from tellegen.engine.readout.snapshot import Snapshot
from tellegen.errors import ExportError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table

Numbers = Sequence[float] | FloatArray

_SHOWN = 20


@dataclass(frozen=True, eq=False)
class Mode:
    """An eigenvalue (of a pair, the one above the axis) and the states that take part, most first."""

    eigenvalue: complex
    participation: tuple[tuple[str, float], ...]

    @property
    def damping(self) -> float:
        """The damping ratio: 1 decays without swinging, 0 oscillates undamped, negative grows."""
        size = abs(self.eigenvalue)
        return -self.eigenvalue.real / size if size and self.eigenvalue.real else 0.0

    @property
    def frequency(self) -> float:
        """The frequency of the oscillation in Hz."""
        return abs(self.eigenvalue.imag) / (2.0 * np.pi)

    @property
    def time_constant(self) -> float:
        """Seconds until it has decayed (or grown) by the factor e; infinite for a mode that does neither."""
        return 1.0 / abs(self.eigenvalue.real) if self.eigenvalue.real else np.inf


def without_rounding(values: Any) -> Any:
    """Eigenvalues whose real part is no more than rounding lie on the axis: these modes neither decay nor grow."""
    values = np.asarray(values, complex)
    return np.where(np.abs(values.real) < 1e-9 * np.abs(values), 1j * values.imag, values)


@dataclass(frozen=True, eq=False, repr=False)
class LinearModel(Result):
    """See the top of this file. `units` gives the unit of every name, `point` where it was taken."""

    A: FloatArray
    B: FloatArray
    C: FloatArray
    D: FloatArray
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    units: dict[str, str]
    point: Snapshot

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
        values = without_rounding(np.linalg.eigvals(self.A))
        return values[np.lexsort((values.imag, np.abs(values)))]

    @property
    def stable(self) -> bool:
        """Whether every mode decays."""
        return bool((self.eigenvalues.real < 0.0).all())

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """Eigenvalues with participation factors |v_ki w_ki| (Perez-Arriaga et al., 1982), slowest first."""
        if not self.states:
            return ()
        found: Any = eig(self.A, left=True, right=True)
        values, left, right = without_rounding(found[0]), *found[1:]
        share = np.abs(left.conj() * right)
        total = share.sum(axis=0)
        share = share / np.where(total > 0.0, total, 1.0)
        out = []
        for k in np.lexsort((-values.imag, np.abs(values))):
            if values[k].imag < 0.0:
                continue
            order = [int(i) for i in np.argsort(-share[:, k], kind="stable") if share[i, k] > 0.01]
            out.append(Mode(complex(values[k]), tuple((self.states[i], float(share[i, k])) for i in order)))
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
        return control.ss(self.A, self.B, self.C, self.D, name=self.name, **signals)

    def response(self, times: FloatArray, u: Numbers | None = None, x: Numbers | None = None) -> FloatArray:
        """Outputs (one column each) at equally spaced times, from state x (zero) under a constant input u (zero)."""
        n = len(self.states)
        steps = np.asarray(times, float)
        held = np.zeros(len(self.inputs)) if u is None else np.asarray(u, float)
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

    def frequency_response(self, frequencies: Numbers) -> Any:
        """C (jw I - A)^-1 B + D at frequencies in Hz, with the shape (frequencies, outputs, inputs)."""
        eye = np.eye(len(self.states))
        points = 2j * np.pi * np.asarray(frequencies, float)
        return np.array([self.C @ np.linalg.solve(s * eye - self.A, self.B.astype(complex)) + self.D for s in points])

    def plot(self, kind: str = "poles") -> Any:
        """A matplotlib figure: "poles" (the eigenvalues), "step" (responses to unit steps) or "bode"."""
        from tellegen.analyses.linearization.linear_plot import plot

        return plot(self, kind)

    def _title(self) -> str:
        counts = f"{len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs"
        return f"LinearModel of {self.name} {self.point.when}: {counts}"

    def _page(self) -> list[Table | str]:
        columns = ("eigenvalue [1/s]", "damping", "frequency [Hz]", "time constant [s]", "participating states")
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
