"""A diode across a capacitor without charge: its condition is zero up to roundings, which must not limit the steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el


def network(seed: int) -> Any:
    """A sine source feeds the pair through resistors of random values."""
    random = np.random.default_rng(seed)
    r = random.uniform(0.5, 12.0, 4)
    voltage = random.uniform(2.0, 9.0)
    model = tg.System("net")
    model.add(
        v=el.SineVoltage(V=voltage, f=random.uniform(0.5, 3.0), phase=random.uniform(0.0, 6.0)),
        rs=el.Resistor(R=r[0]),
        r1=el.Resistor(R=r[1]),
        r2=el.Resistor(R=r[2]),
        r3=el.Resistor(R=r[3]),
        c=el.Capacitor(C=random.uniform(0.02, 0.2), v=tg.variable(start=0.0, fixed=True)),
        d=el.IdealDiode(Ron=random.uniform(0.01, 0.1), Goff=random.uniform(1e-5, 1e-4)),
        g=el.Ground(),
    )
    model.connect(model.v.p, model.r1.p)
    model.connect(model.v.n, model.rs.p)
    model.connect(model.rs.n, model.r3.p, model.c.p, model.d.p)
    model.connect(model.c.n, model.d.n, model.r2.p)
    model.connect(model.r1.n, model.r2.n, model.r3.n, model.g.p)
    return tg.compile(model)


@pytest.mark.parametrize("seed", range(5))
def test_a_diode_across_a_capacitor_without_charge(seed: int) -> None:
    """Solvers agree to 1e-4 of the largest voltage; before, steps were 1e-7 of the run."""
    compiled = network(seed)
    curves = {}
    for solver in ("rk45", "cvode", "rodas"):
        solution = compiled.simulate(3.0, solver=solver, points=61, max_steps=5000)
        assert solution.stats["steps"] < 5000
        curves[solver] = solution["c.v"]
    size = np.abs(curves["rk45"]).max()
    np.testing.assert_allclose(curves["cvode"], curves["rk45"], atol=1e-4 * size)
    np.testing.assert_allclose(curves["rodas"], curves["rk45"], atol=1e-4 * size)
