"""Flow through a sharp edge, the one law that orifices and valves share.

Turbulent flow through an area A under a pressure difference dp is q = Cd A sqrt(2 dp/rho). The root has an infinite
slope at dp = 0, where real flow is laminar and in proportion to dp. Both are joined by

    q = Cd A sqrt(2/rho) dp/(dp^2 + dp_c^2)^(1/4),     dp_c = rho/2 (Re_c nu/(Cd D))^2,     D = sqrt(4 A/pi)

where dp_c is the pressure difference at which the turbulent law reaches the Reynolds number Re_c = q D/(A nu). The
curve is smooth everywhere and odd, so flow reverses without an event. Above 10 dp_c it is less than 0.3 % below the
root; far below dp_c it is the laminar q = 2 Cd^2 A D dp/(Re_c rho nu).
"""

from __future__ import annotations

from typing import Any

import tellegen as tg

QUARTER_PI = 0.7853981633974483


def orifice(dp: Any, area: Any, edge: Any, rho: Any, nu: Any) -> Any:
    """Volume flow through `area` (above zero) of something that has Cd and Re_c."""
    # Re_c nu/(Cd D) squared, with D^2 = 4 A/pi
    dp_c = 0.5 * rho * (edge.Re_c * nu / edge.Cd) ** 2 * (QUARTER_PI / area)
    return edge.Cd * area * tg.sqrt(2.0 / rho) * dp * (dp**2 + dp_c**2) ** (-0.25)


def between(x: tg.Expression) -> Any:
    """x, but not below 0 and not above 1."""
    return tg.minimum(tg.maximum(x, 0.0), 1.0)
