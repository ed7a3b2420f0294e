"""What is sent after an edit: put together with what a page has, it is the whole document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studio.large_sheets import plate
from studio.pages import edited
from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.document.operations import (
    AddPart,
    Connect,
    Disconnect,
    MoveParts,
    Operation,
    RemoveParts,
    RenamePart,
    SetArgument,
    SetCondition,
    SetCount,
    SetNote,
)
from tellegen.studio.library.catalogue import library_shapes
from tellegen.studio.messages.codec import encoded
from tellegen.studio.server.changes import difference
from tellegen.studio.server.open_document import OpenDocument

STEPS: list[Operation | int] = [
    MoveParts(("c0_0", "x1_1"), (8, 80), (16, 160)),
    SetArgument("c0_0", "C", "2 kJ/K"),
    AddPart("thermal.HeatCapacitor", "über", 400, 400),
    Connect("über.port", "c2_2.port"),
    Connect("x0_0.port_a", "y1_1.port_b"),
    RemoveParts(("c1_1",)),
    RenamePart("x0_0", "renamed"),
    Disconnect(0, "renamed.port_a"),
    SetNote("", "a note 🔥", 0, 0),
    SetCount("über", "3"),
    SetCondition("über", "True"),
    -1,
    -1,
    -1,
    -1,
    -1,
    1,
    RemoveParts(("heater", "ambient")),
    -1,
]


def test_changes_add_up_to_the_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plate.py").write_text(plate(3, 3).replace("A plate.", "A plate 🔥."))
    document = OpenDocument(ModelFolder.opened(tmp_path), "plate.py", library_shapes(), made_here=False)
    shown = document.state(trusted=True)
    page = encoded(shown)
    for step in STEPS:
        if isinstance(step, int):
            document.step(step)
        else:
            document.edit(step, "Plate")
        after = document.state(trusted=True)
        change = difference(shown, after)
        assert change is not None
        page = edited(page, encoded(change))
        assert without_lines(page) == without_lines(encoded(after)), step
        shown = after
    document.show("Plate")
    whole = document.state(trusted=False)
    assert difference(shown, whole) is None, "what can be run is not a matter of edits"


def without_lines(state: dict[str, Any]) -> dict[str, Any]:
    """Lines of parts that can be edited are not kept up to date."""
    rows = {
        name: [{**row, "line": row["line"] if row["fixed"] else 0} for row in state["diagram"][name]]
        for name in ("parts", "wires")
    }
    return {**state, "diagram": {**state["diagram"], **rows}}
