"""What can only push, or only pull: backlash, gaps, end stops, the strands of a belt.

Two surfaces that overlap by the depth e (of rate e') push each other apart with c e + d e', as long as that is a push;
damping never holds together what wants to part:

    f = max(c e + d e', 0) while e > 0, else 0

At the first touch f jumps to d e', as it does for a damper beside a spring. Contact ends where f has come down to zero,
while e is still positive. What becomes heat is (f - c e) e': d e'^2 in contact, never negative.

ElastoGap and ElastoBacklash limit the damping to the force of the spring, as the Modelica library does:

    f = c e + min(max(d e', -c e), c e)

which begins at zero with the touch and ends there with it; limited_damping=False gives the law above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tellegen as tg


def law(limited: bool) -> Callable[..., Any]:
    """With damping that the spring limits, or without a limit but that nothing pulls."""
    return limited_push if limited else push


def push(depth: Any, rate: Any, c: Any, d: Any, bend: Any = None) -> Any:
    """The force of a one-sided spring with a damper beside it. Begin and end of the contact are events."""
    force = _spring(depth, c, bend) + d * rate
    return tg.where((depth > 0) & (force > 0), force, 0.0)


def limited_push(depth: Any, rate: Any, c: Any, d: Any, bend: Any = None) -> Any:
    """The same with damping that is no more than the spring, either way: it begins at zero, and is never a pull."""
    elastic = _spring(depth, c, bend)
    damped = tg.minimum(tg.maximum(d * rate, -elastic), elastic)
    return tg.where(depth > 0, elastic + damped, 0.0)


def spring(depth: Any, c: Any, bend: Any = None) -> Any:
    """The part of the spring, zero without contact. With bend = (n, e0) it is c e0 (e/e0)^n."""
    return tg.where(depth > 0, _spring(depth, c, bend), 0.0)


def _spring(depth: Any, c: Any, bend: Any) -> Any:
    """It continues beyond zero, as a pull: a step that looks ahead meets no kink, and the end of contact is a root."""
    if bend is None:
        return c * depth
    n, e0 = bend
    return c * depth * tg.maximum(abs(depth) / e0, 1e-300) ** (n - 1)
