"""Components of the examples, by file and class."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def example(path: str) -> Any:
    """A component of an example, `dc_drive:Drive`."""
    module, name = path.split(":")
    spec = importlib.util.spec_from_file_location(module, EXAMPLES / f"{module}.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return getattr(loaded, name)()
