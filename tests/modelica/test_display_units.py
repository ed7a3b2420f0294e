"""displayUnit: plots and tables show numbers in it, results and equations keep the declared unit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tellegen as tg

TEXT = """
model Room
  type Temperature = Real(unit = "K", displayUnit = "degC");
  Temperature T(start = 300, fixed = true) "air";
  Real shown(unit = "degC") "the same, by a sensor in degrees";
  Real phi(unit = "rad", displayUnit = "deg");
  Real p(unit = "bar", displayUnit = "kPa") "numbers are in bar, as declared";
  Real wrong(unit = "m", displayUnit = "degC") = 2*time "no unit of a length";
  parameter Temperature outside = 273.15;
equation
  der(T) = outside - T;
  shown = T - 273.15;
  phi = time;
  p = 2 + time;
  annotation (experiment(StopTime = 1));
end Room;
"""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> tg.Solution:
    """A run of the room."""
    file = tmp_path_factory.mktemp("room") / "Room.mo"
    file.write_text(TEXT)
    return tg.simulate(tg.load_modelica(file)["Room"])


def test_results_are_in_the_declared_unit(room: tg.Solution) -> None:
    assert room["T"][0] == 300.0
    assert room.unit("T") == "K"
    assert room["p"][0] == 2.0


def test_plots_show_the_display_unit(room: tg.Solution) -> None:
    figure = room.plot("T", "phi", "p", "wrong")
    first, second, third, fourth = figure.axes
    assert [axis.get_ylabel() for axis in figure.axes] == ["[degC]", "[deg]", "[kPa]", "[m]"]
    assert first.get_lines()[0].get_ydata()[0] == pytest.approx(26.85)
    assert second.get_lines()[0].get_ydata()[-1] == pytest.approx(180 / np.pi)
    assert third.get_lines()[0].get_ydata()[0] == pytest.approx(200.0)
    assert fourth.get_lines()[0].get_ydata()[-1] == pytest.approx(2.0)


def test_a_plot_over_another_quantity_shows_its_display_unit(room: tg.Solution) -> None:
    axis = room.plot("T [K]", x="phi").axes[0]
    assert axis.get_xlabel() == "phi [deg]"
    assert axis.get_ylabel() == "[K]"


def test_derivatives_have_the_unit_of_the_variable(room: tg.Solution) -> None:
    assert room.plot("der(T)").axes[0].get_ylabel() == "[K/s]"


def test_tables_show_the_display_unit(room: tg.Solution) -> None:
    assert "26.85" in str(room)
    assert "degC" in str(room)
    assert "degC" in str(room.at(0.5))
    assert room.displayed("T") == "T [degC]"
    assert room.displayed("der(T)") == "der(T)"


def test_other_units_are_converted_from_the_declared_one(room: tg.Solution) -> None:
    """Numbers of Modelica are in their unit, not in SI units: `p` in bar, `shown` in degrees."""
    assert room["p [Pa]"][0] == pytest.approx(2e5)
    assert room["shown [K]"] == pytest.approx(room["T"])
    with pytest.raises(tg.LanguageError, match="cannot be converted to m"):
        room["p [m]"]


def test_given_values_are_converted_to_the_declared_unit(tmp_path: Path) -> None:
    file = tmp_path / "Given.mo"
    file.write_text("""
model Given
  parameter Real p(unit = "bar") = 1;
  parameter Real T(unit = "degC") = 1;
  Real y = p + T;
end Given;
""")
    found = tg.simulate(tg.load_modelica(file)["Given"], stop=1.0, parameters={"p": "200 kPa", "T": "300 K"})
    assert found["p"] == pytest.approx(2.0)
    assert found["T"] == pytest.approx(26.85)
    assert found["y"][-1] == pytest.approx(28.85)


def test_documents_keep_units_that_are_documentation(room: tg.Solution, tmp_path: Path) -> None:
    file = tmp_path / "Room.mo"
    file.write_text(TEXT)
    model = tg.read_markup(text=tg.write_markup(tg.load_modelica(file)["Room"]))
    again = tg.simulate(model, stop=1.0)
    assert again["shown"] == pytest.approx(room["shown"])
    assert again["p [kPa]"][0] == pytest.approx(200.0)
    assert again.displayed("T") == "T [degC]"


def test_exported_text_keeps_both_units(tmp_path: Path) -> None:
    file = tmp_path / "Room.mo"
    file.write_text(TEXT)
    text = tg.write_modelica(tg.load_modelica(file)["Room"])
    assert 'unit = "K", displayUnit = "degC"' in text
    assert 'unit = "bar", displayUnit = "kPa"' in text
