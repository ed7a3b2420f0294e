"""Texts that two programs changed: together where they touched other statements, asked about where not; git agrees."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from tellegen.studio.document.layout_file import Place
from tellegen.studio.document.merge import merged_layouts, merged_texts
from tellegen.studio.document.text.statements import statements

BASE = '''"""A circuit."""

import tellegen as tg
from tellegen.library import electrical as el


class Circuit(tg.Component):
    R = tg.parameter(1.0, unit="ohm")
    source = el.SineVoltage(
        V=10.0,  # of the mains
        f=50.0,
    )
    resistor = el.Resistor(R=R)
    coil = el.Inductor(L=1e-3)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.resistor.p
        yield self.resistor.n, self.coil.p
        yield self.coil.n, self.source.n, self.ground.p


if __name__ == "__main__":
    print(tg.simulate(Circuit(), 1.0))
'''
LAMP = "    lamp = el.Resistor(R=2.0)\n"
FUSE = "    fuse = el.Resistor(R=1e-3)\n"
GROUND = "    ground = el.Ground()\n"
THERMAL = "from tellegen.library import thermal as th\n"


def with_(*changes: tuple[str, str], text: str = BASE) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


TOGETHER = {
    "two values": ([("L=1e-3", "L=2e-3")], [("V=10.0", "V=12.0")]),
    "neighbours": ([("el.Resistor(R=R)", "el.Resistor(R=3.0)")], [("L=1e-3", "L=2e-3")]),
    "a part and a connection": ([(GROUND, GROUND + LAMP)], [("self.resistor.n, ", "self.resistor.n, self.source.n, ")]),
    "two parts at one place": ([(GROUND, GROUND + LAMP)], [(GROUND, GROUND + FUSE)]),
    "the same twice": ([("L=1e-3", "L=2e-3")], [("L=1e-3", "L=2e-3"), ("f=50.0", "f=60.0")]),
    "one import for both": (
        [("as el\n", "as el\n" + THERMAL), (GROUND, GROUND + LAMP)],
        [("as el\n", "as el\n" + THERMAL), ("L=1e-3", "L=2e-3")],
    ),
    "a script": ([("1.0))", "2.0))")], [(GROUND, GROUND + LAMP)]),
    "a comment": ([("    coil", "    # of copper\n    coil")], [("L=1e-3", "L=2e-3")]),
}
ASKED = {
    "one value": ([("L=1e-3", "L=2e-3")], [("L=1e-3", "L=3e-3")], "coil = el.Inductor(L=1e-3)"),
    "two values of one part": ([("V=10.0", "V=12.0")], [("f=50.0", "f=60.0")], "source = el.SineVoltage("),
    "one name for two": ([(GROUND, GROUND + LAMP)], [("    coil", "    lamp = el.Diode()\n    coil")], "lamp"),
    "removed and changed": ([("    coil = el.Inductor(L=1e-3)\n", "")], [("L=1e-3", "L=3e-3")], "coil"),
    "renamed and used": (
        [("coil =", "choke ="), ("self.coil.p", "self.choke.p"), ("self.coil.n", "self.choke.n")],
        [("self.source.p,", "self.source.p, self.coil.n,")],
        "coil",
    ),
    "a broken text": ([("L=1e-3", "L=2e-3")], [("class Circuit", "class")], "cannot read"),
}


@pytest.mark.parametrize("case", TOGETHER)
def test_other_statements_are_merged(case: str) -> None:
    mine, others = TOGETHER[case]
    merged = merged_texts(BASE, with_(*mine), with_(*others))
    assert merged.both == ()
    both = [change for change in others if change not in mine]
    for new in [new for _, new in (*mine, *both)]:
        assert new.removeprefix(GROUND) in merged.text
        assert merged.text.count(THERMAL) == BASE.count(THERMAL) + (case == "one import for both")
    assert len(statements(merged.text)) >= len(statements(BASE))
    windows = merged_texts(*(text.replace("\n", "\r\n") for text in (BASE, with_(*mine), with_(*others))))
    assert windows.text == merged.text.replace("\n", "\r\n")


@pytest.mark.parametrize("case", ASKED)
def test_the_same_statements_are_asked_about(case: str) -> None:
    mine, others, about = ASKED[case]
    for ours, theirs in ((mine, others), (others, mine)):
        merged = merged_texts(BASE, with_(*ours), with_(*theirs))
        assert about in " ".join(merged.both)
        assert merged.text == with_(*ours), "nothing was done"


def test_nothing_that_python_cannot_read_is_made() -> None:
    base = "class Two:\n    a = 1\n    b = 2\n"
    merged = merged_texts(base, "class Two:\n    a = 1\n", "class Two:\n    b = 2\n")
    assert merged.both == ("b = 2",)


def test_git_agrees(tmp_path: Path) -> None:
    """Random changes of a long class: whatever both merge is the same, and git is asked more often, not less."""
    chance = random.Random(3)
    parts = [f"    part_{k} = el.Resistor(R={k}.0)\n" for k in range(24)]
    base = "import tellegen as tg\n\n\nclass Many(tg.Component):\n" + "".join(parts)
    merges = 0
    for _ in range(25):
        ours, theirs = (changed(parts, chance, name) for name in ("ours", "theirs"))
        texts = [base, *("import tellegen as tg\n\n\nclass Many(tg.Component):\n" + text for text in (ours, theirs))]
        for name, text in zip(("base", "ours", "theirs"), texts, strict=True):
            (tmp_path / name).write_text(text)
        command = ["git", "merge-file", "-p", "ours", "base", "theirs"]
        git = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        merged = merged_texts(*texts)
        if git.returncode == 0:
            assert merged.both == ()
            assert merged.text == git.stdout
            merges += 1
    assert merges > 5


def changed(parts: list[str], chance: random.Random, name: str) -> str:
    """A few lines changed, removed or added."""
    rows = list(parts)
    for place in sorted(chance.sample(range(len(rows)), 2), reverse=True):
        match chance.choice(("change", "remove", "add")):
            case "change":
                rows[place] = rows[place].replace(".0)", f".{len(name)})")
            case "remove":
                del rows[place]
            case "add":
                rows.insert(place, f"    {name}_{place} = el.Inductor()\n")
    return "".join(rows)


def test_places() -> None:
    base = {"Circuit": {"a": Place(0, 0), "b": Place(8, 8), "c": Place(16, 16)}}
    ours = {"Circuit": {"a": Place(0, 80), "b": Place(8, 8)}}
    theirs = {
        "Circuit": {"a": Place(0, 0), "b": Place(8, 80), "c": Place(16, 16), "d": Place(1, 1)},
        "New": {"x": Place(0, 0)},
    }
    merged = merged_layouts(base, ours, theirs)
    assert merged.both == ()
    assert merged.layout == {
        "Circuit": {"a": Place(0, 80), "b": Place(8, 80), "d": Place(1, 1)},
        "New": {"x": Place(0, 0)},
    }
    asked = merged_layouts(base, ours, {"Circuit": {"a": Place(40, 0)}})
    assert asked.both == ("the place of a",)
