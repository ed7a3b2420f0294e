from pathlib import Path

import tellegen as tg

tg.c_component(Path(__file__).with_name("c_component_with_memory.c"))
