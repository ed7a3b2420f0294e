"""What tg.export_fmu is asked for besides which FMU and where: its contents, and the run that it is made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

from tellegen.engine.request.run_request import RunKeywords
from tellegen.errors import ExportError
from tellegen.ir.source_location import here

VERSIONS = ("3.0", "2.0")
KINDS = ("me", "cs")


class FmuKeywords(RunKeywords, total=False):
    """The keywords of an export; their defaults are those of `request_fmu`."""

    arrays: bool
    """False: elements of arrays are variables of their own, as FMI 2.0 always has them."""
    sources: bool
    """True: with the same code as C99, for compilers of other systems."""
    ports: Mapping[str, str] | None
    """{"flange": "through"}: the through variables of a connector are inputs, its across variables outputs."""
    python: bool
    """True: functions in Python are computed by a Python that is installed where the FMU runs."""
    structural: Mapping[str, Iterable[int]] | None
    """{"n": range(1, 9)}: values of structural parameters that an importer can choose from (FMI 3.0)."""


@dataclass(frozen=True, eq=False)
class FmuRequest:
    """An export as asked for, and the keywords of its run."""

    has_arrays: bool
    has_sources: bool
    ports: Mapping[str, str]
    allows_python: bool
    structural: Mapping[str, Iterable[int]]
    run: RunKeywords


def request_fmu(
    *,
    arrays: bool = True,
    sources: bool = False,
    ports: Mapping[str, str] | None = None,
    python: bool = False,
    structural: Mapping[str, Iterable[int]] | None = None,
    **run: Unpack[RunKeywords],
) -> FmuRequest:
    """An export as asked for."""
    return FmuRequest(arrays, sources, ports or {}, python, structural or {}, run)


def checked_version(version: str) -> str:
    """A version of FMI that can be written."""
    if version not in VERSIONS:
        raise ExportError("E440", f"FMI {version!r} is not written", location=here(), advice="version='3.0' or '2.0'")
    return version


def checked_kinds(kind: str | Sequence[str]) -> tuple[str, ...]:
    """The interfaces asked for, in their usual order."""
    wanted = (kind,) if isinstance(kind, str) else tuple(kind)
    if not wanted or any(each not in KINDS for each in wanted):
        advice = "kind=('me', 'cs'): Model Exchange, Co-Simulation"
        raise ExportError("E440", f"kind cannot be {kind!r}", location=here(), advice=advice)
    return tuple(each for each in KINDS if each in wanted)


def check_structural(request: FmuRequest, version: str) -> None:
    """Structural parameters need arrays as variables, which FMI 2.0 does not have."""
    if not request.structural:
        return
    wrong = "version='2.0'" if version != "3.0" else "arrays=False" if not request.has_arrays else ""
    if not wrong and request.ports:
        wrong = "ports"
    if wrong:
        raise ExportError(
            "E459",
            f"structural parameters do not go together with {wrong}",
            location=here(),
            advice="they are dimensions of arrays, which FMI 3.0 has; give the model inputs and outputs of its own",
        )
