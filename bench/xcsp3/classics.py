"""Well-known models of constraint programming, in the form that modelling tools write.

Groups, array patterns, expressions within lists, classes and notes, as compilers
to XCSP3 emit them; the data are made here.  Each entry has the goal and, where
the literature or enumeration knows it, the answer.
"""
from itertools import combinations, permutations, product

from model import Random, words

SET = {}


def model(name, goal, answer=None):
    """Registers a function that returns variables, constraints and objective."""
    def register(make):
        SET[name] = (goal, answer, make)
        return make
    return register


def text_of(name):
    goal, _, make = SET[name]
    variables, constraints, objective = (make() + ("",))[:3]
    kind = "COP" if goal in ("min", "max") else "CSP"
    parts = [f'<instance format="XCSP3" type="{kind}">', "<variables>", variables, "</variables>",
             "<constraints>", "\n".join(constraints), "</constraints>"]
    if objective:
        parts += ["<objectives>", objective, "</objectives>"]
    return "\n".join(parts + ["</instance>", ""])


def array(name, *sizes, domain):
    size = "".join(f"[{n}]" for n in sizes)
    return f'<array id="{name}" note="{name}" size="{size}"> {domain} </array>'


def array_of(name, size, domains):
    """Cells of one dimension with domains of their own; None is an undefined cell."""
    parts = "".join(f'<domain for="{name}[{i}]"> {d} </domain>' for i, d in enumerate(domains) if d is not None)
    return f'<array id="{name}" size="[{size}]"> {parts} </array>'


def intension(text):
    return f"<intension> {text} </intension>"


def total(terms, condition, coeffs=None):
    weights = f"<coeffs> {words(coeffs)} </coeffs>" if coeffs is not None else ""
    return f"<sum><list> {terms} </list>{weights}<condition> ({condition}) </condition></sum>"


def group(template, args):
    return f"<group>{template}" + "".join(f"<args> {a} </args>" for a in args) + "</group>"


def different(terms):
    return f"<allDifferent> {terms} </allDifferent>"


def table(scope, rows, kind="supports"):
    text = "".join("(" + ",".join(map(str, row)) + ")" for row in rows)
    return f"<extension><list> {scope} </list><{kind}> {text} </{kind}></extension>"


def block(*parts):
    return '<block class="symmetry-breaking">' + "".join(parts) + "</block>"


def element(terms, index, value):
    return f"<element><list> {terms} </list><index> {index} </index><condition> (eq,{value}) </condition></element>"


def minimise(text, kind=None, goal="minimize"):
    type_ = f' type="{kind}"' if kind else ""
    return f"<{goal}{type_}> {text} </{goal}>"


