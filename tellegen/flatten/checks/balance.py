"""Otter's counting rule for every component: equations = unknowns - through variables.

Inputs and parameters are known; a differentiated variable stands for its derivative; the surroundings supply one
equation for every through variable of a port. A composite gets the equations of its ports from the connections
inside. The rule is local, so the error names the component to blame and not the whole system.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import StructureError, UnbalancedClassError
from tellegen.flatten.signals import mentioned_inputs
from tellegen.graph.incidence import incidence
from tellegen.graph.matching import match
from tellegen.ir.expressions.expr import Der, Slot
from tellegen.ir.expressions.template import WhenTemplate
from tellegen.ir.model import Array, Kind, Stamp, Variable
from tellegen.ir.show.statements import show_template
from tellegen.start.records import dataclass

MATCHED = 5000  # scalars up to which the culprit is searched


@dataclass
class Count:
    """What a component has and needs."""

    unknowns: int
    through: int
    equations: int
    joined: int  # equations that connections inside give to the component's own ports

    @property
    def missing(self) -> int:
        """Equations too few (positive) or too many (negative)."""
        return self.unknowns - self.through - self.equations - self.joined


def is_unknown(variable: Variable) -> bool:
    """Whether a component has to determine a variable, by an equation or through a port."""
    return variable.role not in ("input", "inflow") and not variable.initial_parameter


def count(kind: Kind) -> Count:
    """The counts of a kind."""
    unknowns = sum(v.size for v in kind.variables if is_unknown(v))
    through = sum(v.size for v in kind.variables if v.role == "through")
    rows = sum(stamp.rows for stamp in kind.stamps if stamp.section == "equation")
    assigned = {key for stamp in kind.stamps if stamp.section == "when" for key in _assigned(stamp)}
    driven = {(ref.path, ref.member, int(e)) for ref in mentioned_inputs(kind) for e in ref.elements}
    return Count(unknowns + len(driven), through, rows + len(assigned), _joined(kind))


def _assigned(stamp: Stamp) -> list[tuple[Any, ...]]:
    template = stamp.template
    assert isinstance(template, WhenTemplate)
    return [(r.path, r.member, int(e)) for s in template.assigned() for r in [stamp.refs[s]] for e in r.elements]


def _joined(kind: Kind) -> int:
    """Equations for own port variables that the connections inside supply."""
    seen: dict[int, set[int]] = {}
    for connection in kind.connections:
        for end in (connection.a, connection.b):
            if end.group < 0 and not end.outer:
                seen.setdefault(end.port, set()).update(end.elements.tolist())
    total = 0
    for q, elements in seen.items():
        port = kind.ports[q]
        for v in port.variables:
            variable = kind.variables[v]
            if variable.role in ("across", "stream", "output"):
                total += len(elements) * (variable.size // port.count)
    return total


def check_balance(kind: Kind) -> None:
    """Raise E201 or E202 when a kind has too few or too many equations."""
    _refuse_second_when(kind)
    counted = count(kind)
    if counted.missing == 0:
        return
    few = counted.missing > 0
    needed = counted.unknowns - counted.through
    have = counted.equations + counted.joined
    details = [
        f"{needed} equations are needed: {counted.unknowns} unknowns minus {counted.through} through variables",
        f"there are {have}: {counted.equations} of its own"
        + (f", {counted.joined} from connections inside" if counted.joined else ""),
    ]
    details += _suspects(kind, counted.missing)
    error = UnbalancedClassError(
        "E201" if few else "E202",
        f"{kind.name} has {'too few' if few else 'too many'} equations: {have} instead of {needed}",
        location=kind.location,
        details=details,
        advice=_advice(kind, counted, few),
    )
    error.missing = counted.missing
    raise error


def _refuse_second_when(kind: Kind) -> None:
    """E206: a variable takes its value from one when-statement, or nobody knows which of two wins."""
    first: dict[tuple[Any, ...], Stamp] = {}
    for stamp in kind.stamps:
        for key in set(_assigned(stamp)) if stamp.section == "when" else ():
            other = first.setdefault(key, stamp)
            if other is not stamp:
                name = kind.variables[key[1]].element_name(key[2]) if not key[0] else "a variable of a child"
                raise StructureError(
                    "E206",
                    f"'{name}' of {kind.name} is assigned by two when clauses",
                    location=stamp.template.location,
                    details=[f"{show_template(s.template)}   at {s.template.location}" for s in (other, stamp)],
                    advice="combine them: tg.when(a, ...).elsewhen(b, ...)",
                )


def _advice(kind: Kind, counted: Count, few: bool) -> str:
    if few:
        text = f"add {counted.missing} equation{'s' if counted.missing > 1 else ''} to equations() of {kind.name}"
        return text + "; quantities given from outside are parameters or inputs, not variables"
    text = (
        f"remove {-counted.missing} equation{'s' if counted.missing < -1 else ''}, or declare the variable that "
        "it should determine"
    )
    if any(stamp.section == "when" and _assigned(stamp) for stamp in kind.stamps):
        text += ";\nat an event a state is reinitialized by tg.reinit(x, value), not by x == value"
    return text


def _mentioned(kind: Kind) -> list[str]:
    """Inputs of parts that equations of a kind mention, and so have to determine."""
    names = []
    for ref in mentioned_inputs(kind):
        groups = []
        inner = kind
        for number in ref.path:
            groups.append(inner.groups[number])
            inner = groups[-1].kind
        variable = inner.variables[ref.member]
        which = int(ref.elements[0]) // variable.size
        path = [variable.name]
        for group in reversed(groups):
            path.append(group.child_name(which % group.size))
            which //= group.size
        names.append(".".join(reversed(path)))
    return [f"{name} (an equation that mentions an input of a part replaces its default)" for name in names]


def _suspects(kind: Kind, missing: int) -> list[str]:
    """The variables no equation is left for, or the equations that say too much about the same variables."""
    columns = {(k, e): 0 for k, v in enumerate(kind.variables) if is_unknown(v) for e in range(v.size)}
    columns = {key: number for number, key in enumerate(columns)}
    stamps = [stamp for stamp in kind.stamps if stamp.section == "equation"]
    if len(columns) > MATCHED or sum(stamp.rows for stamp in stamps) > MATCHED:
        return []
    rows = _incidence(kind, stamps, columns)
    labels: list[Stamp | None] = [stamp for stamp in stamps for _ in range(stamp.rows)]
    labels += [s for s in kind.stamps if s.section == "when" for p, m, e in _assigned(s) if not p and (m, e) in columns]
    labels += [None] * (len(rows) - len(labels))
    pairs = [(r, c) for r, row in enumerate(rows) for c in row]
    shape = (len(rows), len(columns))
    of_row = match(incidence([row for row, _ in pairs], [column for _, column in pairs], shape))
    if missing < 0:
        return _shown_equations(kind, [labels[r] for r in _rows_too_many(rows, of_row)])
    names = {number: kind.variables[k].element_name(e) for (k, e), number in columns.items()}
    uses = np.bincount([c for row in rows for c in row], minlength=len(columns))
    # the variable that was forgotten is most often the one that stands in the fewest equations
    reached = sorted(_alternating(rows, of_row, len(columns)), key=lambda c: ("." in names[c], uses[c], c))
    found = [names[c] for c in reached] or _mentioned(kind)
    shown = f"{', '.join(found[:8])}{' ...' if len(found) > 8 else ''}"
    return [f"no equation is left for {missing} of: {shown}"] if len(found) > missing else [f"no equation for: {shown}"]


def _rows_too_many(rows: list[list[int]], of_row: Array) -> list[int]:
    """Rows reachable from unmatched ones by alternating paths: the over-determined part (Dulmage-Mendelsohn)."""
    row_of = {int(c): r for r, c in enumerate(of_row) if c >= 0}
    reached = dict.fromkeys(r for r, c in enumerate(of_row) if c < 0)
    stack = list(reached)
    while stack:
        for c in rows[stack.pop()]:
            r = row_of.get(c)
            if r is not None and r not in reached:
                reached[r] = None
                stack.append(r)
    return list(reached)


def _shown_equations(kind: Kind, stamps: list[Stamp | None]) -> list[str]:
    own = {id(stamp): stamp for stamp in stamps if stamp is not None}
    order = sorted(own.values(), key=lambda stamp: stamp.template.owner != kind.name)  # the class at fault first
    shown = [f"  {show_template(stamp.template)}   at {stamp.template.location}" for stamp in order[:8]]
    return [f"{'these are redundant together' if len(order) > 1 else 'this is redundant'}:", *shown] if shown else []


def _incidence(kind: Kind, stamps: list[Stamp], columns: dict[tuple[int, int], int]) -> list[list[int]]:
    """The own variables in each own equation, and in the equations that surroundings and connections supply."""
    rows: list[list[int]] = []
    for stamp in stamps:
        used = {n.index for n in stamp.template.nodes if isinstance(n, (Slot, Der))}
        for r in range(stamp.rows):
            row = []
            for s, ref in enumerate(stamp.refs):
                if s in used and not ref.parameter and not ref.path and not ref.outer:
                    element = int(ref.elements[r if len(ref.elements) > 1 else 0])
                    if (ref.member, element) in columns:
                        row.append(columns[ref.member, element])
            rows.append(row)
    for stamp in kind.stamps:
        if stamp.section == "when":
            rows += [[columns[m, e]] for path, m, e in _assigned(stamp) if not path and (m, e) in columns]
    joined = {c.port for con in kind.connections for c in (con.a, con.b) if c.group < 0 and not c.outer}
    for q, port in enumerate(kind.ports):
        both = [columns[v, e] for v in port.variables for e in range(kind.variables[v].size) if (v, e) in columns]
        flows = sum(kind.variables[v].size for v in port.variables if kind.variables[v].role == "through")
        supplied = len(both) if q in joined else flows
        rows += [both] * supplied
    return rows


def _alternating(rows: list[list[int]], of_row: Array, count: int) -> set[int]:
    """Columns reachable from unmatched ones by alternating paths: the under-determined part (Dulmage-Mendelsohn)."""
    row_of = {int(c): r for r, c in enumerate(of_row) if c >= 0}
    users: dict[int, list[int]] = {}
    for r, row in enumerate(rows):
        for c in row:
            users.setdefault(c, []).append(r)
    reached = {c for c in range(count) if c not in row_of}
    stack = list(reached)
    while stack:
        for r in users.get(stack.pop(), ()):
            c = int(of_row[r])
            if c >= 0 and c not in reached:
                reached.add(c)
                stack.append(c)
    return reached
