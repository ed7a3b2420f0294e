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

  model Clamp "a brake whose normal force is zero at first; it is free until there is one"
    parameter Real limit = 1;
    Flange flange;
    Real w;
    Real a;
    Real s;
    Real force = limit*time;
    Boolean free = force <= 0;
    Boolean forward(start=false);
    Boolean backward(start=false);
    Boolean locked(start=false);
    Integer mode(start=3, fixed=true);
  equation
    w = der(flange.phi);
    a = der(w);
    forward = pre(mode) == 0 and s > force or initial() and w > 0;
    backward = pre(mode) == 0 and s < -force or initial() and w < 0;
    locked = not free and not (pre(mode) == 1 or forward or pre(mode) == -1 or backward);
    a = if locked then 0 else if free then s else if forward or pre(mode) == 1 then s - force else s + force;
    flange.tau = if locked then s else if free then 0 else if forward or pre(mode) == 1 then force else -force;
    mode = if free then 2 else if (pre(mode) == 1 or pre(mode) == 2 or forward) and w > 0 then 1
      else if (pre(mode) == -1 or pre(mode) == 2 or backward) and w < 0 then -1 else 0;
  end Clamp;

  model Clamped
    parameter Integer n = 3;
    parameter Real limit[n] = fill(1, n);
    parameter Real w0 = 0.7;
    Inertia inertia(flange(phi(start=0, fixed=true)), w(start=w0));
    Clamp brake[n](limit=limit);
  equation
    for i in 1:n loop
      connect(inertia.flange, brake[i].flange);
    end for;
  end Clamped;

  model Open "from 0.5 s on two equations say the same about two accelerations"
    Real v(start=0, fixed=true), w(start=0, fixed=true);
    Boolean same = time > 0.5;
    Real x(start=1, fixed=true) = 1 + time;
    Boolean event = x > 1.2;
  equation
    0 = if same then der(v) + der(w) else der(v) - 1;
    0 = if same then 2*der(v) + 2*der(w) else der(w) + 1;
  end Open;

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
def brakes(tmp_path_factory: pytest.TempPathFactory) -> tg.ModelicaLibrary:
    path = tmp_path_factory.mktemp("brakes") / "Brakes.mo"
    path.write_text(BRAKES)
    return tg.load_modelica(path)


@pytest.fixture(scope="module")
def shaft(brakes: tg.ModelicaLibrary) -> tg.ModelicaClass:
    return brakes["Brakes.Shaft"]


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


@pytest.mark.parametrize(("kind", "seed"), [("Shaft", 0), ("Shaft", 1), ("Clamped", 0), ("Clamped", 2)])
def test_three_brakes_move_a_shaft_as_one_does(brakes: tg.ModelicaLibrary, kind: str, seed: int) -> None:
    """Which of those that hold has the load is not determined: a warning says so. The motion is, to rounding."""
    chance = np.random.default_rng(seed)
    limits = chance.uniform(0.3, 1.5, 3)
    load = {"u": float(1.6 * limits.sum()), "omega": float(chance.uniform(3.0, 6.0))}
    several, single = (
        brakes[f"Brakes.{kind}"].modified(n=len(given), limit=given, inertia=load)
        for given in (limits.tolist(), [float(limits.sum())])
    )
    settings = {"stop": 3.0, "points": 61, "rtol": 1e-7}
    with pytest.warns(UserWarning, match=r"share its load.* follows from them: .*brake\[[12]\]\.s"):
        found = tg.simulate(several, **settings)
    expected = tg.simulate(single, **settings)
    assert 5 < np.count_nonzero(np.isclose(expected["inertia.w"], 0.0, atol=1e-9)) < 55
    times = np.linspace(0.0, 3.0, 61)
    curves = [np.interp(times, solution.time, solution["inertia.w"]) for solution in (found, expected)]
    np.testing.assert_allclose(curves[0], curves[1], atol=2e-5)


def test_rates_that_nothing_determines_end_a_run(brakes: tg.ModelicaLibrary) -> None:
    with pytest.raises(tg.RunFailedError, match=r"E310.*t = 0\.5"):
        tg.simulate(brakes["Brakes.Open"], stop=1.0)
