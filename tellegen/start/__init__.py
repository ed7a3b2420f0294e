"""What keeps a program short: classes finished on first use, imports and an exit without garbage collection."""

import atexit

from tellegen.start.program_exit import finish_quickly

atexit.register(finish_quickly)
