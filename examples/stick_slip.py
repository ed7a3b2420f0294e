"""A mass on a running belt, held by a spring: it sticks, is carried along, breaks loose, snaps back and sticks again.

Friction holds up to half as much again as it resists sliding. The phases are known in closed form: with F the sliding
force, c the stiffness and A = (peak - 1) F/c the mass is carried from F/c - A to F/c + A and swings back around F/c.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import translational as tr


class Belt(tg.Component):
    """Wall, spring, mass, belt, and the friction between the last two."""

    wall = tr.Fixed()
    spring = tr.Spring(c=100.0)
    mass = tr.Mass(m=1.0, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=0.1, fixed=True))
    friction = tr.Friction(F_Coulomb=4.0, peak=1.5)
    belt = tr.ConstantSpeed(v_fixed=0.1)

    def connections(self) -> Iterator[Any]:
        """The mass rests on the belt (flange_b on flange_a) and is tied to the wall."""
        yield self.wall.flange, self.spring.flange_a
        yield self.spring.flange_b, self.mass.flange_a
        yield self.mass.flange_b, self.friction.flange_b
        yield self.belt.flange, self.friction.flange_a


def main(folder: Path = Path("demo_output")) -> tg.Solution:
    """Simulate 5 s and compare the times of sticking and sliding with the closed-form solution."""
    solution = tg.simulate(Belt(), stop=5.0, rtol=1e-8)
    amplitude = 0.5 * 4.0 / 100.0
    w = 10.0
    v = 0.1
    slip = (2 * np.pi - 2 * np.arctan(amplitude * w / v)) / w
    stick = 2 * amplitude / v
    gaps = np.diff([event.time for event in solution.events])
    error = np.abs(gaps - np.resize([slip, stick], len(gaps))).max()
    folder.mkdir(parents=True, exist_ok=True)
    solution.plot("mass.s", "mass.v", "friction.f").savefig(folder / "stick_slip.png", dpi=110)
    print(
        f"slides for {gaps[0]:.4f} s, sticks for {gaps[1]:.4f} s, {error:.0e} s from the closed-form solution at most"
    )
    stuck = solution["friction.mode"] == 0
    print(f"while stuck it is {np.abs(solution['mass.v'][stuck] - v).max():.0e} m/s off the speed of the belt")
    print(f"plot:  {folder / 'stick_slip.png'}")
    return solution


if __name__ == "__main__":
    main()
