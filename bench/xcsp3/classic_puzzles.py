"""Puzzles, sequences and designs: all solutions are counted, or one is sought."""
from itertools import combinations, product

from model import Random, words
from writer import array, array_of, block, different, element, group, intension, minimise, model, table, total


def queens(n):
    return (array("q", n, domain=f"0..{n - 1}"),
            [different("q[]"), different(words(f"add(q[{i}],{i})" for i in range(n))),
             different(words(f"sub(q[{i}],{i})" for i in range(n)))])


for n, count in ((8, 92), (10, 724)):
    model(f"queens-{n}", "count", count)(lambda n=n: queens(n))


def all_interval(n):
    return (array("x", n, domain=f"0..{n - 1}") + array("y", n - 1, domain=f"1..{n - 1}"),
            [different("x[]"), different("y[]"),
             group(intension("eq(%0,dist(%1,%2))"), [f"y[{i}] x[{i}] x[{i + 1}]" for i in range(n - 1)])])


for n, count in ((8, 40), (10, 296), (12, 1328)):
    model(f"all-interval-{n}", "count", count)(lambda n=n: all_interval(n))


def magic_sequence(n):
    return (array("x", n, domain=f"0..{n - 1}"),
            [f"<cardinality><list> x[] </list><values> 0..{n - 1} </values><occurs> x[] </occurs></cardinality>",
             block(total("x[]", f"eq,{n}"), total("x[]", "eq,0", range(-1, n - 1)))])


for n in (10, 30):
    model(f"magic-sequence-{n}", "count", 1)(lambda n=n: magic_sequence(n))


def magic_square(n):
    goal = n * (n * n + 1) // 2
    return (array("x", n, n, domain=f"1..{n * n}"),
            [different("x[][]")] + [total(f"x[{i}][]", f"eq,{goal}") for i in range(n)]
            + [total(f"x[][{i}]", f"eq,{goal}") for i in range(n)]
            + [total(words(f"x[{i}][{i}]" for i in range(n)), f"eq,{goal}"),
               total(words(f"x[{i}][{n - 1 - i}]" for i in range(n)), f"eq,{goal}")])


model("magic-square-3", "count", 8)(lambda: magic_square(3))
model("magic-square-4", "count", 7040)(lambda: magic_square(4))
model("magic-square-6", "first", "sat")(lambda: magic_square(6))


@model("send-more-money", "count", 1)
def send_more_money():
    return (array("x", 26, domain="0..9"),
            [different(words(f"x[{ord(c) - 97}]" for c in "sendmory")),
             group(intension("ne(%0,0)"), ["x[18]", "x[12]"]),
             total(words(f"x[{ord(c) - 97}]" for c in "sendmoremoney"), "eq,0",
                   [1000, 100, 10, 1, 1000, 100, 10, 1, -10000, -1000, -100, -10, -1])])


@model("zebra", "count", 1)
def zebra():
    names = "colour nation pet drink trade".split()
    red, green, ivory, yellow, blue = (f"colour[{i}]" for i in range(5))
    england, spain, ukraine, norway, japan = (f"nation[{i}]" for i in range(5))
    dog, snails, fox, horse, striped = (f"pet[{i}]" for i in range(5))
    coffee, tea, milk, juice, water = (f"drink[{i}]" for i in range(5))
    smith, tailor, cook, judge, piper = (f"trade[{i}]" for i in range(5))
    same = [(england, red), (spain, dog), (coffee, green), (ukraine, tea), (smith, snails), (tailor, yellow),
            (judge, juice), (japan, piper), (milk, 2), (norway, 0)]
    near = [(cook, fox), (tailor, horse), (norway, blue)]
    return ("".join(array(n, 5, domain="0..4") for n in names),
            [group(different("%..."), [f"{n}[]" for n in names]),
             group(intension("eq(%0,%1)"), [f"{a} {b}" for a, b in same]),
             group(intension("eq(dist(%0,%1),1)"), [f"{a} {b}" for a, b in near]),
             intension(f"eq({green},add({ivory},1))"),
             group(intension("ge(%0,0)"), [striped, water])])


SUDOKU = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"


