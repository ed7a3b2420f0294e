"""Run the listed examples of the Modelica Standard Library, each in its own process, and print a table.

    python -m benchmarks.modelica.batch [--only Electrical.Analog] [--waves 1,2] [--results FILE] [--again failed]

Outcomes are kept in a JSON file, so that a batch goes on where it was interrupted; `--again` runs those with some
outcome again (failed, slow, differ, all). `--table` only prints.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

from benchmarks.modelica.references import Example, listed_examples

COLUMNS = ("match", "run", "differ", "slow", "failed")


def run_example(model: str, seconds: float) -> dict[str, Any]:
    """The outcome of one example, from a process of its own."""
    command = [sys.executable, "-m", "benchmarks.modelica.compare", model, "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return {"model": model, "outcome": "slow", "stage": "", "error": f"more than {seconds:g} s"}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        return {"model": model, "outcome": "failed", "stage": "crash", "error": done.stderr[-800:]}
    return json.loads(lines[-1])


def run_batch(examples: list[Example], path: Path, seconds: float, jobs: int, again: set[str]) -> dict[str, Any]:
    """Run what has no outcome yet, or one that is to be had again."""
    outcomes: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = Lock()

    def one(example: Example) -> None:
        outcome = run_example(example.model, seconds)
        with lock:
            outcomes[example.model] = outcome
            path.write_text(json.dumps(outcomes, indent=1))
            print(f"{outcome['outcome']:7} {example.model}  {_reason(outcome)}", flush=True)

    waiting = [
        e for e in examples if e.model not in outcomes or outcomes[e.model]["outcome"] in again or "all" in again
    ]
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, waiting))
    return outcomes


def _reason(outcome: dict[str, Any]) -> str:
    if outcome["outcome"] == "differ":
        return ", ".join(f"{signal} {distance:.3g}" for signal, distance in list(outcome["differing"].items())[:3])
    first = outcome.get("error", "").splitlines()[:1]
    return f"{outcome.get('stage', '')}: {first[0][:150]}" if first else ""


def table(examples: list[Example], outcomes: dict[str, Any]) -> str:
    """Counts by sub-library."""
    counts: dict[str, Counter[str]] = {}
    for example in examples:
        outcome = outcomes.get(example.model)
        counts.setdefault(example.library, Counter())[outcome["outcome"] if outcome else "not run"] += 1
    rows = [f"| sub-library | examples | {' | '.join(COLUMNS)} |", f"|---|--:|{'--:|' * len(COLUMNS)}"]
    total: Counter[str] = Counter()
    for library, counted in sorted(counts.items()):
        total += counted
        rows.append(_row(library, counted))
    return "\n".join([*rows, _row("**all**", total)])


def _row(title: str, counted: Counter[str]) -> str:
    return f"| {title} | {counted.total()} | {' | '.join(str(counted[c] or '') for c in COLUMNS)} |"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="beginning of the sub-library's or model's name")
    parser.add_argument("--waves", default="1,2,3,4", help="of the list, separated by commas")
    parser.add_argument("--seconds", type=float, default=100.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--results", type=Path, default=Path("msl_outcomes.json"))
    parser.add_argument("--again", default="", help="outcomes to have again, separated by commas")
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    named = [e for e in listed_examples() if e.library.startswith(asked.only) or e.model.startswith(asked.only)]
    chosen = [e for e in named if str(e.wave) in asked.waves.split(",")]
    if asked.table:
        outcomes = json.loads(asked.results.read_text())
    else:
        outcomes = run_batch(
            chosen, asked.results, asked.seconds, asked.jobs, set(filter(None, asked.again.split(",")))
        )
    print(table(chosen, outcomes))


if __name__ == "__main__":
    main()
