"""Fixes by button: a mistake, the message with the button, and the check that accepts what the button wrote."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tellegen.errors import DocumentError
from tellegen.studio.document.apply_operation import applied
from tellegen.studio.document.model_text import ModelText
from tellegen.studio.document.operations import ReplaceText
from tellegen.studio.fixes.offered import with_fixes
from tellegen.studio.library.catalogue import library_shapes
from tellegen.studio.messages.codec import decoded, encoded
from tellegen.studio.messages.diagnostic import Diagnostic
from tellegen.studio.messages.work import Check, Checked
from tellegen.studio.server.about import on_sheet
from tellegen.studio.worker.workbench import Workbench

HEAD = """import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import multibody as mb
from tellegen.library import rotational as rot
from tellegen.library import thermal as th
from tellegen.library import translational as tr


class M(tg.Component):
"""
CIRCUIT = """    s = el.ConstantVoltage(V=5)
    r = el.Resistor(@)
    g = el.Ground()

    def connections(self):
        yield self.s.p, self.r.p
        yield self.s.n, self.r.n, self.g.p
"""
TWO = """    a = @()
    b = @()

    def connections(self):
        yield self.a.<, self.b.<
        yield self.a.>, self.b.>
"""


@dataclass(frozen=True)
class Mistake:
    """A class body with a mistake; the button that is pressed, and a line that is there afterwards."""

    body: str
    code: str
    words: str
    line: str
    left: str = ""
    """A message that remains, since the body is not a whole model."""


def circuit(arguments: str = "", **others: str) -> str:
    text = CIRCUIT.replace("@", arguments)
    for name, new in others.items():
        old = {"source": "el.ConstantVoltage(V=5)", "first": "self.s.p, self.r.p", "last": "self.g.p"}[name]
        text = text.replace(old, new)
    return text


def two(cls: str, one: str, other: str) -> str:
    return TWO.replace("@", cls).replace("<", one).replace(">", other)


MISTAKES = {
    "an argument": Mistake(circuit("r=10.0"), "E100", "Write R", "r = el.Resistor(R=10.0)"),
    "a port": Mistake(circuit(first="self.s.p, self.r.P"), "E100", "Write p", "yield self.s.p, self.r.p"),
    "a part": Mistake(circuit(first="self.ss.p, self.r.p"), "E100", "Write s", "yield self.s.p, self.r.p"),
    "a class": Mistake(
        circuit(source="el.ConstantVoltge(V=5)"), "E100", "Write ConstantVoltage", "s = el.ConstantVoltage(V=5)"
    ),
    "an import": Mistake(
        "    w = pp.Star()\n", "", "Import polyphase", "from tellegen.library import polyphase as pp", "*"
    ),
    "a class of a module": Mistake(
        circuit(source="ConstantVoltage(V=5)"), "", "Write el.ConstantVoltage", "s = el.ConstantVoltage(V=5)"
    ),
    "a unit": Mistake(circuit('R="10 Ohms"'), "E121", "Write 10 ohms", 'r = el.Resistor(R="10 ohms")'),
    "a prefix": Mistake(circuit("R='10k'"), "E121", "Write 10 kohm", "r = el.Resistor(R='10 kohm')"),
    "a comma": Mistake(circuit('R="2,4 ohm"'), "E121", "Write 2.4 ohm", 'r = el.Resistor(R="2.4 ohm")'),
    "a dimension": Mistake(circuit('R="2 F"'), "E121", "Set R of r to its default, 1", "r = el.Resistor()"),
    "a bound": Mistake(
        circuit().replace("el.Resistor()", "el.Capacitor(C=-1.0)").replace("ConstantVoltage(V=5)", "SineVoltage()"),
        "E156",
        "Set C of r to its default",
        "r = el.Capacitor()",
    ),
    "yield": Mistake(
        circuit().replace("yield self.s.p", "self.s.p"), "E147", "Write yield in front", "yield self.s.p, self.r.p"
    ),
    "no yield at all": Mistake(
        circuit().replace("yield ", ""), "E145", "Write yield in front", "yield self.s.n, self.r.n, self.g.p"
    ),
    "parentheses": Mistake(
        circuit(source="el.ConstantVoltage"), "E118", "Write parentheses", "s = el.ConstantVoltage()"
    ),
    "a component for a port": Mistake(
        circuit(last="self.g"), "E137", "Write g.p", "yield self.s.n, self.r.n, self.g.p"
    ),
    "one end": Mistake(f"{circuit()}        yield self.g.p,\n", "E136", "Remove this line", "g = el.Ground()"),
    "no name": Mistake(circuit("10.0"), "E122", "Write R=", "r = el.Resistor(R=10.0)"),
    "a size in quotes": Mistake(
        '    r = el.Resistor.array("2")\n', "E125", "Write 2", "r = el.Resistor.array(2)", "E210"
    ),
    "one object": Mistake(
        "    r = el.Resistor(R=2.0)\n    q = r\n", "E109", "Make q a part of its own", "q = el.Resistor(R=2.0)", "E210"
    ),
    "a structural parameter": Mistake(
        "    n = tg.parameter(2)\n    r = el.Resistor.array(n)\n",
        "E117",
        "Make it a structural parameter",
        "n = tg.parameter(2, structural=True)",
        "E210",
    ),
    "a word": Mistake(
        '    w = mb.World(gravity="unifrm")\n', "E703", "Write uniform", 'w = mb.World(gravity="uniform")', "*"
    ),
    "a power": Mistake(
        "    x = tg.variable()\n\n    def equations(self):\n        yield self.x ^ 2 == 4.0\n",
        "E176",
        "Write **",
        "yield self.x ** 2 == 4.0",
    ),
    "a ground": Mistake(
        two("el.Resistor", "p", "n"), "E210", "Add a Ground at a.n", "yield self.a.n, self.b.n, self.ground.p"
    ),
    "a fixed flange": Mistake(
        two("rot.Spring", "flange_a", "flange_b"), "E210", "Add a Fixed at a.flange_a", "fixed = rot.Fixed()"
    ),
    "a fixed place": Mistake(
        two("tr.Spring", "flange_a", "flange_b"), "E210", "Add a Fixed at a.flange_a", "fixed = tr.Fixed()"
    ),
    "a temperature": Mistake(
        two("th.ThermalConductor", "port_a", "port_b"),
        "E210",
        "Add a FixedTemperature at a.port_a",
        "fixed_temperature = th.FixedTemperature()",
    ),
    "a world": Mistake(
        "    j = mb.Revolute()\n    b = mb.BodyCylinder()\n\n"
        "    def connections(self):\n        yield self.j.frame_b, self.b.frame_a\n",
        "E217",
        "Add a World",
        "world = mb.World()",
        "*",
    ),
    "an input": Mistake(
        circuit(source="el.SignalVoltage()"), "E172", "Add a Constant at s.u", "yield self.s.u, self.constant.y"
    ),
    "two outputs": Mistake(
        "    a = blocks.Constant()\n    b = blocks.Constant()\n    k = blocks.Gain()\n\n    def connections(self):\n"
        "        yield self.a.y, self.k.u\n        yield self.b.y, self.k.u\n",
        "E170",
        "Remove the line from b.y",
        "yield self.a.y, self.k.u",
    ),
    "two units": Mistake(
        "    c = blocks.OnOffController(reference=1.0, u=0.0)\n    h = th.PrescribedHeatFlow()\n"
        "    m = th.HeatCapacitor()\n\n    def connections(self):\n"
        "        yield self.h.port, self.m.port\n        yield self.c.y, self.h.Q_flow\n",
        "E130",
        "Put a Gain between c.y and h.Q_flow",
        "yield self.c.y, self.gain.u",
    ),
    "two domains": Mistake(
        circuit().replace("g = el.Ground()", "g = el.Ground()\n    i = rot.Inertia()")
        + "        yield self.r.p, self.i.flange_a\n",
        "E130",
        "Remove the line between r.p and i.flange_a",
        "i = rot.Inertia()",
    ),
    "two sources": Mistake(
        circuit().replace("el.Resistor()", "el.ConstantVoltage(V=6)"), "E207", "Remove r", "s = el.ConstantVoltage(V=5)"
    ),
    "a heat port": Mistake(
        circuit("use_heat_port=True"), "E214", "Set use_heat_port of r to False", "r = el.Resistor(use_heat_port=False)"
    ),
    "a temperature at a heat port": Mistake(
        circuit("use_heat_port=True"),
        "E214",
        "Add a FixedTemperature at r.heat_port",
        "yield self.r.heat_port, self.fixed_temperature.port",
    ),
    "a port that is off": Mistake(
        circuit().replace("g = el.Ground()", "g = el.Ground()\n    t = th.FixedTemperature()")
        + "        yield self.r.heat_port, self.t.port\n",
        "",
        "Set use_heat_port of r to True",
        "r = el.Resistor(use_heat_port=True)",
    ),
    "a reserved name": Mistake(
        "    array = el.Ground()\n", "E102", "Rename it to array_1", "array_1 = el.Ground()", "*"
    ),
}


@pytest.fixture(scope="module")
def bench() -> Workbench:
    return Workbench()


def checked(bench: Workbench, model: ModelText) -> tuple[Diagnostic, ...]:
    """What the page shows of a check, with the buttons, after a way through the pipe."""
    found = bench.done(Check(model.text, "/nowhere/model.py", "M", False))
    assert isinstance(found, Checked)
    library = library_shapes()
    diagram = model.diagram("M", library)
    placed = [on_sheet(row, diagram, library) for row in found.diagnostics]
    shown = [with_fixes(row, model, diagram, library) for row in placed]
    return tuple(decoded(Diagnostic, encoded(row)) for row in shown)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_button_mends(name: str, bench: Workbench) -> None:
    mistake = MISTAKES[name]
    model = ModelText(HEAD + mistake.body, {})
    (found,) = checked(bench, model)
    assert found.code == mistake.code, found.message
    fix = next((fix for fix in found.fixes if fix.words.startswith(mistake.words)), None)
    assert fix is not None, (found.message, [fix.words for fix in found.fixes])
    mended = applied(model, "M", fix.operation, library_shapes())
    assert mistake.line in [line.strip() for line in mended.text.splitlines()]
    left = {row.code for row in checked(bench, mended)}
    assert found.code not in left or mistake.left == "*", "the message has gone"
    assert left <= {mistake.left} or mistake.left == "*", left


def test_a_fix_for_another_text_does_nothing() -> None:
    model = ModelText(HEAD + circuit(), {})
    with pytest.raises(DocumentError, match="changed in the meantime"):
        applied(model, "M", ReplaceText(5, "other", "x"), library_shapes())


def test_what_is_no_mechanical_mistake_has_no_button(bench: Workbench) -> None:
    body = "    x = tg.variable()\n    y = tg.variable()\n\n    def equations(self):\n        yield self.x == 1\n"
    (found,) = checked(bench, ModelText(HEAD + body, {}))
    assert found.code == "E201"
    assert found.fixes == ()
