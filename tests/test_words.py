"""Documentation and messages use the terms of the field; docs/inside/glossary.md lists them and what they replace."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.name != "glossary.md"),
]
MODULES = [*sorted((ROOT / "tellegen").rglob("*.py")), *sorted((ROOT / "examples").glob("*.py"))]

# A pattern of what is not written, and what is written instead.
BANNED = {
    r"\btold\b|\btells?\b|\btelling\b": "reports, shows, states, specifies, estimates, ...",
    r"\bstretch(es)?\b": "segment, range",
    r"\b(comes?|came|coming) to rest\b|\b(points?|states?) of rest\b": "converges, reaches steady state, equilibrium",
    r"\bwhole numbers?\b": "integer",
    r"\btruth values?\b": "Boolean",
    r"\bno numbers?\b": "NaN, not a number",
    r"\bhow gladly\b": "state-selection preference",
    r"\banew\b": "again",
    r"\bcures?\b|\bmend(s|ed|ing)?\b": "fix",
    r"\bbehind\b": "after, downstream of, beyond",
    r"\brefuse[sd]?\b": "rejects, does not support",
    r"\bheld against\b|\bclosed solutions?\b": "compared with, closed-form solution",
    r"\bwithout a word\b|\bin silence\b": "silently",
    r"\b(goes|go|went|gone) on with\b": "continues, resumes",
    r"\bto and fro\b|\bfor ever\b": "back and forth, indefinitely",
    r"(?<=\S )(?<![Tt]here )\b(is|are) no (?!longer\b|more\b|less\b|other\b)": "is not a",
    r"\bcode of the user\b": "external function",
}

# Where a banned pattern is right after all: part of the line, and the reason.
ALLOWED = {
    "neither stretches nor slips": "a belt stretches",
    "where it would fall behind": "a flange falls behind another",
}


@pytest.mark.parametrize("pattern", BANNED, ids=lambda pattern: BANNED[pattern].split(",")[0])
def test_the_fields_terms(pattern: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text.strip()[:100]}"
        for path in (*PAGES, *MODULES)
        if re.search(pattern, _joined(path))  # most files are not looked at line by line
        for line, text in _prose_of(path)
        if re.search(pattern, text) and not any(part in text for part in ALLOWED)
    ]
    assert not found, f"write {BANNED[pattern]} instead:\n" + "\n".join(found)


def test_every_exception_is_needed() -> None:
    paths = (*PAGES, *MODULES)
    lines = [text for path in paths if any(part in _text_of(path) for part in ALLOWED) for _, text in _prose_of(path)]
    unused = [part for part in ALLOWED if not any(part in line for line in lines)]
    assert not unused, f"not there any more: {unused}"


@cache
def _text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _joined(path: Path) -> str:
    """The text of a file, strings that are written in parts as one."""
    return re.sub(r"""["']\s*f?["']""", "", _text_of(path))


@cache
def _prose_of(path: Path) -> tuple[tuple[int, str], ...]:
    """Every line of prose with its number: of pages, and of strings and comments of modules."""
    lines = _of_page(path) if path.suffix == ".md" else _of_module(path)
    return tuple(lines)


def _of_page(page: Path) -> Iterator[tuple[int, str]]:
    return enumerate(_text_of(page).splitlines(), 1)


def _of_module(module: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(_text_of(module))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for offset, line in enumerate(node.value.splitlines()):
                yield node.lineno + offset, line
    with tokenize.open(module) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
