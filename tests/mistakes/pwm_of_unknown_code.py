"""There are two codes."""

import tellegen as tg
from tellegen.library import sampled


class Stage(tg.Component):
    pwm = sampled.PWM(code="bipolar")


tg.simulate(Stage(), stop=1e-3)
