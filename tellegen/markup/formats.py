"""What `tellegen convert` writes, by the ending of the file: one row for each format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tellegen as tg
from tellegen.errors import DocumentError
from tellegen.ir.source_location import here


@dataclass(frozen=True)
class Format:
    """A format: the endings of its files, its name, and the function among the public names that writes it."""

    endings: tuple[str, ...]
    name: str
    function: str

    @property
    def write(self) -> Callable[[Any, Path], object]:
        """Writes a model to a file."""
        return getattr(tg, self.function)


FORMATS = (
    Format((".xml",), "a document", "write_markup"),
    Format((".mo",), "Modelica", "write_modelica"),
    Format((".cir", ".sp"), "a SPICE netlist", "write_spice"),
    Format((".vhd", ".vhdl", ".vhms"), "VHDL-AMS", "write_vhdl_ams"),
    Format((".c",), "C of a sampled controller", "write_c"),
)


def convert(model: Any, path: Path, markup: int = 2) -> Format:
    """Write a model in the format that the ending of a file means; documents in this version of the markup."""
    chosen = next((one for one in FORMATS if path.suffix.lower() in one.endings), None)
    if chosen is None:
        known = ", ".join(f"{one.endings[0]} ({one.name})" for one in FORMATS)
        what = f"'{path.name}' has not the ending of a format that can be written"
        raise DocumentError("E851", what, location=here(), advice=f"the endings are {known}")
    if chosen is FORMATS[0]:
        tg.write_markup(model, path, version=markup)
    else:
        chosen.write(model, path)
    return chosen
