"""Components that rub: what bearings, brakes, clutches and freewheels of every mechanical domain share.

A domain says what slides on what (`motion`) and how large the friction is (`sliding`); how sticking is decided stands
in stick_slip.py. Coulomb, viscous and Stribeck friction is written once, in `coulomb_stribeck`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import tellegen as tg
from tellegen.library.curves import checked, column
from tellegen.library.losses import Lossy
from tellegen.library.stick_slip import FREE, RELEASED, Contact, speed_ahead, stick_slip


@dataclass(frozen=True)
class Motion:
    """What slides: velocity, acceleration, the force against it, and the velocity that is taken for none."""

    v: Any
    a: Any
    f: Any
    v_small: Any


class DryFriction(Lossy):
    """Base of what rubs, dry: sliding with a friction that depends on the velocity, or stuck exactly."""

    peak = tg.parameter(1.0, "1", "largest friction at rest over the one at the slowest sliding", min=1.0)
    mode = tg.integer("1 sliding forward, 0 stuck, -1 sliding backward, 2 without contact", start=FREE)

    def motion(self) -> Motion:
        """What slides on what."""
        raise NotImplementedError(f"{type(self).__name__} has to define motion()")

    def sliding(self, speed: tg.Expression) -> Any:
        """The friction at a sliding speed, not negative."""
        raise NotImplementedError(f"{type(self).__name__} has to define sliding()")

    def contact(self) -> dict[str, Any]:
        """Further fields of the Contact: when it is free, which sides are barred."""
        return {}

    def losses(self) -> Any:
        """f v, written so that a velocity of zero with a rounding does not take heat in."""
        speed = abs(self.motion().v)
        return self.sliding(speed) * speed

    def equations(self) -> Iterator[Any]:
        x = self.motion()
        sliding = self.sliding(speed_ahead(self.mode, x.v))
        holding = self.peak * self.sliding(0.0)
        further = {"holding": holding, **self.contact()}
        yield from stick_slip(Contact(self.mode, x.v, x.a, x.f, sliding, v_small=x.v_small, **further))


class PressedFriction(DryFriction):
    """Base of what is pressed together by a signal: friction mu fn_max f_normalized on each face."""

    f_normalized = tg.input("1", "normal force over fn_max, released at 0 and below")
    fn_max = tg.parameter(1.0, "N", "largest normal force", min=0.0)
    mu = tg.parameter(0.5, "1", "coefficient of sliding friction", min=0.0)
    mu_pos = tg.parameter((), structural=True, description="rows [speed, mu] instead of mu, the first column rising")

    def sliding(self, speed: tg.Expression) -> Any:
        mu = column(checked(self.mu_pos, self, "[speed, mu]"), 1, speed) if len(self.mu_pos) else self.mu
        return self.cgeo * mu * self.fn_max * tg.maximum(self.f_normalized, 0.0)

    def contact(self) -> dict[str, Any]:
        return {"free": self.f_normalized <= RELEASED}


def coulomb_stribeck(
    coulomb: tg.Expression, stribeck: tg.Expression, decayed: tg.Expression, viscous: tg.Expression
) -> Any:
    """Friction of lubricated surfaces: a constant, what it takes more at slow sliding, and a part with the speed.

    `decayed` is the speed over that at which a third (1/e) of the Stribeck part is left.
    """
    return coulomb + stribeck * tg.exp(-decayed) + viscous
