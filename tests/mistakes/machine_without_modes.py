"""A state machine that has none."""

import tellegen as tg


class Pump(tg.StateMachine):
    running = tg.boolean()


tg.flatten(Pump())
