"""Dry friction with exact sticking: the statements that bearings, brakes and clutches share.

Dry friction is a set-valued law between the sliding velocity v and the friction force f: while v > 0 the force is
f = F(v), while v < 0 it is f = -F(-v), and while v = 0 it is whatever keeps the parts together, -H <= f <= H. As the
equations stand (v is a state and given), v = 0 would leave f without an equation. What decides between sticking and
sliding at v = 0 is the next moment, that is the acceleration a = dv/dt:

    a > 0 and f = F(0),   or   a = 0 and -H <= f <= H,   or   a < 0 and f = -F(0)

With a mode (1 forward, 0 stuck, -1 backward) this is one equation in the two unknowns a and f, whose structure is the
same in all modes, so that nothing has to be analysed again when the mode changes:

    stuck:    a = 0                    forward:    f = F(v)                    backward:    f = -F(-v)

(The states stay the same; a stuck velocity keeps the value it has, zero to rounding.) What the equation of a mode
leaves free runs along the curve of f against a: a path parameter s, as for an ideal diode. It says which mode is right:

    s = f if stuck, H + a if forward, a - H if backward:     forward where s > H, backward where s < -H, else stuck

A mode is right if it agrees with the s that is computed with it. This is the rule at rest. A contact that slides has no
choice: it continues until its velocity changes sign, and only then sticks. So the previous mode decides which it is:

    was forward:     slides on while v >= 0, or a > 0 and v > -v_small
    was backward:    slides on while v <= 0, or a < 0 and v < v_small
    was stuck:       slides only if |v| > v_small

v_small distinguishes roundings of zero from a velocity that something else (an impact) has made jump: just after
breaking loose v is zero up to a rounding of either sign, but a > 0. When a body stops and cannot be held its
mode goes from forward to backward within one event. So the run neither chatters nor needs a regularized velocity.

In a network of several contacts the modes are found together by the event iteration. Where more contacts than it takes
hold one rigid body, as many stick as it takes; the others stay where sliding ends, with a = 0 and the force of the
slowest sliding, which is one of the ways in which they can share the load. The idea of a path parameter for
friction at the level of accelerations is that of Otter, Elmqvist and Mattsson, "Hybrid Modeling in Modelica based on
the Synchronous Data Flow Principle" (CACSD 1999).
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

_MARGIN = 1e-10  # of the holding force, and absolute: breaking loose and stopping are meant to be more than a rounding
_TINY = 1e-300  # a contact that has just been made slides at any velocity but zero


@dataclass(frozen=True)
class Contact:
    """The quantities of one frictional contact. The force f resists motion in the direction of v."""

    mode: Any  # integer, starts at FREE
    v: Any  # sliding velocity
    a: Any  # its derivative
    f: Any  # friction force or torque
    sliding: Any  # |f| while sliding, a function of v (and of the mode, where the sides differ)
    holding: Any  # the largest f at rest, above which it slides forward
    v_small: Any  # velocities below are roundings of zero, above they have a direction
    holding_back: Any = None  # the largest -f at rest; that of the other side if not given
    free: Any = False  # while this condition holds there is no contact
    bars_forward: Any = False  # while this holds nothing moves forward: a stop, or the pawl of a freewheel
    bars_backward: Any = False  # the same backward


def speed_ahead(mode: Any, v: Any) -> Any:
    """The speed in the direction in which a contact slides, zero if v has another one.

    At a stop the direction turns round before the velocity is gone: friction has to be that of a motion which begins.
    """
    return tg.maximum(tg.where(mode == -1, -1.0, 1.0) * v, 0.0)


def stick_slip(contact: Contact) -> Iterator[Any]:
    """The equation of the contact and that of its mode; see the top of this file."""
    mode = contact.mode
    direction = tg.where(mode == -1, -1.0, 1.0)
    yield tg.where(mode == 0, 1.0 * contact.a, 1.0 * (contact.f - direction * contact.sliding)) == 0
    forward = _unless(contact.bars_forward, _slides(contact, 1) >= 0)
    backward = _unless(contact.bars_backward, _slides(contact, -1) >= 0)
    rests = ~_either(forward, backward)
    up = _unless(contact.bars_forward, tg.where(rests, _path(contact, 1), -1.0) > 0)
    down = _unless(contact.bars_backward, tg.where(rests, _path(contact, -1), -1.0) > 0)
    touching = _first((forward, 1), (backward, -1), (up, 1), (down, -1))
    yield mode == _first((contact.free, FREE), otherwise=touching)


def _unless(barred: Any, condition: Any) -> Any:
    """`condition & ~barred`; a side that is barred always or never leaves no trace in the equations."""
    if barred is False or barred is True:
        return False if barred else condition
    return condition & ~barred


def _either(one: Any, other: Any) -> Any:
    """`one | other`, where either may be False."""
    return one if other is False else other if one is False else one | other


def _first(*cases: tuple[Any, int], otherwise: tg.Expression = 0) -> Any:
    """The value of the first case whose condition holds; cases that are False leave no trace."""
    for condition, value in reversed(cases):
        otherwise = otherwise if condition is False else tg.where(condition, value, otherwise)
    return otherwise


def _slides(contact: Contact, side: int) -> Any:
    """Not negative if it slides to that side (1 forward, -1 backward), at rest or against it otherwise."""
    v = side * 1.0 * contact.v
    small = 1.0 * contact.v_small
    before = tg.pre(contact.mode)
    leaves_zero = tg.where(contact.mode == side, side * 1.0 * contact.a + _MARGIN, -1.0)
    slid = tg.maximum(v, tg.minimum(leaves_zero, v + small))
    return tg.where(before == side, slid, v - tg.where(before == FREE, _TINY, small))


def _path(contact: Contact, side: int) -> Any:
    """How far the path parameter s is beyond the corner on that side (s > H, or s < -H); positive if it is.

    A contact that has just been made begins as one that slides forward: like that every contact can begin, while those
    that would hold one body together cannot.
    """
    holding = contact.holding if side == 1 or contact.holding_back is None else contact.holding_back
    too_much = 1.0 * (side * contact.f - holding * (1.0 + _MARGIN)) - _MARGIN
    moves_on = side * 1.0 * contact.a + _MARGIN
    opposite = contact.mode == -1 if side == 1 else contact.mode != -1
    return tg.where(contact.mode == 0, too_much, tg.where(opposite, -1.0, moves_on))
