"""Synchronous machines: open circuit, short circuit, load angle, published points and transients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import polyphase as pp
from tellegen.library import rotational as rot
from validation.ac_rigs import ROOT2, SWITCH, on_grid, with_load
from validation.measured import relative, within

CLOSED = "closed-form solution"
W1 = 100.0 * np.pi


def turned_with(machine: Any, w: float, shorted: bool = False) -> tg.System:
    """A machine at a constant speed with open terminals, or with all of them at one point."""
    s = tg.System("rig")
    s.add(motor=machine, shaft=rot.ConstantSpeed(w_fixed=w), star=pp.Star(), ground=el.Ground())
    s.connect(machine.flange, s.shaft.flange)
    s.connect(machine.plug_sn, s.star.plug_p)
    s.connect(s.star.pin_n, s.ground.p)
    if shorted:
        s.add(short=pp.Star())
        s.connect(machine.plug_sp, s.short.plug_p)
        s.connect(s.short.pin_n, s.ground.p)
    return s


@pytest.mark.parametrize("damper", [True, False])
def test_open_circuit(damper: bool) -> None:
    """The magnets induce sqrt(2) 112.3 V at 1500 rpm; at phi = 0 they lie in phase a, so its voltage is -V sin(w t)."""
    s = tg.simulate(turned_with(ma.SM_PermanentMagnet(use_damper_cage=damper), W1 / 2.0), 0.1, rtol=1e-9)
    expected = [-ROOT2 * 112.3 * np.sin(W1 * s.time - shift) for shift in (0.0, 2 * np.pi / 3, 4 * np.pi / 3)]
    error = s["motor.plug_sp.v"] - np.transpose(expected)
    within("Permanent magnets, open-circuit voltages", error / 158.8, 1e-8, CLOSED)


def test_rated_point_of_the_defaults() -> None:
    """I_d, I_q = -53.5 A, 84.6 A (RMS): 181.4 N m at 100 V, published with the Modelica Standard Library."""
    machine = ma.SM_PermanentMagnet(use_damper_cage=False)
    s = turned_with(machine, W1 / 2.0)
    s.add(source=pp.SignalCurrent(), joint=pp.Star())
    angle = [2.0 * s.motor.phi - shift for shift in (0.0, 2 * np.pi / 3, 4 * np.pi / 3)]
    s.equation(s.source.u == [ROOT2 * (53.5 * tg.cos(x) + 84.6 * tg.sin(x)) for x in angle])  # out of the machine
    s.connect(s.source.plug_p, machine.plug_sp)
    s.connect(s.source.plug_n, s.joint.plug_p)
    s.connect(s.joint.pin_n, s.ground.p)
    run = tg.simulate(s, 0.1)
    within("Default permanent-magnet machine, current in d", run["motor.i_d"] / ROOT2 + 53.5, 1e-9, "given, A")
    within("Default permanent-magnet machine, torque", run["motor.tau_electrical"] - 181.4, 0.1, "published, N m")
    volts = np.hypot(run["motor.v_d"], run["motor.v_q"]) / ROOT2
    within(
        "Default permanent-magnet machine, voltage", volts - 100.0, 0.15, "published, V, to the digits of the currents"
    )


# -- load angle -------------------------------------------------------------------------------------------------------

SALIENT: dict[str, Any] = {"Lmd": 1.5 / W1, "Lmq": 0.9 / W1, "Lssigma": 0.1 / W1, "Rs": 0.0}


@pytest.mark.parametrize("ie", [0.0, 6.0, 19.0])
def test_torque_over_load_angle(ie: float) -> None:
    """P = 3 (E V/Xd sin(delta) + V^2/2 (1/Xq - 1/Xd) sin(2 delta)) with Xd = 1.6, Xq = 1.0, E = 10 V ie, V = 100 V.

    At rest under this torque the machine in d and q turns at the synchronous speed, and at no other.
    """
    for delta in np.radians([-60.0, -20.0, 15.0, 45.0]):
        power = 3.0 * (
            10.0 * ie * 100.0 / 1.6 * np.sin(delta) + 0.5 * 100.0**2 * (1.0 - 1.0 / 1.6) * np.sin(2.0 * delta)
        )
        s = tg.System("grid")
        s.add(motor=ma.SM_ElectricalExcitedDQ(**SALIENT), source=el.ConstantCurrent(I=-ie), ground=el.Ground())
        s.connect(s.source.p, s.motor.pin_ep)
        s.connect(s.source.n, s.motor.pin_en, s.ground.p)
        s.equation(s.motor.v_d == -ROOT2 * 100.0 * np.sin(delta))
        s.equation(s.motor.v_q == ROOT2 * 100.0 * np.cos(delta))
        s.equation(s.motor.tau_load == power / (W1 / 2.0))
        currents = ROOT2 * (100.0 * np.cos(delta) - 10.0 * ie) / 1.6, ROOT2 * 100.0 * np.sin(delta)
        guess = {"motor.w": 1.02 * W1 / 2.0, "motor.i_d": currents[0], "motor.i_q": currents[1]}
        rest = tg.steady_state(s, initial=guess)
        within(
            "Salient machine, speed under its torque",
            relative(rest["motor.w"], W1 / 2.0),
            1e-8,
            "power over load angle",
        )


# -- short circuit ----------------------------------------------------------------------------------------------------

WG = 120.0 * np.pi
KUNDUR = {"Xl": 0.15, "Xmd": 1.66, "Xmq": 1.61, "Xf": 0.165, "Rf": 0.0006, "X1d": 0.1713, "R1d": 0.0284}
"""The generator of P. Kundur, Power System Stability and Control, example 3.2, in per unit = ohm; one damper in q."""


def generator(scale: float) -> Any:
    """1000 V per phase at 60 Hz with 500 A of excitation; all resistances multiplied by `scale`."""
    c = KUNDUR
    k = ROOT2 * 1000.0 / (c["Xmd"] * 500.0)
    return ma.SM_ElectricalExcited(
        p=1,
        fs_nominal=60.0,
        Vs_nominal=1000.0,
        Ie_open_circuit=500.0,
        Rs=0.003 * scale,
        Lssigma=c["Xl"] / WG,
        Lmd=c["Xmd"] / WG,
        Lmq=c["Xmq"] / WG,
        Lrsigmad=c["X1d"] / WG,
        Rrd=c["R1d"] * scale,
        Lrsigmaq=0.125 / WG,
        Rrq=0.02368 * scale,
        Re=1.5 * k**2 * c["Rf"] * scale,
        Lesigma=1.5 * k**2 * c["Xf"] / WG,
    )


def parallel(*x: float) -> float:
    return 1.0 / sum(1.0 / one for one in x)


def constants() -> dict[str, float]:
    """Transient and subtransient reactances and time constants, by the usual formulas."""
    c = KUNDUR
    xd, xd1 = c["Xl"] + c["Xmd"], c["Xl"] + parallel(c["Xmd"], c["Xf"])
    xd2, xq2 = c["Xl"] + parallel(c["Xmd"], c["Xf"], c["X1d"]), c["Xl"] + parallel(c["Xmq"], 0.125)
    td01 = (c["Xmd"] + c["Xf"]) / c["Rf"] / WG
    td02 = (c["X1d"] + parallel(c["Xmd"], c["Xf"])) / c["R1d"] / WG
    return {
        "xd": xd,
        "xd1": xd1,
        "xd2": xd2,
        "xq2": xq2,
        "td01": td01,
        "td02": td02,
        "td1": td01 * xd1 / xd,
        "td2": td02 * xd2 / xd1,
        "ta": 2.0 * parallel(xd2, xq2) / 0.003 / WG,
    }


def classical(t: Any, scale: float) -> Any:
    """The current of phase a after a short circuit of all phases in open circuit, flux in phase a at t = 0."""
    c = constants()
    slow = np.exp(-scale * t / c["td1"]) * (1 / c["xd1"] - 1 / c["xd"])
    fast = np.exp(-scale * t / c["td2"]) * (1 / c["xd2"] - 1 / c["xd1"])
    direct = 0.5 * np.exp(-scale * t / c["ta"])
    mean, second = (1 / c["xd2"] + 1 / c["xq2"]), (1 / c["xd2"] - 1 / c["xq2"])
    alternating = (1 / c["xd"] + slow + fast) * np.cos(WG * t)
    return -ROOT2 * 1000.0 * (alternating - direct * (mean + second * np.cos(2 * WG * t)))


def short_circuit(scale: float, stop: float) -> Any:
    machine = generator(scale)
    s = turned_with(machine, WG, shorted=True)
    s.add(exciter=el.ConstantVoltage(V=500.0 * 1.5 * (ROOT2 / 0.83) ** 2 * 0.0006 * scale))
    s.connect(s.exciter.p, machine.pin_ep)
    s.connect(s.exciter.n, machine.pin_en, s.ground.p)
    psi, k = ROOT2 * 1000.0 / WG, ROOT2 * 1000.0 / (KUNDUR["Xmd"] * 500.0)
    psi_e = 1.5 * k * psi + 1.5 * k**2 * KUNDUR["Xf"] / WG * 500.0
    start = {"motor.psi_d": psi, "motor.psi_dr": psi, "motor.psi_e": psi_e}
    return tg.simulate(s, stop, rtol=1e-9, atol=1e-9, points=4001, initial=start)


def test_short_circuit_by_the_classical_formula() -> None:
    """The formula leaves out products of resistances: it is good to some per cent, and ten times better if all
    resistances are a tenth. Time is counted in their time constants, so that all of the decay is compared."""
    c = constants()
    standard = [c["xd1"], c["xd2"], c["td01"], c["td02"]]
    within("Generator, standard parameters", relative(standard, [0.3, 0.23, 8.0, 0.03]), 0.02, "book, to its digits")
    errors = []
    for scale in (1.0, 0.1):
        run = short_circuit(scale, 0.5 / scale if scale == 1.0 else 1.0)
        begin = [run["motor.i_d"][0], run["motor.ie"][0] - 500.0]
        within("Short circuit, currents before it", begin, 1e-6, "open circuit, A")
        phase = run["motor.plug_sp.i"][:, 0]
        errors.append(abs(phase - classical(run.time, scale)).max() / abs(phase).max())
    within("Short circuit, phase current", errors[0], 0.04, "classical formula, of the peak")
    within("Short circuit, resistances a tenth", errors[1], 0.004, "classical formula, of the peak")


def test_short_circuit_settles() -> None:
    """In the end the current is sqrt(2) E/Xd in d, up to (Rs/Xd)^2, and the excitation current is what it was."""
    run = short_circuit(1.0, 20.0)
    x, xq = constants()["xd"], KUNDUR["Xl"] + KUNDUR["Xmq"]
    steady = -ROOT2 * 1000.0 * xq / (x * xq + 0.003**2)
    within("Sustained short circuit", relative(run["motor.i_d"][-1], steady), 1e-3, "E/Xd; 8 s are T'do")
    within("Sustained short circuit, excitation", relative(run["motor.ie"][-1], 500.0), 5e-3, CLOSED)


# -- a start that was published ---------------------------------------------------------------------------------------

SMR_DOL = [  # t after switching on, angle, speed, i_d and i_q of stator and of damper
    (0.05, 0.204809043, 6.857974293, 496.822479, -21.952816, -474.093775, -6.895744),
    (0.3, 6.844746811, 48.183591585, -404.423742, 277.590826, 402.879865, -243.628706),
    (1.0, 91.029841314, 158.332511473, -30.248115, 0.408333, 3.457714, -15.268624),
    (1.5, 169.539184014, 155.553516151, -22.350964, -33.608491, -4.044016, 17.381258),
    (2.4, 310.704958642, 157.074973959, -21.544125, -48.489171, -0.036837, 0.045912),
]


def test_start_of_a_reluctance_machine() -> None:
    """SMR_DOL of the Modelica Standard Library, from its published reference results (Modelica Association).

    In star on 100 V between lines; it pulls into step after 0.8 s, and is loaded by 20 N m at 1.4 s.
    """
    load = rot.TorqueStep(step_torque=-20.0, start_time=1.4)
    rig = with_load(on_grid(ma.SM_ReluctanceRotor(), 100.0 / np.sqrt(3.0), R=SWITCH), load, 0.29)
    s = tg.simulate(rig, 2.4, rtol=1e-9, atol=1e-9, points=2401)
    table = np.array(SMR_DOL)
    at = s.at(table[:, 0])
    against = "published reference results, relative to the largest value"
    for k, name in ((3, "i_d"), (4, "i_q"), (5, "i_dr"), (6, "i_qr")):
        within(f"Start of a reluctance machine, {name}", (at[f"motor.{name}"] - table[:, k]) / 500.0, 2e-5, against)
    within("Start of a reluctance machine, speed", (at["motor.w"] - table[:, 2]) / 157.0, 2e-6, against)
    within("Start of a reluctance machine, angle", (at["motor.phi"] - table[:, 1]) / 311.0, 2e-7, against)
