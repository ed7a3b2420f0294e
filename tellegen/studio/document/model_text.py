"""The text of a model with the places of its parts."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from dataclasses import field

from tellegen.errors import DocumentError
from tellegen.start.records import dataclass
from tellegen.studio.document.diagram import Diagram
from tellegen.studio.document.layout_file import Layout
from tellegen.studio.document.made_parts import NOTHING, Structure
from tellegen.studio.document.read_diagram import read_diagram
from tellegen.studio.document.text.source_file import parsed_file
from tellegen.studio.library.shapes import Shapes


@dataclass(frozen=True)
class ModelText:
    """A file and its layout, as texts and places."""

    text: str
    layout: Layout
    name: str = "model.py"
    made: Mapping[str, Structure] = field(default_factory=dict, compare=False)
    """What code makes in classes, as far as they were built."""
    _diagrams: dict[str, tuple[Shapes, Diagram]] = field(default_factory=dict, compare=False, repr=False)
    """Diagrams that were asked for, with the library they were read with."""

    def diagram(self, cls: str, library: Shapes) -> Diagram:
        """The diagram of one of its classes."""
        known = self._diagrams.get(cls)
        if known is not None and known[0] is library:
            return known[1]
        places = self.layout.get(cls, {})
        file = parsed_file(self.text, self.name)
        found = read_diagram(file, cls, library, places, self.made.get(cls, NOTHING))
        self._diagrams[cls] = (library, found)
        return found

    def changed(self, text: str, layout: Layout) -> ModelText:
        """The same file with another text and other places."""
        return ModelText(text, layout, self.name, self.made)

    def with_made(self, cls: str, structure: Structure) -> ModelText:
        """The same text, with what a class has once it is built."""
        return ModelText(self.text, self.layout, self.name, {**self.made, cls: structure})


def new_model(cls: str) -> str:
    """The text of a file with one empty model."""
    if not cls.isidentifier() or keyword.iskeyword(cls):
        advice = "use letters and digits, and begin with a capital letter: Drive"
        raise DocumentError("E898", f"{cls!r} cannot be the name of a model", advice=advice)
    return (
        f'"""A model, composed in the studio."""\n\nimport tellegen as tg\n\n\nclass {cls}(tg.Component):\n    pass\n'
    )
