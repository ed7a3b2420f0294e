"""What converters have in common: a dc side of two pins, an ac side of a plug or of two pins, and valves between them.

Currents are positive into the converter at every pin, so a rectifier that feeds a load has dc_p.i < 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library.electrical import Pin
from tellegen.library.polyphase import Plug
from tellegen.library.thermal import HeatPort

Statements = Iterator[Any]


class Valves(tg.Component):
    """Base of what is made of valves: the data of one, and where the losses of all of them go."""

    use_heat_port = tg.parameter(False, structural=True, description="the losses of all valves leave through heat_port")
    Ron = tg.parameter(1e-5, "ohm", "resistance of a valve that conducts", min=0.0)
    Goff = tg.parameter(1e-5, "S", "conductance of a valve that blocks", min=0.0)
    Vknee = tg.parameter(0.0, "V", "voltage from which a valve conducts", min=0.0)
    heat_port = HeatPort("where the losses go").only_if(use_heat_port, must_connect=True)

    def valve(self) -> dict[str, Any]:
        """The data of a valve, to be handed on."""
        return {"Ron": self.Ron, "Goff": self.Goff, "Vknee": self.Vknee, "use_heat_port": self.use_heat_port}

    def heats(self, *valves: Any) -> Statements:
        """Connections of the heat ports."""
        for group in valves if self.use_heat_port else ():
            yield group.heat_port, self.heat_port


class Converter(Valves):
    """Base of converters made of valves with a dc side."""

    dc_p = Pin("positive pin of the dc side")
    dc_n = Pin("negative pin of the dc side")


class PolyphaseConverter(Converter):
    """Base of converters between m phases and dc."""

    m = tg.parameter(3, structural=True, description="number of phases", min=1)
    ac = Plug.array(m, "the phases")


class SinglePhaseConverter(Converter):
    """Base of converters between two pins of an alternating voltage and dc."""

    ac_p = Pin("first pin of the ac side")
    ac_n = Pin("second pin of the ac side")
