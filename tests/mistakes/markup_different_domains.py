"""A connection of ports of different domains in a document."""

from pathlib import Path

import tellegen as tg

tg.read_markup(Path(__file__).with_suffix(".xml"))
