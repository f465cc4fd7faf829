"""python3 -m alea: see alea.program.run_module."""
import sys

from .program import run_module

if __name__ == "__main__":
    sys.exit(run_module(sys.argv[1:]))
