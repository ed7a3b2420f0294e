"""`tellegen studio`: the server, its address, and the browser."""

from __future__ import annotations

import asyncio
import webbrowser
from pathlib import Path

from rich.console import Console

from tellegen.errors import DocumentError
from tellegen.studio.document.model_folder import ModelFolder


def run(path: Path, port: int, browser: bool, console: Console) -> None:
    """Serve a file or folder until Ctrl-C."""
    try:
        from tellegen.studio.server.serve import serving
    except ModuleNotFoundError as error:
        if error.name != "websockets":
            raise
        advice = "pip install 'tellegen[studio]'"
        raise DocumentError("E899", "the studio needs the package websockets", advice=advice) from None
    folder = ModelFolder.opened(path)
    first = path.name if path.is_file() else ""

    async def serve() -> None:
        async with serving(folder, first, port) as address:
            console.print(f"Studio of {folder.root}\n  {address.url}\nCtrl-C ends it.", soft_wrap=True, highlight=False)
            if browser:
                webbrowser.open(address.url)
            await asyncio.Event().wait()

    try:
        asyncio.run(serve())
    except KeyboardInterrupt:
        console.print("ended")
    except OSError as error:
        advice = "leave --port out: any free one is taken"
        raise DocumentError("E899", f"port {port} cannot be used: {error}", advice=advice) from None
