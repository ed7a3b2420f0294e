"""The server: HTTP for the files of the page and a WebSocket for messages, on this machine only."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request as HttpRequest
from websockets.http11 import Response

from tellegen.start.records import dataclass
from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.messages.answers import Answer, Failed
from tellegen.studio.messages.codec import WrongMessageError, decoded, encoded, for_pages
from tellegen.studio.messages.diagnostic import Diagnostic
from tellegen.studio.messages.requests import Hello, Request
from tellegen.studio.server import static_files
from tellegen.studio.server.made_pages import MADE_POLICY
from tellegen.studio.server.studio import Studio

LARGEST_MESSAGE = 1024 * 1024
GREETING_SECONDS = 10.0
MOST_PAGES = 50


@dataclass(frozen=True)
class Address:
    """Where the studio is."""

    port: int
    token: str

    @property
    def url(self) -> str:
        """For the browser; what follows # is never sent over HTTP."""
        return f"http://127.0.0.1:{self.port}/#{self.token}"


class StudioServer:
    """All pages of one studio."""

    def __init__(self, folder: ModelFolder, first: str = "") -> None:
        self.token = secrets.token_urlsafe(24)
        self.port = 0
        self.studio = Studio(folder, first, self._tell_all)
        self._pages: dict[ServerConnection, asyncio.Queue[str]] = {}
        """What is to be sent to each page, in order: an event before the answer that follows from it."""
        self._tasks: set[asyncio.Task[None]] = set()

    def http(self, connection: ServerConnection, request: HttpRequest) -> Response | None:
        """Files; None for a WebSocket, which goes on to `page`."""
        del connection
        hosts = request.headers.get_all("Host")
        websocket = request.headers.get("Upgrade", "").lower() == "websocket"
        reason = static_files.refusal(
            hosts[0] if len(hosts) == 1 else "", request.headers.get("Origin"), self.port, websocket
        )
        if reason or (websocket and len(self._pages) >= MOST_PAGES):
            return self._response(403, "Forbidden", f"{reason or 'too many pages'}\n".encode(), "text/plain")
        if websocket and request.path == "/messages":
            return None
        if (made := self.studio.pages.found(request.path)) is not None:
            return self._response(200, "OK", made, "text/html; charset=utf-8", MADE_POLICY)
        status, content, kind = static_files.found(request.path)
        return self._response(status.value, status.phrase, content, kind)

    def _response(self, status: int, phrase: str, content: bytes, kind: str, policy: str = "") -> Response:
        fields = {**static_files.headers(self.port, kind), "Content-Length": str(len(content)), "Connection": "close"}
        if policy:
            fields["Content-Security-Policy"] = policy
        return Response(status, phrase, Headers(fields), content)

    async def page(self, connection: ServerConnection) -> None:
        """Messages of one page, until it is closed. The first one has the token."""
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(GREETING_SECONDS):
                number, hello = _parsed(await connection.recv())
            if not isinstance(hello, Hello) or not static_files.same_token(hello.token, self.token):
                await connection.send(_text(number, _failure("the token of the address is missing or wrong")))
                await connection.close(4403, "wrong token")
                return
            welcome = await asyncio.to_thread(self.studio.welcome)
            await connection.send(_text(number, welcome))
            outbox: asyncio.Queue[str] = asyncio.Queue()
            self._pages[connection] = outbox
            sender = asyncio.create_task(_send_all(connection, outbox))
            try:
                async for text in connection:
                    self._start(self._answer(outbox, text))
            finally:
                del self._pages[connection]
                sender.cancel()

    async def _answer(self, outbox: asyncio.Queue[str], text: str | bytes) -> None:
        number, request = _parsed(text)
        if isinstance(request, str):
            answer: Answer | None = _failure(request)
        else:
            answer = await self.studio.answer(request)
        if answer is not None or number:
            outbox.put_nowait(_text(number, answer))

    def _tell_all(self, answer: Answer) -> None:
        text = _text(0, answer)
        for outbox in self._pages.values():
            outbox.put_nowait(text)

    def _start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _parsed(text: str | bytes) -> tuple[int, Request | str]:
    """The number of a message and the request, or what is wrong with it."""
    number = 0
    try:
        data = json.loads(text)
        number = data["number"] if isinstance(data["number"], int) else 0
        return number, decoded(Request, data["request"])
    except WrongMessageError as error:
        return number, f"a message that is not understood: {error}"
    except (ValueError, KeyError, TypeError, RecursionError):
        return number, "a message that is not understood"


def _text(number: int, answer: Answer | None) -> str:
    data = {"to": number, "message": None if answer is None else encoded(answer)}
    return for_pages(data)


async def _send_all(connection: ServerConnection, outbox: asyncio.Queue[str]) -> None:
    with contextlib.suppress(ConnectionClosed):
        while True:
            await connection.send(await outbox.get())


def _failure(message: str) -> Failed:
    return Failed(Diagnostic("", message, (), "", 0))


@contextlib.asynccontextmanager
async def serving(folder: ModelFolder, first: str = "", port: int = 0) -> AsyncIterator[Address]:
    """A studio for a folder, as long as the context lasts; port 0 is any free one."""
    static_files.check_built()
    here = StudioServer(folder, first)
    server: Server = await serve(
        here.page,
        "127.0.0.1",
        port,
        process_request=here.http,
        max_size=LARGEST_MESSAGE,
        compression=None,  # between processes of one machine
        server_header=None,
    )
    here.port = next(iter(server.sockets)).getsockname()[1]
    watch = asyncio.create_task(here.studio.look_at_files())
    try:
        yield Address(here.port, here.token)
    finally:
        watch.cancel()
        server.close()
        await server.wait_closed()
        await here.studio.close()
