"""A studio in a real browser: gestures by what they are about, counted as a person would count them."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from browser import Browser, find_browser
from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.server import static_files
from tellegen.studio.server.serve import Address, serving

ROOT = Path(__file__).parents[2]
PICTURES = os.environ.get("STUDIO_PICTURES")
"""A folder for screenshots, for people who want to look at them."""

KEYS: dict[str, dict[str, Any]] = {
    "Enter": {"text": "\r", "windowsVirtualKeyCode": 13},
    "Delete": {"windowsVirtualKeyCode": 46, "code": "Delete"},
    "ArrowRight": {"windowsVirtualKeyCode": 39, "code": "ArrowRight"},
    "Tab": {"windowsVirtualKeyCode": 9, "code": "Tab"},
    "Escape": {"windowsVirtualKeyCode": 27, "code": "Escape"},
}


def build_page(target: Path) -> None:
    """The page, built from its sources; a test without Node is skipped."""
    module = _building()
    try:
        module.build(target)
    except SystemExit as error:
        pytest.skip(str(error))


def in_node(code: str) -> Any:
    """What a piece of JavaScript prints as JSON; it can import from `src/`. A test without Node is skipped."""
    try:
        command = [_building().node(), "--disable-warning=ExperimentalWarning", "--input-type=module", "-e", code]
    except SystemExit as error:
        pytest.skip(str(error))
    done = subprocess.run(command, cwd=ROOT / "studio_client", capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def _building() -> Any:
    """The module that builds the page, which stands beside its sources."""
    spec = importlib.util.spec_from_file_location("build_studio_client", ROOT / "studio_client" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def studio_of(folder: Path, first: str = "") -> Iterator[Address]:
    """A studio in a thread of its own."""
    ready = threading.Event()
    found: list[Address] = []
    ends: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        async with serving(ModelFolder.opened(folder), first) as address:
            over = asyncio.Event()
            ends.append((asyncio.get_running_loop(), over))
            found.append(address)
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    try:
        yield found[0]
    finally:
        loop, over = ends[0]
        loop.call_soon_threadsafe(over.set)
        thread.join()


class Person:
    """Somebody at the page; `actions` counts clicks, drags and words typed."""

    def __init__(self, browser: Browser, address: Address) -> None:
        self.browser = browser
        self.address = address
        self.actions = 0
        browser.call("Page.navigate", url=address.url)
        browser.wait_for("window.studio?.store.welcome != null")

    def new(self, name: str) -> None:
        """An empty model."""
        self.actions = 0
        self.click("#new")
        self.browser.wait_for("document.activeElement.id == 'new-name'")
        self.type(name, enter=True)
        self.browser.wait_for(f"studio.store.document?.cls == {name!r}")

    def set(self, part: str, selector: str, text: str) -> None:
        """Select a part and type a value into its form."""
        before = self.browser.value("studio.store.document.revision")
        self.actions += 1
        self.press(self.where(part))
        self.browser.wait_for(f"studio.store.selected.has({part!r}) && studio.store.selected.size == 1")
        self.browser.wait_for(f"document.querySelector({selector!r}) !== null")
        self.browser.value(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
        self.click(selector)
        self.browser.value(f"document.querySelector({selector!r}).select()")
        self.type(text, enter=True)
        self.browser.wait_for(f"studio.store.document.revision > {before}")

    def set_in_details(self, part: str, kind: str, text: str) -> None:
        """Type into a field of the selected part that is folded away: how many there are, or the condition."""
        before = self.browser.value("studio.store.document.revision")
        field = f"""document.querySelector('[data-set="{kind}"][data-part="{part}"]')"""
        self.browser.wait_for(f"{field} !== null")
        self.browser.value(f"({field}.closest('details').open = true, {field}.focus(), {field}.select())")
        self.type(text, enter=True)
        self.browser.wait_for(f"studio.store.document.revision > {before}")

    def press(self, at: tuple[float, float], shift: bool = False) -> None:
        """A click on the sheet, with shift to add to what is selected."""
        held = {"button": "left", "clickCount": 1, "modifiers": 8 if shift else 0}
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], **held)

    def choose(self, selector: str, value: str) -> None:
        """One of the values of a list, once it is offered: the form before may have a list of the same name."""
        self.actions += 1
        options = f"[...document.querySelector({selector!r})?.options ?? []]"
        self.browser.wait_for(f"{options}.some(option => option.value === {value!r})")
        chosen = f"s.value = {value!r}; s.dispatchEvent(new Event('change'))"
        self.browser.value(f"(s => {{ {chosen} }})(document.querySelector({selector!r}))")

    def stop(self, text: str) -> None:
        """The time until which the model is run."""
        self.browser.value(f"studio.store.stop = {text!r}")

    def click(self, selector: str) -> None:
        self.actions += 1
        self.browser.wait_for(f"document.querySelector({selector!r}) && !document.querySelector({selector!r}).disabled")
        self.browser.click(*self._middle(selector))

    def type(self, text: str, enter: bool = False) -> None:
        self.actions += 1
        self.browser.call("Input.insertText", text=text)
        if enter:
            self.key("Enter")

    def key(self, name: str, modifiers: int = 0) -> None:
        code = KEYS.get(name, {})
        for kind in ("keyDown" if "text" in code else "rawKeyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=name, modifiers=modifiers, **code)

    def add(self, search: str, cls: str, x: float, y: float) -> None:
        """Search a class and drag it to a place of the sheet, given from its corner; wait until it is there."""
        count = self.parts()
        self.browser.value("document.getElementById('search').select()")
        self.click("#search")
        self.browser.value("document.getElementById('search').select()")
        self.type(search)
        row = f'[data-class="{cls}"]'
        self.browser.wait_for(f"document.querySelector({row!r}) != null && studio.store.search == {search!r}")
        self.actions += 1
        left, top = self.browser.value(
            "(({left, top}) => [left, top])(document.getElementById('sheet').getBoundingClientRect())"
        )
        self.browser.drag(self._middle(row), (left + x, top + y))
        self.browser.wait_for(f"studio.store.document.diagram.parts.length == {count + 1}")
        self.browser.wait_for("studio.store.selected.size == 1 && document.activeElement.id == 'sheet'")

    def wire(self, first: str, second: str) -> None:
        self.actions += 1
        self.browser.drag(self.where(first), self.where(second))

    def wire_and_wait(self, first: str, second: str) -> None:
        before = self.browser.value("studio.store.document.revision")
        self.wire(first, second)
        self.browser.wait_for(f"studio.store.document.revision > {before}")

    def slide(self, path: str, fractions: Sequence[float]) -> None:
        """Take the thumb of a slider with the mouse and move it to fractions of the way, then one step by a key."""
        self.actions += 2
        track = f"""document.querySelector('[data-slides="{path}"]')"""
        self.browser.wait_for(f"{track} !== null")
        left, width, y, now = self.browser.value(
            f"(s => (b => [b.left, b.width, b.top + b.height / 2, (s.value - s.min) / (s.max - s.min)])"
            f"(s.getBoundingClientRect()))({track})"
        )
        thumb = 16.0  # its middle stays half of it inside of the track
        at = [left + thumb / 2 + fraction * (width - thumb) for fraction in (now, *fractions)]
        self._mouse("mousePressed", at[0], y)
        for x in at[1:]:
            self._mouse("mouseMoved", x, y)
        self._mouse("mouseReleased", at[-1], y)
        self.key("ArrowRight")

    def _mouse(self, kind: str, x: float, y: float) -> None:
        held = {"button": "left", "clickCount": 1, "buttons": 0 if kind == "mouseReleased" else 1}
        self.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **held)

    def gesture(self, begin: tuple[float, float], places: Sequence[tuple[float, float]]) -> None:
        """Press, move from place to place with a frame in between, release."""
        self.actions += 1
        self._mouse("mousePressed", *begin)
        for place in places:
            self._mouse("mouseMoved", *place)
            self.browser.value("new Promise(done => requestAnimationFrame(() => done(1)))")
        self._mouse("mouseReleased", *places[-1])

    def empty_place(self) -> tuple[float, float]:
        """A point of the sheet where nothing stands."""
        left, top, wide, tall = self.browser.value(
            "(b => [b.left, b.top, b.width, b.height])(document.getElementById('sheet').getBoundingClientRect())"
        )
        for k in range(400):
            x, y = 20 + 37 * k % (wide - 40), 20 + 61 * k % (tall - 40)
            if self.browser.value(f"studio.empty({x}, {y})"):
                return left + x, top + y
        raise AssertionError("the sheet is full")

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """Fingers on the page."""
        places = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
        self.browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=places)

    def choose_from_list(self, selector: str, value: str) -> None:
        """One of the values of a list that is filled when it gets the focus."""
        self.browser.wait_for(f"document.querySelector({selector!r}) !== null")
        self.browser.value(f"document.querySelector({selector!r}).focus()")
        self.choose(selector, value)

    def parts(self) -> int:
        return self.browser.value("studio.store.document.diagram.parts.length")

    def checked(self) -> None:
        """Until the last revision is checked."""
        self.browser.wait_for("studio.store.check?.revision === studio.store.document.revision")

    def ran(self) -> None:
        self.browser.wait_for("studio.store.run !== null && !studio.store.running")

    def curve(self, name: str) -> np.ndarray:
        self.browser.wait_for(f"studio.store.run.curves.has({name!r})")
        return np.array(self.browser.value(f"[...studio.store.run.curves.get({name!r}).values]"))

    def where(self, path: str) -> tuple[float, float]:
        point = self.browser.value(f"studio.where({path!r})")
        assert point is not None, f"{path} is not on the sheet"
        return point["x"], point["y"]

    def look(self, name: str) -> None:
        """The page as a file, where somebody asked for it."""
        if PICTURES:
            Image.fromarray(self.browser.picture()).save(Path(PICTURES) / f"{name}.png")

    def _middle(self, selector: str) -> tuple[float, float]:
        box = f"document.querySelector({selector!r}).getBoundingClientRect()"
        x, y = self.browser.value(f"(b => [b.left + b.width / 2, b.top + b.height / 2])({box})")
        return x, y


@contextmanager
def person_at(folder: Path, static: Path, first: str = "") -> Iterator[Person]:
    """A browser with the studio of a folder; skipped in words where there is no browser."""
    program = find_browser()
    if program is None:
        pytest.skip("no browser is installed (chromium, google-chrome; or name one in CHROME)")
    static_files.STATIC = static
    with studio_of(folder, first) as address, Browser(program, (1440, 900), opengl=False) as browser:
        yield Person(browser, address)
