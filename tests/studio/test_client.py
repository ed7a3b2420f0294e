"""The sources of the page: the same messages as the server's, no dependencies, small, and accepted by the compiler."""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path

import pytest

from studio.browser_story import ROOT, build_page
from tellegen.studio.messages.typescript import typescript

CLIENT = ROOT / "studio_client"
MOST_BYTES = 200_000
LINES = 400


def test_messages_are_typed_from_one_schema() -> None:
    command = "python -m tellegen.studio.messages.typescript > studio_client/src/protocol.ts"
    assert (CLIENT / "src" / "protocol.ts").read_text() == typescript(), f"run: {command}"


def test_the_page_is_small_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    build_page(tmp_path / "page")
    files = list((tmp_path / "page").iterdir())
    compressed = sum(len(gzip.compress(path.read_bytes())) for path in files)
    assert compressed < MOST_BYTES
    assert {path.suffix for path in files} == {".html", ".css", ".js", ".svg"}
    allowed = ("http://www.w3.org/",)
    for path in files:
        text = path.read_text()
        for scheme in ("http://", "https://", "//cdn"):
            starts = [text[k:] for k in range(len(text)) if text.startswith(scheme, k)]
            assert all(start.startswith(allowed) for start in starts), path.name


def test_files_stay_small() -> None:
    long = {path.name: len(path.read_text().splitlines()) for path in (CLIENT / "src").glob("*.ts")}
    assert {name: lines for name, lines in long.items() if lines > LINES and name != "protocol.ts"} == {}


def test_the_compiler_accepts_all_types() -> None:
    compiler = CLIENT / "node_modules" / ".bin" / "tsc"
    if not compiler.exists():
        pytest.skip("the TypeScript compiler is not installed: npm install --no-package-lock in studio_client")
    done = subprocess.run([str(compiler), "--noEmit"], cwd=CLIENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