# ---- puzzles and sequences: all solutions ----

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
    return (array("x", len(keys), domain=f"0..{rows * columns - 1}") + array("y", len(keys), domain=f"0..{rows * columns - 1}"),
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


model("crossword-5-6", "count")(lambda: crossword(5, 6, 600, 2))


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
                                     for a, b in ((1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1))
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
model("colouring-60", "min")(lambda: colour(60, 50, 20, 9))


def pigeons(n):
    return array("p", n, domain=f"0..{n - 2}"), [group(intension("ne(%0,%1)"), [f"p[{a}] p[{b}]" for a, b in combinations(range(n), 2)])]


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


# ---- optimisation ----

def golomb(n, d):
    pairs = list(combinations(range(n), 2))
    return (array("x", n, domain=f"0..{d}") + array("y", len(pairs), domain=f"1..{d}"),
            [different("y[]"), group(intension("eq(%0,sub(%1,%2))"),
                                     [f"y[{k}] x[{j}] x[{i}]" for k, (i, j) in enumerate(pairs)]),
             block(intension("eq(x[0],0)"), "<ordered><list> x[] </list><operator> lt </operator></ordered>")],
            minimise(f"x[{n - 1}]"))


model("golomb-8-wide", "min", 34)(lambda: golomb(8, 64))


def job_shop(n, m, seed):
    rng = Random(seed)
    durations = [[1 + rng.below(20) for _ in range(m)] for _ in range(n)]
    orders = []
    for _ in range(n):
        order = list(range(m))
        rng.shuffle(order)
        orders.append(order)
    horizon = sum(map(sum, durations))
    parts = [f"<ordered><list> s[{j}][] </list><lengths> {words(durations[j][:-1])} </lengths><operator> le </operator></ordered>"
             for j in range(n)]
    parts += [f"<noOverlap><origins> {words(f's[{j}][{orders[j].index(k)}]' for j in range(n))} </origins>"
              f"<lengths> {words(durations[j][orders[j].index(k)] for j in range(n))} </lengths></noOverlap>" for k in range(m)]
    return (array("s", n, m, domain=f"0..{horizon}"), parts,
            minimise(words(f"add(s[{j}][{m - 1}],{durations[j][-1]})" for j in range(n)), "maximum"))


model("job-shop-5-5", "min")(lambda: job_shop(5, 5, 1))
model("job-shop-6-6", "min")(lambda: job_shop(6, 6, 2))
model("job-shop-8-8", "min")(lambda: job_shop(8, 8, 2))


def open_shop(n, seed):
    rng = Random(seed)
    d = [[1 + rng.below(30) for _ in range(n)] for _ in range(n)]
    horizon = sum(map(sum, d)) // 2
    parts = [f"<noOverlap><origins> s[{i}][] </origins><lengths> {words(d[i])} </lengths></noOverlap>" for i in range(n)]
    parts += [f"<noOverlap><origins> s[][{j}] </origins><lengths> {words(r[j] for r in d)} </lengths></noOverlap>" for j in range(n)]
    return (array("s", n, n, domain=f"0..{horizon}"), parts,
            minimise(words(f"add(s[{i}][{j}],{d[i][j]})" for i in range(n) for j in range(n)), "maximum"))


model("open-shop-4", "min")(lambda: open_shop(4, 1))
model("open-shop-5", "min")(lambda: open_shop(5, 1))


def flow_shop(n, m, seed):
    rng = Random(seed)
    d = [[1 + rng.below(20) for _ in range(m)] for _ in range(n)]
    horizon = sum(map(sum, d))
    parts = [f"<ordered><list> s[{j}][] </list><lengths> {words(d[j][:-1])} </lengths><operator> le </operator></ordered>" for j in range(n)]
    parts += [f"<noOverlap><origins> s[][{k}] </origins><lengths> {words(r[k] for r in d)} </lengths></noOverlap>" for k in range(m)]
    return (array("s", n, m, domain=f"0..{horizon}"), parts,
            minimise(words(f"add(s[{j}][{m - 1}],{d[j][-1]})" for j in range(n)), "maximum"))


model("flow-shop-6-4", "min")(lambda: flow_shop(6, 4, 3))


def rcpsp(n, seed):
    rng = Random(seed)
    d = [1 + rng.below(8) for _ in range(n)]
    follows = sorted({(a, b) for b in range(3, n) for a in (rng.below(b), rng.below(b)) if a != b})
    uses = [[rng.below(6) for _ in range(n)] for _ in range(3)]
    horizon = sum(d)
    parts = [group(intension("le(add(%0,%1),%2)"), [f"s[{a}] {d[a]} s[{b}]" for a, b in follows])]
    parts += [f"<cumulative><origins> s[] </origins><lengths> {words(d)} </lengths><heights> {words(u)} </heights>"
              f"<condition> (le,9) </condition></cumulative>" for u in uses]
    return (array("s", n, domain=f"0..{horizon}"), parts,
            minimise(words(f"add(s[{i}],{d[i]})" for i in range(n)), "maximum"))


model("rcpsp-20", "min")(lambda: rcpsp(20, 1))
model("rcpsp-30", "min")(lambda: rcpsp(30, 2))


def points(n, seed, size=100):
    rng = Random(seed)
    at = [(rng.below(size), rng.below(size)) for _ in range(n)]
    return [[int(((a - c)**2 + (b - d)**2)**0.5 + 0.5) for c, d in at] for a, b in at]


def tsp(n, seed):
    d = points(n, seed)
    return (array("c", n, domain=f"0..{n - 1}") + array("d", n, domain=words(sorted({v for r in d for v in r}))),
            [different("c[]"),
             group(table("%0 %1 %2", [(i, j, d[i][j]) for i in range(n) for j in range(n) if i != j]),
                   [f"c[{i}] c[{(i + 1) % n}] d[{i}]" for i in range(n)])],
            minimise("d[]", "sum"))


def tsp_circuit(n, seed):
    d = points(n, seed)
    return (array("x", n, domain=f"0..{n - 1}") + array("d", n, domain=words(sorted({v for r in d for v in r}))),
            ["<circuit> x[] </circuit>", group(intension("ne(%0,%1)"), [f"x[{i}] {i}" for i in range(n)])]
            + [element(words(d[i]), f"x[{i}]", f"d[{i}]") for i in range(n)],
            minimise("d[]", "sum"))


model("tsp-8", "min")(lambda: tsp(8, 3))
model("tsp-11", "min")(lambda: tsp(11, 3))
model("tsp-circuit-11", "min")(lambda: tsp_circuit(11, 3))
model("tsp-circuit-14", "min")(lambda: tsp_circuit(14, 5))


def qap(n, seed):
    rng = Random(seed)
    d = points(n, seed, 20)
    flow = [[0] * n for _ in range(n)]
    for a, b in combinations(range(n), 2):
        flow[a][b] = flow[b][a] = rng.below(8)
    pairs = [(a, b) for a, b in combinations(range(n), 2) if flow[a][b]]
    return (array("x", n, domain=f"0..{n - 1}") + array("d", len(pairs), domain=words(sorted({v for r in d for v in r}))),
            [different("x[]"), group(table("%0 %1 %2", [(i, j, d[i][j]) for i in range(n) for j in range(n) if i != j]),
                                     [f"x[{a}] x[{b}] d[{k}]" for k, (a, b) in enumerate(pairs)])],
            minimise(f"<list> d[] </list><coeffs> {words(flow[a][b] for a, b in pairs)} </coeffs>", "sum"))


model("qap-7", "min")(lambda: qap(7, 2))
model("qap-9", "min")(lambda: qap(9, 2))


def warehouse(w, s, seed):
    rng = Random(seed)
    cost = [[10 + rng.below(90) for _ in range(w)] for _ in range(s)]
    fixed, room = 30, [1 + rng.below(4) for _ in range(w)]
    return (array("w", s, domain=f"0..{w - 1}") + array("c", s, domain="10..99") + array("o", w, domain="0 1"),
            [f"<count><list> w[] </list><values> {j} </values><condition> (le,{room[j]}) </condition></count>" for j in range(w)]
            + [element("o[]", f"w[{i}]", 1) for i in range(s)]
            + [element(words(cost[i]), f"w[{i}]", f"c[{i}]") for i in range(s)],
            minimise(f"<list> c[] o[] </list><coeffs> {words([1] * s + [fixed] * w)} </coeffs>", "sum"))


model("warehouse-5-10", "min")(lambda: warehouse(5, 10, 1))
model("warehouse-10-20", "min")(lambda: warehouse(10, 20, 7))


def still_life(n):
    cells = list(product(range(n + 2), repeat=2))
    rows = [tuple(bits) + (int(sum(bits[:8]) == 3 or (bits[8] and sum(bits[:8]) == 2)),) for bits in product((0, 1), repeat=9)]
    rows = [r for r in rows if r[8] == r[9]]
    good = [r[:9] for r in rows]
    around = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1), (0, 0)]
    scopes = [words(f"x[{i + a}][{j + b}]" for a, b in around) for i in range(1, n + 1) for j in range(1, n + 1)]
    edge = [f"x[{i}][{j}]" for i, j in cells if i in (0, n + 1) or j in (0, n + 1)]
    lines = [f"x[{a}][{b}] x[{a}][{b + 1}] x[{a}][{b + 2}]" for a in (1, n) for b in range(0, n)]
    lines += [f"x[{b}][{a}] x[{b + 1}][{a}] x[{b + 2}][{a}]" for a in (1, n) for b in range(0, n)]
    return (array("x", n + 2, n + 2, domain="0 1"),
            [group(table(words(f"%{k}" for k in range(9)), good), scopes),
             f"<instantiation><list> {words(edge)} </list><values> 0x{len(edge)} </values></instantiation>",
             group(table("%0 %1 %2", [(1, 1, 1)], "conflicts"), lines)],
            minimise("x[][]", "sum", "maximize"))


model("still-life-5", "max", 16)(lambda: still_life(5))
model("still-life-7", "max", 28)(lambda: still_life(7))
model("still-life-8", "max", 36)(lambda: still_life(8))


def low_autocorrelation(n):
    terms = [f"sqr(c[{k}])" for k in range(n - 1)]
    return (array("x", n, domain="-1 1") + array_of("c", n - 1, [f"{-(n - k - 1)}..{n - k - 1}" for k in range(n - 1)]),
            [f"<sum><list> {words(f'mul(x[{i}],x[{i + k + 1}])' for i in range(n - k - 1))} </list>"
             f"<condition> (eq,c[{k}]) </condition></sum>" for k in range(n - 1)],
            minimise(words(terms), "sum"))


for n, best in ((8, 8), (13, 6), (16, 24), (18, 25)):
    model(f"low-autocorrelation-{n}", "min", best)(lambda n=n: low_autocorrelation(n))


@model("auction", "max")
def auction():
    rng = Random(5)
    items, bids = 20, 40
    offers = []
    for _ in range(bids):
        chosen = {rng.below(items) for _ in range(1 + rng.below(5))}
        offers.append((sorted(chosen), len(chosen) * 20 + rng.below(40)))
    return (array("b", bids, domain="0 1"),
            [total(words(f"b[{k}]" for k, (s, _) in enumerate(offers) if i in s), "le,1") for i in range(items)
             if any(i in s for s, _ in offers)],
            minimise(f"<list> b[] </list><coeffs> {words(v for _, v in offers)} </coeffs>", "sum", "maximize"))


