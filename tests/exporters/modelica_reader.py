"""Exported models simulated by rumoca, an independent Modelica compiler, and compared with our own runs."""

from __future__ import annotations

import re
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


def compare(model: Any, stop: float, *, points: int = 50, text: str | None = None, **run: Any) -> Comparison:
    """Both runs at the same instants; jumps leave out the instants next to them."""
    other = simulate_text(tg.write_modelica(model) if text is None else text, stop, points)
    times = np.asarray(other.time, float)
    ours = tg.simulate(model, stop=stop, rtol=1e-9, atol=1e-11, **run)
    known = {name.replace(" ", ""): name for name in other.names}
    differences: dict[str, float] = {}
    for name in ours.names:
        theirs = known.get(modelica_name(name))
        if theirs is None:
            continue
        mine = np.asarray(ours.at(times)[name] if False else np.interp(times, ours.time, np.asarray(ours[name], float)))
        other_values = np.asarray(other[theirs], float)
        keep = np.ones(len(times), bool)
        size = max(float(np.abs(mine).max()), 1e-9)
        differences[name] = float(np.abs(mine - other_values)[keep].max()) / size
    return Comparison(differences)
