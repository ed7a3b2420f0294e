"""How long a start takes: import, the command line, a first program; CPU seconds of fresh interpreters.

Everything is compared with importing what no run can do without: NumPy, scipy.sparse and LLVM. Aims: `import tellegen`
and `tellegen --help` at most 1.3 times that, and examples/dc_drive.py (a run, a table and a picture; machine code from
the cache) below 0.8 s. Matplotlib alone, drawing as much, is shown for comparison.

    python benchmarks/start.py
    python benchmarks/start.py ROUNDS OTHER_CHECKOUT     compare with another version of Tellegen
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path

from _timing import seconds, show

HERE = Path(__file__).resolve().parent.parent
EXAMPLE = "examples/dc_drive.py"
REFERENCE = "import numpy, scipy.sparse, llvmlite.binding"
MATPLOTLIB = """
import matplotlib.pyplot as plt
figure, axes = plt.subplots(2, 1, sharex=True, figsize=(8.5, 5.8), layout="constrained")
axes[0].plot([0.0, 1.0], [0.0, 1.0])
axes[1].plot([0.0, 1.0], [0.0, 1.0])
figure.savefig("figure.png", dpi=150)
"""
RUN = """
import sys
sys.path.insert(0, sys.argv[1])
import tellegen as tg
from dc_drive import Drive
tg.simulate(Drive(), stop=2.0)
"""


@dataclass(frozen=True)
class Start:
    """A program to start, from a checkout, and what it may cost."""

    name: str
    arguments: list[str]
    checkout: Path = HERE
    most: float = inf  # in units of the reference
    most_seconds: float = inf

    def verdict(self, cost: float, reference: float) -> str:
        """Whether the aim was met; nothing where there is none."""
        if self.most == inf and self.most_seconds == inf:
            return ""
        met = cost <= self.most * reference and cost <= self.most_seconds
        aim = f"{self.most} x" if self.most < inf else seconds(self.most_seconds)
        return f"{'met' if met else 'MISSED'} (< {aim})"


def starts(checkout: Path, label: str) -> list[Start]:
    """What is started from one version of Tellegen."""
    start = partial(Start, checkout=checkout)
    return [
        start(f"import tellegen{label}", ["-c", "import tellegen"], most=1.3),
        start(f"tellegen --help{label}", ["-m", "tellegen", "--help"], most=1.3),
        start(f"a plain run{label}", ["-c", RUN, str(checkout / "examples")]),
        start(f"{EXAMPLE}{label}", [str(checkout / EXAMPLE)], most_seconds=0.8),
    ]


def cpu_seconds(start: Start, folder: str) -> float:
    """User and system time of a fresh interpreter, with bytecode and machine code from their caches."""
    environment = dict(os.environ, PYTHONPATH=str(start.checkout), TELLEGEN_CACHE=f"{folder}/{start.checkout.name}")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *start.arguments]
    subprocess.run(command, env=environment, cwd=folder, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main(rounds: int, other: str) -> None:
    """Print the table; minima of alternating runs, since other programs use the machine as well."""
    reference = Start(REFERENCE, ["-c", REFERENCE])
    programs = [reference, Start("Matplotlib: a figure as a file", ["-c", MATPLOTLIB]), *starts(HERE, "")]
    if other:
        programs += starts(Path(other).resolve(), f" ({Path(other).resolve().name})")
    least = dict.fromkeys((program.name for program in programs), inf)
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            cpu_seconds(program, folder)  # fills the caches
        for _ in range(rounds):
            for program in programs:
                least[program.name] = min(least[program.name], cpu_seconds(program, folder))
    base = least[reference.name]
    rows = []
    for program in programs:
        cost = least[program.name]
        rows.append([program.name, seconds(cost), f"{cost / base:.2f} x", program.verdict(cost, base)])
    show("A start, CPU of a fresh interpreter", ["", "CPU", "of the reference", "aim"], rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7, sys.argv[2] if len(sys.argv) > 2 else "")
