"""Records that are only written down need no code of events: exports with stand-ins for it have the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import tellegen as tg
from tellegen.engine.request.run_request import request_run
from tellegen.engine.runtime import runtimes
from tellegen.exporters.image.image import Image
from tellegen.exporters.image.prepared_run import prepared_run
from tellegen.exporters.image.standalone import standalone
from tellegen.exporters.image.trial_run import TrialRun, trial_run


class Switched(tg.Component):
    """A lag that a fast clock drives: conditions on time are looked at while the run is prepared."""

    x = tg.variable(start=0.0, fixed=True)
    y = tg.variable(start=1.0)

    def equations(self) -> Iterator[Any]:
        """A lag and a quantity with a loop at the start."""
        yield tg.der(self.x) == tg.where(tg.sin(300.0 * tg.time) > 0.0, 1.0, 0.0) - self.x
        yield self.y + 0.1 * self.y**3 == self.x


def image(trial: TrialRun) -> Image:
    """What an export writes down."""
    with runtimes.addresses_alone():
        prepared = prepared_run(trial, has_derivatives=True)
    return standalone(prepared).image


def test_stand_ins_give_the_same_image(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tg.compile(Switched())
    trial = trial_run(model, request_run(model.flat.experiment, 1.0))
    assert "events" in runtimes.loaded_runtimes()
    loaded = image(trial)
    monkeypatch.setattr(runtimes, "_LOADED", {})
    named = image(trial)
    assert runtimes.loaded_runtimes().keys().isdisjoint(("events", "initial"))
    assert named.content == loaded.content
    assert named.relocations == loaded.relocations
    assert named.functions == loaded.functions
    assert any("event" in name for name in named.functions)
