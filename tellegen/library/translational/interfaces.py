"""What translational components have in common: flanges, a force between two of them, a housing to lean on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

Statements = Iterator[Any]


class Flange(tg.Connector):
    """The end of a rod."""

    s = tg.across("m", "absolute position")
    f = tg.through("N", "cut force into the component")


class Compliant(tg.Component):
    """Two flanges and a force that depends on what is between them; f acts on flange_b, -f on flange_a."""

    flange_a = Flange()
    flange_b = Flange()
    s_rel = tg.variable("m", "distance, flange_b less flange_a", start=0.0)
    f = tg.variable("N", "force between the flanges")

    def equations(self) -> Statements:
        yield self.s_rel == self.flange_b.s - self.flange_a.s
        yield self.flange_b.f == self.f
        yield self.flange_a.f == -self.f


class CompliantWithSpeed(Compliant):
    """Two flanges and a force that depends on the distance s_rel and its derivative v_rel."""

    s_rel = tg.variable("m", "distance, flange_b less flange_a", start=0.0, state="prefer")
    v_rel = tg.variable("m/s", "relative velocity", start=0.0, state="prefer")

    def equations(self) -> Statements:
        yield self.v_rel == tg.der(self.s_rel)


class Supported(tg.Component):
    """What leans on a housing: the flange `support` takes the reaction, the ground does where there is none."""

    use_support = tg.parameter(False, structural=True, description="the housing is the flange support, else the ground")
    support = Flange("the housing").only_if(use_support)

    def position(self, flange: Any) -> Any:
        """The position of a flange against the housing."""
        return flange.s - self.support.s if self.use_support else flange.s

    def force_in(self) -> Any:
        """The sum of the forces into all flanges but the support."""
        raise NotImplementedError(f"{type(self).__name__} has to define force_in()")

    def equations(self) -> Statements:
        if self.use_support:
            yield self.support.f == -self.force_in()


class OneFlange(Supported):
    """A flange and, optionally, the housing it is moved against."""

    flange = Flange()

    def force_in(self) -> Any:
        return self.flange.f


class TwoFlanges(Supported):
    """Two flanges and, optionally, the housing they move in."""

    flange_a = Flange()
    flange_b = Flange()

    def force_in(self) -> Any:
        return self.flange_a.f + self.flange_b.f
