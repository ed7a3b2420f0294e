"""Golden texts: what a stage prints, kept in tests/golden/ and compared word by word.

    from golden import check_golden

    def test_rc():
        check_golden("flat_rc", show_flat(flat))

`pytest --rewrite-golden` writes the files anew; read the diff before committing it.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(__file__).resolve().parent / "golden"


def normalised(text: str) -> str:
    """The text without what differs between machines: absolute paths and trailing blanks."""
    # The repository first: it may itself stand below the temporary folder.
    text = text.replace(str(ROOT), "<root>").replace(os.path.realpath(sys.prefix), "<python>")
    folder = Path(tempfile.gettempdir())
    temporary = "|".join({re.escape(str(folder)), re.escape(str(folder.resolve()))})
    # pytest's tmp_path is <tmp>/pytest-of-NAME/pytest-N[/popen-gwN]/test_name0.
    text = re.sub(rf"(?:{temporary})/pytest-of-[^/\s]+/pytest-\d+(?:/popen-gw\d+)?/[^/\s'\"]+", "<tmp>", text)
    text = re.sub(rf"(?:{temporary})/[^/\s'\"]+", "<tmp>", text)
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"


def check_golden(name: str, text: str) -> None:
    """Compare `text` with tests/golden/<name>.txt; a difference fails the test and shows itself."""
    __tracebackhide__ = True
    path = FOLDER / f"{name}.txt"
    new = normalised(text)
    if os.environ.get("TELLEGEN_REWRITE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(new, encoding="utf-8")
        return
    if not path.exists():
        pytest.fail(
            f"there is no {path.relative_to(ROOT)}; make it with pytest --rewrite-golden:\n{new}", pytrace=False
        )
    old = path.read_text(encoding="utf-8")
    if old != new:
        diff = difflib.unified_diff(old.splitlines(), new.splitlines(), "golden", "now", lineterm="")
        text = "\n".join(diff)
        pytest.fail(f"{path.relative_to(ROOT)} differs (meant? pytest --rewrite-golden):\n{text}", pytrace=False)
