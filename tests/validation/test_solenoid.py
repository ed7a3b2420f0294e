"""The solenoid valve of examples/solenoid_valve.py against SciPy, which integrates the same equations with events."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import translational as tr
from validation.measured import relative, within

EXAMPLE = runpy.run_path(str(Path(__file__).resolve().parents[2] / "examples" / "solenoid_valve.py"))
STROKE, STOP, SPRING, FREE, REST = (EXAMPLE[name] for name in ("STROKE", "STOP", "SPRING", "FREE", "REST"))
MU_0 = 1.25663706212e-6
N, R, A, CORE, B_SAT, MASS, DAMPING, STOP_DAMPING = 800.0, 24.0, 1e-4, 4e5, 1.4, 0.012, 2.0, 200.0


class Reference:
    """State (phi, s, v); three flags: diode conducts, seat touches, upper stop touches. The transistor is by time."""

    def __init__(self) -> None:
        self.flags = [False, False, True]
        self.closed = False

    def current(self, x: Any) -> float:
        phi, s, _ = x
        return phi * (CORE * (1.0 + (phi / A / B_SAT) ** 8) + (s + 1e-4) / (MU_0 * A)) / N

    def voltage(self, x: Any) -> tuple[float, float]:
        """Of the coil, and the current of the diode: the node between transistor, diode and coil."""
        g = 20.0 if self.closed else 1e-5
        if self.flags[0]:  # (-u - 0.7)/0.05 + 1e-5 * 0.7
            u = (24.0 * g - 14.0 + 7e-6 - self.current(x)) / (g + 20.0)
            return u, -20.0 * (u + 0.7) + 7e-6
        u = (24.0 * g - self.current(x)) / (g + 1e-5)
        return u, -1e-5 * u

    def push(self, x: Any, k: int) -> tuple[float, float]:
        """Depth of a contact and the force while it touches."""
        depth, rate = (-x[1], -x[2]) if k == 1 else (x[1] - STROKE, x[2])
        return depth, STOP * depth + STOP_DAMPING * rate

    def rates(self, _t: float, x: Any) -> list[float]:
        phi, s, v = x
        force = SPRING * (FREE - s) - DAMPING * v - phi**2 / (2.0 * MU_0 * A)
        force += self.push(x, 1)[1] if self.flags[1] else 0.0
        force -= self.push(x, 2)[1] if self.flags[2] else 0.0
        return [(self.voltage(x)[0] - R * self.current(x)) / N, v, force / MASS]

    def watch(self, k: int) -> Any:
        """Zero where flag k changes."""

        def diode(_t: float, x: Any) -> float:
            u, i = self.voltage(x)
            return i - 7e-6 if self.flags[0] else -u - 0.7

        def contact(_t: float, x: Any) -> float:
            return min(self.push(x, k)[0], self.push(x, k)[1] / STOP)

        function: Any = contact if k else diode
        function.terminal, function.direction = True, -1.0 if self.flags[k] else 1.0
        return function

    def run(self) -> tuple[Any, list[tuple[float, int]]]:
        """The solution at every 0.1 ms, and what happened when."""
        x: Any = np.array([0.0, REST, 0.0])
        x[0] = 24e-5 / R * N / (CORE + (REST + 1e-4) / (MU_0 * A))  # the open transistor leaks; the run begins so
        rows: list[Any] = []
        log: list[tuple[float, int]] = []
        grid = np.round(np.linspace(0.0, 0.12, 1201), 7)
        for begin, end, self.closed in ((0.0, 2e-3, False), (2e-3, 62e-3, True), (62e-3, 0.12, False)):
            self.flags[0] = not self.closed and begin > 0.0
            t = begin
            while t < end:
                events = [self.watch(k) for k in range(3)]
                accuracy = {"rtol": 1e-10, "atol": [1e-16, 1e-13, 1e-10], "dense_output": True}
                found = solve_ivp(self.rates, (t, end), x, "Radau", events=events, **accuracy)
                inside = grid[(grid > t) & (grid <= found.t[-1])]
                rows += [(time, *found.sol(time)) for time in inside]
                t, x = found.t[-1], found.y[:, -1]
                for k, times in enumerate(found.t_events):
                    if len(times):
                        self.flags[k] = not self.flags[k]
                        log.append((t, k))
        return np.array(rows).T, log


def test_valve_against_scipy() -> None:
    """Both integrate to 1e-9 or so; a motion of 1.5 mm with contacts of 0.1 ms leaves less than 1e-6 of the ranges."""
    valve = EXAMPLE["Valve"]()
    found = tg.simulate(valve, 0.12, rtol=1e-9, points=1201)
    wanted, log = Reference().run()
    row = found.at(wanted[0])
    within("solenoid valve, stroke", (row["armature.s"] - wanted[2]) / STROKE, 1e-6, "SciPy, of the stroke")
    within("solenoid valve, flux", (row["coil.phi"] - wanted[1]) / wanted[1].max(), 1e-6, "SciPy, of the largest")
    reference = Reference()
    current = np.array([reference.current(x) for x in wanted[1:].T])
    within("solenoid valve, current", row["coil.i"] - current, 1e-6, "SciPy, A")
    hits = [time for time, k in log if k == 1]
    own = [event.time for event in found.events if any("seat" in what for what in event.what)]
    within("solenoid valve, the armature hits the seat", np.abs(np.subtract(own, hits[0])).min(), 1e-8, "SciPy, s")
    error = found["supplied"] - found["heat"] - (EXAMPLE["stored"](found) - EXAMPLE["stored"](found)[0])
    within("solenoid valve, energy balance", error / found["supplied"][-1], 1e-7, "energy from the supply")


def test_force_without_saturation() -> None:
    """The textbook's formula with the current: f = 1/2 i^2 |dL/dg|, L = N^2/(R_core + g/(mu0 A))."""
    s = tg.System("pull")
    s.add(source=el.ConstantVoltage(V=10.0), coil=ma.SolenoidActuator(), ground=el.Ground(), hand=tr.Fixed(s0=2e-3))
    s.connect(s.source.p, s.coil.p)
    s.connect(s.source.n, s.coil.n, s.ground.p)
    s.connect(s.coil.flange, s.hand.flange)
    found = tg.simulate(s, 2.0, rtol=1e-11)
    gap = 2.1e-3 / (MU_0 * 1e-4)
    slope = 1000.0**2 / (5e5 + gap) ** 2 / (MU_0 * 1e-4)
    within(
        "solenoid held open, force", relative(found["coil.f"][-1], 0.5 * 0.5**2 * slope), 1e-9, "closed-form solution"
    )
