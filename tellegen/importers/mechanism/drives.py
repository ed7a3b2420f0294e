"""What acts along the axis of a joint with one freedom: components of one-dimensional mechanics at its flange."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import tellegen as tg
from tellegen.importers.assembly.records import JointRecord
from tellegen.library import rotational, translational
from tellegen.network.mechanics.twists import REVOLUTE

Make = Callable[[], Any]


def resistances(joint: JointRecord) -> dict[str, tuple[Make, str | None]]:
    """Components at the flange of a joint by name: how they are made, and their pin for the support."""
    turning = joint.kind == REVOLUTE
    found: dict[str, tuple[Make, str | None]] = {}
    if joint.damping:
        damper = rotational.Damper if turning else translational.Damper
        found["damper"] = (lambda: damper(d=joint.damping), "flange_a")
    if joint.stiffness:
        found["spring"] = (_spring(joint, turning), "flange_a")
    if joint.friction:
        found["friction"] = (_friction(joint, turning), None)
    if joint.armature:
        found["rotor"] = (_rotor(joint, turning), None)
    return found


def _spring(joint: JointRecord, turning: bool) -> Make:
    if turning:
        return lambda: rotational.Spring(c=joint.stiffness, phi_rel0=joint.reference)
    return lambda: translational.Spring(c=joint.stiffness, s_rel0=joint.reference)


def _friction(joint: JointRecord, turning: bool) -> Make:
    if turning:
        return lambda: rotational.BearingFriction(tau_Coulomb=joint.friction)
    return lambda: translational.SupportFriction(F_Coulomb=joint.friction)


def _rotor(joint: JointRecord, turning: bool) -> Make:
    if turning:
        return lambda: rotational.Inertia(J=joint.armature)
    return lambda: translational.Mass(m=joint.armature)


class Follow(tg.Component):
    """q_b = multiplier q_a + offset, without losses; each side turns or slides."""

    a_turns = tg.parameter(True, structural=True, description="flange_a turns, else it slides")
    b_turns = tg.parameter(True, structural=True, description="flange_b turns, else it slides")
    multiplier = tg.parameter(1.0, description="what flange_b moves for what flange_a moves")
    offset = tg.parameter(0.0, description="where flange_b is while flange_a is at zero")

    def build(self) -> None:
        self.flange_a = rotational.Flange() if self.a_turns else translational.Flange()
        self.flange_b = rotational.Flange() if self.b_turns else translational.Flange()

    def equations(self) -> Iterator[Any]:
        q_a, effort_a = _pair(self.flange_a, self.a_turns)
        q_b, effort_b = _pair(self.flange_b, self.b_turns)
        yield q_b == self.multiplier * q_a + self.offset
        yield effort_a + self.multiplier * effort_b == 0


def _pair(flange: Any, turns: Any) -> tuple[Any, Any]:
    return (flange.phi, flange.tau) if turns else (flange.s, flange.f)
