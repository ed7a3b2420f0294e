"""The reference of the library is that of the classes as they are, and every module offers just its classes."""

from __future__ import annotations

import difflib
import inspect
import os
import pkgutil
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import tellegen as tg
from library_page import DOMAINS, page
from tellegen import library

PAGE = Path(__file__).resolve().parent.parent / "docs" / "library.md"
SHARED = {"losses", "stick_slip"}  # equations that several domains use
NAMES = [found.name for found in pkgutil.iter_modules(library.__path__) if found.name not in SHARED]
MODULES = [import_module(f"tellegen.library.{name}") for name in NAMES]


def test_the_page_is_up_to_date() -> None:
    new = page()
    if os.environ.get("TELLEGEN_REWRITE_GOLDEN"):
        PAGE.write_text(new, encoding="utf-8")
    old = PAGE.read_text(encoding="utf-8")
    if old != new:
        diff = "\n".join(
            difflib.unified_diff(old.splitlines(), new.splitlines(), "docs/library.md", "now", lineterm="")
        )
        how = "pytest tests/test_library_page.py --rewrite-golden"
        pytest.fail(f"docs/library.md differs from the library; write it anew with {how}:\n{diff}", pytrace=False)


def test_every_module_is_on_the_page() -> None:
    assert set(MODULES) == set(DOMAINS)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_module_offers_its_classes_with_a_line_about_each(module: ModuleType) -> None:
    own = {
        name
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, tg.Component | tg.Connector)
        and f"{value.__module__}.".startswith(f"{module.__name__}.")
    }
    assert set(module.__all__) == own
    assert all(vars(module)[name].__doc__ for name in own)
