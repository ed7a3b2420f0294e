"""One and a half times slower: there is no such sub-clock."""

import tellegen as tg

base = tg.Clock(rate="10 kHz")
slow = base.every(1.5)
