"""Models of Python's classes that start as Modelica's do: initialization first, then the events of that instant."""

from __future__ import annotations

from dataclasses import replace

import tellegen as tg
from tellegen.ir.expressions.template import Template, WhenTemplate
from tellegen.ir.model import Kind, Model, Rules
from tellegen.stages import build_model


def as_in_modelica(component: tg.Component, events_at_start: bool = False) -> Model:
    """The model with its events after initialization, its when-statements by Modelica's rule."""
    model = build_model(component)
    root = _with_rule(model.root, events_at_start)
    return replace(model, root=root, rules=Rules(events_at_start=events_at_start))


def _with_rule(kind: Kind, at_start: bool) -> Kind:
    stamps = tuple(replace(stamp, template=_statement(stamp.template, at_start)) for stamp in kind.stamps)
    groups = tuple(replace(group, kind=_with_rule(group.kind, at_start)) for group in kind.groups)
    return replace(kind, stamps=stamps, groups=groups)


def _statement(template: Template, at_start: bool) -> Template:
    return replace(template, at_start=at_start) if isinstance(template, WhenTemplate) else template
