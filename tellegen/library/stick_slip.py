"""Dry friction with exact sticking: the statements that bearings, brakes and clutches share.

Dry friction is a set-valued law between the sliding velocity v and the friction force f: while v > 0 the force is
f = F(v), while v < 0 it is f = -F(-v), and while v = 0 it is whatever keeps the parts together, -H <= f <= H. As the
equations stand (v is a state and given), v = 0 would leave f without an equation. What decides between sticking and
sliding at v = 0 is the next moment, that is the acceleration a = dv/dt:

    a > 0 and f = F(0),   or   a = 0 and -H <= f <= H,   or   a < 0 and f = -F(0)

With a mode (1 forward, 0 stuck, -1 backward) this is one equation in the two unknowns a and f, whose structure is the
same in all modes, so that nothing has to be analysed again when the mode changes:

    stuck:    a = 0                    forward:    f = F(v)                    backward:    f = -F(-v)

(The states stay the same; a stuck velocity keeps the value it has, zero to rounding.) Each mode watches the quantity
that its equation leaves free, which is the path parameter along the curve of friction against acceleration:

    stuck     ->  forward    when f > H
    forward   ->  stuck      when v < 0 and a < 0
    stuck     ->  backward   when f < -H
    backward  ->  stuck      when v > 0 and a > 0

Both halves of "v < 0 and a < 0" matter: just after breaking loose v is zero up to a rounding of either sign, but
a > 0; in the middle of a slide a may have either sign, but v > 0. A velocity that something else made jump (an impact)
is no rounding: beyond v_small its sign alone decides. When a body comes to rest and cannot be held it goes from
forward over stuck to backward within one event, so the run neither chatters nor needs a regularized velocity.

In a network of several contacts the modes are found together by the event iteration. The idea of a curve parameter
for friction at the level of accelerations is that of Otter, Elmqvist and Mattsson, "Hybrid Modeling in Modelica based
on the Synchronous Data Flow Principle" (CACSD 1999).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import tellegen as tg

FREE = 2
"""The mode of a contact without normal force, and of every contact before the beginning."""

RELEASED = 1e-9
"""Normal forces up to this part of the largest one are none: a signal that rests at zero may do so with a rounding."""

_MARGIN = 1e-10  # of the holding force, and absolute: breaking loose is meant to be more than a rounding


@dataclass(frozen=True)
class Contact:
    """The quantities of one frictional contact. The force f resists motion in the direction of v."""

    mode: Any  # integer, starts at FREE
    v: Any  # sliding velocity
    a: Any  # its derivative
    f: Any  # friction force or torque
    sliding: Any  # |f| while sliding, a function of v
    holding: Any  # the largest |f| at rest
    v_small: Any  # velocities below are roundings of zero, above they have a direction


def direction(mode: Any) -> Any:
    """1 forward, -1 backward."""
    return tg.where(mode == -1, -1.0, 1.0)


def stick_slip(contact: Contact, free: Any = None, one_way: bool = False) -> Iterator[Any]:
    """The equation of the contact and that of its mode; see the top of this file.

    While the condition `free` holds there is no contact. With `one_way` nothing ever moves backward.
    """
    mode, v, a, f = contact.mode, contact.v, contact.a, contact.f
    yield tg.where(mode == 0, 1.0 * a, 1.0 * (f - direction(mode) * contact.sliding)) == 0
    up, down = _up(contact) > 0, _down(contact) < 0
    sign = tg.no_event(tg.where(v > 0, 1, tg.where(v < 0, 0 if one_way else -1, 0)))
    lower = 0 if one_way else -1
    step = tg.where(up, 1, 0) + tg.where(down, tg.where(tg.pre(mode) == 0, lower, -1), 0)
    touching = tg.where(tg.pre(mode) == FREE, sign, tg.pre(mode) + step)
    yield mode == (touching if free is None else tg.where(free, FREE, touching))


def _up(contact: Contact) -> Any:
    """Positive when the mode has to rise."""
    v, small = 1.0 * contact.v, 1.0 * contact.v_small
    too_much = 1.0 * (contact.f - contact.holding * (1.0 + _MARGIN)) - _MARGIN
    leaves_rest = tg.maximum(v - small, tg.minimum(too_much, v + small))
    comes_to_rest = tg.minimum(v, tg.maximum(1.0 * contact.a, v - small))
    return tg.where(contact.mode == 0, leaves_rest, tg.where(contact.mode == -1, comes_to_rest, -1.0))


def _down(contact: Contact) -> Any:
    """Negative when the mode has to fall: the mirror image of `_up`."""
    v, small = 1.0 * contact.v, 1.0 * contact.v_small
    too_much = 1.0 * (contact.f + contact.holding * (1.0 + _MARGIN)) + _MARGIN
    leaves_rest = tg.minimum(v + small, tg.maximum(too_much, v - small))
    comes_to_rest = tg.maximum(v, tg.minimum(1.0 * contact.a, v + small))
    return tg.where(contact.mode == 0, leaves_rest, tg.where(contact.mode == 1, comes_to_rest, 1.0))
