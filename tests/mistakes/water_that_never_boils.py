import tellegen as tg
from tellegen.library import fluid as fl
from tellegen.library import media


class Boiler(tg.Component):
    drum = fl.Evaporator(medium=media.Water(), use_heat_port=False)


tg.flatten(Boiler())
