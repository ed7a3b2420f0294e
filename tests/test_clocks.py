"""No test depends on the clock: it waits for what it observes or compares costs, with tests/waiting.py."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
CLOCKS = {"monotonic", "perf_counter", "process_time", "sleep", "thread_time", "time"}
MENTIONED = re.compile(r"\btime\.[a-z]|from time import")  # few files: only these are parsed
MAY_LOOK = {
    "browser.py",  # waits for what a page shows, as wait_until does
    "validation/spice_table.py",  # writes a table of the docs, no test
    "waiting.py",
}


def clocks_in(text: str) -> set[str]:
    """The functions of the module time that a file names; not those in programs that it holds as strings."""
    found: set[str] = set()
    if not MENTIONED.search(text):
        return found
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "time":
            found.add(node.attr)
    return found & CLOCKS


def test_no_test_looks_at_a_clock() -> None:
    paths = list(TESTS.rglob("*.py"))
    found = {path.relative_to(TESTS).as_posix() for path in paths if clocks_in(path.read_text(encoding="utf-8"))}
    assert found == MAY_LOOK


def test_a_clock_is_seen() -> None:
    assert clocks_in("from time import process_time, strftime") == {"process_time"}
    assert clocks_in("import time\ntime.sleep(1)") == {"sleep"}
    assert not clocks_in("row.time.sum()\ntg.time + 'time.sleep(1)'")
