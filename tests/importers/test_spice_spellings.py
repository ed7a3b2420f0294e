"""Spellings of other simulators: counted pulses, repeated and relative corners, tables, tc=a,b, models of a kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tellegen as tg


def run(tmp_path: Path, *lines: str) -> Any:
    path = tmp_path / "spelled.cir"
    path.write_text("* spelled\n" + "\n".join(lines) + "\n.end\n")
    return tg.run_spice(path)


def operating_point(tmp_path: Path, *lines: str) -> Any:
    return run(tmp_path, *lines, ".op").op


def transient(tmp_path: Path, source: str, stop: str) -> Any:
    return run(tmp_path, source, "R1 a 0 1k", f".tran 10n {stop}").tran


def test_pulses_that_are_counted(tmp_path: Path) -> None:
    found = transient(tmp_path, "V1 a 0 PULSE(0 1 1u 10n 10n 1u 4u 2)", "20u")
    values = [found.at(t * 1e-6)["r1.v"] for t in (0.5, 1.5, 3.0, 5.5, 9.5, 13.5)]
    assert values == pytest.approx([0.0, 1.0, 0.0, 1.0, 0.0, 0.0], abs=1e-9)
    endless = transient(tmp_path, "V1 a 0 PULSE(0 1 1u 10n 10n 1u 4u 0)", "20u")
    assert endless.at(13.5e-6)["r1.v"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("corners", "expected"),
    [
        ("PWL(0 0 1u 1 2u 0)", [0.5, 0.5, 0.0, 0.0]),
        ("PWL(0 0 +1u 1 +1u 0)", [0.5, 0.5, 0.0, 0.0]),
        ("PWL(0 0 1u 1 2u 0) r=0", [0.5, 0.5, 0.5, 0.5]),
        ("PWL(0 0 1u 1 2u 0) r=0 td=0.5u", [0.0, 1.0, 0.0, 0.0]),
        ("PWL(0 0 1u 1 2u 0) r=1u", [0.5, 0.5, 0.5, 0.5]),
        ("PWL(0 0 1u 1 2u 0) td=1u", [0.0, 0.5, 0.5, 0.0]),
    ],
)
def test_corners(tmp_path: Path, corners: str, expected: list[float]) -> None:
    found = transient(tmp_path, f"V1 a 0 {corners}", "10u")
    assert [found.at(t * 1e-6)["r1.v"] for t in (0.5, 1.5, 2.5, 8.5)] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("control", "expected"), [(-1.0, 0.0), (0.25, 1.0), (0.75, 2.5), (9.0, 3.0)])
def test_tables_of_controlled_sources(tmp_path: Path, control: float, expected: float) -> None:
    found = operating_point(
        tmp_path,
        f"V1 a 0 {control}",
        "E1 b 0 TABLE {V(a)} = (0,0) (0.5,2) (1,3)",
        "G1 0 c TABLE {2*V(a)} (0,0) (1,2m) (2,3m)",
        "R1 b 0 1k",
        "R2 c 0 1k",
    )
    assert (found["r1.v"], found["r2.v"]) == pytest.approx((expected, expected), abs=1e-9)


def test_both_temperature_coefficients_in_one(tmp_path: Path) -> None:
    found = operating_point(tmp_path, "V1 a 0 1", "R1 a 0 1k tc=1m,2u", ".temp 77")
    assert found["r1.i"] == pytest.approx(1e-3 / (1.0 + 1e-3 * 50.0 + 2e-6 * 50.0**2), rel=1e-12)


def test_a_model_that_is_a_kind_of_another(tmp_path: Path) -> None:
    base = ".model base d(is=1e-14 n=1.5 rs=2)"
    one = operating_point(tmp_path, "V1 a 0 1", "D1 a 0 dd", ".model dd ako:base d(is=1e-12)", base)
    whole = operating_point(tmp_path, "V1 a 0 1", "D1 a 0 dd", ".model dd d(is=1e-12 n=1.5 rs=2)")
    assert one["d1.i"] == pytest.approx(whole["d1.i"], rel=1e-12)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["V1 a 0 1", "D1 a 0 x", ".model x ako:y d", ".model y ako:x d"], "are each a kind of the next"),
        (["V1 a 0 1", "D1 a 0 x", ".model x ako:z d"], "there is no .model 'z'"),
        (["V1 a 0 1", "D1 a 0 x", ".model x ako:q d", ".model q npn(bf=10)"], "is of the type D"),
        (["V1 a 0 PWL(0 0 1u 1) r=2u", "R1 a 0 1", ".tran 1n 5u"], "is not before its last time"),
        (["V1 a 0 1", "E1 b 0 TABLE {V(a)} = (1,0) (0,1)", "R1 b 0 1"], "do not increase"),
    ],
)
def test_mistakes(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(tg.TellegenError, match=message):
        run(tmp_path, *lines, ".op")
