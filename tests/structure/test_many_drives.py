"""Many drives whose gears stand in one housing: all constraints share an angle. Compared with the modes."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

import tellegen as tg
from tellegen.library import rotational as rot

COUNT = 120  # more than are judged as one dense matrix


def drives() -> tg.System:
    """A housing on a spring, and drives of two inertias and a gear in it, each held by a spring."""
    system = tg.System("drives")
    system.add(wall=rot.Fixed(), bed=rot.Spring(c=1e4), housing=rot.Inertia(J=50.0))
    system.connect(system.wall.flange, system.bed.flange_a)
    system.connect(system.bed.flange_b, system.housing.flange_a)
    for k in range(COUNT):
        motor = rot.Inertia(J=0.01 + 1e-4 * k)
        gear = rot.IdealGear(ratio=10.0 + k % 3, use_support=True)
        load = rot.Inertia(J=2.0)
        spring = rot.Spring(c=100.0 + k)
        system.add(**{f"motor{k}": motor, f"gear{k}": gear, f"load{k}": load, f"spring{k}": spring})
        system.connect(motor.flange_b, gear.flange_a)
        system.connect(gear.flange_b, load.flange_a)
        system.connect(load.flange_b, spring.flange_a)
        system.connect(spring.flange_b, system.wall.flange)
        system.connect(gear.support, system.housing.flange_b)
    return system


def test_the_motion_is_that_of_its_modes() -> None:
    """q = (housing, loads), phi_motor = (1 - ratio) phi_housing + ratio phi_load; M q'' + K q = 0 from q(0)."""
    k = np.arange(COUNT)
    ratio = 10.0 + k % 3
    motor = 0.01 + 1e-4 * k
    mass = np.diag(np.concatenate([[50.0 + (motor * (1 - ratio) ** 2).sum()], 2.0 + motor * ratio**2]))
    mass[0, 1:] = mass[1:, 0] = motor * ratio * (1 - ratio)
    stiffness = np.diag(np.concatenate([[1e4], 100.0 + k]))
    start = np.concatenate([[0.02], 0.1 * np.cos(k)])
    squared, modes = scipy.linalg.eigh(stiffness, mass)
    stop = 0.7
    expected = modes @ (np.cos(np.sqrt(squared) * stop) * (modes.T @ mass @ start))

    system = drives()
    for number, name in enumerate(["housing", *(f"load{number}" for number in range(COUNT))]):
        system[name].phi.start = float(start[number])
        system[name].phi.fixed = True
        system[name].w.start = 0.0
        system[name].w.fixed = True
    solution = tg.simulate(system, stop=stop, rtol=1e-8)
    found = [solution["housing.phi"][-1], *(solution[f"load{number}.phi"][-1] for number in range(COUNT))]
    assert np.asarray(found) == pytest.approx(expected, abs=1e-6)
