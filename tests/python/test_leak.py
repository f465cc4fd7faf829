"""Nothing is left behind: many creations, and memory stays."""
import gc
import sys

import alea


def resident():
    """KiB of memory of this process."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def churn(rounds):
    for i in range(rounds):
        game = alea.Game.from_text("(role solo) (legal solo wait) terminal (goal solo 100)")
        game.own = game.state()  # a cycle, which the collector must see
        shared = SHARED.state(seed=i)
        shared.play_out()
        shared.clone().fluents()
        batch = SHARED.batch(600, seed=i)
        batch.step()
        batch.legal.sum()
        batch.play_out()
        for call in (lambda: alea.Game.from_text("(role"), lambda: shared.apply("x", "y"),
                     lambda: shared.load(b"x"), lambda: batch.step([1])):
            try:
                call()
            except (alea.AleaError, ValueError):
                pass
    gc.collect()


def growth():
    """KiB more after some rounds."""
    before = resident()
    churn(500)
    return resident() - before


SHARED = alea.Game("tictactoe")
churn(300)  # until the allocator has what it needs
grown = [growth() for _ in range(3)]
print(f"{grown} KiB more after 500 rounds each")
sys.exit(1 if min(grown) > 1000 else 0)  # a leak of 2 KiB in each round shows in all three
