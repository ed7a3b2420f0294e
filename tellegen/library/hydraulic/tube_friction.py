"""Friction of flow in a tube: laminar, turbulent, and a line between the two.

    dp = lambda L/d rho/2 v |v| = rho nu^2 L/(2 d^3) F(Re),     F = lambda(Re) Re |Re|,     Re = v d/nu

Laminar F is 64 Re, so dp is linear through zero and needs no regularization. Turbulent, lambda is S. E. Haaland's
explicit form of Colebrook's equation (J. Fluids Eng. 105, 1983),
1/sqrt(lambda) = -1.8 log10((roughness/(3.7 d))^1.11 + 6.9/Re).
Between Re = 2000 and 4000, where flow is neither, F/Re goes along the line from one to the other.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.hydraulic.orifice_flow import QUARTER_PI, between

LAMINAR = 2000.0
TURBULENT = 4000.0


def friction(q: Any, rho: Any, nu: Any, tube: Any, length: Any) -> Any:
    """Pressure that a volume flow q takes over a length of a tube with the diameter d and a roughness."""
    v = q / (QUARTER_PI * tube.d**2)
    size = abs(v) * tube.d / nu
    fast = tg.maximum(size, TURBULENT)
    root = -1.8 * tg.log10((tube.roughness / (3.7 * tube.d)) ** 1.11 + 6.9 / fast)
    laminar = 32.0 * rho * nu / tube.d**2
    turbulent = 0.5 * rho * fast * nu / (tube.d**2 * root**2)
    # both as pressure per length and velocity; `part` of the way from laminar to turbulent
    part = between((size - LAMINAR) / (TURBULENT - LAMINAR))
    return length * v * (laminar + part * (turbulent - laminar))
