"""Pressure drops that stay smooth where the flow turns round: roots, squares, and friction in pipes.

A turbulent law dp = k m|m| has slope zero at m = 0, and its inverse an infinite one; solvers fail or chatter there.
Below a small flow or pressure difference each law here goes over into a straight line, with continuous derivatives.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg

LAMINAR = 2000.0
TURBULENT = 4000.0
"""Reynolds numbers: laminar below, turbulent above, blended between."""


def reg_root(x: tg.Expression, small: tg.Expression) -> Any:
    """sqrt(|x|) in the direction of x; a straight line for |x| << small. Relative error (small/x)^2/4 beyond."""
    return x / (x**2 + small**2) ** 0.25


def reg_square(x: tg.Expression, small: tg.Expression) -> Any:
    """x |x|; a straight line for |x| << small. Relative error (small/x)^2/2 beyond."""
    return x * tg.sqrt(x**2 + small**2)


def reg_power(x: tg.Expression, exponent: tg.Expression, small: tg.Expression) -> Any:
    """|x|^exponent in the direction of x, exponent >= 1, smooth at zero."""
    return x * (x**2 + small**2) ** ((exponent - 1.0) / 2.0)


def smooth_step(x: tg.Expression, low: float, high: float) -> Any:
    """0 up to `low`, 1 from `high` on, a cubic with flat ends between."""
    s = tg.no_event(tg.minimum(tg.maximum((x - low) / (high - low), 0.0), 1.0))
    return s**2 * (3.0 - 2.0 * s)


def wall_friction(m_flow: Any, rho: Any, mu: Any, pipe: Any, length: Any) -> Any:
    """Pressure drop over `length` of a pipe (diameter, roughness, area) by Hagen-Poiseuille and Swamee-Jain.

    Re = |m| D/(A mu). Laminar: lambda = 64/Re; turbulent: lambda = 0.25/log10(e/(3.7 D) + 5.74/Re^0.9)^2, a few percent
    off Colebrook's law at most. dp = lambda L/D rho v^2/2, written as mu^2 L/(2 rho D^3) lambda Re^2.
    """
    D = pipe.diameter
    Re = m_flow * D / (pipe.area() * mu)
    size = tg.no_event(abs(Re))
    rough = pipe.roughness / (3.7 * D) + 5.74 / tg.no_event(tg.maximum(size, 0.5 * LAMINAR)) ** 0.9
    turbulent = 0.25 / tg.log10(rough) ** 2 * size
    share = smooth_step(size, LAMINAR, TURBULENT)
    return mu**2 * length / (2.0 * rho * D**3) * Re * (64.0 + (turbulent - 64.0) * share)
