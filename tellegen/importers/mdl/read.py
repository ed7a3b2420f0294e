"""`tg.read_mdl`: the way in.

The binding of modules is imported when a file is read: components are written with the public names, and this function
is one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tellegen.errors import DocumentError, nearest, users_call, warn_user
from tellegen.importers.mdl.parse import parse
from tellegen.importers.mdl.syntax import ModuleDefinition
from tellegen.importers.mdl.tokens import read_text, remember
from tellegen.ir.source_location import here

if TYPE_CHECKING:
    from tellegen.importers.mdl.network import Network


@users_call
def read_mdl(
    path: str | Path | None = None,
    *,
    modules: Mapping[str, Any] | None = None,
    module: str | None = None,
    text: str | None = None,
) -> Any:
    """A configuration of an MDL file as a component class: ports in0, out0, ..., submodules by their names.

    Primitive modules are C files beside the file (`dcmotor.c`, written against tellegen_sbs.h), or component classes
    given in `modules` by name, whose inputs, outputs, states and parameters count in the order declared. `module` names
    the configuration; without it, that which no other contains. `text` is MDL as a string instead of a file.

    The class has `schedule()`, `algebraic_loops()`, `memory_map()` and `direct_inputs()` beside all that classes have.
    """
    from tellegen.importers.mdl.configuration import ConfigurationBuilder
    from tellegen.importers.mdl.library import Library

    if (path is None) == (text is None):
        raise DocumentError(
            "E860", "read_mdl needs a file or a string", location=here(), advice="tg.read_mdl('seeker.mdl')"
        )
    if isinstance(path, str) and any(sign in path for sign in "\n{;"):
        what = "MDL was given in the place of the path of a file"
        raise DocumentError("E860", what, location=here(), advice="tg.read_mdl(text='module ...')")
    file = str(path) if path is not None else remember(text or "")
    definitions = {found.name: found for found in parse(read_text(file) if path is not None else text or "", file)}
    _check_given(modules or {})
    library = Library(Path(file).parent if path is not None else Path(), definitions, modules or {})
    network = library.network(_chosen(definitions, module, file))
    for each in library.networks.values():
        _warn_of_feedthrough(each)
    made = ConfigurationBuilder().configuration(network)
    for loop in made.algebraic_loops():
        warn_user(f"{network.location}: {network.name} has an algebraic loop, solved by iteration: {loop}")
    return made


def _check_given(modules: Mapping[str, Any]) -> None:
    import tellegen as tg

    for name, cls in modules.items():
        if not (isinstance(cls, type) and issubclass(cls, tg.Component)):
            raise DocumentError(
                "E867",
                f"modules[{name!r}] is {cls!r}, not a component class",
                location=here(),
                advice="give classes: modules={'pid': PID}; C code by tg.c_component('pid.c')",
            )


def _chosen(definitions: dict[str, ModuleDefinition], module: str | None, file: str) -> ModuleDefinition:
    """The configuration that is asked for, or the only one that is outermost."""
    configurations = {name: found for name, found in definitions.items() if found.is_configuration}
    if module is not None:
        if module in configurations:
            return configurations[module]
        raise DocumentError(
            "E863",
            f"there is no configuration '{module}'; {nearest(module, configurations)}",
            location=here(),
            advice="name a module that 'isa configuration with'",
        )
    used = {sub.module for found in configurations.values() if found.body for sub in found.body.submodules}
    outermost = [found for name, found in configurations.items() if name not in used]
    if len(outermost) == 1:
        return outermost[0]
    names = ", ".join(found.name for found in outermost)
    location = next(iter(definitions.values())).location if definitions else here()
    raise DocumentError(
        "E863" if definitions else "E860",
        f"several configurations are outermost: {names}"
        if names
        else f"{Path(file).name} has no configuration that is outermost"
        if configurations
        else f"{Path(file).name} has no configuration",
        location=location,
        advice=f"name one: tg.read_mdl(..., module='{outermost[0].name}')"
        if names
        else "write module name isa configuration with ... endmodule;",
    )


def _warn_of_feedthrough(network: Network) -> None:
    """What a configuration declares against what follows from its connections."""
    from tellegen.importers.mdl.tasks import direct_inputs

    found = direct_inputs(network)
    declared = network.declared_feedthrough
    if declared is None or declared == bool(found):
        return
    if declared:
        what = "declares direct feed-through (dft true), but no output depends directly on an input"
    else:
        what = f"declares no direct feed-through (dft false), but outputs depend on in[{min(found)}]"
    warn_user(f"{network.location}: '{network.name}' {what}; what counts are the connections")
