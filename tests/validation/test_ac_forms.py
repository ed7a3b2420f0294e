"""AC machines in three phases and in d and q are the same machines; zero sequence, rotor circuits and eigenvalues."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import polyphase as pp
from tellegen.library import rotational as rot
from validation.ac_rigs import ROOT2, SWITCH, fan, on_grid, turned, with_load
from validation.measured import relative, within
from validation.test_induction import DEFAULT, circuit

W1 = 100.0 * np.pi
CLOSED = "closed-form solution"


def excited(rig: tg.System) -> None:
    """A voltage at the excitation, if there is one."""
    if hasattr(rig.motor, "pin_ep"):
        rig.add(exciter=el.ConstantVoltage(V=25.0), common=el.Ground())
        rig.connect(rig.exciter.p, rig.motor.pin_ep)
        rig.connect(rig.exciter.n, rig.motor.pin_en, rig.common.p)


PAIRS = [
    (ma.IM_SquirrelCage, ma.IM_SquirrelCageDQ),
    (ma.SM_PermanentMagnet, ma.SM_PermanentMagnetDQ),
    (ma.SM_ReluctanceRotor, ma.SM_ReluctanceRotorDQ),
    (ma.SM_ElectricalExcited, ma.SM_ElectricalExcitedDQ),
]


@pytest.mark.parametrize(("phases", "axes"), PAIRS, ids=lambda cls: cls.__name__)
def test_three_phases_and_dq_agree(phases: Any, axes: Any) -> None:
    """A start on the grid, with saliency where there is some: torque, speed and the length of the current."""
    values: dict[str, Any] = {"Lmq": 0.2 / W1} if axes is ma.SM_PermanentMagnetDQ else {}
    three, two = on_grid(phases(**values), 100.0), tg.System("dq")
    excited(three)
    motor = axes(**values)
    frame = 50.0 if axes is ma.IM_SquirrelCageDQ else None  # any frame will do for an induction machine
    two.add(motor=motor, turning=Turning())
    two.equation(two.turning.w == (frame if frame else 2.0 * motor.w))
    two.equation(motor.v_d == ROOT2 * 100.0 * tg.sin(W1 * tg.time - two.turning.gamma))
    two.equation(motor.v_q == -ROOT2 * 100.0 * tg.cos(W1 * tg.time - two.turning.gamma))
    if frame:
        two.equation(motor.w_frame == frame)
    excited(two)
    options = {"rtol": 1e-9, "atol": 1e-9, "points": 301}
    a, b = tg.simulate(three, 0.3, **options), tg.simulate(two, 0.3, **options)
    name = phases.__name__
    torque = a["motor.tau_electrical"]
    within(
        f"{name}, three phases and dq, torque",
        (torque - b["motor.tau_electrical"]) / abs(torque).max(),
        1e-6,
        "each other",
    )
    within(f"{name}, three phases and dq, speed", (a["motor.w"] - b["motor.w"]) / 157.0, 1e-6, "each other")
    lengths = [np.hypot(x["motor.i_d"], x["motor.i_q"]) for x in (a, b)]
    within(f"{name}, three phases and dq, current", (lengths[0] - lengths[1]) / lengths[0].max(), 1e-6, "each other")


class Turning(tg.Component):
    """The angle of axes that turn with w."""

    w = tg.input("rad/s")
    gamma = tg.variable("rad", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.gamma) == self.w


def test_zero_sequence() -> None:
    """With the neutral connected, three equal voltages drive i_0 through Rs and Lszero, and no torque."""
    motor = ma.IM_SquirrelCage(Lszero=2e-4)
    rig = on_grid(motor, 10.0 / ROOT2)
    rig.grid.phase = [0.0, 2 * np.pi / 3, 4 * np.pi / 3]  # takes the shift between phases away
    rig.connect(rig.box.pin_n, rig.ground.p)
    s = tg.simulate(rig, 0.2, rtol=1e-9, atol=1e-9)
    R, X = 0.03, W1 * 2e-4
    swing = 10.0 / (R**2 + X**2) * (R * np.sin(W1 * s.time) - X * np.cos(W1 * s.time) + X * np.exp(-R / 2e-4 * s.time))
    within("Zero sequence, current", (s["motor.i_0"] - swing) / abs(swing).max(), 1e-7, CLOSED)
    within("Zero sequence, torque", s["motor.tau_electrical"], 1e-9, "none, N m")


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_resistors_at_slip_rings(ratio: float) -> None:
    """They count with the square of the ratio of turns: torque at standstill by the equivalent circuit.

    Rr and Lrsigma are those of the rotor winding, so they are divided by that square for the same machine.
    """
    X = DEFAULT["Xr"] / W1
    motor = ma.IM_SlipRing(turns_ratio=ratio, Rr=0.04 / ratio**2, Lrsigma=X / ratio**2)
    rig = on_grid(motor, 100.0, shaft=rot.ConstantSpeed(w_fixed=20.0))
    rig.add(rheostat=pp.Resistor(R=0.16 / ratio**2), rings=pp.Star(), ends=pp.Star())
    rig.connect(motor.plug_rp, rig.rheostat.plug_p)
    rig.connect(rig.rheostat.plug_n, rig.rings.plug_p)
    rig.connect(motor.plug_rn, rig.ends.plug_p)
    rig.connect(rig.rings.pin_n, rig.ends.pin_n, rig.ground.p)
    s = tg.simulate(rig, 10.0, rtol=1e-9, atol=1e-9)
    slip = 1.0 - 20.0 / (W1 / 2.0)
    _, gap = circuit(100.0, slip, **{**DEFAULT, "Rr": 0.2})
    torque = s["motor.tau_electrical"][s.time > 9.9]
    within("Slip rings with resistors, torque", relative(torque, gap / (W1 / 2.0)), 1e-5, "equivalent circuit")


IMS_START = [  # t after switching on, i_d and i_q of stator and of rotor in axes of the rotor, angle, speed
    (0.3875, 137.313837, 5.491495, -114.498771, -44.919387, 31.775631668, 127.859310919),
    (0.39, 130.812023, 24.078539, -102.526054, -60.126788, 32.095473040, 128.010733726),
    (0.393, 120.031331, 47.428665, -86.175766, -78.331765, 32.479753414, 128.173970411),
]


def test_start_with_resistors_at_slip_rings() -> None:
    """AIMS_Start of the Modelica Standard Library, from its published reference results (Modelica Association).

    In delta on 100 V between lines, with 0.16 ohm in each phase of the rotor. The rheostat there has
    switches beside its resistors, which are left out here.
    """
    motor = ma.IM_SlipRing()
    rig = with_load(on_grid(motor, 100.0 / np.sqrt(3.0), box="D", R=SWITCH), fan(), 0.29)
    rig.add(rheostat=pp.Resistor(R=0.16), rings=pp.Star(), ends=pp.Star())
    rig.connect(motor.plug_rp, rig.rheostat.plug_p)
    rig.connect(rig.rheostat.plug_n, rig.rings.plug_p)
    rig.connect(motor.plug_rn, rig.ends.plug_p)
    rig.connect(rig.rings.pin_n, rig.ends.pin_n, rig.ground.p)
    s = tg.simulate(rig, 0.4, rtol=1e-9, atol=1e-9, points=4001)
    table = np.array(IMS_START)
    at = s.at(table[:, 0])
    stator = turned(at, "motor.i_d", "motor.i_q", 2.0 * at["motor.phi"])
    rotor = turned(at, "motor.i_dr", "motor.i_qr", 2.0 * at["motor.phi"])
    against = "published reference results, relative to the largest value"
    peak = np.hypot(s["motor.i_d"], s["motor.i_q"]).max()
    within("Start with resistors, stator current", abs(stator - table[:, 1] - 1j * table[:, 2]) / peak, 5e-4, against)
    within("Start with resistors, rotor current", abs(rotor - table[:, 3] - 1j * table[:, 4]) / peak, 5e-4, against)
    within("Start with resistors, speed", (at["motor.w"] - table[:, 6]) / 157.0, 2e-5, against)
    within("Start with resistors, angle", (at["motor.phi"] - table[:, 5]) / 32.0, 2e-5, against)


def test_doubly_fed() -> None:
    """With both voltages given, v_s = (Rs + j Xs) I_s + j Xm I_r and v_r/s = (Rr/s + j Xr) I_r + j Xm I_s."""
    v_r, load = 12.0 + 5.0j, 80.0
    given = {"v_d": ROOT2 * 100.0, "v_q": 0.0, "v_dr": ROOT2 * v_r.real, "v_qr": ROOT2 * v_r.imag, "tau_load": load}
    guess = {"w": 140.0, "psi_q": -0.4, "psi_qr": -0.4}
    rest = tg.steady_state(ma.IM_SlipRingDQ(), parameters=given, initial=guess)
    slip = 1.0 - 2.0 * rest["w"] / W1
    c = DEFAULT
    Z = np.array(
        [
            [c["Rs"] + 1j * (c["Xs"] + c["Xm"]), 1j * c["Xm"]],
            [1j * c["Xm"], c["Rr"] / slip + 1j * (c["Xr"] + c["Xm"])],
        ]
    )
    i_s, i_r = np.linalg.solve(Z, [100.0, v_r / slip])
    torque = 3.0 * c["Xm"] * (np.conj(i_r) * i_s).imag / (W1 / 2.0)
    within("Doubly fed machine, torque", relative(torque, load), 1e-8, "phasors")
    within("Doubly fed machine, current", abs((rest["i_d"] + 1j * rest["i_q"]) / ROOT2 - i_s), 1e-6, "phasors, A")


def test_eigenvalues_of_a_servo_motor() -> None:
    """The dq machine linearized at rest in operation, against the Jacobian of the equations in currents by hand."""
    R, Ld, Lq, psi, p, J, d = 0.5, 2e-3, 5e-3, 0.08, 3, 1e-3, 1e-4
    motor = ma.SM_PermanentMagnetDQ(
        use_damper_cage=False, Rs=R, Lssigma=1e-3, Lmd=Ld - 1e-3, Lmq=Lq - 1e-3, psi_pm=psi, p=p, Jr=J, d=d
    )
    given = {"v_d": -12.0, "v_q": 40.0, "tau_load": 0.5}
    rest = tg.steady_state(motor, parameters=given, initial={"w": 120.0, "i_q": 1.0, "psi_d": psi})
    w, i_d, i_q = rest["w"], rest["i_d"], rest["i_q"]
    A = np.array(
        [
            [-R / Ld, p * w * Lq / Ld, p * Lq * i_q / Ld],
            [-p * w * Ld / Lq, -R / Lq, -p * (Ld * i_d + psi) / Lq],
            [1.5 * p * (Ld - Lq) * i_q / J, 1.5 * p * (psi + (Ld - Lq) * i_d) / J, -d / J],
        ]
    )
    linear = tg.linearize(motor, at=rest, inputs=["v_d", "v_q", "tau_load"], outputs=["i_d", "i_q", "w"])
    found, wanted = (np.sort_complex(x) for x in (linear.eigenvalues, np.linalg.eigvals(A)))
    within("Servo motor in d and q, eigenvalues", abs(found - wanted) / abs(wanted), 1e-8, "Jacobian by hand")
    gain = -linear.C @ np.linalg.solve(linear.A, linear.B)
    B = np.diag([1.0 / Ld, 1.0 / Lq, -1.0 / J])
    within("Servo motor in d and q, static gains", gain / -np.linalg.solve(A, B) - 1.0, 1e-8, "Jacobian by hand")


def test_saturation() -> None:
    """The no-load current over the voltage follows i = psi/Lm (1 + (psi/psi_sat)^8) behind the leakage, without Rs."""
    for volts in (60.0, 100.0, 140.0):
        motor = ma.IM_SquirrelCageDQ(Rs=0.0, saturation=True, psi_sat=0.4)
        given = {"v_d": ROOT2 * volts, "v_q": 0.0, "tau_load": 0.0}
        at = {"w": W1 / 2.0, "psi_q": -0.4, "psi_qr": -0.4, "psi_mq": -0.4}
        rest = tg.steady_state(motor, parameters=given, initial=at)
        psi = abs(rest["psi_mq"])
        current = psi * W1 / DEFAULT["Xm"] * (1.0 + (psi / 0.4) ** 8)
        drop = ROOT2 * volts - (W1 * psi + DEFAULT["Xs"] * current)
        within("Saturated machine without load", drop / volts, 1e-9, CLOSED)
