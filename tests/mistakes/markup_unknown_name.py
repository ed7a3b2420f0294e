"""An equation of a document with a name that is not declared."""

from pathlib import Path

import tellegen as tg

tg.read_markup(Path(__file__).with_suffix(".xml"))
