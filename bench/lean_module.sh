#!/bin/sh
# The Python module with games, states and batches alone, for machines that have none of the
# libraries which players, pages and solvers need: it asks for the C library and nothing else.
#
#   bench/lean_module.sh [BUILD]      makes BUILD/python-lean (build/python-lean) from BUILD/libalea.a
#
# What is left out is there by name and does nothing; functions of missing libraries end the process.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
out=$build/python-lean/alea
work=$build/python-lean/work
extension=python/extension
mkdir -p "$out" "$work"
cp python/alea/*.py "$out"

cat >"$work/none.c" <<'C'
#include "binding.h"
PyTypeObject *alea_py_agent;
static bool none(PyObject *module, const char *name) {
  return PyModule_AddObjectRef(module, name, (PyObject *)&PyBaseObject_Type) == 0;
}
bool alea_py_add_agent(PyObject *module) { return none(module, "Agent"); }
bool alea_py_add_guest(PyObject *module) { return none(module, "register"); }
bool alea_py_add_match(PyObject *module) {
  return none(module, "play_match") && none(module, "main");
}
bool alea_py_add_problem(PyObject *module) { return none(module, "solve"); }
C

link() {
  ${CC:-cc} -std=c17 -O2 -fPIC -shared -w -fvisibility=hidden -Iinclude -I$extension \
    "-I$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')" \
    "$work/none.c" $extension/module.c $extension/game.c $extension/state.c $extension/batch.c \
    $extension/device.c $extension/picture.c "$@" "$build/libalea.a" \
    -Wl,--exclude-libs,ALL -Wl,--as-needed -lm -lpthread -ldl -o "$out/_alea.abi3.so"
}
link -Wl,--unresolved-symbols=ignore-all
nm -D --undefined-only "$out/_alea.abi3.so" | awk '$2 !~ /@/ && $2 !~ /^_?Py|^_/ {print $2}' |
  sort -u | sed 's/.*/void &(void) { __builtin_trap(); }/' >"$work/missing.c"
link "$work/missing.c"
