"""The Modelica-Compliance suite: which models of each chapter are accepted and refused as they should be.

TELLEGEN_COMPLIANCE=FOLDER python -m benchmarks.modelica.compliance [--only Arrays] [--results FILE]

FOLDER holds ModelicaCompliance, from its public repository. A model that should pass has to be translated and
simulated without a failed assertion; one that should not has to be refused by an error of ours. The table counts both
kinds by chapter, and every model that went wrong is listed with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

import tellegen as tg
from tellegen.frontends.modelica.lookup.views import Views
from tellegen.frontends.modelica.store.store import Store
from tellegen.frontends.modelica.syntax.annotations import annotation_value, whole_annotation_of
from tellegen.frontends.modelica.syntax.classes import ClassDefinition
from tellegen.frontends.modelica.syntax.expressions import Truth
from tellegen.frontends.modelica.syntax.parser import parse
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.frontends.modelica.translate import FoundClass

SECONDS = 20  # of CPU time, for one model
console = Console()


@dataclass
class TestCase:
    """A model of the suite, and whether it is correct Modelica."""

    name: str
    should_pass: bool

    @property
    def chapter(self) -> str:
        """The package below ModelicaCompliance."""
        return self.name.split(".")[1]


@dataclass
class Outcome:
    """What became of a model: "passed", "refused" (an error of ours), "crashed" (any other), "slow"."""

    name: str
    chapter: str
    should_pass: bool
    verdict: str
    reason: str = ""

    @property
    def right(self) -> bool:
        """Whether that is what the suite asks for."""
        return self.verdict == ("passed" if self.should_pass else "refused")


def test_cases(folder: Path) -> Iterator[TestCase]:
    """All models that carry the annotation of a test case."""
    for path in sorted((folder / "ModelicaCompliance").rglob("*.mo")):
        file = SourceFile(str(path))
        try:
            stored = parse(file)
        except tg.TellegenError:
            continue  # a file that shall not be readable names its model by its path
        for definition in stored.classes:
            yield from _marked(definition, ".".join(stored.within or ()), file)


def _marked(definition: ClassDefinition, package: str, file: SourceFile) -> Iterator[TestCase]:
    name = f"{package}.{definition.name}".lstrip(".")
    value = annotation_value(whole_annotation_of(definition, file), "__ModelicaAssociation", "TestCase", "shouldPass")
    if isinstance(value, Truth):
        yield TestCase(name, value.value)
    for element in definition.elements:
        if isinstance(element, ClassDefinition):
            yield from _marked(element, name, file)


class TooSlowError(Exception):
    """A model took more than its time."""


def _stop(*_: Any) -> None:
    raise TooSlowError


def run(case: TestCase, views: Views) -> Outcome:
    """Translate and simulate one model."""
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    verdict = "passed"
    reason = ""
    try:
        model = FoundClass(views.named(case.name)).translated().model
        tg.simulate(model, stop=model.experiment.stop or 0.01)
    except TooSlowError:
        verdict = "slow"
    except tg.TellegenError as error:
        verdict = "refused"
        reason = str(error).splitlines()[0]
    except Exception as error:  # whatever is not an error of ours is a fault of ours
        verdict = "crashed"
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return Outcome(case.name, case.chapter, case.should_pass, verdict, reason)


def table_of(outcomes: list[Outcome]) -> Table:
    """Right and all models of each chapter, those that should pass and those that should not."""
    table = Table("chapter", "accepted, as they should be", "refused, as they should be", "wrongly accepted", "crashed")
    chapters = [*dict.fromkeys(outcome.chapter for outcome in outcomes), ""]
    for chapter in chapters:
        chosen = [outcome for outcome in outcomes if chapter in ("", outcome.chapter)]
        count = Counter((outcome.should_pass, outcome.right) for outcome in chosen)
        accepted = sum(outcome.verdict == "passed" and not outcome.should_pass for outcome in chosen)
        crashed = sum(outcome.verdict in ("crashed", "slow") for outcome in chosen)
        good = f"{count[True, True]} of {count[True, True] + count[True, False]}"
        bad = f"{count[False, True]} of {count[False, True] + count[False, False]}"
        table.add_row(chapter or "all", good, bad, str(accepted), str(crashed))
    return table


PAGE = """# The Modelica-Compliance suite

Made by `python -m benchmarks.modelica.compliance --page docs/modelica-compliance.md`. The
[suite](https://github.com/modelica/Modelica-Compliance) has models that a tool has to accept, with assertions about
their results, and others that it has to report as wrong.

| chapter | accepted, as they should be | errors, as they should be |
|---|--:|--:|
"""


def page(outcomes: list[Outcome]) -> str:
    """The table as a page of the documentation, with every model that went wrong."""
    rows = []
    for chapter in [*dict.fromkeys(outcome.chapter for outcome in outcomes), ""]:
        chosen = [outcome for outcome in outcomes if chapter in ("", outcome.chapter)]
        cells = []
        for should_pass in (True, False):
            asked = [outcome for outcome in chosen if outcome.should_pass == should_pass]
            cells.append(f"{sum(outcome.right for outcome in asked)} of {len(asked)}")
        rows.append(f"| {chapter or '**all**'} | {cells[0]} | {cells[1]} |")
    wrong = [outcome for outcome in outcomes if not outcome.right]
    accepted = [f"- {_short(outcome)}" for outcome in wrong if not outcome.should_pass]
    refused = [f"- {_short(outcome)}: {outcome.reason or outcome.verdict}" for outcome in wrong if outcome.should_pass]
    lists = ["", "## Accepted, though wrong", "", *accepted, "", "## Not accepted, though right", "", *refused]
    return PAGE + "\n".join([*rows, *lists]).replace("ModelicaCompliance.", "") + "\n"


def _short(outcome: Outcome) -> str:
    why = NOT_CHECKED.get(outcome.name.rpartition(".")[2], "")
    return f"`{outcome.name}`" + (f": {why}" if why else "")


NOT_CHECKED = {
    "AttributeStateSelectInvalidAlways": "the attribute is a preference here, which state selection may overrule",
    "AttributeStateSelectInvalidNever": "the attribute is a preference here, which state selection may overrule",
    "NonPackageLikeClassLookup": "it names a class of another model, which is like a package: correct as written",
}
"""Why a wrong model is accepted, by its name."""


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="models whose name contains this")
    parser.add_argument("--results", default="", help="file for all outcomes, as JSON")
    parser.add_argument("--page", default="", help="file for the page of the documentation")
    given = parser.parse_args()
    folder = os.environ.get("TELLEGEN_COMPLIANCE")
    if not folder:
        sys.exit("TELLEGEN_COMPLIANCE does not name the folder of the Modelica-Compliance suite")
    warnings.simplefilter("ignore")
    store = Store(searched=[])
    store.add(Path(folder) / "ModelicaCompliance")
    if library := os.environ.get("TELLEGEN_MSL"):
        store.add(library)
    cases = [case for case in test_cases(Path(folder)) if given.only in case.name]
    views = Views(store)
    outcomes = [run(case, views) for case in track(cases, "running", console=console)]
    console.print(table_of(outcomes))
    for outcome in outcomes:
        if not outcome.right:
            wanted = "should pass" if outcome.should_pass else "should be refused"
            console.print(f"{outcome.name}: {wanted}, {outcome.verdict} {outcome.reason}", highlight=False)
    if given.page:
        Path(given.page).write_text(page(outcomes))
    if given.results:
        Path(given.results).write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=1))


if __name__ == "__main__":
    main()
