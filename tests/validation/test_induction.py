"""Induction machines: the equivalent circuit, published rated points and transients, and SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tellegen as tg
from tellegen.library import machines as ma
from tellegen.library import rotational as rot
from tellegen.library import thermal as th
from validation.ac_rigs import RATED_SPEED, ROOT2, SWITCH, fan, on_grid, turned, with_load
from validation.measured import relative, within

W1 = 100.0 * np.pi
CIRCUIT = "equivalent circuit"
COUPLING = np.sqrt(1.0 - 0.0667)
DEFAULT = {"Rs": 0.03, "Xs": 3 * (1 - COUPLING), "Xm": 3 * COUPLING, "Xr": 3 * (1 - COUPLING), "Rr": 0.04}


def circuit(volts: float, slip: Any, Rs: float, Xs: float, Xm: float, Xr: float, Rr: float) -> tuple[Any, Any]:
    """The T circuit at rated frequency: current of the stator (RMS, complex) and power across the air gap."""
    rotor = Rr / np.asarray(slip) + 1j * Xr
    gap = 1j * Xm * rotor / (1j * Xm + rotor)
    current = volts / (Rs + 1j * Xs + gap)
    return current, 3.0 * np.abs(current) ** 2 * gap.real


def henries(Rs: float, Xs: float, Xm: float, Xr: float, Rr: float, f: float = 50.0) -> dict[str, float]:
    """Reactances as parameters of a machine."""
    w = 2.0 * np.pi * f
    return {"Rs": Rs, "Lssigma": Xs / w, "Lm": Xm / w, "Lrsigma": Xr / w, "Rr": Rr, "fs_nominal": f}


@pytest.mark.parametrize("slip", [1.0, 0.3, 0.0397, -0.05])
def test_torque_at_a_held_speed(slip: float) -> None:
    """On the grid, after the transient has gone; at standstill the flux decays with 0.54 s, turning much faster."""
    shaft = rot.ConstantSpeed(w_fixed=(1.0 - slip) * W1 / 2.0)
    stop = 10.0 if slip == 1.0 else 1.0
    s = tg.simulate(on_grid(ma.IM_SquirrelCage(), 100.0, shaft=shaft), stop, rtol=1e-9, atol=1e-9)
    current, gap = circuit(100.0, slip, **DEFAULT)
    settled = s.time > 0.95 * stop
    torque = s["motor.tau_electrical"][settled]
    within("Induction machine, torque at a held speed", relative(torque, gap / (W1 / 2)), 1e-6, CIRCUIT)
    length = np.hypot(s["motor.i_d"], s["motor.i_q"])[settled]
    within("Induction machine, current at a held speed", relative(length, ROOT2 * abs(current)), 1e-6, CIRCUIT)


def held(load: float, **values: Any) -> Any:
    """The machine in d and q, in the frame of the grid, at rest in operation under a load."""
    motor = ma.IM_SquirrelCageDQ(**values)
    at = {"w": 0.97 * W1 / 2.0, "i_d": 10.0, "i_q": -80.0, "psi_q": -0.4, "psi_qr": -0.4}
    return tg.steady_state(motor, parameters={"v_d": ROOT2 * 100.0, "v_q": 0.0, "tau_load": load}, initial=at)


def test_torque_over_speed_as_points_of_rest() -> None:
    """`tg.steady_state` of the dq machine gives speed and current for each load, as a motor and as a generator."""
    for load in (-150.0, 0.001, 60.0, 161.4, 250.0):
        rest = held(load)
        current, gap = circuit(100.0, 1.0 - rest["w"] * 2.0 / W1, **DEFAULT)
        within("Induction machine in d and q, torque at rest", load - gap / (W1 / 2.0), 1e-6, f"{CIRCUIT}, N m")
        found = (rest["i_d"] + 1j * rest["i_q"]) / ROOT2
        within("Induction machine in d and q, current at rest", abs(found - current), 1e-6, f"{CIRCUIT}, A")


def test_kloss() -> None:
    """Without stator resistance the curve is Kloss's: tau/tau_max = 2/(s/s_max + s_max/s)."""
    Xs, Xm, Xr, Rr = (DEFAULT[name] for name in ("Xs", "Xm", "Xr", "Rr"))
    source, volts = Xm * Xs / (Xm + Xs) + Xr, 100.0 * Xm / (Xm + Xs)  # Thevenin, seen from the rotor
    most, pull_out = 3.0 * volts**2 / (2.0 * source) / (W1 / 2.0), Rr / source
    for load in (10.0, 100.0, 250.0):
        rest = held(load, Rs=0.0)
        slip = 1.0 - rest["w"] * 2.0 / W1
        torque = 2.0 * most / (slip / pull_out + pull_out / slip)
        within("Induction machine without stator resistance", relative(load, torque), 1e-9, "Kloss's formula")


