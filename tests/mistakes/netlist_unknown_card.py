from pathlib import Path

import tellegen as tg

tg.read_spice(Path(__file__).with_name("netlist_unknown_card.cir"))
