"""The runtime of exported models as objects: what is kept is the same as what is made, and found without its text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tellegen.engine.runtime.entry_points import EVERY_RUN
from tellegen.exporters.binaries import runtime_objects
from tellegen.exporters.binaries.platforms import this_platform


def test_kept_objects_are_found_without_writing_their_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    platform = this_platform()
    assert platform is not None
    monkeypatch.setenv("TELLEGEN_CACHE", str(tmp_path))
    made = runtime_objects._runtime_object(EVERY_RUN, platform)
    assert made.declared["tellegen_instance_advance"] == "declare i32 @tellegen_instance_advance(ptr, double)"
    monkeypatch.setattr(runtime_objects, "standalone_module", None)
    kept = runtime_objects._runtime_object(EVERY_RUN, platform)
    assert kept.content == made.content
    assert kept.declared == made.declared
