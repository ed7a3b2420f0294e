"""`tg.read_spice`: the way in.

The library is imported when a netlist is read: its components are written with the public names, and this function is
one of them.
"""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tellegen.errors import NetlistError, nearest, users_call
from tellegen.ir.model import Experiment
from tellegen.ir.source_location import here

ALL = "*"
"""Every node is a port."""


@users_call
def read_spice(
    path: str | Path | None = None,
    *,
    ports: Mapping[str, str] | Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    leave_out: Sequence[str] = (),
    text: str | None = None,
    subcircuit: str = "",
) -> Any:
    """A SPICE netlist as a component: elements by name (`r1.i`), potentials of nodes as `out.v` (node 3: `n3.v`).

    `ports` names nodes that become pins of the component: {"plus": "in"}, a list of nodes, or "*" for all of them. Node
    0 is grounded inside unless it is one of them. `subcircuit` names one that the file defines (`.subckt`): the
    component is that one alone, its nodes are the pins, and `parameters` gives values to its parameters. Otherwise
    `parameters` gives other values to `.param` names of the top level. `leave_out` names
    parameters of models whose effects the library does not have and you can do without. `text` is a netlist as a
    text instead of a file. As in SPICE, the first line is the title.

    `tg.simulate(circuit)` runs as `.tran` says: from the operating point, or with `uic` from the initial conditions.
    What is not understood is an error with its line; `circuit.notes` lists cards that do not matter here.
    """
    cls, _ = circuit_class(Netlist(path, text, dict(parameters or {}), tuple(leave_out), (), subcircuit), ports)
    return cls()


@dataclass(frozen=True)
class Netlist:
    """Where a netlist is, and what a user gives beside it."""

    path: str | Path | None
    text: str | None
    parameters: dict[str, float]
    leave_out: tuple[str, ...]
    changes: tuple[Any, ...] = ()  # of one run of .step or of a stage of the script
    subcircuit: str = ""  # the one that is meant, where it is not the whole
    stage: Any = None  # the one of the script that is meant, where it is not the first


def circuit_class(given: Netlist, ports: Mapping[str, str] | Sequence[str] = (), static: bool = False) -> Any:
    """The class of a netlist and its cards; a static one has sources with their DC values."""
    from tellegen.importers.spice.changes import apply
    from tellegen.importers.spice.circuit import Builder
    from tellegen.importers.spice.netlist.conditions import without_conditions
    from tellegen.importers.spice.netlist.deck import read_deck
    from tellegen.importers.spice.netlist.lines import read_text
    from tellegen.importers.spice.scripts.interpreter import add_scripts, choose

    if (given.path is None) == (given.text is None):
        raise NetlistError(
            "E508", "read_spice needs a file or a string", location=here(), advice="tg.read_spice('circuit.cir')"
        )
    lines = read_text(given.path, given.text)
    stepped = {change.name: change.value for change in given.changes if change.kind == "param"}
    numbers = {name.lower(): float(value) for name, value in given.parameters.items()}
    lines.lines = without_conditions(lines.lines, {**numbers, **stepped})
    stages = add_scripts(lines)
    if given.stage is not None:
        choose(lines, given.stage)
    deck = read_deck(lines)
    deck.stages = stages
    apply(deck, given.changes)
    scope = _scope(deck, given, numbers)
    left_out = frozenset(name.lower() for name in given.leave_out)
    settings = replace(_settings(deck, scope), left_out=left_out, static=static)
    if "temper" not in deck.top.parameters:
        scope.known["temper"] = settings.temperature
    if static or given.subcircuit:
        settings = replace(settings, ic=())  # .ic is about runs over time, and about the whole
    if left_out:
        names = ", ".join(given.leave_out)
        deck.notes.append(f"{deck.top.location}: the model parameters {names} are ignored, as requested")
    if ports == ALL:
        nodes = [node for node in Builder(deck.shared).circuit(scope, settings, {}).nodes if node != "0"]
        ports = {_attribute(node): node for node in nodes}
    chosen = _chosen(ports) if not given.subcircuit else _pins(scope.definition)
    builder = Builder((*deck.shared, *(["0"] if "0" in chosen else [])))
    cls = builder.circuit(scope, settings, chosen)
    if not builder.grounded and not chosen:
        advice = "call the reference 0 (or gnd), or give the netlist ports: tg.read_spice(..., ports=[...])"
        raise NetlistError("E506", "there is no ground node", location=deck.top.location, advice=advice)
    if not given.subcircuit:
        _check_nodes(cls, chosen, deck)
    cls.noiseless = tuple(builder.noiseless)
    cls.notes = (*deck.notes, *builder.notes)
    if not given.subcircuit:
        initial = None if settings.uic else "steady"
        cls._experiment = Experiment(settings.stop, initial, _shown(cls, deck), longest_step=settings.longest)
    return cls, deck


def _scope(deck: Any, given: Netlist, numbers: dict[str, float]) -> Any:
    """The names of the netlist, or of the subcircuit that is meant, with other values for parameters."""
    from tellegen.importers.spice.netlist.scope import Scope

    definition = deck.top
    if given.subcircuit:
        known = deck.top.subcircuits
        if given.subcircuit.lower() not in known:
            what = f"the netlist has no subcircuit '{given.subcircuit}'; {nearest(given.subcircuit.lower(), known)}"
            raise NetlistError("E508", what, location=here(), advice="name one that a .subckt card defines")
        definition = known[given.subcircuit.lower()]
    names = {**definition.parameters, **definition.defaults}
    for name in numbers:
        if name not in names:
            whole = definition is deck.top
            what = "the netlist has no .param" if whole else f"the subcircuit '{definition.name}' has no parameter"
            advice = "name one of the .param cards of the top level" if whole else "name one of its .subckt card"
            raise NetlistError("E508", f"{what} '{name}'; {nearest(name, names)}", location=here(), advice=advice)
    if definition is deck.top:
        return Scope(definition, None, numbers)
    return Scope(definition, Scope(deck.top, None, {}), numbers)


