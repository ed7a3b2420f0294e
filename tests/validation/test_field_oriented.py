"""Field-oriented drives: loops as fast as designed, currents where they should be, limits, and ticks."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import tellegen as tg
from tellegen.library import drives
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import polyphase as pp
from tellegen.library import rotational as rot
from validation.measured import relative, within

DESIGN = "design"
R, LD, LQ, PSI, P, J = 0.5, 2e-3, 5e-3, 0.08, 3, 1e-3
MOTOR: dict[str, Any] = {"Rs": R, "Lssigma": 1e-3, "Lmd": LD - 1e-3, "Lmq": LQ - 1e-3, "psi_pm": PSI, "p": P, "Jr": J}
CONTROL: dict[str, Any] = {"Rs": R, "L_d": LD, "L_q": LQ, "psi_pm": PSI, "p": P, "J": J, "w_s": 40.0, "w_c": 2000.0}


class Drive(tg.Component):
    """A machine in three phases, ideal voltages, a speed to follow and a load that steps at t_load."""

    w_ref = tg.parameter(100.0, "rad/s")
    t_ref = tg.parameter(0.0, "s")
    tau_load = tg.parameter(0.0, "N.m")
    t_load = tg.parameter(1e9, "s")
    motor = ma.SM_PermanentMagnet(**MOTOR, use_damper_cage=False)
    control = drives.PMSMControl(**CONTROL)
    source = pp.SignalVoltage()
    star = pp.Star()
    neutral = pp.Star()
    ground = el.Ground()
    load = rot.TorqueStep(step_torque=-tau_load, start_time=t_load)

    def equations(self) -> Any:
        yield self.control.w_ref == tg.where(tg.time < self.t_ref, 0.0, self.w_ref)
        yield self.control.w == self.motor.w
        yield self.control.i == self.motor.plug_sp.i
        yield from self.angle()

    def angle(self) -> Any:
        """An induction machine needs none."""
        yield self.control.phi == self.motor.phi

    def connections(self) -> Any:
        yield self.control.v, self.source.u
        yield self.source.plug_p, self.motor.plug_sp
        yield self.source.plug_n, self.neutral.plug_p
        yield self.neutral.pin_n, self.ground.p
        yield self.motor.plug_sn, self.star.plug_p
        yield self.motor.flange, self.load.flange


class CurrentLoop(tg.Component):
    """The current regulator and the machine in d and q, at any speed."""

    motor = ma.SM_PermanentMagnetDQ(**{**MOTOR, "Jr": 10.0}, use_damper_cage=False)
    control = drives.CurrentController(R=R, L_d=LD, L_q=LQ, w_c=2000.0)
    i_q = tg.parameter(8.0, "A")

    def equations(self) -> Any:
        yield self.control.i_d_ref == 0.0
        yield self.control.i_q_ref == self.i_q
        yield self.control.w_axes == P * self.motor.w
        yield self.control.psi == PSI
        yield self.control.i_d == self.motor.i_d
        yield self.control.i_q == self.motor.i_q
        yield self.motor.v_d == self.control.v_d
        yield self.motor.v_q == self.control.v_q


def test_current_loop_has_its_bandwidth() -> None:
    """i_q follows by 1 - exp(-w_c t) at 150 rad/s, and i_d does not notice."""
    s = tg.simulate(CurrentLoop(), 5e-3, rtol=1e-9, atol=1e-10, initial={"motor.w": 150.0})
    within("Current loop, i_q", (s["motor.i_q"] - 8.0 * (1.0 - np.exp(-2000.0 * s.time))) / 8.0, 1e-6, "w_c/(s + w_c)")
    within("Current loop, i_d", s["motor.i_d"] / 8.0, 1e-6, "decoupled")


def test_speed_drive() -> None:
    """A step of the speed, then of the load. The current lags by 1/w_c, so all is as designed up to w_s/w_c = 2 %."""
    drive = Drive(tau_load=0.8, t_load=0.3)
    s = tg.simulate(drive, 0.6, rtol=1e-8, atol=1e-8, points=1201)
    step = s.time < 0.3
    wanted = 100.0 * (1.0 - np.exp(-40.0 * s.time))
    within("PMSM drive, speed step", (s["motor.w"] - wanted)[step] / 100.0, 0.02, f"{DESIGN}, w_s/(s + w_s)")
    within("PMSM drive, i_d held at 0", s["motor.i_d"] / abs(s["motor.i_q"]).max(), 1e-5, "0, of the largest i_q")
    torque = 1.5 * P * PSI * s["motor.i_q"]
    within("PMSM drive, torque", (s["motor.tau_electrical"] - torque) / torque.max(), 1e-5, "3/2 p psi i_q")
    late = s.time[~step] - 0.3
    dip = -0.8 / J * late * np.exp(-40.0 * late)  # of a double pole: s/(J (s + w_s)^2)
    within("PMSM drive, load step", (s["motor.w"][~step] - 100.0 - dip) / abs(dip).max(), 0.05, DESIGN)
    within(
        "PMSM drive, current under load", relative(s["motor.i_q"][-1], 0.8 / (1.5 * P * PSI)), 1e-3, "tau/(3/2 p psi)"
    )


def closed_loop() -> tg.System:
    s = tg.System("loop")
    s.add(motor=ma.SM_PermanentMagnetDQ(**MOTOR, use_damper_cage=False), speed=drives.SpeedController(J=J, w_s=40.0))
    s.add(current=drives.CurrentController(R=R, L_d=LD, L_q=LQ, w_c=2000.0))
    s.add(reference=drives.CurrentReference(p=P, psi=PSI, L_d=LD, L_q=LQ))
    s.equation(s.speed.w_ref == 100.0)
    s.equation(s.speed.w == s.motor.w)
    s.equation(s.reference.tau == s.speed.tau)
    s.equation(s.current.i_d_ref == s.reference.i_d)
    s.equation(s.current.i_q_ref == s.reference.i_q)
    s.equation(s.current.w_axes == P * s.motor.w)
    s.equation(s.current.psi == PSI)
    for name in ("i_d", "i_q"):
        s.equation(getattr(s.current, name) == getattr(s.motor, name))
    for name in ("v_d", "v_q"):
        s.equation(getattr(s.motor, name) == getattr(s.current, name))
    return s


def test_poles_of_the_drive() -> None:
    """Eigenvalues at rest in operation: -w_c and the roots of s^2 (s/w_c + 1) + 2 w_s s + w_s^2, and -R/L twice where
    the regulators cancel the windings."""
    model = closed_loop()
    rest = tg.steady_state(model, initial={"motor.w": 100.0, "motor.psi_d": PSI})
    found = np.sort_complex(tg.linearize(model, at=rest).eigenvalues)
    wanted = np.sort_complex(np.array([*np.roots([1 / 2000.0, 1.0, 80.0, 1600.0]), -2000.0, -R / LD, -R / LQ]))
    within("PMSM drive, eigenvalues", abs(found - wanted) / abs(wanted), 1e-4, "design; a double pole by its root")
    within("PMSM drive, at rest", rest["motor.w"] - 100.0, 1e-8, "rad/s, no error stays")


def test_torque_limit_and_anti_windup() -> None:
    """At the limit the speed rises by tau_max/J; when it is reached there is hardly any overshoot."""
    s = tg.simulate(Drive(control=drives.PMSMControl(**CONTROL, tau_max=0.5)), 0.5, rtol=1e-8, points=501)
    early = (s.time > 0.02) & (s.time < 0.15)
    slope = np.diff(s["motor.w"][early]) / np.diff(s.time[early])
    within("Drive at its torque limit, acceleration", relative(slope, 0.5 / J), 1e-5, "tau_max/J")
    within("Drive at its torque limit, overshoot", max(s["motor.w"].max() / 100.0 - 1.0, 0.0), 0.01, "none")


@pytest.mark.parametrize("tau", [0.05, 1.0, 6.0, 60.0, -3.0])
def test_least_current_for_a_torque(tau: float) -> None:
    class Point(tg.Component):
        reference = drives.CurrentReference(mtpa=True, p=P, psi=PSI, L_d=LD, L_q=LQ)
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield self.reference.tau == tau
            yield tg.der(self.x) == 0.0

    s = tg.simulate(Point(), 1.0)
    i_d, i_q = s["reference.i_d"][-1], s["reference.i_q"][-1]
    within("Least current, its torque", relative(1.5 * P * (PSI + (LD - LQ) * i_d) * i_q, tau), 1e-7, "wanted")

    def length(angle: Any) -> float:
        """Of the current at an angle that makes the torque: a quadratic equation."""
        c, sn = -np.sin(angle[0]), np.cos(angle[0])
        a, b = 1.5 * P * (LD - LQ) * c * sn, 1.5 * P * PSI * sn
        return float((-b + np.sqrt(b * b + 4.0 * a * abs(tau))) / (2.0 * a)) if abs(a) > 1e-12 else abs(tau) / b

    best = minimize(length, [0.3], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-14}).fun
    within("Least current, its length", relative(np.hypot(i_d, i_q), best), 1e-6, "SciPy")


def test_field_weakening() -> None:
    """Beyond the speed at which the magnets alone need all of the voltage, i_d < 0 keeps it below its limit."""
    v_max, w = 30.0, 180.0
    control = drives.PMSMControl(**CONTROL, field_weakening=True, i_max=40.0, tau_max=1.0)
    drive = Drive(control=control, w_ref=w, tau_load=0.3, t_load=0.6)
    drive.control.v_max = v_max
    s = tg.simulate(drive, 1.0, rtol=1e-7, points=1001)
    assert P * w * PSI > 1.4 * v_max, "without weakening it could not get there"
    within("Field weakening, speed", relative(s["motor.w"][-1], w), 1e-3, "wanted")
    volts = np.hypot(s["control.current.v_d"], s["control.current.v_q"])
    within("Field weakening, voltage", relative(volts[-1], 0.95 * v_max), 1e-3, "95 % of its limit")
    assert volts.max() <= v_max * (1.0 + 1e-9)
    i_d, i_q = s["motor.i_d"][-1], s["motor.i_q"][-1]
    steady = np.hypot(R * i_d - P * w * LQ * i_q, R * i_q + P * w * (LD * i_d + PSI))
    within("Field weakening, current", relative(steady, 0.95 * v_max), 1e-3, "voltage equations")
    assert i_d < -15.0


class InductionDrive(Drive):
    """The default induction machine, loaded with 100 N m."""

    tau_load = tg.parameter(100.0, "N.m")
    t_load = tg.parameter(1.0, "s")
    w_ref = tg.parameter(60.0, "rad/s")
    t_ref = tg.parameter(0.4, "s")
    motor = ma.IM_SquirrelCage()
    control = drives.InductionControl(J=0.29, w_s=20.0, tau_max=250.0)

    def angle(self) -> Any:
        return ()


def test_induction_drive() -> None:
    """The flux is built up, then the speed follows. In the axes of the model the flux of the machine has no q part."""
    s = tg.simulate(InductionDrive(), 2.0, rtol=1e-8, atol=1e-8, points=2001)
    turn = np.exp(-1j * s["control.flux.gamma"])
    psi = (s["motor.psi_dr"] + 1j * s["motor.psi_qr"]) * turn
    within("Induction drive, flux of model and machine", abs(psi - s["control.flux.psi"]) / 0.4, 1e-3, "each other")
    within("Induction drive, flux in the end", relative(abs(psi[-1]), 0.4), 1e-3, "wanted")
    i_q = ((s["motor.i_d"] + 1j * s["motor.i_q"]) * turn).imag
    Lm, Lr = 9.2253e-3, 9.2253e-3 + 3.2396e-4
    torque = 1.5 * 2 * Lm / Lr * abs(psi) * i_q
    within("Induction drive, torque", (s["motor.tau_electrical"] - torque) / 250.0, 1e-3, "3/2 p Lm/Lr psi i_q")
    within("Induction drive, torque under load", relative(s["motor.tau_electrical"][-1], 100.0), 2e-3, "load")
    within("Induction drive, speed", relative(s["motor.w"][-1], 60.0), 1e-3, "wanted")


def test_flux_model_by_itself() -> None:
    """Currents of constant length that turn with w_1 against a rotor at rest: in the end i_q/i_d = T_r w_1 and
    psi = Lm i_d, the slip of the machine fed with that frequency."""

    class Fed(tg.Component):
        model = drives.RotorFluxModel()

        def equations(self) -> Any:
            yield self.model.w == 0.0
            yield self.model.i == [50.0 * tg.cos(5.0 * tg.time - 2.0 * np.pi * k / 3.0) for k in range(3)]

    s = tg.simulate(Fed(), 5.0, rtol=1e-8)
    Lm, T_r = 9.2253e-3, (9.2253e-3 + 3.2396e-4) / 0.04
    i_d = 50.0 / np.hypot(1.0, T_r * 5.0)
    found = [s[f"model.{name}"][-1] for name in ("i_d", "i_q", "psi", "w_axes")]
    within("Rotor flux model, fed with 5 rad/s", relative(found, [i_d, T_r * 5.0 * i_d, Lm * i_d, 5.0]), 1e-6, DESIGN)


def test_field_weakening_by_itself() -> None:
    """Too much voltage for 0.1 s: i_d falls by k times the excess until -i_max; when it is gone, i_d returns to 0."""

    class Fed(tg.Component):
        weakening = drives.FieldWeakening(k=100.0, i_max=30.0, T_back=1e-3)

        def equations(self) -> Any:
            yield self.weakening.v_d == 0.0
            yield self.weakening.v_q == tg.where(tg.time < 0.1, 60.0, 40.0)
            yield self.weakening.v_limit == 50.0

    s = tg.simulate(Fed(), 0.2, rtol=1e-8, points=201)
    i_d = s["weakening.i_d"]
    slope = i_d[s.time < 0.029] + 1000.0 * s.time[s.time < 0.029]
    within("Field weakening, slope", slope, 1e-5, "k times the excess, A")
    within("Field weakening, its limit", s.at(0.09)["weakening.i_d"] + 30.0, 1e-9, "-i_max, A")
    within("Field weakening, back", i_d[-1], 1e-9, "0, A")


def test_ticks_come_near_to_continuous_time() -> None:
    """The difference goes with the period: at 50 us half of what it is at 100 us."""
    exact = tg.simulate(Drive(), 0.1, rtol=1e-8, points=101)
    errors = []
    for period in ("100 us", "50 us"):
        clock = tg.Clock(period)
        control = drives.PMSMControl(**CONTROL, clock=clock, speed_clock=clock.every(2))
        run = tg.simulate(Drive(control=control), 0.1, rtol=1e-8, points=101)
        errors.append(abs(run.at(exact.time)["motor.w"] - exact["motor.w"]).max())
        within(
            "Sampled PMSM drive, i_d held at 0", run["motor.i_d"] / abs(run["motor.i_q"]).max(), 0.05, "0, with ripple"
        )
    within("Sampled PMSM drive, 100 us", errors[0] / 100.0, 0.02, "continuous control")
    within("Sampled PMSM drive, order", errors[0] / errors[1] - 2.0, 0.4, "first order in the period")


def test_sampled_induction_drive() -> None:
    clock = tg.Clock("100 us")
    control = drives.InductionControl(J=0.29, w_s=20.0, tau_max=250.0, clock=clock, speed_clock=clock.every(10))
    s = tg.simulate(InductionDrive(control=control), 2.0, points=601)
    within("Sampled induction drive, speed", relative(s["motor.w"][-1], 60.0), 5e-3, "wanted")
    flux = np.hypot(s["motor.psi_dr"], s["motor.psi_qr"])[-1]
    within("Sampled induction drive, flux", relative(flux, 0.4), 0.02, "wanted")


def test_every_pulse_of_an_inverter() -> None:
    """The drive of examples/pmsm_drive.py: pulses of 10 kHz against their means, and the power of the supply."""
    model = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "pmsm_drive.py"))["Drive"]
    fast = tg.Clock(rate="10 kHz")
    mean, pulses = (tg.simulate(model(clock=fast, slow=fast.every(10), switching=x), 0.03) for x in (False, True))
    t = np.linspace(0.0, 0.03, 301)
    speed = mean.at(t)["motor.w"] - pulses.at(t)["motor.w"]
    within("Inverter drive, speed with pulses and with means", speed / 80.0, 1e-4, "each other")
    given = 48.0 * mean["supply.i"]
    v, i = (mean[f"motor.{x}_d"] + 1j * mean[f"motor.{x}_q"] for x in "vi")
    taken = 1.5 * (v * np.conj(i)).real + 5e-3 * 1.5 * abs(i) ** 2
    within("Inverter drive, power of the supply", (given + taken) / abs(given).max(), 1e-6, "motor and valves")


def test_a_clock_is_a_clock() -> None:
    with pytest.raises(tg.LanguageError, match="E195"):
        tg.flatten(drives.SpeedController(clock="1 ms"))


def test_space_vector_modulation() -> None:
    """Up to v_dc/sqrt(3) the differences of the phases are those wanted, and beyond nothing leaves 0 to 1."""

    class Bridge(tg.Component):
        modulation = drives.SpaceVectorModulation()
        V = tg.parameter(100.0, "V")

        def equations(self) -> Any:
            yield self.modulation.v_dc == 100.0
            for k in range(3):
                yield self.modulation.v[k] == self.V * tg.cos(100.0 * tg.time - 2.0 * np.pi * k / 3.0)

    s = tg.simulate(Bridge(V=100.0 / np.sqrt(3.0)), 0.2, points=401)
    duty, v = s["modulation.duty"], s["modulation.v"]
    error = 100.0 * (duty - np.roll(duty, 1, axis=1)) - (v - np.roll(v, 1, axis=1))
    within("Space-vector modulation, voltages between phases", error / 100.0, 1e-12, "wanted")
    within("Space-vector modulation, largest duty", duty.max() - 1.0, 1e-3, "all of the supply")
    over = tg.simulate(Bridge(V=80.0), 0.2, points=401)["modulation.duty"]
    within("Space-vector modulation beyond its range", [over.max() - 1.0, over.min()], 1e-9, "0 and 1")


@pytest.mark.parametrize("clock", ["continuous", tg.Clock("50 us")])
def test_resolver(clock: Any) -> None:
    """A step of 0.1 rad while it turns: the error dies out with a double pole at -w_t."""

    class Shaft(tg.Component):
        resolver = drives.Resolver(p=2)
        tracking = drives.AngleTracking(p=2, w_t=400.0, clock=clock, x_w=tg.variable(start=50.0))
        phi = tg.variable("rad")

        def equations(self) -> Any:
            yield self.phi == 50.0 * tg.time + 0.1
            yield self.resolver.phi == self.phi

        def connections(self) -> Any:
            yield self.resolver.sine, self.tracking.sine
            yield self.resolver.cosine, self.tracking.cosine

    s = tg.simulate(Shaft(), 0.04, rtol=1e-8, points=801)
    error = s["phi"] - s["tracking.phi"]
    linear = 0.1 * (1.0 - 400.0 * s.time) * np.exp(-400.0 * s.time)
    sampled = clock != "continuous"
    case = "Resolver and its loop, sampled" if sampled else "Resolver and its loop"
    within(case, (error - linear) / 0.1, 0.1 if sampled else 0.01, "linear loop; sin(0.2) for 0.2")
    within(f"{case}, in the end", error[-1], 3e-3 if sampled else 1e-5, "none, rad")
