"""A configuration as a component class: submodules are children, ports are in0, in1, ..., out0, ..."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import tellegen as tg
from tellegen.dataflow.code_loops import CodeLoop
from tellegen.dataflow.schedule import Schedule
from tellegen.importers.mdl.memory_map import MemoryMap, memory_map_of
from tellegen.importers.mdl.network import Network
from tellegen.importers.mdl.syntax import Port
from tellegen.importers.mdl.tasks import direct_inputs, loops_of, schedule_of


class Configuration(tg.Component):
    """Base of configurations read from MDL."""

    _network: ClassVar[Network | None] = None
    _names: ClassVar[dict[str, str]] = {}  # of children, by instance

    def connections(self) -> Iterator[Any]:
        """What drives what."""
        if self._network is None:
            return
        for target, driver in self._network.drivers.items():
            yield self._port(driver), self._port(target)

    def _port(self, port: Port) -> Any:
        assert self._network is not None
        if not port.instance:
            return getattr(self, port.name)
        module = self._network.instances[port.instance]
        return getattr(getattr(self, self._names[port.instance]), module.port(port))

    @classmethod
    def schedule(cls, nested: bool = False) -> Schedule:
        """The order in which outputs and derivatives of all primitive modules are computed, on levels.

        Nested, configurations inside count as one module each, as they are run by themselves.
        """
        return schedule_of(_of(cls), nested)

    @classmethod
    def algebraic_loops(cls) -> list[CodeLoop]:
        """The ports around each algebraic loop."""
        return loops_of(_of(cls))

    @classmethod
    def memory_map(cls) -> MemoryMap:
        """The address of every output, and the addresses at which inputs look."""
        return memory_map_of(_of(cls))

    @classmethod
    def direct_inputs(cls) -> tuple[str, ...]:
        """The inputs that outputs depend on directly: inferred, whatever is declared."""
        return tuple(f"in{k}" for k in sorted(direct_inputs(_of(cls))))


def _of(cls: type[Configuration]) -> Network:
    assert cls._network is not None, "of a configuration that was read"
    return cls._network


class ConfigurationBuilder:
    """Makes the class of every network once, so that a configuration used many times is compiled once."""

    def __init__(self) -> None:
        self._made: dict[str, type[Configuration]] = {}

    def configuration(self, network: Network) -> type[Configuration]:
        """The class of a network."""
        if network.name not in self._made:
            self._made[network.name] = self._build(network)
        return self._made[network.name]

    def _build(self, network: Network) -> type[Configuration]:
        ports = {f"in{k}": tg.input() for k in range(len(network.shape.inputs))}
        ports |= {f"out{k}": tg.output() for k in range(len(network.shape.outputs))}
        names: dict[str, str] = {}
        children = {}
        for instance, module in network.instances.items():
            names[instance] = _free(instance, {*ports, *names.values()})
            made = self.configuration(module)() if isinstance(module, Network) else module.make()
            children[names[instance]] = made
        body = {**ports, **children, "_network": network, "_names": names, "__doc__": f"The module {network.name}."}
        made = type(network.name, (Configuration,), {**body, "__module__": __name__})
        made._info.location = network.location
        return made


def _free(name: str, taken: set[str]) -> str:
    """The name, with a letter before it or underscores after it if it cannot name a child."""
    name = name if not name.startswith("_") else f"m{name}"
    while name in taken or hasattr(Configuration, name):
        name += "_"
    return name
