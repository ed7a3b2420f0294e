"""Files that belong to libraries: modelica://Modelica/Resources/Data/x.txt to a path (MLS 13.5)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.store.versions import Library


def library_of_resource(uri: str) -> str:
    """The library that a modelica:// address names; empty for other addresses."""
    return _parts(uri)[0].split(".")[0] if uri.startswith("modelica:") else ""


def resource_path(uri: str, libraries: Mapping[str, Library]) -> Path:
    """The path of a modelica:// or file:// address; anything else is a path already."""
    if uri.startswith("file:"):
        return Path(unquote(urlsplit(uri).path))
    if not uri.startswith("modelica:"):
        return Path(uri)
    package, rest = _parts(uri)
    name, *folders = package.split(".")
    if name not in libraries:
        raise ModelicaError("E592", f"'{uri}' names a file of the library '{name}', which is not loaded")
    return libraries[name].folder.joinpath(*folders, rest)


def _parts(uri: str) -> tuple[str, str]:
    """The package in an address, and the path below it."""
    package, _, rest = unquote(uri.removeprefix("modelica:").lstrip("/")).partition("/")
    return package, rest
