"""The order of the stages, and nothing else: the only file that knows them all."""

from __future__ import annotations

from typing import Any

from tellegen.flatten.flatten import flatten as flatten_stage
from tellegen.frontends.python.freeze import freeze
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import Model


def build_model(component: Any) -> Model:
    """A component as written -> Model."""
    return component if isinstance(component, Model) else freeze(component)


def flatten_model(component: Any) -> FlatModel:
    """A component or Model -> FlatModel, checked."""
    return component if isinstance(component, FlatModel) else flatten_stage(build_model(component))
