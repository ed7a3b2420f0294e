"""Between the server and a worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from tellegen.start.records import dataclass
from tellegen.studio.document.made_parts import NOTHING, Structure
from tellegen.studio.library.shapes import ClassShape
from tellegen.studio.messages.diagnostic import Diagnostic
from tellegen.studio.messages.questions import Found, Question


@dataclass(frozen=True)
class Check:
    """Build and compile the class of a text; `file` is where it stands, or will. Other files of its folder can be
    imported if `imports`: a folder that is not trusted must not take the place of some module.
    """

    text: str
    file: str
    cls: str
    imports: bool
    model: str = ""
    """An expression that makes the model, where it is not the class alone."""
    has_ports: bool = False
    """Whether it is made to be connected to others: what they determine is missing in it alone."""


@dataclass(frozen=True)
class Simulate:
    """Run the model checked last. An empty stop is the one of the model, or the default."""

    stop: str
    points: int
    parameters: Mapping[str, float]
    curves: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    """What the script of the file gives to its run, as expressions of its constants."""
    columns: int = 0
    """Of pixels, in the plot: of curves with many points those that it shows are sent. All of them for 0."""
    number: int = 0
    """Of the run: curves are read from it later."""
    listing: int = 0
    """What the page has of the list of curves and parameters: the number of the first run of this model."""


@dataclass(frozen=True)
class ReadCurves:
    """Curves of the last run, with all points; none if that is not the run of this number. Runs that the script of
    the file made have the numbers -1, -2, ...
    """

    names: tuple[str, ...]
    number: int


@dataclass(frozen=True)
class RunScript:
    """Run a text as the script that it is: `python FILE`, in a folder."""

    text: str
    file: str
    folder: str


@dataclass(frozen=True)
class ReadRun:
    """One of the runs that the last script made, by its number from 0, with some of its curves."""

    number: int
    curves: tuple[str, ...]


@dataclass(frozen=True)
class ReadSources:
    """What components files of other languages hold."""

    folder: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class SourcesRead:
    """Their classes, and files that could not be read, in words."""

    shapes: tuple[ClassShape, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Quantity:
    """A parameter that can be changed between runs."""

    path: str
    value: float
    unit: str


@dataclass(frozen=True)
class Checked:
    """The outcome of a check: `ok` if the model can be run."""

    ok: bool
    diagnostics: tuple[Diagnostic, ...]
    summary: str
    stop: float = 0.0
    """The stop time that the model asks for; 0 for none."""
    structure: Structure = NOTHING
    same_structure: bool = False
    """Whether it has the structure that was sent for this class before, which is not sent again."""
    is_part: bool = False
    """Whether it cannot be run alone, but has ports: a model that connects them may complete it."""
    has_scene: bool = False
    """Whether its runs can be seen in three dimensions."""


@dataclass(frozen=True)
class Curve:
    """The values of a variable at the times of a run, as doubles in base64."""

    path: str
    unit: str
    values: str


@dataclass(frozen=True)
class Simulated:
    """The outcome of a run and the curves that were asked for. What there is else is listed for a page that has no list
    of this model: names of all curves, states, and parameters that can have other values.
    """

    ok: bool
    outcome: str
    diagnostics: tuple[Diagnostic, ...]
    seconds: float
    times: str
    curves: tuple[Curve, ...]
    names: tuple[str, ...]
    states: tuple[str, ...]
    events: str
    """Their times."""
    parameters: tuple[Quantity, ...] = ()
    thin: bool = False
    """Whether there are more points than were sent."""
    listing: int = 0
    """The number of the list that belongs to the model: that of its first run."""


@dataclass(frozen=True)
class CurvesRead:
    """Curves of a run; no times where another run has taken its place."""

    number: int
    times: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class Printed:
    """What a script has printed since the last message."""

    text: str


@dataclass(frozen=True)
class MadeRun:
    """A run that a script made, in words, and the line that asked for it."""

    label: str
    line: int


@dataclass(frozen=True)
class ScriptRan:
    """A script has ended: all that it printed, its runs, and its figures as PNG in base64."""

    ok: bool
    diagnostics: tuple[Diagnostic, ...]
    seconds: float
    text: str
    runs: tuple[MadeRun, ...]
    more: int
    """Runs that are not kept."""
    figures: tuple[str, ...]


@dataclass(frozen=True)
class Progress:
    """How far a run is, between 0 and 1."""

    fraction: float


@dataclass(frozen=True)
class Broken:
    """The worker cannot answer: it ended, or something failed that is not the model's fault."""

    message: str


Task = Check | Simulate | ReadCurves | ReadSources | RunScript | ReadRun | Question
Result = Checked | Simulated | CurvesRead | SourcesRead | ScriptRan | Progress | Printed | Broken | Found
