"""From a file to its lines: continuations joined, comments taken out, included files put in.

    R1 a b          R1 a b 10k
    * feedback  ->
    + 10k ; ohm

Blocks of `.control` are kept apart (scripts/interpreter.py).
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

from tellegen.errors import NetlistError, nearest
from tellegen.ir.source_location import SourceLocation, here

_COMMENT = re.compile(r";.*|(?:^|(?<=\s))(?:\$|//).*")  # to the end of the line
_SCRIPT_COMMENT = re.compile(r";.*|(?:^|\s)(?:\$\s|//).*")  # there $name is a variable
_WORD = re.compile(r"\"[^\"]*\"|'[^']*'|\S+")
_BLANKS = " \t\r\n\f\v\x00\x1a\ufeff"  # also the mark at the end of files of DOS, and that of UTF-8 at the beginning
_INCLUDES = (".include", ".inc")
_DEEPEST = 20  # files that include files


@dataclass(frozen=True)
class Line:
    """One line of a netlist, in lower case, and where it begins."""

    text: str
    location: SourceLocation

    @property
    def head(self) -> str:
        """The first word."""
        return self.text.split(maxsplit=1)[0]


@dataclass
class Text:
    """A netlist as lines, its first one, which is the title, and notes on what was left out."""

    title: str
    name: str
    file: str
    lines: list[Line] = field(default_factory=list)
    scripts: list[list[Line]] = field(default_factory=list)  # blocks from .control to before .endc
    notes: list[str] = field(default_factory=list)


def read_text(path: str | Path | None, text: str | None) -> Text:
    """The lines of a file, or of a text in its place."""
    if path is None:
        assert text is not None
        file = f"<netlist {crc32(text.encode()):x}>"
        kept = [f"{line}\n" for line in text.splitlines()]
        linecache.cache[file] = (len(text), None, kept, file)  # so that messages can show a line of it
        physical = text.splitlines()
        name = "netlist"
    else:
        if not isinstance(path, str | Path):
            raise NetlistError(
                "E501",
                f"the path of a netlist is a string, not {path!r}",
                location=here(),
                advice="read_spice('a.cir')",
            )
        file = str(path)
        physical = _read(Path(path), here())
        name = Path(path).stem
    out = Text(physical[0].strip() if physical else "", name, file)
    head = physical[0].split(maxsplit=1)[:1] if physical else []
    is_title = not head or head[0].lower() not in _INCLUDES  # ngspice reads a file that is named in its place
    _add(out, list(_logical(file, physical, first=int(is_title))), depth=0)
    return out


def _read(path: Path, location: SourceLocation) -> list[str]:
    """The lines of a file as they stand there."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise NetlistError(
            "E501",
            f"the netlist {path} cannot be read: {error.strerror}",
            location=location,
            advice="give the path of the file; paths in .include are relative to the file that contains them",
        ) from None


def _add(out: Text, lines: list[Line], depth: int) -> None:
    """Append the lines of one file, and of those it includes; after .end only blocks of .control are read."""
    script: list[Line] = []
    ended = False
    for line in lines:
        head = line.head.lower()
        if script and head == ".endc":
            out.scripts.append(script)
            script = []
        elif script or head == ".control":
            script.append(Line(line.text.lower(), line.location))
        elif ended:
            continue
        elif head in _INCLUDES:
            name = line.text.split(maxsplit=1)[1] if " " in line.text else ""
            _add(out, _sections(_included(line, name, depth), None, line), depth + 1)
        elif head == ".lib":
            file, section = _library(line)
            _add(out, _sections(_included(line, file, depth), section, line), depth + 1)
        elif head == ".end":
            ended = True
        elif head == ")":  # of a card that ended without it
            out.notes.append(f"{line.location}: a line with nothing but ')' is not used")
        else:
            out.lines.append(Line(line.text.lower(), line.location))
    if script:
        advice = "end it with .endc"
        raise NetlistError("E502", "a .control block without .endc", location=script[0].location, advice=advice)


def _included(line: Line, name: str, depth: int) -> list[Line]:
    """The lines of a file that is named in another one."""
    path = Path(line.location.file).parent / name.strip().strip("\"'")
    if depth == _DEEPEST:
        what = f"{path.name} includes itself"
        raise NetlistError("E501", what, location=line.location, advice=f"remove the {line.head.lower()}")
    return list(_logical(str(path), _read(path, line.location), first=0))


def _library(line: Line) -> tuple[str, str | None]:
    """`.lib file section`, or `.lib file` for all of it."""
    words = [word.strip("\"'") for word in _WORD.findall(line.text)]
    if len(words) not in (2, 3):
        raise NetlistError("E502", ".lib needs a file", location=line.location, advice=".lib models.lib tt")
    return words[1], words[2].lower() if len(words) == 3 else None


def _sections(lines: list[Line], wanted: str | None, asked: Line) -> list[Line]:
    """The lines of one section of a library (`.lib tt` to `.endl`); without one, those outside of all sections."""
    if not any(line.head.lower() == ".endl" for line in lines):
        if wanted is None:
            return lines
        raise _no_section(asked, wanted, [])
    found: list[Line] = []
    names: list[str] = []
    inside: str | None = None
    for line in lines:
        head = line.head.lower()
        words = line.text.lower().split()
        if head == ".lib" and len(words) == 2 and inside is None:
            inside = words[1]
            names.append(inside)
        elif head == ".endl":
            inside = None
        elif inside == wanted:
            found.append(line)
    if wanted is not None and wanted not in names:
        raise _no_section(asked, wanted, names)
    return found


def _no_section(asked: Line, wanted: str, names: list[str]) -> NetlistError:
    what = f"the library has no section '{wanted}'" + (f"; {nearest(wanted, names)}" if names else "")
    return NetlistError(
        "E501", what, location=asked.location, advice="a section begins with .lib name, ends with .endl"
    )


def _logical(file: str, physical: list[str], first: int) -> Iterator[Line]:
    """Lines with their continuations, without comments."""
    text = ""
    comment = _COMMENT
    location = SourceLocation(file, 0)
    for number, raw in enumerate(physical[first:], start=first + 1):
        bare = raw.strip(_BLANKS)
        if bare.startswith("*"):
            continue
        if bare[:8].lower() in (".control", ".endc"):
            comment = _SCRIPT_COMMENT if bare[:8].lower() == ".control" else _COMMENT
        bare = comment.sub("", bare).strip()
        if bare.startswith("+"):
            if not text:
                raise NetlistError(
                    "E502",
                    "a continuation line (+) without a preceding line",
                    location=SourceLocation(file, number),
                    advice="write the element or card in front of it",
                )
            text += " " + bare[1:].strip()
        elif bare:
            if text:
                yield Line(text, location)
            text = bare
            location = SourceLocation(file, number)
    if text:
        yield Line(text, location)
