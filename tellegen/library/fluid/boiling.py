"""Vessels in which a fluid boils or condenses: evaporators, condensers, drums.

Their medium is one with two phases, `media.RealFluid` or `media.TabulatedFluid`; liquid and vapour are in equilibrium.
The state at the start is given by p_start and h_start, for pressure and temperature do not say how much has boiled.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.fluid.flow_laws import smooth_step
from tellegen.library.fluid.interfaces import Statements, fractions
from tellegen.library.fluid.volumes import ClosedVolume
from tellegen.library.media import State, TwoPhaseFluid

NEARLY = 0.95
"""From this share of its volume on a vessel that fills up loses its second phase at the outlet little by little."""


def two_phase(component: Any) -> TwoPhaseFluid:
    """The medium of a component that needs one with two phases."""
    if not isinstance(component.medium, TwoPhaseFluid):
        what = f"{type(component).__name__} needs a medium that boils, and {component.medium} is none"
        advice = 'medium=media.RealFluid("R134a"), or media.TabulatedFluid("R134a")'
        raise tg.DataError("E706", what, location=component._location, advice=advice)
    return component.medium


class TwoPhaseVolume(ClosedVolume):
    """A vessel with liquid, vapour or both, mixed: what flows out has the mean enthalpy, drops and vapour together.

    x is the vapour's share of the mass, level the liquid's share of the volume; both from 0 to 1.
    """

    h_start = tg.parameter(3e5, "J/kg", "specific enthalpy at the start")
    T = tg.variable("K", "temperature", start=lambda self: self.start_state().T)
    x = tg.variable("1", "vapour's share of the mass")
    level = tg.variable("1", "liquid's share of the volume")

    def start_state(self) -> State:
        return self.medium.at(self.p_start, X=fractions(self.X_start), h=self.h_start)

    def equations(self) -> Statements:
        medium = two_phase(self)
        state = self.state()
        at = medium.saturation(self.p)
        yield self.x == tg.no_event(tg.minimum(tg.maximum(medium.quality(state), 0.0), 1.0))
        wet = (1.0 - self.x) * medium.density(state) / at.d_l
        yield self.level == tg.no_event(tg.where(self.h < at.h_l, 1.0, wet))


class PartialSeparator(TwoPhaseVolume):
    """A vessel with an inlet, ports[0], and an outlet, ports[1], that lets one phase out, as long as there is some."""

    use_heat_port = tg.parameter(True, structural=True, description="heat enters through heat_port")

    def outlet(self) -> Any:
        """Specific enthalpy of what leaves through ports[1]."""
        raise NotImplementedError(f"{type(self).__name__} has to define outlet()")

    def leaving(self) -> Any:
        """Specific enthalpy at the ports."""
        return [self.h, self.outlet()]


class Evaporator(PartialSeparator):
    """A boiling vessel: fluid enters by ports[0], heat by heat_port, and dry vapour leaves by ports[1].

    The outlet is at the top: saturated vapour while there is liquid, superheated vapour where all has boiled; over the
    last 5 % of a vessel that fills up, and beyond, liquid goes along. Mass and energy are those of the whole vessel.
    """

    def outlet(self) -> Any:
        dry = tg.no_event(tg.maximum(self.h, two_phase(self).h_dew(self.p)))
        return dry + (self.h - dry) * smooth_step(self.level, NEARLY, 1.0)


class Condenser(PartialSeparator):
    """A condensing vessel: vapour enters by ports[0], heat leaves by heat_port, and liquid leaves by ports[1].

    The outlet is at the bottom: boiling liquid while there is vapour, subcooled liquid where all is condensed; over the
    last 5 % of a vessel that runs empty, and beyond, vapour goes along. It is its own receiver: `level` is its liquid.
    """

    def outlet(self) -> Any:
        wet = tg.no_event(tg.minimum(self.h, two_phase(self).h_bubble(self.p)))
        return wet + (self.h - wet) * smooth_step(1.0 - self.level, NEARLY, 1.0)
