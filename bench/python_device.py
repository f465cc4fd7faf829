#!/usr/bin/env python3
"""Batches on a GPU from Python: equal to those on the CPU, taken by PyTorch and JAX without a copy, and how fast.

    PYTHONPATH=build/python python3 bench/python_device.py [--check] [--seconds S] [--games G,G] [--sizes N,N]

First every array of five games after every step with given actions, on the device and on the CPU; actions come
from the host, from PyTorch and from JAX in turns.  Then every array through DLPack: the address that PyTorch and JAX
see is the batch's.  Then states a second, of one process; --check leaves that out.  Python 3.11 or newer with NumPy;
PyTorch and JAX where they are installed, else their part is left out, which is said.
"""
import argparse
import os
import sys
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # else JAX takes nearly all memory there

import numpy as np  # noqa: E402

import alea  # noqa: E402

GAMES = ["tictactoe", "connect-four", "rock-paper-scissors", "cant-stop", "reversi"]
NAMES = ["flags", "rewards", "legal", "legal_bits", "observation", "observation_floats", "fluent_bits",
         "terminated", "refused"]
failures = []


def library(name):
    """PyTorch or JAX with its GPU, or None."""
    try:
        if name == "torch":
            import torch
            return torch if torch.cuda.is_available() else None
        import jax
        import jax.dlpack
        jax.config.update("jax_enable_x64", True)  # for the arrays of 64-bit words
        return jax if any(device.platform == "gpu" for device in jax.devices()) else None
    except Exception as why:  # pylint: disable=broad-except
        print(f"  {name}: {why!r}"[:200])
        return None


