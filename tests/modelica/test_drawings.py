"""Icons and diagrams: annotations as typed shapes, and as SVG whose coordinates are checked."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tellegen as tg
from tellegen.cli.app import app
from tellegen.frontends.modelica.graphics.shapes import Bitmap, Ellipse, Line, Rectangle, Text
from tellegen.frontends.modelica.library import ModelicaLibrary

TEXT = """
package Drawn
  connector Pin
    Real v;
    flow Real i;
    annotation (Icon(graphics={Rectangle(extent={{-100,100},{100,-100}}, fillColor={0,0,255},
      fillPattern=FillPattern.Solid)}));
  end Pin;
  connector In = input Real annotation (Icon(graphics={Polygon(points={{-100,100},{100,0},{-100,-100}})}));

  partial model Frame "what all resistors look like"
    annotation (Icon(coordinateSystem(extent={{-50,-50},{50,50}}), graphics={
      Text(extent={{-50,40},{50,20}}, textString="%name", textColor={0,0,255})}));
  end Frame;

  model Resistor "resistor"
    extends Frame;
    parameter Real R(unit = "Ohm") = 1;
    parameter Real T(unit = "K", displayUnit = "degC") = 293.15;
    parameter Boolean hot = false;
    Pin p annotation (Placement(transformation(extent={{-60,-10},{-40,10}})));
    Pin n annotation (Placement(transformation(extent={{40,-10},{60,10}})));
    In u if hot annotation (Placement(transformation(extent={{-5,40},{5,50}}, rotation=270)));
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
    annotation (Icon(graphics={
      Rectangle(extent={{-30,10},{30,-10}}, lineColor={255,0,0}, radius=2, pattern=LinePattern.Dash),
      Line(visible=hot, points={{0,0},{0,40}}, arrow={Arrow.None,Arrow.Filled}),
      Ellipse(extent={{-5,-5},{5,5}}, startAngle=0, endAngle=90),
      Bitmap(extent={{0,0},{1,1}}, fileName="modelica://Drawn/missing.png"),
      Text(extent={{-50,-20},{50,-40}}, textString="%R and %{T} of %class, 100%% <b>")}));
  end Resistor;

  model Circuit
    Resistor up(R = 5) annotation (Placement(transformation(origin={20,30}, extent={{-10,-10},{10,10}}, rotation=90)));
    Resistor flipped(hot = true) annotation (Placement(transformation(extent={{10,-10},{-10,10}})));
    Resistor hidden annotation (Placement(visible=false, transformation(extent={{10,-10},{-10,10}})));
    Resistor nowhere;
  equation
    connect(up.p, flipped.n) annotation (Line(points={{20,18},{20,0},{-12,0}}, color={0,0,255}, smooth=Smooth.Bezier));
    connect(up.n, flipped.p);
    connect(up.n, hidden.n) annotation (Line(points={{0,0},{90,90}}));
    connect(nowhere.p, up.p);
    annotation (Diagram(graphics={Text(extent={{-90,90},{-50,80}}, textString="two resistors")}));
  end Circuit;

  model Plain "nothing is placed"
    Resistor a;
    Resistor b;
    Resistor c[3];
  equation
    connect(a.p, b.p);
    connect(a.n, c[1].p);
    connect(b.n, c[2].n);
  end Plain;
