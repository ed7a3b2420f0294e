"""Gears with losses: mesh efficiency and bearing friction, and the same with elasticity and backlash."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.curves import checked, column
from tellegen.library.dry_friction import DryFriction, Motion
from tellegen.library.rotational.components import ElastoBacklash
from tellegen.library.rotational.interfaces import Flange, Statements, TwoFlanges
from tellegen.library.thermal import HeatPort


class LossyGear(TwoFlanges, DryFriction):
    """Gear with mesh efficiency and bearing friction in all four quadrants, stuck exactly: phi_a = ratio phi_b.

    The loss is a torque tau_loss on the side of flange_a: tau_b = -ratio (tau_a - tau_loss). While flange_a turns
    forward, w_a > 0,

        flange_a drives:  tau_loss = (1 - eta_mf1) tau_a + tau_bf1      so that -tau_b = ratio (eta_mf1 tau_a - tau_bf1)
        flange_b drives:  tau_loss = (1 - 1/eta_mf2) tau_a + tau_bf2    so that -tau_b = ratio (tau_a/eta_mf2 - tau_bf2)

    whichever is larger: the two lines meet where the flow of power through the mesh turns round, and there is no jump.
    Backward everything is the same with opposite signs. At rest tau_loss is what holds the gear, up to peak times these
    limits at w_a = 0: the mesh of a loaded gear acts as friction that grows with the load.

    loss_table has rows [|w_a|, eta_mf1, eta_mf2, tau_bf1, tau_bf2] with rising speeds from 0; straight lines between
    them, the last row beyond. Efficiencies are above 0 and at most 1, torques (on the side of flange_a) not negative.
    mode is 1 turning forward, 0 stuck, -1 turning backward. The heat tau_loss w_a leaves through the heat port if there
    is one. The model is that of C. Pelchen, C. Schweiger and M. Otter, "Modeling and Simulating the Efficiency of
    Gearboxes and of Planetary Gearboxes" (Modelica 2002).
    """

    ratio = tg.parameter(1.0, "1", "angle of flange_a over angle of flange_b; negative turns round")
    loss_table = tg.parameter((), structural=True, description="rows [|w_a|, eta_mf1, eta_mf2, tau_bf1, tau_bf2]")
    w_small = tg.parameter(1e-6, "rad/s", "velocities below this count as standstill", min=0.0)
    phi_a = tg.variable("rad", "angle of flange_a against the housing")
    w_a = tg.variable("rad/s", "its angular velocity", start=0.0)
    a_a = tg.variable("rad/s2", "its angular acceleration")
    tau_loss = tg.variable("N.m", "lost torque on the side of flange_a, positive against positive w_a")

    def motion(self) -> Motion:
        return Motion(self.w_a, self.a_a, self.tau_loss, self.w_small)

    def loss(self, tau_a: tg.Expression, speed: tg.Expression) -> Any:
        """The lost torque in the direction of motion, in which tau_a is counted too. Never negative."""
        if not len(self.loss_table):
            return 0.0 * tau_a
        table = checked(self.loss_table, self, "[|w_a|, eta_mf1, eta_mf2, tau_bf1, tau_bf2]")
        if not ((table[:, 1:3] > 0.0) & (table[:, 1:3] <= 1.0)).all() or (table[:, 3:] < 0.0).any():
            what = "the losses of a gear cannot be these"
            advice = "efficiencies are above 0 and at most 1, torques >= 0"
            raise tg.DataError("E704", what, location=self._location, advice=advice)
        eta_mf1, eta_mf2, tau_bf1, tau_bf2 = (column(table, k, speed) for k in range(1, 5))
        return tg.maximum((1.0 - eta_mf1) * tau_a + tau_bf1, (1.0 - 1.0 / eta_mf2) * tau_a + tau_bf2)

    def sliding(self, speed: tg.Expression) -> Any:
        direction = tg.where(self.mode == -1, -1.0, 1.0)
        return self.loss(direction * self.flange_a.tau, speed)

    def contact(self) -> dict[str, Any]:
        tau = self.flange_a.tau
        return {"holding": self.peak * self.loss(tau, 0.0), "holding_back": self.peak * self.loss(-tau, 0.0)}

    def equations(self) -> Statements:
        yield self.phi_a == self.angle(self.flange_a)
        yield self.phi_a == self.ratio * self.angle(self.flange_b)
        yield self.w_a == tg.der(self.phi_a)
        yield self.a_a == tg.der(self.w_a)
        yield self.flange_b.tau == -self.ratio * (self.flange_a.tau - self.tau_loss)


class Gearbox(tg.Component):
    """A gear with losses, followed by elasticity, damping and backlash: LossyGear and ElastoBacklash in series.

    loss_table is that of LossyGear; c, d and b are on the side of flange_b. The heat of both leaves through heat_port
    if there is one.
    """

    flange_a = Flange()
    flange_b = Flange()
    use_support = tg.parameter(False, structural=True, description="the housing is the flange support, else the ground")
    support = Flange("the housing").only_if(use_support)
    use_heat_port = tg.parameter(False, structural=True, description="the losses leave through heat_port")
    heat_port = HeatPort("where the losses go").only_if(use_heat_port, must_connect=True)
    ratio = tg.parameter(1.0, "1", "angle of flange_a over angle of flange_b")
    loss_table = tg.parameter((), structural=True, description="rows [|w_a|, eta_mf1, eta_mf2, tau_bf1, tau_bf2]")
    c = tg.parameter(1e5, "N.m/rad", "stiffness of the flanks and shafts", min=0.0)
    d = tg.parameter(0.0, "N.m.s/rad", "their damping", min=0.0)
    b = tg.parameter(0.0, "rad", "total backlash", min=0.0)
    lossy_gear = LossyGear(ratio=ratio, loss_table=loss_table, use_support=use_support, use_heat_port=use_heat_port)
    elasto_backlash = ElastoBacklash(c=c, d=d, b=b, use_heat_port=use_heat_port)

    def connections(self) -> Statements:
        yield self.flange_a, self.lossy_gear.flange_a
        yield self.lossy_gear.flange_b, self.elasto_backlash.flange_a
        yield self.elasto_backlash.flange_b, self.flange_b
        yield self.support, self.lossy_gear.support
        yield self.heat_port, self.lossy_gear.heat_port, self.elasto_backlash.heat_port
