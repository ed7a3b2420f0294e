"""Examples in the studio: the class and stop time of scripts are found, what code makes is drawn, curves agree."""

from __future__ import annotations

import base64
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.document.operations import Disconnect, RemoveParts
from tellegen.studio.document.text.source_file import parsed_file
from tellegen.studio.messages.work import Check, Checked, Simulate, Simulated
from tellegen.studio.server import open_document
from tellegen.studio.server.folder_library import FolderLibrary
from tellegen.studio.server.open_document import OpenDocument
from tellegen.studio.worker.workbench import Workbench

FOLDER = ModelFolder.opened(Path(__file__).parents[2] / "examples")


def opened(name: str) -> OpenDocument:
    library = FolderLibrary(FOLDER, lambda _: None)
    library.add_imports(parsed_file((FOLDER.root / name).read_text(), name))
    return OpenDocument(FOLDER, name, library.shapes, made_here=False)


def test_every_example_opens_at_the_class_that_its_script_runs() -> None:
    found = {}
    for name in FOLDER.models():
        state = opened(name).state(trusted=True)
        found[name] = (state.cls, state.script.stop)
    assert len(found) > 60
    assert found["dc_drive.py"] == ("Drive", "2")
    assert found["thermostat_house.py"] == ("House", "259200")
    assert found["squeezing_mechanism.py"] == ("SqueezingMechanism", "30 ms")
    assert found["induction_start.py"] == ("DirectStart", "1.5"), "compiled first"
    assert found["many_parameters.py"][0] == "wall", "a function that makes a model"
    assert found["modelica_servo.py"] == ("servo", "1"), "one in Modelica"
    assert found["metamodel.py"][0] == "RectifiedDrive", "a class of another file"
    assert sum(bool(stop) for _, stop in found.values()) > 45


def checked(document: OpenDocument) -> tuple[Workbench, Checked]:
    bench = Workbench()
    file = str(FOLDER.root / document.path)
    found = bench.done(Check(document.model.text, file, document.cls, imports=True, model=document.script.model))
    assert isinstance(found, Checked)
    assert found.ok, found.diagnostics
    return bench, found


def as_dc_drive(script: dict[str, Any]) -> tg.Solution:
    return tg.simulate(script["Drive"](), 2.0)


def as_stick_slip(script: dict[str, Any]) -> tg.Solution:
    return tg.simulate(script["Belt"](), 5.0, rtol=1e-8)


def as_rectifier(script: dict[str, Any]) -> tg.Solution:
    return tg.simulate(script["Rectifier"](diode=script["el"].IdealDiode), stop=0.06, points=1201)


def as_calibrate_motor(script: dict[str, Any]) -> tg.Solution:
    return tg.simulate(script["Motor"](), 2.0, points=400, parameters=script["TRUE"])


@pytest.mark.parametrize("run", [as_dc_drive, as_stick_slip, as_rectifier, as_calibrate_motor])
def test_a_run_gives_the_curves_of_the_script(run: Callable[[dict[str, Any]], tg.Solution]) -> None:
    """With the model, the options and the points of the script, as its text says them; all examples are run by
    benchmarks/studio_examples.py.
    """
    name = run.__name__.removeprefix("as_") + ".py"
    document = opened(name)
    state = document.state(trusted=True)
    bench, _ = checked(document)
    same = run(runpy.run_path(str(FOLDER.root / name)))
    ran = bench.done(Simulate(state.script.stop, 500, {}, tuple(same.states()), state.script.options))
    assert isinstance(ran, Simulated)
    assert ran.ok
    for curve in ran.curves:
        np.testing.assert_allclose(np.frombuffer(base64.b64decode(curve.values)), same[curve.path], rtol=1e-12)


def test_what_code_makes_is_drawn_once_the_model_was_built() -> None:
    document = opened("many_parameters.py")
    assert document.state(trusted=True).diagram.parts == ()
    bench, found = checked(document)
    task = Check(document.model.text, "", document.cls, imports=True)
    assert document.built(task, found)
    diagram = document.state(trusted=True).diagram
    assert len(diagram.parts) == 204
    ends = {wire.ends for wire in diagram.wires}
    assert {("c0.port", "g1.port_a"), ("g0.port_b", "c0.port")} & ends
    assert all(part.fixed == "made by code" for part in diagram.parts)
    assert not document.built(task, found), "the sheet stays as it is"
    again = bench.done(Check(document.model.text, str(FOLDER.root / document.path), document.cls, imports=True))
    assert isinstance(again, Checked)
    assert again.same_structure, "what the server has is not sent again"
    assert not again.structure.parts
    assert not document.built(task, again)
    assert len(document.diagram.parts) == 204


def test_what_somebody_removes_does_not_come_back_as_made_by_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a check all parts and lines of the model are known; those that are taken out of the text are gone."""
    monkeypatch.setattr(open_document.recovery, "keep", lambda *_: None)
    document = opened("dc_drive.py")
    _, found = checked(document)
    assert not document.built(Check(document.model.text, "", document.cls, imports=True), found), "all is in the text"
    wires = len(document.diagram.wires)
    document.edit(RemoveParts(("ground",)), document.cls)
    document.edit(Disconnect(0, "motor.p"), document.cls)
    assert [part.name for part in document.diagram.parts] == ["source", "motor", "load"]
    assert len(document.diagram.wires) == wires - 1
    assert not any(wire.fixed for wire in document.diagram.wires)
