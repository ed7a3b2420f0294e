"""For tests of components: does one conserve energy? See `check_power_balance`."""

from tellegen.testing.balance import PowerBalance, check_power_balance, check_power_balances, power_balance
from tellegen.testing.ports import (
    AirDrive,
    FluidDrive,
    ForceDrive,
    FrameDrive,
    HeatDrive,
    MagneticDrive,
    OilDrive,
    PortKind,
    TorqueDrive,
    VoltageDrive,
    register,
)

__all__ = [
    "AirDrive",
    "FluidDrive",
    "ForceDrive",
    "FrameDrive",
    "HeatDrive",
    "MagneticDrive",
    "OilDrive",
    "PortKind",
    "PowerBalance",
    "TorqueDrive",
    "VoltageDrive",
    "check_power_balance",
    "check_power_balances",
    "power_balance",
    "register",
]
