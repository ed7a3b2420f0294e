"""From text to tokens: words, numbers and signs, each with its line and column. Comments are those of C.

setState(g, [0.0, 1e-3]);   // start        ->  word 'setState', sign '(', word 'g', sign ',', ...
"""

from __future__ import annotations

import linecache
import re
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from tellegen.errors import DocumentError
from tellegen.ir.source_location import SourceLocation, here

KEYWORDS = frozenset(
    (
        *("module", "is", "isa", "configuration", "with", "endmodule"),
        *("interface", "declare", "inputs", "outputs", "states", "dft", "true", "false"),
        *("submodules", "connections", "in", "out", "initialization", "setstate", "setparam"),
    )
)
"""Words with a meaning, in any mixture of upper and lower case."""
_TOKEN = re.compile(
    r"""(?P<space>\s+ | //[^\n]* | /\*.*?\*/)
    | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    | (?P<word>[A-Za-z_]\w*)
    | (?P<sign>[;,()\[\]{}@.+\-*/^])""",
    re.VERBOSE | re.DOTALL,
)
_LARGEST = 2_000_000  # characters of a file


@dataclass(frozen=True)
class Token:
    """A word, a number or a sign; `kind` is "end" at the end of the file."""

    kind: str
    text: str
    location: SourceLocation

    @property
    def keyword(self) -> str:
        """The keyword in lower case, or nothing."""
        lower = self.text.lower()
        return lower if self.kind == "word" and lower in KEYWORDS else ""

    def __str__(self) -> str:
        return "the end of the file" if self.kind == "end" else f"'{self.text}'"


def read_text(path: str | Path) -> str:
    """The text of a file."""
    try:
        text = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise DocumentError(
            "E860",
            f"the file {path} cannot be read: {getattr(error, 'strerror', None) or error}",
            location=here(),
            advice="give the path of an .mdl file: tg.read_mdl('seeker.mdl')",
        ) from None
    return text.decode("utf-8", errors="replace")


def remember(text: str) -> str:
    """The name under which messages show lines of a text that has no file."""
    file = f"<mdl {crc32(text.encode()):x}>"
    linecache.cache[file] = (len(text), None, [f"{line}\n" for line in text.splitlines()], file)
    return file


def tokens_of(text: str, file: str) -> list[Token]:
    """All tokens of a text, the end included."""
    out: list[Token] = []
    position = 0
    line = 1
    begin = 0  # of the line
    if len(text) > _LARGEST:
        raise DocumentError(
            "E860",
            f"the file has {len(text)} characters",
            location=SourceLocation(file, 1, column=1),
            advice=f"divide it: a file may have {_LARGEST} characters",
        )
    while position < len(text):
        location = SourceLocation(file, line, column=position - begin + 1)
        found = _TOKEN.match(text, position)
        if found is None:
            raise _unknown(text, position, location)
        if found.lastgroup == "space":
            line += found[0].count("\n")
            begin = position + found[0].rfind("\n") + 1 if "\n" in found[0] else begin
        else:
            out.append(Token(found.lastgroup or "", found[0], location))
        position = found.end()
    out.append(Token("end", "", SourceLocation(file, line, column=position - begin + 1)))
    return out


def _unknown(text: str, position: int, location: SourceLocation) -> DocumentError:
    if text.startswith("/*", position):
        return DocumentError("E861", "a comment /* without its end", location=location, advice="end it with */")
    letter = text[position]
    advice = "write 'instance.out[0] @ instance.in[0]' for a connection" if letter in "=<>:" else "remove it"
    return DocumentError("E861", f"{letter!r} is no part of the language", location=location, advice=advice)
