"""Brakes that stop a shaft together: one holds the shaft, which moves as with a single brake of both torques."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg

BRAKES = """
package Brakes
  connector Flange
    Real phi;
    flow Real tau;
  end Flange;

  model Brake "Coulomb friction with a stuck phase, as the standard library writes it"
    parameter Real limit = 1;
    Flange flange;
    Real w(start=1);
    Real a;
    Real s;
    Boolean forward(start=false);
    Boolean backward(start=false);
    Boolean locked(start=false);
    Integer mode(start=3, fixed=true) "-1 backward, 0 stuck, 1 forward, 3 not known";
  equation
    w = der(flange.phi);
    a = der(w);
    forward = pre(mode) == 0 and s > limit or initial() and w > 0;
    backward = pre(mode) == 0 and s < -limit or initial() and w < 0;
    locked = not (pre(mode) == 1 or forward or pre(mode) == -1 or backward);
    a = if locked then 0 else if forward or pre(mode) == 1 then s - limit else s + limit;
    flange.tau = if locked then s else if forward or pre(mode) == 1 then limit else -limit;
    mode = if (pre(mode) == 1 or pre(mode) == 3 or forward) and w > 0 then 1
      else if (pre(mode) == -1 or pre(mode) == 3 or backward) and w < 0 then -1 else 0;
  end Brake;

  model Inertia
    parameter Real u = 3;
    parameter Real omega = 5;
    Flange flange;
    Real w(start=1, fixed=true);
  equation
    w = der(flange.phi);
    2 * der(w) = u * sin(omega * time) + flange.tau;
  end Inertia;

  model Shaft
    parameter Integer n = 2;
    parameter Real limit[n] = fill(1, n);
    Inertia inertia(flange(phi(start=0, fixed=true)));
    Brake brake[n](limit=limit);
  equation
    for i in 1:n loop
      connect(inertia.flange, brake[i].flange);
    end for;
  end Shaft;
end Brakes;
"""


@pytest.fixture(scope="module")
def shaft(tmp_path_factory: pytest.TempPathFactory) -> tg.ModelicaClass:
    path = tmp_path_factory.mktemp("brakes") / "Brakes.mo"
    path.write_text(BRAKES)
    return tg.load_modelica(path)["Brakes.Shaft"]


@pytest.mark.parametrize("solver", ["rk45", "ida"])
@pytest.mark.parametrize("seed", range(3))
def test_two_brakes_on_one_shaft(shaft: tg.ModelicaClass, seed: int, solver: str) -> None:
    chance = np.random.default_rng(seed)
    limits = chance.uniform(0.3, 1.5, 2)
    load = {"u": float(1.6 * limits.sum()), "omega": float(chance.uniform(3.0, 6.0))}
    settings = {"stop": 4.0, "points": 81, "rtol": 1e-7, "solver": solver}
    several = tg.simulate(shaft.modified(n=2, limit=limits.tolist(), inertia=load), **settings)
    single = tg.simulate(shaft.modified(n=1, limit=[float(limits.sum())], inertia=load), **settings)
    stuck = np.isclose(single["inertia.w"], 0.0, atol=1e-9)
    assert 5 < np.count_nonzero(stuck) < len(stuck) - 5
    times = np.linspace(0.0, 4.0, 81)
    curves = [np.interp(times, solution.time, solution["inertia.w"]) for solution in (several, single)]
    np.testing.assert_allclose(curves[0], curves[1], atol=2e-5)
