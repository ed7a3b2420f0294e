"""Records of assemblies as JSON, and back: for the cache and for files that run without the programs they came from.

Each record is an object with its class as `is`; tuples and small arrays are lists, large arrays are compressed.
Only the classes listed here are made, and only from what was written here: a checksum says so.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from base64 import b64decode, b64encode
from dataclasses import fields
from typing import Any

import numpy as np

from tellegen.importers.assembly.edits import Accept, Glue, JointEdit, Separate
from tellegen.importers.assembly.mass_properties import MassProperties
from tellegen.importers.assembly.pose import Pose
from tellegen.importers.assembly.records import (
    FileStamp,
    JointRecord,
    Limits,
    Mimic,
    Origin,
    Parts,
    RigidPart,
    UnclearContact,
)
from tellegen.importers.assembly.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Mesh, Placed, Sphere, Triangles
from tellegen.ir.source_location import SourceLocation
from tellegen.network.mechanics.twists import Tolerance

RECORDS: dict[str, type] = {
    cls.__name__: cls
    for cls in (
        *(Parts, RigidPart, JointRecord, Limits, Mimic, UnclearContact, FileStamp, Origin, MassProperties, Pose),
        *(Placed, Box, Capsule, Cone, Cylinder, Ellipsoid, Mesh, Sphere, Triangles, Tolerance),
        *(Glue, JointEdit, Separate, Accept, SourceLocation),
    )
}


LISTED = 64  # elements: more are compressed
PACKED = "array"


class DamagedRecordError(Exception):
    """JSON that is not what was written."""


def to_json(record: Any) -> str:
    """A record as text, the same for the same record, with a checksum of its content."""
    plain = _plain(record)
    return json.dumps({"sha256": _checksum(plain), "record": plain}, indent=1)


def from_json(text: str) -> Any:
    """The record of a text."""
    try:
        found = json.loads(text)
        if found["sha256"] != _checksum(found["record"]):
            raise DamagedRecordError("the content is not what was written")
        return _record(found["record"])
    except (ValueError, TypeError, KeyError, RecursionError, zlib.error) as error:
        raise DamagedRecordError(str(error)) from error


def _checksum(plain: Any) -> str:
    """Of the content, however it is printed."""
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, SourceLocation):  # where files are on this machine does not matter on others
        value = SourceLocation(os.path.basename(value.file), value.line, value.scope)
    if type(value).__name__ in RECORDS:
        inner = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        return {"is": type(value).__name__, **inner}
    if isinstance(value, np.ndarray):
        return value.tolist() if value.size <= LISTED else _packed(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


def _packed(array: Any) -> dict[str, Any]:
    data = b64encode(zlib.compress(array.tobytes(), 9)).decode()
    return {"is": PACKED, "type": array.dtype.str, "shape": list(array.shape), "data": data}


def _unpacked(plain: dict[str, Any]) -> Any:
    data = zlib.decompress(b64decode(plain["data"]))
    return np.frombuffer(data, plain["type"]).reshape(plain["shape"])


def _record(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_record(item) for item in value)
    if not isinstance(value, dict):
        return value
    if value["is"] == PACKED:
        return _unpacked(value)
    cls = RECORDS[value["is"]]
    return cls(**{name: _record(item) for name, item in value.items() if name != "is"})
