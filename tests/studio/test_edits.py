"""Operations as a person sees them: the text before and after, and what is rejected in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.studio.document.apply_operation import applied
from tellegen.studio.document.layout_file import layout_text, parse_layout
from tellegen.studio.document.model_text import ModelText, new_model
from tellegen.studio.document.operations import (
    AddPart,
    Connect,
    Disconnect,
    GroupParts,
    MoveParts,
    Operation,
    PastedPart,
    PastedWire,
    PasteParts,
    Propagate,
    RemoveParts,
    RenamePart,
    ReplacePart,
    SetArgument,
    SetNote,
    SetParameter,
    SetStart,
)
from tellegen.studio.document.text.source_file import parsed_file
from tellegen.studio.document.text.typed_value import value_text
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
     ("[1, 2]", "[1, 2]"), ("20 degC", '"20 degC"'), ("0x10", "0x10"), ('"ideal"', '"ideal"'), ("5 %", '"5 %"'),
     ("1, 2, 3", "(1, 2, 3)")],
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
        (SetArgument("load", "J", "2,5"), "write a decimal point: 2.5"),
        (SetArgument("load", "J", "2,5 kg.m2"), "write a decimal point: 2.5 kg.m2"),
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


RC = (
    AddPart("electrical.SineVoltage", "source", 0, 0),
    AddPart("electrical.Resistor", "r", 100, 0),
    AddPart("electrical.Capacitor", "c", 200, 0),
    AddPart("electrical.Ground", "ground", 0, 100),
    SetArgument("r", "R", "2.2 kohm"),
    SetArgument("c", "C", "1 uF"),
    Connect("source.p", "r.p"),
    Connect("r.n", "c.p"),
    Connect("c.n", "source.n"),
    Connect("ground.p", "source.n"),
)


def simulated(text: str, cls: str, name: str) -> np.ndarray:
    space: dict[str, Any] = {"__name__": "composed"}
    exec(compile(text, "composed.py", "exec"), space)
    return tg.simulate(space[cls](), 2.0, points=21)[name]


GROUPED = """

class Filter(tg.Component):
    p = el.Pin()
    n = el.Pin()
    R = tg.parameter("2.2 kohm", "ohm", "resistance at T_ref")
    r = el.Resistor(R=R)
    c = el.Capacitor(C="1 uF")

    def connections(self):
        yield self.p, self.r.p
        yield self.r.n, self.c.p
        yield self.n, self.c.n


class Circuit(tg.Component):
    source = el.SineVoltage()
    R = tg.parameter("2.2 kohm", "ohm", "resistance at T_ref")
    filter = Filter(R=R)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.filter.p
        yield self.filter.n, self.source.n, self.ground.p
