"""The helper for golden texts itself: it compares, shows the difference, rewrites on demand and hides paths."""

from __future__ import annotations

from pathlib import Path

import pytest

import golden


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of golden texts below the root."""
    monkeypatch.setattr(golden, "ROOT", tmp_path)
    monkeypatch.setattr(golden, "FOLDER", tmp_path / "golden")
    monkeypatch.delenv("TELLEGEN_REWRITE_GOLDEN")
    return tmp_path / "golden"


def test_rewrite_then_compare(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TELLEGEN_REWRITE_GOLDEN", "1")
        golden.check_golden("deep/case", "one  \ntwo")
    assert (folder / "deep" / "case.txt").read_text() == "one\ntwo\n"
    golden.check_golden("deep/case", "one\ntwo\n\n")


def test_difference_is_shown(folder: Path) -> None:
    folder.mkdir()
    (folder / "case.txt").write_text("one\ntwo\n")
    with pytest.raises(pytest.fail.Exception, match=r"(?s)golden/case\.txt differs.*-two\n\+three"):
        golden.check_golden("case", "one\nthree")


def test_missing_file_says_how_to_make_it(folder: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="--rewrite-golden"):
        golden.check_golden("case", "text")


def test_paths_are_hidden(tmp_path: Path) -> None:
    text = f"at {golden.ROOT}/examples/rc.py:3 and {tmp_path}/model.py:4"
    assert golden.normalised(text) == "at <root>/examples/rc.py:3 and <tmp>/model.py:4\n"
