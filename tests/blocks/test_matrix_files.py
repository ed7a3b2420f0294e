"""Files of MATLAB and NumPy: what SciPy and NumPy write is read, and damage of any kind is an error in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import io

import tellegen as tg
from seeds import each_seed
from tellegen.library.blocks.tables.table_data import read_table
from tellegen.library.matrix_files import read_mat

TABLE = np.array([[0.0, 1.0, -2.5], [1.0, 2.0, 3.5], [4.0, 5.0, 6.0]])
WAYS: dict[str, dict[str, Any]] = {
    "5": {},
    "compressed": {"do_compression": True},
    "4": {"format": "4"},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["f8", "f4", "i4", "i2", "u1", ">f8"])
def test_matrices_of_matlab(tmp_path: Path, way: str, kind: str) -> None:
    table = np.abs(np.round(TABLE)).astype(kind)
    io.savemat(tmp_path / "a.mat", {"first": np.arange(5.0), "curve": table, "word": "text"}, **WAYS[way])
    found = read_mat((tmp_path / "a.mat").read_bytes())
    np.testing.assert_array_equal(found["curve"], table)
    np.testing.assert_array_equal(found["first"].ravel(), np.arange(5.0))
    assert "word" not in found
    np.testing.assert_array_equal(read_table(tmp_path / "a.mat", "curve"), table)


def test_what_is_not_a_real_matrix_is_left_out(tmp_path: Path) -> None:
    inside = {"s": {"a": 1.0}, "c": np.array([1.0 + 2.0j]), "cell": np.array([1, "a"], object), "x": TABLE}
    io.savemat(tmp_path / "a.mat", inside)
    assert set(read_mat((tmp_path / "a.mat").read_bytes())) == {"x"}


def write(path: Path, way: str) -> None:
    if path.suffix == ".npy":
        np.save(path, TABLE)
    elif path.suffix == ".npz":
        np.savez_compressed(path, curve=TABLE)
    else:
        io.savemat(path, {"curve": TABLE}, **WAYS[way])


@each_seed(range(60))
@pytest.mark.parametrize(("name", "way"), [("a.npy", ""), ("a.npz", ""), *(("a.mat", way) for way in WAYS)])
def test_damaged_files_are_errors_or_other_numbers(tmp_path: Path, name: str, way: str, seed: int) -> None:
    """Some bytes changed, or the end cut off."""
    write(tmp_path / name, way)
    content = bytearray((tmp_path / name).read_bytes())
    random = np.random.default_rng(seed)
    if seed % 4 == 0:
        content = content[: int(random.integers(len(content)))]
    else:
        for at in random.integers(len(content), size=1 + seed % 5):
            content[at] = random.integers(256)
    (tmp_path / name).write_bytes(content)
    try:
        assert read_table(tmp_path / name, "" if name == "a.npy" else "curve").dtype == float
    except tg.LanguageError as error:
        assert error.code == "E191"  # noqa: PT017 - either is right


def test_a_length_that_the_file_does_not_have(tmp_path: Path) -> None:
    """A header that claims 8 TB is not believed."""
    np.save(tmp_path / "a.npy", TABLE)
    content = (tmp_path / "a.npy").read_bytes()
    claimed = content.replace(b"(3, 3), }            ", b"(1000000000000,), }  ")
    assert claimed != content
    (tmp_path / "a.npy").write_bytes(claimed)
    with pytest.raises(tg.LanguageError, match="it ends too early"):
        read_table(tmp_path / "a.npy")
