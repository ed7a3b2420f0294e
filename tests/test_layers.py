"""The law of layers: who may import whom, and how large a file, a function or a folder may grow. See ARCHITECTURE.md.

Imports inside functions count like all others. Imports for type checkers only (`if TYPE_CHECKING:`) may point from a
room to a later one of the same layer, and into cycles; never into another layer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tellegen.structure.passes import ORDERING, PASSES, residual_form

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "tellegen"
FILES = sorted(PACKAGE.rglob("*.py"))
FOLDERS = sorted({path.parent for path in FILES})

PUBLIC = "tellegen"  # the names in tellegen/__init__.py, as a user imports them
GROUND = {
    *("ir", "symbolic", "graph", "dataflow", "network", "variation", "procedures"),
    *("errors", "error_codes", "argument_types", "units", "cache", "kept", "foreign", "sheet", "figure", "live_view"),
}
STAGES = {"frontends", "flatten", "structure", "codegen", "engine"}
OUTSIDE = {PUBLIC, "compile", "stages", "analyses", "ir", "errors", "units"}  # for programs that use Tellegen
EVERYWHERE = {"start"}  # dataclasses, and imports without garbage collection
ALLOWED: dict[str, set[str]] = {
    "start": set(),
    "graph": set(),
    "sheet": set(),
    "notebook": set(),
    "notebook_figure": set(),
    "figure": {"notebook_figure"},
    "live_view": {"notebook"},
    "units": {"known_units"},
    "known_units": set(),
    "web": set(),
    "cache": set(),
    "kept": {"cache"},
    "foreign": {"cache", "errors", "ir"},
    "argument_types": set(),
    "error_codes": set(),
    "errors": {"ir", "argument_types", "error_codes"},
    "ir": {"errors", "units", "sheet", "notebook"},
    "symbolic": {"ir", "errors"},
    "xml": {"ir", "errors"},
    "fmi": {"ir", "errors", "xml"},
    "dataflow": {"ir", "graph", "errors", "figure", "sheet"},
    "network": {"ir", "symbolic", "graph", "errors", "sheet"},
    "variation": {"ir", "symbolic", "graph", "errors", "units"},
    "procedures": {"ir", "errors"},
    **dict.fromkeys(STAGES, GROUND),
    "stages": GROUND | STAGES,
    "compile": GROUND | {"stages", "engine", "frontends", "animation"},
    "ensembles": GROUND | {"engine", "codegen"},
    "analyses": GROUND | {"engine", "compile", "stages", "ensembles"},
    PUBLIC: GROUND
    | STAGES
    | {"compile", "stages", "analyses", "importers", "metamodels", "animation"}
    | {"catalogue", "exporters", "markup", "model_space", "inversion", "predictive", "sampling"},
    "library": {PUBLIC, "frontends"},
    "testing": {PUBLIC, "library"},
    "class_reference": {PUBLIC, "library", "frontends", "ir"},
    "catalogue": {"frontends", "errors", "units", "sheet", "ir"},
    "cli": OUTSIDE | {"markup", "class_reference", "catalogue", "frontends", "sheet", "fmi", "studio"},
    "importers": GROUND | {PUBLIC, "library", "frontends", "compile", "stages", "engine", "xml", "fmi"},
    "markup": {PUBLIC, "library", "frontends", "compile", "stages", "errors", "foreign", "ir", "units", "sheet", "xml"},
    "model_space": GROUND | {PUBLIC, "frontends", "engine", "compile", "analyses"},
    "inversion": GROUND | {PUBLIC, "library", "frontends", "compile", "stages", "analyses"},
    "predictive": GROUND | {PUBLIC, "engine", "ensembles", "compile", "stages", "analyses"},
    "sampling": GROUND | {PUBLIC, "frontends", "engine", "compile", "stages", "analyses"},
    "exporters": GROUND | STAGES | {"compile", "stages", "xml", "fmi", "web"},
    "metamodels": GROUND | {PUBLIC, "engine", "analyses"},
    "animation": GROUND | {"engine", "web"},
    "studio": {PUBLIC, "live_view", "class_reference", "ir", "errors"},
    "__main__": {"cli"},
}
ROOMS: dict[str, tuple[str, ...]] = {
    "engine": (
        "native",
        "runtime",
        "linear_algebra",
        "request",
        "readout",
        "loaded",
        "diagnostics",
        "events",
        "initialization",
        "integrators",
        "explained",
        "results",
        "runs",
        "compiled",
    ),
    "engine.runtime": (
        "coefficients",
        "algebra",
        "events",
        "impulses",
        "one_step",
        "instance",
        "sundials",
        "entry_points",
        "runtimes",
    ),
    "frontends.python": (
        "expressions",
        "declarations",
        "components",
        "interfaces",
        "tracing",
        "discrete",
        "software",
        "building",
    ),
    "frontends.modelica": (
        "syntax",
        "store",
        "lookup",
        "values",
        "evaluation",
        "instances",
        "sections",
        "kinds",
        "graphics",
        "python_class",
        "modifications",
        "unsupported",
        "translate",
        "kept_classes",
        "library",
    ),
    "analyses": (
        "child_processes",
        "executors",
        "simulate",
        "view",
        "explanation",
        "mechanisms",
        "sensitivities",
        "linearization",
        "frequency",
        "continuation",
        "performance",
        "requirements",
        "adjoint",
        "derivatives",
        "optimization",
        "studies",
        "robust",
        "verification",
        "estimation",
    ),
    "analyses.optimization": (
        "formulation",
        "algorithms",
        "choices",
        "single_objective",
        "multi_objective",
        "calibration",
    ),
    "markup": ("document_source", "expressions", "version1", "version2", "read", "write", "formats"),
    "exporters": (
        *("source", "controller", "modelica", "vhdl_ams", "spice"),
        *("image", "binaries", "sources", "fmu", "html"),
    ),
    "structure": ("reduction", "ordering", "checks", "passes"),
    "studio": ("library", "document", "messages", "fixes", "worker", "server", "command"),
    "ensembles": ("refused", "kernels", "model", "kernel", "numbers", "devices", "wanted", "prepare"),
}
"""Folders (and single files) of a layer in their order: each may import itself and those before it."""
FILE_LINES = 400
NAMES_LINES = 520  # of tellegen/__init__.py, which lists the public names and does little else
FUNCTION_LINES = 60
PARAMETERS = 8
PAIRS = {"size", "shape", "scale", "colour", "bounds", "corner", "at", "ends", "nodes"}
"""Parameters that are tuples of a fixed length: of one kind, and known by one name in the field."""
FOLDER_FILES = 15
LARGE_FOLDERS = {
    "importers/spice": 15,
}
"""Folders that have more, and how many; none may grow."""
# These signatures are promised to users (design, section 5), and all but the first few parameters are keywords.
WIDE_BY_CONTRACT = {
    "variable",
    "parameter",
    "request_run",  # the keywords of a run, for all calls that run a model
    "optimize",
    "pareto",
    "metamodel",
    "robustness",
    "robust_optimize",
    "study",
    "export_fmu",
    "read_fmu",
    "estimate",
    "predictive_control",
    "kalman_filter",
    "export",  # the command: its parameters are its options
    "simulate",  # the command: its parameters are its options
}
WIDE_FOR_SUNDIALS = {"ida_jacobian", "cv_system"}  # callbacks


def layer_of(module: str) -> str:
    """`tellegen.ir.expressions.expr` -> `ir`; a name that is no module of ours is one of the public names."""
    parts = module.split(".")
    name = parts[1] if len(parts) > 1 else "__init__"
    if name == "__init__":
        return PUBLIC
    return name if (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file() else PUBLIC


def statements(tree: ast.AST, types_only: bool = True) -> Iterator[ast.AST]:
    """All statements, also inside functions; without `types_only` those of `if TYPE_CHECKING:` are left out."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case) and (types_only or not is_for_types(child)):
            yield child
            yield from statements(child, types_only)


