"""tg.export_fmu: a model as an FMU, for several platforms at once, without a compiler on the machine."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, Unpack, cast

from tellegen.compile import compile_model
from tellegen.engine.request.run_request import request_run, run_call
from tellegen.engine.runtime.runtimes import addresses_alone
from tellegen.errors import ExportError
from tellegen.exporters.binaries.constants import Constant, constants_module
from tellegen.exporters.binaries.link import CSource, linked
from tellegen.exporters.binaries.objects import compiled
from tellegen.exporters.binaries.platforms import Platform, chosen_platforms
from tellegen.exporters.binaries.runtime_objects import runtime_objects
from tellegen.exporters.binaries.user_code import user_object
from tellegen.exporters.fmu.causal_ports import frozen_model, with_causal_ports
from tellegen.exporters.fmu.describe import Described, Form, described
from tellegen.exporters.fmu.export_request import (
    KINDS,
    FmuKeywords,
    FmuRequest,
    check_structural,
    checked_kinds,
    checked_version,
    request_fmu,
)
from tellegen.exporters.fmu.exported_variables import Kind, Place
from tellegen.exporters.fmu.made_beside import Beside, begun_beside, c_sources, interface_source
from tellegen.exporters.fmu.model_data import PlacedVariables, SizedModel, model_constants
from tellegen.exporters.fmu.python_functions import PythonResources, python_resources
from tellegen.exporters.fmu.sizes.sized_description import with_structure
from tellegen.exporters.fmu.sizes.structural import Structure, indicator_arrays, sized_models, structure_of, together
from tellegen.exporters.fmu.terminals_and_icon import Icon, terminals_of
from tellegen.exporters.image.native_start import startable
from tellegen.exporters.image.prepared_run import PreparedRun, prepared_run
from tellegen.exporters.image.standalone import Code, Standalone, standalone
from tellegen.exporters.image.step_tolerance import with_tight_steps
from tellegen.exporters.image.trial_run import TrialRun, trial_run
from tellegen.exporters.sources.c_files import build_description, c_files, file_names
from tellegen.fmi.archive import write_archive
from tellegen.fmi.description import ModelDescription, Version
from tellegen.fmi.terminals import FILE, FILE_VERSION2, write_terminals
from tellegen.fmi.write_description import write_description
from tellegen.ir.source_location import here
from tellegen.sheet import Shown, Table

_DEFAULT_STOP = 1.0


@dataclass(frozen=True, repr=False)
class ExportedFmu(Shown):
    """What was written: the file, and what is inside."""

    path: Path
    version: str
    kinds: tuple[str, ...]
    solver: str
    sizes: Mapping[str, int]
    """Bytes of the library of each platform."""
    description: ModelDescription

    def _title(self) -> str:
        size = os.path.getsize(self.path) / 1000.0
        kinds = " and ".join(
            {"me": "Model Exchange", "cs": f"Co-Simulation ({self.solver})"}[kind] for kind in self.kinds
        )
        return (
            f"FMU {self.path}: FMI {self.version}, {kinds}, {len(self.description.variables)} variables, {size:.0f} kB"
        )

    def _page(self) -> list[Table | str]:
        rows = [(name, f"{size / 1000.0:.0f}") for name, size in self.sizes.items()]
        return [Table(("platform", "kB"), rows)]


@run_call(request_fmu)
def export_fmu(
    model: Any,
    path: str | os.PathLike[str],
    *,
    version: str = "3.0",
    kind: str | Sequence[str] = KINDS,
    platforms: str | Sequence[str] | None = None,
    stop: float | str | None = None,
    **asked: Unpack[FmuKeywords],
) -> ExportedFmu:
    """Write a model as an FMU: FMI 3.0 or 2.0, Model Exchange ("me") and Co-Simulation ("cs").

    `platforms` are names such as "linux64", "win64", "darwin-aarch64", or "all"; without any it is this machine's.
    The model is run once from `start` to `stop` (or as its experiment says, or for a second): that is the default
    experiment of the FMU, and the run decides which integrator Co-Simulation has, as solver="auto" does. `rtol`,
    `initial` and `solver` ("rk45" or "rodas") are those of that run, `parameters` become the start values.
    `arrays=False` lists the elements of arrays as variables of their own, as FMI 2.0 always does.
    `sources=True` adds the same code as C99, for compilers of other systems.
    `ports={"flange": "through"}` makes inputs of the through variables of a connector of the model and outputs of its
    across variables, "across" the other way round; other connectors are open ends.
    `python=True` allows functions in Python: the FMU calls a Python that is installed where it runs, with Tellegen and
    what the functions import; their own modules are inside.
    `structural={"n": range(1, 9)}`: values of structural parameters that an importer can choose from, where sizes of
    arrays depend on them and nothing else (FMI 3.0); an instance begins with the model's own, if they are among them.
    """
    checked_version(version)
    kinds = checked_kinds(kind)
    request = request_fmu(**asked)
    chosen = chosen_platforms(platforms if platforms is None or isinstance(platforms, str) else tuple(platforms))
    check_structural(request, version)
    with begun_beside(version, chosen) as beside:
        structure = structure_of(model, request.structural)
        made = [_prepared(each, stop, request) for each in sized_models(model, structure)]
        models, whole = together([standalone(each.prepared) for each in made])
        names = file_names(whole) if request.has_sources else ()
        has_arrays = request.has_arrays and version == "3.0"
        form = Form(cast(Version, version), kinds, has_arrays, names, bool(whole.python), bool(structure.names))
        texts = _texts(made, form, structure)
        trial = made[0].trial
        code = python_resources(whole.python)
        description = replace(texts[0].description, token=_token(models, whole, texts, code))
        sizes = [
            SizedModel(each.trial, model, _placed(text, len(structure.names)), values)
            for each, model, text, values in zip(made, models, texts, structure.combinations, strict=True)
        ]
        fmu = _Fmu(whole, description, model_constants(sizes, description.token))
        libraries = {platform: fmu.library(platform, beside) for platform in chosen}
    content = {"modelDescription.xml": write_description(description)}
    content |= {_library_path(description, platform): library for platform, library in libraries.items()}
    if request.has_sources:
        content |= fmu.sources(names)
    content |= _terminals_and_icon(description, trial)
    content |= code.content
    content["documentation/index.html"] = _documentation(description, trial, code).encode()
    try:
        write_archive(path, content)
    except OSError as error:
        raise ExportError("E404", f"'{path}' cannot be written: {error.strerror or error}", location=here()) from None
    bytes_of = {platform.name: len(library) for platform, library in libraries.items()}
    return ExportedFmu(Path(path), version, kinds, trial.method, bytes_of, description)


def _terminals_and_icon(description: ModelDescription, trial: TrialRun) -> dict[str, bytes]:
    """The connectors of the model and its icon, where each version has them."""
    kind = trial.model.flat.tree.nodes[0].kind
    names = {each.name for each in description.with_aliases().variables}
    is_new = description.version == "3.0"
    file = FILE if is_new else FILE_VERSION2
    folder = file.rpartition("/")[0]
    icon = Icon.of(description.name, kind)
    content = {
        file: write_terminals(terminals_of(kind, names), has_icon=True),
        f"{folder}/icon.png": icon.png(),
        f"{folder}/icon.svg": icon.svg().encode(),
    }
    return content if is_new else {**content, "model.png": icon.png()}


@dataclass(frozen=True, eq=False)
class _Prepared:
    """A model of certain sizes, run once and ready to be written."""

    trial: TrialRun
    prepared: PreparedRun

    @property
    def indicator_count(self) -> int:
        """Of event indicators."""
        return self.prepared.events.roots_to_watch if self.prepared.events is not None else 0


def _prepared(model: Any, stop: float | str | None, request: FmuRequest) -> _Prepared:
    model = compile_model(model if not request.ports else with_causal_ports(frozen_model(model), request.ports))
    if len(model.flat.inputs) and model.reduced.events is not None and not model.flat.inputs_vary:
        model = compile_model(replace(model.flat, inputs_vary=True))  # conditions on inputs are found by importers
    experiment = model.flat.experiment
    ends = _DEFAULT_STOP if stop is None and experiment.stop is None else stop
    run = request_run(experiment, ends, **request.run)
    trial = trial_run(model, run, python=request.allows_python)
    trial = startable(with_tight_steps(trial, model, run))
    with addresses_alone():
        return _Prepared(trial, prepared_run(trial, has_derivatives=True))


def _texts(made: Sequence[_Prepared], form: Form, structure: Structure) -> list[Described]:
    """The descriptions at all sizes; the first is that of the FMU."""
    arrays = indicator_arrays([each.indicator_count for each in made], structure)
    forms = [replace(form, indicator_arrays=lengths) for lengths in arrays]
    return with_structure(
        [described(each.trial, each.prepared, of) for each, of in zip(made, forms, strict=True)], structure
    )


def _placed(text: Described, structural_parameters: int) -> PlacedVariables:
    """Where values stand; structural parameters come last."""
    places = [row.place for row in text.scalars.rows]
    places += [Place(Kind.STRUCTURAL, number) for number in range(structural_parameters)]
    return PlacedVariables(places, text.spans, text.element_dependencies)


@dataclass(frozen=True, eq=False)
class _Fmu:
    """What libraries are made from."""

    exported: Standalone
    description: ModelDescription
    constants: tuple[Constant, ...]

    def interface(self) -> CSource:
        """The functions of FMI; the first file is the one to compile."""
        return interface_source(self.description.version, self.exported.python)

    def sources(self, names: Sequence[str]) -> dict[str, bytes]:
        """All C files, and for FMI 3.0 how they are built."""
        files = c_files(self.exported, self.constants, self.interface().files)
        content = {f"sources/{name}": text.encode() for name, text in files.items()}
        interface = self.description.model_exchange or self.description.co_simulation
        assert interface is not None
        if self.description.version == "3.0":
            content["sources/buildDescription.xml"] = build_description(interface.identifier, names)
        return content

    def library(self, platform: Platform, beside: Beside) -> bytes:
        """The shared library for a platform."""
        code = [compiled(each, platform) for each in self.exported.code]
        code += [user_object(source, platform) for source in self.exported.sources]
        runtime = runtime_objects(self.exported, platform)
        constants = compiled(Code(constants_module(self.exported, self.constants, runtime), {}), platform)
        interface = beside.interface(self.interface(), platform)
        return linked([interface, constants, *code, *(part.content for part in runtime)], platform)


def _token(models: Sequence[Standalone], whole: Standalone, texts: Sequence[Described], python: PythonResources) -> str:
    """The same for the same model and the same code, for no others."""
    digest = hashlib.sha256()
    for each in models:
        digest.update(each.image.content)
        digest.update(repr((each.image.relocations, each.image.functions)).encode())
    for code in whole.code:
        digest.update(code.module.text.encode())
    for source in c_sources().values():
        digest.update(source.encode())
    for source in whole.sources:
        digest.update(repr((source.library.header, source.library.text, source.library.included)).encode())
    digest.update(repr(sorted(python.content.items())).encode())
    for text in texts:
        digest.update(write_description(text.description))
    return f"{{{digest.hexdigest()[:32]}}}"


def _library_path(description: ModelDescription, platform: Platform) -> str:
    interface = description.model_exchange or description.co_simulation
    assert interface is not None
    folder = platform.version3 if description.version == "3.0" else platform.version2
    return f"binaries/{folder}/{interface.identifier}{platform.suffix}"


def _fixed(description: ModelDescription, trial: TrialRun) -> list[tuple[str, Any]]:
    """The structural parameters of the model itself that an importer cannot choose."""
    free = {each.name for each in description.variables if each.causality == "structuralParameter"}
    known = trial.model.flat.tree.nodes[0].kind.structure
    return [(name, value) for name, value in known if value is not None and name not in free]


def _python_needed(code: PythonResources) -> str:
    """What must be installed where the FMU runs."""
    return (
        f"<p><b>This FMU calls Python.</b> It needs a Python with {escape(', '.join(code.needs))} where it runs: the "
        "one that the environment variable TELLEGEN_PYTHON names, the one that exported it, or python3 of the path."
    )


def _documentation(description: ModelDescription, trial: TrialRun, code: PythonResources) -> str:
    """A page that says what the FMU is."""
    structure = [f"<li>{escape(name)} = {escape(str(value))}" for name, value in _fixed(description, trial)]
    chosen = [
        f"<li>{escape(each.name)}: {escape(each.description)}; {each.start[0] if each.start else ''} at first</li>"
        for each in description.variables
        if each.causality == "structuralParameter"
    ]
    lines = [
        f"<title>{escape(description.name)}</title>",
        f"<h1>{escape(description.name)}</h1>",
        f"<p>{escape(description.description)}</p>",
        f"<p>Made by Tellegen. Co-Simulation integrates with {trial.method}. Values are in SI units; names and "
        "indices, which count from 0, are those of the model.</p>",
        *([_python_needed(code)] if code.content else []),
        *(["<p>Fixed when it was exported:", "<ul>", *structure, "</ul>"] if structure else []),
        *(["<p>Chosen in configuration mode:", "<ul>", *chosen, "</ul>"] if chosen else []),
        "<p>The libraries contain the compiled equations of the model, Tellegen's runtime and its interface to FMI, "
        "and nothing of other projects.</p>",
    ]
    return "<!DOCTYPE html>\n<meta charset='utf-8'>\n" + "\n".join(lines) + "\n"
