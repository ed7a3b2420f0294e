"""What rotational components have in common: flanges, a torque between two of them, a housing to lean on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

Statements = Iterator[Any]


class Flange(tg.Connector):
    """A shaft end."""

    phi = tg.across("rad", "absolute angle")
    tau = tg.through("N.m", "cut torque into the component")


class Compliant(tg.Component):
    """Two flanges and a torque that depends on what is between them; tau acts on flange_b, -tau on flange_a."""

    flange_a = Flange()
    flange_b = Flange()
    phi_rel = tg.variable("rad", "relative angle, flange_b less flange_a", start=0.0)
    tau = tg.variable("N.m", "torque between the flanges")

    def equations(self) -> Statements:
        yield self.phi_rel == self.flange_b.phi - self.flange_a.phi
        yield self.flange_b.tau == self.tau
        yield self.flange_a.tau == -self.tau


class CompliantWithSpeed(Compliant):
    """Two flanges and a torque that depends on the relative angle phi_rel and its derivative w_rel."""

    phi_rel = tg.variable("rad", "relative angle, flange_b less flange_a", start=0.0, state="prefer")
    w_rel = tg.variable("rad/s", "relative velocity", start=0.0, state="prefer")

    def equations(self) -> Statements:
        yield self.w_rel == tg.der(self.phi_rel)


class Supported(tg.Component):
    """What leans on a housing: the flange `support` takes the reaction, the ground does where there is none."""

    use_support = tg.parameter(False, structural=True, description="the housing is the flange support, else the ground")
    support = Flange("the housing").only_if(use_support)

    def angle(self, flange: Any) -> Any:
        """The angle of a flange against the housing."""
        return flange.phi - self.support.phi if self.use_support else flange.phi

    def torque_in(self) -> Any:
        """The sum of the torques into all flanges but the support."""
        raise NotImplementedError(f"{type(self).__name__} has to define torque_in()")

    def equations(self) -> Statements:
        if self.use_support:
            yield self.support.tau == -self.torque_in()


class OneFlange(Supported):
    """A flange and, optionally, the housing it is turned against."""

    flange = Flange()

    def torque_in(self) -> Any:
        return self.flange.tau


class TwoFlanges(Supported):
    """Two flanges and, optionally, the housing they turn in."""

    flange_a = Flange()
    flange_b = Flange()

    def torque_in(self) -> Any:
        return self.flange_a.tau + self.flange_b.tau
