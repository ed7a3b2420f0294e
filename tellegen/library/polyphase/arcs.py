"""Switches of m phases that open with an arc: each phase continues until its own current passes zero.

The contacts are those of electrical/arcs.py, one for each phase; so a breaker interrupts one phase after the other.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import electrical
from tellegen.library.polyphase.interfaces import Phases, Plug, Statements
from tellegen.library.thermal import HeatPort


class ArcingContacts(Phases):
    """Base of switches with arcs: v = Ron i closed, v = min(Vmax, V0 + dVdt t) against the current, i = Goff v open."""

    use_heat_port = tg.parameter(False, structural=True, description="the losses leave through heat_port")
    Ron = tg.parameter(1e-5, "ohm", "resistance while closed", min=0.0)
    Goff = tg.parameter(1e-5, "S", "conductance while open", min=0.0)
    V0 = tg.parameter(30.0, "V", "voltage of the arc when a contact opens", min=0.0)
    dVdt = tg.parameter(10e3, "V/s", "rise of that voltage", min=0.0)
    Vmax = tg.parameter(60.0, "V", "largest voltage of the arc", min=0.0)
    control = tg.input("1", "command for each phase; true above 1/2", shape=Phases.m)
    plug_p = Plug.array(Phases.m, "positive plug")
    plug_n = Plug.array(Phases.m, "negative plug")
    heat_port = HeatPort("where the losses go").only_if(use_heat_port, must_connect=True)

    def numbers(self) -> dict[str, Any]:
        """What a contact has to know."""
        return {name: getattr(self, name) for name in ("Ron", "Goff", "V0", "dVdt", "Vmax", "use_heat_port")}

    def connections(self) -> Statements:
        yield self.plug_p, self.contact.p
        yield self.plug_n, self.contact.n
        yield self.control, self.contact.control
        if self.use_heat_port:
            yield self.contact.heat_port, self.heat_port


class OpenerWithArc(ArcingContacts):
    """Each phase opens with an arc when its control rises above 1/2; closed below."""

    def build(self) -> None:
        self.contact = electrical.OpenerWithArc.array(self.m, **self.numbers())


class CloserWithArc(ArcingContacts):
    """Each phase opens with an arc when its control falls below 1/2; closed above."""

    def build(self) -> None:
        self.contact = electrical.CloserWithArc.array(self.m, **self.numbers())
