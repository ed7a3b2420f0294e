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
            self.seen.append(message["message"])

    async def event(self, kind: str, fits: Callable[[dict[str, Any]], bool] = lambda _: True) -> dict[str, Any]:
        """The next message of a kind that fits, also one that came before."""
        while True:
            for k, message in enumerate(self.seen):
                if message["kind"] == kind and fits(message):
                    del self.seen[: k + 1]
                    return message
            self.seen.append((await self._next())["message"])

    async def send_text(self, text: str) -> None:
        await self._connection.send(text)

    async def _next(self) -> dict[str, Any]:
        async with asyncio.timeout(SECONDS):
            return json.loads(await self._connection.recv())

    async def close(self) -> None:
        await self._connection.close()

    async def closed_with(self) -> int:
        """The code that the server closes the connection with."""
        await self._connection.wait_closed()
        assert self._connection.close_code is not None
        return self._connection.close_code
