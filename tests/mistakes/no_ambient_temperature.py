"""Thermal resistances that touch nothing whose temperature is known."""

from stock import ThermalResistor

import tellegen as tg

wall = tg.System("wall")
wall.add(plaster=ThermalResistor(), brick=ThermalResistor(R=2.0))
wall.connect(wall.plaster.b, wall.brick.a)
tg.flatten(wall)
