"""From the server to the page: answers to requests, and events that nobody asked for."""

from __future__ import annotations

from tellegen.start.records import dataclass
from tellegen.studio.document.diagram import Diagram
from tellegen.studio.library.shapes import ClassShape
from tellegen.studio.messages.diagnostic import Diagnostic
from tellegen.studio.messages.questions import Explained, SensitivitiesFound, Table
from tellegen.studio.messages.work import Checked, CurvesRead, Progress, Simulated


@dataclass(frozen=True)
class Welcome:
    """After the right token: the library and the files of the folder."""

    version: str
    folder: str
    files: tuple[str, ...]
    trusted: bool
    first: str
    """The file to open, where one was named."""
    library: tuple[ClassShape, ...]


@dataclass(frozen=True)
class State:
    """A document as it is now."""

    path: str
    cls: str
    classes: tuple[str, ...]
    revision: int
    dirty: bool
    can_undo: bool
    can_redo: bool
    runnable: bool
    """Whether its code may be run: the folder is trusted, or the studio made the file."""
    text: str
    stop: str
    """The stop time of the script in the file; empty for none."""
    diagram: Diagram


@dataclass(frozen=True)
class Files:
    """The files of the folder and whether their code may be run."""

    files: tuple[str, ...]
    trusted: bool


@dataclass(frozen=True)
class CheckEnded:
    """The check of a revision."""

    path: str
    revision: int
    checked: Checked


@dataclass(frozen=True)
class RunProgress:
    """How far a run is."""

    path: str
    progress: Progress


@dataclass(frozen=True)
class RunEnded:
    """The outcome of a run."""

    path: str
    revision: int
    simulated: Simulated


@dataclass(frozen=True)
class CurvesAnswer:
    """Curves of the last run."""

    path: str
    read: CurvesRead


@dataclass(frozen=True)
class Described:
    """A class: its text and its equations."""

    cls: str
    text: str
    usage: str
    equations: tuple[str, ...]


@dataclass(frozen=True)
class ChangedOnDisk:
    """Another program has written a file that has unsaved changes here."""

    path: str


@dataclass(frozen=True)
class Failed:
    """A request that could not be carried out."""

    diagnostic: Diagnostic


@dataclass(frozen=True)
class Answered:
    """What was found for a question."""

    path: str
    found: Explained | SensitivitiesFound | Table


@dataclass(frozen=True)
class PageReady:
    """A page that was written, under an address of this server that nobody can guess."""

    path: str
    what: str
    address: str


@dataclass(frozen=True)
class ScriptText:
    """A script of Python."""

    path: str
    text: str


Answer = (
    Welcome
    | State
    | Files
    | CheckEnded
    | RunProgress
    | RunEnded
    | CurvesAnswer
    | Described
    | ChangedOnDisk
    | Answered
    | PageReady
    | ScriptText
    | Failed
)
