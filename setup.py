"""Builds the Python module with CMake, for pip; pyproject.toml has the rest.

The extension is taken from the build folder that ALEA_BUILD names, or from build/
where that was configured, and otherwise made in build-python/.
"""
import os
import pathlib
import re
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
OWN = ROOT / "build-python"


def version():
    text = (ROOT / "include/alea/version.h").read_text(encoding="utf-8")
    return re.search(r'ALEA_VERSION_TEXT "([0-9.]+)"', text).group(1)


class CMakeBuild(build_ext):
    """build_ext by CMake."""

    def build_extension(self, ext):
        usual = ROOT / "build"
        named = os.environ.get("ALEA_BUILD")
        folder = pathlib.Path(named) if named else \
            usual if (usual / "CMakeCache.txt").exists() else OWN
        if not (folder / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
                            "-DALEA_TESTS=OFF"], check=True)
        jobs = os.environ.get("JOBS", str(os.cpu_count() or 1))
        subprocess.run(["cmake", "--build", folder, "-j", jobs, "--target", "alea_python"], check=True)
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "python" / "alea" / "_alea.abi3.so", target)


OWN.mkdir(exist_ok=True)
setup(version=version(),
      ext_modules=[Extension("alea._alea", sources=[], py_limited_api=True)],
      cmdclass={"build_ext": CMakeBuild},
      # What setuptools leaves behind stays out of the folders of the sources and of CMake.
      options={"build": {"build_base": "build-python/setuptools"},
               "egg_info": {"egg_base": "build-python"},
               "bdist_wheel": {"py_limited_api": "cp311"}})
