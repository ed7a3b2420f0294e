"""`tellegen sync MODEL`: the assemblies of a model, read again from their files."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from rich.console import Console

import tellegen as tg
from tellegen.cli.target import Target, TargetError, import_file


def answer(text: str, console: Console) -> None:
    """Compare every assembly with its files, print what is different, and keep the new version where one is kept."""
    target = Target.parse(text)
    if target.file.suffix.lower() == ".json":
        found = [tg.Assembly.load(target.file)]
    else:
        found = assemblies_of(import_file(target.file))
    if not found:
        raise TargetError(
            f"{target.file.name} uses no assembly\ntg.read_urdf, tg.read_mjcf and tg.read_step return one"
        )
    for assembly in found:
        console.print(synchronized(assembly), soft_wrap=True, highlight=False, markup=False)


def synchronized(assembly: tg.Assembly) -> str:
    """What is different about an assembly, as text."""
    files = ", ".join(stamp.path for stamp in assembly.files)
    if assembly.origin is None:
        return f"{assembly.name}: written in the model itself"
    if assembly.saved_as is None:
        return f"{assembly.name}: read from {files} at every start"
    missing = [stamp.path for stamp in assembly.files if not Path(stamp.path).is_file()]
    if missing:
        return f"{assembly.name}: {', '.join(missing)} is missing; {assembly.saved_as} is used as it is"
    was_changed = bool(assembly.changed_files)
    changes = assembly.refresh()
    if not changes and not was_changed:
        return f"{assembly.name}: in step with {files}"
    assembly.save(assembly.saved_as)
    if not changes:
        return f"{assembly.name}: {files} was written again, with the same parts and joints\nwrote {assembly.saved_as}"
    return f"{changes}\nwrote {assembly.saved_as}"


def assemblies_of(module: ModuleType) -> list[tg.Assembly]:
    """The assemblies that a file has as names, or that its components are made of."""
    values = list(vars(module).values())
    found = [value for value in values if isinstance(value, tg.Assembly)]
    for value in values:
        if isinstance(value, type) and issubclass(value, tg.Component):
            made_of = (getattr(type(child), "assembly", None) for child in value._info.children.values())
            found += [assembly for assembly in made_of if isinstance(assembly, tg.Assembly)]
    return list({id(assembly): assembly for assembly in found}.values())
