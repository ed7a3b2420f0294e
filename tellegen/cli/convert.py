"""`tellegen convert FILE[:CLASS] OUTPUT`: a model in another format, which the ending of the output decides."""

from __future__ import annotations

from pathlib import Path

import tellegen as tg
from tellegen.cli.target import DOCUMENTS, Target, load
from tellegen.markup.formats import convert


def converted(text: str, output: Path) -> str:
    """Write the model that FILE[:CLASS] means; returns what was done, for people."""
    target = Target.parse(text)
    note = ""
    if target.file.suffix.lower() == output.suffix.lower() == DOCUMENTS and not target.name:
        model = tg.read_markup(target.file)  # as it is: one of version 1 stays one
    else:
        model, note = load(text)
    done = f"wrote {output}: {convert(model, output).name}"
    return f"{note}\n{done}" if note else done
