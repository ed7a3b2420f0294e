"""A resistance as it stands on the part: a prefix and no unit."""

from tellegen.library import electrical as el

el.Resistor(R="4k7")
