#!/usr/bin/env python3
"""Random play on one GPU: Pgx's games written by hand, and the same games from their rules.

    beside_pgx.py [--bench build/bench/gpu_bench] [--games games] [--seconds 0.5] [GAME...]

Both are measured one after the other on the same machine: Pgx, where `import pgx` finds it, with uniform
legal moves and its own automatic restart, the best of some sizes of batches; ours by gpu_bench.  Hex is
played on 11x11, the only board that Pgx has, by the shipped rules with two more columns and rows.
Prints a line for each game: steps a second of both, and their ratio.  Games that differ in size or
rules between the two are marked.
"""
import argparse
import re
import subprocess
import sys
import tempfile
import time

# Ours, Pgx's, how they differ.  The network of a game in LARGE is interpreted, as the engine does.
PAIRS = [
    ("tictactoe", "tic_tac_toe", ""),
    ("connect-four", "connect_four", ""),
    ("reversi", "othello", ""),
    ("hex", "hex", "11x11; Pgx's may swap sides after the first stone"),
    ("chess", "chess", "rules in details"),
    ("backgammon", "backgammon", "rules in details"),
    ("kuhn-poker", "kuhn_poker", ""),
    ("leduc-poker", "leduc_holdem", "rules in details"),
]
LARGE = {"chess"}
SIZES = (1 << 12, 1 << 14, 1 << 16)
STEPS = 64  # of a call


def pgx_speed(name: str, size: int, seconds: float) -> float:
    """Steps a second of a batch of `size` games, compiling left out."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry, _):
        state, key = carry
        key, draw, chance = jax.random.split(key, 3)
        weights = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(draw, weights, axis=-1)
        return (step(state, action, jax.random.split(chance, size)), key), None

    @jax.jit
    def many(state, key):
        return jax.lax.scan(one, (state, key), None, length=STEPS)[0]

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), size))
    state, key = jax.block_until_ready(many(state, jax.random.PRNGKey(2)))
    calls, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        state, key = jax.block_until_ready(many(state, key))
        calls += 1
    return calls * STEPS * size / (time.perf_counter() - start)


def best_of_pgx(name: str, seconds: float) -> float:
    best = 0.0
    for size in SIZES:
        try:
            best = max(best, pgx_speed(name, size, seconds))
        except Exception as error:  # too little memory, or a game that this version does not have
            print(f"  pgx {name}, {size} games: {str(error).splitlines()[0][:120]}", file=sys.stderr)
            break
    return best


def hex_of_eleven(sheet: str) -> str:
    """The rules of Hex 9x9 with two more columns and rows."""
    for part, more in (
        ("(column i)", "(column i) (column j) (column k)"),
        ("(row 9)", "(row 9) (row 10) (row 11)"),
        ("(right h i)", "(right h i) (right i j) (right j k)"),
        ("(up 8 9)", "(up 8 9) (up 9 10) (up 10 11)"),
        ("(to red i ?y)", "(to red k ?y)"),
        ("(to blue ?x 9)", "(to blue ?x 11)"),
    ):
        if sheet.count(part) != 1:
            raise ValueError(f"the rules of Hex have changed: {part}")
        sheet = sheet.replace(part, more)
    return sheet


def our_speed(bench: str, folder: str, name: str, seconds: float) -> float:
    """States a second."""
    options = ["-i"] if name in LARGE else []  # lanes begin again, as Pgx's games do: twenty games each
    with open(f"{folder}/{name}.kif", encoding="utf-8") as file:
        rules = file.read()
    with tempfile.NamedTemporaryFile("w", suffix=".kif") as sheet:
        sheet.write(hex_of_eleven(rules) if name == "hex" else rules)
        sheet.flush()
        command = [bench, *options, "-g", "20", "-s", str(seconds), sheet.name]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    found = re.search(r"([\d.]+) G states/s", done.stdout)
    if found is None:
        print(f"  {name}: {done.stdout.strip() or done.stderr.strip()}", file=sys.stderr)
    return float(found.group(1)) * 1e9 if found else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", default="build/bench/gpu_bench")
    parser.add_argument("--games", default="games")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("names", nargs="*", metavar="GAME")
    options = parser.parse_args()
    try:
        import jax
        import pgx
    except ImportError as error:
        print(f"beside_pgx: {error}; Pgx and JAX must be where Python finds them (PYTHONPATH)", file=sys.stderr)
        return 4
    print(f"JAX {jax.__version__} on {jax.devices()[0]}, Pgx {getattr(pgx, '__version__', '?')}")
    print(f"{'game':16} {'Pgx, M steps/s':>16} {'ours, M states/s':>18} {'ratio':>8}")
    for ours, theirs, differ in PAIRS:
        if options.names and ours not in options.names:
            continue
        speed = our_speed(options.bench, options.games, ours, options.seconds)
        other = best_of_pgx(theirs, options.seconds)
        ratio = f"{speed / other:8.0f}" if other > 0 else "       -"
        print(f"{ours:16} {other / 1e6:16.2f} {speed / 1e6:18.1f} {ratio}  {differ}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
