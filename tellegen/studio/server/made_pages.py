"""Pages that workers wrote, kept under addresses that nobody can guess and shown apart from our own page."""

from __future__ import annotations

import secrets

MOST = 8
"""The last ones; a page of a mechanism has some hundred kilobytes."""
START = "/made/"
MADE_POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; frame-ancestors 'self'"
)
"""They run in a place of their own: without our token, our storage and any address."""


class MadePages:
    """The pages by address."""

    def __init__(self) -> None:
        self._pages: dict[str, bytes] = {}

    def kept(self, html: str) -> str:
        """The address of a new page."""
        address = f"{START}{secrets.token_urlsafe(18)}.html"
        self._pages[address] = html.encode()
        while len(self._pages) > MOST:
            del self._pages[next(iter(self._pages))]
        return address

    def found(self, address: str) -> bytes | None:
        """A page that is kept."""
        return self._pages.get(address)
