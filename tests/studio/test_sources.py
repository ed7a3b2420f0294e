"""Parts of other files: modules in Python, netlists, Modelica, FMUs. Their statements are written and read again."""

from __future__ import annotations

import ast
import base64
import zipfile

import numpy as np
import pytest

import tellegen as tg
from tellegen.studio.document.apply_operation import applied
from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.document.model_text import ModelText, new_model
from tellegen.studio.document.module_classes import imported_files, module_shapes
from tellegen.studio.document.operations import AddPart, Connect, ReplacePart, SetArgument
from tellegen.studio.document.text.origins import (
    class_name,
    expression,
    origin_of,
    origin_of_expression,
    whole,
)
from tellegen.studio.document.text.source_file import parsed_file
from tellegen.studio.library.catalogue import library_shapes
from tellegen.studio.library.shapes import ClassShape
from tellegen.studio.messages.work import Check, Checked, ReadSources, Simulate, Simulated
from tellegen.studio.server.open_document import OpenDocument
from tellegen.studio.worker.sources import read_sources
from tellegen.studio.worker.workbench import Workbench

PARTS = '''"""Parts."""

import tellegen as tg
from tellegen.library import electrical as el


class Divider(tg.Component):
    """Two resistors."""

    p = el.Pin()
    n = el.Pin()
    r = tg.parameter(10.0, "ohm", "each of them")
    a = el.Resistor(R=r)
    b = el.Resistor(R=r)

    def connections(self):
        yield self.p, self.a.p
        yield self.a.n, self.b.p
        yield self.b.n, self.n
'''
TANKS = """package Tanks
  connector Port
    Real p(unit = "Pa");
    flow Real q(unit = "m3/s");
  end Port;
  model Tank "Open tank"
    parameter Real A(unit = "m2") = 1 "cross-section";
    Real h(start = 1, fixed = true);
    Port outlet;
  equation
    A*der(h) = outlet.q;
    outlet.q = -0.02*h;
  end Tank;
  model Drain
    Port port;
  equation
    port.p = 0;
  end Drain;
end Tanks;
"""
FMU = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Lag" guid="{1}">
  <ModelExchange modelIdentifier="Lag"/>
  <ModelVariables>
    <ScalarVariable name="u" valueReference="0" causality="input"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="1" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="T" valueReference="2" causality="parameter" variability="fixed">
      <Real start="1"/>
    </ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="2"/></Outputs></ModelStructure>
</fmiModelDescription>
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> ModelFolder:
    root = tmp_path_factory.mktemp("sources")
    (root / "dividers.py").write_text(PARTS)
    (root / "half.lib").write_text("library\n.subckt divider a b c r=1k\nR1 a b {r}\nR2 b c {2*r}\n.ends\n")
    (root / "filter.cir").write_text("LC filter\nL1 in out 1m\nC1 out 0 100u\n")
    (root / "Tanks.mo").write_text(TANKS)
    (root / "broken.mo").write_text("model X oops")
    (root / "broken.py").write_text("class :")
    with zipfile.ZipFile(root / "lag.fmu", "w") as archive:
        archive.writestr("modelDescription.xml", FMU)
    return ModelFolder.opened(root)


@pytest.fixture(scope="module")
def shapes(folder: ModelFolder) -> dict[str, ClassShape]:
    read = read_sources(ReadSources(str(folder.root), tuple(folder.sources())))
    assert [note.partition(":")[0] for note in read.notes] == ["broken.mo"]
    return {**module_shapes(folder, folder.models(), library_shapes()), **{shape.key: shape for shape in read.shapes}}


def test_classes_of_the_folder(shapes: dict[str, ClassShape]) -> None:
    ports = {key: [port.name for port in shape.ports] for key, shape in shapes.items()}
    assert ports == {
        "dividers.py#Divider": ["p", "n"],
        "half.lib#divider": ["a", "b", "c"],
        "filter.cir#Filter": ["in_", "out"],
        "Tanks.mo#Tanks.Tank": ["outlet"],
        "Tanks.mo#Tanks.Drain": ["port"],
        "lag.fmu#Lag": ["u", "y"],
    }
    assert [row.name for row in shapes["dividers.py#Divider"].parameters] == ["r"]
    assert [row.name for row in shapes["lag.fmu#Lag"].parameters] == ["T"]
    assert shapes["Tanks.mo#Tanks.Tank"].name == "Tank"


