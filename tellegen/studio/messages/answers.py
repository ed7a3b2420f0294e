"""From the server to the page: answers to requests, and events that nobody asked for."""

from __future__ import annotations

from tellegen.start.records import dataclass
from tellegen.studio.document.diagram import Diagram, Note, Part, Wire
from tellegen.studio.document.text.script_run import ScriptRun
from tellegen.studio.library.realized import RealizedPart
from tellegen.studio.library.shapes import ClassShape, VariableShape
from tellegen.studio.messages.diagnostic import Diagnostic
from tellegen.studio.messages.questions import Explained, SensitivitiesFound, Table
from tellegen.studio.messages.work import Checked, CurvesRead, Printed, Progress, ScriptRan, Simulated


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
    script: ScriptRun
    """How the script in the file runs the class that is shown, as far as its text says it."""
    as_script: bool
    """Whether it is run that way here."""
    diagram: Diagram


@dataclass(frozen=True)
class TextChange:
    """The characters from `start` up to, not including, `end` become `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Edited:
    """What is different since the revision `before`; a page that has another one opens the document again."""

    path: str
    before: int
    revision: int
    dirty: bool
    can_undo: bool
    can_redo: bool
    text: TextChange
    parts: tuple[Part, ...]
    """New ones and those that changed."""
    gone: tuple[str, ...]
    order: tuple[str, ...]
    """The names of all parts, where new ones do not simply come last."""
    wires: tuple[Wire, ...]
    """Those of other ends than before, by number."""
    wire_count: int
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Files:
    """The files of the folder and whether their code may be run."""

    files: tuple[str, ...]
    trusted: bool


@dataclass(frozen=True)
class FolderClasses:
    """Parts from files of the folder, beside those of the library; `notes` are about files that cannot be read."""

    shapes: tuple[ClassShape, ...]
    notes: tuple[str, ...]


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
    number: int
    simulated: Simulated


@dataclass(frozen=True)
class CurvesAnswer:
    """Curves of a run, or nothing where another page has run the model since."""

    path: str
    read: CurvesRead


@dataclass(frozen=True)
class Described:
    """A class: its text and its equations; `starts` are variables that these differentiate, declared without a start
    value.
    """

    cls: str
    text: str
    usage: str
    equations: tuple[str, ...]
    starts: tuple[VariableShape, ...]


@dataclass(frozen=True)
class PartsFound:
    """Parts of the catalogue, the first of `count`; `problem` where a condition cannot be read."""

    search: str
    parts: tuple[RealizedPart, ...]
    count: int
    problem: str = ""


@dataclass(frozen=True)
class ChangedOnDisk:
    """Another program has written a file that has unsaved changes here, and `both` changed these statements; or what it
    left there cannot be taken over, for the reason in `both`.
    """

    path: str
    both: tuple[str, ...]
    usable: bool


@dataclass(frozen=True)
class Merged:
    """Another program has written a file that has unsaved changes here: the document has the changes of both now."""

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


@dataclass(frozen=True)
class ScriptPrinted:
    """What the script of a file has printed since the last message."""

    path: str
    printed: Printed


@dataclass(frozen=True)
class ScriptEnded:
    """The script of a file has ended; the diagnostics are placed on the sheet."""

    path: str
    ran: ScriptRan
    diagnostics: tuple[Diagnostic, ...]


Answer = (
    Welcome
    | State
    | Edited
    | Files
    | FolderClasses
    | CheckEnded
    | RunProgress
    | RunEnded
    | CurvesAnswer
    | Described
    | PartsFound
    | ChangedOnDisk
    | Merged
    | Answered
    | PageReady
    | ScriptText
    | ScriptPrinted
    | ScriptEnded
    | Failed
)
