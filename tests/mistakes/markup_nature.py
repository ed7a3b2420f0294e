"""A terminal of a nature that does not exist, in a document of version 1."""

from pathlib import Path

import tellegen as tg

tg.read_markup(Path(__file__).with_suffix(".xml"))
