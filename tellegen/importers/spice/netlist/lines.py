"""From a file to its lines: continuations joined, comments taken out, included files put in.

    R1 a b          R1 a b 10k
    * feedback  ->
    + 10k ; ohm

Everything that is taken out and is more than a comment (a `.control` block) is noted.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

from tellegen.errors import NetlistError
from tellegen.ir.source_location import SourceLocation, here

_COMMENT = re.compile(r";.*|(?:^|(?<=\s))(?:\$|//).*")  # to the end of the line
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
    """A netlist as lines, its title, and notes on what was left out."""

    title: str
    name: str
    file: str
    lines: list[Line] = field(default_factory=list)
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
    out = Text((physical[0] if physical else "").lstrip("*. \t").strip(), name, file)
    _add(out, file, physical, first=1, depth=0)
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


def _add(out: Text, file: str, physical: list[str], first: int, depth: int) -> None:
    """Append the lines of one file, the first ones skipped."""
    control: SourceLocation | None = None
    for line in _logical(file, physical, first):
        head = line.head.lower()
        if control is not None or head == ".control":
            if head == ".control":
                control = line.location
                out.notes.append(f"{line.location}: a .control block is not run")
            control = None if head == ".endc" else control
        elif head in (".include", ".inc"):
            name = line.text.split(maxsplit=1)[1].strip().strip("\"'") if " " in line.text else ""
            path = Path(file).parent / name
            if depth == _DEEPEST:
                raise NetlistError(
                    "E501", f"{path.name} includes itself", location=line.location, advice="remove the .include"
                )
            _add(out, str(path), _read(path, line.location), first=0, depth=depth + 1)
        elif head == ".end":
            return
        else:
            out.lines.append(Line(line.text.lower(), line.location))
    if control is not None:
        raise NetlistError("E502", "a .control block without .endc", location=control, advice="end it with .endc")


def _logical(file: str, physical: list[str], first: int) -> Iterator[Line]:
    """Lines with their continuations, without comments."""
    text = ""
    location = SourceLocation(file, 0)
    for number, raw in enumerate(physical[first:], start=first + 1):
        bare = raw.strip()
        if bare.startswith("*"):
            continue
        bare = _COMMENT.sub("", bare).strip()
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
