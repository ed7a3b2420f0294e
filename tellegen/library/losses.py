"""What turns into heat: a lossy component may have a heat port through which its losses leave.

    r = electrical.Resistor(R=10.0, use_heat_port=True)     connect r.heat_port to whatever takes the heat

Without the port the losses vanish into surroundings at T_ref and cost neither a variable nor an equation. With it the
component conserves energy: the power that goes in through all its ports, heat port included, is what it stores.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library.thermal import HeatPort


class Lossy(tg.Component):
    """Base of components with losses: they say how much in `losses`, and ask for their own `temperature`."""

    use_heat_port = tg.parameter(False, structural=True, description="the losses leave through heat_port")
    T_ref = tg.parameter(300.15, "K", "reference temperature; that of the component if it has no heat port", min=0.0)
    heat_port = HeatPort("where the losses go").only_if(use_heat_port, must_connect=True)

    def losses(self) -> Any:
        """The power that becomes heat, as an expression of the component's variables. Never negative."""
        raise NotImplementedError(f"{type(self).__name__} has to define losses()")

    def temperature(self) -> Any:
        """The temperature of the component: that of the heat port, T_ref without one."""
        return self.heat_port.T if self.use_heat_port else self.T_ref

    def equations(self) -> Iterator[Any]:
        if self.use_heat_port:
            yield self.heat_port.Q_flow == -self.losses()
