"""The problems of the set, from their textbook statements (CSPLib numbers where there is one)."""
from itertools import combinations, product

from model import Model, Random, words


# ---- designs ----

def bibd(goal, v, b, r, k, lam):
    """Balanced incomplete block design (28): v objects in b blocks, rows and columns ordered."""
    m = Model(goal)
    x = m.array("x", v * b, 0, 1)
    rows = [x[i * b:(i + 1) * b] for i in range(v)]
    for row in rows:
        m.linear([1] * b, row, "eq", r)
    for column in zip(*rows):
        m.linear([1] * v, column, "eq", k)
    for one, other in combinations(rows, 2):
        terms = words(f"mul({a},{c})" for a, c in zip(one, other))
        m.xml(f"<sum><list> {terms} </list><condition> (eq,{lam}) </condition></sum>")
        m.flat_linear([1] * b, [m.product(a, c) for a, c in zip(one, other)], "eq", lam)
    m.lex_matrix(rows)
    return m


def steiner(goal, n):
    """Steiner triples (44): triples of 1..n, any two with at most one element in common."""
    m = Model(goal)
    t = n * (n - 1) // 6
    x = m.array("x", 3 * t, 1, n)
    triples = [x[3 * i:3 * i + 3] for i in range(t)]
    for a in triples:
        for left, right in zip(a, a[1:]):
            m.xml(f"<intension> lt({left},{right}) </intension>")
            m.flat_linear([1, -1], [left, right], "lt", 0)
    m.lex(triples, strict=True)
    for a, b in combinations(triples, 2):
        terms = words(f"eq({p},{q})" for p in a for q in b)
        m.xml(f"<sum><list> {terms} </list><condition> (le,1) </condition></sum>")
        m.flat_linear([1] * 9, [m.to_int(m.equal(p, q)) for p in a for q in b], "le", 1)
    return m


