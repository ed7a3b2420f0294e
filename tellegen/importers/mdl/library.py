"""All modules that a file knows: those it defines, those given by the user, and files beside it.

name  ->  a module of the file  ->  modules={"name": class}  ->  name.mdl beside the file  ->  name.c beside it
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tellegen.errors import DocumentError, nearest
from tellegen.importers.mdl.bind import Binder, Initial, of_class
from tellegen.importers.mdl.network import Network, Primitive
from tellegen.importers.mdl.parse import parse
from tellegen.importers.mdl.syntax import Body, Initialization, ModuleDefinition, Submodule
from tellegen.importers.mdl.tokens import read_text
from tellegen.importers.mdl.wiring import Around, Shape, Structure, drivers_of
from tellegen.importers.sbs.c_component import read_source
from tellegen.importers.sbs.source import CSource
from tellegen.ir.source_location import SourceLocation

_DEEPEST = 50  # configurations in each other
Implementation = CSource | type[Any]


@dataclass
class Library:
    """Definitions by name, implementations by name, and networks that were made already."""

    folder: Path
    definitions: dict[str, ModuleDefinition]
    given: Mapping[str, Implementation]
    binder: Binder = field(default_factory=Binder)
    networks: dict[str, Network] = field(default_factory=dict)

    def network(self, definition: ModuleDefinition, around: tuple[str, ...] = ()) -> Network:
        """A configuration with all it contains."""
        name = definition.name
        if name in around or len(around) > _DEEPEST:
            raise DocumentError(
                "E863",
                f"the configuration '{name}' contains itself: {' -> '.join((*around, name))}",
                location=definition.location,
                advice="a configuration may contain others, but not itself",
            )
        if name not in self.networks:
            self.networks[name] = self._made(definition, (*around, name))
        return self.networks[name]

    def _made(self, definition: ModuleDefinition, around: tuple[str, ...]) -> Network:
        body = definition.body
        if body is None:
            raise DocumentError(
                "E862",
                f"the configuration '{definition.name}' has no body",
                location=definition.location,
                advice="add submodules, connections and initialization, or write 'is' if it is a primitive module",
            )
        submodules = _by_instance(definition, body)
        initials = _initials(definition, body, submodules)
        self._check_open(body)
        instances = {name: self._instance(sub, initials[name], around) for name, sub in submodules.items()}
        interface = definition.interface
        counts = (interface.inputs, interface.outputs) if interface is not None else (0, 0)
        own = Shape(*((Structure(),) * count for count in counts))
        shapes = {name: module.shape for name, module in instances.items()}
        drivers = drivers_of(body, Around(definition.name, own, shapes, definition.location))
        declared = interface.feedthrough if interface is not None else None
        return Network(definition.name, definition.location, own, instances, drivers, declared)

    def _instance(self, submodule: Submodule, initial: Initial, around: tuple[str, ...]) -> Primitive | Network:
        definition = self.definition(submodule.module)
        if definition is not None and definition.is_configuration and submodule.module not in self.given:
            for said in (initial.states, initial.parameters):
                if said is not None:
                    raise DocumentError(
                        "E866",
                        f"'{submodule.instance}' is a configuration: {said.what} is for primitive modules",
                        location=said.location,
                        advice=f"initialize its submodules inside '{submodule.module}'",
                    )
            return self.network(definition, around)
        interface = definition.interface if definition is not None else None
        implementation = self.implementation(submodule.module)
        assert implementation is not None  # _check_open came first
        if isinstance(implementation, CSource):
            return self.binder.of_source(implementation, submodule, initial, interface)
        return of_class(implementation, submodule, initial, interface)

    def definition(self, name: str) -> ModuleDefinition | None:
        """The definition of a module, if there is one."""
        if name not in self.definitions and name not in self.given:
            file = self.folder / f"{name}.mdl"
            if file.is_file():
                for found in parse(read_text(file), str(file)):
                    self.definitions.setdefault(found.name, found)
        return self.definitions.get(name)

    def implementation(self, name: str) -> Implementation | None:
        """What a primitive module is bound to, if it is."""
        if name in self.given:
            return self.given[name]
        file = self.folder / f"{name}.c"
        return read_source(file, SourceLocation(str(file), 1)) if file.is_file() else None

    def _check_open(self, body: Body) -> None:
        """Every primitive has an implementation; the message lists all that have none."""
        missing: dict[str, Submodule] = {}
        for submodule in body.submodules:
            definition = self.definition(submodule.module)
            is_configuration = definition is not None and definition.is_configuration
            if definition is not None and not definition.is_configuration and definition.body is not None:
                raise DocumentError(
                    "E862",
                    f"the primitive module '{definition.name}' has a body",
                    location=definition.body.location,
                    advice="write 'isa configuration with' instead of 'is', or remove the body",
                )
            if not is_configuration and self.implementation(submodule.module) is None:
                missing.setdefault(submodule.module, submodule)
        if missing:
            raise self._open(missing)

    def _open(self, missing: dict[str, Submodule]) -> DocumentError:
        first = next(iter(missing.values()))
        listed = [
            f"{name}: {'declared, but without code' if name in self.definitions else 'not declared either'}, "
            f"needed by {submodule.instance} at {submodule.location}"
            for name, submodule in missing.items()
        ]
        close = nearest(first.module, [name for name in (*self.definitions, *self.given) if name not in missing])
        what = f"the module '{first.module}' has no implementation" + (f"; {close}" if "perhaps" in close else "")
        if len(missing) > 1:
            what = f"{len(missing)} modules have no implementation: {', '.join(missing)}"
        name = first.module
        return DocumentError(
            "E867",
            what,
            location=first.location,
            details=listed,
            advice=f"put {name}.c or {name}.mdl beside the file, or give a class:\n"
            f"tg.read_mdl(..., modules={{{name!r}: SomeComponent}})",
        )


def _by_instance(definition: ModuleDefinition, body: Body) -> dict[str, Submodule]:
    out: dict[str, Submodule] = {}
    for submodule in body.submodules:
        if submodule.instance in out:
            raise DocumentError(
                "E863",
                f"'{definition.name}' has two submodules '{submodule.instance}'",
                location=submodule.location,
                details=[f"first at {out[submodule.instance].location}"],
                advice="give one of them another name",
            )
        out[submodule.instance] = submodule
    return out


def _initials(definition: ModuleDefinition, body: Body, submodules: dict[str, Submodule]) -> dict[str, Initial]:
    """What is said of every instance, each thing once."""
    found: dict[tuple[str, str], Initialization] = {}
    for said in body.initializations:
        if said.instance not in submodules:
            raise DocumentError(
                "E863",
                f"'{definition.name}' has no submodule '{said.instance}'; {nearest(said.instance, submodules)}",
                location=said.location,
                advice="initialize a submodule of this configuration",
            )
        key = (said.what, said.instance)
        if key in found:
            raise DocumentError(
                "E866",
                f"{said.what} of '{said.instance}' is there twice",
                location=said.location,
                details=[f"first at {found[key].location}"],
                advice="remove one of them; several arrays are written {[1, 2], [3]}",
            )
        found[key] = said
    return {name: Initial(found.get(("setState", name)), found.get(("setParam", name))) for name in submodules}
