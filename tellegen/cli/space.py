"""`tellegen space MODEL`: the interfaces of a system and their implementations, as a tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

import tellegen as tg


def answer(component: Any, svg: Path | None, json: Path | None, console: Console) -> None:
    """Print the tree, and write it to the files asked for."""
    found = tg.model_space(component)
    console.print(str(found), soft_wrap=True, highlight=False, markup=False)
    if svg is not None:
        found.svg(svg)
    if json is not None:
        found.save(json)