def test_rated_point_of_the_defaults() -> None:
    """Published with the Modelica Standard Library: 161.4 N m, 100 A, 24.346 kW, efficiency and power factor."""
    s = tg.simulate(on_grid(ma.IM_SquirrelCage(), 100.0, shaft=rot.ConstantSpeed(w_fixed=RATED_SPEED)), 1.0, rtol=1e-8)
    v = s["motor.v_d"][-1] + 1j * s["motor.v_q"][-1]
    i = s["motor.i_d"][-1] + 1j * s["motor.i_q"][-1]
    apparent, torque = 1.5 * v * np.conj(i), s["motor.tau_shaft"][-1]
    within("Default induction machine, rated torque", torque - 161.4, 0.05, "published, N m, to its digits")
    within("Default induction machine, rated current", abs(i) / ROOT2 - 100.0, 0.05, "published, A, to its digits")
    within("Default induction machine, rated power", torque * RATED_SPEED - 24346.0, 5.0, "published, W; 161.4 N m")
    within(
        "Default induction machine, power factor",
        apparent.real / abs(apparent) - 0.875,
        1e-3,
        "published, to its digits",
    )
    efficiency = torque * RATED_SPEED / apparent.real
    within("Default induction machine, efficiency", efficiency - 0.927, 1e-3, "published, to its digits")


PUBLISHED = [  # t after switching on, i_d and i_q of the stator and of the rotor in axes of the rotor, angle, speed
    (0.03205, 304.448640, 588.077785, -263.226624, -562.169084, 0.16295520, 8.36569586),
    (0.0375, -577.673042, 193.633125, 584.050323, -170.085417, 0.22211751, 13.27267300),
    (0.235, 261.146192, 565.284938, -239.230577, -552.593712, 6.99078859, 63.31262991),
    (0.2375, -24.289916, 636.893458, 37.598054, -615.540568, 7.15026615, 64.26717642),
    (1.4, -71.567803, -121.978806, 26.564857, 126.762777, 173.06212333, 150.84377780),
]


def test_direct_start_against_published_transients() -> None:
    """IMC_DOL of the Modelica Standard Library, from its published reference results (Modelica Association).

    The machine in delta on 100 V between lines, with the load of `fan` and 0.29 kg m2, behind a switch of 1e-5 ohm
    that closes at 0.1 s there.
    """
    rig = with_load(on_grid(ma.IM_SquirrelCage(), 100.0 / np.sqrt(3.0), box="D", R=SWITCH), fan(), 0.29)
    s = tg.simulate(rig, 1.4, rtol=1e-9, atol=1e-9, points=28001)
    table = np.array(PUBLISHED)
    at = s.at(table[:, 0])
    stator = turned(at, "motor.i_d", "motor.i_q", 2.0 * at["motor.phi"])
    rotor = turned(at, "motor.i_dr", "motor.i_qr", 2.0 * at["motor.phi"])
    against = "published reference results, relative to the largest value"
    peak = np.hypot(s["motor.i_d"], s["motor.i_q"]).max()
    within("Direct start, stator current", abs(stator - table[:, 1] - 1j * table[:, 2]) / peak, 1e-5, against)
    within("Direct start, rotor current", abs(rotor - table[:, 3] - 1j * table[:, 4]) / peak, 1e-5, against)
    within("Direct start, speed", (at["motor.w"] - table[:, 6]) / 157.0, 1e-6, against)
    within("Direct start, angle", (at["motor.phi"] - table[:, 5]) / 173.0, 1e-6, against)


KRAUSE = {  # hp: V between lines; rs, Xls, XM, Xlr, rr in ohm at 60 Hz; kg m2
    3: (220.0, (0.435, 0.754, 26.13, 0.754, 0.816), 0.089),
    50: (460.0, (0.087, 0.302, 13.08, 0.302, 0.228), 1.662),
    500: (2300.0, (0.262, 1.206, 54.02, 1.206, 0.187), 11.06),
    2250: (2300.0, (0.029, 0.226, 13.04, 0.226, 0.022), 63.87),
}


def free_acceleration(volts: float, ohms: Any, J: float, times: Any) -> Any:
    """Speed and torque of a machine of four poles from rest, by SciPy in the synchronous frame.

    In flux linkages per second, psi = w_b lambda, as P. C. Krause, O. Wasynczuk and S. D. Sudhoff write the equations
    in Analysis of Electric Machinery.
    """
    (rs, xls, xm, xlr, rr), w_b = ohms, 120.0 * np.pi
    x_aq = 1.0 / (1.0 / xm + 1.0 / xls + 1.0 / xlr)

    def gap(psi_s: complex, psi_r: complex) -> tuple[complex, complex, float]:
        psi_m = x_aq * (psi_s / xls + psi_r / xlr)
        i_s, i_r = (psi_s - psi_m) / xls, (psi_r - psi_m) / xlr
        return i_s, i_r, 1.5 * 2.0 / w_b * (np.conj(psi_s) * i_s).imag

    def slopes(_t: float, y: Any) -> list[float]:
        psi_s, psi_r, w_r = complex(y[0], y[1]), complex(y[2], y[3]), y[4]
        i_s, i_r, torque = gap(psi_s, psi_r)
        d_s = w_b * (ROOT2 * volts / np.sqrt(3.0) - rs * i_s) - 1j * w_b * psi_s
        d_r = -w_b * rr * i_r - 1j * (w_b - w_r) * psi_r
        return [d_s.real, d_s.imag, d_r.real, d_r.imag, 2.0 * torque / J]

    y = solve_ivp(slopes, (0.0, times[-1]), [0.0] * 5, t_eval=times, rtol=1e-10, atol=1e-8, method="DOP853").y
    return y[4] / 2.0, np.array([gap(complex(a, b), complex(c, d))[2] for a, b, c, d in y[:4].T])


