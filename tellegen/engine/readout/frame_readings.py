"""Quantities of frames of a mechanism that are not variables of its model, computed on request from the lump's motion.

"rod.frame_b.r_0"      r + A s           the lump that carries the frame has A, r, w, v, z, a; the frame is at s, C
"rod.frame_b.R[0, :]"  a row of C' A'    on it

Which lump and where on it, FlatModel.mechanism knows (ir/mechanism.py). A frame has variables of these names only where
an equation mentions them; the numbers are the same (library/multibody/sweeps/readings.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from tellegen.engine.request.path_lookup import elements_named
from tellegen.errors import LanguageError
from tellegen.ir.flat import FlatModel
from tellegen.ir.mechanism import MechanismMap
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.source_location import here
from tellegen.network.mechanics.hidden_parts import parameter_indices, variable_indices
from tellegen.network.mechanics.spatial import cross, times
from tellegen.start.records import dataclass
from tellegen.units import Unit, parse_unit

_PATH = re.compile(r"(.+)\.(\w+)((?:\[[^\]]*\])?)")


@dataclass(frozen=True)
class FrameMember:
    """A quantity that every frame has."""

    unit: str
    shape: tuple[int, ...]
    description: str
    rate: str = ""  # what its derivative is called


READINGS = {
    "r_0": FrameMember("m", (3,), "position, in the world", "v_0"),
    "R": FrameMember("1", (3, 3), "orientation: the rows are the axes of the frame, in the world"),
    "v_0": FrameMember("m/s", (3,), "velocity, in the world", "a_0"),
    "w": FrameMember("rad/s", (3,), "angular velocity, in axes of the frame", "z"),
    "a_0": FrameMember("m/s2", (3,), "acceleration, in the world"),
    "z": FrameMember("rad/s2", (3,), "angular acceleration, in axes of the frame"),
}


class Recorded(Protocol):
    """Values of a run at some times: of variables by number, one column each, and of parameters; in SI units."""

    def variables(self, indices: IntArray) -> FloatArray: ...
    def parameters(self, indices: IntArray) -> FloatArray: ...


@dataclass(frozen=True, eq=False)
class FrameReading:
    """A quantity of a frame, or elements of it."""

    path: str
    frame: str
    name: str  # one of READINGS
    elements: IntArray  # numbers of elements, in their shape
    flat: FlatModel

    @property
    def member(self) -> FrameMember:
        """What it is a quantity of."""
        return READINGS[self.name]

    @property
    def unit(self) -> Unit:
        """The unit it is given in."""
        return parse_unit(self.member.unit)

    @property
    def axes(self) -> tuple[str, ...]:
        """A name for each dimension."""
        return tuple(f"{self.path}_{k}" for k in range(self.elements.ndim))

    def scalar_name(self, k: int) -> str:
        """A name for the k-th element."""
        place = np.unravel_index(int(self.elements.flat[k]), self.member.shape)
        return f"{self.frame}.{self.name}[{', '.join(str(int(one)) for one in place)}]"

    def read(self, recorded: Recorded) -> FloatArray:
        """Values in SI units, the first dimension is that of times."""
        motion = _Motion(self.flat, self.frame, recorded)
        values = getattr(motion, self.name)
        return values.reshape(len(values), -1)[:, self.elements.ravel()].reshape(len(values), *self.elements.shape)


class _Motion:
    """How a frame moves."""

    def __init__(self, flat: FlatModel, frame: str, recorded: Recorded) -> None:
        assert flat.mechanism is not None
        self._flat = flat
        self._mechanism: MechanismMap = flat.mechanism
        self._recorded = recorded
        self._place = flat.mechanism.frames[frame]
        lump = self._place.lump
        self._lump = flat.mechanism.links[lump - 1].part if lump else flat.mechanism.ground

    def _of_lump(self, name: str) -> FloatArray:
        indices = variable_indices(self._flat.tree, self._lump, name)
        values = self._recorded.variables(indices.ravel())
        return values.reshape(len(values), *indices.shape)

    def _number(self, part: str, name: str) -> FloatArray:
        return self._recorded.parameters(parameter_indices(self._flat.tree, part, name))

    @cached_property
    def _A(self) -> FloatArray:
        return self._of_lump("A")

    @cached_property
    def _w(self) -> FloatArray:
        return self._of_lump("w")

    @cached_property
    def _d(self) -> Any:
        """From the reference point of the lump to the frame."""
        return self._A @ self._number(self._place.part, "s") if self._place.part else np.zeros(3)

    @property
    def r_0(self) -> FloatArray:
        return self._of_lump("r") + self._d

    @property
    def R(self) -> FloatArray:
        turned = self._A @ self._number(self._place.part, "C") if self._place.part else self._A
        return turned.transpose(0, 2, 1)

    @property
    def v_0(self) -> FloatArray:
        return self._of_lump("v") + cross(self._w, self._d)

    @property
    def w(self) -> FloatArray:
        return times(self.R, self._w)

    @property
    def a_0(self) -> FloatArray:
        turning = cross(self._of_lump("own.z"), self._d) + cross(self._w, cross(self._w, self._d))
        return self._of_lump("own.a") + self._number(self._mechanism.ground, "g") + turning

    @property
    def z(self) -> FloatArray:
        return times(self.R, self._of_lump("own.z"))


def frame_reading(flat: FlatModel, path: str) -> FrameReading | None:
    """The quantity of a frame that a path names; None if it names none."""
    match = _PATH.fullmatch(path) if flat.mechanism is not None else None
    if flat.mechanism is None or match is None:
        return None
    frame, name, brackets = match.groups()
    if frame not in flat.mechanism.frames or name not in READINGS:
        _refuse_unknown_force(flat.mechanism, path, frame, name)
        return None
    elements = elements_named(READINGS[name].shape, brackets)
    return None if elements is None else FrameReading(path, frame, name, elements, flat)


def _refuse_unknown_force(mechanism: MechanismMap, path: str, frame: str, name: str) -> None:
    if frame in mechanism.frames and name in ("f", "t"):
        raise LanguageError(
            "E165",
            f"'{path}' is not computed: it is a reaction, and nothing in the model mentions it",
            location=here(),
            advice="connect a multibody.CutForceAndTorque between the two frames, or see tg.mechanism(model).reactions",
        )


def frame_names(flat: FlatModel) -> Iterator[str]:
    """The quantities of all frames by path."""
    frames = flat.mechanism.frames if flat.mechanism is not None else ()
    return (f"{frame}.{name}" for frame in frames for name in READINGS)
