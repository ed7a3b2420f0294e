"""The component of an assembly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import tellegen as tg
from tellegen.errors import warn_user
from tellegen.importers.assembly.records import JointRecord
from tellegen.importers.mechanism.plan import MOUNT, Plan, plan_of
from tellegen.library import multibody
from tellegen.network.mechanics.twists import REVOLUTE

if TYPE_CHECKING:
    from tellegen.importers.assembly.assembly import Assembly


class Mechanism(tg.Component):
    """An assembly: its parts and joints by name.

    Its ports are a frame `frame_NAME` for each part, a flange `axis_NAME` for each actuated joint, and `mount`.
    """

    assembly: ClassVar[Any] = None
    """The assembly it was made of."""
    parts: ClassVar[dict[str, str]] = {}
    """The child of each part of the assembly."""
    joints: ClassVar[dict[str, str]] = {}
    """The child of each joint."""
    _plan: ClassVar[Plan | None] = None
    _in_world: ClassVar[bool] = False

    def build(self) -> None:
        if self._plan is None:
            return
        for file in self.assembly.changed_files:
            warn_user(f"'{file}' has changed since it was read: assembly.refresh() shows what is different")
        for name, make in self._plan.children.items():
            setattr(self, name, make())
        for name, make in self._plan.ports.items():
            if not (self._in_world and name == MOUNT):
                setattr(self, name, make())
        if self._in_world:
            self.world = multibody.World(n=[0.0, 0.0, -1.0])

    def equations(self) -> Iterator[Any]:
        for child, joint in self._plan.limits if self._plan is not None else ():
            yield from self._within(getattr(self, child), joint)

    def _within(self, child: Any, joint: JointRecord) -> Iterator[Any]:
        q = child.phi if joint.kind == REVOLUTE else child.s
        unit = "rad" if joint.kind == REVOLUTE else "m"
        if joint.limits.lower is not None:
            text = f"'{joint.name}' is below its lower limit, {joint.limits.lower:.6g} {unit}"
            yield tg.assert_(q >= joint.limits.lower, text, warning=True)  # noqa: PT009
        if joint.limits.upper is not None:
            text = f"'{joint.name}' is above its upper limit, {joint.limits.upper:.6g} {unit}"
            yield tg.assert_(q <= joint.limits.upper, text, warning=True)  # noqa: PT009

    def connections(self) -> Iterator[Any]:
        for wire in self._plan.wires if self._plan is not None else ():
            yield tuple(self._end(child, port) for child, port in wire)

    def _end(self, child: str, port: str) -> Any:
        if child:
            return getattr(getattr(self, child), port)
        return self.world.frame_b if self._in_world and port == MOUNT else getattr(self, port)


RESERVED = frozenset(dir(Mechanism)) | {"world", MOUNT}


def component_of(assembly: Assembly, *, world: bool) -> Mechanism:
    """The component of an assembly; with a World of its own it can be simulated as it is."""
    reduced = assembly.checked()
    plan = plan_of(assembly.edited, reduced, RESERVED)
    body = {
        "assembly": assembly,
        "parts": plan.parts,
        "joints": plan.joints,
        "_plan": plan,
        "_in_world": world,
        "__doc__": f"The assembly {assembly.name}.",
        "__module__": __name__,
    }
    made = type(plan.free(assembly.name), (Mechanism,), body)
    return made()
