import tellegen as tg
from tellegen.library import blocks

tg.write_c(blocks.PI(k=2.0, T=0.1), "pi.c")
