"""Parts, catalogues and queries; random queries against a brute-force answer in exact arithmetic."""

from __future__ import annotations

import operator
import pickle
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tellegen as tg
from tellegen.catalogue.quantity import Quantity
from tellegen.library import electrical as el
from tellegen.library import interfaces
from tellegen.library import rotational as rot


class MotorInterface(tg.Interface):
    """A DC motor: two pins, one flange."""

    p = el.Pin()
    n = el.Pin()
    flange = rot.Flange()
    k = tg.parameter(0.04, "N.m/A", "torque constant", semantics="torque_constant")
    R = tg.parameter(2.4, "ohm", "armature resistance", semantics="armature_resistance")


class ServoInterface(MotorInterface):
    """A motor with a sensor: a subtype."""

    ticks = tg.parameter(1000.0, "1", "of a turn", semantics="resolution")


class Motor(tg.Component, implements=MotorInterface, name="ideal", default=True):
    emf = el.EMF(k=MotorInterface.k)
    winding = el.Resistor(R=MotorInterface.R)

    def connections(self) -> Any:
        yield self.p, self.winding.p
        yield self.winding.n, self.emf.p
        yield self.emf.n, self.n
        yield self.emf.flange, self.flange


class SpringInterface(tg.Interface):
    """Another family."""

    flange_a = rot.Flange()
    flange_b = rot.Flange()
    c = tg.parameter(1.0, "N.m/rad", "stiffness", semantics="stiffness")


def motor(name: str, mass: str, torque: str, **facts: Any) -> tg.Part:
    return tg.Part(name, MotorInterface, {"k": 0.05, "R": "240 mohm"}, {"mass": mass, "torque_max": torque}, **facts)


@pytest.fixture(scope="module")
def catalogue() -> tg.Catalogue:
    return tg.Catalogue(
        [
            motor("A 12", "130 g", "130 mN.m", source="sheet A", date="2026-11-16", tags=("brushed", "12 V")),
            motor("B 24", "0.3 kg", "0.24 N.m", implementation="ideal"),
            tg.Part("C", MotorInterface, {"R": 1.0}),
            tg.Part("S", ServoInterface, {"ticks": 500}, {"mass": "200 g", "torque_max": "0.5 N.m"}),
            tg.Part("spring", SpringInterface, {"c": "3 N.m/rad"}, {"mass": "10 g"}),
        ]
    )


def test_a_part_has_its_numbers_in_declared_units(catalogue: tg.Catalogue) -> None:
    part = catalogue["A 12"]
    assert part.parameters == {"k": 0.05, "R": 0.24}
    assert part.limits == {"mass": Quantity(130.0, "g"), "torque_max": Quantity(130.0, "mN.m")}
    assert part.limits["mass"].to("kg") == 0.13
    assert part.quantity("R") == Quantity(0.24, "ohm")
    assert (part.interface, part.source, part.date, part.tags) == (
        MotorInterface,
        "sheet A",
        "2026-11-16",
        ("brushed", "12 V"),
    )
    assert pickle.loads(pickle.dumps(part)) == part
    for shown in ("A 12", "0.24 ohm", "130 mN.m", "sheet A", "brushed"):
        assert shown in str(part)
    assert "SpringInterface" in str(catalogue)


def test_a_part_is_bound_to_an_interface(catalogue: tg.Catalogue) -> None:
    class Drive(tg.Component):
        source = el.ConstantVoltage(V=12.0)
        ground = el.Ground()
        motor = MotorInterface(k=0.9)
        load = rot.Inertia(J=1e-4)

        def connections(self) -> Any:
            yield self.source.p, self.motor.p
            yield self.source.n, self.motor.n, self.ground.p
            yield self.motor.flange, self.load.flange_a

    solution = tg.simulate(tg.bind(Drive(), {"motor": catalogue["A 12"]}), stop=1.0)
    assert solution["load.w"][-1] == pytest.approx(12.0 / 0.05, rel=1e-4)
    with pytest.raises(tg.BindingError, match="E805"):
        tg.bind(Drive(), {"motor": catalogue["spring"]})


