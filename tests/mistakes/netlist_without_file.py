import tellegen as tg

tg.read_spice("no_such_amplifier.cir")