@pytest.mark.parametrize("key", ["a/motor.fmu#Motor", "T.mo#T.Inner.Tank", "dc-filter.cir#DcFilter", "lib/x.lib#opamp"])
def test_what_is_written_is_read_again(key: str) -> None:
    origin = origin_of(key)
    assert origin is not None
    for place in (".", "a" if key.startswith("a/") else "."):
        node = ast.parse(expression(origin, place, "tg"), mode="eval").body
        found = origin_of_expression(node, place, lambda name: name.replace("tg", "tellegen"))
        assert found == key
    with pytest.raises(tg.DocumentError, match="not in the folder"):
        expression(origin, "elsewhere", "tg")


def test_names() -> None:
    assert whole("dc-motor 3.fmu") == "DcMotor3"
    assert class_name("electrical.Resistor") == "Resistor"
    file = parsed_file("import tellegen as tg\nA = tg.read_fmu(Path('x'))\nB = tg.f('b.fmu')\n")
    assert file.sources == {}, "a path that is not one of such a file, and another function"


def test_a_model_of_parts_of_all_kinds(folder: ModelFolder, shapes: dict[str, ClassShape]) -> None:
    library = {**library_shapes(), **shapes}
    model = ModelText(new_model("Mixed"), {}, "mixed.py")
    for operation in (
        AddPart("electrical.StepVoltage", "source", 0, 0),
        AddPart("electrical.Ground", "ground", 0, 0),
        AddPart("dividers.py#Divider", "", 0, 0),
        AddPart("half.lib#divider", "half", 0, 0),
        AddPart("filter.cir#Filter", "", 0, 0),
        AddPart("Tanks.mo#Tanks.Tank", "", 0, 0),
        AddPart("Tanks.mo#Tanks.Drain", "", 0, 0),
        AddPart("dividers.py#Divider", "other", 0, 0),
        Connect("source.p", "filter.in_"),
        Connect("filter.out", "divider.p"),
        Connect("divider.n", "ground.p"),
        Connect("source.n", "ground.p"),
        Connect("source.p", "half.a"),
        Connect("half.c", "ground.p"),
        Connect("half.b", "other.p"),
        Connect("other.n", "ground.p"),
        Connect("tank.outlet", "drain.port"),
        SetArgument("other", "r", "1 kohm"),
        SetArgument("tank", "A", "2"),
    ):
        model = applied(model, "Mixed", operation, library)
    assert model.text.startswith(EXPECTED)
    assert {part.cls for part in model.diagram("Mixed", library).parts} >= set(shapes) - {"lag.fmu#Lag"}
    assert all(not part.fixed for part in model.diagram("Mixed", library).parts)
    (folder.root / "mixed.py").write_text(model.text)
    bench = Workbench()
    checked = bench.done(Check(model.text, str(folder.root / "mixed.py"), "Mixed", imports=True))
    assert isinstance(checked, Checked)
    assert checked.ok, checked.diagnostics
    ran = bench.done(Simulate("1", 11, {}, ("half.b.v", "tank.h", "divider.p.v")))
    assert isinstance(ran, Simulated)
    found = {curve.path: np.frombuffer(base64.b64decode(curve.values))[-1] for curve in ran.curves}
    load = 2000.0 * 2000.0 / 4000.0
    assert found["half.b.v"] == pytest.approx(load / (1000.0 + load), rel=1e-9), "a divider with a load"
    assert found["tank.h"] == pytest.approx(np.exp(-0.01), rel=1e-6)
    assert found["divider.p.v"] == pytest.approx(1.0, rel=1e-3), "behind the filter"
    other = applied(model, "Mixed", ReplacePart("tank", "Tanks.mo#Tanks.Drain"), library)
    assert "tank = Drain()" in other.text


EXPECTED = '''"""A model, composed in the studio."""

from pathlib import Path

import tellegen as tg
from tellegen.library import electrical as el
from dividers import Divider

Divider2 = type(tg.read_spice(Path(__file__).with_name("half.lib"), subcircuit="divider"))
Filter = type(tg.read_spice(Path(__file__).with_name("filter.cir"), ports="*"))
Tank = tg.load_modelica(Path(__file__).with_name("Tanks.mo"))["Tanks.Tank"]
Drain = tg.load_modelica(Path(__file__).with_name("Tanks.mo"))["Tanks.Drain"]


class Mixed(tg.Component):
'''


def test_a_file_without_a_class_shows_what_it_imports(folder: ModelFolder) -> None:
    text = "import tellegen as tg\nfrom dividers import Divider\n\ntg.simulate(Divider(), 1)\n"
    (folder.root / "study.py").write_text(text)
    model, _ = folder.read("study.py")
    found = module_shapes(folder, imported_files(parsed_file(model.text, "study.py")), library_shapes())
    document = OpenDocument(folder, "study.py", {**library_shapes(), **found}, made_here=False)
    assert document.cls == "Divider"
    assert document.state(trusted=True).diagram.parts == (), "made by code: known once it is built"
