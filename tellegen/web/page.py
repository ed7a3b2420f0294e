"""Pages are files of a package with marks such as <!--TITLE-->, which are replaced by what belongs there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any


def asset(package: str, name: str) -> str:
    """A file of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def scripts(package: str, names: tuple[str, ...]) -> str:
    """Files of JavaScript, each with what the later ones use; the first is what all pages draw axes with."""
    return "\n".join([asset("tellegen.web", "axis.js"), *(asset(package, f"{name}.js") for name in names)])


def data(content: Any) -> str:
    """Data for a script element of type application/json."""
    # A "<" inside the data could end the element.
    return json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")


def filled(page: str, parts: Mapping[str, str]) -> str:
    """A page with its parts; what a part contains is left as it is."""
    for mark in parts:
        page = page.replace(f"<!--{mark}-->", f"\0{mark}\0")
    pieces = page.split("\0")
    return "".join(parts[piece] if k % 2 else piece for k, piece in enumerate(pieces))
