"""The native runtime with checks of array accesses: no model goes beyond an array, and whoever does is stopped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("checked_models.py")


def checked(what: str) -> subprocess.CompletedProcess[str]:
    """The script in a process that checks bounds."""
    root = SCRIPT.parent.parent
    path = os.pathsep.join([str(root), str(root.parent)])
    environment = {**os.environ, "TELLEGEN_CHECK_BOUNDS": "1", "PYTHONPATH": path}
    command = [sys.executable, str(SCRIPT), what]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_all_parts_of_the_runtime_stay_within_their_arrays() -> None:
    done = checked("all")
    assert done.returncode == 0, done.stderr
    used = {"ida", "watch", "pivot", "ode", "events", "rodas", "block", "initial", "cvode", "projection"}
    assert set(done.stdout.split()) >= used


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("allocation", "fill_too_far at checked_models.py:"),
        ("local", "fill_local_array_too_far at checked_models.py:"),
    ],
)
def test_an_access_outside_an_array_ends_the_process(what: str, message: str) -> None:
    done = checked(what)
    assert done.returncode != 0
    assert message in done.stderr
    assert {"allocation": "element 4 of an array of 4", "local": "element 3 of an array of 3"}[what] in done.stderr
