"""tg.write_modelica: a model as a Modelica package of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tellegen.errors import users_call
from tellegen.exporters.modelica.classes import ClassWriter, Package
from tellegen.exporters.modelica.lexical import number
from tellegen.exporters.modelica.names import PackageNames
from tellegen.exporters.modelica.tables import TableFunctions
from tellegen.exporters.modelica.values import scalar_attributes
from tellegen.exporters.source.files import save
from tellegen.exporters.source.identifiers import joined
from tellegen.exporters.source.open_inputs import OpenInputs
from tellegen.exporters.source.prepared import parts_first, prepared
from tellegen.ir.model import Experiment
from tellegen.stages import build_model


@users_call
def write_modelica(model: Any, path: str | Path | None = None, *, name: str | None = None) -> str:
    """A model as Modelica source: one package that needs no library, its last class is the model.

    Returns the text, and writes it to `path` if one is given. Numbers are in SI units, with all their digits.
    """
    ready = prepared(build_model(model))
    title = joined(ready.model.name)
    names = PackageNames(ready.model, name or f"{title}Package")
    package = Package(names, TableFunctions(names.scope), OpenInputs(ready.model))
    classes: list[list[str]] = []
    for kind in parts_first(ready.model):
        root = kind is ready.model.root
        writer = ClassWriter(package, kind, ready.settings if root else ())
        classes.append(writer.lines(_experiment(ready.model.experiment) if root else ""))
    parts = [*names.connectors.texts(scalar_attributes), *package.tables.texts(), *classes]
    lines = [f"package {names.package}"]
    for part in parts:
        lines += [*(_indented(line) for line in part), ""]
    text = "\n".join([*lines[:-1], f"end {names.package};", ""])
    if path is not None:
        save(text, path)
    return text


def _indented(line: str) -> str:
    return f"  {line}"


def _experiment(experiment: Experiment) -> str:
    if experiment.stop is None:
        return ""
    return f"annotation(experiment(StopTime = {number(experiment.stop)}));"
