"""From the page to the server. Each comes with a number, which the answer repeats."""

from __future__ import annotations

from collections.abc import Mapping

from tellegen.start.records import dataclass
from tellegen.studio.document.operations import Operation
from tellegen.studio.messages.questions import Question


@dataclass(frozen=True)
class Hello:
    """The first message; without the token of the address nothing else is answered."""

    token: str


@dataclass(frozen=True)
class Open:
    """A file of the folder; an empty class is the last one with parts."""

    path: str
    cls: str = ""


@dataclass(frozen=True)
class New:
    """A new file with an empty model."""

    path: str
    cls: str


@dataclass(frozen=True)
class Trust:
    """The code of the opened folder may be run, now and later."""


@dataclass(frozen=True)
class Edit:
    """An operation on the class that is shown, made on a revision of the document."""

    path: str
    cls: str
    revision: int
    operation: Operation


@dataclass(frozen=True)
class Undo:
    """One step back."""

    path: str


@dataclass(frozen=True)
class Redo:
    """One step forward again."""

    path: str


@dataclass(frozen=True)
class Save:
    """Write the file; `anyway` also over changes of other programs."""

    path: str
    anyway: bool = False


@dataclass(frozen=True)
class AsScript:
    """Whether the model is made and run as the script of its file does it."""

    path: str
    on: bool


@dataclass(frozen=True)
class Reload:
    """Read the file again; unsaved changes can be had back by undo."""

    path: str


@dataclass(frozen=True)
class Describe:
    """The equations and the documentation of a class of the library."""

    cls: str


@dataclass(frozen=True)
class FindParts:
    """Parts of the catalogue by words and conditions: `faulhaber, torque_max > 0.1 N.m`."""

    search: str


@dataclass(frozen=True)
class Run:
    """Simulate the document; `parameters` are values of sliders, by path."""

    path: str
    stop: str
    points: int
    parameters: Mapping[str, float]
    curves: tuple[str, ...]
    columns: int = 0
    """While a slider moves: how many columns of pixels the plot has. Points that it does not show are not sent."""
    listing: int = 0
    """The list of curves and parameters that the page has, by the run that came with it: it is not sent again."""


@dataclass(frozen=True)
class Curves:
    """Curves of a run with all its points, as long as it is the last one."""

    path: str
    names: tuple[str, ...]
    number: int


@dataclass(frozen=True)
class Cancel:
    """Stop the run, and the worker if it does not."""

    path: str


@dataclass(frozen=True)
class Ask:
    """A question about the model that was checked last."""

    path: str
    question: Question


@dataclass(frozen=True)
class Script:
    """What was done with the model as a script of Python."""

    path: str


@dataclass(frozen=True)
class StartScript:
    """Run the file as the script that it is: as `python FILE` in the folder that is open."""

    path: str


@dataclass(frozen=True)
class ShowRun:
    """One of the runs that the last script made, by its number from 0."""

    path: str
    number: int
    curves: tuple[str, ...]


Request = (
    Hello
    | Open
    | New
    | Trust
    | Edit
    | Undo
    | Redo
    | Save
    | Reload
    | AsScript
    | Describe
    | FindParts
    | Run
    | Curves
    | Cancel
    | Ask
    | Script
    | StartScript
    | ShowRun
)
