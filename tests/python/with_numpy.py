"""Runs a script with a Python that has NumPy: this one, or Debian's.

    with_numpy.py SCRIPT [ARGUMENT...]

Exit status 77 ("skipped") where no Python has it.  ALEA_PRELOAD names libraries that the
script's Python loads first: the runtimes of sanitizers.
"""
import os
import subprocess
import sys

for python in (sys.executable, "/usr/bin/python3"):
    if os.path.exists(python) and subprocess.run([python, "-c", "import numpy"], check=False,
                                                 stderr=subprocess.DEVNULL).returncode == 0:
        sys.stdout.flush()
        if "ALEA_PRELOAD" in os.environ:
            os.environ["LD_PRELOAD"] = os.environ["ALEA_PRELOAD"]
        os.execv(python, [python, *sys.argv[1:]])
print("skipped: no Python here has NumPy; tools/setup installs python3-numpy")
sys.exit(77)