@pytest.mark.parametrize("hp", KRAUSE)
def test_four_machines_of_a_textbook(hp: int) -> None:
    """Free acceleration of the machines of that book, as SciPy integrates the equations in its form."""
    volts, ohms, J = KRAUSE[hp]
    names = dict(zip(("Rs", "Xs", "Xm", "Xr", "Rr"), ohms, strict=True))
    motor = ma.IM_SquirrelCage(**henries(**names, f=60.0), Jr=J)
    s = tg.simulate(on_grid(motor, volts / np.sqrt(3.0), f=60.0), 0.5, rtol=1e-9, atol=1e-9)
    speed, moment = free_acceleration(volts, ohms, J, s.time)
    within(f"{hp} hp machine, free acceleration, speed", (s["motor.w"] - speed) / 188.5, 1e-6, "SciPy, of synchronous")
    scale = abs(moment).max()
    within(f"{hp} hp machine, torque", (s["motor.tau_electrical"] - moment) / scale, 1e-6, "SciPy, of its peak")


def test_losses_of_a_standard_motor() -> None:
    """18.5 kW, 400 V in delta, warm and under its rated torque: loss by loss as published with the Modelica Standard
    Library (IMC_withLosses).

    There the core is behind the leakage of the stator and here before it; G_core makes the published 410 W at the
    388.5 V that are induced. The published figures are those of the machine, while its parameters are given in two or
    three digits: hence 1 %.
    """
    losses = {"alpha_s": 0.00393, "alpha_r": 0.00403, "G_core": 410.0 / 3.0 / 388.5**2, "T_ref": 293.15}
    w = 1462.5 * np.pi / 30.0
    more = {"d": 180.0 / w**2, "P_stray": 102.22, "Is_nominal": 32.85 / np.sqrt(3.0), "w_nominal": w}
    motor = ma.IM_SquirrelCage(
        **henries(0.56, 1.52, 66.4, 2.31, 0.42), **losses, **more, Jr=0.12, use_heat_port=True, core_losses=True
    )
    rig = on_grid(motor, 400.0 / np.sqrt(3.0), box="D", shaft=rot.ConstantTorque(tau_constant=-120.79))
    rig.add(oven=th.FixedTemperature(T=363.15))
    rig.connect(rig.oven.port, motor.heat_port, motor.heat_port_r, motor.heat_port_frame)
    s = tg.simulate(rig, 2.0, rtol=1e-8, initial={"motor.w": w})
    settled = s.time > 1.9

    def mean(name: str) -> float:
        return float(np.mean(s[f"motor.{name}"][settled]))

    v, i = (s[f"motor.{x}_d"] + 1j * s[f"motor.{x}_q"] for x in "vi")
    power = np.mean((1.5 * v * np.conj(i))[settled])
    line = np.mean(abs(i)[settled]) * np.sqrt(1.5)
    output = mean("w") * mean("tau_shaft")
    frame = 410.0 + 180.0 + 102.22
    published = "published, relative"
    within("18.5 kW motor, speed", relative(mean("w"), w), 1e-3, published)
    within("18.5 kW motor, line current", relative(line, 32.85), 0.01, published)
    within("18.5 kW motor, power factor", power.real / abs(power) - 0.898, 2e-3, "published")
    within("18.5 kW motor, input", relative(power.real, 20443.95), 0.01, published)
    within("18.5 kW motor, efficiency", output / power.real - 0.9049, 2e-3, "published")
    within("18.5 kW motor, stator winding", relative(-mean("heat_port.Q_flow"), 770.13), 0.01, published)
    within("18.5 kW motor, cage", relative(-mean("heat_port_r.Q_flow"), 481.6), 0.02, published)
    within(
        "18.5 kW motor, core, friction, stray load", relative(-mean("heat_port_frame.Q_flow"), frame), 0.01, published
    )
    heat = sum(mean(f"heat_port{which}.Q_flow") for which in ("", "_r", "_frame"))
    within("18.5 kW motor, output and losses", relative(output - heat, power.real), 1e-6, "input")