def _pins(definition: Any) -> dict[str, str]:
    """Names of pins for the nodes of a subcircuit."""
    from tellegen.importers.spice.circuit import free
    from tellegen.importers.spice.netlist.sheet import GROUND

    taken = set(definition.elements)
    found: dict[str, str] = {}
    for node in definition.nodes:
        name = "gnd" if node in GROUND else node
        found[name] = free(_attribute(name), taken)
        taken.add(found[name])
    return found


def _attribute(node: str) -> str:
    """A node as a name that can follow a dot: `in` is a word of Python, so it is `in_`."""
    from tellegen.importers.spice.circuit import identifier

    name = identifier(node)
    return f"{name}_" if keyword.iskeyword(name) else name


def _chosen(ports: Mapping[str, str] | Sequence[str]) -> dict[str, str]:
    """The name of the pin, by node."""
    from tellegen.importers.spice.circuit import Circuit, free, identifier
    from tellegen.importers.spice.netlist.sheet import GROUND

    if isinstance(ports, str):
        ports = [ports]
    named = ports if isinstance(ports, Mapping) else {identifier(node.lower()): node for node in ports}
    for name in named:
        if not name.isidentifier() or free(name, set()) != name or name.startswith("_"):
            what = f"'{name}' cannot name a port of {Circuit.__name__}"
            raise NetlistError("E508", what, location=here(), advice="choose another name: ports={'plus': 'in'}")
    nodes = [str(node).lower() for node in named.values()]
    return {"0" if node in GROUND else node: name for name, node in zip(named, nodes, strict=True)}


def _check_nodes(cls: Any, chosen: dict[str, str], deck: Any) -> None:
    """Ports and .ic are about nodes that exist."""
    for node, name in chosen.items():
        if name in cls._sheet.parts:
            what = f"the port '{name}' has the name of an element"
            raise NetlistError("E508", what, location=here(), advice="choose another name: ports={'plus': 'in'}")
        if node not in cls._sheet.wires:
            what = f"the netlist has no node '{node}'; {nearest(node, cls._sheet.wires)}"
            raise NetlistError("E508", what, location=here(), advice="ports={'name': 'node of the netlist'}")
    for node, _, location in deck.ic:
        ends = cls._sheet.wires.get(node, [])
        if all(part.startswith(("ic_", "ground_")) for part, _, _ in ends):
            what = f"there is no node '{node}'; {nearest(node, (other for other in cls._sheet.wires if other != node))}"
            raise NetlistError("E506", what, location=location, advice="name a node of the top level: .ic v(out)=1")


_SIZES = {"defw": "W", "defl": "L", "defad": "Ad", "defas": "As"}


def _settings(deck: Any, scope: Any) -> Any:
    """What .tran, .options, .temp and .ic say."""
    from tellegen.importers.spice.netlist.sheet import Settings

    options = {name: scope.value(*option) for name, option in deck.options.items()}
    nominal = options.get("tnom", 27.0)
    common: dict[str, Any] = {
        "temperature": options.get("temp", 27.0),
        "nominal_temperature": nominal,
        "gmin": options.get("gmin", 1e-12),
        "scale": options.get("scale", 1.0),
        "mosfet": tuple((_SIZES[name], options[name]) for name in _SIZES if name in options),
        "ic": _voltages(deck, scope),
    }
    if deck.tran is None:
        return Settings(**common)
    words = [word for word in deck.tran.words[1:] if word != "uic"]
    numbers = [scope.plain(word, deck.tran.location) for word in words]
    if not 2 <= len(numbers) <= 4 or deck.tran.pairs or not numbers[1] > 0.0:
        raise NetlistError(
            "E506",
            ".tran needs a step and a stop time",
            location=deck.tran.location,
            advice="write .tran 1u 10m, with uic to start from initial conditions",
        )
    if len(numbers) > 2 and numbers[2]:
        deck.notes.append(f"{deck.tran.location}: the output starts at 0, not at {numbers[2]:g} s")
    longest = numbers[3] if len(numbers) > 3 and numbers[3] > 0.0 else numbers[0]
    return Settings(**common, step=numbers[0], stop=numbers[1], longest=longest or None, uic="uic" in deck.tran.words)


def _voltages(deck: Any, scope: Any) -> tuple[tuple[str, float], ...]:
    """Of .ic; with uic those of .nodeset where .ic says nothing, as in SPICE. The last value of a node holds."""
    cards = [*deck.nodeset, *deck.ic] if deck.tran is not None and "uic" in deck.tran.words else deck.ic
    if deck.nodeset and cards is deck.ic:
        where = deck.nodeset[0][2]
        deck.notes.append(f"{where}: .nodeset is not used (initial guesses for the operating point)")
    return tuple({node: scope.value(text, location) for node, text, location in cards}.items())


def _shown(cls: Any, deck: Any) -> tuple[str, ...]:
    """What .print and its like name, as paths; without any, the potentials of all nodes."""
    paths = [f"{cls.nodes[name]}.v" for kind, name in deck.shown if kind == "v" and name in cls.nodes]
    paths += [
        f"{name}.i" for kind, name in deck.shown if kind == "i" and name in cls._sheet.parts and name[0] in "vilrc"
    ]
    return tuple(paths or [f"{name}.v" for node, name in cls.nodes.items() if node != "0"])
