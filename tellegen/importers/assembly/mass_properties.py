"""Mass, centre of mass and inertia of a rigid body, and how they add up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellegen.errors import DataError, warn_user
from tellegen.importers.assembly.pose import Floats, Pose, fixed_array
from tellegen.ir.source_location import SourceLocation

ROUNDING = 1e-3  # of the largest moment: what numbers printed with few digits may be off


@dataclass(frozen=True, eq=False)
class MassProperties:
    """Of a body in some frame: mass, centre of mass, and the inertia about the centre of mass in the frame's axes."""

    m: float = 0.0
    r_CM: Floats = field(default_factory=lambda: np.zeros(3))
    I: Floats = field(default_factory=lambda: np.zeros((3, 3)))  # noqa: E741, everybody's letter

    def __post_init__(self) -> None:
        shapes = {"r_CM": (3,), "I": (3, 3)}
        for name, shape in shapes.items():
            try:
                array = fixed_array(getattr(self, name))
            except (TypeError, ValueError):
                array = np.zeros(0)
            if array.shape != shape:
                what = f"{name} has {' x '.join(map(str, shape))} numbers, not {getattr(self, name)!r}"
                raise DataError("E707", what, advice="MassProperties(m=2.0, r_CM=[0, 0, 0.1], I=np.diag([1, 1, 2]))")
            object.__setattr__(self, name, array)

    def __add__(self, other: MassProperties) -> MassProperties:
        """Two bodies as one."""
        return self._combined(other, 1.0)

    def __sub__(self, other: MassProperties) -> MassProperties:
        """What remains when a part of the body is taken out: a hole."""
        return self._combined(other, -1.0)

    def _combined(self, other: MassProperties, sign: float) -> MassProperties:
        m = self.m + sign * other.m
        if m == 0.0:
            return MassProperties(0.0, self.r_CM, self.I + sign * other.I)
        r_CM = (self.m * self.r_CM + sign * other.m * other.r_CM) / m
        return MassProperties(m, r_CM, self.about(r_CM) + sign * other.about(r_CM))

    def about(self, point: Any) -> Floats:
        """The inertia about another point than the centre of mass (Steiner)."""
        d = self.r_CM - np.asarray(point, float)
        return self.I + self.m * (d @ d * np.eye(3) - np.outer(d, d))

    def shifted(self, r: Any) -> MassProperties:
        """The same body moved by r."""
        return MassProperties(self.m, self.r_CM + np.asarray(r, float), self.I)

    def rotated(self, R: Any) -> MassProperties:
        """The same body turned about the origin."""
        R = np.asarray(R, float)
        return MassProperties(self.m, R @ self.r_CM, R @ self.I @ R.T)

    def placed(self, pose: Pose) -> MassProperties:
        """The same body seen from the frame that `pose` is given in."""
        return self.rotated(pose.R).shifted(pose.r)

    def scaled(self, factor: float) -> MassProperties:
        """The same geometry with another density."""
        return MassProperties(self.m * factor, self.r_CM, self.I * factor)

    @property
    def principal(self) -> Floats:
        """The principal moments of inertia, in ascending order."""
        return np.asarray(np.linalg.eigvalsh(self.I), float)

    def checked(self, of: str, location: SourceLocation | None = None, *, lenient: bool = False) -> MassProperties:
        """The same, or an error that says why no rigid body has these numbers.

        `lenient` makes moments of inertia that violate the triangle inequality a warning: equations of motion have a
        solution with them all the same.
        """
        fault = self._fault()
        if fault:
            what, advice = fault
            raise DataError("E707", f"{of}: {what}", location=location, advice=advice)
        low, middle, high = self.principal
        if high > (low + middle) * (1.0 + ROUNDING):
            what = (
                f"{of}: principal moments of inertia {low:.4g}, {middle:.4g}, {high:.4g} kg.m2: "
                "the largest exceeds the sum of the others, which is the case for no rigid body"
            )
            advice = "inertia is about the centre of mass; check units, and the signs of the products of inertia"
            if not lenient:
                raise DataError("E707", what, location=location, advice=advice)
            warn_user(f"{what} ({location})" if location else what)
        return self

    def _fault(self) -> tuple[str, str] | None:
        if not (np.isfinite(self.m) and np.isfinite(self.r_CM).all() and np.isfinite(self.I).all()):
            return "mass, centre of mass and inertia have to be finite", "correct the number"
        if self.m < 0.0:
            return f"the mass is {self.m:g} kg", "a mass is positive"
        largest = np.abs(self.I).max()
        if np.abs(self.I - self.I.T).max() > ROUNDING * largest:
            return "the inertia tensor is not symmetric", "Ixy = Iyx, Ixz = Izx, Iyz = Izy"
        low, _, high = self.principal
        if low < -ROUNDING * high or (largest and high <= 0.0):
            return f"a principal moment of inertia is negative ({low:.4g} kg.m2)", "check signs and units"
        return None


def total(parts: Iterable[MassProperties]) -> MassProperties:
    """Many bodies as one."""
    return sum(parts, MassProperties())
