"""Generate the images of mechanisms in docs/multibody.md and docs/from_cad.md from the examples:

PYTHONPATH=examples python docs/images/mechanism_images.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import car
import engine_v6
import matplotlib.pyplot as plt
import numpy as np
import robot_arm
import seeker

import tellegen as tg
from tellegen.animation import to_picture

FOLDER = Path(__file__).resolve().parent
SIZE = (880, 660)
WIDE = (1200, 640)


def main() -> None:
    """Write all four images."""
    with tempfile.TemporaryDirectory() as folder:
        _car(car.main(Path(folder)))
        engine = engine_v6.main(Path(folder))
        arm = robot_arm.main(Path(folder))
        camera = seeker.main(Path(folder))
    scene = engine.at(np.linspace(0.8, 0.9, 201)).animate().scene
    to_picture(scene, time=0.83, size=WIDE).save(FOLDER / "engine_v6.png")
    scene = arm.animate(traces=("arm.hand_shape",)).scene
    angles = {axis: arm[f"arm.{axis}.phi"] for axis in robot_arm.AXES}
    _beside(to_picture(scene, time=0.7, size=SIZE), arm.time, angles, "angle [rad]", "robot_arm.png")
    looked = {name: camera[f"mechanism.{name}.phi"] for name in ("pitch", "yaw")}
    _beside(to_picture(camera.animate().scene, time=0.2, size=SIZE), camera.time, looked, "angle [rad]", "seeker.png")


def _car(run: tg.Solution) -> None:
    """The car on the bump, with the forces of its springs."""
    scene = run.at(np.linspace(2.2, 3.6, 281)).animate(follow="shell", forces=True).scene
    shown = run.at(np.linspace(2.2, 4.0, 721))
    forces = 1e-3 * shown["corners.tyre.f"]
    names = ("front left", "front right", "rear left", "rear right")
    curves = {name: forces[:, k] for k, name in enumerate(names)}
    _beside(to_picture(scene, time=2.55, size=SIZE), shown.time, curves, "force of the road [kN]", "car.png")


def _beside(picture: Any, time: Any, curves: dict[str, Any], label: str, name: str) -> None:
    """A picture and curves side by side."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.8, 4.1), width_ratios=(1.25, 1.0), layout="constrained")
    left.imshow(picture)
    left.axis("off")
    for curve, values in curves.items():
        right.plot(time, values, label=curve)
    right.set_xlabel("time [s]")
    right.set_ylabel(label)
    right.grid(alpha=0.3)
    right.legend()
    figure.savefig(FOLDER / name, dpi=110)
    plt.close(figure)


if __name__ == "__main__":
    main()
