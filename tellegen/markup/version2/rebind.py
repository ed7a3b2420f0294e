"""Other implementations in a document: references are names, so a part may become another component.

    <part name="motor" component="IdealMotor"/>   ->   <part name="motor" component="ComplexMotor"/>

Candidates are the components of the document that implement the same interface. Components on the way are copied, for
others may use them; numbers that the system gives are kept as far as the new component has the members.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tellegen.errors import BindingError, nearest
from tellegen.ir.source_location import here
from tellegen.xml.elements import Element, Text

_MEMBERS = ("parameter", "variable", "part", "port")


def rebound(root: Element, choices: Mapping[str, str]) -> Element:
    """A document with implementations chosen by path and name, outer ones first."""
    for path in sorted(choices, key=lambda path: path.count(".")):
        root = _Rebinding(root, path, choices[path]).document()
    return root


class _Rebinding:
    """One choice."""

    def __init__(self, root: Element, path: str, name: str) -> None:
        self.root = root
        self.path = path
        self.name = name
        self.components = {each.word("id"): each for each in root.all("component")}

    def document(self) -> Element:
        """The document, its model with the choice."""
        model = next(self.root.all("model"), None)
        if model is None or model.word("component") not in self.components:
            return self.root  # an error of the reader's
        steps = self.path.split(".")
        above, present = self._way(self.components[model.word("component")], steps)
        chosen = self._candidate(present)
        lost = _Lost(chosen)
        copies: list[Element] = []
        identifier = chosen.word("id")
        for depth in reversed(range(len(steps))):
            copy = lost.left_out_of(above[depth], ".".join(steps[depth:]))
            copy = self._copied(_with_part(copy, steps[depth], identifier), above[depth])
            copies.append(copy)
            identifier = copy.word("id")
        changed = lost.left_out_of(model, self.path)
        changed = replace(changed, attributes={**changed.attributes, "component": identifier})
        content = [changed if each is model else each for each in self.root.content]
        return replace(self.root, content=[*content, *copies])

    def _way(self, component: Element, steps: list[str]) -> tuple[list[Element], Element]:
        """The components on the way to a part, and the one it is now."""
        above: list[Element] = []
        for step in steps:
            parts = {part.word("name"): part.word("component") for part in component.all("part")}
            if step not in parts or parts[step] not in self.components:
                what = f"there is no part '{step}' on the way to '{self.path}'; {nearest(step, parts)}"
                raise BindingError("E803", what, location=here(), advice="paths lead from part to part: motor.armature")
            above.append(component)
            component = self.components[parts[step]]
        return above, component

    def _candidate(self, present: Element) -> Element:
        """The component that is chosen; E804 where the document has none of this name."""
        interface = present.word("interface", "")
        if not interface:
            what = f"'{self.path}' is not an interface, so nothing can be bound to it"
            raise BindingError("E803", what, location=here(), advice="bind the part above it, or one inside of it")
        fitting = [each for each in self.components.values() if each.word("interface", "") == interface]
        found = {each.word("implementation", ""): each for each in reversed(fitting)}
        if self.name not in found:
            what = f"the document has no implementation '{self.name}' of {interface}; {nearest(self.name, found)}"
            advice = "tg.write_markup(system, path, candidates=True) writes all of them"
            raise BindingError("E804", what, location=here(), advice=advice)
        return found[self.name]

    def _copied(self, changed: Element, original: Element) -> Element:
        """With an identifier of its own, under the same name."""
        identifier = original.word("id")
        number = 1
        while f"{identifier}~{number}" in self.components:
            number += 1
        own = {"id": f"{identifier}~{number}", "name": original.word("name", identifier)}
        copy = replace(changed, attributes={**changed.attributes, **own})
        self.components[own["id"]] = copy
        return copy


class _Lost:
    """Numbers for members that a component does not have."""

    def __init__(self, component: Element) -> None:
        self.known = {child.word("name").partition(".")[0] for child in component.all(*_MEMBERS)}

    def left_out_of(self, element: Element, path: str) -> Element:
        """An element without those for the part at a path."""
        return replace(element, content=[each for each in element.content if not self._concerns(each, path)])

    def _concerns(self, each: Element | Text, path: str) -> bool:
        if not isinstance(each, Element):
            return False
        of = each.word("of", "") if each.tag in ("set", "catalogue-part") else ""
        if each.tag == "catalogue-part":
            return of == path or of.startswith(f"{path}.")
        member = of.removeprefix(f"{path}.").partition(".")[0].partition("[")[0]
        return of.startswith(f"{path}.") and member not in self.known


def _with_part(component: Element, name: str, identifier: str) -> Element:
    """A component, one of its parts of another component."""
    content = [
        replace(each, attributes={**each.attributes, "component": identifier})
        if isinstance(each, Element) and each.tag == "part" and each.word("name") == name
        else each
        for each in component.content
    ]
    return replace(component, content=content)
