"""Magnetic circuits: flux tubes with magnetic potential V_m (ampere-turns) and flux Phi, positive into the component.

For example a choke with an air gap of 0.5 mm, L = N^2/(R_core + R_gap):

    import tellegen as tg
    from tellegen.library import electrical as el, magnetic as mg

    class Choke(tg.Component):
        source = el.StepVoltage(V=12.0)
        wire = el.Resistor(R=2.0)
        coil = mg.ElectroMagneticConverter(N=200)
        core = mg.Cuboid(l=0.2, a=0.02, b=0.02, **mg.soft("M350_50A"))
        gap = mg.Cuboid(l=0.5e-3, a=0.02, b=0.02)
        ground = el.Ground()
        zero = mg.Ground()

        def connections(self):
            yield self.source.p, self.wire.p
            yield self.wire.n, self.coil.p
            yield self.coil.n, self.source.n, self.ground.p
            yield self.coil.port_p, self.core.port_p
            yield self.core.port_n, self.gap.port_p
            yield self.gap.port_n, self.coil.port_n, self.zero.port

    tg.simulate(Choke(), stop=0.1).plot("coil.i", "core.B")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.magnetic.basic import (
    ConstantPermeance,
    ConstantReluctance,
    EddyCurrent,
    ElectroMagneticConverter,
    ElectroMagneticConverterWithLeakageInductance,
    Ground,
    Idle,
    LeakageWithCoefficient,
    Short,
    VariablePermeance,
    VariableReluctance,
)
from tellegen.library.magnetic.flux_tubes import (
    Cuboid,
    FixedShape,
    GenericFluxTube,
    HollowCylinder,
    HollowCylinderAxialFlux,
    HollowCylinderCircumferentialFlux,
    HollowCylinderRadialFlux,
    Toroid,
)
from tellegen.library.magnetic.gaps import (
    AxialGap,
    CuboidOrthogonalFlux,
    CuboidParallelFlux,
    CylinderAxialFlux,
    CylinderRadialFlux,
    Gap,
    LeakageAroundPoles,
)
from tellegen.library.magnetic.hysteresis import HysteresisFluxTube
from tellegen.library.magnetic.interfaces import MU_0, MagneticPort, Permeance, TwoPort
from tellegen.library.magnetic.leakage import (
    CoaxCylindersEndFaces,
    EighthOfHollowSphere,
    EighthOfSphere,
    HalfCylinder,
    HalfHollowCylinder,
    QuarterCylinder,
    QuarterHollowCylinder,
    QuarterHollowSphere,
    QuarterSphere,
)
from tellegen.library.magnetic.magnets import PermanentMagnet
from tellegen.library.magnetic.materials import HARD, SOFT, hard, soft
from tellegen.library.magnetic.sources import (
    ConstantMagneticFlux,
    ConstantMagneticPotentialDifference,
    MagneticFluxSensor,
    MagneticPotentialDifferenceSensor,
    SignalMagneticFlux,
    SignalMagneticPotentialDifference,
)

__all__ = [
    "HARD",
    "MU_0",
    "SOFT",
    "AxialGap",
    "CoaxCylindersEndFaces",
    "ConstantMagneticFlux",
    "ConstantMagneticPotentialDifference",
    "ConstantPermeance",
    "ConstantReluctance",
    "Cuboid",
    "CuboidOrthogonalFlux",
    "CuboidParallelFlux",
    "CylinderAxialFlux",
    "CylinderRadialFlux",
    "EddyCurrent",
    "EighthOfHollowSphere",
    "EighthOfSphere",
    "ElectroMagneticConverter",
    "ElectroMagneticConverterWithLeakageInductance",
    "FixedShape",
    "Gap",
    "GenericFluxTube",
    "Ground",
    "HalfCylinder",
    "HalfHollowCylinder",
    "HollowCylinder",
    "HollowCylinderAxialFlux",
    "HollowCylinderCircumferentialFlux",
    "HollowCylinderRadialFlux",
    "HysteresisFluxTube",
    "Idle",
    "LeakageAroundPoles",
    "LeakageWithCoefficient",
    "MagneticFluxSensor",
    "MagneticPort",
    "MagneticPotentialDifferenceSensor",
    "PermanentMagnet",
    "Permeance",
    "QuarterCylinder",
    "QuarterHollowCylinder",
    "QuarterHollowSphere",
    "QuarterSphere",
    "Short",
    "SignalMagneticFlux",
    "SignalMagneticPotentialDifference",
    "Toroid",
    "TwoPort",
    "VariablePermeance",
    "VariableReluctance",
    "hard",
    "soft",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
