"""tg.export_html: a model as a page that runs it, for people without Tellegen or Python."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tellegen.compile import compile_model
from tellegen.engine.request.run_request import request_run
from tellegen.engine.results.export import writing
from tellegen.engine.runtime.runtimes import addresses_alone
from tellegen.errors import users_call
from tellegen.exporters.binaries.constants import constants_module
from tellegen.exporters.binaries.link import CSource, compiled_source, linked
from tellegen.exporters.binaries.objects import compiled
from tellegen.exporters.binaries.platforms import BROWSER
from tellegen.exporters.binaries.runtime_objects import runtime_objects
from tellegen.exporters.binaries.user_code import user_object
from tellegen.exporters.fmu.model_data import PlacedVariables, SizedModel, model_constants
from tellegen.exporters.html.page_content import PageContent, Sliders, page_content
from tellegen.exporters.image.native_start import startable
from tellegen.exporters.image.prepared_run import prepared_run
from tellegen.exporters.image.standalone import Code, Standalone, standalone
from tellegen.exporters.image.step_tolerance import with_tight_steps
from tellegen.exporters.image.trial_run import TrialRun, trial_run
from tellegen.ir.source_location import here
from tellegen.sheet import Shown, Table
from tellegen.web.page import asset, data, filled, scripts

_HERE = "tellegen.exporters.html"
_SCRIPTS = ("page/instance", "page/panel", "page/controls")
"""The files of the page, each with what the later ones use."""
_DEFAULT_STOP = 1.0
_DEFAULT_POINTS = 501


@dataclass(frozen=True, repr=False)
class ExportedHtml(Shown):
    """What was written."""

    path: Path
    solver: str
    sliders: tuple[str, ...]
    plots: tuple[str, ...]
    code_size: int
    """Bytes of WebAssembly."""

    def _title(self) -> str:
        size = os.path.getsize(self.path) / 1000.0
        return f"page {self.path}: {len(self.sliders)} sliders, {len(self.plots)} curves, {self.solver}, {size:.0f} kB"

    def _page(self) -> list[Table | str]:
        return [Table(("sliders", "curves"), list(zip_longest(self.sliders, self.plots, fillvalue="")))]


@users_call
def export_html(
    model: Any,
    path: str | os.PathLike[str],
    *,
    sliders: Sliders | None = None,
    plots: Iterable[str] = (),
    stop: float | str | None = None,
    parameters: Mapping[str, Any] | None = None,
    **run: Any,
) -> ExportedHtml:
    """Write a page (HTML) that runs a model in the browser: sliders change numbers, and the curves follow.

    The page needs nothing but a browser: the model is in it as WebAssembly, compiled from the code that `simulate`
    runs. `sliders` are paths of parameters, inputs and fixed start values, or a mapping from these to their limits:
    {"motor.R": ("0.5 ohm", "5 ohm")}; without any, parameters of the model. `plots` are paths of curves, drawn as by
    Solution.plot: one panel per unit, "room.T [degC]" in that unit.

    The model is run once from `start` to `stop` (or as its experiment says, or for a second), which decides between
    rk45 and rodas; `parameters` are the values that the page begins with.
    """
    model = compile_model(model)
    experiment = model.flat.experiment
    ends = _DEFAULT_STOP if stop is None and experiment.stop is None else stop
    request = request_run(experiment, ends, parameters=parameters, **run)
    trial = startable(with_tight_steps(trial_run(model, request), model, request))
    with addresses_alone():
        prepared = prepared_run(trial)
    exported = standalone(prepared)
    content = page_content(trial, prepared, sliders, [plots] if isinstance(plots, str) else plots)
    code = _webassembly(trial, exported, content)
    with writing(path, here()):
        Path(path).write_text(_page(trial, content, code), encoding="utf-8")
    return ExportedHtml(
        Path(path),
        trial.method,
        tuple(each["name"] for each in content.sliders),
        tuple(curve["name"] for panel in content.panels for curve in panel["curves"]),
        len(code),
    )


def _webassembly(trial: TrialRun, exported: Standalone, content: PageContent) -> bytes:
    """The model as a module for browsers."""
    files = {name: asset("tellegen.exporters.fmu", f"c/{name}") for name in ("model.h", "model.c")}
    files["page.c"] = asset(_HERE, "c/page.c")
    constants = model_constants([SizedModel(trial, exported, PlacedVariables.one_by_one(content.places))], "")
    runtime = runtime_objects(exported, BROWSER)
    objects = [
        *(compiled_source(CSource(name, files), BROWSER) for name in ("model.c", "page.c")),
        compiled(Code(constants_module(exported, constants, runtime), {}), BROWSER),
        *(compiled(code, BROWSER) for code in exported.code),
        *(part.content for part in runtime),
        *(user_object(source, BROWSER) for source in exported.sources),
    ]
    return linked(objects, BROWSER)


def _page(trial: TrialRun, content: PageContent, code: bytes) -> str:
    flat = trial.model.flat
    options = trial.options
    description = flat.tree.nodes[0].kind.description.strip().partition("\n")[0]
    shown = {
        "start": options.start,
        "stop": options.stop,
        "points": options.points if isinstance(options.points, int) else _DEFAULT_POINTS,
        "sliders": content.sliders,
        "panels": content.panels,
        "code": base64.b64encode(code).decode(),
    }
    parts = {
        "TITLE": escape(flat.name),
        "DESCRIPTION": escape(description),
        "STYLE": asset(_HERE, "page/style.css"),
        "MODEL": data(shown),
        "SCRIPT": scripts(_HERE, _SCRIPTS),
    }
    return filled(asset(_HERE, "page/page.html"), parts)
