"""The order in which the operators of modules run (thesis, section 2.3.2), direct feed-through, algebraic loops.

    level 0   g.outputs                       operators that need no output of another module
    level 1   g.out[0], g.out[1]              what they give
    level 2   pid.outputs, pid.derivatives    operators that need it

Every module has two operators. An input precedes the outputs only if the code reads it there, the derivatives always.
Outputs that depend on each other in a circle are one task: an algebraic loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tellegen.dataflow.code_loops import CodeLoop, shortest_round
from tellegen.dataflow.schedule import Schedule, Task
from tellegen.graph.small import strongly_connected
from tellegen.importers.mdl.network import FlatNetwork, Network, Source, flat, one_level


@dataclass(frozen=True)
class _Order:
    """Members by number, the outputs that each one's outputs need, and the circle each is part of."""

    paths: list[str]
    needs: list[list[int]]
    circle: list[int]

    @cached_property
    def circles(self) -> list[list[int]]:
        """The members of each circle, in the order of their first ones."""
        out: dict[int, list[int]] = {}
        for member, own in enumerate(self.circle):
            out.setdefault(own, []).append(member)
        return list(out.values())

    def is_loop(self, members: list[int]) -> bool:
        """Whether the outputs of a circle depend on themselves."""
        return len(members) > 1 or members[0] in self.needs[members[0]]


def schedule_of(network: Network, nested: bool = False) -> Schedule:
    """The schedule of all primitives; nested, of the submodules of the outermost configuration."""
    whole = one_level(network, direct_inputs) if nested else flat(network)
    order = _order(whole)
    levels = _levels(order)
    tasks = [*_output_tasks(whole, order, levels), *_derivative_tasks(whole, order, levels)]
    tasks.sort(key=lambda task: (task.level, task.operator == "derivatives"))
    return Schedule(network.name, tuple(tasks), tuple(_loops(whole, order)), ())


def direct_inputs(network: Network) -> frozenset[int]:
    """The inputs of a configuration that some of its outputs depend on directly."""
    whole = flat(network)
    seen: set[Source] = set()
    waiting = list(whole.outputs)
    while waiting:
        source = waiting.pop()
        if source not in seen:
            seen.add(source)
            member = whole.members.get(source.path)
            waiting += [member.sources[k] for k in member.reads] if member is not None else []
    return frozenset(source.number for source in seen if not source.path)


def loops_of(network: Network) -> list[CodeLoop]:
    """The algebraic loops of a configuration: the ports around each."""
    whole = flat(network)
    return _loops(whole, _order(whole))


def _order(whole: FlatNetwork) -> _Order:
    paths = list(whole.members)
    number = {path: k for k, path in enumerate(paths)}
    needs: list[list[int]] = []
    for member in whole.members.values():
        sources = (member.sources[k].path for k in sorted(member.reads))
        needs.append(list(dict.fromkeys(number[path] for path in sources if path)))
    return _Order(paths, needs, strongly_connected(needs))


def _levels(order: _Order) -> list[int]:
    """The level of each member's outputs; circles are numbered after those that they need."""
    level = [0] * (max(order.circle, default=-1) + 1)
    for member in sorted(range(len(order.paths)), key=order.circle.__getitem__):
        own = order.circle[member]
        before = [level[order.circle[other]] + 2 for other in order.needs[member] if order.circle[other] != own]
        level[own] = max([level[own], *before])
    return [level[own] for own in order.circle]


def _output_tasks(whole: FlatNetwork, order: _Order, levels: list[int]) -> list[Task]:
    out = []
    for members in order.circles:
        names = [order.paths[k] for k in members]
        gives = tuple(f"{name}.out[{k}]" for name in names for k in range(whole.members[name].outputs))
        read = [whole.members[name].sources[k] for name in names for k in sorted(whole.members[name].reads)]
        needs = tuple(dict.fromkeys(str(source) for source in read if str(source) not in gives))
        operator = "loop" if order.is_loop(members) else "outputs"
        out.append(Task(", ".join(names), operator, levels[members[0]], needs, gives, idle=not gives))
    return out


def _derivative_tasks(whole: FlatNetwork, order: _Order, levels: list[int]) -> list[Task]:
    level_of = dict(zip(order.paths, levels, strict=True))
    out = []
    for name, member in whole.members.items():
        level = max((level_of[source.path] + 2 for source in member.sources if source.path), default=0)
        needs = tuple(dict.fromkeys(map(str, member.sources)))
        gives = tuple(f"der({name}.x[{k}])" for k in range(member.states))
        out.append(Task(name, "derivatives", level, needs, gives, idle=not member.states))
    return out


def _loops(whole: FlatNetwork, order: _Order) -> list[CodeLoop]:
    out = []
    for members in filter(order.is_loop, order.circles):
        inside = set(members)
        users: dict[int, list[int]] = {k: [] for k in members}
        for member in members:
            for other in order.needs[member]:
                if other in inside:
                    users[other].append(member)
        path = [order.paths[k] for k in shortest_round(users, members[0])]
        out.append(CodeLoop(tuple(_ports(whole, path)), (), (), 0))
    return out


def _ports(whole: FlatNetwork, path: list[str]) -> list[str]:
    """a.out[0], b.in[1], b.out[0], a.in[0]: out of one module, into the next."""
    out = []
    for name, following in zip(path, [*path[1:], path[0]], strict=True):
        member = whole.members[following]
        used = next(k for k in sorted(member.reads) if member.sources[k].path == name)
        out += [str(member.sources[used]), f"{following}.in[{used}]"]
    return out
