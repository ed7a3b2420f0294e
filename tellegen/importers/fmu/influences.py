"""What the results of an FMU owe to its parameters, as functions beside them (native/influences.py).

    der(x) == derivatives(t, x, u, instance) + influence(t, x, u, parameters, instance)

The second is zero: the FMU has its parameters. Its derivatives by them are those of the first, so that tangents, which
differentiate equations, find them. `tg.read_fmu` makes influences of the parameters that `sensitivities` names.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import FmuError, nearest
from tellegen.importers.fmu.evaluations import Evaluated
from tellegen.importers.fmu.fmu_use import LABELS, Evaluation, FmuUse, library_of
from tellegen.importers.fmu.native.events import NEVER
from tellegen.ir.expressions.expr import Function
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass


def influence(use: FmuUse, what: Evaluated, name: str) -> Function:
    """The influence on an evaluation: a function of time, states, inputs, parameters and the words of Call."""
    layout = use.layouts[what]
    count = len(use.moved_parameters)
    parts = (layout.states, layout.inputs + count, LABELS)
    code = Evaluation(library_of(use), f"fmu_no_influence_{int(what)}", parts, layout.values, use)
    depends = (tuple(range(layout.arity, layout.arity + count)),) * layout.values
    slopes = InfluenceSlopes(use, what, parts, depends)
    return Function(name, code, layout.values, slopes, labels=LABELS, depends=depends)


@dataclass(frozen=True, eq=False)
class InfluenceSlopes:
    """`Function.derivative` of an influence."""

    use: FmuUse
    what: Evaluated
    parts: tuple[int, int, int]
    depends: tuple[tuple[int, ...], ...]

    def as_function(self, name: str) -> Function:
        """The same as a function."""
        count = sum(map(len, self.depends))
        code = Evaluation(library_of(self.use), f"fmu_influences_{int(self.what)}", self.parts, count, self.use)
        return Function(name, code, count, labels=LABELS)

    def __call__(self, *numbers: float) -> Any:
        return self.as_function("influences").callable(*numbers)


@dataclass(frozen=True, eq=False)
class NextEvent:
    """Zero, beside the time of the next event: a function of that time and the parameters.

    Whether a time that is known in advance moves with a parameter an FMU does not say: the derivatives are NaN."""

    count: int

    def __call__(self, *_: float) -> float:
        return 0.0

    def slopes(self, following: float, *_: float) -> Any:
        """`Function.derivative`."""
        return np.array([0.0, *[0.0 if following >= NEVER else np.nan] * self.count])

    def function(self, name: str) -> Function:
        """It as a function."""
        return Function(name, self, 1, self.slopes, keeps_arguments=True)


def check_sensitivities(use: FmuUse, location: SourceLocation) -> None:
    """An error where derivatives by the named parameters cannot be had."""
    if not use.sensitivities:
        return
    description = use.file.description
    path = use.file.path.name
    if use.kind != "me" or not use.interface.directional_derivatives:
        what = f"{path} offers no derivatives by its parameters"
        advice = "they are for Model Exchange, of FMUs with directional derivatives; else take differences of runs"
        raise FmuError("E520", what, location=location, advice=advice)
    if description.version == "2.0" and description.origin.tool != "Tellegen":
        what = f"{path} is an FMU of FMI 2.0, which has no derivatives by parameters"
        raise FmuError("E520", what, location=location, advice="export it as FMI 3.0, or take differences of runs")
    known = {each.variable.name: each for each in use.quantities.parameters}
    for name in use.sensitivities:
        if name not in known:
            what = f"{path} has no parameter '{name}'"
            raise FmuError("E521", what, location=location, advice=nearest(name, known) or "see `tellegen fmu inspect`")
        variable = known[name].variable
        if variable.base != "Float64" or variable.variability != "tunable" or known[name].shape:
            what = f"'{name}' of {path} is no tunable parameter of type Float64, by which an FMU can have derivatives"
            raise FmuError("E521", what, location=location, advice="take differences of runs")
