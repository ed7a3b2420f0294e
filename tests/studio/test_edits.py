"""Operations as a person sees them: the text before and after, and what is rejected in words."""

from __future__ import annotations

from pathlib import Path

import pytest

import tellegen as tg
from tellegen.studio.document.layout_file import parse_layout
from tellegen.studio.document.model_text import ModelText, applied, new_model
from tellegen.studio.document.operations import (
    AddPart,
    Connect,
    Disconnect,
    Operation,
    RemoveParts,
    RenamePart,
    SetArgument,
    SetParameter,
)
from tellegen.studio.document.source_file import parsed_file
from tellegen.studio.document.typed_value import value_text
from tellegen.studio.library.catalogue import library_shapes

DRIVE = (Path(__file__).parents[2] / "examples" / "dc_drive.py").read_text(encoding="utf-8")


def after(text: str, cls: str, *operations: Operation) -> str:
    model = ModelText(text, {})
    for operation in operations:
        model = applied(model, cls, operation, library_shapes())
    return model.text


def test_a_model_from_nothing_reads_as_if_written_by_hand() -> None:
    text = after(
        new_model("Drive"),
        "Drive",
        AddPart("electrical.StepVoltage", "source", 0, 0),
        AddPart("electrical.Resistor", "", 100, 0),
        AddPart("electrical.Ground", "", 0, 100),
        SetArgument("source", "V", "12"),
        SetArgument("resistor", "R", "2.2 kohm"),
        Connect("source.p", "resistor.p"),
        Connect("source.n", "resistor.n"),
        Connect("ground.p", "source.n"),
    )
    assert text == (
        '"""A model, composed in the studio."""\n\n'
        "import tellegen as tg\n"
        "from tellegen.library import electrical as el\n\n\n"
        "class Drive(tg.Component):\n"
        "    source = el.StepVoltage(V=12)\n"
        '    resistor = el.Resistor(R="2.2 kohm")\n'
        "    ground = el.Ground()\n\n"
        "    def connections(self):\n"
        "        yield self.source.p, self.resistor.p\n"
        "        yield self.source.n, self.resistor.n, self.ground.p\n"
    )


def test_what_is_added_and_removed_leaves_no_trace() -> None:
    parts = AddPart("rotational.Inertia", "extra", 0, 0)
    assert after(DRIVE, "Drive", parts, RemoveParts(("extra",))) == DRIVE
    wired = after(DRIVE, "Drive", parts, Connect("load.flange_b", "extra.flange_a"))
    assert "        yield self.load.flange_b, self.extra.flange_a\n" in wired
    assert after(wired, "Drive", RemoveParts(("extra",))) == DRIVE
    empty = new_model("M")
    one = after(empty, "M", AddPart("blocks.Gain", "", 0, 0), AddPart("blocks.Gain", "", 0, 0))
    joined = after(one, "M", Connect("gain.y", "gain2.u"))
    assert after(joined, "M", Disconnect(0, "gain.y")) == one
    assert after(joined, "M", RemoveParts(("gain", "gain2"))).endswith("class M(tg.Component):\n    pass\n")


def test_imports_are_sorted_in_and_take_a_free_name() -> None:
    added = after(DRIVE, "Drive", AddPart("hydraulic.Tank", "", 0, 0), AddPart("thermal.HeatCapacitor", "", 0, 0))
    lines = [line for line in added.splitlines() if line.startswith("from tellegen.library")]
    assert lines == [
        "from tellegen.library import electrical as el",
        "from tellegen.library import hydraulic as hy",
        "from tellegen.library import rotational as rot",
        "from tellegen.library import thermal as th",
    ]
    taken = "import tellegen as tg\n\nel = 1\n\n\nclass M(tg.Component):\n    pass\n"
    assert "electrical.Ground()" in after(taken, "M", AddPart("electrical.Ground", "", 0, 0))


