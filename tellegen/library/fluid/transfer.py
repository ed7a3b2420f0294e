"""Heat transfer from the wall of a pipe to the flow in it."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.fluid.flow_laws import smooth_step
from tellegen.library.media import State


def pipe_coefficient(medium: Any, state: State, m_flow: tg.Expression, diameter: tg.Expression) -> Any:
    """Heat transfer coefficient of developed flow: Nu = 3.66 where laminar, by Gnielinski where turbulent.

    Nu = f/8 (Re - 1000) Pr/(1 + 12.7 sqrt(f/8) (Pr^(2/3) - 1)), f = (0.79 ln Re - 1.64)^-2, for 4e3 < Re < 5e6 and
    0.5 < Pr < 2000; a smooth step from Re = 2300 to 4000 between.
    """
    mu = medium.viscosity(state)
    k = medium.conductivity(state)
    Pr = mu * medium.cp(state) / k
    Re = tg.no_event(abs(m_flow)) * 4.0 / (tg.pi * diameter * mu)
    at = tg.no_event(tg.maximum(Re, 2300.0))
    f = (0.79 * tg.log(at) - 1.64) ** -2.0
    turbulent = f / 8.0 * (at - 1000.0) * Pr / (1.0 + 12.7 * tg.sqrt(f / 8.0) * (Pr ** (2.0 / 3.0) - 1.0))
    nusselt = 3.66 + (turbulent - 3.66) * smooth_step(Re, 2300.0, 4000.0)
    return nusselt * k / diameter
