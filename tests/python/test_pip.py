"""pip install from the source tree, without a network, into a fresh environment."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECK = """
import alea, importlib.metadata
assert alea.__version__ == importlib.metadata.version("alea")
assert "site-packages" in alea.__file__, alea.__file__
game = alea.Game("tictactoe")
assert game.batch(100, seed=1).play_out().sum() == 100 * 100
assert game.state().svg().startswith("<svg")
print(alea.play_match(game, ["uct", "random"], sims=20, seed=1).goals)
"""
for needed in ("pip", "setuptools", "venv", "wheel"):
    if importlib.util.find_spec(needed) is None:
        print(f"skipped: there is no {needed} here; tools/setup installs it")
        sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    place = pathlib.Path(folder) / "place"
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", place],
                   check=True)
    python = place / "bin" / "python3"
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")}
    install = subprocess.run([python, "-m", "pip", "install", "--no-build-isolation", "--no-deps",
                              "--no-index", ROOT], env=environment, text=True, capture_output=True,
                             check=False)
    if install.returncode != 0:
        print(install.stdout, install.stderr)
        sys.exit(1)
    run = subprocess.run([python, "-c", CHECK], cwd=folder, env=environment, check=False)
    sys.exit(run.returncode)
