"""The object that users get."""

from __future__ import annotations

from pathlib import Path

import pytest

import tellegen as tg
from animation.demo_scenes import four_bar, spinning_top


def test_it_shows_itself() -> None:
    animation = tg.Animation(four_bar())
    assert repr(animation) == "<Animation of four-bar: 4 bodies, 0 to 4 s>"
    assert repr(tg.Animation(spinning_top())) == "<Animation of spinning top: 1 body, 0 to 5 s>"
    assert "coupler  Group  coupler.phi" in str(animation)
    assert animation._repr_html_().startswith("<iframe srcdoc=")


@pytest.mark.parametrize(
    ("name", "begin", "options"),
    [
        ("run.html", b"<!doctype html>", {}),
        ("run.glb", b"glTF", {}),
        ("run.png", b"\x89PNG", {"size": (60, 40)}),
        ("run.GIF", b"GIF89a", {"size": (60, 40), "fps": 1}),
    ],
)
def test_the_ending_says_what_is_written(name: str, begin: bytes, options: dict[str, object], tmp_path: Path) -> None:
    tg.Animation(four_bar()).save(tmp_path / name, **options)
    assert (tmp_path / name).read_bytes().startswith(begin)


def test_unknown_endings_and_options() -> None:
    animation = tg.Animation(four_bar())
    with pytest.raises(tg.ExportError, match="E406") as caught:
        animation.save("run.avi")
    assert ".html, .glb, .gif, .mp4, .png" in str(caught.value)
    with pytest.raises(tg.LanguageError, match=r"E173.*takes no 'fps'"):
        animation.save("run.glb", fps=3)
