"""tg.write_spice: a circuit as a SPICE netlist, to be checked in another program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tellegen.engine.request.argument_checks import seconds
from tellegen.errors import ExportError, users_call
from tellegen.exporters.source.files import save
from tellegen.exporters.spice.cards import cards, has_card
from tellegen.exporters.spice.parts import Circuit
from tellegen.exporters.spice.waveforms import number
from tellegen.flatten.flatten import flatten
from tellegen.stages import build_model

_POINTS = 500


@users_call
def write_spice(model: Any, path: str | Path | None = None, *, stop: float | str | None = None) -> str:
    """A model made of electrical parts as a SPICE netlist: a card for each part, flat, with all digits.

    Returns the text, and writes it to `path` if one is given. With `stop`, or if the model says how long to run it,
    the netlist has a `.tran` that starts from the start values (`uic`), as tg.simulate does, or from rest if the model
    is to start there (those of tg.read_spice). Parts without a card, of other domains for example, are an error.
    """
    flat = flatten(build_model(model))
    circuit = Circuit(flat, has_card)
    lines = [f"* {flat.name}", ".options reltol=1e-6"]
    for part in circuit.parts:
        lines += cards(part)
    if not any(part.class_name == "Ground" for part in circuit.parts):
        raise ExportError("E431", f"{flat.name} has no ground, and a netlist needs a node 0")
    until = flat.experiment.stop if stop is None else seconds("stop", stop)
    if until is not None:
        step = number(until / _POINTS)
        from_start_values = "" if flat.experiment.initial == "steady" else " uic"
        lines.append(f".tran {step} {number(until)} 0 {step}{from_start_values}")
    text = "\n".join([*lines, ".end", ""])
    if path is not None:
        save(text, path)
    return text
