"""Mistakes that the mechanical graph shows before any number is known."""

from __future__ import annotations

from tellegen.errors import StructureError
from tellegen.flatten.mechanics.frames import Frames, Said
from tellegen.flatten.mechanics.tree import GROUND, SpanningTree


def check_graph(frames: Frames, tree: SpanningTree) -> None:
    """Joints inside one lump, and joints that hang on nothing."""
    for joint in tree.loops:
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
        location=components.location(joint.node, joint.instance),
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
        location=components.location(joint.node, joint.instance),
        advice=f"connect a frame of '{path}' to the World or to a body",
    )
