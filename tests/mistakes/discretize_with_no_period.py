import tellegen as tg
from tellegen.library import blocks

tg.discretize(blocks.PI(k=2.0, T=0.1), 0.0)
