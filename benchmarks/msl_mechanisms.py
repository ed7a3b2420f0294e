"""All examples of Modelica's MultiBody library with published results, rebuilt from our parts: how far off we are.

The results are those of the Modelica Association, thinned so that straight lines between their points stay within 1e-4
of a signal's range. A deviation is the largest of all points of all signals, relative to that range; in the second
column of deviations points may also be 0.002 of the run earlier or later, as the rule of those results allows beside
its 0.002 of the range. Runs have rtol 1e-7. The result is a table in Markdown.

    TELLEGEN_MSL_REFERENCES=FOLDER python benchmarks/msl_mechanisms.py
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from validation import msl_effects as effects
from validation import msl_engines as engines
from validation import msl_mechanisms as mechanisms
from validation import msl_robot as robot

PREFIX = "Modelica.Mechanics.MultiBody.Examples."
OF_AXES = {"gear.spring.": "spring.", "gear.bearingFriction.": "bearingFriction.", "controller.PI.": "PI."}
OF_LOAD = {"axis.initializeFlange.phi_flange": "load.phi", "axis.initializeFlange.w_flange": "load.w"}
OF_MASSES = {
    "freeMotion.r_rel_a[": "freeMotion.frame_b.r_0[",
    "freeMotion.v_rel_a[": "freeMotion.frame_b.v_0[",
    "referenceSystem.pointMass1.": "system.masses[0].",
    "referenceSystem.pointMass3.": "system.masses[2].",
    "referenceSystem.pointMass6.": "system.masses[5].",
}
SHIFTS = np.linspace(-1.0, 1.0, 9)
"""Moments that are looked at beside each point, of the tolerance in time."""
STARTS = ("startForward", "startBackward")


@dataclass(frozen=True)
class Example:
    """An example, its model here, and what its signals are called here."""

    name: str
    model: type[tg.Component]
    renamed: Mapping[str, str] = field(default_factory=dict)
    initial: Mapping[str, Any] | None = None
    until: float = np.inf
    without: tuple[str, ...] = ()


EXAMPLES = (
    Example("Constraints.PrismaticConstraint", effects.PrismaticConstraint),
    Example("Constraints.RevoluteConstraint", effects.RevoluteConstraint),
    Example("Constraints.SphericalConstraint", effects.SphericalConstraint),
    Example("Elementary.DoublePendulumInitTip", mechanisms.DoublePendulumInitTip, until=3.0),
    Example("Elementary.FreeBody", mechanisms.FreeBody),
    Example("Elementary.HeatLosses", effects.HeatLosses),
    Example("Elementary.Pendulum", mechanisms.Pendulum),
    Example("Elementary.PointGravityWithPointMasses", mechanisms.PointGravityWithPointMasses),
    Example("Elementary.PointGravityWithPointMasses2", effects.PointGravityWithPointMasses2, OF_MASSES),
    Example("Elementary.SpringDamperSystem", mechanisms.SpringDamperSystem),
    Example("Elementary.SpringMassSystem", mechanisms.SpringMassSystem),
    Example("Elementary.SpringWithMass", engines.SpringWithMass),
    Example("Elementary.Surfaces", effects.Surfaces),
    Example("Elementary.UserDefinedGravityField", effects.UserDefinedGravityField),
    Example("Loops.Engine1b", engines.Engine1b),
    Example("Loops.Engine1b_analytic", engines.Engine1b),
    Example("Loops.EngineV6_analytic", engines.EngineV6, initial=engines.V6_START, without=("filter.",)),
    Example("Loops.Fourbar_analytic", mechanisms.FourbarAnalytic),
    Example("Loops.PlanarFourbar", mechanisms.PlanarFourbar),
    Example("Rotational3DEffects.ActuatedDrive", effects.ActuatedDrive),
    Example("Rotational3DEffects.BevelGear1D", effects.BevelGear1D),
    Example("Rotational3DEffects.GyroscopicEffects", effects.GyroscopicEffects),
    Example("Rotational3DEffects.MovingActuatedDrive", effects.MovingActuatedDrive),
    Example("Systems.RobotR3.FullRobot", robot.FullRobot, OF_AXES, without=STARTS),
    Example("Systems.RobotR3.OneAxis", robot.OneAxis, {**OF_AXES, **OF_LOAD}, without=STARTS),
)


def here(signal: str, renamed: Mapping[str, str]) -> str:
    """The path of a signal in our model: indices from 0 on, quantities of bodies as those of their frames."""
    path = re.sub(r"\[(\d+)\]", lambda found: f"[{int(found[1]) - 1}]", signal).replace(".body.", ".")
    path = re.sub(r"(?<!frame_a)\.(r_0|v_0)\[", r".frame_a.\1[", path).replace(".w_a[", ".frame_a.w[")
    for old, new in renamed.items():
        path = path.replace(old, new)
    return path


def curves(references: Any, example: Example) -> dict[str, tuple[Any, Any]]:
    """Times and values of every signal of an example."""
    found = {}
    for key in references.files:
        model, signal, kind = key.split("|")
        if model == PREFIX + example.name and kind == "t" and not any(word in signal for word in example.without):
            found[signal] = references[key], references[key[:-1] + "y"]
    return found


def compare(references: Any, example: Example) -> str:
    """A row of the table."""
    signals = curves(references, example)
    stop = min(example.until, max(float(times[-1]) for times, _ in signals.values()))
    began = time.process_time()
    run = tg.simulate(example.model(), stop=stop, rtol=1e-7, initial=example.initial)
    spent = time.process_time() - began
    worst = 0.0
    allowed = 0.0
    for signal, (times, values) in signals.items():
        within = times <= stop
        path = here(signal, example.renamed)
        moments = times[within] + 0.002 * stop * SHIFTS[:, None]
        ours = np.asarray(run.at(np.clip(moments, 0.0, run.time[-1]).ravel())[path]).reshape(moments.shape)
        scale = max(float(np.ptp(values)), 1e-3)
        off = ours - values[within]
        if not signal.endswith(".mode"):  # it jumps, so only the rule says something
            worst = max(worst, float(abs(off[len(SHIFTS) // 2]).max()) / scale)
        allowed = max(allowed, float(np.maximum(off.min(axis=0), -off.max(axis=0)).max()) / scale)
    return f"| `{example.name}` | {len(signals)} | {stop:g} | {worst:.1e} | {max(allowed, 0.0):.1e} | {spent:.2f} |"


def main() -> None:
    """Print the table."""
    folder = os.environ.get("TELLEGEN_MSL_REFERENCES")
    if folder is None:
        sys.exit("TELLEGEN_MSL_REFERENCES does not name the folder of the reference results")
    references = np.load(Path(folder) / "references" / "Mechanics_MultiBody.npz")
    named = {PREFIX + example.name for example in EXAMPLES}
    missing = {key.split("|")[0] for key in references.files} - named
    print("| example | signals | until [s] | deviation | by its rule | compile and run, CPU [s] |")
    print("|---|---|---|---|---|---|")
    for example in EXAMPLES:
        print(compare(references, example), flush=True)
    print(f"\nexamples with results that are not rebuilt: {', '.join(sorted(missing)) or 'none'}")


if __name__ == "__main__":
    main()
