#!/usr/bin/env python3
"""The optima of the pizza problems by dynamic programming over sets of pizzas.

  bench/xcsp3/pizza_sets.py [NAME...]

Independent of any solver: voucher by voucher, the largest value of free pizzas
for every set of pizzas that vouchers have taken so far.
"""
import sys
from itertools import combinations

from model import Random
from problems import SET


def data(n, vouchers, seed):
    """The same numbers as problems.pizza draws."""
    rng = Random(seed)
    return [10 + rng.below(90) for _ in range(n)], [(1 + rng.below(3), 1 + rng.below(2)) for _ in range(vouchers)]


def uses(price, pay, free):
    """Ways to use a voucher: the pizzas it takes, and the value of the free ones."""
    best = {}
    for paid in combinations(range(len(price)), pay):
        limit = min(price[i] for i in paid)
        rest = [i for i in range(len(price)) if i not in paid and price[i] <= limit]
        for count in range(1, free + 1):
            for got in combinations(rest, count):
                mask = sum(1 << i for i in paid + got)
                best[mask] = max(best.get(mask, 0), sum(price[i] for i in got))
    return list(best.items())


def optimum(n, vouchers, seed):
    price, offers = data(n, vouchers, seed)
    values = {0: 0}
    for pay, free in offers:
        ways = uses(price, pay, free)
        after = dict(values)
        for mask, value in values.items():
            for taken, gain in ways:
                if not mask & taken and value + gain > after.get(mask | taken, -1):
                    after[mask | taken] = value + gain
        values = after
    return sum(price) - max(values.values())


def main():
    for name in sys.argv[1:] or [n for n in SET if n.startswith("pizza")]:
        print(name, optimum(*SET[name][1:]))


if __name__ == "__main__":
    main()