def is_for_types(statement: ast.AST) -> bool:
    return isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test)


def imports(path: Path, tree: ast.AST, types_only: bool = True) -> Iterator[tuple[int, str]]:
    """Line and full name of everything of ours that a file imports, also inside functions."""
    package = ("tellegen", *path.relative_to(PACKAGE).parent.parts)
    for node in statements(tree, types_only):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) + "." if node.level else ""
            module = (base + (node.module or "")).rstrip(".")
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((node.lineno, name) for name in names if name.split(".")[0] == "tellegen")


def is_bundle(argument: ast.arg) -> bool:
    """Whether a parameter is a tuple of a fixed length that is no pair of its own, such as the shape of a matrix."""
    note = argument.annotation
    if not isinstance(note, ast.Subscript) or ast.unparse(note.value) != "tuple" or argument.arg in PAIRS:
        return False
    return not ast.unparse(note).endswith(", ...]")


def rooms_of(module: str) -> dict[str, str]:
    """`tellegen.engine.native.jit` -> {`engine`: `native`}: its room in every layer that has rooms."""
    found = {}
    for layer, rooms in ROOMS.items():
        inside = module.removeprefix(f"tellegen.{layer}.").split(".")[0]
        if module.startswith(f"tellegen.{layer}.") and inside in rooms:
            found[layer] = inside
    return found


def faults_of_rooms(path: Path, tree: ast.AST) -> Iterator[str]:
    """Imports from a room into a later one."""
    here = path.relative_to(ROOT).as_posix()
    own = rooms_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
    for line, name in imports(path, tree, types_only=False):
        other = rooms_of(name)
        for layer in own.keys() & other.keys():
            order = ROOMS[layer].index
            if order(other[layer]) > order(own[layer]):
                yield (
                    f"{here}:{line}: '{own[layer]}' may not import '{name}': "
                    f"'{other[layer]}' is a later room of {layer}"
                )


