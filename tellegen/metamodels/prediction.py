"""What a metamodel says about one design: curves, their derivatives by the variables, and the error to expect.

p = mm({"source.V": 8.0, "load.J": 2e-3})
p["load.w"]                     the curve over p.time
p["load.w", "source.V"]         its derivative, as tg.sensitivity would compute it
p.error("load.w")               the estimated error over time
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.errors import users_call
from tellegen.figure import panels, with_unit
from tellegen.ir.model import FloatArray
from tellegen.sheet import Result, Table

if TYPE_CHECKING:
    from tellegen.metamodels.model import Metamodel


class Prediction(Result):
    """Everything is computed on demand."""

    def __init__(self, metamodel: Metamodel, u: FloatArray) -> None:
        self._metamodel = metamodel
        self._u = u

    @property
    def time(self) -> FloatArray:
        """The times of all curves."""
        return self._metamodel.time

    @property
    def at(self) -> dict[str, float]:
        """The design, in declared units."""
        return self._metamodel.box.values(self._u)

    @users_call
    def __getitem__(self, what: str | tuple[str, str]) -> FloatArray:
        """An output over time, or its derivative by a variable; in declared units."""
        of, by = what if isinstance(what, tuple) else (what, None)
        response = self._metamodel.response(of)
        if by is None:
            return response.curve(self._u)
        k = self._metamodel.number_of(by)
        return response.slopes(self._u)[k] / self._metamodel.box.units_per_cube[k]

    def error(self, of: str) -> FloatArray:
        """The estimated error of an output over time, from leaving samples out: its size, not a bound."""
        return self._metamodel.response(of).error(self._u)

    def relative_error(self, of: str) -> float:
        """The estimated error as a whole: root of mean square over that of the curve."""
        return relative(self.error(of), self[of])

    def to_xarray(self) -> Any:
        """A Dataset over time: every output with its unit, and `<output>_error`."""
        import xarray as xr

        data: dict[str, Any] = {}
        for of in self._metamodel.outputs:
            unit = {"units": self._metamodel.unit(of).text}
            data[of] = ("time", self[of], unit)
            data[f"{of}_error"] = ("time", self.error(of), unit)
        return xr.Dataset(data, coords={"time": ("time", self.time, {"units": "s"})}, attrs=self.at)

    @property
    def parameters(self) -> dict[str, float]:
        """The design, as tg.simulate takes it."""
        return self.at

    def to_pandas(self) -> Any:
        """A DataFrame over time: every output, and its estimated error as `<output>_error`."""
        import pandas as pd

        columns: dict[str, FloatArray] = {}
        for of in self._metamodel.outputs:
            columns[of] = self[of]
            columns[f"{of}_error"] = self.error(of)
        return pd.DataFrame(columns, index=pd.Index(self.time, name="time"))

    @users_call
    def plot(self, *of: str) -> Any:
        """A matplotlib figure, a panel for each output, with the estimated error as a band."""
        chosen = of or self._metamodel.outputs
        with panels(len(chosen), 1, (8.0, 2.6 * len(chosen)), sharex=True) as (figure, axes):
            for axis, name in zip(axes[:, 0], chosen, strict=True):
                curve = self[name]
                error = self.error(name)
                axis.fill_between(self.time, curve - 2 * error, curve + 2 * error, alpha=0.3, label="twice the error")
                axis.plot(self.time, curve, label="predicted")
                axis.set_ylabel(with_unit(name, self._metamodel.unit(name).text))
            axes[0, 0].legend()
            axes[0, 0].set_title(self._where(), fontsize="small")
            axes[-1, 0].set_xlabel("time [s]")
        return figure

    def _where(self) -> str:
        return ", ".join(f"{name} = {value:g}" for name, value in self.at.items())

    def _title(self) -> str:
        return f"Prediction of {', '.join(self._metamodel.outputs)} at {self._where()}"

    def _page(self) -> list[Table | str]:
        rows = [
            (of, f"{self[of][0]:.6g}", f"{self[of][-1]:.6g}", self._metamodel.unit(of).text, f"{error:.2g}")
            for of in self._metamodel.outputs
            for error in [self.relative_error(of)]
        ]
        return [Table(("output", "first", "last", "unit", "relative error"), rows)]


def relative_rms(predicted: FloatArray, true: FloatArray) -> float:
    """Root of the mean square of the difference over that of the true curve."""
    return relative(predicted - true, true)


def relative(error: FloatArray, curve: FloatArray) -> float:
    """Root of the mean square of one over that of the other; no error is none even of a curve that is zero."""
    off = float(np.mean(error**2))
    size = float(np.mean(curve**2))
    if not size:
        return np.inf if off else 0.0
    return float(np.sqrt(off / size))
