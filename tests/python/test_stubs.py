"""The stubs of the extension name what it has: no more, no less.  Where mypy is installed (Debian's
python3-mypy), the hints of the whole package satisfy it."""
import ast
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

from alea import _alea

STUBS = pathlib.Path(__file__).resolve().parents[2] / "python" / "alea" / "_alea.pyi"
OWN = {"__new__", "__buffer__"}  # how a type is made, and what its memory is: both are slots


def named(body):
    """Functions, properties and variables of a module or class in the stubs."""
    return {node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))} | \
        {node.target.id for node in body if isinstance(node, ast.AnnAssign)}


def there(value):
    return {name for name in vars(value) if not name.startswith("__")}


problems = []
tree = ast.parse(STUBS.read_text(encoding="utf-8"))
pairs = [("_alea", named(tree.body), there(_alea))]
for node in tree.body:
    if isinstance(node, ast.ClassDef):
        pairs.append((node.name, named(node.body) - OWN, there(getattr(_alea, node.name)) - {"game"}))
for where, stub, real in pairs:
    problems += [f"{where}.{name} has no stub" for name in sorted(real - stub)]
    problems += [f"{where}.{name} does not exist" for name in sorted(stub - real)]
if importlib.util.find_spec("mypy") is not None:
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, STUBS.parent],
                              capture_output=True, text=True, check=False)
    problems += done.stdout.splitlines() if done.returncode else []
else:
    print("the hints were not checked: there is no mypy")
for problem in problems:
    print(problem)
print(f"{sum(len(real) for _, _, real in pairs)} names, {len(problems)} problems")
sys.exit(1 if problems or len(pairs) < 6 else 0)
