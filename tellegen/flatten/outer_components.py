"""The kinds of outer components, as each kind sees them: the nearest enclosing component with a child of that name."""

from __future__ import annotations

from tellegen.ir.model import Kind, Model

OuterKinds = dict[int, dict[str, Kind]]
"""By id(kind), then by the name of the outer component."""


def outer_kinds(model: Model) -> OuterKinds:
    """What every kind of a model means by the outer names in its statements and connections."""
    used = {id(kind): _names(kind) for kind in model.kinds()}
    everywhere = set().union(*used.values())
    found: OuterKinds = {id(kind): {} for kind in model.kinds()}
    if not everywhere:
        return found
    seen: set[tuple[int, ...]] = set()
    stack: list[tuple[Kind, dict[str, Kind]]] = [(model.root, {})]
    while stack:
        kind, around = stack.pop()
        key = (id(kind), *(id(around.get(name)) for name in sorted(everywhere)))
        if key in seen:
            continue
        seen.add(key)
        for name in used[id(kind)]:
            found[id(kind)].setdefault(name, around[name])  # a kind is another one where it sees other kinds
        inside = {**around, **{name: kind.groups[g].kind for name, (g, _) in kind.child_index.items()}}
        stack.extend((group.kind, inside) for group in kind.groups)
    return found


def _names(kind: Kind) -> set[str]:
    names = {ref.outer for stamp in kind.stamps for ref in stamp.refs}
    names |= {end.outer for connection in kind.connections for end in (connection.a, connection.b)}
    return names - {""}