end Drawn;
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library on disk."""
    path = tmp_path_factory.mktemp("drawn") / "Drawn.mo"
    path.write_text(TEXT)
    return path


@pytest.fixture(scope="module")
def drawn(file: Path) -> ModelicaLibrary:
    """The library."""
    return tg.load_modelica(file)


def elements(svg: str, tag: str) -> list[ElementTree.Element]:
    """All elements of a tag; the text has to be well-formed."""
    return ElementTree.fromstring(svg).findall(f".//{{http://www.w3.org/2000/svg}}{tag}")


def test_an_icon_is_typed_data(drawn: ModelicaLibrary) -> None:
    icon = drawn["Drawn.Resistor"].icon.picture
    assert icon.layer.extent == ((-50, -50), (50, 50)), "the coordinates of the base class"
    name, box, arc, picture, label = icon.layer.shapes
    assert isinstance(name, Text), "shapes of the base class come first"
    assert name.text == "Resistor"
    assert isinstance(box, Rectangle)
    assert (box.look.line, box.look.pattern, box.radius) == ((255, 0, 0), "Dash", 2.0)
    assert isinstance(arc, Ellipse)
    assert (arc.angles, arc.closure) == ((0.0, 90.0), "Radial")
    assert isinstance(picture, Bitmap)
    assert not picture.data
    assert isinstance(label, Text)
    assert label.text == "1 Ohm and 20 degC of Resistor, 100% <b>"
    assert [port.name for port in icon.components] == ["p", "n"], "the conditional one does not exist"


def test_parameters_decide_what_is_visible(drawn: ModelicaLibrary) -> None:
    icon = drawn["Drawn.Resistor"].modified(hot=True).icon.picture
    (line,) = [shape for shape in icon.layer.shapes if isinstance(shape, Line)]
    assert line.arrows == ("None", "Filled")
    assert [port.name for port in icon.components] == ["p", "n", "u"]


def test_a_diagram_has_placed_components_and_lines(drawn: ModelicaLibrary) -> None:
    picture = drawn["Drawn.Circuit"].diagram.picture
    assert [component.name for component in picture.components] == ["up", "flipped"]
    first, second = picture.connections
    assert first.points == ((20, 18), (20, 0), (-12, 0))
    assert (first.look.line, first.smooth) == ((0, 0, 255), True)
    # Without a line in the text it goes straight from pin to pin: 50 of the icon's units are 10 of the diagram's.
    assert second.points[0] == pytest.approx((20, 40))
    assert second.points[1] == pytest.approx((10, 0)), "mirrored: p is on the right"


def test_turned_and_mirrored_components_in_svg(drawn: ModelicaLibrary) -> None:
    svg = drawn["Drawn.Circuit"].diagram.svg
    texts = {text.text: text for text in elements(svg, "text")}
    assert texts["up"].attrib["transform"].startswith("rotate(-90 "), "turned with its component; here y is downwards"
    assert "transform" not in texts["flipped"].attrib, "a mirrored text is read from left to right"
    # The text of `up` is 6 above the middle of the icon; turned by 90 degrees that is to the left of (20, 30). Its
    # baseline is 0.35 of its height of 4 away from there.
    assert float(texts["up"].attrib["x"]) == pytest.approx(14 + 0.35 * 4, abs=0.01)
    assert float(texts["up"].attrib["y"]) == pytest.approx(-30, abs=0.1)
    assert "5 Ohm and 20 degC of Resistor, 100% <b>" in texts
    boxes = [path.attrib["d"] for path in elements(svg, "path") if path.attrib.get("stroke") == "#ff0000"]
    assert len(boxes) == 2
    numbers = [tuple(map(float, point.split())) for point in boxes[0].strip("MZ").split("L")]
    assert max(x for x, _ in numbers) == pytest.approx(22, abs=0.01), "20 wide and 60 high, scaled by 0.2"
    assert min(y for _, y in numbers) == pytest.approx(-36, abs=0.01)


def test_without_placements_components_stand_in_rows(drawn: ModelicaLibrary) -> None:
    picture = drawn["Drawn.Plain"].diagram.picture
    assert [component.name for component in picture.components] == ["a", "b", "c"]
    assert len({component.placement.position.origin for component in picture.components}) == 3
    assert len(picture.connections) == 3
    assert all(line.points[0] != line.points[1] for line in picture.connections)


def test_packages_partial_classes_and_connectors_have_icons(drawn: ModelicaLibrary) -> None:
    assert elements(drawn["Drawn"].icon.svg, "path")
    assert drawn["Drawn.Frame"].icon.picture.layer.shapes
    assert drawn["Drawn.Pin"].icon.picture.layer.shapes
    assert drawn["Drawn.In"].icon.picture.layer.shapes
    assert "<svg" in drawn["Drawn.Resistor"]._repr_html_()


@pytest.mark.parametrize(
    "graphics",
    [
        "fill(Line(), 0)",
        "{Line(points={{0,0}})}",
        "{Line(points={{0,0},{1}})}",
        "{Line(points=unknown), Text(textString=unknown)}",
        "{Rectangle(extent={{0,0},{0,0}}, radius=-1, lineColor={300,-5,1e9}, lineThickness=-3)}",
        "{Ellipse(extent={{0,0},{0,5}}, startAngle=1e30), Polygon(points={{1,1},{1,1}}, smooth=Smooth.Bezier)}",
        '{Text(extent={{0,0},{0,0}}, textString="<&>%", fontSize=-1), Unknown(x=1), 7}',
        '{Bitmap(imageSource="%%%"), Bitmap(fileName="file:///etc/hostname")}',
        "{Line(points={{1e308*1e10,0},{1,1}}), Line(points={{0,0},{0,0}}, arrow={Arrow.Filled,Arrow.Half})}",
    ],
)
def test_strange_annotations_draw_what_they_can(tmp_path: Path, graphics: str) -> None:
    path = tmp_path / "Strange.mo"
    path.write_text(f"model Strange annotation(Icon(graphics={graphics}), Diagram(graphics={graphics})); end Strange;")
    strange = tg.load_modelica(path)["Strange"]
    for drawing in (strange.icon, strange.diagram):
        assert "nan" not in drawing.svg
        assert elements(drawing.svg, "*") is not None


def test_mistakes_in_annotations_are_errors_with_a_place(tmp_path: Path) -> None:
    """Annotations for drawings are read when a drawing is asked for."""
    path = tmp_path / "Wrong.mo"
    path.write_text("model Wrong\n annotation(Icon(graphics={}));\nend Wrong;")
    wrong = tg.load_modelica(path)["Wrong"]
    with pytest.raises(tg.TellegenError, match=r"(?s)E540.*Wrong.mo:2"):
        _ = wrong.icon


def test_a_class_that_is_nested_without_end(tmp_path: Path) -> None:
    path = tmp_path / "Endless.mo"
    path.write_text("model Endless\n  model Inner = Endless;\n  Inner part annotation(Placement());\nend Endless;")
    with pytest.raises(tg.TellegenError):
        _ = tg.load_modelica(path)["Endless"].model
    assert [part.name for part in tg.load_modelica(path)["Endless"].diagram.picture.components] == ["part"]


def test_drawings_are_written_as_svg_only(drawn: ModelicaLibrary, tmp_path: Path) -> None:
    with pytest.raises(tg.ExportError, match="SVG"):
        drawn["Drawn.Circuit"].diagram.save(tmp_path / "circuit.png")
    with pytest.raises(tg.ExportError, match="cannot be written"):
        drawn["Drawn.Circuit"].diagram.save(tmp_path / "no" / "circuit.svg")


def test_the_command_line_draws(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "c.svg"
    arguments = ["show", f"{file}:Circuit", "--diagram", str(target), "--icon", str(tmp_path / "i.svg")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert elements(target.read_text(), "text")
    assert (tmp_path / "i.svg").exists()
    result = CliRunner().invoke(app, ["show", "examples/dc_drive.py", "--diagram", str(target)])
    assert result.exit_code == 2


def test_the_library_command_explains_a_class(file: Path) -> None:
    result = CliRunner().invoke(app, ["library", f"{file}:Resistor"])
    assert result.exit_code == 0, result.output
    assert "Drawn.Resistor" in result.output
    assert "Ohm" in result.output
    assert "R*p.i" in result.output
    assert 'tg.load_modelica()["Drawn.Resistor"]' in result.output
