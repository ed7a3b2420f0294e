"""Many records in one file: batches of several processes, damage, and a limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tellegen.kept import pack
from tellegen.kept.pack import Pack


def test_batches_add_up_and_the_later_record_counts(tmp_path: Path) -> None:
    path = tmp_path / "room" / "x.pack"
    path.parent.mkdir()
    earlier = Pack(path)
    assert earlier.find("a") is None
    Pack(path).add({"a": b"one", "b": b""})
    Pack(path).add({"a": b"two" * 1000, "c": bytes(range(256))})
    found = Pack(path)
    assert [found.find(name) for name in "abcd"] == [b"two" * 1000, b"", bytes(range(256)), None]
    assert found.names() == ["a", "b", "c"]


@pytest.mark.parametrize("cut", [1, 20, 70, 200])
def test_a_file_that_was_cut_off_keeps_what_is_whole_and_is_begun_anew(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "x.pack"
    Pack(path).add({"a": b"first"})
    whole = path.stat().st_size
    Pack(path).add({"b": b"second" * 100})
    path.write_bytes(path.read_bytes()[: whole + cut])
    found = Pack(path)
    assert (found.find("a"), found.find("b")) == (b"first", None)
    Pack(path).add({"c": b"third"})
    assert Pack(path).names() == ["c"]


def test_damage_anywhere_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "x.pack"
    Pack(path).add({"a": b"first"})
    content = path.read_bytes()
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 64]) + content[place + 1 :])
        assert Pack(path).find("a") is None, place


def test_a_file_that_is_too_large_is_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.pack"
    monkeypatch.setattr(pack, "_MOST_BYTES", 1000)
    Pack(path).add({"a": bytes(2000)})
    Pack(path).add({"b": b"second"})
    assert Pack(path).names() == ["b"]
