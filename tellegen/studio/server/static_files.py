"""The page's own files, and which requests are answered at all."""

from __future__ import annotations

import hmac
import mimetypes
import re
from http import HTTPStatus
from pathlib import Path

from tellegen.errors import DocumentError

STATIC = Path(__file__).resolve().parent / "static"
NAME = re.compile(r"[A-Za-z0-9_-]+\.(js|css|html|svg|ico)")


def check_built() -> None:
    """E899 where the page was not built: in a clone of the repository."""
    if not (STATIC / "index.html").is_file():
        advice = "in a clone of the repository: make studio"
        raise DocumentError("E899", "the page of the studio is not built", advice=advice)


def allowed_hosts(port: int) -> set[str]:
    """The names that a browser may know this server by; any other one means that a foreign name leads here."""
    return {f"127.0.0.1:{port}", f"localhost:{port}"}


def refusal(host: str, origin: str | None, port: int, websocket: bool) -> str:
    """Why a request is not answered; empty for one that is."""
    if host not in allowed_hosts(port):
        return "wrong Host"
    known = {f"http://{name}" for name in allowed_hosts(port)}
    if (websocket and origin not in known) or (origin is not None and origin not in known):
        return "wrong Origin"
    return ""


def same_token(given: str, token: str) -> bool:
    """Compared in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode(errors="replace"), token.encode())


def headers(port: int, content_type: str) -> dict[str, str]:
    """No script but ours, no address but ours, nothing kept."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        f"connect-src 'self' ws://127.0.0.1:{port} ws://localhost:{port}; frame-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Type": content_type,
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }


def found(path: str) -> tuple[HTTPStatus, bytes, str]:
    """A file of the page: status, content and type. Only plain names are looked up."""
    name = path.partition("?")[0].removeprefix("/") or "index.html"
    file = STATIC / name
    if not NAME.fullmatch(name) or not file.is_file():
        return HTTPStatus.NOT_FOUND, b"not here\n", "text/plain; charset=utf-8"
    kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0] or "text/plain"
    return HTTPStatus.OK, file.read_bytes(), f"{kind}; charset=utf-8"
