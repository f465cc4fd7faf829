#!/usr/bin/env python3
"""web/dist is what web/ makes: rebuilds the bundle and compares it, where Node is there.

    tests/e2e/bundle.py

Also: no address of a package registry is recorded, and the first view is small.
"""
import gzip
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WEB = pathlib.Path(__file__).resolve().parents[2] / "web"
MOST_FIRST_VIEW = 200_000  # bytes, compressed


def skip(why):
    print(f"skipped: {why}")
    return 77


def node_is_there():
    if shutil.which("node") is None:
        return False
    version = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
    found = re.match(r"v(\d+)", version)
    return found is not None and int(found[1]) >= 18


def main():
    first = sum(len(gzip.compress((WEB / "dist" / name).read_bytes()))
                for name in ("index.html", "page.js", "style.css", "icon.svg"))
    assert first < MOST_FIRST_VIEW, f"the first view has {first} bytes"
    assert '"resolved"' not in (WEB / "package-lock.json").read_text(), "a registry's address"
    assert "registry=" not in (WEB / ".npmrc").read_text()
    print(f"the first view has {first} bytes, compressed")
    if not node_is_there():
        return skip("Node 18 or newer is not installed")
    if not (WEB / "node_modules").is_dir():
        return skip("web/node_modules is missing; 'npm ci' in web/ makes it")
    subprocess.run(["node", "node_modules/typescript/bin/tsc", "--noEmit", "-p", "."], cwd=WEB, check=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["node", "build.mjs", folder], cwd=WEB, check=True)
        made = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
    kept = {path.name: path.read_bytes() for path in (WEB / "dist").iterdir()}
    different = [name for name in sorted(made | kept) if made.get(name) != kept.get(name)]
    assert not different, f"web/dist is not what web/ makes: {different}; run 'npm run build' in web/"
    print("web/dist is what web/ makes")
    return 0


sys.exit(main())
