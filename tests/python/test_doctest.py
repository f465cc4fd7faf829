"""Every example in the docstrings of the package."""
import doctest
import importlib
import pkgutil
import sys

import alea

failed = tried = 0
names = {name: getattr(alea, name) for name in alea.__all__}
for module in pkgutil.iter_modules(alea.__path__, "alea."):
    result = doctest.testmod(importlib.import_module(module.name), extraglobs=names)
    failed, tried = failed + result.failed, tried + result.attempted
result = doctest.testmod(alea)
failed, tried = failed + result.failed, tried + result.attempted
print(f"{tried} examples, {failed} failed")
sys.exit(1 if failed or tried < 40 else 0)
