"""The runtime of exported models as objects: made by another process they are the same, and nobody depends on it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tellegen.engine.native.machine_code import kept_object
from tellegen.engine.runtime.entry_points import EVERY_RUN
from tellegen.exporters.binaries import runtime_objects
from tellegen.exporters.binaries.platforms import this_platform


def test_another_process_makes_the_same_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    platform = this_platform()
    here = runtime_objects._runtime_object(EVERY_RUN, platform)
    assert here.declared["tellegen_instance_advance"] == "declare i32 @tellegen_instance_advance(ptr, double)"
    monkeypatch.setenv("TELLEGEN_CACHE", str(tmp_path))
    stamp = runtime_objects._stamp(EVERY_RUN, platform)
    assert kept_object(stamp) is None
    with runtime_objects.begun([platform]) as wait:
        wait()
    assert kept_object(stamp) is not None
    made = runtime_objects._runtime_object(EVERY_RUN, platform)
    assert made.content == here.content
    assert made.declared == here.declared


def test_nothing_depends_on_the_other_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELLEGEN_CACHE", str(tmp_path / "cache"))
    for executable in (str(tmp_path / "no_python"), ""):
        monkeypatch.setattr(sys, "executable", executable)
        with runtime_objects.begun([this_platform()]) as wait:
            wait()
    assert kept_object(runtime_objects._stamp(EVERY_RUN, this_platform())) is None