@model("knapsack", "max")
def knapsack():
    rng = Random(2)
    n = 25
    weights = [5 + rng.below(40) for _ in range(n)]
    profits = [w + rng.below(15) for w in weights]
    return (array("x", n, domain="0 1") + '<var id="z"> 0..2000 </var>',
            [f"<knapsack><list> x[] </list><weights> {words(weights)} </weights><condition> (le,{sum(weights) // 3}) </condition>"
             f"<profits> {words(profits)} </profits><condition> (eq,z) </condition></knapsack>"],
            minimise("z", None, "maximize"))


def opd(v, b, r):
    """The largest overlap of rows of a 0/1 matrix with r ones per row is least."""
    pairs = list(combinations(range(v), 2))
    return (
        array("x", v, b, domain="0 1") + array("o", len(pairs), domain=f"0..{r}"),
        [group(total("%...", f"eq,{r}"), [f"x[{i}][]" for i in range(v)]),
         block('<lex><matrix> x[][] </matrix><operator> le </operator></lex>')]
        + [f"<sum><list> {words(f'mul(x[{i}][{k}],x[{j}][{k}])' for k in range(b))} </list><condition> (eq,o[{q}]) </condition></sum>"
           for q, (i, j) in enumerate(pairs)],
        minimise("o[]", "maximum"))


model("opd-4-6-4", "min")(lambda: opd(4, 6, 4))
model("opd-7-7-3", "min", 1)(lambda: opd(7, 7, 3))


def ramsey(n, k):
    edges = {e: i for i, e in enumerate(combinations(range(n), 2))}
    return (array("x", len(edges), domain=f"0..{k}"),
            [group("<nValues><list> %0 %1 %2 </list><condition> (gt,1) </condition></nValues>",
                   [f"x[{edges[a, b]}] x[{edges[a, c]}] x[{edges[b, c]}]" for a, b, c in combinations(range(n), 3)])],
            minimise("x[]", "maximum"))


model("ramsey-8", "min", 2)(lambda: ramsey(8, 6))
model("ramsey-12", "min", 2)(lambda: ramsey(12, 6))


def peaceable(n):
    cells = list(product(range(n), repeat=2))
    attacks = [(a, b) for a in cells for b in cells
               if a != b and (a[0] == b[0] or a[1] == b[1] or abs(a[0] - b[0]) == abs(a[1] - b[1]))]
    return (array("b", n, n, domain="0 1") + array("w", n, n, domain="0 1"),
            [group(intension("le(add(%0,%1),1)"), [f"b[{a[0]}][{a[1]}] w[{c[0]}][{c[1]}]" for a, c in attacks] +
                   [f"b[{i}][{j}] w[{i}][{j}]" for i, j in cells]),
             total("b[][] w[][]", "eq,0", [1] * n * n + [-1] * n * n)],
            minimise("b[][]", "sum", "maximize"))


model("peaceable-5", "max", 4)(lambda: peaceable(5))
model("peaceable-6", "max", 5)(lambda: peaceable(6))


