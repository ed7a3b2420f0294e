"""Mistakes that the mechanical graph shows before any number is known."""

from __future__ import annotations

from tellegen.errors import StructureError
from tellegen.flatten.mechanics.frames import Frames, Said
from tellegen.flatten.mechanics.tree import GROUND, SpanningTree
from tellegen.ir.mechanism import WELD


def check_graph(frames: Frames, tree: SpanningTree) -> None:
    """Joints inside one lump, joints that hang on nothing, and loops that hold nothing."""
    placed = {tree.lump_of.find(GROUND), *tree.by_child}
    for joint in tree.loops:
        if "cut" not in joint.what.parts:
            raise _nothing_to_hold(frames, joint)
        if not placed.issuperset(tree.lump_of.find(vertex) for vertex in joint.vertices):
            raise _nothing_there(frames, joint)
        a, b = (tree.lump_of.find(vertex) for vertex in joint.vertices)
        if a == b:
            raise _locked(frames, tree, joint, a)
    reached = {joint.said for joint in tree.joints} | set(tree.loops)
    for joint in frames.said.get("joint", ()):
        if joint not in reached:
            raise _loose(frames, joint)


def _locked(frames: Frames, tree: SpanningTree, joint: Said, lump: int) -> StructureError:
    components = frames.layout.tree
    path = joint.path(components)
    members = [said.path(components) for said in _rigid(frames) if tree.lump_of.find(said.vertices[0]) == lump]
    ground = "the world" if lump == tree.lump_of.find(GROUND) else "one rigid body"
    return StructureError(
        "E230",
        f"'{path}' cannot move: both of its frames belong to {ground}",
        location=components.users_location(joint.node, joint.instance),
        details=[f"rigidly connected are {', '.join(dict.fromkeys(members))}"],
        advice=f"connect one frame of '{path}' to another body, or remove the joint",
    )


def _rigid(frames: Frames) -> list[Said]:
    return [said for verb in ("world", "fixed", "mass", "rigid") for said in frames.said.get(verb, ())]


def _loose(frames: Frames, joint: Said) -> StructureError:
    components = frames.layout.tree
    path = joint.path(components)
    return StructureError(
        "E218",
        f"'{path}' is connected to nothing that has a place: neither to the World nor to a body",
        location=components.users_location(joint.node, joint.instance),
        advice=f"connect a frame of '{path}' to the World or to a body",
    )


def _nothing_there(frames: Frames, joint: Said) -> StructureError:
    components = frames.layout.tree
    path = joint.path(components)
    return StructureError(
        "E218",
        f"'{path}' is a constraint, and what it holds on one side has no place: neither a mass nor a joint",
        location=components.users_location(joint.node, joint.instance),
        advice="connect a body there, or replace the constraint by a joint with coordinates",
    )


def _nothing_to_hold(frames: Frames, joint: Said) -> StructureError:
    components = frames.layout.tree
    path = joint.path(components)
    if joint.what.motion == WELD:
        what = "the force in it is not determined: other sensors and rigid connections hold its frames together"
        advice = f"remove '{path}', or connect one of its frames elsewhere"
    else:
        what = "it permits every motion, and others say where its frames start"
        advice = f"remove '{path}'"
    return StructureError(
        "E239",
        f"'{path}' closes a loop in which nothing has to be held: {what}",
        location=components.users_location(joint.node, joint.instance),
        advice=advice,
    )
