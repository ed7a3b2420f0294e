"""Classes of Modelica that were translated before: taken as they were only while nothing they came from has changed."""

from __future__ import annotations

import os
import random
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

import tellegen as tg
from tellegen.frontends.modelica import kept_classes
from tellegen.kept.read_files import ReadFiles, is_settled, stamp_of
from waiting import wait_until

LIBRARY = {
    "Lib/package.mo": 'package Lib constant Real k = 2.0; annotation(version="1.0"); end Lib;',
    "Lib/package.order": "Base\nM\n",
    "Lib/Base.mo": "within Lib; partial model Base parameter Real T = 1.0; Real x(start=1, fixed=true); end Base;",
    "Lib/M.mo": """within Lib;
model M extends Base; equation T*der(x) = -k*x; annotation(experiment(StopTime=1)); end M;""",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a library, a cache, and no checks, under which nothing is kept."""
    monkeypatch.setenv("TELLEGEN_CHECK", "0")
    monkeypatch.setenv("TELLEGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MODELICAPATH", raising=False)
    libraries = tmp_path / "libraries"
    write(libraries, LIBRARY)
    return libraries


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files, and wait until a later change would be seen."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    wait_until(lambda: all(is_settled(stamp_of(str(path))) for path in folder.rglob("*")), "files settle")


def found(folder: Path, name: str = "Lib.M", **modifications: Any) -> tg.ModelicaClass:
    """A class from a library that is loaded anew, as by another process."""
    return tg.load_modelica(folder)[name].modified(**modifications)


def is_kept(one: tg.ModelicaClass) -> bool:
    return one._kept is not None


def text(one: tg.ModelicaClass) -> str:
    """All equations and values of a model."""
    flat = tg.flatten(one.model)
    return str(flat) + repr(flat.parameters)


def test_a_second_library_finds_what_the_first_translated(folder: Path) -> None:
    first = found(folder)
    assert not is_kept(first)
    assert first.content
    second = found(folder)
    assert is_kept(second)
    assert second.content == first.content
    assert text(second) == text(first)
    assert (second.name, second.is_example, repr(second)) == ("Lib.M", True, "<model Lib.M>")
    assert second.view.path == "Lib.M"


@pytest.mark.parametrize(
    ("changed", "old", "new"),
    [
        ("Lib/M.mo", "-k*x", "+k*x"),
        ("Lib/Base.mo", "T = 1.0", "T = 3.0"),
        ("Lib/package.mo", "k = 2.0", "k = 5.0"),
    ],
)
def test_a_change_of_the_same_length(folder: Path, changed: str, old: str, new: str) -> None:
    before = text(found(folder))
    path = folder / changed
    status = path.stat()
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))  # even with the time of before
    now = found(folder)
    assert not is_kept(now)
    assert text(now) != before


def test_another_file_in_its_place(folder: Path, tmp_path: Path) -> None:
    before = text(found(folder))
    other = tmp_path / "other.mo"
    shutil.copy2(folder / "Lib/Base.mo", other)
    other.write_text(other.read_text().replace("1.0", "4.0"))
    shutil.copystat(folder / "Lib/Base.mo", other)
    os.replace(other, folder / "Lib/Base.mo")
    assert text(found(folder)) != before


def test_a_class_that_comes_between(folder: Path) -> None:
    """What was looked for and not found counts as well: a package takes the place of nothing, a name is taken."""
    write(folder, {"Lib/M.mo": "within Lib; model M Inner.P p; end M;", "Lib/Inner/P.mo": "model P Real x=1; end P;"})
    with pytest.raises(tg.ModelicaError):
        text(found(folder))
    write(folder, {"Lib/Inner/package.mo": "within Lib; package Inner end Inner;"})
    write(folder, {"Lib/Inner/P.mo": "within Lib.Inner; model P Real x = 1; end P;"})
    before = text(found(folder))
    assert is_kept(found(folder))
    write(folder, {"Lib/Inner/P.mo": "within Lib.Inner; model P Real x = 2; end P;"})
    assert text(found(folder)) != before
    (folder / "Lib/Inner/package.mo").unlink()
    with pytest.raises(tg.ModelicaError):
        text(found(folder))


def test_another_version_of_a_library_that_is_found_by_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder, {"Lib/M.mo": "within Lib; model M Other.P p; end M;"})
    path = folder.parent / "others"
    write(path, {"Other 1.0/package.mo": "package Other model P Real x = 1; end P; end Other;"})
    monkeypatch.setenv("MODELICAPATH", str(path))
    before = text(found(folder))
    assert is_kept(found(folder))
    write(path, {"Other 2.0/package.mo": "package Other model P Real x = 2; end P; end Other;"})
    assert text(found(folder)) != before
    monkeypatch.setenv("MODELICAPATH", "")
    with pytest.raises(tg.ModelicaError):
        text(found(folder))


def test_modifications_are_part_of_what_is_looked_for(folder: Path) -> None:
    given: list[dict[str, Any]] = [{}, {"T": 2.0}, {"T": 3}, {"x": {"start": 3.0}}, {"T": "2*4"}]
    texts = [text(found(folder, **each)) for each in given]
    assert len(set(texts)) == 5
    assert is_kept(found(folder, T=2.0))
    assert not is_kept(found(folder, T=2.5))
    with pytest.raises(tg.ModelicaError):
        text(found(folder, Q=1.0))


def test_the_front_end_itself_is_part_of_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text(found(folder))
    monkeypatch.setattr(kept_classes, "code_stamp", lambda *_: "another version")
    assert not is_kept(found(folder))


TABLE = """within Lib;
model Table
  type Object
    extends ExternalObject;
    function constructor
      input String tableName; input String fileName; input Real table[:, :]; input Integer columns[:];
      input Integer smoothness; input Integer extrapolation; input Boolean verbose; input String delimiter;
      input Integer nHeaderLines; output Object t;
      external "C" t = ModelicaStandardTables_CombiTable1D_init3(
        fileName, tableName, table, 0, columns, 0, smoothness, extrapolation, verbose, delimiter, nHeaderLines);
    end constructor;
  end Object;
  function value
    input Object t; input Integer column; input Real u; output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, column, u);
  end value;
  Object t = Object("a", "FILE", fill(0.0, 0, 2), {2}, 1, 1, false, ",", 0);
  Real x = value(t, 1, time);