@model("sudoku-17", "count", 1)
def sudoku():
    clues = [(i, c) for i, c in enumerate(SUDOKU) if c != "."]
    blocks = [words(f"x[{3 * a + i}][{3 * b + j}]" for i in range(3) for j in range(3))
              for a in range(3) for b in range(3)]
    return (array("x", 9, 9, domain="1..9"),
            ["<allDifferent><matrix> x[][] </matrix></allDifferent>", group(different("%..."), blocks),
             f"<instantiation><list> {words(f'x[{i // 9}][{i % 9}]' for i, _ in clues)} </list>"
             f"<values> {words(c for _, c in clues)} </values></instantiation>"])


def quasigroup(kind, n):
    cells = list(product(range(n), repeat=2))
    first = "<allDifferent><matrix> x[][] </matrix></allDifferent>"
    if kind == 3:  # x[x[i][j]][x[j][i]] = i
        parts = [f"<element><matrix> x[][] </matrix><index> x[{i}][{j}] x[{j}][{i}] </index><value> {i} </value></element>"
                 for i, j in cells]
    else:  # x[x[x[j][i]][j]][j] = i
        parts = []
        for i, j in cells:
            parts.append(element(f"x[][{j}]", f"x[{j}][{i}]", f"y[{i}][{j}]"))
            parts.append(element(f"x[][{j}]", f"y[{i}][{j}]", i))
    extra = array("y", n, n, domain=f"0..{n - 1}") if kind == 5 else ""
    return (array("x", n, n, domain=f"0..{n - 1}") + extra,
            [first, group(intension("eq(%0,%1)"), [f"x[{i}][{i}] {i}" for i in range(n)])] + parts)


model("quasigroup-3-5", "count")(lambda: quasigroup(3, 5))
model("quasigroup-5-7", "count")(lambda: quasigroup(5, 7))
model("quasigroup-3-8", "first")(lambda: quasigroup(3, 8))


def de_bruijn(b, n):
    m = b**n
    return (array("x", m, domain=f"0..{m - 1}") + array("d", m, n, domain=f"0..{b - 1}"),
            [different("x[]")]
            + [total(f"d[{i}][]", f"eq,x[{i}]", [b**(n - 1 - j) for j in range(n)]) for i in range(m)]
            + [group(intension("eq(%0,%1)"), [f"d[{i}][{j}] d[{(i + 1) % m}][{j - 1}]"
                                              for i in range(m) for j in range(1, n)]),
               block("<minimum><list> x[] </list><condition> (eq,x[0]) </condition></minimum>")])


model("de-bruijn-2-5", "count", 2048)(lambda: de_bruijn(2, 5))
model("de-bruijn-2-4", "count", 16)(lambda: de_bruijn(2, 4))


def schur(n, d):
    return (array("x", n, domain=f"0..{d - 1}"),
            [group("<nValues><list> %0 %1 %2 </list><condition> (gt,1) </condition></nValues>",
                   [f"x[{i - 1}] x[{j - 1}] x[{i + j - 1}]" for i in range(1, n + 1)
                    for j in range(i, n + 1) if i + j <= n])])


model("schur-13-3", "count", 18)(lambda: schur(13, 3))
model("schur-14-3", "count", 0)(lambda: schur(14, 3))
model("schur-44-4", "first", "sat")(lambda: schur(44, 4))


def graceful(k, p):
    """The product of a clique of k and a path of p nodes."""
    nodes = [(i, j) for i in range(p) for j in range(k)]
    edges = ([((i, a), (i, b)) for i in range(p) for a, b in combinations(range(k), 2)]
             + [((i, a), (i + 1, a)) for i in range(p - 1) for a in range(k)])
    m = len(edges)
    return (array("x", len(nodes), domain=f"0..{m}") + array("e", m, domain=f"1..{m}"),
            [different("x[]"), different("e[]"),
             group(intension("eq(%0,dist(%1,%2))"),
                   [f"e[{i}] x[{nodes.index(a)}] x[{nodes.index(b)}]" for i, (a, b) in enumerate(edges)])])


model("graceful-3-2", "count")(lambda: graceful(3, 2))
model("graceful-4-2", "first", "sat")(lambda: graceful(4, 2))


