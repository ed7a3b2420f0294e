"""A seeded portion of damaged models, netlists and command lines; thousands more were tried when they were written.

A model is Python, so a misspelt name may end in an exception of Python's own, but then at a line of the user's.
"""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from damaged_calls import attempt
from damaged_texts import COMMANDS, MODELS, NETLISTS, damaged_command, damaged_netlist, damaged_source
from tellegen.library import electrical as el

LAG = """
import tellegen as tg

class Lag(tg.Component):
    T = tg.parameter(1.0, "s")
    x = tg.variable(start=1.0, fixed=True)

    def equations(self):
        yield self.T * tg.der(self.x) == -self.x
"""


@contextmanager
def restored(module: ModuleType) -> Iterator[None]:
    """What a damaged text assigns to a module (`tg.der = 0`) is undone."""
    before = dict(vars(module))
    try:
        yield
    finally:
        for name in vars(module).keys() - before.keys():
            delattr(module, name)
        vars(module).update(before)


def executed(text: str, file: Path) -> BaseException | None:
    """What is wrong about the answer to a model."""
    file.write_text(text, encoding="utf-8")
    linecache.checkcache(str(file))
    with restored(tg), restored(el):
        fault = attempt(lambda: exec(compile(text, str(file), "exec"), {"__name__": "__main__"}), {})
    if fault is None:
        return None
    innermost = traceback.extract_tb(fault.__traceback__)[-1].filename
    misspelt = isinstance(fault, AttributeError) and innermost == tg.__file__  # a name that tg does not have
    return None if innermost == str(file) or misspelt else fault


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("name", MODELS)
def test_damaged_models(name: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(len(name))
    file = tmp_path / "damaged.py"
    exec(compile(MODELS[name], str(file), "exec"), {"__name__": "__main__"})
    for _ in range(25):
        text = damaged_source(MODELS[name], rng)
        fault = executed(text, file)
        assert fault is None, f"{type(fault).__name__}: {fault}\n{text}"


@pytest.mark.parametrize("number", range(len(NETLISTS)))
def test_damaged_netlists(number: int) -> None:
    rng = np.random.default_rng(number)
    tg.flatten(tg.read_spice(text=NETLISTS[number]))
    for _ in range(40):
        text = damaged_netlist(NETLISTS[number], rng)
        fault = attempt(lambda text: tg.flatten(tg.read_spice(text=text)), {"text": text})
        assert fault is None, f"{type(fault).__name__}: {fault}\n{text}"


def exit_code(main: Callable[[], Any]) -> Any:
    try:
        main()
    except SystemExit as ended:
        return ended.code or 0
    return 0


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_damaged_commands(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from tellegen.cli import main

    monkeypatch.chdir(tmp_path)
    Path("lag.py").write_text(LAG)
    rng = np.random.default_rng(number)
    right = list(COMMANDS[number])
    for words in [right, *(damaged_command(right, rng) for _ in range(12))]:
        arguments = [word.replace("FILE", "lag.py") for word in words]
        monkeypatch.setattr("sys.argv", ["tellegen", *arguments])
        code = exit_code(main)
        said = "".join(capsys.readouterr())
        assert code in (0, 1, 2), arguments
        assert words is not right or code == 0, said
        assert "Traceback" not in said, f"{arguments}\n{said}"
        assert "E900" not in said, f"{arguments}\n{said}"
