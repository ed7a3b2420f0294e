"""A headless Chromium, driven by its DevTools protocol through a pipe: no package and no network are needed."""

from __future__ import annotations

import base64
import fcntl
import io
import json
import os
import select
import shutil
import signal
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from PIL import Image

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
OPENGL = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
"""OpenGL in software, for scenes; everything else is drawn through it as well, several times slower than without."""
NO_OPENGL = ("--disable-gpu",)
FLAGS = (
    "--headless=new",
    "--no-sandbox",  # as root, in containers
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--remote-debugging-pipe",
)
SECONDS = float(os.environ.get("BROWSER_SECONDS", "120"))
"""How long to wait for an answer: far more than any takes, for machines that are busy."""


def find_browser() -> str | None:
    """The browser named by the environment variable CHROME, or one that is installed."""
    if chosen := os.environ.get("CHROME"):
        return chosen
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return found or (MAC if Path(MAC).exists() else None)


class Browser:
    """One page of a browser, to be used in a `with`."""

    def __init__(self, program: str, size: tuple[int, int] = (900, 640), opengl: bool = True) -> None:
        self._size = size
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        flags = (
            *FLAGS,
            *(OPENGL if opengl else NO_OPENGL),
            f"--user-data-dir={self._folder.name}",
            f"--window-size={size[0]},{size[1]}",
        )
        self.process, self._out, self._in = _spawned(program, flags)
        self._received = b""
        self._number = 0
        self._session: str | None = None
        self.complaints: list[str] = []
        """Errors and warnings of the console, exceptions that nobody caught, requests to the network."""

    def __enter__(self) -> Self:
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Runtime", "Log", "Page", "Network"):
                self.call(f"{domain}.enable")
            metrics = {"width": self._size[0], "height": self._size[1], "deviceScaleFactor": 1, "mobile": False}
            self.call("Emulation.setDeviceMetricsOverride", **metrics)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()

    def _end(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGTERM)
        os.waitpid(self.process, 0)
        for pipe in (self._in, self._out):
            os.close(pipe)
        self._folder.cleanup()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol, and its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next_message()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            self._note(answer)

    def open(self, path: Path) -> None:
        """Load a file, until its scripts have run."""
        self.call("Page.navigate", url=path.resolve().as_uri())
        self.wait_for("document.readyState === 'complete'")

    def value(self, expression: str) -> Any:
        """What an expression of JavaScript is; promises are waited for."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Until a condition of JavaScript holds."""
        end = time.monotonic() + SECONDS
        while not self.value(condition):
            assert time.monotonic() < end, f"{condition} never became true"
            time.sleep(0.02)

    def click(self, x: float, y: float) -> None:
        """Press and release the mouse at a point of the page."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, begin: tuple[float, float], end: tuple[float, float]) -> None:
        """Press the mouse at a point, move it to another, release it there."""
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=begin[0], y=begin[1], button="left")
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=end[0], y=end[1], button="left", buttons=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left")

    def picture(self) -> np.ndarray:
        """The page as pixels (height, width, 3), after the frame in progress."""
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))

    def dark(self, wanted: bool) -> None:
        """What the user prefers."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if wanted else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def _next_message(self) -> dict[str, Any]:
        while b"\0" not in self._received:
            ready, _, _ = select.select([self._in], [], [], SECONDS)
            assert ready, "the browser does not answer"
            data = os.read(self._in, 1 << 20)
            assert data, "the browser has ended"
            self._received += data
        message, _, self._received = self._received.partition(b"\0")
        return json.loads(message)

    def _note(self, message: dict[str, Any]) -> None:
        parameters = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                self.complaints.append(str(parameters["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if parameters["type"] in ("error", "warning", "assert"):
                self.complaints.append(str(parameters["args"]))
            case "Log.entryAdded" if parameters["entry"]["level"] in ("error", "warning"):
                self.complaints.append(parameters["entry"]["text"])
            case "Network.requestWillBeSent" if parameters["request"]["url"].startswith(("http", "ws")):
                self.complaints.append(f"a request to {parameters['request']['url']}")


def _spawned(program: str, flags: tuple[str, ...]) -> tuple[int, int, int]:
    """Start the browser: its process, the pipe to write to and the pipe to read from.

    It reads commands from its file 3 and answers in its file 4; the pipes are first moved to where they are not in the
    way of these.
    """
    commands, to_browser = os.pipe()
    from_browser, answers = os.pipe()
    theirs = [fcntl.fcntl(pipe, fcntl.F_DUPFD_CLOEXEC, 10) for pipe in (commands, answers)]
    actions = [
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_DUP2, theirs[0], 3),
        (os.POSIX_SPAWN_DUP2, theirs[1], 4),
    ]
    process = os.posix_spawn(program, [program, *flags], os.environ, file_actions=actions)
    for pipe in (commands, answers, *theirs):
        os.close(pipe)
    return process, to_browser, from_browser
