"""Exported models simulated by rumoca, an independent Modelica compiler, and compared with our own runs."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

import tellegen as tg


@dataclass(frozen=True)
class Comparison:
    """How far two runs are apart: for each variable the largest difference, relative to its largest size."""

    differences: dict[str, float]

    @property
    def worst(self) -> tuple[str, float]:
        """The variable that differs most."""
        return max(self.differences.items(), key=lambda item: item[1])


def modelica_name(name: str) -> str:
    """`cells[3].T` -> `cells[4].T`: subscripts begin at 1."""
    return re.sub(r"\[([\d,]+)\]", lambda m: "[" + ",".join(str(int(k) + 1) for k in m[1].split(",")) + "]", name)


def package_and_model(text: str) -> str:
    """The qualified name of the last class of a package."""
    package = re.match(r"package (\S+)", text)
    classes = re.findall(r"^  end (\S+);$", text, re.MULTILINE)
    assert package is not None
    return f"{package[1]}.{classes[-1]}"


def simulate_text(text: str, stop: float, points: int = 50, **config: Any) -> Any:
    """A run of rumoca's."""
    import rumoca

    model = rumoca.Session().loads(text, model=package_and_model(text))
    options = {"rtol": 1e-9, "atol": 1e-11, "max_wall_seconds": 60.0, **config}
    return model.simulate(t=(0.0, stop), dt=stop / points, config=rumoca.SimConfig(**options))


def compare(model: Any, stop: float, *, points: int = 37, text: str | None = None, **run: Any) -> Comparison:
    """Both runs at the same instants, those at events left out; all variables that both know, in SI units."""
    other = simulate_text(tg.write_modelica(model) if text is None else text, stop, points)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about regions of validity that are left on purpose
        ours = tg.simulate(model, stop=stop, rtol=1e-9, atol=1e-11, **run)
    times = np.asarray(other.time, float)
    regular = np.abs(times * points / stop - np.round(times * points / stop)) < 1e-9  # no event, or by chance
    events = np.array([event.time for event in ours.events] or [-1.0])
    far = regular & (np.abs(times[:, None] - events).min(axis=1) > 1e-6 * stop)
    times = times[far]
    theirs = {name.replace(" ", ""): name for name in other.names}
    known = [(k, name) for k, name in enumerate(map(modelica_name, ours.names())) if name in theirs]
    chosen = np.array([k for k, _ in known])
    values = ours.at(times).si(chosen)
    sizes = np.abs(ours.si(chosen)).max(axis=0)  # over the whole run
    differences = {}
    for (_, name), mine, largest in zip(known, values.T, sizes, strict=True):
        size = max(float(largest), 1e-6)
        differences[name] = float(np.abs(mine - np.asarray(other[theirs[name]], float)[far]).max()) / size
    return Comparison(differences)
