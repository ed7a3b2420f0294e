"""The documentation is true: every ```python block of every page runs, in order, in one namespace per page.

A block marked `python no-run` is shown only, one marked `python raises=LanguageError` must raise that kind of error,
one marked `python warns=hysteresis` must give a warning with that word in it, and no other block may warn.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Indented fences belong to lists and tabs; the indentation is taken off the code.
FENCE = re.compile(r"^(?P<indent> *)```python(?P<options>[^\n]*)\n(?P<code>.*?)^(?P=indent)```[ ]*$", re.M | re.S)

MARKS = ("raises=", "warns=", "title=", "hl_lines=")


@dataclass(frozen=True)
class Block:
    """One code block: where its code starts, and what is expected of it."""

    line: int
    code: str
    options: tuple[str, ...]

    @property
    def raises(self) -> str:
        """The name of the error this block must raise; empty when it must not."""
        return self._value_of("raises=")

    @property
    def warns(self) -> str:
        """A word of the warning this block must give; empty when it must not."""
        return self._value_of("warns=")

    def _value_of(self, mark: str) -> str:
        return next((option.removeprefix(mark) for option in self.options if option.startswith(mark)), "")


def blocks(text: str) -> Iterator[Block]:
    """The Python blocks of a page, in order."""
    for match in FENCE.finditer(text):
        indent = match["indent"]
        code = "".join(line.removeprefix(indent) for line in match["code"].splitlines(keepends=True))
        line = text.count("\n", 0, match.start("code")) + 1
        yield Block(line, code, tuple(match["options"].split()))


def run_page(text: str, page: str) -> None:
    """Run all blocks of a page; fail with page:line of the text at fault."""
    __tracebackhide__ = True
    namespace = {"__name__": "__docs__"}
    for block in blocks(text):
        unknown = [o for o in block.options if o != "no-run" and not o.startswith(MARKS)]
        if unknown:
            pytest.fail(f"{page}:{block.line}: unknown mark {unknown[0]!r} on a Python block", pytrace=False)
        if "no-run" in block.options:
            continue
        # Blank lines in front make every line number in a traceback the one of the page.
        source = "\n" * (block.line - 1) + block.code
        try:
            with pytest.warns(UserWarning, match=block.warns) if block.warns else nullcontext():
                exec(compile(source, page, "exec", dont_inherit=True), namespace)  # as in a file of the user
        except Exception as error:
            if block.raises in {kind.__name__ for kind in type(error).__mro__}:
                continue
            lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == page]
            line = lines[-1] if lines else getattr(error, "lineno", None) or block.line
            pytest.fail(f"{page}:{line}: {type(error).__name__}: {error}", pytrace=False)
        if block.raises:
            pytest.fail(f"{page}:{block.line}: this block should raise {block.raises} and does not", pytrace=False)


@pytest.mark.usefixtures("plain_layout")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_page(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_page(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())


def test_blocks_share_a_namespace_and_marks_are_kept() -> None:
    page = (
        "```python\nx = 1\n```\n\n- item\n\n    ```python\n    assert x == 1\n    ```\n\n```python no-run\nboom\n```\n"
    )
    run_page(page + "```python raises=ValueError\nint('a')\n```\n", "page.md")
    assert [block.line for block in blocks(page)] == [2, 8, 12]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("```python\nx = 1\n1 / 0\n```", r"page\.md:5: ZeroDivisionError"),
        ("```python\nx = = 1\n```", r"page\.md:4: SyntaxError"),
        ("```python raises=ValueError\nx = 1\n```", r"page\.md:4: this block should raise ValueError"),
        ("```python no-rnu\nx = 1\n```", r"page\.md:4: unknown mark 'no-rnu'"),
    ],
)
def test_faults_name_page_and_line(code: str, message: str) -> None:
    with pytest.raises(pytest.fail.Exception, match=message):
        run_page("# Title\n\n" + code, "page.md")
