"""The bytecode of this package and of those it rests on in one file: a start opens one file and not some hundreds.

Python looks for every module in folders, and opens, checks and reads a file for it: 0.15 ms, of which the code itself
needs a third. The archive is its files of bytecode (`__pycache__/*.pyc`) one after another, with an index. It stands
beside them, is written by the first program that imports much that is not in it, and a module is taken from it under
Python's own condition: size and time of its source are those that the bytecode was made from. The code of texts that
the package writes itself (methods of records) is kept by the text.

Modules of other packages (NumPy, LLVM) are taken only where their parent is the one that stands in the same folder as
when they were kept: which NumPy a program has is decided by Python, as ever.
"""

from __future__ import annotations

import _imp
import marshal
import mmap
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source
from types import CodeType, ModuleType

_HEADER = 16
"""Bytes before the code in a file of bytecode: magic number, flags, time and size of the source (PEP 552)."""
_FEW = 24
"""Modules that are imported in the usual way without writing a new archive: a developer changes a few at a time."""
_FACTS = tuple[int, int, bytes, str, str, bool]
"""Of a module: where its code is, how long, time and size of its source, source file, bytecode file, is a package."""
_LEFT_OUT: _FACTS = (0, 0, b"", "", "", False)
"""Of a module that is not made of a file of bytecode: Python finds it."""


class _ArchivedLoader(SourceFileLoader):
    """Python's loader of source files, with the code at hand."""

    def __init__(self, name: str, path: str, code: memoryview) -> None:
        super().__init__(name, path)
        self.code = code

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the module, with the name of its source file as it is found now.

        Bytecode that `compileall` wrote in another folder, or from a relative path, has another name in it.
        """
        if fullname != self.name:
            return super().get_code(fullname)
        code: CodeType = marshal.loads(self.code)
        if code.co_filename != self.path:
            _imp._fix_co_filename(code, self.path)  # type: ignore[attr-defined]  # as Python's own loader does
        return code


class ModuleArchive:
    """Finds the modules of a package in its archive (a finder of `sys.meta_path`)."""

    def __init__(self, package: str, folder: str, others: tuple[str, ...] = ()) -> None:
        """Of a package in a folder, and of other packages that it needs, wherever these are."""
        self.own = package + "."
        self.packages = (self.own, *(f"{other}." for other in others))
        self.path = os.path.splitext(cache_from_source(os.path.join(folder, "module_archive.py")))[0] + ".bin"
        self.key = MAGIC_NUMBER + folder.encode()
        self.modules: dict[str, _FACTS] = {}
        self.texts: dict[str, bytes] = {}
        self.new_texts: dict[str, bytes] = {}
        self.content = memoryview(b"")
        self.missed = 0  # modules that were looked for here in vain
        self._open()

    def _open(self) -> None:
        try:
            with open(self.path, "rb") as file:
                content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            begin = int.from_bytes(content[:8], "little")
            key, modules, texts = marshal.loads(content[8:begin])
        except (OSError, ValueError, EOFError, TypeError):
            return  # there is none, or it was cut off: Python finds the modules
        if key == self.key:
            self.modules = modules
            self.texts = texts
            self.content = content[begin:]

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module comes from; None for those of others, and where the source has changed."""
        facts = self.modules.get(name)
        if facts is None:
            self.missed += name.startswith(self.packages)
            return None
        begin, length, stamp, source, cached, is_package = facts
        if not length or not (name.startswith(self.own) or _is_inside(source, is_package, path)):
            return None
        if _stamp(source) != stamp:
            self.missed += 1
            return None
        loader = _ArchivedLoader(name, source, self.content[begin : begin + length])
        spec = ModuleSpec(name, loader, origin=source, is_package=is_package)
        spec.has_location = True
        spec.cached = cached
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(source)]
        return spec

    def compiled(self, text: str) -> CodeType:
        """The code of a text that this package wrote itself, such as that of a method."""
        found = self.texts.get(text)
        if found is not None:
            return marshal.loads(found)
        code = compile(text, "<string>", "exec")
        self.new_texts[text] = marshal.dumps(code)
        return code

    def write(self) -> None:
        """Write a new archive, where much of the package was not found here."""
        if sys.dont_write_bytecode or self.missed + len(self.new_texts) <= _FEW:
            return
        parts: list[bytes] = []
        modules: dict[str, _FACTS] = {}
        begin = 0
        known = [each for each in sys.modules if each.startswith(self.packages)]
        sources = {name: facts[3:] for name, facts in self.modules.items()} | {name: _files(name) for name in known}
        for name, (source, cached, is_package) in sources.items():
            stamp, code = _bytecode(source, cached)
            if code:
                modules[name] = (begin, len(code), stamp, source, cached, is_package)
                parts.append(code)
                begin += len(code)
            elif not source or not name.startswith(self.own):
                modules[name] = _LEFT_OUT
        index = marshal.dumps((self.key, modules, self.texts | self.new_texts))
        self._replace(b"".join([(8 + len(index)).to_bytes(8, "little"), index, *parts]))

    def _replace(self, content: bytes) -> None:
        """Write the file at once: others read it at any time."""
        unfinished = f"{self.path}.{os.getpid()}"
        try:
            with open(unfinished, "wb") as file:
                file.write(content)
            os.replace(unfinished, self.path)
        except OSError:
            return  # a folder that is not ours: Python finds the modules


def _stamp(source: str) -> bytes | None:
    """Time and size of a source file, as files of bytecode hold them."""
    try:
        found = os.stat(source)
    except OSError:
        return None
    return (int(found.st_mtime) & 0xFFFFFFFF).to_bytes(4, "little") + (found.st_size & 0xFFFFFFFF).to_bytes(4, "little")


def _is_inside(source: str, is_package: bool, path: Sequence[str] | None) -> bool:
    """Whether a source file stands where Python would look for it: first in the folder of its parent."""
    beside = os.path.dirname(source)
    folder = os.path.dirname(beside) if is_package else beside
    return path is not None and list(path)[:1] == [folder]


def _files(name: str) -> tuple[str, str, bool]:
    """Source and bytecode of an imported module, and whether it is a package; empty where it is not made of files."""
    spec = getattr(sys.modules[name], "__spec__", None)
    if spec is None or spec.origin is None or spec.cached is None or not isinstance(spec.loader, SourceFileLoader):
        return "", "", False
    return spec.origin, spec.cached, spec.submodule_search_locations is not None


def _bytecode(source: str, cached: str) -> tuple[bytes, bytes]:
    """Stamp and code of a file of bytecode; empty where it is not that of the source as it is."""
    try:
        with open(cached, "rb") as file:
            content = file.read()
    except OSError:
        return b"", b""
    is_stamped = content[:4] == MAGIC_NUMBER and content[4:8] == bytes(4)
    stamp = content[8:_HEADER]
    return (stamp, content[_HEADER:]) if is_stamped and stamp == _stamp(source) else (b"", b"")
