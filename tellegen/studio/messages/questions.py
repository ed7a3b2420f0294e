"""Questions about a model that a worker answers: understand it, vary it, show it elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

from tellegen.start.records import dataclass
from tellegen.studio.messages.diagnostic import Diagnostic


@dataclass(frozen=True)
class Explain:
    """One page about the model: model, equations, reduced, blocks, graph or report; time is about the last run."""

    what: str


@dataclass(frozen=True)
class Sensitivities:
    """How the last value of a curve depends on the parameters."""

    of: str
    stop: str
    parameters: Mapping[str, float]


@dataclass(frozen=True)
class Goal:
    """A number of a run: final, peak, mean, rms, integral, overshoot, rise_time or settling_time of a curve."""

    number: str
    curve: str


@dataclass(frozen=True)
class Range:
    """A parameter between two values."""

    path: str
    low: float
    high: float


@dataclass(frozen=True)
class Limit:
    """A number of a run that must not be larger."""

    goal: Goal
    most: float


@dataclass(frozen=True)
class Study:
    """Runs for `count` values of each parameter, all combinations."""

    ranges: tuple[Range, ...]
    count: int
    goals: tuple[Goal, ...]
    stop: str
    parameters: Mapping[str, float]


@dataclass(frozen=True)
class Optimize:
    """The values of parameters for which a number of the run is least, or largest."""

    goal: Goal
    maximize: bool
    ranges: tuple[Range, ...]
    limits: tuple[Limit, ...]
    stop: str
    parameters: Mapping[str, float]


@dataclass(frozen=True)
class Calibrate:
    """The values of parameters for which curves fit those of a file (CSV); `match` has the column of each curve."""

    file: str
    match: Mapping[str, str]
    ranges: tuple[Range, ...]


@dataclass(frozen=True)
class MakePage:
    """A page (HTML) that needs no server: `scene`, the last run in 3-D, or `live`, the model with sliders."""

    what: str
    ranges: tuple[Range, ...]
    curves: tuple[str, ...]
    stop: str


@dataclass(frozen=True)
class Mark:
    """A text beside a part of the sheet."""

    path: str
    text: str


@dataclass(frozen=True)
class GraphEdge:
    """An edge of the linear graph, between two vertices; branches form the tree."""

    label: str
    component: str
    domain: str
    tail: str
    head: str
    branch: bool


@dataclass(frozen=True)
class Explained:
    """A page of text; marks and edges are drawn on the sheet."""

    what: str
    text: str
    marks: tuple[Mark, ...] = ()
    edges: tuple[GraphEdge, ...] = ()


@dataclass(frozen=True)
class Bar:
    """The relative sensitivity to a parameter: by how many percent the curve changes for one percent."""

    path: str
    relative: float


@dataclass(frozen=True)
class SensitivitiesFound:
    """Relative sensitivities, the largest first."""

    of: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Table:
    """The result of a design: what was found as text, the numbers for plots, and values that can be applied."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[tuple[float, ...], ...]
    values: Mapping[str, float]


@dataclass(frozen=True)
class PageText:
    """A page that was written."""

    what: str
    html: str


@dataclass(frozen=True)
class Refused:
    """What is wrong with a question."""

    diagnostics: tuple[Diagnostic, ...]


Question = Explain | Sensitivities | Study | Optimize | Calibrate | MakePage
Found = Explained | SensitivitiesFound | Table | PageText | Refused
