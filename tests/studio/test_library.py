"""The library of the studio: interfaces, generic parts and parts with all their numbers; words to choose from."""

from __future__ import annotations

import pytest

import tellegen as tg
from tellegen.class_reference import library_entries
from tellegen.studio.document.apply_operation import applied
from tellegen.studio.document.model_text import ModelText, new_model
from tellegen.studio.document.operations import PastedPart, PasteParts, SetArgument
from tellegen.studio.library.catalogue import differentiated, library_shapes
from tellegen.studio.library.realized import found_parts

OWN = """import tellegen as tg

KINDS = ("a", "b")


class Valve(tg.Component):
    law = tg.parameter("linear", choices=("linear", "quadratic"))
    kind = tg.parameter("a", choices=KINDS)


class Plant(tg.Component):
    valve = Valve()
"""


def test_interfaces_are_told_from_their_implementations() -> None:
    library = library_shapes()
    assert library["interfaces.DCMotorInterface"].abstract
    assert not library["interfaces.DynamicDCMotor"].abstract
    assert not library["electrical.Resistor"].abstract


def test_parts_of_the_catalogue_are_written_with_all_their_numbers() -> None:
    library = library_shapes()
    parts, count = found_parts("motor, torque_max >= 0.13 N.m, mass < 0.6 kg", library)
    same = tg.catalogue().find("DCMotorInterface", "torque_max >= 0.13 N.m", "mass < 0.6 kg")
    assert [part.name for part in parts] == [part.name for part in same]
    assert count == len(same)
    chosen = parts[0]
    assert chosen.cls == "interfaces.DynamicDCMotor", "the default of its interface"
    pasted = PastedPart(chosen.member, chosen.cls, chosen.arguments, 0, 0)
    text = applied(ModelText(new_model("M"), {}), "M", PasteParts((pasted,), ()), library).text
    assert f"    {chosen.member} = interfaces.DynamicDCMotor(k=" in text
    assert {name: float(value) for name, value in chosen.arguments.items()} == pytest.approx(dict(same[0].parameters))


def test_a_condition_that_is_half_typed_is_refused_in_words() -> None:
    with pytest.raises(tg.BindingError, match="torque_max"):
        found_parts("torque_max >", library_shapes())


def test_words_to_choose_from_are_known_to_forms() -> None:
    library = library_shapes()
    rows = {row.name: row.choices for row in library["blocks.LimPID"].parameters}
    assert rows["controller_type"] == ("P", "PI", "PD", "PID")
    colour = next(row for row in library["multibody.BodyCylinder"].parameters if row.name == "color")
    assert colour.value == '""', "it need not be given"
    own = ModelText(OWN, {}).diagram("Plant", library).shapes["Valve"].parameters
    assert {row.name: row.choices for row in own} == {"law": ("linear", "quadratic"), "kind": ()}
    text = applied(ModelText(OWN, {}), "Plant", SetArgument("valve", "law", '"quadratic"'), library).text
    assert 'valve = Valve(law="quadratic")' in text


def test_lines_of_different_domains_have_different_colours() -> None:
    """The page tells layers and ports that fit by them."""
    domains: dict[str, set[str]] = {}
    for shape in library_shapes().values():
        if shape.connector:
            domains.setdefault(shape.colour, set()).add(shape.domain)
    assert {colour: names for colour, names in domains.items() if len(names) > 1} == {}
    assert len(domains) > 10


def test_all_that_is_differentiated_has_a_field_for_its_start() -> None:
    """Also where the class declares no start value of its own: the voltage of a capacitor, a variable of one's own."""
    capacitor = next(entry for entry in library_entries() if entry.full_name == "electrical.Capacitor")
    (found,) = differentiated(capacitor, ["i == C*der(v)"])
    assert (found.name, found.unit, found.start) == ("v", "V", "0")
    own = ModelText(LEAK, {}).diagram("Tank", library_shapes()).shapes["Leak"].starts
    assert [(row.name, row.unit) for row in own] == [("m", "kg")]


LEAK = """import tellegen as tg


class Leak(tg.Component):
    m = tg.variable("kg")
    flow = tg.variable("kg/s")

    def equations(self):
        yield tg.der(self.m) == -self.flow
        yield self.flow == 2 * self.m


class Tank(tg.Component):
    leak = Leak()
"""


def test_other_words_are_an_error_with_the_nearest() -> None:
    space: dict[str, object] = {"__name__": "model"}
    exec(OWN, space)
    for given in ({"law": "quadratc"}, {"law": 3.0}):
        with pytest.raises(tg.DataError, match=r"E703: law=.* does not exist"):
            tg.flatten(space["Valve"](**given))  # type: ignore[operator]
