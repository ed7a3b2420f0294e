"""A document of version 1 that names another one on a network."""

from pathlib import Path

import tellegen as tg

document = tg.read_markup(Path(__file__).with_suffix(".xml"))
print(document.components["motor"])
