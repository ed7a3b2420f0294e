"""What keeps a program short: modules from one file, classes finished on first use, an exit without a search."""

import atexit
import os
import sys

from tellegen.start.garbage_collection import lasting
from tellegen.start.module_archive import ModuleArchive
from tellegen.start.modules_on_use import run_on_use
from tellegen.start.program_exit import finish_quickly

atexit.register(finish_quickly)
ARCHIVE = ModuleArchive("tellegen", os.path.dirname(os.path.dirname(__file__)), ("numpy", "llvmlite"))
sys.meta_path.insert(0, ARCHIVE)
atexit.register(ARCHIVE.write)
run_on_use("csv", "difflib", "fractions", "ipaddress", "platform", "shlex", "shutil", "sysconfig")
run_on_use("tempfile", "tokenize", "traceback", "zipfile")
# OpenBLAS begins its threads when it is loaded, and each of them waits for work in a loop of 2**26 cycles before it
# sleeps: 55 ms of a core for nothing. 2**22 cycles still wait for the next of several products in a row.
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "22")
with lasting():
    import numpy  # noqa: F401 (everything here needs it, and it makes many objects that stay)
