"""A part of a component that the document does not contain."""

from pathlib import Path

import tellegen as tg

tg.read_markup(Path(__file__).with_suffix(".xml"))