def test_a_new_name_is_used_wherever_the_class_names_the_part() -> None:
    text = DRIVE.replace("    def connections(self):\n        yield self.source.p", "    def connections(self):\n"
                         "        # motor and load\n        yield self.source.p")  # fmt: skip
    renamed = after(text, "Drive", RenamePart("load", "wheel"))
    assert "wheel = rot.Inertia(J=1e-3)" in renamed
    assert "self.motor.shaft, self.wheel.flange_a" in renamed
    assert "# motor and load" in renamed
    assert 'solution["load.w"]' not in text or 'solution["load.w"]' in renamed


def test_parameters_of_parts_and_of_the_class() -> None:
    text = after(DRIVE, "Drive", SetArgument("load", "J", "2e-3"), SetArgument("motor", "R", "1.8 ohm"))
    assert "load = rot.Inertia(J=2e-3)" in text
    assert 'motor = DCMotor(R="1.8 ohm")' in text
    both = after(text, "Drive", SetArgument("motor", "L", "1 mH"), SetArgument("motor", "R", ""))
    assert 'motor = DCMotor(L="1 mH")' in both
    assert after(both, "Drive", SetArgument("motor", "L", ""), SetArgument("load", "J", "1e-3")) == DRIVE
    assert 'R = tg.parameter(3.0, "ohm"' in after(DRIVE, "DCMotor", SetParameter("R", "3.0"))


@pytest.mark.parametrize(
    ("typed", "text"),
    [("5", "5"), ("2.2 kohm", '"2.2 kohm"'), ("10mA", '"10mA"'), ("2 * R", "2 * R"), ("1e-3", "1e-3"),
     ("[1, 2]", "[1, 2]"), ("20 degC", '"20 degC"'), ("0x10", "0x10"), ('"ideal"', '"ideal"'), ("5 %", '"5 %"')],
)  # fmt: skip
def test_typed_values(typed: str, text: str) -> None:
    assert value_text(typed) == text


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (AddPart("electrical.Nonsense", "", 0, 0), "not a component of the library"),
        (AddPart("electrical.Pin", "", 0, 0), "not a component of the library"),
        (AddPart("electrical.Ground", "class", 0, 0), "cannot be the name of a part"),
        (AddPart("electrical.Ground", "a = 1\nimport os", 0, 0), "cannot be the name of a part"),
        (RenamePart("load", "motor"), "has a member 'motor' already"),
        (RemoveParts(("nobody",)), "'nobody' is not declared"),
        (SetArgument("load", "J", "1 +"), "is not a value"),
        (SetArgument("load", "J", "1)\nimport os"), "is not a value"),
        (SetArgument("load", "J=1); import os #", "2"), "is not the name of a parameter"),
        (Connect("load.flange_a", "load.flange_a"), "to itself"),
        (Connect("source.p", "motor.p"), "connected already"),
        (Connect("source.p", "motor.p\n        import os"), "is not a port"),
        (Disconnect(7, "source.p"), "there is no wire 7"),
    ],
)
def test_what_cannot_be_done_is_said_in_words(operation: Operation, message: str) -> None:
    with pytest.raises(tg.DocumentError, match=message):
        after(DRIVE, "Drive", operation)


def test_files_that_cannot_be_read() -> None:
    with pytest.raises(tg.DocumentError, match=r"bad\.py:2: Python cannot read this"):
        parsed_file("x = 1\nclass :\n", "bad.py")
    for text in ("[1]", '{"Drive": 3}', '{"Drive": {"load": [1, 2, "r45"]}}', '{"Drive": {"load": [1.5, 2]}}', "{"):
        with pytest.raises(tg.DocumentError, match="does not hold places"):
            parse_layout(text)


def test_what_code_makes_is_shown_and_not_edited() -> None:
    text = after(DRIVE, "Drive").replace(
        "        yield self.motor.shaft, self.load.flange_a",
        "        for k in range(1):\n            yield self.motor.shaft, self.load.flange_a",
    )
    diagram = ModelText(text, {}).diagram("Drive", library_shapes())
    assert [wire.fixed for wire in diagram.wires] == ["", "", "made in a loop or condition"]
    with pytest.raises(tg.DocumentError, match="made by code"):
        after(text, "Drive", Disconnect(2, "load.flange_a"))
    assert "            pass\n" in after(text, "Drive", RemoveParts(("load",)))
