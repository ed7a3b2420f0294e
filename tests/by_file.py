"""Tests dealt out to workers by file: what a file shares (compiled models, imported peers) is made once.

Files that take long and share nothing are dealt out test by test, after all others, so that no worker waits at the end.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

TEST_BY_TEST = frozenset(
    f"tests/{name}.py"
    for name in (
        "library/test_power_balance",
        "network/test_explain",
        "network/test_random_circuits",
        "test_docs",
        "test_examples",
        "test_mistakes",
        "validation/test_ngspice",
    )
)


class ByFile(LoadScopeScheduling):
    """A unit of work is a file, or one test of those that are dealt out singly."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return nodeid if file in TEST_BY_TEST else file