@pytest.mark.parametrize(
    ("conditions", "names"),
    [
        ((), ["A 12", "B 24", "C", "S"]),
        (("mass < 0.2 kg",), ["A 12"]),
        (("mass <= 0.2 kg",), ["A 12", "S"]),
        (("mass <= 200 g", "torque_max > 300 mN.m"), ["S"]),
        (("0.2 kg <= mass < 301 g",), ["B 24", "S"]),
        (("300 g > mass >= 0.13 kg",), ["A 12", "S"]),
        (("240 mN.m == torque_max",), ["B 24"]),
        (("torque_max != 0.24 N.m",), ["A 12", "S"]),
        (("ticks >= 1",), ["S"]),
        (('name ~ "b 2"',), ["B 24"]),
        (("name == C",), ["C"]),
        (('tag == "12 V"',), ["A 12"]),
        (("tag != brushed", "mass > 0.2 kg"), ["B 24"]),
        (("source ~ SHEET",), ["A 12"]),
        (("implementation == ideal",), ["B 24"]),
    ],
)
def test_find(catalogue: tg.Catalogue, conditions: tuple[str, ...], names: list[str]) -> None:
    assert catalogue.find(MotorInterface, *conditions).names == names
    assert [part.name for part in catalogue.find("motor", *conditions)] == names


def test_subtypes_are_found_and_supertypes_are_not(catalogue: tg.Catalogue) -> None:
    assert catalogue.find(ServoInterface).names == ["S"]
    assert "S" in catalogue.find(MotorInterface).names
    assert "spring" not in catalogue.find(MotorInterface).names


def test_a_name_without_a_module_is_one_of_the_library(catalogue: tg.Catalogue) -> None:
    """The class of the same name above does not change what the shipped catalogue means; by itself it is qualified."""
    assert tg.Part("x", "SpringInterface", {"c": "1 N/m"}).interface is interfaces.SpringInterface
    assert catalogue["spring"].family == f"{__name__}.SpringInterface"
    assert tg.catalogue().find(SpringInterface).names == []
    assert len(tg.catalogue().find("spring")) == len(tg.catalogue().find(interfaces.SpringInterface)) > 0

    class Twin(tg.Interface):
        p = el.Pin()

    class Other(tg.Interface):
        n = el.Pin()

    Other.__name__ = Twin.__name__
    with pytest.raises(tg.BindingError, match="E826"):
        tg.Part("x", "Twin")


def test_order_limit_and_whole_catalogue(catalogue: tg.Catalogue) -> None:
    assert catalogue.find(MotorInterface, order_by="mass").names == ["A 12", "S", "B 24", "C"]
    assert catalogue.find(MotorInterface, order_by="-mass", limit=2).names == ["B 24", "S"]
    assert catalogue.find("mass < 1 kg", order_by="-name").names == ["spring", "S", "B 24", "A 12"]
    found = catalogue.find(order_by="mass")
    assert found.names[0] == "spring"
    assert found[1:3].names == ["A 12", "S"]
    assert found[-1] == catalogue["C"]
    assert "130 g" in str(found)
    assert list(found.to_pandas()["name"]) == found.names
    assert len(catalogue.find(MotorInterface, limit=0)) == 0


def test_a_catalogue_is_a_collection(catalogue: tg.Catalogue) -> None:
    assert len(catalogue) == 5
    assert "A 12" in catalogue
    more = catalogue + tg.Catalogue([motor("new", "1 kg", "1 N.m")])
    assert more.find(MotorInterface, "mass > 0.5 kg").names == ["new"]
    assert sum(more.families.values()) == 6
    assert "130 mN.m" in catalogue.quantities(MotorInterface).text()


