"""A start in a blink: what is imported, and when. Seconds are measured by benchmarks/start.py."""

from __future__ import annotations

import ast
import json
import math
import os
import subprocess
import sys
from compileall import compile_dir
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import module_from_spec
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

import tellegen as tg
from tellegen.start.lazy_package import LAZY
from tellegen.start.module_archive import ModuleArchive
from tellegen.start.modules_on_use import run_on_use
from tellegen.start.scattered import scattered

ROOT = Path(__file__).resolve().parent.parent
HEAVY = {"dask", "llvmlite", "matplotlib", "multiprocessing", "pandas", "pint", "scipy", "sympy", "xarray"}
AT_THE_TERMINAL = {"rich", "typer"}

IMPORT = "import tellegen"
LIBRARY = """
import importlib, pkgutil, tellegen.library
for module in pkgutil.walk_packages(tellegen.library.__path__, "tellegen.library."):
    importlib.import_module(module.name)
"""
HELP = """
import sys
from tellegen.cli import main
sys.argv = ["tellegen", "--help"]
try:
    main()
except SystemExit as end:
    assert end.code == 0
"""
SIMULATE = """
import tellegen as tg
from tellegen.start.lazy_package import LAZY
from tellegen.library import electrical as el

class Circuit(tg.Component):
    source = el.StepVoltage(V=12.0)
    r = el.Resistor(R="2.2 kohm")
    c = el.Capacitor(C="1 uF")
    beside = el.Capacitor(C="1 nF")
    ground = el.Ground()
    y = tg.variable()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.c.p, self.beside.p
        yield self.c.n, self.beside.n, self.source.n, self.ground.p

    def equations(self):
        yield self.y == tg.interpolate(tg.time, [0.0, 0.01, 0.01, 0.02], [0.0, 0.0, 1.0, 1.0])

solution = tg.simulate(Circuit(), stop="20 ms")
assert abs(solution["c.v"][-1] - 12.0) < 0.01
"""
FINALIZERS = """
import os
import tellegen

class Kept:
    def __init__(self):
        self.me = self

class Speaking(Kept):
    def __del__(self, write=os.write):
        write(1, b"deleted")

{make}
"""
ARTISTS = """
import inspect, json
from matplotlib.artist import Artist

def described(cls):
    found = {cls.__qualname__: [inspect.getdoc(cls.set), str(inspect.signature(cls.set))]}
    for derived in cls.__subclasses__():
        found |= described(derived)
    return found

json.dump(described(Artist), open("artists.json", "w"))
"""


def modules_after(code: str, folder: Path) -> set[str]:
    """The modules that a fresh interpreter has imported when it is done with a program."""
    program = folder / "program.py"
    list_modules = "import json, sys\njson.dump(sorted(sys.modules), open('modules.json', 'w'))\n"
    program.write_text(code + "\n" + list_modules)
    run_in(folder, program)
    return set(json.loads((folder / "modules.json").read_text()))


def run_in(folder: Path, program: Path) -> str:
    """What a program writes in an interpreter of its own."""
    return subprocess.run([sys.executable, str(program)], check=True, cwd=folder, capture_output=True, text=True).stdout