"""


def test_a_group_becomes_a_class_with_ports_that_gives_the_same_curves() -> None:
    plain = after(new_model("Circuit"), "Circuit", *RC, Propagate("r", "R"))
    grouped = after(plain, "Circuit", GroupParts(("r", "c"), "Filter"))
    assert grouped.endswith(GROUPED)
    np.testing.assert_allclose(simulated(grouped, "Circuit", "filter.c.v"), simulated(plain, "Circuit", "c.v"))
    with pytest.raises(tg.DocumentError, match="cannot be the name of a class"):
        after(plain, "Circuit", GroupParts(("r",), "x y"))


def test_a_group_of_signals_and_one_that_code_connects() -> None:
    parts = (AddPart("blocks.Sine", "s", 0, 0), AddPart("blocks.Gain", "g", 0, 0), AddPart("blocks.Gain", "i", 0, 0))
    wired = after(new_model("M"), "M", *parts, Connect("s.y", "g.u"), Connect("g.y", "i.u"))
    signals = after(wired, "M", GroupParts(("g",), "Amplifier"))
    assert "    u = tg.input()\n    y = tg.output()\n    g = blocks.Gain()\n" in signals
    by_code = wired.replace("        yield self.g.y", "        if True:\n            yield self.g.y")
    with pytest.raises(tg.DocumentError, match="made by code"):
        after(by_code, "M", GroupParts(("i",), "Rest"))


def test_copies_take_free_names_arguments_and_wires_along() -> None:
    model = ModelText(after(new_model("Circuit"), "Circuit", *RC), {})
    resistor = PastedPart("r", "electrical.Resistor", {"R": '"2.2 kohm"'}, 100, 200)
    paste = PasteParts((resistor, PastedPart("c", "electrical.Capacitor", {}, 200, 200)), (PastedWire(("r.n", "c.p")),))
    twice = applied(applied(model, "Circuit", paste, library_shapes()), "Circuit", paste, library_shapes())
    assert '    r3 = el.Resistor(R="2.2 kohm")\n    c3 = el.Capacitor()\n' in twice.text
    assert twice.text.endswith("        yield self.r2.n, self.c2.p\n        yield self.r3.n, self.c3.p\n")
    assert twice.layout["Circuit"]["r2"].y == 200
    other = after(new_model("Other"), "Other", paste)
    assert other.endswith(
        'class Other(tg.Component):\n    r = el.Resistor(R="2.2 kohm")\n    c = el.Capacitor()\n\n'
        "    def connections(self):\n        yield self.r.n, self.c.p\n"
    )


@pytest.mark.parametrize(
    "wrong",
    [
        PasteParts((PastedPart("r", "electrical.Resistor", {"R": "1)\nimport os\n("}, 0, 0),), ()),
        PasteParts((PastedPart("r", "electrical.Resistor", {"R=1, x": "1"}, 0, 0),), ()),
        PasteParts((PastedPart("r;import os", "electrical.Resistor", {}, 0, 0),), ()),
        PasteParts((PastedPart("r", "os.system", {}, 0, 0),), ()),
        PasteParts((PastedPart("r", "electrical.Resistor", {}, 0, 0),), (PastedWire(("r.n", "c.p\nimport os")),)),
        SetStart("load", "w", "1)\nimport os\n("),
        Propagate("load", "J", "x = 1\nimport os"),
        ReplacePart("load", "os.system"),
    ],
)
def test_no_operation_writes_other_code(wrong: Operation) -> None:
    with pytest.raises(tg.DocumentError):
        after(DRIVE, "Drive", wrong)


def test_implementations_parameters_of_the_parent_and_start_values() -> None:
    plain = after(new_model("Circuit"), "Circuit", *RC)
    assert "r = el.Inductor()" in after(plain, "Circuit", ReplacePart("r", "electrical.Inductor")), "it has no R"
    assert "r = el.Conductor()" in after(plain, "Circuit", ReplacePart("r", "electrical.Conductor"))
    started = after(plain, "Circuit", SetStart("c", "v", "5 mV"))
    assert 'c = el.Capacitor(C="1 uF", v=tg.variable(start="5 mV", fixed=True))' in started
    assert simulated(started, "Circuit", "c.v")[0] == pytest.approx(5e-3)
    assert after(started, "Circuit", SetStart("c", "v", "")) == plain
    propagated = after(DRIVE, "Drive", Propagate("load", "J"))
    assert 'J = tg.parameter(1e-3, "kg.m2", "moment of inertia")' in propagated
    assert "load = rot.Inertia(J=J)" in propagated
    with pytest.raises(tg.DocumentError, match="an expression already"):
        after(propagated, "Drive", Propagate("load", "J", "J2"))


def test_notes_stand_in_the_layout_alone() -> None:
    model = applied(ModelText(DRIVE, {}), "Drive", SetNote("", "12 V from the\nbattery", 40, 41), library_shapes())
    assert model.text == DRIVE
    assert layout_text(model.layout) == '{"Drive": {\n  "#1": [40, 40, "", "12 V from the\\nbattery"]}}\n'
    assert parse_layout(layout_text(model.layout)) == model.layout
    edited = applied(model, "Drive", SetArgument("load", "J", "2e-3"), library_shapes())
    moved = applied(edited, "Drive", MoveParts(("#1", "load"), (80, 400), (80, 80)), library_shapes())
    (note,) = moved.diagram("Drive", library_shapes()).notes
    assert (note.name, note.place.x, note.place.note) == ("#1", 80, "12 V from the\nbattery")
    added = applied(moved, "Drive", AddPart("electrical.Ground", "", 0, 0), library_shapes())
    assert added.diagram("Drive", library_shapes()).notes == (note,), "other operations keep it"
    gone = applied(added, "Drive", SetNote("#1", " ", 0, 0), library_shapes())
    assert gone.diagram("Drive", library_shapes()).notes == ()
    with pytest.raises(tg.DocumentError, match="there is no note"):
        applied(gone, "Drive", SetNote("#7", "x", 0, 0), library_shapes())


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


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("(\n        k=0.1,  # Nm/A\n    )", "(\n        k=0.1, flux=2,  # Nm/A\n    )"),
        ("(k=0.1  # (Nm/A)\n    )", "(k=0.1, flux=2  # (Nm/A)\n    )"),
        ("(  # as measured\n    )", "(flux=2  # as measured\n    )"),
        ("((0.1))", "((0.1), flux=2)"),
        ("(k=(0.1),)", "(k=(0.1), flux=2,)"),
        ("()", "(flux=2)"),
    ],
)
def test_a_value_is_never_written_into_a_comment(given: str, expected: str) -> None:
    """It was lost there without a word: the form showed it nowhere, and runs did not have it."""
    head = "import tellegen as tg\nfrom tellegen.library import electrical as el\n\n\n"
    text = f"{head}class M(tg.Component):\n    emf = el.EMF{given}\n"
    assert after(text, "M", SetArgument("emf", "flux", "2")) == text.replace(given, expected)


EDITS = (
    AddPart("blocks.Gain", "gain", 0, 0),
    Connect("source.p", "load.flange_b"),
    SetArgument("load", "J", "2"),
    PasteParts(
        (PastedPart("r", "electrical.Resistor", {}, 0, 0), PastedPart("s", "electrical.Resistor", {}, 0, 0)),
        (PastedWire(("r.p", "s.n")),),
    ),
    GroupParts(("r", "s"), "Pair"),
    RemoveParts(("gain", "motor")),
)


@pytest.mark.parametrize(
    ("old", "new"), [("\n", "\r\n"), ("    ", "\t"), ("\nimport tellegen as tg\n", "\n\x0c\nimport tellegen as tg\n")]
)
def test_line_ends_tabs_and_form_feeds_stay_what_they_are(old: str, new: str) -> None:
    """The same edits of the same file written otherwise give the same file, written otherwise."""
    assert after(DRIVE.replace(old, new), "Drive", *EDITS) == after(DRIVE, "Drive", *EDITS).replace(old, new)


@pytest.mark.parametrize(
    ("body", "operation", "word"),
    [
        ("    def connections(self): yield self.a.p, self.b.p\n", Connect("a.n", "b.n"), "a line from a.n to b.n"),
        (
            "    def connections(self):\n        return [(self.a.p, self.b.p)]\n",
            Connect("a.n", "b.n"),
            "returns in line 8",
        ),
        ("    b = el.Resistor(R=3)\n", SetArgument("b", "R", "5"), "R of b cannot be written"),
    ],
)
def test_what_would_be_lost_without_a_word_is_rejected(body: str, operation: Operation, word: str) -> None:
    """A line in the body of the class or after a return, a value of a part that is declared again."""
    head = "import tellegen as tg\nfrom tellegen.library import electrical as el\n\nclass M(tg.Component):\n"
    text = f"{head}    a = el.Resistor()\n    b = el.Resistor()\n{body}"
    with pytest.raises(tg.DocumentError, match=word):
        after(text, "M", operation)
    with pytest.raises(tg.DocumentError, match="cannot be written into M"):
        after(f"{head[:-1]} a = el.Resistor()\n", "M", AddPart("electrical.Ground", "g", 0, 0))


def test_a_class_whose_base_stands_in_another_file_is_a_model() -> None:
    """Its file was opened at the base, and it was nowhere to be found."""
    text = (
        "import enum\n\nimport tellegen as tg\nfrom tellegen.library import electrical as el\n"
        "from base import Divider\n\n\n"
        "class Colour(enum.Enum):\n    RED = 1\n\n\n"
        "class Loaded(Divider):\n    load = el.Resistor(R=10)\n\n"
        "    def connections(self):\n        yield self.r1.n, self.load.p\n"
    )
    assert parsed_file(text).component_classes() == ["Loaded"]
    assert "load = el.Resistor(R=20)" in after(text, "Loaded", SetArgument("load", "R", "20"))


def test_connections_of_bases_are_drawn_and_not_edited() -> None:
    """They hold beside those of the class itself, and were not drawn where it has some."""
    text = (
        "import tellegen as tg\nfrom tellegen.library import electrical as el\n\n\n"
        "class Divider(tg.Component):\n    r = el.Resistor()\n    s = el.Resistor()\n\n"
        "    def connections(self):\n        yield self.r.n, self.s.p\n\n\n"
        "class Loaded(Divider):\n    load = el.Resistor()\n\n"
        "    def connections(self):\n        yield self.r.n, self.load.p\n"
    )
    wires = ModelText(text, {}).diagram("Loaded", library_shapes()).wires
    assert [(wire.ends, wire.fixed) for wire in wires] == [
        (("r.n", "load.p"), ""),
        (("r.n", "s.p"), "inherited from Divider"),
    ]
    with pytest.raises(tg.DocumentError, match="no wire 1"):
        after(text, "Loaded", Disconnect(1, "s.p"))


def test_what_hides_a_part_of_a_base_may_be_renamed_and_removed() -> None:
    """That of the base is there again."""
    text = (
        "import tellegen as tg\nfrom tellegen.library import electrical as el\n\n\n"
        "class A(tg.Component):\n    r = el.Resistor()\n\n\nclass B(A):\n    r = el.Resistor(R=2)\n"
    )
    for operation, names in ((RemoveParts(("r",)), ["r"]), (RenamePart("r", "s"), ["r", "s"])):
        model = applied(ModelText(text, {}), "B", operation, library_shapes())
        assert sorted(part.name for part in model.diagram("B", library_shapes()).parts) == names