MISTAKES: list[tuple[str, Callable[[tg.Catalogue], Any], str]] = [
    ("E821", lambda _: tg.Part("", MotorInterface), "'name' of a part"),
    ("E821", lambda _: tg.Part("x", MotorInterface, [1]), "a dict of values by name"),  # type: ignore[arg-type]
    ("E821", lambda _: tg.Part("x", MotorInterface, tags="brushed"), "a list of strings"),  # type: ignore[arg-type]
    ("E821", lambda _: tg.Part("x", MotorInterface, implementation=3), "name of an implementation"),  # type: ignore[arg-type]
    ("E822", lambda _: tg.Part("x", MotorInterface, {}, {"mass": 10**400}), "is inf"),
    ("E821", lambda _: tg.Part("x", Motor), "interface of the part 'x'"),
    ("E821", lambda _: tg.Catalogue(["x"]), "'x' is not a part"),  # type: ignore[list-item]
    ("E822", lambda _: motor("x", "heavy", "1 N.m"), "'mass' of 'x' is 'heavy'"),
    ("E822", lambda _: motor("x", "1 kgg", "1 N.m"), "'kgg' is not a unit"),
    ("E822", lambda _: tg.Part("x", MotorInterface, {}, {"mass": float("inf")}), "is inf"),
    ("E823", lambda _: tg.Catalogue([motor("x", "1 kg", "1 N.m"), motor("y", "1 V", "1 N.m")]), "1 V"),
    ("E823", lambda c: c + tg.Catalogue([motor("y", "1 V", "1 N.m")]), "'mass'"),
    ("E824", lambda c: c + tg.Catalogue([motor("C", "1 kg", "1 N.m")]), "two parts are called 'C'"),
    ("E825", lambda c: c["A12"], "perhaps you meant 'A 12'"),
    ("E826", lambda c: c.find("gearbox"), "no parts of 'gearbox'"),
    ("E827", lambda c: c.find(MotorInterface, "mass = 1 kg"), "equality is written =="),
    ("E827", lambda c: c.find(MotorInterface, "mass < torque_max"), "does not compare"),
    ("E827", lambda c: c.find(MotorInterface, 3), "is a string, not 3"),
    ("E827", lambda c: c.find(MotorInterface, "name < x"), "is a string"),
    ("E827", lambda c: c.find(MotorInterface, "__import__('os') < 1"), "not a condition"),
    ("E828", lambda c: c.find(MotorInterface, "masss < 1 kg"), "perhaps you meant 'mass'"),
    ("E828", lambda c: c.find(MotorInterface, order_by="price"), "'price'"),
    ("E828", lambda c: c["A 12"].quantity("length"), "'length'"),
    ("E829", lambda c: c.find(MotorInterface, "mass < 1 V"), "not in 'V'"),
    ("E829", lambda c: c.find(MotorInterface, "mass < 1"), "states no unit"),
    ("E829", lambda c: c.find(MotorInterface, "mass < 1 kgg"), "'kgg' is not a unit"),
    ("E829", lambda c: c["A 12"].limits["mass"].to("V"), "cannot be converted"),
    ("E830", lambda _: tg.Part("x", MotorInterface, {"L": 1.0}), "not a parameter of MotorInterface"),
    ("E830", lambda _: tg.Part("x", MotorInterface, {"k": "1 V"}), "cannot be converted to 'N.m/A'"),
    ("E830", lambda _: tg.Part("x", MotorInterface, implementation="real"), "bound to 'real'"),
    ("E831", lambda c: c.save("x.xlsx"), "cannot be saved"),
    ("E831", lambda c: c.save("/no/such/folder/x.toml"), "cannot be written"),
    ("E832", lambda c: c.find(MotorInterface, limit=-1), "limit is -1"),
]


