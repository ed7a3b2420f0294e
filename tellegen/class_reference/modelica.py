"""Classes of Modelica libraries as entries: what `tellegen library Modelica.Electrical.Analog.Basic.Resistor` says."""

from __future__ import annotations

from dataclasses import replace

from tellegen.class_reference.entry import Entry, describe_class
from tellegen.frontends.modelica.library import ModelicaClass
from tellegen.frontends.python.building.from_model import component_class


def describe_modelica(found: ModelicaClass) -> Entry:
    """The entry of a model or block, with its icon. It is translated for that; a partial class has no entry."""
    location = found.view.location(found.view.definition.token)
    package, _, name = found.name.rpartition(".")
    entry = describe_class(component_class(found.model), package or name)
    return replace(entry, name=name, file=location.file, line=location.line, icon=found.icon.svg)
