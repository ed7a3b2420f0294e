"""The page docs/modelica-examples.md from the outcomes of batch.py.

python -m benchmarks.modelica.page OUTCOMES.json [docs/modelica-examples.md]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.modelica.batch import table
from benchmarks.modelica.references import Example, listed_examples

PAGE = Path("docs/modelica-examples.md")
WAVES = (1, 2)
HEAD = """# Examples of the Modelica Standard Library

Made by `make msl` from the sources of version 4.1.0 and the published reference curves: {count} of its 534 examples, a
sample of those that need neither synchronous clocks nor the Media and Fluid libraries. **match**: all signals of the
reference stay in a tube of 0.002 of the time range and of 0.002 of the signal's range; **run**: reached the stop time,
there is no readable reference; **differ**: a signal leaves the tube; **slow**: more than 100 s.

**{good} of {count} run ({run_share:.1%}); of the {compared} with a reference {match} match ({match_share:.1%}).**
OpenModelica publishes 523 that run and 500 that match, of all 534.

"""
SPEED = """
## Time

CPU seconds for one example in a new process that has read the library's files before:

| | median | 90 % | largest |
|---|--:|--:|--:|
"""


def page(outcomes: dict[str, Any]) -> str:
    """The whole text."""
    examples = [example for example in listed_examples() if example.wave in WAVES and example.model in outcomes]
    found = [outcomes[example.model] for example in examples]
    counts = {word: sum(one["outcome"] == word for one in found) for word in ("match", "run", "differ")}
    good = sum(counts.values())
    compared = sum(1 for example in examples if example.has_reference)
    text = HEAD.format(
        count=len(examples),
        good=good,
        run_share=good / len(examples),
        compared=compared,
        match=counts["match"],
        match_share=counts["match"] / compared,
    )
    return text + table(examples, outcomes) + "\n" + _speed(found) + _rest(examples, outcomes)


def _speed(found: list[dict[str, Any]]) -> str:
    rows = []
    for stage, title in (("translate", "text to Model"), ("compile", "equations to code"), ("simulate", "simulation")):
        seconds = sorted(one["seconds"][stage] for one in found if stage in one.get("seconds", {}))
        late = seconds[int(0.9 * (len(seconds) - 1))]
        rows.append(f"| {title} | {median(seconds):.3f} | {late:.2f} | {seconds[-1]:.1f} |")
    return SPEED + "\n".join(rows) + "\n"


def _rest(examples: list[Example], outcomes: dict[str, Any]) -> str:
    lines = ["", "## What does not match", "", "| example | | reason |", "|---|---|---|"]
    for example in examples:
        outcome = outcomes[example.model]
        if outcome["outcome"] in ("differ", "slow", "failed"):
            name = example.model.removeprefix("Modelica.")
            lines.append(f"| {name} | {outcome['outcome']} | {_reason(outcome)} |")
    return "\n".join(lines) + "\n"


def _reason(outcome: dict[str, Any]) -> str:
    if outcome["outcome"] == "differ":
        worst = sorted(outcome["differing"].items(), key=lambda item: -item[1])[:2]
        return ", ".join(f"`{signal}` by {distance:.3g} half heights" for signal, distance in worst)
    first = outcome.get("error", "").splitlines()[:1]
    return first[0].partition(": ")[2].replace("|", "\\|")[:160] if first else ""


def main() -> None:
    """The command line."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    outcomes = json.loads(Path(sys.argv[1]).read_text())
    target = Path(sys.argv[2]) if len(sys.argv) > 2 else PAGE
    target.write_text(page(outcomes))
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
