"""Values have names; the one offered is the component's own, not one of its base."""

from tellegen.library import electrical as el

el.Resistor(100.0)
