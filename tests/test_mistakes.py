"""Mistakes users make: each file in tests/mistakes/ is a script with one, its message a golden text.

The messages are read the way a user meets them: the script is run, and the text is all there is. Nothing but a
TellegenError may come out.
"""

from __future__ import annotations

import runpy
import traceback
from pathlib import Path

import pytest

import tellegen as tg
from golden import check_golden

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(__file__).resolve().parent / "mistakes"
MISTAKES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "stock")


def error_of(name: str, monkeypatch: pytest.MonkeyPatch) -> tg.TellegenError:
    """What the script raises."""
    monkeypatch.syspath_prepend(str(FOLDER))
    with pytest.raises(tg.TellegenError) as caught:
        runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    return caught.value


@pytest.mark.golden
@pytest.mark.parametrize("name", MISTAKES)
def test_mistake(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    error = error_of(name, monkeypatch)
    check_golden(f"mistakes/{name}", str(error))
    assert error.location is not None, "an error must say where"
    assert Path(error.location.file).parent == FOLDER, "the place must be a line of the user's text"
    assert error.location.line > 0
    assert error.advice or "perhaps" in error.message or "the names here" in error.message, "say what to try"


def test_there_are_enough_of_them() -> None:
    assert len(MISTAKES) >= 40


def test_no_golden_text_is_left_over() -> None:
    kept = {path.stem for path in (ROOT / "tests" / "golden" / "mistakes").glob("*.txt")}
    assert kept <= set(MISTAKES)


def test_errors_carry_their_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    error = error_of("pin_to_flange", monkeypatch)
    assert isinstance(error, tg.LanguageError)
    assert (error.code, error.location and error.location.scope) == ("E130", "Drive")
    assert error.text() == str(error)


def test_the_python_error_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in a user's method keeps its own traceback as the cause."""
    assert isinstance(error_of("exception_in_equations", monkeypatch).__cause__, KeyError)


def _ours(file: str) -> bool:
    return Path(file).resolve().is_relative_to(ROOT / "tellegen")


def test_no_frames_of_ours_stand_in_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """What Python prints above the message is the user's call, not our machinery."""
    error = error_of("exception_in_equations", monkeypatch)
    ours = [frame.name for frame in traceback.extract_tb(error.__traceback__) if _ours(frame.filename)]
    assert ours == ["call"]
    assert error.__cause__ is not None
    assert Path(traceback.extract_tb(error.__cause__.__traceback__)[0].filename).parent == FOLDER


@pytest.mark.parametrize("name", ["none_as_parameter", "class_in_class_body", "class_in_system", "unknown_result"])
def test_the_call_that_is_wrong_is_the_last_frame(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What describes a model is as short above its message as what runs it."""
    error = error_of(name, monkeypatch)
    assert [frame.name for frame in traceback.extract_tb(error.__traceback__) if _ours(frame.filename)] == ["call"]


def test_hasattr_works_on_components() -> None:
    class Tank(tg.Component):
        level = tg.variable("m")

    assert hasattr(Tank(), "level")
    assert not hasattr(Tank(), "depth")


def test_deep_but_finite_nesting() -> None:
    """The guard against endless nesting leaves real recursion alone."""

    class Chain(tg.Component):
        n = tg.parameter(100, structural=True)
        x = tg.variable("1")

        def build(self) -> None:
            if self.n > 1:
                self.rest = Chain(n=self.n - 1)

        def equations(self):
            yield self.x == 1.0

    assert tg.flatten(Chain()).variables.count == 100
