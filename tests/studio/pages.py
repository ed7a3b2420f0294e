"""A page without a browser: what it sends and what it gets, for tests of the server."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect

from tellegen.studio.messages.codec import encoded
from tellegen.studio.messages.requests import Hello, Request
from tellegen.studio.server.serve import Address

SECONDS = 120.0
"""Far more than any answer takes, for machines that are busy."""


class Page:
    """One connection; `seen` are the messages that nobody asked for."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)
        self.seen: list[dict[str, Any]] = []
        self.changes: list[dict[str, Any]] = []
        """The messages that said what changed, as they were sent."""
        self._states: dict[str, dict[str, Any]] = {}
        self.welcome: dict[str, Any] = {}

    @classmethod
    async def opened(cls, address: Address, token: str | None = None, **options: Any) -> Self:
        origin = options.pop("origin", f"http://127.0.0.1:{address.port}")
        uri = f"ws://127.0.0.1:{address.port}/messages"
        connection = await connect(uri, origin=origin, max_size=None, compression=None, **options)
        page = cls(connection)
        page.welcome = await page.ask(Hello(address.token if token is None else token))
        return page

    async def ask(self, request: Request) -> dict[str, Any]:
        """The answer to a request; an empty one is {}."""
        number = next(self._numbers)
        await self._connection.send(json.dumps({"number": number, "request": encoded(request)}))
        while True:
            message = await self._next()
            if message["to"] == number:
                return message["message"] or {}
            self._see(message["message"])

    def _see(self, message: dict[str, Any]) -> None:
        """What changed since the last state is a state here: tests ask for these."""
        if message["kind"] == "Edited":
            self.changes.append(message)
            message = edited(self._states[message["path"]], message)
        if message["kind"] == "State":
            self._states[message["path"]] = message
        self.seen.append(message)

    async def event(
        self, kind: str, fits: Callable[[dict[str, Any]], bool] = lambda _: True, *, alone: bool = False
    ) -> dict[str, Any]:
        """The next message of a kind that fits, also one that came before; those before it count as seen.

        With `alone` they do not: messages of other kinds may come in any order.
        """
        while True:
            for k, message in enumerate(self.seen):
                if message["kind"] == kind and fits(message):
                    del self.seen[k if alone else 0 : k + 1]
                    return message
            self._see((await self._next())["message"])

    def latest(self, path: str) -> dict[str, Any]:
        """The document as it was sent last."""
        return self._states[path]

    async def send_text(self, text: str) -> None:
        await self._connection.send(text)

    async def _next(self) -> dict[str, Any]:
        async with asyncio.timeout(SECONDS):
            return json.loads(await self._connection.recv(), parse_constant=no_json)

    async def close(self) -> None:
        await self._connection.close()

    async def closed_with(self) -> int:
        """The code that the server closes the connection with."""
        await self._connection.wait_closed()
        assert self._connection.close_code is not None
        return self._connection.close_code


def no_json(word: str) -> Any:
    """Python writes and reads words for numbers that are not finite; browsers do not."""
    raise AssertionError(f"{word} is no JSON")


def edited(state: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A state with what changed, as the page puts it together (studio_client/src/edited.ts)."""
    assert state["revision"] == change["before"]
    text = change["text"]
    diagram = state["diagram"]
    parts = {part["name"]: part for part in diagram["parts"] if part["name"] not in change["gone"]}
    parts |= {part["name"]: part for part in change["parts"]}
    wires = dict(enumerate(diagram["wires"])) | {wire["number"]: wire for wire in change["wires"]}
    return {
        **state,
        **{name: change[name] for name in ("revision", "dirty", "can_undo", "can_redo")},
        "text": state["text"][: text["start"]] + text["text"] + state["text"][text["end"] :],
        "diagram": {
            **diagram,
            "parts": [parts[name] for name in change["order"] or parts],
            "wires": [wires[k] for k in range(change["wire_count"])],
            "notes": change["notes"],
        },
    }
