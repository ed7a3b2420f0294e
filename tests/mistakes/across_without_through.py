"""A potential without its flow."""

import tellegen as tg


class HeatPort(tg.Connector):
    T = tg.across("K")
