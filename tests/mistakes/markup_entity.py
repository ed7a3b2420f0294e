"""A document with an entity that would read another file."""

from pathlib import Path

import tellegen as tg

tg.read_markup(Path(__file__).with_suffix(".xml"))
