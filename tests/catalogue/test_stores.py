"""Files of catalogues: round trips to the byte, tables of users, damaged files, names that try to be SQL."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import tellegen as tg
from tellegen.catalogue.quantity import Quantity

ENDINGS = ("toml", "json", "csv", "sqlite")
DOCUMENT = """\
[sources.sheet]
where = "data sheet"
date = 2026-11-16

[[family]]
interface = "TestMotor"
source = "sheet"
units = { k = "mN.m/A", mass = "kg" }

[family.parts."M 12"]
parameters = { k = 21, R = "2.4 ohm", poles = [1, 2.5], kind = "disc", shielded = true }
limits = { mass = 0.13, torque_max = "130 mN.m", stages = 3 }
tags = ["brushed"]

[family.parts.other]
limits = { mass = "95 g" }
source = "measured"
"""
TABLE = 'name,interface,k [mN.m/A],mass [g],torque_max,tags\nA,TestMotor,21,130,0.13 N.m,"x, y"\nB,TestMotor,,95 g,,\n'


def written(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_document(tmp_path: Path) -> None:
    catalogue = tg.catalogue(written(tmp_path, "parts.toml", DOCUMENT))
    part = catalogue["M 12"]
    assert part.interface == "TestMotor"  # no class of this name: quantities as stated
    assert part.parameters == {
        "k": Quantity(21.0, "mN.m/A"),
        "R": Quantity(2.4, "ohm"),
        "poles": (1, 2.5),
        "kind": "disc",
        "shielded": True,
    }
    assert part.limits["stages"] == Quantity(3.0)
    assert (part.source, part.date, part.tags) == ("data sheet", "2026-11-16", ("brushed",))
    other = catalogue["other"]
    assert (other.source, other.limits["mass"]) == ("measured", Quantity(0.095, "kg"))
    assert catalogue.find("TestMotor", "mass < 100 g").names == ["other"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_round_trip_to_the_byte(tmp_path: Path, ending: str) -> None:
    catalogue = tg.catalogue(written(tmp_path, "parts.toml", DOCUMENT))
    first = tmp_path / f"first.{ending}"
    second = tmp_path / f"second.{ending}"
    catalogue.save(first)
    again = tg.catalogue(first)
    again.save(second)
    assert first.read_bytes() == second.read_bytes()
    assert list(again) == list(catalogue)
    catalogue.save(first)
    assert first.read_bytes() == second.read_bytes()


def random_part(chance: random.Random, number: int) -> tg.Part:
    names = ["mass", "torque_max", "Länge_1", "x"]
    odd = ["é", '"', "'; DROP TABLE TestMotor; --", "\\", "[", ",", "#", "\t", "]]", "=", "日本", " ", "\x7f"]
    units = {"mass": ["g", "kg"], "torque_max": ["N.m", "mN.m"], "Länge_1": ["mm", "m"], "x": ["1"]}
    limits = {}
    for name in chance.sample(names, chance.randrange(5)):
        value = chance.choice(
            [0.0, chance.uniform(-1, 1), 10.0 ** chance.randrange(-30, 30), float(chance.randrange(99))]
        )
        limits[name] = Quantity(value, chance.choice(units[name]))
    return tg.Part(
        f"{number} {chance.choice(odd)}{chance.choice(odd)}x",
        chance.choice(["TestMotor", 'Odd"; DROP TABLE TestMotor; --', "a.b.C"]),
        {"table": (1.0, chance.random())} if chance.random() < 0.3 else {},
        limits,
        source=chance.choice(odd).strip() + "s",
        date=chance.choice(["", "2026-11-16"]),
        tags=tuple(chance.sample(["a", "b c", "d'"], chance.randrange(3))),
    )


def test_random_catalogues_come_back(tmp_path: Path) -> None:
    """Values come back exactly where their unit is that of the column, else to 15 digits; names always."""
    chance = random.Random(5)
    for k in range(12):
        parts = [random_part(chance, number) for number in range(chance.randrange(1, 12))]
        catalogue = tg.Catalogue(parts)
        for ending in ENDINGS:
            path = tmp_path / f"{k}.{ending}"
            catalogue.save(path)
            again = tg.catalogue(path)
            assert len(again) == len(catalogue)
            for part in parts:
                same = again[part.name]
                assert in_base_units(same) == pytest.approx(in_base_units(part), rel=1e-14, abs=0.0)
                assert (same.parameters, same.tags, same.source, same.family) == (
                    part.parameters,
                    part.tags,
                    part.source,
                    part.family,
                )
            before = path.read_bytes()
            again.save(path)
            assert path.read_bytes() == before


def in_base_units(part: tg.Part) -> dict[str, float]:
    base = {"g": "kg", "mN.m": "N.m", "mm": "m"}
    return {name: value.to(base.get(value.unit, value.unit)) for name, value in part.limits.items()}


def test_names_are_never_sql(tmp_path: Path) -> None:
    name = "x'); DROP TABLE TestMotor; --"
    family = 'T"; DROP TABLE TestMotor; --'
    parts = [tg.Part(name, family, {}, {"mass": "1 kg"}), tg.Part("y", "TestMotor", {}, {"mass": "2 kg"})]
    path = tmp_path / "parts.db"
    tg.Catalogue(parts).save(path)
    catalogue = tg.catalogue(path)
    assert catalogue[name].family == family
    assert catalogue.find(f"name == {name}").names == [name]
    assert catalogue.find(family).names == [name]
    for condition in ("mass < 1 kg; DROP TABLE TestMotor", "mass < 1 kg OR 1=1", "1=1 OR mass < 1 kg"):
        with pytest.raises(tg.BindingError):
            catalogue.find("TestMotor", condition)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM TestMotor").fetchone() == (1,)


def test_tables_of_users(tmp_path: Path) -> None:
    frame = pd.DataFrame({"name": ["A", "B"], "mass [g]": [130.0, 95.0], "k [mN.m/A]": [21.0, None]})
    csv = written(tmp_path, "TestMotor.csv", TABLE)
    database = tmp_path / "mine.sqlite"
    with closing(sqlite3.connect(database)) as connection:
        frame.to_sql("TestMotor", connection, index=False)
        connection.execute("CREATE TABLE notes (text TEXT)")
        connection.commit()
    sources: list[tuple[Any, dict[str, Any]]] = [
        (frame, {"interface": "TestMotor"}),
        (frame.set_index("name"), {"interface": "TestMotor"}),
        (csv, {}),
        (database, {}),
        (tmp_path, {}),
    ]
    for source, keywords in sources[:-1]:
        catalogue = tg.catalogue(source, **keywords)
        assert catalogue.find("TestMotor", "mass < 100 g").names == ["B"]
        assert catalogue["A"].quantity("k") == Quantity(21.0, "mN.m/A")
        assert "k" not in catalogue["B"].limits
    assert tg.catalogue(csv)["A"].limits["torque_max"].to("mN.m") == 130.0
    assert tg.catalogue(csv)["A"].tags == ("x", "y")
    with pytest.raises(tg.BindingError, match="E824"):
        tg.catalogue(tmp_path)  # both files have A
    csv.unlink()
    assert len(tg.catalogue(tmp_path)) == 2


DAMAGED = [
    ("x.toml", "[[family]\n", "E820", 1),
    ("x.json", '{"family": [}', "E820", 1),
    ("x.toml", "answer = 42", "E821", 1),
    ("x.toml", "family = 3", "E821", 1),
    ("x.toml", "[[family]]\nparts = {}", "E821", 1),
    ("x.toml", '[[family]]\ninterface = "M"\nparts = 3', "E821", 1),
    ("x.toml", '[[family]]\ninterface = "M"\n[family.parts.A]\nlimit = {mass = 3}', "E821", 4),
    ("x.toml", '[[family]]\ninterface = "M"\n[family.parts.A]\nlimits = {mass = "3 kgg"}', "E822", 3),
    ("x.toml", '[[family]]\ninterface = "M"\n[family.parts.A]\nlimits = {mass = nan}', "E822", 3),
    ("x.toml", '[[family]]\ninterface = "M"\n[family.parts.A]\nlimits = {mass = [1]}', "E822", 3),
    ("x.toml", '[[family]]\ninterface = "M"\n[family.parts.A]\nlimits = {mass = true}', "E822", 3),
    ("x.toml", '[[family]]\ninterface = "M"\nunits = {mass = 3}\n[family.parts.A]\nlimits = {mass = 1}', "E821", 1),
    ("x.toml", '[[family]]\ninterface = "M"\n[family.parts.A]\ntags = "x"', "E821", 3),
    ("x.toml", '[[family]]\ninterface = "M"\n[family.parts.A]\nsource = 3', "E821", 3),
    ("x.csv", "", "E821", 1),
    ("x.csv", "name,mass\nA", "E821", 2),
    ("x.csv", "title,mass\nA,1", "E821", 1),
    ("x.csv", "name,mass,mass\nA,1,2", "E821", 1),
    ("x.csv", "name,maker\nA,Smith", "E822", 2),
    ("x.csv", "name,mass [kg]\nA,inf", "E822", 2),
    ("x.csv", "name,mass [kgg]\nA,1", "E822", 1),
    ("x.csv", "name,mass [kg]\nA,1\nB,2 V", "E823", 3),
    ("x.csv", "name,mass [kg]\nA,1\nA,2", "E824", 3),
    ("x.csv", "name,mass [kg]\n ,1", "E821", 2),
    ("x.csv", "name,1 + 1\nA,1", "E821", 1),
    ("x.csv", 'name,mass\n"A,1', "E820", 1),
    ("x.txt", "", "E820", 0),
    ("x.sqlite", "no database at all, but long enough to be read", "E820", 0),
]


@pytest.mark.parametrize(("name", "text", "code", "line"), DAMAGED)
def test_damaged_files(tmp_path: Path, name: str, text: str, code: str, line: int) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(tg.BindingError) as caught:
        list(tg.catalogue(path))
    assert caught.value.code == code, caught.value
    assert caught.value.location is not None
    if line:
        assert (Path(caught.value.location.file), caught.value.location.line) == (path, line)


def test_other_things_are_no_catalogues(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    for source in (3, tmp_path / "nowhere.toml", tmp_path / "empty", binary):
        with pytest.raises(tg.BindingError, match="E820"):
            tg.catalogue(source)
    for keywords in ({"interface": 3}, {}):
        with pytest.raises(tg.BindingError, match="E821"):
            tg.catalogue(pd.DataFrame({"name": ["A"], "mass [kg]": [1.0]}), **keywords)
    database = tmp_path / "x.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
        connection.commit()
    with pytest.raises(tg.BindingError, match="E821"):
        tg.catalogue(database)


def test_random_damage_raises_only_our_errors(tmp_path: Path) -> None:
    """Bytes of good files are changed, removed and inserted; either it can still be read or the error is ours."""
    chance = random.Random(7)
    good = tg.catalogue(written(tmp_path, "parts.toml", DOCUMENT))
    failures = 0
    for k in range(100):
        ending = ENDINGS[k % len(ENDINGS)]
        path = tmp_path / f"damaged.{ending}"
        good.save(path)
        content = bytearray(path.read_bytes())
        for _ in range(chance.randrange(1, 5)):
            at = chance.randrange(len(content))
            content[at : at + chance.randrange(3)] = bytes(
                chance.choices(b'[]{}"=,.\n\x00\xff1e9-ax', k=chance.randrange(3))
            )
        path.write_bytes(content)
        try:
            catalogue = tg.catalogue(path)
            [str(part) for part in catalogue]
            catalogue.find("TestMotor", "mass < 1 kg")
        except tg.BindingError:
            failures += 1
    assert failures > 25


def test_json_has_the_same_form(tmp_path: Path) -> None:
    catalogue = tg.catalogue(written(tmp_path, "parts.toml", DOCUMENT))
    catalogue.save(tmp_path / "x.json")
    content = json.loads((tmp_path / "x.json").read_text())
    assert content["family"][0]["parts"]["M 12"]["limits"] == {"mass": 0.13, "torque_max": 130.0, "stages": 3.0}
