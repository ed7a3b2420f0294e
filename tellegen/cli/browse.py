"""`tellegen browse FILE`, `tellegen space MODEL`: what a document, a catalogue or a system of interfaces is made of.

Green is an interface without an implementation, grey a model whose parameters are open, pink a realized part.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

import tellegen as tg
from tellegen.ir.model import ChildGroup, Kind, Model
from tellegen.markup.version1.library import MarkupDocument
from tellegen.markup.version1.records import Component, Implementation, Interface

ABSTRACT = "green"
GENERIC = "grey62"
REALIZED = "pink1"


def answer(file: Path, console: Console) -> None:
    """Print the tree of a file."""
    if file.suffix.lower() != ".xml":
        console.print(_catalogue(file))
        return
    found = tg.read_markup(file)
    console.print(_model(found) if isinstance(found, Model) else _document(found, file))


def _label(name: str, style: str, rest: str = "") -> Text:
    return Text.assemble((name, style), rest)


def _document(found: MarkupDocument, file: Path) -> Tree:
    """Interfaces with their implementations, then the components of a catalogue."""
    tree = Tree(Text(file.name))
    definitions = found.document.definitions
    implementations = [one for one in definitions if isinstance(one, Implementation)]
    interfaces = [one for one in definitions if isinstance(one, Interface)]
    branches: dict[str, Tree] = {}
    for one in interfaces:
        has_some = any(other.interface == one.ident for other in implementations) or one.implementations is not None
        style = GENERIC if has_some else ABSTRACT
        sort = "" if one.super_type == "null" else f" <: {one.super_type}"
        branches[one.ident] = tree.add(_label(one.ident, style, f"{sort}  interface"))
    for one in implementations:
        if one.interface not in branches:
            branches[one.interface] = tree.add(_label(one.interface, GENERIC, "  interface of another document"))
        default = "  default" if one.is_default else ""
        branch = branches[one.interface].add(_label(one.ident, GENERIC, f"  implementation{default}"))
        _components(branch, [part for part in one.declarations if isinstance(part, Component)], GENERIC)
    _components(tree, found.document.components, REALIZED)
    return tree


def _components(tree: Tree, components: Iterable[Component], style: str) -> None:
    for one in components:
        values = ", ".join(f"{binding.formal}={binding.actual}" for binding in one.parameters)
        chosen = f" -> {one.bound.name}" if one.bound else ""
        numbers = f"  ({values})" if values else ""
        branch = tree.add(_label(one.name, style, f": {one.interface}{chosen}{numbers}"))
        if one.bound:
            _components(branch, one.bound.components, style)
        for candidate in one.candidates:
            mark = "  default" if candidate.is_default else ""
            _components(branch.add(_label(f"or {candidate.name}", "", mark)), candidate.components, style)


def _model(model: Model) -> Tree:
    tree = Tree(_label(model.name, REALIZED, f": {model.root.name}"))
    _parts(tree, model.root)
    return tree


def _parts(tree: Tree, kind: Kind) -> None:
    for group in kind.groups:
        for name in _names(group):
            bound = f" -> {group.kind.implementation}" if group.kind.implementation else ""
            label = _label(name, REALIZED, f": {group.kind.interface or group.kind.name}{bound}")
            _parts(tree.add(label), group.kind)


def _names(group: ChildGroup) -> list[str]:
    return [f"{group.names[0]}[{group.size}]"] if group.is_array else list(group.names)


def _catalogue(file: Path) -> Tree:
    """The parts of a catalogue by the interface they implement."""
    tree = Tree(Text(file.name))
    branches: dict[Any, Tree] = {}
    for part in tg.catalogue(file):
        name = getattr(part.interface, "__name__", part.interface)
        if name not in branches:
            branches[name] = tree.add(_label(name, GENERIC))
        branches[name].add(_label(part.name, REALIZED))
    return tree


def answer_space(component: Any, svg: Path | None, json: Path | None, console: Console) -> None:
    """Print the tree of a system's interfaces and their implementations, and write it to the files asked for."""
    found = tg.model_space(component)
    console.print(str(found), soft_wrap=True, highlight=False, markup=False)
    if svg is not None:
        found.svg(svg)
    if json is not None:
        found.save(json)