def faults(path: Path) -> Iterator[str]:
    """Every breach of the law in one file, as `file:line: rule`."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    here = path.relative_to(ROOT).as_posix()
    own = layer_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
    if own not in ALLOWED:
        yield f"{here}:1: '{own}' is not in the table of layers in tests/test_layers.py"
    for line, name in imports(path, tree):
        if layer_of(name) not in ALLOWED.get(own, set()) | {own} | EVERYWHERE:
            may = ", ".join(sorted(ALLOWED.get(own, set()))) or "nothing else of tellegen"
            yield f"{here}:{line}: '{own}' may not import '{name}'; it may import: {may}"
    yield from faults_of_rooms(path, tree)
    most = NAMES_LINES if here == "tellegen/__init__.py" else FILE_LINES
    if (length := len(text.splitlines())) > most:
        yield f"{here}:{length}: {length} lines; a file may have {most}: is it still one concept?"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            count = len(node.args.posonlyargs) + len(node.args.args) + len(node.args.kwonlyargs)
            if length > FUNCTION_LINES:
                yield f"{here}:{node.lineno}: {node.name} has {length} lines; a function may have {FUNCTION_LINES}"
            for argument in (*node.args.args, *node.args.kwonlyargs):
                if is_bundle(argument):
                    yield f"{here}:{node.lineno}: {argument.arg} of {node.name} bundles values in a tuple: use a record"
            if count > PARAMETERS and node.name not in WIDE_BY_CONTRACT | WIDE_FOR_SUNDIALS:
                yield f"{here}:{node.lineno}: {node.name} has {count} parameters, over {PARAMETERS}: use a record"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.relative_to(PACKAGE).as_posix())
def test_layers_and_sizes(folder: Path) -> None:
    found = [fault for path in FILES if path.parent == folder for fault in faults(path)]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("layer", ROOMS)
def test_every_folder_is_a_room(layer: str) -> None:
    base = PACKAGE.joinpath(*layer.split("."))
    names = {path.stem for path in base.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert names - {"__init__", "__pycache__"} == set(ROOMS[layer])


def test_folders_stay_small() -> None:
    for folder in FOLDERS:
        name = folder.relative_to(PACKAGE).as_posix()
        count = sum(path.name != "__init__.py" for path in folder.glob("*.py"))
        assert count <= LARGE_FOLDERS.get(name, FOLDER_FILES), f"{name} has {count} files: give it rooms"


def test_no_import_cycles() -> None:
    """No circle of modules, counting imports inside functions."""
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in FILES}
    graph: dict[str, set[str]] = {}
    for module, path in modules.items():
        names = [name for _, name in imports(path, ast.parse(path.read_text(encoding="utf-8")), types_only=False)]
        graph[module] = {name if name in modules else name.rpartition(".")[0] for name in names} & set(modules)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_a_pass_is_in_a_file_of_its_name() -> None:
    for run in (residual_form, *PASSES, *ORDERING):
        assert run.__module__.rpartition(".")[2] == run.__name__


def test_assertions_do_no_work() -> None:
    """`assert file.folder` unpacks a file, and `python -O` leaves it out."""
    found = (
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in FILES
        if "    assert " in (text := path.read_text())
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.Attribute) and node.msg is None
    )
    assert not list(found)


def test_errors_know_only_places() -> None:
    """The one step from errors back into ir stays this small, so that the two can never form a circle."""
    path = PACKAGE / "errors.py"
    names = {name.rpartition(".")[0] for _, name in imports(path, ast.parse(path.read_text()))}
    assert names <= {"tellegen.ir.source_location", "tellegen.argument_types", "tellegen.error_codes"}


def test_the_law_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that breaks every rule gets every message."""
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path / "tellegen")
    for name in ("flatten", "engine"):
        (tmp_path / "tellegen" / name).mkdir(parents=True)
    path = tmp_path / "tellegen" / "flatten" / "bad.py"
    body = "".join(f"    x{k} = {k}\n" for k in range(FILE_LINES))
    path.write_text(f"from ..engine import anything\n\ndef f(a, b, c: tuple[int, str], d, e, f, *, g, h, i):\n{body}")
    found = "\n".join(faults(path))
    for rule in (
        "bad.py:1: 'flatten' may not import 'tellegen.engine.anything'",
        "a file may",
        "a function may",
        "9 para",
        "c of f bundles",
    ):
        assert rule in found


def test_the_law_of_rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An import into a later room is found, also inside a function; one for type checkers only is allowed."""
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path / "tellegen")
    path = tmp_path / "tellegen" / "engine" / "native" / "bad.py"
    path.parent.mkdir(parents=True)
    later = "from tellegen.engine.runs.run import run"
    path.write_text(f"def f():\n    {later}\n\nif TYPE_CHECKING:\n    {later}\n")
    found = list(faults(path))
    assert len(found) == 1
    assert "bad.py:2: 'native' may not import 'tellegen.engine.runs.run.run': 'runs' is a later room" in found[0]
