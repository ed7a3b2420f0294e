"""A unit of a document that does not exist."""

from pathlib import Path

import tellegen as tg

tg.read_markup(Path(__file__).with_suffix(".xml"))
