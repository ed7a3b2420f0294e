"""modelDescription.xml -> records; what is wrong with it has a line and a column."""

from __future__ import annotations

from pathlib import Path

from tellegen.errors import DocumentError
from tellegen.fmi.description import ModelDescription
from tellegen.fmi.read_version2 import read_version2
from tellegen.fmi.read_version3 import read_version3
from tellegen.xml.elements import Element
from tellegen.xml.reader import Source, parse


def read_description(data: bytes, file: str) -> ModelDescription:
    """The description of an FMU; `file` is what messages call it."""
    root = parse(Source(data, file, Path()))
    if root.tag != "fmiModelDescription":
        raise root.misplaced(f"{root} is not the description of an FMU", "it begins with <fmiModelDescription ...>")
    version = root.word("fmiVersion")
    description = _of_version(root, version)
    _check_names(root, description)
    return description


def _of_version(root: Element, version: str) -> ModelDescription:
    if version == "2.0":
        return read_version2(root)
    if version == "3" or version.startswith("3."):
        return read_version3(root)
    what = f"this FMU is of FMI {version}; FMI 2.0 and 3.0 can be read"
    raise DocumentError("E880", what, location=root.location, advice="export it again as FMI 2.0 or 3.0")


def _check_names(root: Element, description: ModelDescription) -> None:
    """Names are what users call variables by: no two may be alike."""
    seen: set[str] = set()
    for variable in description.variables:
        for name in (variable.name, *(alias.name for alias in variable.aliases)):
            if name in seen:
                raise root.wrong(f"two variables are called '{name}'", "names of variables are unique")
            seen.add(name)
