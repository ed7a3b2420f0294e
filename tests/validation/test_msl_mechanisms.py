"""Rebuilt examples of the Modelica Standard Library against its published reference results (Modelica Association).

Samples are printed to six digits. The rule of those results is 0.002 of the range of a signal; runs of ours agree with
the whole curves to 5e-4 of it, except for the double pendulum, whose motion is chaotic: its samples end after 3 s.
benchmarks/msl_mechanisms.py compares the whole curves of all examples that have results.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from validation import msl_effects as effects
from validation import msl_engines as engines
from validation import msl_mechanisms as msl
from validation import msl_robot as robot


@dataclass(frozen=True)
class Curve:
    """Points of a reference curve, and the range that deviations are relative to."""

    path: str
    scale: float
    points: tuple[tuple[float, float], ...]


CURVES: dict[Any, list[Curve]] = {
    msl.Pendulum: [
        Curve("rev.phi", 2.877, ((0.999, -2.58388), (2.014, -1.63607), (3.003, -0.849212), (5.0, -1.67963))),
        Curve("rev.w", 10.8, ((0.996, 3.11273), (1.996, -4.29893), (2.989, 1.70566), (5.0, -2.31815))),
    ],
    msl.DoublePendulumInitTip: [
        Curve("revolute1.phi", 3.679, ((0.0, -0.300161), (0.998, -3.42044), (2.004, -0.433145), (2.999, -2.10566))),
        Curve("revolute2.phi", 15.66, ((0.0, 1.41011), (0.999, 1.48695), (1.997, 3.16772), (3.003, 12.4885))),
    ],
    msl.FreeBody: [
        Curve("body.frame_a.r_0[0]", 0.194, ((1.998, 0.199023), (6.004, 0.194711), (10.0, 0.196094))),
        Curve("body.frame_a.r_0[1]", 0.5078, ((2.002, -0.422251), (5.998, -0.441651), (10.0, -0.46257))),
        Curve("body.frame_a.r_0[2]", 0.1987, ((2.0, 0.0468301), (6.002, 0.0616444), (10.0, 0.0806099))),
    ],
    msl.SpringDamperSystem: [
        Curve("body1.frame_a.r_0[1]", 0.5535, ((2.006, -0.438308), (5.99, -0.426442), (10.0, -0.426901))),
        Curve("body1.frame_a.w[2]", 0.09368, ((2.002, 0.0426085), (6.0, 0.0238107), (10.0, -0.00301313))),
        Curve("p2.s", 0.6538, ((1.994, 0.451051), (5.998, 0.383116), (10.0, 0.493618))),
    ],
    msl.SpringMassSystem: [
        Curve("p1.s", 0.6538, ((1.003, 0.196699), (2.998, 0.674198), (5.0, 0.63309))),
        Curve("p2.s", 0.6538, ((1.003, 0.196699), (2.998, 0.674198), (5.0, 0.63309))),
    ],
    msl.PointGravityWithPointMasses: [
        Curve("body1.frame_a.r_0[0]", 0.7856, ((0.4032, 0.347094), (1.1976, -0.392422), (2.0, 0.22645))),
        Curve("body3.frame_a.r_0[1]", 0.9249, ((0.4016, 0.67732), (1.1988, -0.0678422), (2.0, 0.55514))),
        Curve("body4.frame_a.r_0[0]", 0.5172, ((0.428, 0.310646), (1.2, -0.16317), (2.0, -0.064838))),
    ],
    msl.PlanarFourbar: [
        Curve("revolute1.phi", 3.669, ((1.002, -1.79624), (1.996, -3.62434), (3.001, -1.94924), (5.0, -0.939783))),
        Curve("revolute1.w", 25.88, ((1.0, 12.4555), (1.969, -0.712609), (3.0, -12.3353), (5.0, 6.99349))),
    ],
    msl.FourbarAnalytic: [
        Curve("j1.phi", 40.24, ((1.012, 7.90167), (2.002, 16.5256), (3.008, 24.5395), (5.0, 40.2413))),
        Curve("j1.w", 6.764, ((0.993, 9.10383), (1.999, 10.5168), (2.997, 5.65388), (5.0, 11.634))),
    ],
    effects.GyroscopicEffects: [
        Curve("revolute.phi", 50.86, ((0.98, 4.82373), (1.99, 12.6125), (3.013, 30.2219), (5.0, 50.8636))),
        Curve("bodyCylinder2.frame_a.w[1]", 25.91, ((1.001, -8.6456), (1.998, -5.98363), (5.0, -6.62939))),
        Curve("bodyCylinder2.frame_a.w[2]", 25.3, ((1.001, -1.81877), (2.002, 7.12763), (5.0, 4.38795))),
        Curve("bodyCylinder3.frame_a.w[1]", 16.68, ((1.253, -2.86686), (2.499, -5.58354), (5, -7.9493))),
        Curve("rotor1D.phi", 50.86, ((1.276, 6.39717), (2.508, 21.3258), (5, 50.8636))),
    ],
    engines.SpringWithMass: [
        Curve(
            "body.frame_a.r_0[1]", 0.4129, ((1.004, -0.309014), (2.502, -0.65192), (3.997, -0.451074), (5.0, -0.51281))
        ),
        Curve("body.frame_a.v_0[1]", 2.462, ((1.008, 0.331449), (2.499, -0.888776), (3.997, 1.18568), (5.0, 1.23015))),
    ],
    engines.Engine1b: [
        Curve("inertia.phi", 41.03, ((0.1026, 4.15581), (0.2498, 14.0361), (0.4052, 29.4525), (0.5, 41.0302))),
        Curve("inertia.w", 127.1, ((0.1015, 59.4848), (0.2527, 87.2188), (0.4004, 116.726), (0.5, 137.089))),
    ],
    engines.EngineV6: [
        Curve("load.phi", 130.4, ((0.219776, 8.43934), (0.511868, 38.2175), (0.807192, 87.4017), (1.01, 130.433))),
        Curve("load.w", 218.2, ((0.206646, 63.1562), (0.508232, 135.095), (0.810222, 195.619), (1.01, 228.245))),
    ],
    effects.SphericalConstraint: [
        Curve("bodyOfConstraint.frame_a.w[1]", 4.823, ((2.498, 2.38209), (5.022, 0.708332), (10, -1.21424))),
        Curve("bodyOfConstraint.frame_a.w[2]", 1.999, ((2.498, 0.987028), (5.022, 0.293454), (10, -0.502993))),
    ],
    effects.MovingActuatedDrive: [
        Curve("revolute.w", 0.1591, ((0.27126, 0.090176), (0.54692, 0.155722), (1.1, 0.0151977))),
        Curve("rotor1D.w", 0.1591, ((0.27126, 0.090176), (0.54692, 0.155722), (1.1, 0.0151977))),
        Curve("r1.phi", 3.999, ((0.27698, 1.97954), (0.55352, -0.608217), (1.1, 1.13093))),
    ],
    effects.BevelGear1D: [
        Curve("inertia2.w", 1.12, ((0.1, 0.187967), (0.2012, 0.25487), (0.4, 0.649881))),
        Curve("revolute1.phi", 22.93, ((0.1004, 6.17036), (0.1994, 12.3598), (0.4, 21.7557))),
        Curve("revolute3.phi", 5.066, ((0.1002, -2.0764), (0.2, 1.15312), (0.4, -2.75144))),
    ],
    robot.FullRobot: [
        Curve("axis2.motor.La.i", 25.8, ((0.474, -1.31434), (0.936, 2.50857), (1.85605, 2.64817))),
        Curve("axis3.spring.phi_rel", 0.591, ((0.4728, 0.0407385), (0.9248, -0.0730122), (1.85605, -0.0544342))),
        Curve("axis6.PI.x", 16.78, ((0.474, -4.58025), (0.9164, -0.877412), (1.85605, -2.55885))),
        Curve("mechanics.r4.phi", 0.7879, ((0.5128, 0.287727), (0.9124, 0.542813), (1.85605, 0.784784))),
        Curve("mechanics.r6.w", 0.7517, ((0.4616, 0.634089), (0.896, 0.636083), (1.85605, 0.000314293))),
    ],
}
GUESSES: dict[Any, dict[str, Any]] = {engines.EngineV6: engines.V6_START}


@pytest.mark.parametrize("model", CURVES, ids=lambda cls: cls.__name__)
def test_published_curves(model: Any) -> None:
    curves = CURVES[model]
    times = sorted({t for curve in curves for t, _ in curve.points})
    solution = tg.simulate(model(), stop=times[-1], rtol=1e-7, initial=GUESSES.get(model)).at(times)
    for curve in curves:
        found = dict(zip(times, np.asarray(solution[curve.path]), strict=True))
        for t, expected in curve.points:
            assert found[t] == pytest.approx(expected, abs=0.002 * curve.scale), f"{curve.path} at {t}"
