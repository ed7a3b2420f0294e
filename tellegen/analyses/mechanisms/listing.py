"""What a mechanism shows of itself: tables of lumps and joints, and sentences about loops and freedoms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.sheet import Table

if TYPE_CHECKING:
    from tellegen.analyses.mechanisms.mechanism import Mechanism

_SHOWN = 40


def pages(mechanism: Mechanism) -> list[Table | str]:
    """Tables and paragraphs."""
    lumps = mechanism.lumps
    rows = [_lump_row(mechanism, k, members) for k, members in enumerate(lumps)]
    joints = [_joint_row(mechanism, k) for k in range(len(mechanism.map.links))]
    joints += [
        (loop.path, loop.motion, "", f"closes a loop over {_list(mechanism.loops[loop.path])}")
        for loop in mechanism.map.loops
    ]
    shown: list[Table | str] = [
        Table(("lump", "carried by", "mass [kg]", "members"), rows[:_SHOWN]),
        Table(("joint", "kind", "on lump", "coordinates"), joints[:_SHOWN]),
    ]
    if len(rows) > _SHOWN:
        shown.append(f"and {len(rows) - _SHOWN} lumps more")
    return [*shown, *_freedoms(mechanism)]


def _lump_row(mechanism: Mechanism, k: int, members: tuple[str, ...]) -> tuple[str, ...]:
    if k == 0:
        return "0", "", "", _list(("ground", *members))
    link = mechanism.map.links[k - 1]
    return str(k), link.path, f"{mechanism.mass_of_lump(k):.6g}", _list(members)


def _joint_row(mechanism: Mechanism, k: int) -> tuple[str, ...]:
    link = mechanism.map.links[k]
    own = [name for name in mechanism.coordinates if name.startswith(f"{link.path}.")]
    return link.path, f"{link.motion}, actuated" if link.actuated else link.motion, str(link.parent), _list(own)


def _freedoms(mechanism: Mechanism) -> list[str]:
    found = mechanism.freedoms()
    if not mechanism.map.loops:
        return [_degrees(found.left)]
    count = len(mechanism.constraints(mechanism.start).names)
    lines = [f"{_degrees(found.left)}: {found.tree} of the tree, less {found.rank} of {count} independent constraints"]
    if found.redundant:
        lines.append("these repeat others, so their forces are not determined: " + "; ".join(found.redundant))
    for joint, kept in mechanism.repeated.items():
        lines.append(f"{joint} repeats {kept}: both permit the same motion between the same two lumps")
    return lines


def _degrees(count: int) -> str:
    return f"{count} degree{'s' * (count != 1)} of freedom"


def _list(names: tuple[str, ...] | list[str], most: int = 6) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
