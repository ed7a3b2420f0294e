"""Models of Python's classes that start as Modelica's do: initialization first, then the events of that instant."""

from __future__ import annotations

from dataclasses import replace

import tellegen as tg
from tellegen.ir.model import Model, Rules
from tellegen.stages import build_model


def as_in_modelica(component: tg.Component, events_at_start: bool = False) -> Model:
    """The model with its events after initialization."""
    return replace(build_model(component), rules=Rules(events_at_start=events_at_start))