def check(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED:", text)


# ---- equality ----

def choose(batch, draw):
    """A legal action per state and role of a batch on the CPU, and now and then a wrong one."""
    actions = np.full((batch.count, len(batch.game.roles)), -2, np.int32)
    for role in range(len(batch.game.roles)):
        legal = batch.legal_of(role)
        weights = draw.random(legal.shape, np.float32) * legal
        actions[:, role] = np.where(legal.any(axis=1), weights.argmax(axis=1), -2)
    wrong = draw.random(batch.count) < 0.01
    actions[wrong, 0] = draw.integers(-5, 50, int(wrong.sum()))
    actions[actions == alea.RANDOM] = -3  # random moves are others on a device
    return actions


def givers(torch, jax):
    yield "host", lambda actions: actions
    if torch is not None:
        yield "torch", lambda actions: torch.from_numpy(actions).cuda()
    if jax is not None:
        device = next(device for device in jax.devices() if device.platform == "gpu")
        yield "jax", lambda actions: jax.device_put(actions, device)


def compare(name, count, steps, auto_reset, torch, jax):
    game, draw = alea.Game(name), np.random.default_rng(5)
    here = game.batch(count, auto_reset=auto_reset)
    there = game.batch(count, auto_reset=auto_reset, device="cuda", keep=["legal", "fluent_bits"])
    ways, compared = list(givers(torch, jax)), 0
    for step in range(steps):
        actions = choose(here, draw)
        here.step(actions)
        there.step(ways[step % len(ways)][1](actions))
        if step == steps // 2:
            which = draw.random(count) < 0.3
            here.reset(which)
            there.reset(which)
        if step == steps // 2 + 2:
            bits = here.fluent_bits[100:count // 2].copy()
            here.load(bits, first=17)
            there.load(bits, first=17)
        for array in NAMES:
            ours, theirs = getattr(here, array), getattr(there, array).numpy()
            compared += 1
            check(ours.dtype == theirs.dtype and ours.shape == theirs.shape and bool((ours == theirs).all()),
                  f"{name}: {array} after step {step}, actions from {ways[step % len(ways)][0]}")
        check(here.playing == there.playing, f"{name}: playing after step {step}")
    print(f"  {name}{', beginning again' if auto_reset else ''}: {count} states, {steps} steps, {compared} arrays equal, "
          f"actions from {', '.join(way for way, _ in ways)}")


# ---- arrays ----

def take_arrays(torch, jax):
    batch = alea.Game("connect-four").batch(10_000, seed=1, device="cuda", keep=["legal", "observation"])
    for _ in range(5):
        batch.step()
    for array in NAMES:
        lent = getattr(batch, array)
        taken = []
        if torch is not None:
            tensor = torch.from_dlpack(lent)
            check(tensor.data_ptr() == lent.data_ptr and tensor.is_cuda, f"torch copies {array}")
            check(bool((tensor.cpu().numpy() == lent.numpy()).all()), f"torch sees other values in {array}")
            taken.append(f"torch {tensor.dtype}".replace("torch.", ""))
        if jax is not None:
            value = jax.dlpack.from_dlpack(lent)
            check(value.unsafe_buffer_pointer() == lent.data_ptr, f"jax copies {array}")
            check(bool((np.asarray(value) == lent.numpy()).all()), f"jax sees other values in {array}")
            taken.append(f"jax {value.dtype}")
        print(f"  {array}: {', '.join(taken) or 'nobody to take it'}")
    if torch is None:
        return
    legal, view = torch.from_dlpack(batch.legal), torch.from_dlpack(batch.legal_of(1))
    before = legal.clone()
    batch.step()
    check(not bool((legal == before).all()), "the next step shows in a tensor")
    first, last = batch.first_moves[1:3]
    check(bool((view == legal[:, first:last]).all()), "legal_of is a view")
    del batch
    check(bool(legal.any()), "a tensor keeps the memory")
    other = torch.cuda.Stream()  # work on another stream does not disturb
    batch = alea.Game("tictactoe").batch(100_000, seed=2, auto_reset=True, device="cuda", keep=["observation"])
    seen = torch.from_dlpack(batch.observation)
    for _ in range(20):
        with torch.cuda.stream(other):
            total = seen.sum(dtype=torch.int64)
        expected = int(batch.observation.numpy().sum(dtype=np.int64))
        batch.step()
        check(int(total) == expected, "a sum on another stream is of the step before")


# ---- speed ----

def rate(step, count, seconds):
    """States a second: the best of three."""
    best = 0.0
    for _ in range(3):
        steps, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            step()
            steps += 1
        best = max(best, steps * count / (time.perf_counter() - begun))
    return best


def policy_step(torch, batch):
    """A step as learning makes it: a random legal move of every role, drawn by PyTorch there."""
    legal = [torch.from_dlpack(batch.legal_of(role)) for role in range(len(batch.game.roles))]
    actions = torch.empty((batch.count, len(legal)), dtype=torch.int32, device="cuda")

    def step():
        for role, moves in enumerate(legal):
            actions[:, role] = (torch.rand(moves.shape, device="cuda") * moves).argmax(dim=1)
        batch.step(actions)
    return step


def measure(name, count, seconds, torch):
    game = alea.Game(name)
    make = lambda **options: game.batch(count, seed=1, auto_reset=True, **options)  # noqa: E731
    # The last batch there waits, when it goes, for the code that is compiled beside it.
    game.batch(32, device="cuda")
    rows = [("random moves", make(device="cuda").step)]
    rows.append(("the same, legal and fluents as bits",
                 make(device="cuda", keep=["legal_bits", "fluent_bits"]).step))
    rows.append(("the same, legal and fluents as bytes", make(device="cuda", keep=["legal", "observation"]).step))
    given = make(device="cuda")
    actions = np.full((count, len(game.roles)), alea.RANDOM, np.int32)
    if torch is not None:
        there = torch.from_numpy(actions).cuda()
        rows.append(("actions of -1 from PyTorch", lambda: given.step(there)))
        rows.append(("moves drawn by PyTorch", policy_step(torch, make(device="cuda", keep=["legal"]))))
    if count <= 100_000:
        rows.append(("on one core of the CPU, random moves", make().step))
    for what, step in rows:
        print(f"  {name}, {count} states, {what}: {rate(step, count, seconds) / 1e6:.1f} M states/s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true", help="measure nothing")
    parser.add_argument("--seconds", type=float, default=0.5, help="of each of three measurements of a row")
    parser.add_argument("--games", default="connect-four,reversi")
    parser.add_argument("--sizes", default="100000,1000000")
    parser.add_argument("--states", type=int, default=5000, help="of each comparison")
    options = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}, alea {alea.__version__}")
    torch, jax = library("torch"), library("jax")
    for name, found in (("PyTorch", torch), ("JAX", jax)):
        print(f"  {name}: {found.__version__ if found is not None else 'not here, or without a GPU: left out'}")
    print("equal to the CPU:")
    for name in GAMES:
        for auto_reset in (False, True):
            compare(name, options.states, 12 if name == "reversi" else 24, auto_reset, torch, jax)
    print("arrays without a copy:")
    take_arrays(torch, jax)
    if not options.check:
        print("speed:")
        for name in options.games.split(","):
            for size in options.sizes.split(","):
                measure(name, int(size), options.seconds, torch)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
