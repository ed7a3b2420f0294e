"""The parts of the Modelica Standard Library and what answers each of them here, as docs/modelica-parts.md.

    TELLEGEN_MSL=... python -m benchmarks.modelica.parts            writes the page and prints the counts

Counted are the models and blocks of the sub-libraries below that are complete (not partial) and meant to be used: no
examples, interfaces, base classes or icons. A part is answered by one of ours of the same name in the domain that
belongs to its sub-library, by one of another name, or by the language (`part_answers.py`); otherwise it is missing.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from benchmarks.modelica.part_answers import ANSWERS, SUBLIBRARIES
from tellegen.class_reference import library_entries
from tellegen.frontends.modelica.syntax.classes import ClassDefinition
from tellegen.frontends.modelica.syntax.parser import parse
from tellegen.frontends.modelica.syntax.source_file import SourceFile

PAGE = Path(__file__).parents[2] / "docs" / "modelica-parts.md"
NOT_PARTS = {"Examples", "Interfaces", "BaseClasses", "Internal", "UsersGuide", "Icons", "Types"}
KINDS = ("same name", "another name", "the language or an analysis", "none")
HEAD = """\
# Parts of the Modelica Standard Library

Each part of version 4.1.0 and what answers it here, by sub-library. A part of the same name has the same law, or its
docstring says where it differs. The rest is answered by a part of another name, by the language, or not at all. Every
part, answered or not, can also be read from the library itself: [Modelica models](modelica.md).

Written by `TELLEGEN_MSL=... python -m benchmarks.modelica.parts`. Counted are complete models and blocks, without
examples, interfaces and base classes. Not counted: `Clocked` and `ComplexBlocks` (see [sampled systems](sampled.md)),
`Magnetic.FundamentalWave` and `Magnetic.QuasiStatic`, `Media`, `StateGraph`, `Electrical.Spice3` ([SPICE](spice.md)).
"""


@dataclass(frozen=True)
class Answer:
    """A part of theirs, and what answers it."""

    path: str
    kind: str
    text: str


def main() -> None:
    answers = list(answered(Path(os.environ["TELLEGEN_MSL"]) / "Modelica"))
    PAGE.write_text(page(answers), encoding="utf-8")
    sys.stdout.write("\n".join(summary(answers)) + "\n")


def parts(folder: Path) -> Iterator[str]:
    """The paths, below `Modelica`, of all parts of the sub-libraries of the table."""
    for file in sorted(folder.rglob("*.mo")):
        definition = parse(SourceFile(str(file), file.read_text(encoding="utf-8")))
        for each in definition.classes:
            yield from _parts_of(each, definition.within or ())


def _parts_of(definition: ClassDefinition, around: tuple[str, ...]) -> Iterator[str]:
    path = (*around, definition.name)
    if definition.restriction in ("model", "block"):
        if not definition.partial and not NOT_PARTS & set(path):
            yield ".".join(path[1:])
        return
    for element in definition.elements:
        if isinstance(element, ClassDefinition) and element.public:
            yield from _parts_of(element, path)


def sublibrary(path: str) -> str | None:
    """That of the table to which a part belongs."""
    return next((name for name in SUBLIBRARIES if path == name or path.startswith(f"{name}.")), None)


def answered(folder: Path) -> Iterator[Answer]:
    """All parts of the table, with their answers."""
    domains: dict[str, set[str]] = {}
    for entry in library_entries():
        domains.setdefault(entry.name, set()).add(entry.domain)
    for path in sorted(set(parts(folder))):
        home = sublibrary(path)
        if home is not None:
            yield answer(path, home, domains)


def answer(path: str, home: str, domains: dict[str, set[str]]) -> Answer:
    """The answer to one part: by the table first, then by its name."""
    name = path.split(".")[-1]
    known = next((text for pattern, text in ANSWERS.items() if fnmatchcase(path, pattern)), None)
    if known:
        domain, _, part = known.partition(".")
        ours = domain in domains.get(part, ())
        if not ours and re.fullmatch(r"[a-z_]+\.\w+", known):
            raise LookupError(f"there is no {known}, which part_answers.py names for {path}")
        return Answer(path, KINDS[1] if ours else KINDS[2], f"`{known}`" if ours else known)
    same = next((domain for domain in SUBLIBRARIES[home] if domain in domains.get(name, ())), None)
    if known is None and same is not None:
        return Answer(path, KINDS[0], f"`{same}.{name}`")
    return Answer(path, KINDS[3], "")


def summary(answers: list[Answer]) -> list[str]:
    """A table of counts."""
    rows = ["| sub-library | parts | " + " | ".join(KINDS) + " |", "|---|" + "---|" * (len(KINDS) + 1)]
    for name in SUBLIBRARIES:
        rows.append(_counts(name, [each for each in answers if sublibrary(each.path) == name]))
    rows.append(_counts("all", answers))
    return rows


def _counts(title: str, answers: list[Answer]) -> str:
    counts = [sum(each.kind == kind for each in answers) for kind in KINDS]
    return f"| {title} | {len(answers)} | " + " | ".join(map(str, counts)) + " |"


def page(answers: list[Answer]) -> str:
    """The page: counts, then the parts of each sub-library."""
    texts = [HEAD, *summary(answers)]
    for name in SUBLIBRARIES:
        texts += ["", f"## {name}", "", "| part | answer |", "|---|---|"]
        for each in answers:
            if sublibrary(each.path) == name:
                texts.append(f"| {each.path[len(name) + 1 :] or each.path} | {each.text or '**none**'} |")
    return "\n".join(texts) + "\n"


if __name__ == "__main__":
    main()
