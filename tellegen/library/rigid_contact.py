"""Rigid contact: bodies that bounce off each other at an instant, or lie against each other.

    apart       no force
    touching    no relative acceleration, and whatever force that takes, as long as it is a push

An impact reverses the speed at which the gap closes, v := -e v (Newton's law of restitution), and takes no time. Its
impulse acts on everything that moves with the bodies (docs/impulses.md). A rebound slower than `slow` is none, and the
bodies touch: otherwise the impacts of a bouncing ball would follow each other faster and faster, without end.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg


def contact(gap: Any, speed: Any, push: Any, e: Any, slow: Any) -> Any:
    """The modes of a contact: `speed` is the rate of the gap, a variable, and `push` what keeps it open."""
    closes = (gap <= 0.0) & (speed < 0.0)
    rebounds = -e * speed > slow
    return tg.modes(
        tg.mode("apart", push == 0.0),
        tg.mode("touching", tg.der(speed) == 0.0),
        tg.transition("apart", "apart", closes & rebounds, tg.reinit(speed, -e * tg.pre(speed))),
        tg.transition("apart", "touching", closes & ~rebounds, tg.reinit(speed, 0.0)),
        tg.transition("touching", "apart", push < 0.0),
    )
