"""The sun over a place on the earth: the irradiance of a tilted plane under a clear sky.

Geometry after J. A. Duffie and W. A. Beckman, Solar Engineering of Thermal Processes, chapter 1: declination delta and
hour angle w give the height of the sun,

    delta = 23.45 deg sin(2 pi (284 + day)/365),     w = 2 pi (hour - 12)/24
    cos(zenith) = sin(lat) sin(delta) + cos(lat) cos(delta) cos(w)

Through the air mass AM of F. Kasten and A. T. Young (1989) comes the beam 1353 W/m2 0.7^(AM^0.678) of A. and M. Meinel;
a tenth of it arrives from the sky all around.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg

DEGREE = 0.017453292519943295
HORIZON = 1e-4  # of cos(zenith): the beam goes over into the night


class ClearSky(tg.Component):
    """Irradiance of a tilted plane under a clear sky: G = beam cos(incidence) + diffuse (1 + cos(tilt))/2.

    Time 0 is midnight in solar time. `clearness` takes off clouds: 1 clear, 0 dark.
    """

    clearness = tg.input("1", "part of the light that clouds let through", default=1.0)
    latitude = tg.parameter(48.0, "deg", "latitude, north positive")
    day = tg.parameter(172.0, "1", "day of the year; 172 is the 21st of June")
    tilt = tg.parameter(30.0, "deg", "tilt of the plane from the horizontal")
    azimuth = tg.parameter(0.0, "deg", "where the plane looks: 0 south, -90 deg east, 90 deg west")
    G_sky = tg.parameter(0.1, "1", "diffuse light of the sky as a part of the beam", min=0.0)
    G = tg.output("W/m2", "irradiance of the plane")
    beam = tg.variable("W/m2", "beam, on a plane that faces the sun")
    height = tg.variable("1", "sine of the height of the sun")
    incidence = tg.variable("1", "cosine of the angle between sun and normal of the plane")

    def equations(self) -> Any:
        declination = 23.45 * DEGREE * tg.sin(2.0 * tg.pi * (284.0 + self.day) / 365.0)
        hour = 2.0 * tg.pi * (1.0 * tg.time / 86400.0 - 0.5)
        lat = self.latitude
        sd = tg.sin(declination)
        cd = tg.cos(declination)
        ch = tg.cos(hour)
        sh = tg.sin(hour)
        yield self.height == tg.sin(lat) * sd + tg.cos(lat) * cd * ch
        st = tg.sin(self.tilt)
        ct = tg.cos(self.tilt)
        ca = tg.cos(self.azimuth)
        sa = tg.sin(self.azimuth)
        south = tg.sin(lat) * cd * ch - tg.cos(lat) * sd  # parts of the direction of the sun
        west = cd * sh
        yield self.incidence == ct * self.height + st * (ca * south + sa * west)
        up = tg.no_event(tg.maximum(self.height, HORIZON))
        zenith = tg.acos(tg.no_event(tg.minimum(up, 1.0))) / DEGREE
        air = 1.0 / (up + 0.50572 * (96.07995 - zenith) ** -1.6364)
        light = 1353.0 * 0.7 ** (air**0.678)
        yield self.beam == tg.no_event(tg.where(self.height > HORIZON, light, 0.0))
        direct = tg.no_event(tg.maximum(self.incidence, 0.0))
        yield self.G == self.clearness * self.beam * (direct + self.G_sky * 0.5 * (1.0 + ct))
