"""Power balance of machines. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import machines as ma
from tellegen.library.electrical import Pin
from tellegen.library.machines.solenoid import MU_0
from tellegen.testing import ForceDrive, TorqueDrive, VoltageDrive
from tellegen.testing.ports import Drive


def turning(c: Any) -> Any:
    """Energy of a rotor whose stator rests."""
    return 0.5 * c.Jr * c.w**2


def armature(c: Any) -> Any:
    return turning(c) + 0.5 * c.inductance() * c.ia**2


def magnetic(c: Any) -> Any:
    """Field energy of a solenoid in core, gap and leakage."""
    core = c.R_core * c.phi**2 * (0.5 + (c.saturated() - 1.0) / (c.n_sat + 2))
    return core + c.phi**2 * (c.s + c.g_rest) / (2.0 * MU_0 * c.A) + 0.5 * c.L_leak * c.i**2


class InductiveDrive(Drive):
    """A source whose current cannot jump."""

    port = Pin()
    L = tg.parameter(0.2, "H", "inductance")

    def equations(self) -> Any:
        yield self.port.v == 10.0 * self.sine() + 1.0 * self.port.i + self.L * tg.der(self.port.i)


def at(start: float) -> Any:
    return tg.variable(start=start)


SMALL = {
    "Ra": 0.7,
    "La": 0.05,
    "Jr": 0.02,
    "d": 0.03,
    "d_windage": 0.01,
    "G_core": 0.05,
    "V_brush": 0.8,
    "I_brush": 0.5,
}
WARM = {"alpha_a": 0.0039}


def held() -> dict[str, Any]:
    """The armature stays off its seat."""
    return {"flange": ForceDrive(F=3.0, offset=1.5, m=2.0, d=900.0, s=at(4e-3))}


CASES = [
    Case(ma.DC_PermanentMagnet(k=0.6, **SMALL, **WARM), stored=armature),
    Case(
        ma.DC_PermanentMagnet(k=0.6, use_support=True, **SMALL),
        stored=lambda c: 0.5 * c.La * c.ia**2 + 0.5 * c.Jr * tg.der(c.flange.phi) ** 2,
    ),
    Case(  # only as a motor: a steady voltage against a load that does not drive
        ma.DC_PermanentMagnet(k=0.6, two_constants=True, k_t=0.55, **SMALL),
        stored=armature,
        drive={
            "pin_ap": VoltageDrive(offset=12.0, V=2.0),
            "pin_an": VoltageDrive(V=0.0),
            "flange": TorqueDrive(tau=0.0, d=0.3),
        },
    ),
    Case(
        ma.DC_ElectricalExcited(k_e=0.4, Re=2.0, Le=0.3, alpha_e=0.004, **SMALL),
        stored=lambda c: armature(c) + 0.5 * c.Le * c.ie**2,
    ),
    Case(ma.DC_SeriesExcited(k_e=0.2, Re=0.3, Le=0.1, **SMALL, **WARM), stored=armature),
    Case(
        ma.DC_SeriesExcited(k_e=0.2, Re=0.3, Le=0.1, excitation_pins=True, P_stray=2e4, **SMALL, **WARM),
        stored=lambda c: armature(c) + 0.5 * c.Le * c.ie**2,
    ),
    Case(ma.SuperCap(C=0.2, Rs=0.5, alpha=0.02, Idis=0.3), stored=lambda c: 0.5 * c.C * c.vc**2),
    Case(ma.CCCVcharger(I=3.0, Vend=2.0, ramp_time=0.5), supplied=lambda c: -c.v * c.i),
    Case(ma.RotorDisplacementAngle(), idle=True),
    Case(
        ma.StepperMotor(Nr=6.0, tau_detent=0.3, k=0.8, L=0.02, Jr=0.01, d=0.05, alpha=0.004),
        stored=lambda c: (
            turning(c) + 0.5 * c.L * (c.ia**2 + c.ib**2) - c.tau_detent * tg.cos(4.0 * c.Nr * c.phi) / (4.0 * c.Nr)
        ),
    ),
    Case(
        ma.Battery(
            SOC_table=[0.0, 1.0], OCV_table=[2.0, 3.0], Ns=2.0, Np=3.0, Qnom=20.0, C1=2.0, C2=6.0, B=2e3, SOC=at(0.5)
        ),
        stored=lambda c: (
            c.Ns * c.Np * (c.Qnom * (2.0 * c.SOC + 0.5 * c.SOC**2) + 0.5 * (c.C1 * c.v1**2 + c.C2 * c.v2**2))
        ),
    ),
    Case(ma.CurrentLimiter(i_max=2.0), drive={"p": InductiveDrive()}),
    Case(ma.SolenoidActuator(alpha=0.004, L_leak=0.1), stored=magnetic, drive=held()),
    Case(ma.SolenoidActuator(saturation=True, g_rest=5e-4, R_core=5e6, B_sat=0.05), stored=magnetic, drive=held()),
]
CASES += [
    Case(ma.TerminalBox(terminal_connection="D")),
    Case(ma.TerminalBox(m=6)),
    Case(ma.HallSensor(p=2), idle=True),
    Case(ma.SinCosResolver(p=2), idle=True),
]
LOSES = "its contacts are switches of several phases, which have cases; tests/validation/test_machine_terminals.py"
EXEMPT = {
    **dict.fromkeys((ma.SwitchYD, ma.SwitchYDwithArc, ma.RampedRheostat, ma.SwitchedRheostat), LOSES),
    ma.Rotor: "a base without a law of its own; the machines made of it have cases",
    ma.DC_Machine: "a base without a flux of its own; the machines made of it have cases",
}
