"""Records -> modelDescription.xml, the same bytes for the same records."""

from __future__ import annotations

from tellegen.fmi.description import ModelDescription
from tellegen.fmi.write_version2 import write_version2
from tellegen.fmi.write_version3 import write_version3


def write_description(description: ModelDescription) -> bytes:
    """The file of the version that the description names."""
    text = write_version2(description) if description.version == "2.0" else write_version3(description)
    return text.encode("utf-8")
