"""Parameters of a model card are written as the component spells them."""

from tellegen.library import electrical as el

el.NPN(IS=1e-14, BF=200.0)
