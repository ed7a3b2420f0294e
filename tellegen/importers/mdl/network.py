"""A configuration with all it contains, and the same without its hierarchy: primitives, and what drives them.

seeker_m.g.in[0]  <-  seeker_m.c1.out[0]      the output of a primitive
g.in[0]           <-  in[0]                   an input of the outermost configuration: the environment
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tellegen.importers.mdl.syntax import Port
from tellegen.importers.mdl.wiring import Drivers, Shape
from tellegen.ir.source_location import SourceLocation


@dataclass(frozen=True)
class Primitive:
    """A module that is code or a class: its ports, the inputs that its outputs depend on, and how one is made."""

    name: str
    shape: Shape
    inputs: tuple[str, ...]  # names of the ports of the component
    outputs: tuple[str, ...]
    states: int
    reads: frozenset[int]
    make: Callable[[], Any]

    def port(self, port: Port) -> str:
        """The name of a port in the component."""
        return (self.inputs if port.is_input else self.outputs)[port.number]


@dataclass(frozen=True)
class Network:
    """A configuration: its submodules by instance, and what drives their inputs and its own outputs."""

    name: str
    location: SourceLocation
    shape: Shape
    instances: dict[str, Primitive | Network]
    drivers: Drivers
    declared_feedthrough: bool | None

    def port(self, port: Port) -> str:
        """The name of a port in the component."""
        return port.name


@dataclass(frozen=True)
class Source:
    """Where a value comes from: an output of a primitive, or with an empty path an input of the environment."""

    path: str
    number: int

    def __str__(self) -> str:
        return f"{self.path}.out[{self.number}]" if self.path else f"in[{self.number}]"


@dataclass(frozen=True)
class Member:
    """A primitive (or a configuration taken as one module) in a flat network."""

    outputs: int
    states: int
    reads: frozenset[int]
    sources: tuple[Source, ...]  # of its inputs


@dataclass(frozen=True)
class FlatNetwork:
    """The members by path, and the sources of the outermost outputs."""

    name: str
    inputs: int
    members: dict[str, Member]
    outputs: tuple[Source, ...]


def flat(network: Network) -> FlatNetwork:
    """All primitives of a network, at any depth."""
    members: dict[str, Member] = {}
    for frames, instance, module in _primitives(network, ()):
        inputs = (Port(instance, True, k, network.location) for k in range(len(module.inputs)))
        sources = tuple(_source(network, frames, port) for port in inputs)
        members[".".join((*frames, instance))] = Member(len(module.outputs), module.states, module.reads, sources)
    outputs = (Port("", False, k, network.location) for k in range(len(network.shape.outputs)))
    sources = tuple(_source(network, (), port) for port in outputs)
    return FlatNetwork(network.name, len(network.shape.inputs), members, sources)


def one_level(network: Network, reads: Callable[[Network], frozenset[int]]) -> FlatNetwork:
    """The submodules of a network, a configuration counting as one of them; `reads` are the inputs it passes on."""
    members: dict[str, Member] = {}
    for instance, module in network.instances.items():
        inputs = (Port(instance, True, k, network.location) for k in range(len(module.shape.inputs)))
        sources = tuple(_near(network.drivers[port]) for port in inputs)
        inner = module.reads if isinstance(module, Primitive) else reads(module)
        members[instance] = Member(len(module.shape.outputs), _states(module), inner, sources)
    outputs = (Port("", False, k, network.location) for k in range(len(network.shape.outputs)))
    return FlatNetwork(
        network.name, len(network.shape.inputs), members, tuple(_near(network.drivers[port]) for port in outputs)
    )


def _near(driver: Port) -> Source:
    return Source(driver.instance, driver.number)


def _states(module: Primitive | Network) -> int:
    if isinstance(module, Primitive):
        return module.states
    return sum(_states(inner) for inner in module.instances.values())


def _primitives(network: Network, frames: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str, Primitive]]:
    for instance, module in network.instances.items():
        if isinstance(module, Primitive):
            yield frames, instance, module
        else:
            yield from _primitives(module, (*frames, instance))


def _at(network: Network, frames: tuple[str, ...]) -> Network:
    for instance in frames:
        inner = network.instances[instance]
        assert isinstance(inner, Network)
        network = inner
    return network


def _source(top: Network, frames: tuple[str, ...], port: Port) -> Source:
    """Follow a port to where its value is computed: into configurations, and out of them."""
    while True:
        driver = _at(top, frames).drivers[port]
        if not driver.instance:  # an input of the configuration: what drives that, one level up
            if not frames:
                return Source("", driver.number)
            port = Port(frames[-1], True, driver.number, driver.location)
            frames = frames[:-1]
            continue
        module = _at(top, frames).instances[driver.instance]
        if isinstance(module, Primitive):
            return Source(".".join((*frames, driver.instance)), driver.number)
        frames = (*frames, driver.instance)  # an output of a configuration: what drives it inside
        port = Port("", False, driver.number, driver.location)