def rlfap(n, seed):
    rng = Random(seed)
    values = [16, 30, 44, 58, 72, 86, 100, 114, 128, 142, 156, 254, 268, 282, 296, 310]
    pairs = [(2 * i, 2 * i + 1) for i in range(n // 2)]
    far = sorted({tuple(sorted((rng.below(n), rng.below(n)))) for _ in range(3 * n)})
    far = [(a, b) for a, b in far if a // 2 != b // 2]
    return (array("f", n, domain=words(values)),
            [group(intension("eq(dist(%0,%1),238)"), [f"f[{a}] f[{b}]" for a, b in pairs]),
             group(intension("gt(dist(%0,%1),%2)"), [f"f[{a}] f[{b}] {10 + rng.below(30)}" for a, b in far])],
            minimise("f[]", "nValues"))


model("rlfap-16", "min")(lambda: rlfap(16, 2))


def diamond_free(n):
    pairs = list(combinations(range(n), 2))
    cell = {e: k for k, e in enumerate(pairs)}

    def x(a, b):
        return f"x[{cell[min(a, b), max(a, b)]}]"
    parts = [group(total("%...", "le,4"), [words(x(a, b) for a, b in combinations(q, 2)) for q in combinations(range(n), 4)])]
    parts += [total(words(x(i, j) for j in range(n) if j != i), f"eq,d[{i}]") for i in range(n)]
    parts += [group(intension("eq(mod(%0,3),0)"), [f"d[{i}]" for i in range(n)]),
              group(intension("gt(%0,0)"), [f"d[{i}]" for i in range(n)]),
              total("d[]", "eq,s"), intension("eq(mod(s,12),0)"),
              block("<ordered><list> d[] </list><operator> ge </operator></ordered>")]
    return (array("x", len(pairs), domain="0 1") + array("d", n, domain=f"0..{n - 1}") + f'<var id="s"> 0..{n * n} </var>',
            parts)


model("diamond-free-8", "count")(lambda: diamond_free(8))


def template_design(m, seed):
    rng = Random(seed)
    k, slots = 2, 9
    demands = [250 + 50 * rng.below(8) for _ in range(m)]
    low = [d - d // 10 for d in demands]
    high = [d + d // 10 for d in demands]
    return (array("t", k, m, domain=f"0..{slots}") + array("p", k, domain=f"1..{max(high)}"),
            [total(f"t[{i}][]", f"eq,{slots}") for i in range(k)]
            + [f"<sum><list> p[] </list><coeffs> t[][{j}] </coeffs><condition> (in,{low[j]}..{high[j]}) </condition></sum>" for j in range(m)]
            + [block("<ordered><list> p[] </list><operator> le </operator></ordered>")],
            minimise("p[]", "sum"))


model("template-7", "min")(lambda: template_design(7, 3))


def nurse(n, days, seed):
    """Shifts early, late, free; demands by day, no early after late, preferences."""
    rng = Random(seed)
    wish = [(rng.below(n), rng.below(days), rng.below(3), 1 + rng.below(4)) for _ in range(n * 3)]
    parts = [f"<cardinality><list> x[][{d}] </list><values> 0 1 </values><occurs> {n // 3}..{n // 3 + 1} {n // 3} </occurs></cardinality>" for d in range(days)]
    parts += [group(table("%0 %1", [(1, 0)], "conflicts"), [f"x[{i}][{d}] x[{i}][{d + 1}]" for i in range(n) for d in range(days - 1)])]
    parts += [f"<count><list> x[{i}][] </list><values> 0 1 </values><condition> (in,{days // 2}..{days - 2}) </condition></count>" for i in range(n)]
    edges = "".join(f"(w{k},{s},w{k + 1})" for k in range(5) for s in (0, 1)) + "".join(f"(w{k},2,w0)" for k in range(6))
    parts += [f"<regular><list> x[{i}][] </list><transitions> {edges} </transitions><start> w0 </start>"
              f"<final> {words(f'w{k}' for k in range(6))} </final></regular>" for i in range(n)]
    terms = words(f"eq(x[{i}][{d}],{s})" for i, d, s, _ in wish)
    return (array("x", n, days, domain="0..2"), parts,
            minimise(f"<list> {terms} </list><coeffs> {words(c for *_, c in wish)} </coeffs>", "sum"))


model("nurse-6-7", "min")(lambda: nurse(6, 7, 1))
model("nurse-9-14", "min")(lambda: nurse(9, 14, 1))


def fastfood(n, k, seed):
    rng = Random(seed)
    at = sorted({rng.below(1000) for _ in range(n)})
    n = len(at)
    return (array("d", k, domain=words(range(n))) + array("c", n, k, domain="0..1000") + array("m", n, domain="0..1000"),
            [element(words(abs(a - b) for b in at), f"d[{j}]", f"c[{i}][{j}]") for i, a in enumerate(at) for j in range(k)]
            + [f"<minimum><list> c[{i}][] </list><condition> (eq,m[{i}]) </condition></minimum>" for i in range(n)]
            + [block("<ordered><list> d[] </list><operator> lt </operator></ordered>")],
            minimise("m[]", "sum"))


model("fastfood-20-4", "min")(lambda: fastfood(20, 4, 1))
model("fastfood-50-5", "min")(lambda: fastfood(50, 5, 1))


def cutstock(lengths, demands, roll, pieces):
    m = len(lengths)
    return (array("u", pieces, domain="0 1") + array("x", pieces, m, domain=f"0..{max(roll // l for l in lengths)}"),
            [total(f"x[{p}][]", f"le,mul(u[{p}],{roll})", lengths) for p in range(pieces)]
            + [total(f"x[][{i}]", f"ge,{demands[i]}") for i in range(m)]
            + [block("<ordered><list> u[] </list><operator> ge </operator></ordered>",
                     "<lex>" + "".join(f"<list> x[{p}][] </list>" for p in range(pieces)) + "<operator> ge </operator></lex>")],
            minimise("u[]", "sum"))


model("cutstock", "min")(lambda: cutstock([3, 5, 9], [13, 9, 6], 20, 12))


def social_golfers(g, s, w):
    n = g * s
    return (array("x", w, n, domain=f"0..{g - 1}"),
            [group(f"<cardinality><list> %... </list><values> {words(range(g))} </values><occurs> {words([s] * g)} </occurs></cardinality>",
                   [f"x[{i}][]" for i in range(w)]),
             group(intension("or(ne(%0,%1),ne(%2,%3))"),
                   [f"x[{a}][{p}] x[{a}][{q}] x[{b}][{p}] x[{b}][{q}]" for a, b in combinations(range(w), 2) for p, q in combinations(range(n), 2)]),
             block("<lex><matrix> x[][] </matrix><operator> le </operator></lex>",
                   f"<instantiation><list> x[0][] </list><values> {words(p // s for p in range(n))} </values></instantiation>",
                   *(f"<instantiation><list> x[{i}][0..{min(s, g) - 1}] </list><values> {words(range(min(s, g)))} </values></instantiation>" for i in range(1, w)))])


model("golfers-matrix-4-3-4", "count")(lambda: social_golfers(4, 3, 4))
model("golfers-matrix-4-3-5", "count")(lambda: social_golfers(4, 3, 5))


def progressive_party(hosts, guests, periods, seed):
    rng = Random(seed)
    room = [4 + rng.below(6) for _ in range(hosts)]
    crew = [2 + rng.below(3) for _ in range(guests)]
    parts = [f"<binPacking><list> x[{t}][] </list><sizes> {words(crew)} </sizes><limits> {words(room)} </limits></binPacking>" for t in range(periods)]
    parts += [group(different("%..."), [f"x[][{g}]" for g in range(guests)])]
    parts += [f"<sum><list> {words(f'eq(x[{t}][{a}],x[{t}][{b}])' for t in range(periods))} </list><condition> (le,1) </condition></sum>"
              for a, b in combinations(range(guests), 2)]
    return array("x", periods, guests, domain=f"0..{hosts - 1}"), parts


model("party-6-10-4", "first")(lambda: progressive_party(6, 10, 4, 4))
model("party-7-12-5", "first")(lambda: progressive_party(7, 12, 5, 4))


def strip_packing(width, seed, n):
    rng = Random(seed)
    boxes = [(1 + rng.below(width // 2), 1 + rng.below(6)) for _ in range(n)]
    height = sum(h for _, h in boxes)
    return (array("x", n, domain=f"0..{width - 1}") + array("y", n, domain=f"0..{height}"),
            [f"<noOverlap><origins> {''.join(f'(x[{i}],y[{i}])' for i in range(n))} </origins>"
             f"<lengths> {''.join(f'({w},{h})' for w, h in boxes)} </lengths></noOverlap>",
             group(intension("le(add(%0,%1)," + str(width) + ")"), [f"x[{i}] {boxes[i][0]}" for i in range(n)])],
            minimise(words(f"add(y[{i}],{boxes[i][1]})" for i in range(n)), "maximum"))


model("strip-8", "min")(lambda: strip_packing(8, 2, 8))
model("strip-12", "min")(lambda: strip_packing(12, 2, 12))


def perfect_square(size, goal_sizes):
    n = len(goal_sizes)
    return (array("x", n, domain=f"0..{size - 1}") + array("y", n, domain=f"0..{size - 1}"),
            [f"<noOverlap><origins> {''.join(f'(x[{i}],y[{i}])' for i in range(n))} </origins>"
             f"<lengths> {''.join(f'({s},{s})' for s in goal_sizes)} </lengths></noOverlap>"]
            + [group(intension(f"le(add(%0,%1),{size})"), [f"{v}[{i}] {goal_sizes[i]}" for v in "xy" for i in range(n)])]
            + [f"<cumulative><origins> {v}[] </origins><lengths> {words(goal_sizes)} </lengths><heights> {words(goal_sizes)} </heights>"
               f"<condition> (le,{size}) </condition></cumulative>" for v in "xy"])


model("square-13", "first")(lambda: perfect_square(13, [7, 6, 6, 4, 3, 3, 2, 2, 2, 1, 1]))
model("square-19", "first")(lambda: perfect_square(19, [10, 9, 9, 7, 3, 3, 3, 5, 2, 2, 2, 4, 4]))


def ttp(n, seed):
    """Travelling tournament: opponents and venues by round; at most three in a row away or home."""
    d = points(n, seed, 100)
    rounds = 2 * n - 2
    opponents = array("o", n, rounds, domain=f"0..{n - 1}")
    home = array("h", n, rounds, domain="0 1")
    travel = array("t", n, rounds + 1, domain=words(sorted({v for r in d for v in r})))
    parts = [group("<channel><list> %... </list></channel>", [f"o[][{r}]" for r in range(rounds)])]
    parts += [group(intension("ne(%0,%1)"), [f"o[{i}][{r}] {i}" for i in range(n) for r in range(rounds)])]
    for i in range(n):
        parts.append(f"<cardinality><list> o[{i}][] </list><values> {words(j for j in range(n) if j != i)} </values>"
                     f"<occurs> {words([2] * (n - 1))} </occurs></cardinality>")
        for j in range(n):
            if j != i:
                parts.append(total(words(f"and(eq(o[{i}][{r}],{j}),eq(h[{i}][{r}],1))" for r in range(rounds)), "eq,1"))
    for r in range(rounds):
        for i in range(n):
            parts.append(element(f"h[][{r}]", f"o[{i}][{r}]", f"sub(1,h[{i}][{r}])"))
    parts += [group(intension("ne(%0,%1)"), [f"o[{i}][{r}] o[{i}][{r + 1}]" for i in range(n) for r in range(rounds - 1)])]
    parts += [group(total("%...", "in,1..3"), [f"h[{i}][{r}..{r + 3}]" for i in range(n) for r in range(rounds - 3)])]
    for i in range(n):
        rows = [(h1, o1, h2, o2, d[i if h1 else o1][i if h2 else o2]) for h1 in (0, 1) for h2 in (0, 1)
                for o1 in range(n) for o2 in range(n) if o1 != i and o2 != i]
        parts.append(group(table("%0 %1 %2 %3 %4", rows), [f"h[{i}][{r}] o[{i}][{r}] h[{i}][{r + 1}] o[{i}][{r + 1}] t[{i}][{r + 1}]" for r in range(rounds - 1)]))
        ends = [(h, o, d[i if h else o][i]) for h in (0, 1) for o in range(n) if o != i]
        parts.append(group(table("%0 %1 %2", ends), [f"h[{i}][0] o[{i}][0] t[{i}][0]", f"h[{i}][{rounds - 1}] o[{i}][{rounds - 1}] t[{i}][{rounds}]"]))
    return opponents + home + travel, parts, minimise("t[][]", "sum")


model("ttp-4", "min")(lambda: ttp(4, 6))


def mario(n, seed):
    """A path from the first to the last house that collects gold within the fuel."""
    rng = Random(seed)
    d = points(n, seed, 60)
    gold = [0] + [20 + rng.below(80) for _ in range(n - 2)] + [0]
    fuel = 200
    return (array("s", n, domain=words(range(n))) + array("f", n, domain=f"0..{max(map(max, d))}") + array("g", n, domain="0..100"),
            ["<circuit> s[] </circuit>", total("f[]", f"le,{fuel}"), intension(f"eq(s[{n - 1}],0)")]
            + [element(words(d[i]), f"s[{i}]", f"f[{i}]") for i in range(n)]
            + [group(intension("iff(eq(%0,%1),eq(%2,0))"), [f"s[{i}] {i} g[{i}]" for i in range(1, n - 1)])]
            + [table(f"g[{i}]", [(v,) for v in sorted({0, gold[i]})]) for i in range(n)],
            minimise("g[]", "sum", "maximize"))


model("mario-10", "max")(lambda: mario(10, 4))
model("mario-15", "max")(lambda: mario(15, 4))


def vrp(n, k, capacity, seed):
    rng = Random(seed)
    d = points(n + 1, seed, 60)
    need = [0] + [1 + rng.below(9) for _ in range(n)]
    m = n + k  # nodes 0..k-1 are the depot
    dist = [[d[max(0, a - k + 1)][max(0, b - k + 1)] for b in range(m)] for a in range(m)]
    return (array("s", m, domain=f"0..{m - 1}") + array("c", m, domain=f"0..{max(map(max, dist))}") + array("v", m, domain=f"0..{k - 1}"),
            ["<circuit> s[] </circuit>", group(intension("ne(%0,%1)"), [f"s[{i}] {i}" for i in range(m)]),
             f"<instantiation><list> v[0..{k - 1}] </list><values> {words(range(k))} </values></instantiation>"]
            + [element(words(dist[i]), f"s[{i}]", f"c[{i}]") for i in range(m)]
            + [f"<intension> imp(eq(s[{i}],{j}),eq(v[{i}],v[{j}])) </intension>" for i in range(m) for j in range(k, m) if i != j]
            + [f"<binPacking><list> v[{k}..{m - 1}] </list><sizes> {words(need[1:])} </sizes><condition> (le,{capacity}) </condition></binPacking>"],
            minimise("c[]", "sum"))


model("vrp-7-2", "min")(lambda: vrp(7, 2, 22, 3))
model("vrp-9-3", "min")(lambda: vrp(9, 3, 18, 3))


def rack(seed):
    """Cards in racks of models with power, slots and price."""
    rng = Random(seed)
    types = [(0, 0, 0), (150, 8, 150), (200, 16, 200)]
    cards = [(20 * (i + 1), 2 + rng.below(6)) for i in range(4)]
    racks = 5
    powers, slots, prices = zip(*types)
    parts = []
    for r in range(racks):
        parts.append(element(words(powers), f"r[{r}]", f"p[{r}]"))
        parts.append(element(words(slots), f"r[{r}]", f"n[{r}]"))
        parts.append(element(words(prices), f"r[{r}]", f"c[{r}]"))
        parts.append(total(f"x[{r}][]", f"le,n[{r}]"))
        parts.append(total(f"x[{r}][]", f"le,p[{r}]", [p for p, _ in cards]))
    parts += [total(f"x[][{k}]", f"eq,{c}") for k, (_, c) in enumerate(cards)]
    parts.append(block("<ordered><list> r[] </list><operator> ge </operator></ordered>"))
    return (array("r", racks, domain="0..2") + array("p", racks, domain="0..200") + array("n", racks, domain="0..16")
            + array("c", racks, domain="0..200") + array("x", racks, len(cards), domain="0..7"), parts, minimise("c[]", "sum"))


model("rack", "min")(lambda: rack(3))


@model("allergy", "count")
def allergy():
    """Four friends, four allergies by day: a small logic puzzle over two arrays."""
    return (array("a", 4, domain="0..3") + array("d", 4, domain="0..3"),
            [different("a[]"), different("d[]"), intension("ne(a[0],a[1])"),
             group(intension("imp(eq(%0,1),eq(%1,2))"), [f"a[{i}] d[{i}]" for i in range(4)]),
             intension("lt(d[0],d[1])"), intension("or(eq(a[2],0),eq(a[3],0))")])


def superqueens(n):
    return (array("q", n, domain=f"0..{n - 1}"),
            [different("q[]"), different(words(f"add(q[{i}],{i})" for i in range(n))), different(words(f"sub(q[{i}],{i})" for i in range(n))),
             group(intension("ne(dist(%0,%1),%2)"), [f"q[{i}] q[{i + 1}] 2" for i in range(n - 1)] + [f"q[{i}] q[{i + 2}] 1" for i in range(n - 2)])])


model("superqueens-10", "count", 4)(lambda: superqueens(10))
model("superqueens-11", "count", 44)(lambda: superqueens(11))


def amaze(n, m, seed):
    """Pairs of marks joined by disjoint shortest paths: the cells' numbers, fewest used."""
    rng = Random(seed)
    marks = {}
    while len(marks) < 6:
        at = (rng.below(n), rng.below(m))
        if at not in marks:
            marks[at] = len(marks) // 2 + 1
    cells = list(product(range(n), range(m)))
    parts = [f"<instantiation><list> {words(f'x[{i}][{j}]' for i, j in marks)} </list><values> {words(marks.values())} </values></instantiation>"]
    for i, j in cells:
        near = [f"x[{a}][{b}]" for a, b in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)) if 0 <= a < n and 0 <= b < m]
        if (i, j) in marks:
            parts.append(f"<count><list> {words(near)} </list><values> {marks[i, j]} </values><condition> (eq,1) </condition></count>")
        else:
            terms = ",".join(f"eq({c},x[{i}][{j}])" for c in near)
            parts.append(intension(f"or(eq(x[{i}][{j}],0),eq(add({terms}),2))"))
    return array("x", n, m, domain="0..3"), parts, minimise(words(f"ne(x[{i}][{j}],0)" for i, j in cells), "sum")


model("amaze-6", "min")(lambda: amaze(6, 6, 8))


def tpp(towns, products, price, seed):
    """The travelling purchaser: a tour of some towns in which everything is bought."""
    rng = Random(seed)
    d = points(towns, seed, price)
    cost = [[1 + rng.below(price) for _ in range(towns)] for _ in range(products)]
    return (array("s", towns, domain=f"0..{towns - 1}") + array("d", towns, domain=f"0..{max(map(max, d))}")
            + array("l", products, domain=f"0..{towns - 1}") + array("p", products, domain=f"1..{price}"),
            ["<circuit> s[] </circuit>", intension("ne(s[0],0)")]
            + [element(words(d[i]), f"s[{i}]", f"d[{i}]") for i in range(towns)]
            + [element(words(cost[i]), f"l[{i}]", f"p[{i}]") for i in range(products)]
            + [f"<intension> imp(eq(s[{i}],{i}),ne(l[{k}],{i})) </intension>" for i in range(towns) for k in range(products)],
            minimise("d[] p[]", "sum"))


model("tpp-8-10", "min")(lambda: tpp(8, 10, 40, 4))


def steel_mill(n, seed):
    rng = Random(seed)
    capacities = [0, 12, 14, 17, 18, 19, 20, 23, 24, 25, 26, 27, 28, 29, 30, 32, 35, 39, 42, 43, 44]
    sizes = [2 + rng.below(18) for _ in range(n)]
    colours = [rng.below(4) for _ in range(n)]
    loss = [min(c - v for c in capacities if c >= v) for v in range(max(capacities) + 1)]
    slabs = n // 2 + 1
    parts = [f"<binPacking><list> s[] </list><sizes> {words(sizes)} </sizes><loads> load[] </loads></binPacking>"]
    parts += [element(words(loss), f"load[{b}]", f"loss[{b}]") for b in range(slabs)]
    for b in range(slabs):
        terms = ["or(" + ",".join(f"eq(s[{i}],{b})" for i in range(n) if colours[i] == c) + ")" for c in range(4) if colours.count(c)]
        parts.append(total(words(terms), "le,2"))
    parts.append(block("<ordered><list> load[] </list><operator> ge </operator></ordered>"))
    return (array("s", n, domain=f"0..{slabs - 1}") + array("load", slabs, domain=f"0..{max(capacities)}")
            + array("loss", slabs, domain=words(sorted(set(loss)))), parts, minimise("loss[]", "sum"))


model("steel-mill-12", "min")(lambda: steel_mill(12, 1))
model("steel-mill-16", "min")(lambda: steel_mill(16, 2))


def hc_pizza(n, seed):
    """A pizza of ham and mushroom cut into rectangles with some of each; most cells used."""
    rng = Random(seed)
    grid = [[rng.below(2) for _ in range(n)] for _ in range(n)]
    shapes = [(h, w) for h in range(1, 4) for w in range(1, 4) if 2 <= h * w <= 4]
    slices = []
    for i, j in product(range(n), repeat=2):
        for h, w in shapes:
            if i + h <= n and j + w <= n:
                cells = [(i + a, j + b) for a in range(h) for b in range(w)]
                ones = sum(grid[a][b] for a, b in cells)
                if 1 <= ones < len(cells):
                    slices.append(cells)
    return (array("x", len(slices), domain="0 1"),
            [total(words(f"x[{k}]" for k, s in enumerate(slices) if c in s), "le,1") for c in product(range(n), repeat=2)
             if any(c in s for s in slices)],
            minimise(f"<list> x[] </list><coeffs> {words(map(len, slices))} </coeffs>", "sum", "maximize"))


model("hc-pizza-6", "max")(lambda: hc_pizza(6, 1))
model("hc-pizza-8", "max")(lambda: hc_pizza(8, 1))


def eternity(n, colours, seed):
    """Square pieces with coloured sides on an n x n board; the border is 0."""
    rng = Random(seed)
    right = [[rng.below(colours) + 1 if j < n - 1 else 0 for j in range(n)] for i in range(n)]
    below = [[rng.below(colours) + 1 if i < n - 1 else 0 for j in range(n)] for i in range(n)]
    pieces = [(below[i - 1][j] if i else 0, right[i][j], below[i][j], right[i][j - 1] if j else 0)
              for i in range(n) for j in range(n)]
    rng.shuffle(pieces)
    rows = sorted({(k, *p[r:], *p[:r]) for k, p in enumerate(pieces) for r in range(4)})
    return (array("id", n, n, domain=f"0..{n * n - 1}") + array("t", n + 1, n, domain=f"0..{colours}") + array("l", n, n + 1, domain=f"0..{colours}"),
            [different("id[][]"),
             group(table("%0 %1 %2 %3 %4", rows),
                   [f"id[{i}][{j}] t[{i}][{j}] l[{i}][{j + 1}] t[{i + 1}][{j}] l[{i}][{j}]" for i in range(n) for j in range(n)]),
             f"<instantiation><list> t[0][] t[{n}][] l[][0] l[][{n}] </list><values> 0x{4 * n} </values></instantiation>"])


model("eternity-4-4", "count")(lambda: eternity(4, 4, 3))
model("eternity-5-5", "count")(lambda: eternity(5, 5, 3))
model("eternity-6-5", "first", "sat")(lambda: eternity(6, 5, 3))


# ---- the kinds that were slow ----

def board(n, m):
    """No rectangle whose corners have one colour; fewest colours, rows and columns ordered."""
    corners = [f"x[{a}][{c}] x[{a}][{d}] x[{b}][{c}] x[{b}][{d}]"
               for a, b in combinations(range(n), 2) for c, d in combinations(range(m), 2)]
    return (array("x", n, m, domain=f"0..{n * m - 1}"),
            [group("<nValues><list> %... </list><condition> (gt,1) </condition></nValues>", corners),
             block("<lex><matrix> x[][] </matrix><operator> le </operator></lex>")],
            minimise("x[][]", "maximum"))


model("board-many-5-5", "min", 2)(lambda: board(5, 5))
model("board-many-8-10", "min", 2)(lambda: board(8, 10))


def queen_attacking(n):
    """A knight's path 1..n*n and a queen that attacks as many primes as possible."""
    knight = [(a, b) for a in range(n * n) for b in range(n * n)
              if sorted((abs(a // n - b // n), abs(a % n - b % n))) == [1, 2]]
    primes = [k for k in range(2, n * n + 1) if all(k % d for d in range(2, k))]
    queen = [(a, b, int(a == b or not (a // n == b // n or a % n == b % n or abs(a // n - b // n) == abs(a % n - b % n))))
             for a in range(n * n) for b in range(n * n)]
    return (f'<var id="q"> 0..{n * n - 1} </var>' + array("x", n * n, domain=f"0..{n * n - 1}") + array("b", len(primes), domain="0 1"),
            [different("x[]"), f"<slide><list> x[] </list>{table('%0 %1', knight)}</slide>",
             group(table("%0 %1 %2", queen), [f"q x[{p - 1}] b[{k}]" for k, p in enumerate(primes)])],
            minimise("b[]", "sum"))


model("queen-table-6", "min")(lambda: queen_attacking(6))
model("queen-table-8", "min", 0)(lambda: queen_attacking(8))


def market_split(rows, columns, seed):
    rng = Random(seed)
    a = [[rng.below(100) for _ in range(columns)] for _ in range(rows)]
    x = [rng.below(2) for _ in range(columns)]
    return (array("x", columns, domain="0 1"),
            [total("x[]", f"eq,{sum(c * v for c, v in zip(row, x))}", row) for row in a])


model("market-4-30", "first", "sat")(lambda: market_split(4, 30, 1))
model("market-4-30-all", "count")(lambda: market_split(4, 30, 2))
model("market-5-34", "first", "sat")(lambda: market_split(5, 34, 3))


def bin_weights(n, capacity, low, seed, form):
    """Bins as rows of weights in decreasing order; as many empty bins as possible."""
    rng = Random(seed)
    weights = sorted(low + rng.below(capacity - low + 1) for _ in range(n))
    values = sorted(set(weights))
    most = next(k for k in range(n + 1) if sum(weights[:k + 1]) > capacity or k == n)
    bins = n
    ffd = []
    for w in sorted(weights, reverse=True):
        for b in ffd:
            if sum(b) + w <= capacity:
                b.append(w)
                break
        else:
            ffd.append([w])
    bins = len(ffd) + 2
    rows = [()]
    for _ in range(most):
        rows = [r + (v,) for r in rows for v in [0] + values if (not r or v <= r[-1]) and sum(r) + v <= capacity]
    parts = []
    if form == "table":
        parts.append(group(table(words(f"%{k}" for k in range(most)), rows), [f"w[{b}][]" for b in range(bins)]))
    elif form == "mdd":
        edges = set()
        for r in rows:
            for k, v in enumerate(r):
                name = [f"n{k}_{'_'.join(map(str, (r[k - 1], sum(r[:k]))))}" if k else "r",
                        "t" if k + 1 == most else f"n{k + 1}_{v}_{sum(r[:k + 1])}"]
                edges.add((name[0], v, name[1]))
        text = "".join(f"({a},{v},{b})" for a, v, b in sorted(edges))
        parts.append(group(f"<mdd><list> %... </list><transitions> {text} </transitions></mdd>", [f"w[{b}][]" for b in range(bins)]))
    else:
        parts.append(group(total("%...", f"le,{capacity}"), [f"w[{b}][]" for b in range(bins)]))
        parts.append(group("<ordered><list> %... </list><operator> ge </operator></ordered>", [f"w[{b}][]" for b in range(bins)]))
    parts.append(f"<cardinality><list> w[][] </list><values> 0 {words(values)} </values>"
                 f"<occurs> {bins * most - n} {words(weights.count(v) for v in values)} </occurs></cardinality>")
    parts.append(block("<lex>" + "".join(f"<list> w[{b}][] </list>" for b in range(bins)) + "<operator> ge </operator></lex>"))
    return (array("w", bins, most, domain=words([0] + values)), parts,
            minimise(words(f"eq(w[{b}][0],0)" for b in range(bins)), "sum", "maximize"))


for form in ("sum", "table", "mdd"):
    model(f"bins-{form}-20", "max")(lambda form=form: bin_weights(20, 100, 30, 1, form))
    model(f"bins-{form}-50", "max")(lambda form=form: bin_weights(50, 100, 30, 2, form))


def open_stacks(customers, products, seed):
    rng = Random(seed)
    orders = [[int(rng.below(100) < 35) for _ in range(products)] for _ in range(customers)]
    for row in orders:
        if not any(row):
            row[rng.below(products)] = 1
    parts = [different("p[]")]
    for i, row in enumerate(orders):
        mine = words(f"p[{k}]" for k in range(products) if row[k])
        parts.append(f"<minimum><list> {mine} </list><condition> (eq,s[{i}]) </condition></minimum>")
        parts.append(f"<maximum><list> {mine} </list><condition> (eq,e[{i}]) </condition></maximum>")
    for t in range(products):
        parts.append(group(intension("eq(%0,and(le(%1,%2),le(%2,%3)))"), [f"o[{i}][{t}] s[{i}] {t} e[{i}]" for i in range(customers)]))
    return (
        array("p", products, domain=f"0..{products - 1}") + array("s", customers, domain=f"0..{products - 1}")
        + array("e", customers, domain=f"0..{products - 1}") + array("o", customers, products, domain="0 1")
        + array("n", products, domain=f"0..{customers}"),
        parts + [total(f"o[][{t}]", f"eq,n[{t}]") for t in range(products)], minimise("n[]", "maximum"))


model("open-stacks-8-8", "min")(lambda: open_stacks(8, 8, 1))
model("open-stacks-10-10", "min")(lambda: open_stacks(10, 10, 2))
model("open-stacks-15-15", "min")(lambda: open_stacks(15, 15, 3))


def sonet(n, m, capacity, seed):
    rng = Random(seed)
    links = sorted({tuple(sorted((rng.below(n), rng.below(n)))) for _ in range(2 * n)})
    links = [(a, b) for a, b in links if a != b]
    return (array("x", m, n, domain="0 1"),
            [group(total(words(f"mul(%{2 * r},%{2 * r + 1})" for r in range(m)), "gt,0"),
                   [words(f"x[{r}][{a}] x[{r}][{b}]" for r in range(m)) for a, b in links]),
             group(total("%...", f"le,{capacity}"), [f"x[{r}][]" for r in range(m)]),
             block("<lex>" + "".join(f"<list> x[{r}][] </list>" for r in range(m)) + "<operator> le </operator></lex>")],
            minimise("x[][]", "sum"))


model("sonet-8-5", "min")(lambda: sonet(8, 5, 4, 3))
model("sonet-10-6", "min")(lambda: sonet(10, 6, 5, 3))


def bacp(courses, periods, seed):
    rng = Random(seed)
    credits = [1 + rng.below(5) for _ in range(courses)]
    before = sorted({(a, b) for b in range(3, courses) for a in [rng.below(b)] if rng.below(3) == 0})
    low, high = 1, courses // periods + 3
    top = sum(credits) // periods + 10
    return (array("s", courses, domain=f"0..{periods - 1}") + array("co", periods, domain=f"{low}..{high}")
            + array("cr", periods, domain=f"1..{top}") + array("cp", courses, periods, domain="0..5"),
            [f"<count><list> s[] </list><values> {p} </values><condition> (eq,co[{p}]) </condition></count>" for p in range(periods)]
            + [total(f"cp[][{p}]", f"eq,cr[{p}]") for p in range(periods)]
            + [table(f"s[{c}] cp[{c}][]", [(p, *(credits[c] if q == p else 0 for q in range(periods))) for p in range(periods)]) for c in range(courses)]
            + [group(intension("lt(%0,%1)"), [f"s[{a}] s[{b}]" for a, b in before])],
            minimise("cr[]", "maximum"))


model("bacp-table-20", "min")(lambda: bacp(20, 5, 1))
model("bacp-table-42", "min")(lambda: bacp(42, 8, 2))


def bacp_span(courses, periods, seed):
    variables, parts, _ = bacp(courses, periods, seed)
    variables += '<var id="least"> 0..60 </var><var id="most"> 0..60 </var>'
    parts += ["<minimum><list> cr[] </list><condition> (eq,least) </condition></minimum>",
              "<maximum><list> cr[] </list><condition> (eq,most) </condition></maximum>"]
    return variables, parts, minimise("sub(most,least)")


model("bacp-span-20", "min")(lambda: bacp_span(20, 5, 1))
model("bacp-span-42", "min")(lambda: bacp_span(42, 8, 2))


def pizza(n, seed):
    """Pizzas paid or free by vouchers: v[i] the voucher used, positive for free, negative for paid."""
    rng = Random(seed)
    price = [50 + rng.below(150) for _ in range(n)]
    vouchers = [(rng.below(3), 1 + rng.below(2)) for _ in range(n)]
    m = len(vouchers)
    parts = []
    for i, (pay, free) in enumerate(vouchers):
        parts.append(f"<count><list> v[] </list><values> {-i - 1} </values><condition> (eq,np[{i}]) </condition></count>")
        parts.append(f"<count><list> v[] </list><values> {i + 1} </values><condition> (eq,nf[{i}]) </condition></count>")
        parts.append(table(f"np[{i}] nf[{i}]", [(0, 0)] + [(pay, k) for k in range(1, free + 1)]))
    parts += [group(intension("iff(le(%0,0),ne(%1,0))"), [f"v[{j}] p[{j}]" for j in range(n)])]
    parts += [f"<intension> or(ge(v[{a}],v[{b}]),ne(v[{a}],neg(v[{b}]))) </intension>" for a in range(n) for b in range(n) if price[a] < price[b]]
    return (array("v", n, domain=f"{-m}..{m}") + array_of("p", n, [f"0 {price[j]}" for j in range(n)])
            + array("np", m, domain=words(sorted({0} | {p for p, _ in vouchers}))) + array("nf", m, domain="0..2"), parts, minimise("p[]", "sum"))


model("pizza-signed-6", "min")(lambda: pizza(6, 1))
model("pizza-signed-10", "min")(lambda: pizza(10, 2))
model("pizza-signed-14", "min")(lambda: pizza(14, 3))


def bibd(v, b, r, k, lam):
    return (array("x", v, b, domain="0 1"),
            [group(total("%...", f"eq,{r}"), [f"x[{i}][]" for i in range(v)]),
             group(total("%...", f"eq,{k}"), [f"x[][{j}]" for j in range(b)]),
             group(total(words(f"mul(%{2 * j},%{2 * j + 1})" for j in range(b)), f"eq,{lam}"),
                   [words(f"x[{i}][{j}] x[{h}][{j}]" for j in range(b)) for i, h in combinations(range(v), 2)]),
             block('<lex><matrix> x[][] </matrix><operator> le </operator></lex>')])


model("bibd-group-7-21", "count")(lambda: bibd(7, 21, 9, 3, 3))
model("bibd-group-6-50", "first", "sat")(lambda: bibd(6, 50, 25, 3, 10))
model("bibd-group-6-30", "count")(lambda: bibd(6, 30, 15, 3, 6))
model("bibd-group-8-14", "count", 92)(lambda: bibd(8, 14, 7, 4, 3))
model("bibd-group-9-18", "first", "sat")(lambda: bibd(9, 18, 8, 4, 3))
model("bibd-group-15-15", "first", "sat")(lambda: bibd(15, 15, 7, 7, 3))


def langford_table(k, n):
    return (array("x", k * n, domain=f"0..{k * n - 1}") + array("y", k * n, domain=f"1..{n}"),
            [different("x[]"),
             group(intension("eq(%0,add(%1,%2))"), [f"x[{i * k + j + 1}] x[{i * k + j}] {i + 2}" for i in range(n) for j in range(k - 1)])]
            + [element("y[]", f"x[{i * k + j}]", i + 1) for i in range(n) for j in range(k)])


model("langford-element-2-8", "count", 300)(lambda: langford_table(2, 8))
model("langford-element-2-11", "count", 35584)(lambda: langford_table(2, 11))
model("langford-element-3-9", "count", 6)(lambda: langford_table(3, 9))


def crypto(words_, result):
    letters = sorted(set("".join(words_) + result))
    terms, coeffs = [], []
    for w in words_:
        for p, c in enumerate(reversed(w)):
            terms.append(f"x[{letters.index(c)}]")
            coeffs.append(10**p)
    for p, c in enumerate(reversed(result)):
        terms.append(f"x[{letters.index(c)}]")
        coeffs.append(-10**p)
    return (array("x", len(letters), domain="0..9"),
            [different("x[]"), total(words(terms), "eq,0", coeffs),
             group(intension("ne(%0,0)"), [f"x[{letters.index(w[0])}]" for w in {*words_, result}])])


model("crypto-donald", "count", 1)(lambda: crypto(["donald", "gerald"], "robert"))


def vellino(seed):
    """Bins of materials and colours: five kinds of items, three colours of bins."""
    rng = Random(seed)
    need = [1 + rng.below(3) for _ in range(5)]
    bins = sum(need)
    room = [0, 1, 3, 4]
    parts = [group(table("%0 %1", [(c, room[c]) for c in range(4)]), [f"c[{b}] k[{b}]" for b in range(bins)])]
    parts += [total(f"p[{b}][]", f"le,k[{b}]") for b in range(bins)]
    parts += [total(f"p[][{i}]", f"eq,{need[i]}") for i in range(5)]
    allowed = {1: (0, 1, 2), 2: (0, 3, 4), 3: (0, 1, 3)}
    parts += [f"<intension> imp(eq(c[{b}],{c}),eq(p[{b}][{i}],0)) </intension>" for b in range(bins) for c, s in allowed.items() for i in range(5) if i not in s]
    parts += [group(intension("or(eq(%0,0),eq(%1,0))"), [f"p[{b}][1] p[{b}][2]" for b in range(bins)])]
    parts += [f"<intension> iff(eq(c[{b}],0),eq(add(p[{b}][0],p[{b}][1],p[{b}][2],p[{b}][3],p[{b}][4]),0)) </intension>" for b in range(bins)]
    parts.append(block("<ordered><list> c[] </list><operator> ge </operator></ordered>"))
    return (array("c", bins, domain="0..3") + array("k", bins, domain="0..4") + array("p", bins, 5, domain="0..4"), parts,
            minimise(words(f"ne(c[{b}],0)" for b in range(bins)), "sum"))


model("vellino", "min")(lambda: vellino(2))
