"""What keeps a program short: modules from one file, classes finished on first use, an exit without a search."""

import atexit
import os
import sys

from tellegen.start.module_archive import ModuleArchive
from tellegen.start.program_exit import finish_quickly

atexit.register(finish_quickly)
ARCHIVE = ModuleArchive("tellegen", os.path.dirname(os.path.dirname(__file__)))
sys.meta_path.insert(0, ARCHIVE)
atexit.register(ARCHIVE.write)
