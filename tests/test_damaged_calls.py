"""A seeded portion of wrong arguments in all public calls; thousands more were tried when they were written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

import tellegen as tg
from damaged_calls import ANY, Call, Lag, attempt, calls, compiled, damaged
from tellegen.argument_types import fits, in_words

SEEDS = range(4)
CALLS_A_SEED = 100


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Call]:
    return calls(tmp_path_factory.mktemp("calls"))


def test_the_right_calls_are_right(right: dict[str, Call]) -> None:
    """Otherwise nothing was damaged: one wrong argument would hide behind another."""
    for call in right.values():
        call.function(**call.arguments)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_wrong_argument_is_answered_in_words(
    right: dict[str, Call], seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where "abc" as a file is written
    rng = np.random.default_rng(seed)
    names = list(right)
    for _ in range(CALLS_A_SEED):
        name = names[rng.integers(len(names))]
        what, given = damaged(right[name], rng)
        fault = attempt(right[name].function, given)
        plt.close("all")
        assert fault is None, f"{name} {what}: {type(fault).__name__}: {fault}"


FOUND: dict[str, tuple[str, Any]] = {
    "shape=1e300": ("size of 'q'", lambda: tg.flatten(_declared(ANY.variable(shape=1e300)))),
    "start=lambda: 0": ("takes the component", lambda: tg.flatten(_declared(ANY.variable(start=lambda: 0)))),
    "start={}": ("start is True or False, not {}", lambda: ANY.boolean(start={})),
    "n missing": (r"missing.*sobol\(variables, n, seed\)", lambda: ANY.sobol({"T": (1.0, 2.0)})),
    "seed=-1": ("seed is an integer", lambda: ANY.sobol({"T": (1.0, 2.0)}, 4, seed=-1)),
    "target={}": ("target is a string or a path, not {}", lambda: compiled().simulate(1.0).to_csv({})),
    "atol=1e-320": ("atol must be positive", lambda: compiled().simulate(1.0, atol=1e-320)),
    "stop=10**400": ("it must be finite", lambda: compiled().simulate(10**400)),
    "solver=array": ("no solver", lambda: compiled().simulate(1.0, solver=np.zeros((2, 2)))),
    "mean of nothing": ("no time between", lambda: tg.mean("x", start=1.0)(compiled().simulate(1.0))),
    "variables={}": (
        "only one design",
        lambda: ANY.pareto(Lag(), 1.0, minimize=[tg.final("x"), -tg.final("x")], variables={}),
    ),
}


def _declared(member: Any) -> Any:
    return type("Declared", (Lag,), {"q": member})()


@pytest.mark.parametrize("name", FOUND)
def test_what_such_calls_have_found(name: str) -> None:
    match, call = FOUND[name]
    with pytest.raises(tg.TellegenError, match=f"(?s){match}"):
        call()


def test_start_values_with_units_in_sensitivities() -> None:
    found = tg.sensitivity(compiled(), 1.0, wrt=["T"], initial={"x": "0.5"})
    assert found.solution["x"][0] == 0.5
    assert list(found.to_pandas("v").columns) == [("v[0]", "T"), ("v[1]", "T"), ("v[2]", "T")]


@pytest.mark.parametrize(
    ("value", "expected", "fitting", "words"),
    [
        (1.0, float, True, "a number"),
        (np.float32(1.0), float, True, "a number"),
        (True, float, False, "a number"),
        ("a", float | str | None, True, "a number or a string or None"),
        (None, float | str | None, True, "a number or a string or None"),
        ([], float | str | None, False, "a number or a string or None"),
        (["a", 1], list[str], False, "a list"),
        ("ab", list[str], False, "a list"),
        ({"a": 1}, dict[str, int], True, "a dict"),
        ({1: 1}, dict[str, int], False, "a dict"),
        (("a", "b"), tuple[str, str], True, "a tuple"),
        (("a",), tuple[str, str], False, "a tuple"),
        (int, type[int], True, "a type"),
        (str, type[int], False, "a type"),
        (3, Any, True, "a Any"),
    ],
)
def test_types_of_arguments(value: Any, expected: Any, fitting: bool, words: str) -> None:
    assert fits(value, expected) is fitting
    assert in_words(expected) == words
