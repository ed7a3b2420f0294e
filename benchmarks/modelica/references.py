"""Published curves of the examples of the Modelica Standard Library, and the list of examples.

`TELLEGEN_MSL_REFERENCES` names the folder: examples-open.txt, references/<sub-library>.npz.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Curve:
    """One signal of a reference."""

    t: np.ndarray
    y: np.ndarray


@dataclass(frozen=True)
class Example:
    """One runnable example of the library."""

    model: str
    library: str
    wave: int
    has_reference: bool


def folder() -> Path:
    """Where the references are."""
    return Path(os.environ.get("TELLEGEN_MSL_REFERENCES", "../shared/modelica"))


def listed_examples() -> list[Example]:
    """All examples of the list."""
    found = []
    for line in (folder() / "examples-open.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            model, library, wave, readable = line.split("\t")
            found.append(Example(model, library, int(wave), readable == "yes"))
    return found


def reference_of(model: str) -> dict[str, Curve]:
    """The curves of an example by signal; none where there is no reference."""
    example = next((e for e in listed_examples() if e.model == model), None)
    if example is None:
        return {}
    path = folder() / "references" / f"{example.library.replace('.', '_')}.npz"
    if not path.exists():
        return {}
    stored = np.load(path)
    signals = {key.split("|")[1] for key in stored.files if key.split("|")[0] == model}
    return {s: Curve(stored[f"{model}|{s}|t"], stored[f"{model}|{s}|y"].astype(float)) for s in sorted(signals)}
