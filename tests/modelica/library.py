"""The Modelica Standard Library for tests: a folder outside the repository, named by TELLEGEN_MSL."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from tellegen.frontends.modelica.store.store import Store


def msl_folder() -> Path:
    """The folder that holds Modelica, ModelicaServices and Complex.mo; the test is skipped where there is none."""
    folder = os.environ.get("TELLEGEN_MSL")
    if not folder:
        pytest.skip("TELLEGEN_MSL does not name a folder with the Modelica Standard Library")
    return Path(folder)


def msl() -> Store:
    """A store with the standard library, the same for all tests of a process."""
    return _store(msl_folder())


@cache
def _store(folder: Path) -> Store:
    store = Store(searched=[])
    store.add(folder)
    return store
