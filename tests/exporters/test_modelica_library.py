"""Every class of the library that is a model by itself, or in its surroundings, is written as Modelica that parses."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import warnings
from collections.abc import Iterator

import pytest

import tellegen as tg
import tellegen.library as library
from tellegen.library import hydraulic, planar, pneumatic

rumoca = pytest.importorskip("rumoca", reason="the independent reader of Modelica: pip install 'tellegen[dev]'")

SURROUNDINGS = {
    "hydraulic": ("oil", hydraulic.Oil),
    "pneumatic": ("gas", pneumatic.Gas),
    "planar": ("world", planar.PlanarWorld),
}
INCOMPLETE = {"E100", "E105", "E119", "E150", "E155", "E171", "E172", "E201", "E210", "E217", "E706"}
"""Codes for what is not a model by itself: base classes, parts of mechanisms, ports that have to be connected."""
DOMAINS = sorted(module.name for module in pkgutil.iter_modules(library.__path__) if module.ispkg)
DOMAINS.remove("control")  # functions that make components
DOMAINS.remove("media")  # tables of properties, no components
DOMAINS.remove("multibody")  # parts of mechanisms, which are composed as a whole


def classes(domain: str) -> Iterator[type[tg.Component]]:
    """The component classes of a folder of the library."""
    package = importlib.import_module(f"tellegen.library.{domain}")
    for name in package.__all__:
        cls = getattr(package, name)
        if inspect.isclass(cls) and issubclass(cls, tg.Component):
            yield cls


def written(domain: str, cls: type[tg.Component]) -> str:
    """The text of a component in its surroundings; empty for one that is no model."""
    for around in (None, SURROUNDINGS.get(domain)):
        model = cls() if around is None else tg.System("surrounded")
        if around is not None:
            model.add(**{around[0]: around[1](), "part": cls()})
        try:
            return tg.write_modelica(model)
        except tg.TellegenError as error:
            if error.code not in {*INCOMPLETE, "E420"}:
                raise
    return ""


@pytest.mark.parametrize("domain", DOMAINS)
def test_all_classes_parse(domain: str) -> None:
    parsed = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for cls in classes(domain):
            text = written(domain, cls)
            errors = [found for found in rumoca.validate_source(text) if found.level == "error"] if text else []
            assert not errors, f"{cls.__name__}: {errors[0]}"
            parsed += bool(text)
    assert parsed >= 5