def packages(modules: set[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules}


def test_import_loads_the_language_and_nothing_heavy(tmp_path: Path) -> None:
    modules = modules_after(IMPORT, tmp_path)
    assert not packages(modules) & (HEAVY | AT_THE_TERMINAL)
    assert sum(module.startswith("tellegen") for module in modules) <= 58
    later = ("tellegen.engine", "tellegen.analyses", "tellegen.animation")
    assert not {module for module in modules if module.startswith(later)}


def test_the_library_loads_nothing_heavy(tmp_path: Path) -> None:
    assert not packages(modules_after(LIBRARY, tmp_path)) & (HEAVY | AT_THE_TERMINAL)


def test_help_needs_no_model(tmp_path: Path) -> None:
    modules = modules_after(HELP, tmp_path)
    assert not packages(modules) & HEAVY
    assert {module for module in modules if module.startswith("tellegen.cli")} == {
        "tellegen.cli",
        "tellegen.cli.app",
        "tellegen.cli.answers",
        "tellegen.cli.target",
    }


def test_a_plain_run_loads_what_it_needs(tmp_path: Path) -> None:
    modules = modules_after(SIMULATE, tmp_path)
    assert not packages(modules) & ((HEAVY | AT_THE_TERMINAL) - {"llvmlite", "scipy"})
    parts = {"integrate", "interpolate", "linalg", "optimize", "signal", "sparse", "spatial", "special", "stats"}
    assert not modules & {f"scipy.{part}" for part in parts}
    assert not modules & {"html", "lzma", "numpy.ma", "numpy.random", "subprocess", "uuid"}
    assert sum(module.startswith("tellegen") for module in modules) <= 580
    assert {module for module in modules if module.startswith("tellegen.analyses")} == {
        "tellegen.analyses",
        "tellegen.analyses.simulate",
    }


def test_modules_come_from_the_archive_while_their_sources_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    folder = tmp_path / "archived_package"
    folder.mkdir()
    names = ["archived_package", *(f"archived_package.part{k}" for k in range(30))]
    (folder / "__init__.py").write_text("")
    for name in names[1:]:
        (folder / f"{name.partition('.')[2]}.py").write_text(f"NAME = {name!r}\ndef where(): ...\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = ModuleArchive("archived_package", str(folder))
    assert all(before.find_spec(name) is None for name in names)
    with monkeypatch.context() as elsewhere:
        elsewhere.chdir(tmp_path)
        compile_dir("archived_package", quiet=2)  # bytecode with relative names of files
    for name in names:
        import_module(name)
    before.write()
    archive = ModuleArchive("archived_package", str(folder))
    for name in names[1:]:
        spec = archive.find_spec(name)
        assert spec is not None
        assert spec.origin == sys.modules[name].__file__
        assert spec.cached == sys.modules[name].__cached__
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        assert name == module.NAME
        assert module.where.__code__.co_filename == sys.modules[name].__file__
        monkeypatch.delitem(sys.modules, name)
    (folder / "part3.py").write_text("NAME = 'another text'\n")
    (folder / "part4.py").unlink()
    assert archive.find_spec("archived_package.part3") is None
    assert archive.find_spec("archived_package.part4") is None
    assert archive.find_spec("archived_package.other") is None
    Path(archive.path).write_bytes(Path(archive.path).read_bytes()[:100])
    assert not ModuleArchive("archived_package", str(folder)).modules


def test_other_packages_come_from_the_archive_where_their_parents_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which package of another name a program has, the path decides; the archive knows its modules in one place."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    own = tmp_path / "owner"
    own.mkdir()
    folder = tmp_path / "archived_other"
    folder.mkdir()
    names = [f"archived_other.part{k}" for k in range(30)]
    for file in ("__init__", *(name.partition(".")[2] for name in names)):
        (folder / f"{file}.py").write_text("")
    (folder / "built_in.py").write_text("__spec__ = None\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = ModuleArchive("owner", str(own), ("archived_other",))
    monkeypatch.setattr(sys, "meta_path", [before, *sys.meta_path])
    (own / "__pycache__").mkdir()
    for name in (*names, "archived_other.built_in"):
        import_module(name)
    before.write()
    archive = ModuleArchive("owner", str(own), ("archived_other",))
    spec = archive.find_spec(names[0], [str(folder)])
    assert spec is not None
    assert spec.origin == str(folder / "part0.py")
    assert archive.find_spec(names[0], [str(tmp_path / "elsewhere"), str(folder)]) is None
    assert archive.find_spec(names[0]) is None
    assert archive.find_spec("archived_other.built_in", [str(folder)]) is None
    assert archive.missed == 0  # all that can be kept is kept


def test_modules_that_are_run_on_use_are_ordinary_ones_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "seldom_used.py").write_text(
        "import sys\nruns = getattr(sys, 'seldom', 0) + 1\nsys.seldom = runs\n"
        "early = hasattr(sys.modules[__name__], 'late')\nlate = 1\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "seldom", 0, raising=False)
    run_on_use("seldom_used", "there_is_none", "json")
    monkeypatch.delitem(sys.modules, "seldom_used", raising=False)
    run_on_use("seldom_used")
    module = import_module("seldom_used")
    assert vars(sys)["seldom"] == 0
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: module.late, range(8))) == [1] * 8
    assert (module.runs, module.early) == (1, False)
    assert type(module) is ModuleType
    assert import_module("json") is json
    with pytest.raises(AttributeError, match="has no attribute 'never'"):
        _ = module.never


def test_threads_of_linear_algebra_wait_for_work_in_short_loops_unless_the_user_decided() -> None:
    """They begin with NumPy, and by themselves would take 55 ms of a core before they sleep."""
    name = "OPENBLAS_THREAD_TIMEOUT"
    shown = f"import tellegen, os; print(os.environ[{name!r}])"
    for given, expected in (({}, "22"), ({name: "26"}, "26")):
        others = {key: value for key, value in os.environ.items() if key != name}
        done = subprocess.run([sys.executable, "-c", shown], env=others | given, capture_output=True, check=True)
        assert done.stdout.decode().strip() == expected


def test_functions_imported_later_become_themselves_when_they_are_called() -> None:
    text = """
from tellegen.start.later import later
with later():
    from tellegen.start.scattered import scattered as numbers
    from math import sin
"""
    names: dict[str, Any] = {"__name__": "importer"}
    exec(text, names)
    assert names["sin"] is math.sin
    assert names["numbers"] is not scattered
    held = names["numbers"]
    assert held(3, 0.0, 1.0).tolist() == scattered(3, 0.0, 1.0).tolist()
    assert names["numbers"] is scattered
    assert held(3, 0.0, 1.0).tolist() == scattered(3, 0.0, 1.0).tolist()


def test_scattered_numbers_are_those_of_the_published_generator() -> None:
    state, expected = 0, []
    for _ in range(100):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
        expected.append(0.5 + ((mixed ^ mixed >> 31) >> 11) / 2**53)
    assert scattered(100, 0.5, 1.5).tolist() == expected
    assert not set(scattered(100, 0.5, 1.5, seed=1).tolist()) & set(expected)


def test_every_public_name_is_there() -> None:
    listed = set(dir(tg))
    for name in tg.__all__:
        assert getattr(tg, name) is not None
        assert name in listed


def test_a_wrong_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'simulation'"):
        getattr(tg, "simulation")  # noqa: B009
    with pytest.raises(ImportError):
        exec("from tellegen import simulation")


def test_modules_do_not_hide_functions_of_their_name(tmp_path: Path) -> None:
    """`tellegen.compile` and `tellegen.flatten` are also modules; whichever is imported first, the functions win."""
    assert isinstance(tg.compile, FunctionType)
    assert isinstance(tg.flatten, FunctionType)
    code = "import tellegen.flatten.checks.balance, tellegen.compile\n"
    modules_after(code + "assert callable(tellegen.compile) and callable(tellegen.flatten)", tmp_path)


def test_type_checkers_see_the_table() -> None:
    """The imports for type checkers and the table of names imported on first use say the same."""
    tree = ast.parse((ROOT / "tellegen" / "__init__.py").read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
    seen = {}
    for statement in block.body:
        assert isinstance(statement, ast.ImportFrom)
        for alias in statement.names:
            home = (statement.module or "").removeprefix("tellegen.")
            seen[alias.asname or alias.name] = f"{home}:{alias.name}" if alias.asname else home
    assert seen == LAZY
    assert set(seen) <= set(tg.__all__)


@pytest.mark.parametrize("mode", ["w", "wb"])
def test_files_in_cycles_are_complete_at_exit(tmp_path: Path, mode: str) -> None:
    """The exit looks for no garbage, but for this."""
    text = repr("line\n" if mode == "w" else b"line\n")
    program = tmp_path / "program.py"
    make = f"kept = Kept()\nkept.file = open('written', {mode!r})\nkept.file.write({text})"
    program.write_text(FINALIZERS.format(make=make))
    run_in(tmp_path, program)
    assert (tmp_path / "written").read_text() == "line\n"


def test_finalizers_in_cycles_run_at_exit(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(FINALIZERS.format(make="kept = Speaking()"))
    assert run_in(tmp_path, program) == "deleted"


def test_an_exit_without_finalizers_is_quick(tmp_path: Path) -> None:
    """A run and a plot leave nothing behind that would need a search for garbage."""
    program = tmp_path / "program.py"
    plot = "solution.plot('c.v').savefig('picture.png')\n"
    count = "import atexit, gc\natexit.register(lambda: open('frozen', 'w').write(str(gc.get_freeze_count())))\n"
    program.write_text(count + SIMULATE + plot)  # registered first, called last
    run_in(tmp_path, program)
    assert int((tmp_path / "frozen").read_text()) > 100_000


def test_artists_are_documented_when_somebody_looks(tmp_path: Path) -> None:
    """Matplotlib imported by a plot describes `set` of all its classes as Matplotlib imported by itself, or better.

    Described later a class has all its aliases: `linewidth or lw` where Matplotlib by itself says `linewidth`.
    """
    found = {}
    for name, first in (("plain", "import matplotlib.pyplot\n"), ("ours", SIMULATE + "solution.plot('c.v')\n")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "program.py").write_text(first + ARTISTS)
        run_in(folder, folder / "program.py")
        found[name] = json.loads((folder / "artists.json").read_text())
    plain = found["plain"]
    ours = {name: found["ours"][name] for name in plain}
    assert sum(ours[name] == plain[name] for name in plain) > 70
    for name, (text, signature) in ours.items():
        assert text.count("\n") == plain[name][0].count("\n") or name == "Axes3D"
        assert text.count("unknown") <= plain[name][0].count("unknown")
        assert set(signature.split(", ")) <= set(plain[name][1].split(", "))


def test_a_misspelled_public_name_is_answered_with_the_one_that_is_meant() -> None:
    code = "import tellegen as tg; tg.Parameter"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "has no attribute 'Parameter'. Did you mean: 'parameter'?" in found.stderr
