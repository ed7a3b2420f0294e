"""Power balance of machines and vessels for vapour cycles, of R134a as tables and of air. See test_power_balance.py."""

from __future__ import annotations

import pytest

import tellegen as tg
from library.case import Case
from tellegen.library import fluid as fl
from tellegen.library import media
from tellegen.testing import FluidDrive, HeatDrive, TorqueDrive

pytest.importorskip("CoolProp")
R134A = media.TabulatedFluid("R134a", n_p=24, n_h=16)


def reservoir(p: float, h: float, f: float = 1.0) -> FluidDrive:
    """A drive that gives fluid of about this pressure and temperature."""
    return FluidDrive(medium=R134A, p=p, T=h, dp=2e4, k=1e-7, f=f)


def vessel(cls: type, **given: object) -> Case:
    """Half full of boiling R134a, warmed and cooled."""
    part = cls(medium=R134A, V=2e-4, p_start=3e5, h_start=2.1e5, use_heat_port=True, **given)
    drive = {
        "ports[0]": reservoir(3e5, 300.0),
        "ports[1]": reservoir(3e5, 320.0, 1.37),
        "heat_port": HeatDrive(T=275.0),
    }
    return Case(part, stored=lambda c: c.U, drive=drive, reversible=True)


def pressed() -> FluidDrive:
    """Air of 4 bar."""
    return FluidDrive(medium=media.dry_air(), p=4e5, dp=5e4, f=1.3)


CASES = [
    vessel(fl.TwoPhaseVolume),
    vessel(fl.TwoPhaseVolume, storage="conserved"),
    vessel(fl.Evaporator),
    vessel(fl.Condenser),
    Case(
        fl.Compressor(V_displacement=1e-3),
        supplied=lambda c: c.W,
        drive={"N": lambda t: 300.0 * t, "port_b": pressed()},
    ),
    Case(
        fl.Compressor(V_displacement=1e-3, use_shaft=True),
        drive={"flange": TorqueDrive(offset=60.0), "port_b": pressed(), "N": 0.0},
    ),
    Case(fl.Turbine(Kt=1e-4), supplied=lambda c: c.W, drive={"port_a": pressed(), "N": 0.0}),
    Case(fl.Turbine(Kt=1e-4, use_shaft=True), drive={"port_a": pressed(), "N": 0.0}),
    Case(
        fl.ExpansionValve(medium=R134A, A=2e-6),
        drive={
            "port_a": reservoir(9e5, 300.0),
            "port_b": reservoir(3e5, 300.0),
            "opening": lambda t: 0.4 + 0.3 * tg.sin(t),
        },
    ),
    Case(fl.SuperheatSensor(medium=R134A), drive={"port": reservoir(3e5, 300.0)}, idle=True),
]
