"""Capacitors and inductors that depend on temperature, against solutions by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks, thermal
from tellegen.library import electrical as el
from validation.measured import within


@pytest.mark.parametrize("kind", ["capacitor", "inductor"])
def test_charge_and_flux_follow_the_temperature(kind: str) -> None:
    """On a constant source T rises by 10 K/s: i = V C_ref alpha 10 (v = I L_ref alpha 10), by definition."""
    s = tg.System(kind)
    warm: Any = (
        el.WarmCapacitor(C_ref=2e-3, alpha=5e-3) if kind == "capacitor" else el.WarmInductor(L_ref=0.2, alpha=5e-3)
    )
    source: Any = el.ConstantVoltage(V=4.0) if kind == "capacitor" else el.ConstantCurrent(I=4.0)
    s.add(x=warm, source=source, g=el.Ground(), T=thermal.PrescribedTemperature())
    s.add(ramp=blocks.Ramp(height=100.0, duration=10.0, offset=300.15))
    s.connect(s["ramp"].y, s["T"].T)
    s.connect(s["T"].port, warm.heat_port)
    s.connect(source.p, warm.p)
    s.connect(source.n, warm.n, s["g"].p)
    found = tg.simulate(s, 2.0, points=[0.5, 1.0, 2.0])
    rows = found.time > 0
    if kind == "capacitor":
        within("capacitor that warms up, current", found["x.i"][rows] - 4.0 * 2e-3 * 5e-3 * 10.0, 1e-9, "by hand, A")
        within("capacitor that warms up, capacity", found["x.C"] - 2e-3 * (1 + 0.05 * found.time), 1e-9, "by hand, F")
    else:
        within("inductor that warms up, voltage", np.abs(found["x.v"][rows]) - 4.0 * 0.2 * 0.05, 1e-9, "by hand, V")
    within(f"{kind} that warms up, heat", found["x.heat_port.Q_flow"][rows], 1e-9, "the field is constant: none, W")
