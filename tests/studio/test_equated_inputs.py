"""Inputs that equations give: the sheet shows from where, though nothing is connected, and nothing there can be cut."""

from __future__ import annotations

import pytest

from tellegen.errors import DocumentError
from tellegen.studio.document.apply_operation import applied
from tellegen.studio.document.model_text import ModelText
from tellegen.studio.document.operations import Disconnect
from tellegen.studio.library.catalogue import library_shapes

HEAD = """import tellegen as tg
from tellegen.library import blocks as bl
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Servo(tg.Component):
    gain = tg.parameter(2.0)
    error = tg.variable("rad")
    wanted = bl.Step()
    other = bl.Gain(k=2.0)
    source = el.SignalVoltage()
    load = rot.Inertia(J=1e-3)

    def connections(self):
        yield self.wanted.y, self.other.u
"""


def wires(equations: str) -> dict[tuple[str, ...], str]:
    """The ends and the text of each wire that stands for an equation."""
    text = HEAD + "\n    def equations(self):\n" + "".join(f"        {row}\n" for row in equations.splitlines())
    model = ModelText(text, {}, "servo.py")
    found = model.diagram("Servo", library_shapes()).wires
    assert [wire.number for wire in found] == list(range(len(found)))
    assert not found[0].equation
    assert all(text.splitlines()[wire.line - 1].strip().startswith("yield") for wire in found)
    assert all(str(wire.line) in wire.fixed for wire in found[1:])
    return {wire.ends: wire.equation for wire in found[1:]}


@pytest.mark.parametrize(
    ("equations", "ends"),
    [
        ("yield self.source.u == self.other.y", [("other.y", "source.u")]),
        ("yield self.load.w == self.source.u", [("load.w", "source.u")]),
        ("yield self.source.u == 3.0 * tg.sin(tg.time)", [("source.u",)]),
        ("yield self.source.u == self.gain * self.error\nyield self.error == self.other.y - self.load.phi",
         [("other.y", "source.u"), ("load.phi", "source.u")]),
        ("speed = self.load.w\nu = 2 * speed + self.other.k\nyield self.source.u == u", [("load.w", "source.u")]),
        ("u = self.load.w\nu = u + 1\nyield self.source.u == u", [("load.w", "source.u")]),
        ("yield self.source.u == self.error\nyield self.error == self.error * 2", [("source.u",)]),
        ("yield self.error == self.load.phi", []),
        ("yield self.load.a == 3.0", []),
        ("if self.gain:\n    yield self.source.u == 1.0", []),
        ("yield tg.der(self.error) == self.source.u", [("source.u",)]),
    ],
)  # fmt: skip
def test_where_inputs_come_from(equations: str, ends: list[tuple[str, ...]]) -> None:
    assert list(wires(equations)) == ends


def test_the_text_is_that_of_the_equation() -> None:
    assert wires("yield self.source.u == self.gain * self.load.w") == {("load.w", "source.u"): "gain * load.w"}


def test_many_sources_are_words_alone() -> None:
    terms = " + ".join(f"self.load.{name}" for name in ("w", "phi", "a", "J"))
    assert list(wires(f"yield self.source.u == {terms} + self.other.y + self.wanted.y")) == [("source.u",)]


def test_an_equation_is_not_cut_as_a_line() -> None:
    text = f"{HEAD}\n    def equations(self):\n        yield self.source.u == self.other.y\n"
    model = ModelText(text, {}, "servo.py")
    with pytest.raises(DocumentError):
        applied(model, "Servo", Disconnect(1, "source.u"), library_shapes())
