"""The AND-OR tree as a drawing in SVG: from left to right, interfaces as rounded boxes, implementations as boxes.

Edges to parts of a network are joined by an arc (AND); edges to alternatives are not (OR). The candidate bound now is
drawn with a strong border.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from tellegen.model_space.tree import Alternative, Slot

ROW = 34.0
GAP = 46.0
HEIGHT = 24.0
CHARACTER = 7.2
MOST = 300  # leaves that are drawn

STYLE = (
    "text{font:12px ui-sans-serif,system-ui,sans-serif;fill:#1d2733}"
    ".or{fill:#eef3fb;stroke:#4c6fa5}.and{fill:#fdf6e8;stroke:#b98a2e}.now{stroke-width:2.4}"
    ".edge,.arc{fill:none;stroke:#7c8894}.more{fill:#7c8894}"
)


@dataclass
class Node:
    """A box with what stands to the right of it."""

    label: str
    kind: str  # or, and, system, more
    children: list[Node] = field(default_factory=list)
    now: bool = False
    color: str = ""
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        """Room for the label."""
        return CHARACTER * len(self.label) + 16.0


def drawing(name: str, slots: Sequence[Slot], colors: Mapping[tuple[str, str], str]) -> str:
    """The SVG document."""
    builder = Builder(colors)
    root = Node(name, "system", builder.parts(slots, ""))
    columns = _columns(root)
    rows = _place(root, columns, 0, [0.0])
    width = max(sum(columns) + GAP * (len(columns) - 1), 1.0) + 20.0
    size = f"{width:.0f} {rows + 20.0:.0f}"
    body = "".join(_drawn(root))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 {size}" width="{width:.0f}" '
        f'height="{rows + 20.0:.0f}"><title>models of {escape(name)}</title><style>{STYLE}</style>{body}</svg>\n'
    )


class Builder:
    """Makes nodes until there are enough of them."""

    def __init__(self, colors: Mapping[tuple[str, str], str]) -> None:
        self.colors = colors
        self.leaves = 0

    def parts(self, slots: Sequence[Slot], above: str) -> list[Node]:
        """The nodes of the interfaces of a network."""
        return [self._slot(slot, f"{above}{slot.path}") for slot in slots]

    def _slot(self, slot: Slot, path: str) -> Node:
        children = [self._alternative(slot, one, path) for one in slot.alternatives]
        return Node(f"{slot.path}: {slot.interface}", "or", children)

    def _alternative(self, slot: Slot, one: Alternative, path: str) -> Node:
        if self.leaves >= MOST and one.parts:
            return Node(f"{one.name} ...", "more")
        children = self.parts(one.parts, f"{path}.")
        self.leaves += not children
        return Node(one.name, "and", children, one.name == slot.chosen, self.colors.get((path, one.name), ""))


def _columns(root: Node) -> list[float]:
    """The width of each level."""
    widths: list[float] = []
    level = [root]
    while level:
        widths.append(max(node.width for node in level))
        level = [child for node in level for child in node.children]
    return widths


def _place(node: Node, columns: list[float], depth: int, next_row: list[float]) -> float:
    """Set the places of a node and of what is right of it; returns the height used so far."""
    node.x = sum(columns[:depth]) + GAP * depth
    for child in node.children:
        _place(child, columns, depth + 1, next_row)
    if node.children:
        node.y = (node.children[0].y + node.children[-1].y) / 2.0
    else:
        node.y = next_row[0]
        next_row[0] += ROW
    return next_row[0]


def _drawn(node: Node) -> list[str]:
    found = []
    right = node.x + node.width
    middle = node.y + HEIGHT / 2.0
    for child in node.children:
        end = child.y + HEIGHT / 2.0
        bend = (right + child.x) / 2.0
        found.append(f'<path class="edge" d="M{right:.1f} {middle:.1f}C{bend:.1f} {middle:.1f} {bend:.1f} {end:.1f} ')
        found.append(f'{child.x:.1f} {end:.1f}"/>')
    if node.kind in ("and", "system") and len(node.children) > 1:
        reach = min(0.5 * (node.children[-1].y - node.children[0].y), HEIGHT)
        x = right + 0.35 * GAP
        found.append(f'<path class="arc" d="M{x:.1f} {middle - reach / 2:.1f}q8 {reach / 2:.1f} 0 {reach:.1f}"/>')
    for child in node.children:
        found += _drawn(child)
    kind = "or" if node.kind == "or" else "and"
    radius = 12 if node.kind == "or" else 2
    fill = f' style="fill:{escape(node.color, quote=True)}"' if node.color else ""
    if node.kind != "more":
        found.append(
            f'<rect class="{kind}{" now" if node.now else ""}" x="{node.x:.1f}" y="{node.y:.1f}" rx="{radius}" '
            f'width="{node.width:.1f}" height="{HEIGHT}"{fill}/>'
        )
    shade = ' class="more"' if node.kind == "more" else ""
    found.append(f'<text{shade} x="{node.x + 8:.1f}" y="{node.y + 16:.1f}">{escape(node.label)}</text>')
    return found
