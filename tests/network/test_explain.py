"""The story of a model, its pictures, and what errors say with the help of the graph."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest
from typer.testing import CliRunner

import tellegen as tg
from network.positioning import Positioning
from tellegen.cli.app import app
from tellegen.library import electrical as el
from tellegen.network.formulation import by_graph
from tellegen.stages import reduce_model

ROOT = Path(__file__).parents[2]
LARGE = ("car", "engine_v6")  # what they consist of is in smaller ones: four_bar, suspension, slider_crank
EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.py")) if path.stem not in LARGE]


def fixed(value: float) -> Any:
    return tg.variable(start=value, fixed=True)


def test_the_story_of_the_positioning_system() -> None:
    text = str(tg.explain(Positioning()))
    for part in (
        "electrical: 4 edges between 3 vertices",
        "rotational: 8 edges between 6 vertices",
        "motor (Motor) couples electrical and rotational",
        "driven by signals: e9 by e9.u",
        "measured: pot.read from pot.s",
        "the tree names 7",
        "gear.a carries no state of its own: it forms a loop with motor.rotor",
        "derivatives became unknowns for",
        "an algebraic loop of 4 equations (linear) through motor, gear",
    ):
        assert part in text, part


def test_conflicts_are_told_with_a_cure() -> None:
    s = tg.System("conflict")
    s.add(a=el.ConstantVoltage(V=1.0), b=el.ConstantVoltage(V=2.0), g=el.Ground())
    s.connect(s["a"].p, s["b"].p)
    s.connect(s["a"].n, s["b"].n, s["g"].p)
    text = str(tg.explain(s))
    assert "a, b form a loop of across drivers" in text
    assert "in series" in text
    assert "why it cannot be solved" in text
    with pytest.raises(tg.StructureError, match="E296"):
        tg.explain(s).plot_blocks()


def test_a_cut_set_of_through_drivers() -> None:
    s = tg.System("conflict")
    s.add(a=el.ConstantCurrent(I=1.0), b=el.ConstantCurrent(I=2.0), r=el.Resistor(), g=el.Ground())
    s.connect(s["a"].p, s["b"].n)
    s.connect(s["a"].n, s["g"].p, s["r"].p)
    s.connect(s["b"].p, s["r"].n)
    text = str(tg.explain(s))
    assert "form a cut-set of through drivers" in text
    assert "in parallel" in text


@pytest.mark.parametrize("kind", ["capacitors", "inductors", "source"])
def test_start_values_that_share_a_state(kind: str) -> None:
    s = tg.System(kind)
    s.add(g=el.Ground())
    if kind == "capacitors":
        s.add(a=el.Capacitor(C=1.0, v=fixed(1.0)), b=el.Capacitor(C=1.0, v=fixed(2.0)), r=el.Resistor())
        s.connect(s["a"].p, s["b"].p, s["r"].p)
        s.connect(s["a"].n, s["b"].n, s["r"].n, s["g"].p)
        expected = "b carries no state of its own: it forms a loop with a"
    elif kind == "inductors":
        s.add(a=el.Inductor(L=1.0, i=fixed(1.0)), b=el.Inductor(L=1.0, i=fixed(2.0)), v=el.ConstantVoltage())
        s.connect(s["v"].p, s["a"].p)
        s.connect(s["a"].n, s["b"].p)
        s.connect(s["b"].n, s["v"].n, s["g"].p)
        expected = "it forms a cut-set with"
    else:
        s.add(a=el.Capacitor(C=1.0, v=fixed(0.0)), v=el.ConstantVoltage(V=1.0))
        s.connect(s["v"].p, s["a"].p)
        s.connect(s["v"].n, s["a"].n, s["g"].p)
        expected = "a carries no state of its own: it forms a loop with v"
    with pytest.raises(tg.TellegenError) as caught:
        tg.simulate(s, 1.0)
    assert expected in str(caught.value)
    assert "insert a small resistance" in str(caught.value)


def test_pictures(tmp_path: Path) -> None:
    mpl.use("Agg")
    story = tg.explain(Positioning())
    for name, draw in (("graph.svg", story.plot), ("blocks.png", story.plot_blocks)):
        draw().savefig(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 5000
    texts = (tmp_path / "graph.svg").read_text()
    assert texts.count("<!-- ") >= 12  # the labels of all edges


def test_labels_do_not_cover_each_other() -> None:
    mpl.use("Agg")
    figure = tg.system_graph(Positioning()).plot()
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text()]
    assert len(boxes) == 12
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "graph.png"
    done = CliRunner().invoke(app, ["explain", str(ROOT / "examples" / "dc_drive.py") + ":Drive", "--plot", str(path)])
    assert done.exit_code == 0, done.output
    assert "order of evaluation" in done.output
    assert path.exists()


def models(path: Path) -> list[Any]:
    """The model classes of an example that need no arguments."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    own = [v for v in vars(module).values() if isinstance(v, type) and issubclass(v, tg.Component)]
    return [v for v in own if v.__module__ == path.stem]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_can_be_explained(path: Path) -> None:
    for cls in models(path):
        try:
            flat = tg.flatten(cls())
        except tg.TellegenError:
            continue  # a part, not a model
        story = tg.explain(flat)
        written = by_graph(flat)
        if story.ordered is not None and written is not flat:
            by_circuits = reduce_model(written)
            assert by_circuits.is_state.sum() == story.ordered.is_state.sum()
        assert "order of evaluation" in str(story) or "why it cannot be solved" in str(story) or "states" in str(story)
