import tellegen as tg

FILTER = """low pass
.param rload=1k
r1 in out {rload}
c1 out 0 1u
"""

tg.read_spice(text=FILTER, parameters={"rlod": 2e3})
