"""Power balance of components of sampled systems. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from library.case import Case
from tellegen.library import sampled

CASES = [
    Case(
        sampled.HBridge(V=12.0, R=0.5),
        supplied=lambda c: c.V * c.i_supply,
        drive={"s": lambda t: 0.7 - 0.4 * t},
    ),
]