@model("dominoes", "count")
def dominoes():
    """A grid in which the 28 tiles of a set of dominoes lie; each tile's place is sought."""
    rng = Random(7)
    rows, columns = 7, 8
    tiles = [(a, b) for a in range(7) for b in range(a, 7)]
    rng.shuffle(tiles)
    grid = [[None] * columns for _ in range(rows)]
    at = 0
    for i in range(0, rows - 1, 2):
        for j in range(columns):
            grid[i][j], grid[i + 1][j] = tiles[at]
            at += 1
    for j in range(0, columns, 2):
        grid[rows - 1][j], grid[rows - 1][j + 1] = tiles[at]
        at += 1
    places = {}
    for i, j in product(range(rows), range(columns)):
        for di, dj in ((0, 1), (1, 0)):
            if i + di < rows and j + dj < columns:
                pair = tuple(sorted((grid[i][j], grid[i + di][j + dj])))
                places.setdefault(pair, []).append((i * columns + j, (i + di) * columns + j + dj))
    keys = sorted(places)
    return (array("x", len(keys), domain=f"0..{rows * columns - 1}") + array("y", len(keys),
                                                                             domain=f"0..{rows * columns - 1}"),
            [different("x[] y[]")] + [table(f"x[{k}] y[{k}]", places[key]) for k, key in enumerate(keys)])


@model("labelled-dice", "count", 48)
def labelled_dice():
    names = ("buoy cave celt flub fork hemp judy junk limn quip swag visa".split())
    letters = sorted(set("".join(names)))
    return (array("x", len(letters), domain="1..4"),
            [group(different("%..."), [words(f"x[{letters.index(c)}]" for c in w) for w in names]),
             "<cardinality><list> x[] </list><values> 1 2 3 4 </values><occurs> 6 6 6 6 </occurs></cardinality>"])


def steiner_all(n):
    t = n * (n - 1) // 6
    rows = list(combinations(range(1, n + 1), 3))
    pairs = [(a, b) for a in range(len(rows)) for b in range(len(rows))
             if len(set(rows[a]) & set(rows[b])) <= 1]
    return (array("x", t, domain=f"0..{len(rows) - 1}"),
            [group(table("%0 %1", pairs), [f"x[{i}] x[{j}]" for i, j in combinations(range(t), 2)])])


model("steiner-all-7", "count", 151200)(lambda: steiner_all(7))


@model("traffic-lights", "count", 4)
def traffic_lights():
    """A light for cars and one for walkers at each arm of a crossing; neighbours take turns."""
    rows = [("r", "r", "g", "g"), ("ry", "r", "y", "r"), ("g", "g", "r", "r"), ("y", "r", "ry", "r")]
    return ('<array id="v" size="[4]" type="symbolic"> r ry g y </array>'
            '<array id="p" size="[4]" type="symbolic"> r g </array>',
            [group(table("%0 %1 %2 %3", rows), [f"v[{i}] p[{i}] v[{(i + 1) % 4}] p[{(i + 1) % 4}]" for i in range(4)])])


def blackhole(layers, ranks, seed):
    """Cards in piles of layers; all go to one pile, each next to the rank before it."""
    rng = Random(seed)
    suits = 4
    cards = list(range(1, suits * ranks))
    rng.shuffle(cards)
    piles = [cards[i:i + layers] for i in range(0, len(cards), layers)]
    n = suits * ranks
    rows = [(a, b) for a in range(n) for b in range(n)
            if a != b and (a % ranks - b % ranks) % ranks in (1, ranks - 1)]
    return (array("x", n, domain=f"0..{n - 1}") + array("y", n, domain=f"0..{n - 1}"),
            ["<channel><list> x[] </list><list> y[] </list></channel>", intension("eq(y[0],0)"),
             group(intension("lt(%0,%1)"), [f"y[{a}] y[{b}]" for p in piles for a, b in zip(p, p[1:])]),
             f"<slide><list> x[] </list>{table('%0 %1', rows)}</slide>"])


model("blackhole-3-4", "count")(lambda: blackhole(3, 4, 5))
model("blackhole-3-13", "first")(lambda: blackhole(3, 13, 3))


