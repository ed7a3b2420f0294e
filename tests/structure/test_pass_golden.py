"""What every pass does, as text before and after: tests/golden/passes/<pass>.test, rewritten by --rewrite-golden.

    [case two resistors in series]
    What is to be seen here, in a sentence.
    [model]
    class Case(tg.Component): ...
    [before]
    [after]

[model] is Python with `tg` and the library by its short names, and defines the class Case. [before] is the model that
enters the pass, [after] the one that leaves it: `unchanged`, or what the pass says of a model it refuses.
"""

from __future__ import annotations

import difflib
import linecache
import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tellegen as tg
from golden import FOLDER, normalised
from tellegen.ir.show.flat_model import show_flat
from tellegen.ir.show.reduced_model import show_reduced
from tellegen.library import electrical, rotational, translational
from tellegen.stages import trace_model
from tellegen.structure.passes import ORDERING, PASSES

PASS_FOLDER = FOLDER / "passes"
FIRST = "residual_form"  # takes a FlatModel, all others take what the one before made
NAMES = [FIRST, *(run.__name__ for run in (*PASSES, *ORDERING))]
PREVIOUS = dict(zip(NAMES, ["", *NAMES], strict=False))
UNCHANGED = "unchanged"


@dataclass
class Case:
    """One case; `before` and `after` are what the file says."""

    name: str
    about: str
    model: str
    before: str
    after: str

    def __str__(self) -> str:
        sections = (("model", self.model), ("before", self.before), ("after", self.after))
        return f"[case {self.name}]\n{self.about}" + "".join(f"[{title}]\n{text}" for title, text in sections)


def read_cases(path: Path) -> tuple[str, list[Case]]:
    """What stands above the cases, and the cases."""
    head, *parts = re.split(r"^\[case (.*)\]\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    cases = []
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        about, *sections = re.split(r"^\[(model|before|after)\]\n", body, flags=re.MULTILINE)
        texts = dict(zip(sections[::2], sections[1::2], strict=True))
        cases.append(Case(name, about, texts["model"], texts.get("before", ""), texts.get("after", "")))
    return head, cases


@cache
def cases_of(name: str) -> tuple[str, list[Case]]:
    return read_cases(PASS_FOLDER / f"{name}.test")


def component(case: Case) -> Any:
    """The class Case that the text of a case defines; its lines can be shown by errors."""
    file = "case.py"
    linecache.cache[file] = (len(case.model), None, case.model.splitlines(keepends=True), file)
    names = {"tg": tg, "electrical": electrical, "rotational": rotational, "translational": translational}
    scope: dict[str, Any] = {**names, "__name__": "case"}
    exec(compile(case.model, file, "exec"), scope)
    return scope["Case"]()


def around(name: str, case: Case) -> tuple[str, str]:
    """The texts before and after a pass."""
    before, last = show_flat(tg.flatten(component(case))) if name == FIRST else "", ""
    try:
        for done, model in trace_model(component(case)):
            text = show_reduced(model)
            if done == name:
                return _page(before), _page(UNCHANGED if text == before else text)
            before, last = text, done
    except tg.TellegenError as error:
        if last != PREVIOUS[name]:
            raise  # refused too early: the case is not one of this pass
        return _page(before), _page(str(error))
    raise AssertionError(f"there is no pass {name}")


def _page(text: str) -> str:
    """As it stands in the file, followed by an empty line; lines of the library may move without a word here."""
    text = re.sub(r"\((?!case)(\w+\.py):\d+\)", r"(\1)", normalised(text))
    return text.rstrip("\n") + "\n\n"


@pytest.mark.golden
@pytest.mark.parametrize("name", NAMES)
def test_pass(name: str) -> None:
    head, cases = cases_of(name)
    assert len(cases) >= 3, f"{name}: at least three cases, please"
    found = [around(name, case) for case in cases]
    new = [Case(case.name, case.about, case.model, *texts) for case, texts in zip(cases, found, strict=True)]
    path = PASS_FOLDER / f"{name}.test"
    text = head + "".join(map(str, new)).rstrip("\n") + "\n"
    if os.environ.get("TELLEGEN_REWRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
        return
    old = path.read_text(encoding="utf-8")
    if old != text:
        diff = "\n".join(difflib.unified_diff(old.splitlines(), text.splitlines(), "golden", "now", lineterm=""))
        pytest.fail(f"{path.name} differs (meant? pytest --rewrite-golden):\n{diff}", pytrace=False)


def test_every_file_is_of_a_pass() -> None:
    assert sorted(path.stem for path in PASS_FOLDER.glob("*.test")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_cases_show_the_pass_at_work(name: str) -> None:
    """A pass that changes models is shown to do so in two cases at least; a check refuses in two at least."""
    _, cases = cases_of(name)
    assert sum(case.after.strip() != UNCHANGED for case in cases) >= 2