end Table;"""


def test_a_table_in_a_file(folder: Path) -> None:
    """It becomes part of the model, so a change of the file is one of the model."""
    write(folder, {"Lib/Table.mo": TABLE.replace("FILE", "modelica://Lib/data.txt")})
    write(folder, {"Lib/data.txt": "#1\ndouble a(2, 2)\n0 1\n1 2\n"})
    before = tg.simulate(found(folder, "Lib.Table"), stop=1.0)["x"][-1]
    assert is_kept(found(folder, "Lib.Table"))
    write(folder, {"Lib/data.txt": "#1\ndouble a(2, 2)\n0 1\n1 5\n"})
    now = found(folder, "Lib.Table")
    assert not is_kept(now)
    assert (before, tg.simulate(now, stop=1.0)["x"][-1]) == pytest.approx((2.0, 5.0))


def test_what_depends_on_time_is_not_kept(folder: Path) -> None:
    clock = """within Lib;
model Clocked
  impure function now
    output Integer ms; output Integer s; output Integer m; output Integer h; output Integer d; output Integer mon;
    output Integer y;
    external "C" ModelicaInternal_getTime(ms, s, m, h, d, mon, y);
  end now;
  parameter Integer ms = now();
  Real x = ms;
end Clocked;"""
    write(folder, {"Lib/Clocked.mo": clock})
    text(found(folder, "Lib.Clocked"))
    assert not is_kept(found(folder, "Lib.Clocked"))


def test_warnings_are_given_again(folder: Path) -> None:
    write(folder, {"Lib/package.mo": 'package Lib constant Real k = 2.0; annotation(uses(O(version="1"))); end Lib;'})
    write(folder, {"O.mo": 'package O constant Real c = 1; annotation(version="2"); end O;'})
    write(folder, {"Lib/M.mo": "within Lib; model M Real x = O.c; end M;"})
    for _ in range(2):
        with pytest.warns(UserWarning, match="was written for O 1"):
            text(found(folder))


def test_a_name_that_is_not_there_is_still_an_error(folder: Path) -> None:
    text(found(folder))
    with pytest.raises(tg.ModelicaError, match=r"E595.*'N'"):
        found(folder, "Lib.N")
    with pytest.raises(tg.ModelicaError, match="E590"):
        tg.load_modelica(folder / "nowhere")


def test_nothing_is_kept_of_files_changed_just_now(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: (folder / "Lib/M.mo").stat().st_ctime_ns + 1)
    text(found(folder))
    assert not is_kept(found(folder))
    read = ReadFiles()
    read.note(folder / "Lib/M.mo")
    assert not read.are_all


def test_random_changes(folder: Path) -> None:
    """After every change the class is what a translation without any cache gives."""
    chance = random.Random(19)
    environment = os.environ.copy()
    for _ in range(8):
        name = chance.choice([*LIBRARY])
        path = folder / name
        if name.endswith("order"):
            path.write_text("M\nBase\n" if chance.random() < 0.5 else "Base\nM\n")
        else:
            path.write_text(
                LIBRARY[name].replace(".0", f".{chance.randrange(10)}").replace("-k*x", chance.choice(["-k*x", "k*x"]))
            )
        if chance.random() < 0.5:
            wait_until(lambda file=path: is_settled(stamp_of(str(file))), "the file settles")
        found_text = [text(found(folder)) for _ in range(2)]
        os.environ["TELLEGEN_CACHE"] = ""
        expected = text(found(folder))
        os.environ.update(environment)
        assert found_text == [expected] * 2
