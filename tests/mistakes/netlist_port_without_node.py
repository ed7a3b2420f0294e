import tellegen as tg

FILTER = """low pass
r1 in out 1k
c1 out 0 1u
"""

tg.read_spice(text=FILTER, ports={"inp": "in", "outp": "ot"})
