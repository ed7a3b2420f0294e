"""Messages through a pipe: the length in four bytes, then JSON."""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

HEADER = struct.Struct(">I")
LARGEST = 512 * 1024 * 1024


def frame(data: Any) -> bytes:
    """A message as bytes."""
    body = json.dumps(data, separators=(",", ":")).encode()
    return HEADER.pack(len(body)) + body


def read_frame(stream: BinaryIO) -> Any:
    """The next message; None at the end."""
    head = stream.read(HEADER.size)
    if len(head) < HEADER.size:
        return None
    (length,) = HEADER.unpack(head)
    body = stream.read(length)
    return json.loads(body) if len(body) == length else None
