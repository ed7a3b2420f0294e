"""Run all netlists of tests/reference and write the comparison with ngspice into docs/spice.md.

python tests/validation/spice_table.py
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "spice.md"
MARKS = re.compile(r"(<!-- comparison -->\n).*(<!-- end -->)", re.S)
HEAD = "| netlist | curve | error | allowed | moved | solver | seconds | ngspice |\n|---|---|---|---|---|---|---|---|\n"


def ngspice_seconds(name: str) -> float:
    """How long ngspice takes for the netlist with the steps written there, from start to end."""
    from validation.test_ngspice import FOLDER

    with tempfile.TemporaryDirectory() as folder:
        begin = perf_counter()
        command = ["ngspice", "-b", "-r", "out.raw", str(FOLDER / f"{name}.cir")]
        subprocess.run(command, cwd=folder, capture_output=True, check=False)
        return perf_counter() - begin


def table() -> str:
    """A row for each curve; what holds for the whole netlist stands in the first of them."""
    from validation.test_ngspice import FOLDER, NAMES, compared, curves

    text = HEAD
    for name in NAMES:
        begin = perf_counter()
        s, rows = compared(name)  # from netlist to curves
        seconds = perf_counter() - begin
        title = (FOLDER / f"{name}.cir").read_text().splitlines()[0].lstrip("* ").partition(":")[0]
        for k, ((label, error, tolerance), own) in enumerate(zip(rows, curves(name)[2], strict=True)):
            first = f"{title} (`{name}`)" if not k else ""
            last = f"{s.stats['solver']} | {seconds:.2f} | {ngspice_seconds(name):.2f}" if not k else " | | "
            text += f"| {first} | {label} | {error:.1e} | {tolerance:.1e} | {own:.1e} | {last} |\n"
    return text


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    page, made = PAGE.read_text(encoding="utf-8"), table()
    PAGE.write_text(MARKS.sub(lambda found: found[1] + made + found[2], page), encoding="utf-8")
