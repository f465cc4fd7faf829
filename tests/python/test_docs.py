"""The listings of docs/PYTHON.md and docs/TOUR.md."""
import doctest
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
failed = tried = 0
for name in ("PYTHON.md", "TOUR.md"):
    text = (DOCS / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```", text, re.M | re.S)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, name, 0)
    result = doctest.DocTestRunner().run(test)
    failed, tried = failed + result.failed, tried + result.attempted
    for block in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S):
        exec(compile(block, name, "exec"), {})  # pylint: disable=exec-used
        tried += 1
print(f"{tried} listings, {failed} failed")
sys.exit(1 if failed or tried < 40 else 0)
