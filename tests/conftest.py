"""Options and settings for all tests."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator

import pytest

# Before anybody imports pyplot: tests never open a window.
os.environ["MPLBACKEND"] = "Agg"
# Every pass is followed by the checker of its stage.
os.environ.setdefault("TELLEGEN_CHECK", "1")
# Before anybody imports NumPy: workers share the cores, and small matrices wait for BLAS threads that have none.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        help="write what the tests produce into tests/golden instead of comparing with it",
    )


def pytest_collection() -> None:
    """Nothing of what collection makes is garbage: a quarter of its time would be spent looking for some."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Tests, modules and classes stay to the end: no search for garbage looks at them again.

    Models are made and dropped all the time, most without garbage: looked for rarely, it takes a tenth less time.
    """
    gc.freeze()
    gc.set_threshold(500_000)
    gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    # Through the environment, because xdist's workers and both ways of importing golden.py see the same one.
    os.environ["TELLEGEN_REWRITE_GOLDEN"] = "1" if config.getoption("--rewrite-golden") else ""


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    """Figures of pyplot live until they are closed; this does not import it."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture
def plain_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures without a search for room around their panels, a third of their cost; tests of plots look at that."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    monkeypatch.setattr(ConstrainedLayoutEngine, "execute", lambda *_: None)
