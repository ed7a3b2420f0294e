"""Examples in the studio: the class and stop time of scripts are found, what code makes is drawn, curves agree."""

from __future__ import annotations

import base64
import runpy
from pathlib import Path

import numpy as np
import pytest

import tellegen as tg
from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.library.catalogue import library_shapes
from tellegen.studio.messages.work import Check, Checked, Simulate, Simulated
from tellegen.studio.server.open_document import OpenDocument
from tellegen.studio.worker.workbench import Workbench

FOLDER = ModelFolder.opened(Path(__file__).parents[2] / "examples")
WITHOUT_A_MODEL = {"metamodel.py", "modelica_servo.py", "seeker_mdl.py"}  # of another file, in Modelica, in XML


def opened(name: str) -> OpenDocument:
    return OpenDocument(FOLDER, name, library_shapes(), made_here=False)


def test_every_example_opens_at_the_class_that_its_script_runs() -> None:
    found = {}
    for name in FOLDER.models():
        if name in WITHOUT_A_MODEL:
            with pytest.raises(tg.DocumentError, match="has no component class"):
                opened(name)
            continue
        state = opened(name).state(trusted=True)
        found[name] = (state.cls, state.stop)
    assert len(found) > 60
    assert found["dc_drive.py"] == ("Drive", "2")
    assert found["thermostat_house.py"] == ("House", "259200")
    assert found["squeezing_mechanism.py"] == ("SqueezingMechanism", "30 ms")
    assert found["induction_start.py"] == ("DirectStart", "1.5"), "compiled first"
    assert found["many_parameters.py"][0] == "wall", "a function that makes a model"
    assert sum(bool(stop) for _, stop in found.values()) > 45


def checked(document: OpenDocument) -> tuple[Workbench, Checked]:
    bench = Workbench()
    found = bench.done(Check(document.model.text, str(FOLDER.root / document.path), document.cls, imports=True))
    assert isinstance(found, Checked)
    assert found.ok, found.diagnostics
    return bench, found


@pytest.mark.parametrize("name", ["dc_drive.py", "stick_slip.py"])
def test_a_run_gives_the_curves_of_the_script(name: str) -> None:
    document = opened(name)
    state = document.state(trusted=True)
    bench, _ = checked(document)
    script = runpy.run_path(str(FOLDER.root / name))
    same = tg.simulate(script[state.cls](), float(state.stop), points=501)
    ran = bench.done(Simulate(state.stop, 501, {}, tuple(same.states())))
    assert isinstance(ran, Simulated)
    assert ran.ok
    for curve in ran.curves:
        np.testing.assert_allclose(np.frombuffer(base64.b64decode(curve.values)), same[curve.path], rtol=1e-12)


def test_what_code_makes_is_drawn_once_the_model_was_built() -> None:
    document = opened("many_parameters.py")
    assert document.state(trusted=True).diagram.parts == ()
    bench, found = checked(document)
    del bench
    assert document.built(document.cls, found.structure)
    diagram = document.state(trusted=True).diagram
    assert len(diagram.parts) == 204
    ends = {wire.ends for wire in diagram.wires}
    assert {("c0.port", "g1.port_a"), ("g0.port_b", "c0.port")} & ends
    assert all(part.fixed == "made by code" for part in diagram.parts)
    assert not document.built(document.cls, found.structure), "the sheet stays as it is"
