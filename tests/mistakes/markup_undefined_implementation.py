"""A component of version 1 bound to an implementation that is not defined."""

from pathlib import Path

import tellegen as tg

document = tg.read_markup(Path(__file__).with_suffix(".xml"))
print(document.implementations)
