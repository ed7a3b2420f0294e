"""The table of parts of the Modelica library: what it names exists, and its counts are those of its rows."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.modelica.part_answers import ANSWERS, SUBLIBRARIES
from tellegen.class_reference import library_entries

TEXT = (Path(__file__).parents[1] / "docs" / "modelica-parts.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([\w.]+) \| (.+) \|$", TEXT.split("## Blocks", 1)[1], re.MULTILINE)


def test_every_part_that_is_named_exists() -> None:
    ours = {f"{entry.domain}.{entry.name}" for entry in library_entries()}
    named = {answer.strip("`") for _, answer in ROWS if re.fullmatch(r"`(?!tg)[a-z_]+\.\w+`", answer)}
    assert len(named) > 400
    assert not named - ours
    answers = {text for text in ANSWERS.values() if re.fullmatch(r"[a-z_]+\.\w+", text)}
    assert not answers - ours


def test_the_counts_are_those_of_the_rows() -> None:
    rows = [row for row in ROWS if row[0] != "part"]
    missing = Counter(answer == "**none**" for _, answer in rows)
    total = re.search(r"^\| all \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", TEXT, re.MULTILINE)
    assert total is not None
    parts, same, other, language, none = map(int, total.groups())
    assert (parts, none) == (len(rows), missing[True])
    assert same + other + language + none == parts
    open_ones = re.findall(r"^\| ([\w.]+) \| \d+ \| \d+ \| \d+ \| \d+ \| (\d+) \|$", TEXT, re.MULTILINE)
    assert [name for name, _ in open_ones] == [*SUBLIBRARIES, "all"]
    assert none == int(open_ones[-1][1]) < 60


def test_the_page_is_what_the_command_writes() -> None:
    if "TELLEGEN_MSL" not in os.environ:
        pytest.skip("TELLEGEN_MSL does not name the folder of the Modelica Standard Library")
    from benchmarks.modelica.parts import answered, page

    assert page(list(answered(Path(os.environ["TELLEGEN_MSL"]) / "Modelica"))) == TEXT