@pytest.mark.parametrize(
    ("code", "mistake", "words"), MISTAKES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_mistakes(catalogue: tg.Catalogue, code: str, mistake: Callable[[tg.Catalogue], Any], words: str) -> None:
    with pytest.raises(tg.BindingError) as caught:
        mistake(catalogue)
    assert caught.value.code == code
    assert words in str(caught.value)
    assert caught.value.location is not None


# --- random queries -------------------------------------------------------------------------------------------------

UNITS = {
    "mass": {"kg": Fraction(1), "g": Fraction(1, 1000), "mg": Fraction(1, 10**6)},
    "torque_max": {"N.m": Fraction(1), "mN.m": Fraction(1, 1000), "N.mm": Fraction(1, 1000)},
    "length": {"m": Fraction(1), "mm": Fraction(1, 1000), "cm": Fraction(1, 100)},
    "ratio": {"": Fraction(1)},
}
OPERATORS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def random_quantity(chance: random.Random, name: str) -> tuple[str, Fraction]:
    """A decimal number in a random unit, and the same number exactly, in SI units; few values, so that bounds hit."""
    unit, scale = chance.choice(list(UNITS[name].items()))
    exact = Fraction(chance.choice([7, 10, 13, 19, 24, 36, 70, 130, 200, 999]), 1000) / scale
    digits = f"{float(exact):.12g}"
    assert Fraction(digits) == exact
    return f"{digits} {unit}".strip(), exact * scale


def random_catalogue(chance: random.Random, count: int) -> tuple[tg.Catalogue, pd.DataFrame]:
    parts = []
    rows = []
    for k in range(count):
        stated = {name: random_quantity(chance, name) for name in UNITS if chance.random() < 0.8}
        family = chance.choice(["MotorInterface", "OtherInterface"])
        interface = MotorInterface if family == "MotorInterface" else family
        parts.append(tg.Part(f"part {k}", interface, {}, {name: text for name, (text, _) in stated.items()}))
        rows.append({"name": f"part {k}", "family": family, **{name: exact for name, (_, exact) in stated.items()}})
    return tg.Catalogue(parts), pd.DataFrame(rows, columns=["name", "family", *UNITS])


def brute_force(frame: pd.DataFrame, family: str, conditions: list[tuple[str, str, Fraction]], order: str) -> list[str]:
    for name, sign, bound in conditions:
        hits = [isinstance(value, Fraction) and OPERATORS[sign](value, bound) for value in frame[name]]
        frame = frame.loc[np.array(hits, dtype=bool)]
    frame = frame.loc[frame["family"] == family]
    if order:
        falling = order.startswith("-")
        key = order.removeprefix("-")
        known = np.array([isinstance(value, Fraction) for value in frame[key]], dtype=bool)
        stated = frame.loc[known]
        rest = frame.loc[~known]
        ranked = sorted(stated.index, key=lambda k: -stated[key][k] if falling else stated[key][k])
        frame = pd.concat([stated.loc[ranked], rest])
    return list(frame["name"])


def test_random_queries_agree_with_brute_force() -> None:
    chance = random.Random(18)
    for _ in range(4):
        catalogue, frame = random_catalogue(chance, 80)
        for _ in range(75):
            family = chance.choice(["MotorInterface", "OtherInterface"])
            conditions = []
            texts = []
            for name in chance.sample(list(UNITS), chance.randrange(4)):
                sign = chance.choice(list(OPERATORS))
                text, exact = random_quantity(chance, name)
                conditions.append((name, sign, exact))
                texts.append(f"{name}{sign} {text}" if chance.random() < 0.7 else f"{text} {FLIPPED[sign]} {name}")
            order = chance.choice(["", *UNITS, *(f"-{name}" for name in UNITS)])
            found = catalogue.find(family, *texts, order_by=order).names
            assert found == brute_force(frame, family, conditions, order), (family, texts, order)


FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


def test_a_name_in_the_place_of_a_family() -> None:
    catalogue = tg.Catalogue([tg.Part("RE 25", MotorInterface), tg.Part("RE 35", MotorInterface)])
    with pytest.raises(tg.BindingError, match=r"E826: 'RE' is not a family of parts; perhaps one of 2 parts"):
        catalogue.find("RE")
    with pytest.raises(tg.BindingError, match=r"perhaps the part 'RE 25' is meant") as caught:
        catalogue.find("RE25")
    assert "catalogue['RE 25']" in str(caught.value)


def test_a_table_without_units_is_in_those_declared(tmp_path: Any) -> None:
    file = tmp_path / "parts.csv"
    file.write_text("name,interface,R\nA,ServoInterface,3\n")
    assert tg.catalogue(file)["A"].parameters["R"] == 3.0
    file.write_text("name,interface,R [1]\nA,ServoInterface,3\n")
    with pytest.raises(tg.BindingError, match="E830: 'R' of 'A' is 3, which cannot be converted to 'ohm'"):
        tg.catalogue(file)["A"]
    file.write_text("name,interface,R\nA,ServoInterface,3\nB,ServoInterface,low\n")
    with pytest.raises(tg.BindingError, match="E822: 'R' of 'B' is 'low', not a number with a unit") as caught:
        tg.catalogue(file)
    location = caught.value.location
    assert location is not None
    assert location.line == 3
