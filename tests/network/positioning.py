"""The positioning system of the seeds (V1), which is an example: loaded from there."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

PATH = Path(__file__).parents[2] / "examples" / "positioning.py"


def _module() -> Any:
    spec = importlib.util.spec_from_file_location("positioning_example", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


example = _module()
Positioning: Any = example.Positioning
Motor, Gear, Shaft, Inertia, Damper = (getattr(example, n) for n in ("Motor", "Gear", "Shaft", "Inertia", "Damper"))
Potentiometer, Controller, CurrentDriver = (
    getattr(example, n) for n in ("Potentiometer", "Controller", "CurrentDriver")
)
