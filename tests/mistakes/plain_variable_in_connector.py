"""A connector variable that is neither across nor through nor a signal."""

import tellegen as tg


class Pin(tg.Connector):
    v = tg.across("V")
    i = tg.through("A")
    power = tg.variable("W")
