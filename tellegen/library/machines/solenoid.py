"""Solenoids: a coil that pulls an armature of iron into the place where its magnetic circuit has the least reluctance.

The circuit is the core, of reluctance R_core, and the air gap g between pole and armature. The N turns drive the flux
phi of one turn through both, and energy is stored in both:

    N i = R_core phi (1 + (B/B_sat)^m) + phi g / (mu0 A),        B = phi / A
    W   = R_core phi^2 (1/2 + (B/B_sat)^m / (m + 2)) + phi^2 g / (2 mu0 A)

The force is what W loses where the gap closes with the flux held: f = dW/dg = phi^2/(2 mu0 A), pulling the armature to
the pole. Without saturation the inductance L(g) = N^2/(R_core + g/(mu0 A)) exists, and the same force is
-i^2/2 dL/dg; with saturation this formula with the current is wrong, that with the flux is not. The flux linkage
psi = N phi + L_leak i is what the coil sees: v = R i + dpsi/dt.

Eddy currents and hysteresis of the iron are left out; the field in the gap is taken as even (no fringing).
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import translational
from tellegen.library.electrical import OnePort
from tellegen.library.losses import Lossy
from tellegen.library.machines.interfaces import Statements

MU_0 = 1.25663706212e-6
"""Permeability of the vacuum, H/m."""


class SolenoidActuator(Lossy, OnePort):
    """Coil and armature: the armature at s pulls towards s = 0 with the force phi^2/(2 mu0 A).

    s = flange.s - support.s is how far the armature stands off its seat, and the air gap is g = s + g_rest with a rest
    g_rest that stays when it is closed (a sheet that keeps it from sticking). The force acts on the armature against
    positive s, so the load has to hold it with flange.f = f. The armature has no mass and no stops here: connect
    them, and the spring that brings it back, to the flange.
    """

    saturation = tg.parameter(False, structural=True, description="the core saturates")
    use_support = tg.parameter(False, structural=True, description="the coil is held by the flange `support`")
    flange = translational.Flange("armature")
    support = translational.Flange("coil and pole").only_if(use_support)
    N = tg.parameter(1000.0, "1", "turns", min=0.0)
    R = tg.parameter(20.0, "ohm", "resistance of the coil at T_ref", min=0.0)
    alpha = tg.parameter(0.0, "1/K", "relative change of R with temperature, copper 0.0039")
    A = tg.parameter(1e-4, "m2", "area of the pole", min=0.0)
    g_rest = tg.parameter(1e-4, "m", "air gap at s = 0", min=0.0)
    R_core = tg.parameter(5e5, "1/H", "reluctance of the core without saturation", min=0.0)
    B_sat = tg.parameter(1.5, "T", "flux density at which the reluctance of the core has doubled", min=0.0)
    n_sat = tg.parameter(8, structural=True, description="even exponent: how sudden the core saturates")
    L_leak = tg.parameter(0.0, "H", "inductance of the flux that misses the armature", min=0.0)
    s = tg.variable("m", "distance of the armature from its seat")
    f = tg.variable("N", "magnetic force, towards the seat")
    phi = tg.variable("Wb", "flux through core and gap", start=0.0)
    psi = tg.variable("Wb", "flux linkage of the coil")
    B = tg.variable("T", "flux density in the gap")

    def resistance(self) -> Any:
        return self.R * (1.0 + self.alpha * (self.temperature() - self.T_ref))

    def losses(self) -> Any:
        return self.resistance() * self.i**2

    def saturated(self) -> Any:
        """Reluctance of the core over that without saturation."""
        return 1.0 + (self.B / self.B_sat) ** self.n_sat if self.saturation else 1.0

    def equations(self) -> Statements:
        yield self.s == self.flange.s - (self.support.s if self.use_support else 0.0)
        yield self.B == self.phi / self.A
        gap = (self.s + self.g_rest) / (MU_0 * self.A)
        yield self.N * self.i == self.phi * (self.R_core * self.saturated() + gap)
        yield self.psi == self.N * self.phi + self.L_leak * self.i
        yield self.v == self.resistance() * self.i + tg.der(self.psi)
        yield self.f == self.phi**2 / (2.0 * MU_0 * self.A)
        yield self.flange.f == self.f
        if self.use_support:
            yield self.support.f == -self.f
        yield tg.assert_(self.s > -self.g_rest, "the armature has passed the pole: give it a stop at s = 0")  # noqa: PT009
