"""LLVM IR text to machine code in this process, with the objects kept on disk.

The same text gives the same object on the same machine, and the text of a model does not depend on how many
components it has, so the second compilation of a model (or of a larger one of its kind) is a file read.
Files (see tellegen/kept/files.py) carry a checksum: LLVM would end the process on a damaged object, so a damaged file
counts as none and is written again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from tellegen.cache import cache_folder
from tellegen.engine.native.extents import EXTENTS
from tellegen.engine.native.waiting_for_code import waiting_for_code
from tellegen.ir.program import Module
from tellegen.kept.files import keep, kept

KEPT_FILES = 4000
LOOKED_AFTER = "0"
"""First digits of names after which room is made: names are hashes, and to list the folder takes half a millisecond."""

_LEFT_OUT = ("loop_vectorization", "slp_vectorization", "loop_unrolling")
"""Loops gather through index tables: vectors make them slower (320 against 190 us for 80 000 rows) and take a third of
the time to compile."""

_HERE = os.path.dirname(__file__)
_ENGINE = os.path.dirname(_HERE)
_RUNTIME_SOURCES = (
    _HERE,
    *(
        os.path.join(_ENGINE, "runtime", room)
        for room in (
            *("", "coefficients", "algebra", "events", "events/past"),
            *("impulses", "one_step", "instance", "sundials"),
        )
    ),
    os.path.join(os.path.dirname(_ENGINE), "procedures"),
)
"""The folders whose Python files write the code of the runtime; plain paths, for pathlib takes half as long again."""


class MachineCode:
    """Loaded code; the addresses hold as long as this object lives."""

    def __init__(self, modules: tuple[Module, ...]) -> None:
        self._engines: list[Any] = []
        self.addresses: dict[str, int] = {}
        with waiting_for_code():
            for module in modules:
                self._add(_object(module), module.functions)

    def _add(self, binary: bytes, functions: Iterable[str]) -> None:
        engine = _load(binary)
        self._engines.append(engine)
        self.addresses.update({name: engine.get_function_address(name) for name in functions})


def runtime_code(name: str, make: Callable[[], Module]) -> MachineCode:
    """Code that is the same for all models, written by the Python code of engine/runtime/.

    Writing its text alone takes tens of milliseconds, so the object is found by the sources of that folder instead.
    """
    with waiting_for_code():
        folder = _folder()
        return MachineCode((make(),)) if folder is None else _kept_runtime(folder, name, make)


def _kept_runtime(folder: Path, name: str, make: Callable[[], Module]) -> MachineCode:
    _target()
    digest = hashlib.sha256(repr((name, *llvm.llvm_version_info, *_host(), digest_of_runtime())).encode())
    path = folder / f"{name}-{digest.hexdigest()}.o"
    found = _taken.get(path.name) or kept(path)
    if found is None:
        module = make()
        found = ",".join(module.functions).encode() + b"\n" + _object(module)
        _keep(path, found)
    _runtimes[path.name] = found
    names, _, binary = found.partition(b"\n")
    code = MachineCode(())
    code._add(binary, names.decode().split(","))
    return code


@cache
def digest_of_runtime() -> str:
    """Of the Python files that write the code of the runtime."""
    digest = hashlib.sha256()
    for sources in _RUNTIME_SOURCES:
        for source in sorted(file for file in os.listdir(sources) if file.endswith(".py")):
            with open(os.path.join(sources, source), "rb", buffering=0) as file:
                digest.update(file.read())
    return digest.hexdigest()


def code_of_this_process(module: Module) -> MachineCode:
    """Code that holds addresses of this process, so it is not kept on disk."""
    code = MachineCode(())
    with waiting_for_code():
        code._add(_compile(module), module.functions)
    return code


def _folder() -> Path | None:
    """Where objects are kept; nowhere while bounds are checked: that code holds addresses of this process."""
    return cache_folder() if EXTENTS is None else None


@cache
def _target() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple()


@cache
def _on_arm() -> bool:
    """Where llvmlite loads code by a memory manager of its own; it would import `platform` to find out, 3 ms."""
    return llvm.get_default_triple().startswith(("aarch64", "arm64"))


@cache
def _host() -> tuple[str, str]:
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def _machine(optimize: int) -> Any:
    cpu, features = _host()
    return _target().create_target_machine(cpu=cpu, features=features, opt=optimize, jit=True)


def _object(module: Module) -> bytes:
    """The compiled object, from the cache when it is there."""
    _target()
    stamp = (*llvm.llvm_version_info, *_host(), *_LEFT_OUT, module.optimize, module.text)
    key = hashlib.sha256(repr(stamp).encode()).hexdigest()
    folder = _folder()
    if folder is None:
        return _compile(module)
    path = folder / f"{key}.o"
    binary = _found(path)
    if binary is None:
        binary = _compile(module)
        _keep(path, binary)
    return binary


_in_use: dict[str, None] = {}  # names of the objects of models that this process has loaded, the latest last
_runtimes: dict[str, bytes] = {}  # loaded once and used by all models: few and small, so they are held here
_taken: dict[str, bytes] = {}  # what another process has compiled, by the same names
_MOST_SENT = 16_000_000


def objects_in_use() -> dict[str, bytes]:
    """The objects that this process has loaded, by names that say all they depend on.

    Of models those loaded last, up to 16 MB, as far as their files are still there; runtimes always, for every model
    needs one, and their files are among the first that are removed. A process elsewhere that takes them compiles
    nothing. On another processor their names are others, and it compiles.
    """
    folder = _folder()
    if folder is None:
        return {}
    found = dict(_runtimes)
    room = _MOST_SENT
    for name in reversed(tuple(_in_use)):
        binary = _taken.get(name) or kept(folder / name)
        if binary is not None and len(binary) <= room:
            found[name] = binary
            room -= len(binary)
    return found


def take_objects(objects: Mapping[str, bytes]) -> None:
    """Load these where they are asked for; see objects_in_use."""
    _taken.update(objects)


def compilations() -> int:
    """How many modules this process has compiled."""
    return _compilations


_compilations = 0


def _found(path: Path) -> bytes | None:
    """An object that was compiled before, elsewhere or here."""
    _in_use.pop(path.name, None)
    _in_use[path.name] = None
    return _taken.get(path.name) or kept(path)


def _keep(path: Path, binary: bytes) -> None:
    if keep(path, binary) and path.name[0] in LOOKED_AFTER:
        _make_room(path.parent)


def _make_room(folder: Path) -> None:
    """Forget the objects that were written first when there are too many."""
    with suppress(OSError):
        if len(os.listdir(folder)) > KEPT_FILES:
            files = folder.glob("*.o")
            for old in sorted(files, key=lambda file: file.stat().st_mtime)[: KEPT_FILES // 4]:
                old.unlink(missing_ok=True)


def cached_object(stamp: tuple[object, ...], make: Callable[[], bytes]) -> bytes:
    """What was made under the same stamp, in this version of LLVM, from the cache if it is there."""
    path = _path_of(stamp)
    if path is None:
        return make()
    known = kept(path)
    if known is None:
        known = make()
        _keep(path, known)
    return known


def _path_of(stamp: tuple[object, ...]) -> Path | None:
    """Where what is made under a stamp is kept, if anything is."""
    folder = _folder()
    if folder is None:
        return None
    key = hashlib.sha256(repr((*llvm.llvm_version_info, *stamp)).encode()).hexdigest()
    return folder / f"{key}.o"


def _compile(module: Module) -> bytes:
    global _compilations
    _compilations += 1
    return emitted(module, _machine(module.optimize), _target().triple)


def emitted(module: Module, machine: Any, triple: str) -> bytes:
    """The object of a module for a machine of LLVM."""
    parsed = llvm.parse_assembly(module.text)
    parsed.triple = triple
    parsed.data_layout = str(machine.target_data)
    parsed.verify()  # LLVM ends the process on code it cannot select: better a Python error here
    options = llvm.create_pipeline_tuning_options(speed_level=module.optimize)
    for tuning in _LEFT_OUT:
        setattr(options, tuning, False)
    builder = llvm.create_pass_builder(machine, options)
    if module.optimize > 1:
        builder.getModulePassManager().run(parsed, builder)
    elif module.optimize == 1:
        _brief_passes().run(parsed, builder)
    return machine.emit_object(parsed)


def _brief_passes() -> Any:
    """For long code that is run little, such as the loops of an integrator: the few passes that matter.

    They take a fifth of the time of LLVM's first level (12 against 43 ms for ODE mode), and the code is as fast.
    """
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_new_gvn_pass()
    passes.add_instruction_combine_pass()
    passes.add_loop_rotate_pass()
    passes.add_simplify_cfg_pass()
    return passes


def _load(binary: bytes) -> Any:
    empty = llvm.parse_assembly("")
    engine = llvm.create_mcjit_compiler(empty, _machine(0), _on_arm())
    engine.remove_module(empty)  # LLVM would generate code for it, which takes longer than to load the object
    engine.add_object_file(llvm.ObjectFileRef.from_data(binary))
    engine.finalize_object()
    return engine
