"""The law of layers: who may import whom, and how large a file or function may grow. See ARCHITECTURE.md."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tellegen.structure.passes import ORDERING, PASSES, residual_form

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "tellegen"
FILES = sorted(PACKAGE.rglob("*.py"))

PUBLIC = "tellegen"  # the names in tellegen/__init__.py, as a user imports them
GROUND = {"ir", "symbolic", "graph", "dataflow", "network", "variation", "errors", "units", "cache", "foreign"}
STAGES = {"frontends", "flatten", "structure", "codegen", "engine"}
OUTSIDE = {PUBLIC, "compile", "analyses", "ir", "errors", "units"}  # for programs that use Tellegen
ALLOWED: dict[str, set[str]] = {
    "graph": set(),
    "units": set(),
    "cache": set(),
    "foreign": {"cache", "errors", "ir"},
    "errors": {"ir"},
    "ir": {"errors", "units"},
    "symbolic": {"ir", "errors"},
    "dataflow": {"ir", "errors"},
    "network": {"ir", "symbolic", "graph", "errors"},
    "variation": {"ir", "symbolic", "graph", "errors", "units"},
    **dict.fromkeys(STAGES, GROUND),
    "compile": GROUND | STAGES,
    "analyses": GROUND | {"engine", "compile"},
    PUBLIC: GROUND | STAGES | {"compile", "analyses", "importers", "metamodels"},
    "library": {PUBLIC, "frontends"},
    "testing": {PUBLIC, "library"},
    "catalogue": {PUBLIC, "library", "frontends", "ir"},
    "cli": OUTSIDE | {"catalogue"},
    "importers": {PUBLIC, "library", "errors", "ir"},
    "metamodels": GROUND | {PUBLIC, "engine", "analyses"},
    "studio": OUTSIDE,
    "__main__": {"cli"},
}
ROOMS: dict[str, tuple[str, ...]] = {  # inside a layer: each folder or file may import those before it
    "structure": ("reduction", "ordering", "checks", "passes"),
}
FOLDER_FILES = 15
FILE_LINES, FUNCTION_LINES, PARAMETERS = 300, 60, 8
# These signatures are promised to users (design, section 5), and all but the first few parameters are keywords.
WIDE_BY_CONTRACT = {
    "variable",
    "parameter",
    "simulate",
    "study",
    "optimize",
    "pareto",
    "calibrate",
    "estimate",
    "sensitivity",
    "hessian_vector",
    "metamodel",
    "robustness",
    "robust_optimize",
    "allocate_tolerances",
}


def layer_of(module: str) -> str:
    """`tellegen.ir.expr` -> `ir`; a name that is no module of ours is one of the public names."""
    parts = module.split(".")
    name = parts[1] if len(parts) > 1 else "__init__"
    if name == "__init__":
        return PUBLIC
    return name if (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file() else PUBLIC


def imports(path: Path, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and full name of everything of ours that a file imports, also inside functions."""
    package = ("tellegen", *path.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) + "." if node.level else ""
            module = (base + (node.module or "")).rstrip(".")
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((node.lineno, name) for name in names if name.split(".")[0] == "tellegen")


def faults(path: Path) -> Iterator[str]:
    """Every breach of the law in one file, as `file:line: rule`."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    here = path.relative_to(ROOT).as_posix()
    own = layer_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
    if own not in ALLOWED:
        yield f"{here}:1: '{own}' is not in the table of layers in tests/test_layers.py"
    for line, name in imports(path, tree):
        if layer_of(name) not in ALLOWED.get(own, set()) | {own}:
            may = ", ".join(sorted(ALLOWED.get(own, set()))) or "nothing else of tellegen"
            yield f"{here}:{line}: '{own}' may not import '{name}'; it may import: {may}"
    if (length := len(text.splitlines())) > FILE_LINES:
        yield f"{here}:{length}: {length} lines; a file may have {FILE_LINES}: is it still one concept?"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            count = len(node.args.posonlyargs) + len(node.args.args) + len(node.args.kwonlyargs)
            if length > FUNCTION_LINES:
                yield f"{here}:{node.lineno}: {node.name} has {length} lines; a function may have {FUNCTION_LINES}"
            if count > PARAMETERS and node.name not in WIDE_BY_CONTRACT:
                yield f"{here}:{node.lineno}: {node.name} has {count} parameters, over {PARAMETERS}: use a record"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_layers_and_sizes(path: Path) -> None:
    found = list(faults(path))
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("layer", ROOMS)
def test_order_inside_a_layer(layer: str) -> None:
    rooms = ROOMS[layer]
    found = []
    for path in sorted((PACKAGE / layer).rglob("*.py")):
        inside = path.relative_to(PACKAGE / layer)
        if inside.name == "__init__.py":
            continue
        own = rooms.index(inside.parts[0].removesuffix(".py"))
        for line, name in imports(path, ast.parse(path.read_text(encoding="utf-8"))):
            parts = name.split(".")
            if parts[1] == layer and rooms.index(parts[2]) > own:
                found.append(f"{layer}/{inside.as_posix()}:{line}: '{rooms[own]}' may not import '{name}'")
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("layer", ROOMS)
def test_folders_stay_small(layer: str) -> None:
    for folder in {path.parent for path in (PACKAGE / layer).rglob("*.py")}:
        files = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(files) <= FOLDER_FILES, f"{folder.relative_to(ROOT)} has {len(files)} files: give it folders"


def test_a_pass_is_in_a_file_of_its_name() -> None:
    for run in (residual_form, *PASSES, *ORDERING):
        assert run.__module__.rpartition(".")[2] == run.__name__


def test_errors_know_only_places() -> None:
    """The one step from errors back into ir stays this small, so that the two can never form a circle."""
    path = PACKAGE / "errors.py"
    names = {name.rpartition(".")[0] for _, name in imports(path, ast.parse(path.read_text()))}
    assert names <= {"tellegen.ir.place"}


def test_the_law_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that breaks every rule gets every message."""
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path / "tellegen")
    for name in ("flatten", "engine"):
        (tmp_path / "tellegen" / name).mkdir(parents=True)
    path = tmp_path / "tellegen" / "flatten" / "bad.py"
    body = "".join(f"    x{k} = {k}\n" for k in range(FILE_LINES))
    path.write_text(f"from ..engine import newton\n\ndef f(a, b, c, d, e, f, *, g, h, i):\n{body}")
    found = "\n".join(faults(path))
    for rule in (
        "bad.py:1: 'flatten' may not import 'tellegen.engine.newton'",
        "a file may",
        "a function may",
        "9 para",
    ):
        assert rule in found
