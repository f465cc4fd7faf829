"""The library as a stranger meets it: installed, found by pkg-config and CMake, compiled
against, run; and what it exports.

    library.py --build BUILD --source SOURCE [--write-abi]

The build is installed into a temporary folder.  The examples and the listings of docs/API.md
are compiled with pkg-config alone and run.  Exported names and the sizes of public structs are
compared with tests/golden/abi.txt, and where abidiff is installed (Debian's abigail-tools), every
type of the interface with tests/golden/libalea.abi; --write-abi writes both files anew.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EXPECTED = {
    "playout": "after ", "embed_player": "plays (drop ", "batch": "red scores ", "solve": "2 solutions",
}
STRUCT = re.compile(r"^\} (alea_\w+);", re.M)
failures = []


def check(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED:", text)


def run(*words, env=None, cwd=None):
    try:
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, env=env, cwd=cwd,
                              timeout=300, check=False)
    except OSError as why:
        check(False, str(why))
        return ""
    check(done.returncode == 0, f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
    return done.stdout


class Installed:
    def __init__(self, build, source, folder):
        self.source, self.folder, self.prefix = source, folder, folder / "usr"
        run("cmake", "--install", build, "--prefix", self.prefix)
        self.libdir = next(self.prefix.rglob("libalea.so.0")).parent
        self.env = dict(os.environ, PKG_CONFIG_PATH=str(self.libdir / "pkgconfig"),
                        LD_LIBRARY_PATH=str(self.libdir))

    def flags(self, *words):
        return run("pkg-config", *words, "alea", env=self.env).split()

    def compile(self, source, *more, compiler="cc"):
        program = self.folder / f"{source.stem}-{len(more)}"
        run(compiler, "-Wall", "-Wextra", "-Werror", source, *self.flags("--cflags"), *(more or self.flags("--libs")),
            "-pthread", "-o", program)
        return program


def check_examples(installed):
    for source in sorted((installed.source / "examples").glob("*.c")):
        program = installed.compile(source)
        if source.stem == "own_player":
            check("greedy" in run(program, "players", env=installed.env), "own players are listed")
            words = ["match", "tictactoe", "--player", "greedy", "--player", "random", "--sims", "1",
                     "--seed", "3", "--json"]
            check('"greedy"' in run(program, *words, env=installed.env), "own players play matches")
            check_tournament(installed, program)
        else:
            out = run(program, env=installed.env)
            check(EXPECTED[source.stem] in out, f"{source.stem} prints {EXPECTED[source.stem]!r}: {out!r}")
    # Without the shared library: the archive and what it needs.
    libs = [w for w in installed.flags("--libs", "--static") if w != "-lalea"]
    program = installed.compile(installed.source / "examples/playout.c", installed.libdir / "libalea.a", *libs)
    check("libalea" not in run("ldd", program), "the static program needs no libalea.so")
    check("after " in run(program), "the static program runs")


def check_tournament(installed, program):
    plan = installed.folder / "plan.yaml"
    plan.write_text("name: own\ngames: [tictactoe]\nplayers: [greedy, random]\nbudget: {sims: 1}\nmatches: 2\n")
    out = run(program, "tournament", plan, "--db", installed.folder / "own.db", env=installed.env)
    check("2 of 2 matches are stored" in out, f"own players play tournaments: {out!r}")


def check_listings(installed):
    text = (installed.source / "docs/API.md").read_text()
    listings = re.findall(r"^```c\n(.*?)^```", text, re.M | re.S)
    check(len(listings) >= 3, "docs/API.md has listings")
    for index, listing in enumerate(listings):
        source = installed.folder / f"listing{index}.c"
        source.write_text(listing)
        check(run(installed.compile(source), env=installed.env) != "", f"listing {index} prints something")


def check_headers(installed):
    for header in sorted((installed.prefix / "include/alea").glob("*.h")):
        source = installed.folder / f"{header.stem}_header.cpp"
        source.write_text(f"#include <alea/{header.name}>\n#include <alea/{header.name}>\nint main() {{}}\n")
        for compiler, language in (("c++", "-std=c++17"), ("cc", "-std=c17")):
            run(compiler, *(["-x", "c"] if compiler == "cc" else []), language, "-Wall", "-Wextra", "-Wpedantic",
                "-Werror", "-fsyntax-only", *installed.flags("--cflags"), source)


def check_cmake(installed):
    folder = installed.folder / "cmake"
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(user C)\nfind_package(alea 0.1 REQUIRED)\n"
        f"add_executable(user {installed.source}/examples/solve.c)\ntarget_link_libraries(user alea::alea)\n")
    run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={installed.prefix}")
    run("cmake", "--build", folder / "build")
    check("2 solutions" in run(folder / "build/user"), "a program found with CMake runs")


def exported(library, *words):
    lines = run("nm", "--defined-only", *words, library).splitlines()
    return sorted(line.split()[2] for line in lines if len(line.split()) == 3)


def struct_sizes(installed):
    names = sorted(name for header in (installed.prefix / "include/alea").glob("*.h")
                   for name in STRUCT.findall(header.read_text()))
    source = installed.folder / "sizes.c"
    source.write_text("#include <alea/alea.h>\n#include <stdio.h>\nint main(void) {\n" + "".join(
        f'  printf("{name} %zu\\n", sizeof({name}));\n' for name in names) + "  return 0;\n}\n")
    return run(installed.compile(source), env=installed.env).splitlines()


def check_abi(installed, write):
    names = exported(installed.libdir / "libalea.so.0", "-D")
    check(all(name.startswith("alea_") for name in names), f"only alea_ is exported: {names}")
    archive = exported(installed.libdir / "libalea.a", "-g")
    check(archive == names, f"the archive shows the same: {sorted(set(archive) ^ set(names))}")
    lines = names + struct_sizes(installed)
    path = installed.source / "tests/golden/abi.txt"
    if write:
        path.write_text("".join(line + "\n" for line in lines))
    known = path.read_text().splitlines()
    check(lines == known, "the interface is that of tests/golden/abi.txt; changed: "
          f"{sorted(set(lines) ^ set(known))}; if that is meant, write it anew with --write-abi")


def interface(installed):
    """What the headers promise, compiled: each function without its body, with all of its types."""
    headers = "".join(path.read_text() for path in sorted((installed.prefix / "include/alea").glob("*.h")))
    functions = re.findall(r"^ALEA_API ([^;]*?\));", re.sub(r"/\*.*?\*/", "", headers, flags=re.S), re.M | re.S)
    source, library = installed.folder / "interface.c", installed.folder / "interface.so"
    source.write_text("#include <alea/alea.h>\n#include <stdlib.h>\n"
                      + "".join(f"ALEA_API {each} {{ abort(); }}\n" for each in functions))
    run("cc", "-g", "-fPIC", "-shared", "-fvisibility=hidden", *installed.flags("--cflags"), source, "-o", library,
        cwd=installed.folder)
    check(exported(library, "-D") == exported(installed.libdir / "libalea.so.0", "-D"),
          "the library exports what the headers declare")
    return library


def check_types(installed, write):
    """Every type that a program sees, by libabigail; the dump knows no machine and no path."""
    library = interface(installed)
    if shutil.which("abidw") is None:
        print("types are not compared: there is no abidiff (abigail-tools)")
        return
    known, now = installed.source / "tests/golden/libalea.abi", installed.folder / "now.abi"
    now.write_text(re.sub(r" path='[^']*'", " path='interface.c'", run(
        "abidw", "--no-show-locs", "--no-corpus-path", "--no-comp-dir-path", "--no-architecture", library)))
    if write:
        shutil.copy(now, known)
    done = subprocess.run(["abidiff", str(known), str(now)], capture_output=True, text=True, check=False)
    check(done.returncode == 0, "the types of the interface have changed; if that is meant, write them anew with "
          f"--write-abi:\n{done.stdout}{done.stderr}")


def check_constructors(installed):
    """Each call that makes something has its test with an allocator that fails."""
    headers = "".join(path.read_text() for path in sorted((installed.prefix / "include/alea").glob("*.h")))
    makers = re.findall(r"ALEA_API alea_status (alea_\w+)\(\s*alea_\w+ \*\*", headers)
    test = (installed.source / "tests/fault/test_api_memory.c").read_text()
    check(len(makers) >= 11, f"constructors are found: {makers}")
    check(not [name for name in makers if name + "(" not in test],
          f"tests/fault/test_api_memory.c calls every constructor of {makers}")


def check_version(installed):
    words = run(installed.prefix / "bin/alea", "--version").split() + installed.flags("--modversion")
    header = (installed.prefix / "include/alea/version.h").read_text()
    check(words[1] == words[2] and f'"{words[1]}"' in header, f"one version everywhere: {words}")


def check_manuals(installed):
    names = run(installed.prefix / "bin/alea", "--describe").split()
    pages = {path.name for path in (installed.prefix / "share/man/man1").iterdir()}
    check(pages == {"alea.1"} | {f"alea-{name}.1" for name in names}, f"a page per command: {sorted(pages)}")
    bench = (installed.prefix / "share/man/man1/alea-bench.1").read_text()
    check("\\-\\-seconds" in bench, "options are in the pages")
    completion = installed.prefix / "share/bash-completion/completions/alea"
    script = f'source {completion}; COMP_WORDS=(alea bench --sec); COMP_CWORD=2; _alea; echo "${{COMPREPLY[@]}}"'
    check(run("bash", "-c", script).strip() == "--seconds", "bash completes options")
    for shell, name in (("zsh", "zsh/vendor-completions/_alea"), ("fish", "fish/vendor_completions.d/alea.fish")):
        if shutil.which(shell):
            run(shell, "-n", installed.prefix / "share" / name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--write-abi", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        installed = Installed(arguments.build, arguments.source.resolve(), pathlib.Path(folder))
        if not failures:
            check_headers(installed)
            check_abi(installed, arguments.write_abi)
            check_types(installed, arguments.write_abi)
            check_constructors(installed)
            check_listings(installed)
            check_examples(installed)
            check_cmake(installed)
            check_manuals(installed)
            check_version(installed)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