def golfers(goal, groups, size, weeks):
    """Social golfers (10): no two play together twice; the first week is given."""
    m = Model(goal)
    n = groups * size
    x = m.array("x", weeks * n, 0, groups - 1)
    week = [x[w * n:(w + 1) * n] for w in range(weeks)]
    for w in week:
        m.cardinality(w, range(groups), size, size)
    m.xml(f"<instantiation><list> {words(week[0])} </list>"
          f"<values> {words(p // size for p in range(n))} </values></instantiation>")
    for p in range(n):
        m.fzn("int_eq", week[0][p], p // size)
    for w in range(1, weeks):
        for p in range(size):
            m.xml(f"<intension> eq({week[w][p]},{p}) </intension>" if p < groups else "")
            if p < groups:
                m.fzn("int_eq", week[w][p], p)
    for p, q in combinations(range(n), 2):
        terms = words(f"eq({w[p]},{w[q]})" for w in week)
        m.xml(f"<sum><list> {terms} </list><condition> (le,1) </condition></sum>")
        m.flat_linear([1] * weeks, [m.to_int(m.equal(w[p], w[q])) for w in week], "le", 1)
    m.lex(week, strict=True)
    return m


# ---- arrangements ----

def langford(goal, k, n):
    """Langford's number problem (24): k copies of 1..n, copies of i at distance i + 1."""
    m = Model(goal)
    x = m.array("x", k * n, 0, k * n - 1)
    m.all_different(x)
    for i in range(n):
        for j in range(k - 1):
            a, b = x[i * k + j], x[i * k + j + 1]
            m.xml(f"<intension> eq({b},add({a},{i + 2})) </intension>")
            m.flat_linear([1, -1], [b, a], "eq", i + 2)
    return m


def tiling(goal, rows, columns, colours, seed):
    """Edge matching: square pieces that may be turned; 0 is the border's colour."""
    m = Model(goal)
    rng = Random(seed)
    across = [[0] * (columns + 1) for _ in range(rows)]
    down = [[0] * columns for _ in range(rows + 1)]
    for r in range(rows):
        for c in range(1, columns):
            across[r][c] = 1 + rng.below(colours)
    for r in range(1, rows):
        for c in range(columns):
            down[r][c] = 1 + rng.below(colours)
    pieces = [(down[r][c], across[r][c + 1], down[r + 1][c], across[r][c])
              for r in range(rows) for c in range(columns)]
    rng.shuffle(pieces)
    turned = sorted({(i, *(p[(s + t) % 4] for s in range(4)))
                     for i, p in enumerate(pieces) for t in range(4)})
    n = rows * columns
    x = m.array("x", n, 0, n - 1)
    v = m.array("v", rows * (columns + 1), 0, colours)
    h = m.array("h", (rows + 1) * columns, 0, colours)
    m.all_different(x)
    m.tables_of([(x[r * columns + c], h[r * columns + c], v[r * (columns + 1) + c + 1],
                  h[(r + 1) * columns + c], v[r * (columns + 1) + c])
                 for r in range(rows) for c in range(columns)], turned)
    edge = h[:columns] + h[rows * columns:]
    edge += [v[r * (columns + 1) + c] for r in range(rows) for c in (0, columns)]
    m.xml(f"<instantiation><list> {words(edge)} </list><values> {words([0] * len(edge))} </values>"
          "</instantiation>")
    for e in edge:
        m.fzn("int_eq", e, 0)
    return m


def board_coloration(rows, columns):
    """No rectangle with four corners of one colour; as few colours as possible."""
    m = Model()
    most = 4
    x = m.array("x", rows * columns, 0, most)
    for a, b in combinations(range(rows), 2):
        for c, d in combinations(range(columns), 2):
            corners = [x[a * columns + c], x[a * columns + d], x[b * columns + c], x[b * columns + d]]
            m.xml(f"<nValues><list> {words(corners)} </list><condition> (gt,1) </condition></nValues>")
            m.clause([], [m.equal(corners[0], other) for other in corners[1:]])
    m.precedence(x, range(most + 1))
    z = m.aux(0, most)
    m.fzn("array_int_maximum", z, x)
    m.optimise("min", f'<minimize type="maximum"> {words(x)} </minimize>', z)
    return m


def queen_attacking(n):
    """Prime queen attacking (29): a knight's walk through all cells, primes off the queen's lines."""
    m = Model()
    cells = [(i // n, i % n) for i in range(n * n)]
    x = m.array("x", n * n, 0, n * n - 1)
    q = m.var("q", 0, n * n - 1)
    primes = [p for p in range(2, n * n + 1) if all(p % d for d in range(2, p))]
    free = m.array("b", len(primes), 0, 1)
    m.all_different(x)
    knight = [(i, j) for i, j in product(range(n * n), repeat=2)
              if sorted((abs(cells[i][0] - cells[j][0]), abs(cells[i][1] - cells[j][1]))) == [1, 2]]
    m.tables_of([(x[i], x[i + 1]) for i in range(n * n - 1)], knight)

    def attacks(i, j):
        (a, b), (c, d) = cells[i], cells[j]
        return i != j and (a == c or b == d or abs(a - c) == abs(b - d))

    m.tables_of([(q, x[p - 1], f) for p, f in zip(primes, free)],
                [(i, j, int(not attacks(i, j))) for i, j in product(range(n * n), repeat=2)])
    z = m.aux(0, len(primes))
    m.flat_linear([1] * len(primes), free, "eq", z)
    m.optimise("min", f'<minimize type="sum"> {words(free)} </minimize>', z)
    return m


def golomb(n, most):
    """Golomb ruler (6)."""
    m = Model()
    x = m.array("x", n, 0, most)
    m.xml(f"<intension> eq({x[0]},0) </intension>")
    m.fzn("int_eq", x[0], 0)
    m.xml(f"<ordered><list> {words(x)} </list><operator> lt </operator></ordered>")
    for a, b in zip(x, x[1:]):
        m.flat_linear([1, -1], [a, b], "lt", 0)
    pairs = list(combinations(x, 2))
    m.xml(f"<allDifferent> {words(f'sub({b},{a})' for a, b in pairs)} </allDifferent>")
    gaps = []
    for a, b in pairs:
        gaps.append(m.aux(1, most))
        m.flat_linear([1, -1, -1], [b, a, gaps[-1]], "eq", 0)
    m.fzn("all_different_int", gaps)
    m.optimise("min", x[-1], x[-1])
    return m


# ---- numbers ----

def market_split(goal, rows, n, seed, feasible):
    """Market split: 0/1 equations with coefficients below 100."""
    m = Model(goal)
    rng = Random(seed)
    x = m.array("x", n, 0, 1)
    wanted = [rng.below(2) for _ in range(n)]
    for _ in range(rows):
        a = [rng.below(100) for _ in range(n)]
        rhs = sum(c for c, w in zip(a, wanted) if w) if feasible else sum(a) // 2
        m.linear(a, x, "eq", rhs)
    return m


def bin_packing(n, capacity, low, high, seed):
    """Items into as few bins as possible."""
    m = Model()
    rng = Random(seed)
    sizes = sorted((low + rng.below(high - low + 1) for _ in range(n)), reverse=True)
    bins, room = [], capacity
    for s in sizes:  # first fit, for an upper bound
        at = next((i for i, free in enumerate(bins) if free >= s), None)
        if at is None:
            bins.append(room - s)
        else:
            bins[at] -= s
    most = len(bins)
    x = m.array("x", n, 0, most - 1)
    m.bin_limits(x, sizes, most, capacity)
    m.precedence(x, range(most))
    z = m.aux(0, most)
    m.fzn("nvalue", z, x)
    m.optimise("min", f'<minimize type="nValues"> {words(x)} </minimize>', z)
    return m


def open_stacks(products, orders, seed):
    """Minimum number of open stacks: an order is open from its first product to its last."""
    m = Model()
    rng = Random(seed)
    wanted = []
    for _ in range(orders):
        items = list(range(products))
        rng.shuffle(items)
        wanted.append(sorted(items[:2 + rng.below(3)]))
    s = m.array("s", products, 0, products - 1)
    m.all_different(s)
    first = m.array("f", orders, 0, products - 1)
    last = m.array("l", orders, 0, products - 1)
    z = m.var("z", 0, orders)
    for o in range(orders):
        m.minimum([s[p] for p in wanted[o]], first[o])
        m.maximum([s[p] for p in wanted[o]], last[o])
    for t in range(products):
        terms = words(f"and(le({f},{t}),ge({e},{t}))" for f, e in zip(first, last))
        m.xml(f"<sum><list> {terms} </list><condition> (le,z) </condition></sum>")
        flags = []
        for f, e in zip(first, last):
            both = m.aux_bool()
            m.fzn("array_bool_and", [m.at_most(f, t), m.at_most(t, e)], both)
            flags.append(m.to_int(both))
        m.flat_linear([1] * orders, flags, "le", z)
    m.optimise("min", z, z)
    return m


def sonet(nodes, rings, capacity, demands, seed):
    """SONET rings (56): each demand on one ring, as few add-drop multiplexers as possible."""
    m = Model()
    rng = Random(seed)
    pairs = list(combinations(range(nodes), 2))
    rng.shuffle(pairs)
    x = m.array("x", rings * nodes, 0, 1)
    ring = [x[r * nodes:(r + 1) * nodes] for r in range(rings)]
    for i, j in pairs[:demands]:
        m.xml(f"<intension> or({','.join(f'and({r[i]},{r[j]})' for r in ring)}) </intension>")
        m.flat_linear([1] * rings, [m.product(r[i], r[j]) for r in ring], "ge", 1)
    for r in ring:
        m.linear([1] * nodes, r, "le", capacity)
    m.lex(ring)
    z = m.aux(0, rings * nodes)
    m.flat_linear([1] * len(x), x, "eq", z)
    m.optimise("min", f'<minimize type="sum"> {words(x)} </minimize>', z)
    return m


def bacp(courses, periods, seed):
    """Balanced academic curriculum (30): prerequisites, courses per period, least largest load."""
    m = Model()
    rng = Random(seed)
    credits = [1 + rng.below(5) for _ in range(courses)]
    before = set()
    while len(before) < courses // 2:
        a, b = rng.below(courses), rng.below(courses)
        if a < b:
            before.add((a, b))
    x = m.array("x", courses, 0, periods - 1)
    loads = m.array("load", periods, 0, sum(credits))
    m.bin_packing(x, credits, loads)
    each = courses // periods
    m.cardinality(x, range(periods), max(1, each - 1), each + 2)
    for a, b in sorted(before):
        m.xml(f"<intension> lt({x[a]},{x[b]}) </intension>")
        m.flat_linear([1, -1], [x[a], x[b]], "lt", 0)
    z = m.aux(0, sum(credits))
    m.fzn("array_int_maximum", z, loads)
    m.optimise("min", f'<minimize type="maximum"> {words(loads)} </minimize>', z)
    return m


def pizza(n, vouchers, seed):
    """Pizza vouchers: voucher (a, b): pay a pizzas, get b that are no dearer than any of them."""
    m = Model()
    rng = Random(seed)
    price = [10 + rng.below(90) for _ in range(n)]
    offers = [(1 + rng.below(3), 1 + rng.below(2)) for _ in range(vouchers)]
    # v = 0: paid alone; -k: paid for voucher k; k: free by voucher k
    v = m.array("v", n, -vouchers, vouchers)
    paid = m.array("p", n, 0, max(price))
    for i in range(n):
        m.table([v[i], paid[i]], [(k, 0 if k > 0 else price[i]) for k in range(-vouchers, vouchers + 1)])
    for k, (pay, free) in enumerate(offers, 1):
        m.xml(f"<count><list> {words(v)} </list><values> {-k} </values><condition> (in,0..{pay}) </condition></count>"
              f"<count><list> {words(v)} </list><values> {k} </values><condition> (le,{free}) </condition></count>"
              f"<intension> imp(gt(add({','.join(f'eq({c},{k})' for c in v)}),0),"
              f"eq(add({','.join(f'eq({c},{-k})' for c in v)}),{pay})) </intension>")
        bought, got = m.aux(0, pay), m.aux(0, free)
        m.fzn("count", v, -k, bought)
        m.fzn("count", v, k, got)
        m.clause([m.at_most(got, 0), m.equal(bought, pay)])
        for i, j in product(range(n), repeat=2):
            if price[i] < price[j]:  # i paid for k, j free by k: not allowed
                m.xml(f"<intension> or(ne({v[i]},{-k}),ne({v[j]},{k})) </intension>")
                m.clause([], [m.equal(v[i], -k), m.equal(v[j], k)])
    z = m.aux(0, sum(price))
    m.flat_linear([1] * n, paid, "eq", z)
    m.optimise("min", f'<minimize type="sum"> {words(paid)} </minimize>', z)
    return m


# ---- the set ----

SET = {
    "bibd-6-10-5-3-2": (bibd, "count", 6, 10, 5, 3, 2),
    "bibd-7-7-3-3-1": (bibd, "count", 7, 7, 3, 3, 1),
    "bibd-6-20-10-3-4": (bibd, "count", 6, 20, 10, 3, 4),
    "bibd-7-14-6-3-2": (bibd, "count", 7, 14, 6, 3, 2),
    "bibd-9-12-4-3-1": (bibd, "count", 9, 12, 4, 3, 1),
    "bibd-8-14-7-4-3": (bibd, "first", 8, 14, 7, 4, 3),
    "bibd-11-11-5-5-2": (bibd, "first", 11, 11, 5, 5, 2),
    "bibd-13-13-4-4-1": (bibd, "first", 13, 13, 4, 4, 1),
    "bibd-9-24-8-3-2": (bibd, "first", 9, 24, 8, 3, 2),
    "steiner-7": (steiner, "count", 7),
    "steiner-9": (steiner, "count", 9),
    "steiner-13": (steiner, "first", 13),
    "golfers-3-2-5": (golfers, "count", 3, 2, 5),
    "golfers-3-3-4": (golfers, "count", 3, 3, 4),
    "golfers-3-3-5": (golfers, "count", 3, 3, 5),
    "golfers-4-2-4": (golfers, "count", 4, 2, 4),
    "golfers-4-3-3": (golfers, "first", 4, 3, 3),
    "golfers-4-4-4": (golfers, "first", 4, 4, 4),
    "golfers-5-3-5": (golfers, "first", 5, 3, 5),
    "langford-2-7": (langford, "count", 2, 7),
    "langford-2-8": (langford, "count", 2, 8),
    "langford-2-9": (langford, "count", 2, 9),
    "langford-2-10": (langford, "count", 2, 10),
    "langford-3-9": (langford, "count", 3, 9),
    "langford-3-10": (langford, "count", 3, 10),
    "langford-2-16": (langford, "first", 2, 16),
    "tiling-3-3-3": (tiling, "count", 3, 3, 3, 1),
    "tiling-4-4-3": (tiling, "count", 4, 4, 3, 2),
    "tiling-4-4-4": (tiling, "count", 4, 4, 4, 3),
    "tiling-5-4-3": (tiling, "count", 5, 4, 3, 4),
    "tiling-5-5-4": (tiling, "count", 5, 5, 4, 5),
    "tiling-6-6-6": (tiling, "first", 6, 6, 6, 6),
    "market-2-20": (market_split, "count", 2, 20, 1, True),
    "market-3-20": (market_split, "count", 3, 20, 2, True),
    "market-3-22": (market_split, "count", 3, 22, 3, False),
    "market-4-24": (market_split, "count", 4, 24, 4, False),
    "market-4-26": (market_split, "first", 4, 26, 5, True),
    "packing-12": (bin_packing, 12, 100, 20, 70, 1),
    "packing-16": (bin_packing, 16, 100, 20, 60, 2),
    "packing-20": (bin_packing, 20, 100, 15, 50, 3),
    "packing-24": (bin_packing, 24, 120, 20, 60, 4),
    "packing-30": (bin_packing, 30, 150, 20, 70, 5),
    "stacks-8": (open_stacks, 8, 8, 1),
    "stacks-10": (open_stacks, 10, 8, 2),
    "stacks-10b": (open_stacks, 10, 10, 3),
    "stacks-12": (open_stacks, 12, 10, 4),
    "stacks-15": (open_stacks, 15, 12, 5),
    "sonet-5": (sonet, 5, 3, 3, 6, 1),
    "sonet-6": (sonet, 6, 4, 3, 8, 2),
    "sonet-7": (sonet, 7, 4, 4, 9, 3),
    "sonet-8": (sonet, 8, 4, 5, 12, 4),
    "bacp-12": (bacp, 12, 3, 1),
    "bacp-20": (bacp, 20, 5, 2),
    "bacp-30": (bacp, 30, 6, 3),
    "bacp-42": (bacp, 42, 8, 4),
    "pizza-6": (pizza, 6, 3, 1),
    "pizza-8": (pizza, 8, 4, 2),
    "pizza-10": (pizza, 10, 5, 3),
    "pizza-12": (pizza, 12, 6, 4),
    "queen-5": (queen_attacking, 5),
    "queen-6": (queen_attacking, 6),
    "queen-7": (queen_attacking, 7),
    "board-4-4": (board_coloration, 4, 4),
    "board-5-6": (board_coloration, 5, 6),
    "board-7-7": (board_coloration, 7, 7),
    "board-8-8": (board_coloration, 8, 8),
    "board-9-9": (board_coloration, 9, 9),
    "golomb-7": (golomb, 7, 40),
    "golomb-8": (golomb, 8, 50),
    "golomb-9": (golomb, 9, 60),
}


def make(name):
    maker, *args = SET[name]
    return maker(*args)