def crossword(rows, columns, count, seed):
    """Words of letters 0..7, made from a filled grid and as many again."""
    rng = Random(seed)
    filled = [[rng.below(5) for _ in range(columns)] for _ in range(rows)]
    across = {tuple(r) for r in filled} | {tuple(rng.below(5) for _ in range(columns)) for _ in range(count)}
    down = {tuple(c) for c in zip(*filled)} | {tuple(rng.below(5) for _ in range(rows)) for _ in range(count)}
    return (array("x", rows, columns, domain="0..4"),
            [group(table(words(f"%{j}" for j in range(columns)), sorted(across)), [f"x[{i}][]" for i in range(rows)]),
             group(table(words(f"%{i}" for i in range(rows)), sorted(down)), [f"x[][{j}]" for j in range(columns)]),
             "<allDifferent>" + "".join(f"<list> x[{i}][] </list>" for i in range(rows)) + "</allDifferent>"])


model("crossword-5-6", "count")(lambda: crossword(5, 6, 150, 2))


def nonogram(n, seed):
    rng = Random(seed)
    grid = [[int(rng.below(100) < 58) for _ in range(n)] for _ in range(n)]

    def runs(line):
        out, length = [], 0
        for c in list(line) + [0]:
            if c:
                length += 1
            elif length:
                out.append(length)
                length = 0
        return out

    def regular(scope, blocks):
        edges, state = [("q0", 0, "q0")], 0
        for k, length in enumerate(blocks):
            for _ in range(length):
                edges.append((f"q{state}", 1, f"q{state + 1}"))
                state += 1
            if k + 1 < len(blocks):
                edges.append((f"q{state}", 0, f"q{state + 1}"))
                state += 1
            edges.append((f"q{state}", 0, f"q{state}"))
        text = "".join(f"({a},{v},{b})" for a, v, b in sorted(set(edges)))
        return (f"<regular><list> {scope} </list><transitions> {text} </transitions>"
                f"<start> q0 </start><final> q{state} </final></regular>")
    return (array("x", n, n, domain="0 1"),
            [regular(f"x[{i}][]", runs(grid[i])) for i in range(n)]
            + [regular(f"x[][{j}]", runs([row[j] for row in grid])) for j in range(n)])


model("nonogram-20", "count")(lambda: nonogram(20, 4))


def kakuro(n, seed):
    """A full grid of different digits by row and column, given the sums."""
    rng = Random(seed)
    base = list(range(1, 10))
    rng.shuffle(base)
    grid = [[base[(i + j * 2) % 9] if n > 4 else base[(i * 2 + j) % 9] for j in range(n)] for i in range(n)]
    return (array("x", n, n, domain="1..9"),
            [total(f"x[{i}][]", f"eq,{sum(grid[i])}") for i in range(n)]
            + [total(f"x[][{j}]", f"eq,{sum(r[j] for r in grid)}") for j in range(n)]
            + ["<allDifferent><matrix> x[][] </matrix></allDifferent>"])


model("kakuro-3", "count")(lambda: kakuro(3, 1))
model("kakuro-4", "count")(lambda: kakuro(4, 1))


def knights_tour(n):
    moves = [[(i + a) * n + j + b for a, b in ((1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1))
              if 0 <= i + a < n and 0 <= j + b < n] for i in range(n) for j in range(n)]
    return array_of("x", n * n, [words(m) for m in moves]), ["<circuit> x[] </circuit>"]


model("knights-6", "first", "sat")(lambda: knights_tour(6))
model("knights-8", "first", "sat")(lambda: knights_tour(8))


def knights_steps(n):
    return (array("x", n * n, domain=f"0..{n * n - 1}"),
            [different("x[]"), block(intension("eq(x[0],0)"))]
            + [group(table("%0 %1", [(i * n + j, (i + a) * n + j + b) for i in range(n) for j in range(n)
                                     for a, b in ((1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2,
                                                                                                                 -1))
                                     if 0 <= i + a < n and 0 <= j + b < n]),
                     [f"x[{i}] x[{i + 1}]" for i in range(n * n - 1)])])


model("knights-steps-5", "count", 304)(lambda: knights_steps(5))
model("knights-steps-6", "first", "sat")(lambda: knights_steps(6))


