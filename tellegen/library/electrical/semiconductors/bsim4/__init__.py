"""BSIM4: MOS transistors of short channels, with leakage and charges."""

from tellegen.library.electrical.semiconductors.bsim4.transistor import BSIM4NMOS as BSIM4NMOS
from tellegen.library.electrical.semiconductors.bsim4.transistor import BSIM4PMOS as BSIM4PMOS
