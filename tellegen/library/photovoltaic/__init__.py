"""Photovoltaics: cells and modules by the single-diode model, tracking of the maximum power, the sun.

For example, a module on a 48 V battery with a converter that tracks the maximum power:

    import tellegen as tg
    from tellegen.library import electrical as el, photovoltaic as pv

    class Roof(tg.Component):
        module = pv.Module.from_data_sheet(Voc=37.2, Isc=8.87, Vmp=30.1, Imp=8.3, Ns=60)
        converter = pv.TrackingConverter(eta=0.96)
        tracker = pv.PerturbObserve(v_start=25.0)
        battery = el.ConstantVoltage(V=48.0)
        ground = el.Ground()

        def equations(self):
            yield self.tracker.v == self.module.v
            yield self.tracker.i == -self.module.i

        def connections(self):
            yield self.module.p, self.converter.p1
            yield self.module.n, self.converter.n1, self.ground.p
            yield self.converter.p2, self.battery.p
            yield self.converter.n2, self.battery.n, self.ground.p
            yield self.tracker.v_ref, self.converter.v_ref

    tg.simulate(Roof(), stop=2.0).plot("module.power")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.photovoltaic.cells import Cell, Module
from tellegen.library.photovoltaic.sun import ClearSky
from tellegen.library.photovoltaic.tracking import IncrementalConductance, PerturbObserve, Tracker, TrackingConverter

__all__ = [
    "Cell",
    "ClearSky",
    "IncrementalConductance",
    "Module",
    "PerturbObserve",
    "Tracker",
    "TrackingConverter",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
