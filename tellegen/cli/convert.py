"""`tellegen convert FILE[:CLASS] OUTPUT`: a model in another format, which the ending of the output decides.

`tellegen export FILE[:CLASS] -o OUTPUT`: a model as an FMU, or as a page (.html) that runs it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tellegen as tg
from tellegen.cli.target import DOCUMENTS, Target, TargetError, load
from tellegen.markup.formats import convert

_FMU = ".fmu"
_PAGES = (".html", ".htm")


def converted(text: str, output: Path, markup: int = 2) -> str:
    """Write the model that FILE[:CLASS] means, a document in this version; returns what was done, for people."""
    target = Target.parse(text)
    note = ""
    if target.file.suffix.lower() == output.suffix.lower() == DOCUMENTS and not target.name:
        model = tg.read_markup(target.file)  # as it is: one of version 1 stays one
    else:
        model, note = load(text)
    done = f"wrote {output}: {convert(model, output, markup).name}"
    return f"{note}\n{done}" if note else done


@dataclass(frozen=True)
class FmuOptions:
    """What `tellegen export` was asked for; lists are separated by commas."""

    version: str
    kinds: str
    platforms: str
    stop: str
    sources: bool = False
    ports: str = ""
    """Connectors as name=across or name=through."""
    python: bool = False


@dataclass(frozen=True)
class PageOptions:
    """The same where a page is written."""

    sliders: str
    plots: str


def exported(text: str, output: Path, options: FmuOptions, page: PageOptions) -> str:
    """Write the model that FILE[:CLASS] means as an FMU or a page; returns what was done, for people."""
    model, note = load(text)
    if output.suffix.lower() not in (_FMU, *_PAGES):
        raise TargetError(f"'{output.name}' is neither an FMU (.fmu) nor a page (.html)\nfor instance -o drive.fmu")
    if output.suffix.lower() in _PAGES:
        sliders = page.sliders.split(",") if page.sliders else None
        plots = page.plots.split(",") if page.plots else ()
        written = tg.export_html(
            model, output, sliders=sliders, plots=plots, stop=_number_or_text(options.stop or None)
        )
        return f"{note}\n{written}" if note else str(written)
    platforms = options.platforms.split(",") if options.platforms not in ("", "all") else options.platforms or None
    stop = options.stop or None
    done = tg.export_fmu(
        model,
        output,
        version=options.version,
        kind=options.kinds.split(","),
        platforms=platforms,
        stop=_number_or_text(stop),
        sources=options.sources,
        ports=_ports(options.ports),
        python=options.python,
    )
    return f"{note}\n{done}" if note else str(done)


def _ports(text: str) -> dict[str, str]:
    """{"flange": "through"} for "flange=through"."""
    found: dict[str, str] = {}
    for each in text.split(",") if text else ():
        name, _, role = each.partition("=")
        found[name] = role
    return found


def _number_or_text(text: str | None) -> float | str | None:
    """2.0 for "2"; "2 h" as it is."""
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        return text