def langford_binary(n):
    positions = [(i, j, j + i + 1) for i in range(1, n + 1) for j in range(2 * n - i - 1)]
    return (array("x", len(positions), domain="0 1"),
            [total(words(f"x[{k}]" for k, p in enumerate(positions) if p[0] == i), "eq,1") for i in range(1, n + 1)]
            + [total(words(f"x[{k}]" for k, p in enumerate(positions) if s in p[1:]), "eq,1") for s in range(2 * n)])


model("langford-binary-8", "count", 300)(lambda: langford_binary(8))


def sports(n):
    """Round robin (26) with periods: matches by number, in n/2 periods of n-1 weeks."""
    matches = list(combinations(range(n), 2))
    p, w = n // 2, n - 1
    return (array("h", p, w, domain=f"0..{n - 1}") + array("a", p, w, domain=f"0..{n - 1}")
            + array("m", p, w, domain=f"0..{len(matches) - 1}"),
            [different("m[][]"),
             group(table("%0 %1 %2", [(a, b, k) for k, (a, b) in enumerate(matches)]),
                   [f"h[{i}][{j}] a[{i}][{j}] m[{i}][{j}]" for i in range(p) for j in range(w)]),
             group(different("%..."), [f"h[][{j}] a[][{j}]" for j in range(w)]),
             group(f"<cardinality><list> %... </list><values> {words(range(n))} </values>"
                   f"<occurs> {words(['1..2'] * n)} </occurs></cardinality>",
                   [f"h[{i}][] a[{i}][]" for i in range(p)]),
             block(f"<instantiation><list> m[][0] </list><values> "
                   f"{words(matches.index((2 * i, 2 * i + 1)) for i in range(p))} </values></instantiation>")])


model("sports-8", "first", "sat")(lambda: sports(8))
model("sports-10", "first", "sat")(lambda: sports(10))


def colour(n, edges_percent, k, seed):
    rng = Random(seed)
    edges = [(a, b) for a, b in combinations(range(n), 2) if rng.below(100) < edges_percent]
    return (array("x", n, domain=f"0..{k - 1}"),
            [group(intension("ne(%0,%1)"), [f"x[{a}] x[{b}]" for a, b in edges])],
            minimise("x[]", "maximum"))


model("colouring-40", "min")(lambda: colour(40, 30, 12, 3))
model("colouring-50", "min")(lambda: colour(50, 35, 14, 9))


def pigeons(n):
    return array("p", n, domain=f"0..{n - 2}"), [group(intension("ne(%0,%1)"), [f"p[{a}] p[{b}]" for a,
                                                                                b in combinations(range(n), 2)])]


model("pigeons-9", "count", 0)(lambda: pigeons(9))
model("pigeons-all-different-20", "count", 0)(lambda: (array("p", 20, domain="0..18"), [different("p[]")]))


def subisomorphism(n, m, seed):
    rng = Random(seed)
    target = {(a, b) for a, b in combinations(range(m), 2) if rng.below(100) < 35}
    chosen = list(range(m))
    rng.shuffle(chosen)
    chosen = chosen[:n]
    pattern = [(i, j) for i, j in combinations(range(n), 2)
               if tuple(sorted((chosen[i], chosen[j]))) in target]
    both = sorted(target | {(b, a) for a, b in target})
    return (array("x", n, domain=f"0..{m - 1}"),
            [different("x[]"), group(table("%0 %1", both), [f"x[{i}] x[{j}]" for i, j in pattern])])


model("subisomorphism-9-16", "count")(lambda: subisomorphism(9, 16, 4))


def covering_array(t, k, g, b):
    """Every t of k rows show all g^t combinations among b columns."""
    rows = list(product(range(g), repeat=t))
    subsets = list(combinations(range(k), t))
    n = g**t
    parts = []
    for s, subset in enumerate(subsets):
        parts.append(different(f"p[{s}][]"))
        for v in range(n):
            for c, i in enumerate(subset):
                parts.append(element(f"x[{i}][]", f"p[{s}][{v}]", rows[v][c]))
    return (array("x", k, b, domain=f"0..{g - 1}") + array("p", len(subsets), n, domain=f"0..{b - 1}"), parts)


model("covering-array-3-5-2-10", "first", "sat")(lambda: covering_array(3, 5, 2, 10))
model("covering-array-2-4-3-9", "first", "sat")(lambda: covering_array(2, 4, 3, 9))
