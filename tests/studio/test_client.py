"""The sources of the page: the same messages as the server's, no dependencies, small, and accepted by the compiler."""

from __future__ import annotations

import gzip
import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from studio.browser_story import ROOT, build_page, in_node
from tellegen.studio.messages.codec import for_pages
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


def test_the_compiler_accepts_all_types(tmp_path: Path) -> None:
    """Deno carries the TypeScript compiler in a package of its own, so that no other packages are needed."""
    compiler = shutil.which("deno", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if compiler is None:
        pytest.skip("no TypeScript compiler: pip install deno")
    environment = {**os.environ, "DENO_DIR": str(tmp_path), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
    command = [compiler, "check", "--no-remote", "--quiet", "src/app.ts"]  # app.ts imports all others
    done = subprocess.run(command, cwd=CLIENT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def axis(low: float, high: float) -> dict[str, Any]:
    """The axis of values between two numbers, as JavaScript makes it of the same doubles."""
    code = f"""import {{ axis, ends }} from "./src/axis.ts";
        const [low, high] = ends({low!r}, {high!r});
        console.log(JSON.stringify({{ ...axis(low, high, 5), low, high }}));"""
    return in_node(code)


def test_axes_end_and_their_marks_are_told_apart() -> None:
    """Once a constant with rounding in its last digit froze the page: steps too small to be added were counted."""
    noise = axis(101325.0, math.nextafter(101325.0, math.inf))
    assert 2 <= len(noise["marks"]) <= 9
    assert noise["low"] < 101325.0 < noise["high"], "a flat curve, in the middle"
    near = axis(293.15, 293.1502)
    texts = [mark["text"] for mark in near["marks"]]
    assert len(set(texts)) == len(texts) > 2
    assert max(map(len, texts)) <= 6, "there is place for so many letters"
    base = float(near["base"].removesuffix(" +"))
    for mark in near["marks"]:
        assert base + float(mark["text"]) == pytest.approx(mark["value"], abs=1e-9)


def test_numbers_that_are_none_reach_the_page() -> None:
    """JSON has no words for them; those that Python writes ended the page's patience: no answer was ever read."""
    text = for_pages({"to": 1, "message": {"values": [math.inf, -math.inf, math.nan, 1.5], "text": "null"}})
    code = f"""
        globalThis.location = {{ host: "" }};
        let made;
        globalThis.WebSocket = class {{ constructor() {{ made = this; }} }};
        const {{ Connection }} = await import("./src/connection.ts");
        new Connection((message) => console.log(JSON.stringify(message.values.map(String))), () => 0);
        made.onmessage({{ data: {json.dumps(text)} }});"""
    assert in_node(code) == ["Infinity", "-Infinity", "NaN", "1.5"]


def luminance(colour: str) -> float:
    """Of a colour `#rrggbb`, as the guidelines for accessible pages (WCAG) define it."""
    values = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in values)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_texts_can_be_read_in_both_themes() -> None:
    """4.5 to 1 for all texts, as WCAG AA asks for."""
    style = (CLIENT / "src" / "style.css").read_text()
    blocks = [
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
        for block in re.findall(r"\{[^{}]*--paper[^{}]*\}", style)
    ]
    assert len(blocks) == 3, "light, dark as the system prefers it, dark by the button"
    assert blocks[1] == blocks[2]
    pairs = [
        *((ink, ground) for ink in ("ink", "faint", "accent", "bad", "warn", "good") for ground in ("paper", "panel")),
        *((ink, "back") for ink in ("ink", "faint")),
        ("on-accent", "accent"),
        ("signal", "paper"),
    ]
    for look in blocks:
        poor = {pair: round(contrast(look[pair[0]], look[pair[1]]), 2) for pair in pairs}
        assert {pair: ratio for pair, ratio in poor.items() if ratio < 4.5} == {}
