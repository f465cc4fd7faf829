"""Scheduling, routing, packing and assignment: the best solution is sought."""
from itertools import combinations, product

from model import Random, words
from writer import array, array_of, block, different, element, group, intension, minimise, model, table, total


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
    parts = [f"<noOverlap><origins> s[{i}][] </origins><lengths> {words(d[i])} </lengths></noOverlap>"
             for i in range(n)]
    parts += [f"<noOverlap><origins> s[][{j}] </origins><lengths> {words(r[j] for r in d)} </lengths></noOverlap>"
              for j in range(n)]
    return (array("s", n, n, domain=f"0..{horizon}"), parts,
            minimise(words(f"add(s[{i}][{j}],{d[i][j]})" for i in range(n) for j in range(n)), "maximum"))


model("open-shop-4", "min")(lambda: open_shop(4, 1))
model("open-shop-5", "min")(lambda: open_shop(5, 1))


def flow_shop(n, m, seed):
    rng = Random(seed)
    d = [[1 + rng.below(20) for _ in range(m)] for _ in range(n)]
    horizon = sum(map(sum, d))
    parts = [f"<ordered><list> s[{j}][] </list><lengths> {words(d[j][:-1])} </lengths><operator> le </operator></ordered>" for j in range(n)]
    parts += [f"<noOverlap><origins> s[][{k}] </origins><lengths> {words(r[k] for r in d)} </lengths></noOverlap>"
              for k in range(m)]
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
    return (array("x", n, domain=f"0..{n - 1}") + array("d", len(pairs), domain=words(sorted({v for r in d
                                                                                              for v in r}))),
            [different("x[]"), group(table("%0 %1 %2", [(i, j, d[i][j]) for i in range(n) for j in range(n) if i != j]),
                                     [f"x[{a}] x[{b}] d[{k}]" for k, (a, b) in enumerate(pairs)])],
            minimise(f"<list> d[] </list><coeffs> {words(flow[a][b] for a, b in pairs)} </coeffs>", "sum"))


model("qap-7", "min")(lambda: qap(7, 2))
model("qap-9", "min")(lambda: qap(9, 2))


def warehouse(w, s, seed):
    rng = Random(seed)
    cost = [[10 + rng.below(90) for _ in range(w)] for _ in range(s)]
    fixed, room = 30, [2 + rng.below(3) for _ in range(w)]
    return (array("w", s, domain=f"0..{w - 1}") + array("c", s, domain="10..99") + array("o", w, domain="0 1"),
            [f"<count><list> w[] </list><values> {j} </values><condition> (le,{room[j]}) </condition></count>"
             for j in range(w)]
            + [element("o[]", f"w[{i}]", 1) for i in range(s)]
            + [element(words(cost[i]), f"w[{i}]", f"c[{i}]") for i in range(s)],
            minimise(f"<list> c[] o[] </list><coeffs> {words([1] * s + [fixed] * w)} </coeffs>", "sum"))


model("warehouse-5-10", "min")(lambda: warehouse(5, 10, 1))
model("warehouse-10-20", "min")(lambda: warehouse(10, 20, 7))


def still_life(n):
    cells = list(product(range(n + 2), repeat=2))
    # Eight neighbours and the cell: it stays as it is.
    good = [bits for bits in product((0, 1), repeat=9)
            if bits[8] == int(sum(bits[:8]) == 3 or (bits[8] == 1 and sum(bits[:8]) == 2))]
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
    parts = [group(total("%...", "le,4"), [words(x(a, b) for a, b in combinations(q, 2))
                                           for q in combinations(range(n), 4)])]
    parts += [total(words(x(i, j) for j in range(n) if j != i), f"eq,d[{i}]") for i in range(n)]
    parts += [group(intension("eq(mod(%0,3),0)"), [f"d[{i}]" for i in range(n)]),
              group(intension("gt(%0,0)"), [f"d[{i}]" for i in range(n)]),
              total("d[]", "eq,s"), intension("eq(mod(s,12),0)"),
              block("<ordered><list> d[] </list><operator> ge </operator></ordered>")]
    return (array("x", len(pairs), domain="0 1") + array("d", n, domain=f"0..{n - 1}")
            + f'<var id="s"> 0..{n * n} </var>',
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
    parts += [group(table("%0 %1", [(1, 0)], "conflicts"), [f"x[{i}][{d}] x[{i}][{d + 1}]" for i in range(n)
                                                            for d in range(days - 1)])]
    parts += [f"<count><list> x[{i}][] </list><values> 0 1 </values><condition> (in,{days // 2}..{days - 2}) </condition></count>" for i in range(n)]
    edges = "".join(f"(w{k},{s},w{k + 1})" for k in range(5) for s in (0, 1)) + "".join(f"(w{k},2,w0)"
                                                                                        for k in range(6))
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
    return (array("d", k, domain=words(range(n))) + array("c", n, k, domain="0..1000") + array("m", n,
                                                                                               domain="0..1000"),
            [element(words(abs(a - b) for b in at), f"d[{j}]", f"c[{i}][{j}]") for i, a in enumerate(at)
             for j in range(k)]
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
                     "<lex>" + "".join(f"<list> x[{p}][] </list>"
                                       for p in range(pieces)) + "<operator> ge </operator></lex>")],
            minimise("u[]", "sum"))


model("cutstock", "min")(lambda: cutstock([3, 5, 9], [13, 9, 6], 20, 12))


def social_golfers(g, s, w):
    n = g * s
    return (array("x", w, n, domain=f"0..{g - 1}"),
            [group(f"<cardinality><list> %... </list><values> {words(range(g))} </values><occurs> {words([s] * g)} </occurs></cardinality>",
                   [f"x[{i}][]" for i in range(w)]),
             group(intension("or(ne(%0,%1),ne(%2,%3))"),
                   [f"x[{a}][{p}] x[{a}][{q}] x[{b}][{p}] x[{b}][{q}]" for a, b in combinations(range(w), 2) for p,
                    q in combinations(range(n), 2)]),
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
            + [group(intension(f"le(add(%0,%1),{size})"), [f"{v}[{i}] {goal_sizes[i]}" for v in "xy"
                                                           for i in range(n)])]
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
    parts += [group(intension("ne(%0,%1)"), [f"o[{i}][{r}] o[{i}][{r + 1}]" for i in range(n)
                                             for r in range(rounds - 1)])]
    parts += [group(total("%...", "in,1..3"), [f"h[{i}][{r}..{r + 3}]" for i in range(n) for r in range(rounds - 3)])]
    for i in range(n):
        rows = [(h1, o1, h2, o2, d[i if h1 else o1][i if h2 else o2]) for h1 in (0, 1) for h2 in (0, 1)
                for o1 in range(n) for o2 in range(n) if o1 != i and o2 != i]
        parts.append(group(table("%0 %1 %2 %3 %4", rows),
                           [f"h[{i}][{r}] o[{i}][{r}] h[{i}][{r + 1}] o[{i}][{r + 1}] t[{i}][{r + 1}]"
                            for r in range(rounds - 1)]))
        ends = [(h, o, d[i if h else o][i]) for h in (0, 1) for o in range(n) if o != i]
        parts.append(group(table("%0 %1 %2", ends), [f"h[{i}][0] o[{i}][0] t[{i}][0]",
                                                     f"h[{i}][{rounds - 1}] o[{i}][{rounds - 1}] t[{i}][{rounds}]"]))
    return opponents + home + travel, parts, minimise("t[][]", "sum")


model("ttp-4", "min")(lambda: ttp(4, 6))


def mario(n, seed):
    """A path from the first to the last house that collects gold within the fuel."""
    rng = Random(seed)
    d = points(n, seed, 60)
    gold = [0] + [20 + rng.below(80) for _ in range(n - 2)] + [0]
    fuel = 200
    return (array("s", n, domain=words(range(n))) + array("f", n, domain=f"0..{max(map(max, d))}") + array("g", n,
                                                                                                           domain="0..100"),
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
    return (array("s", m, domain=f"0..{m - 1}") + array("c", m, domain=f"0..{max(map(max, dist))}") + array("v", m,
                                                                                                            domain=f"0..{k - 1}"),
            ["<circuit> s[] </circuit>", group(intension("ne(%0,%1)"), [f"s[{i}] {i}" for i in range(m)]),
             f"<instantiation><list> v[0..{k - 1}] </list><values> {words(range(k))} </values></instantiation>"]
            + [element(words(dist[i]), f"s[{i}]", f"c[{i}]") for i in range(m)]
            + [f"<intension> imp(eq(s[{i}],{j}),eq(v[{i}],v[{j}])) </intension>" for i in range(m) for j in range(k,
                                                                                                                  m) if i != j]
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
            + array("c", racks, domain="0..200") + array("x", racks, len(cards),
                                                         domain="0..7"), parts, minimise("c[]", "sum"))


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
            [different("q[]"), different(words(f"add(q[{i}],{i})" for i in range(n))),
             different(words(f"sub(q[{i}],{i})" for i in range(n))),
             group(intension("ne(dist(%0,%1),%2)"), [f"q[{i}] q[{i + 1}] 2" for i in range(n - 1)]
                   + [f"q[{i}] q[{i + 2}] 1" for i in range(n - 2)])])


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
        near = [f"x[{a}][{b}]" for a, b in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1))
                if 0 <= a < n and 0 <= b < m]
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
            + [f"<intension> imp(eq(s[{i}],{i}),ne(l[{k}],{i})) </intension>" for i in range(towns)
               for k in range(products)],
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
        terms = ["or(" + ",".join(f"eq(s[{i}],{b})" for i in range(n) if colours[i] == c) + ")" for c in range(4)
                 if colours.count(c)]
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
            [total(words(f"x[{k}]" for k, s in enumerate(slices) if c in s), "le,1") for c in product(range(n),
                                                                                                      repeat=2)
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
    return (array("id", n, n, domain=f"0..{n * n - 1}") + array("t", n + 1, n, domain=f"0..{colours}") + array("l",
                                                                                                               n, n + 1, domain=f"0..{colours}"),
            [different("id[][]"),
             group(table("%0 %1 %2 %3 %4", rows),
                   [f"id[{i}][{j}] t[{i}][{j}] l[{i}][{j + 1}] t[{i + 1}][{j}] l[{i}][{j}]" for i in range(n)
                    for j in range(n)]),
             f"<instantiation><list> t[0][] t[{n}][] l[][0] l[][{n}] </list><values> 0x{4 * n} </values></instantiation>"])


model("eternity-4-4", "count")(lambda: eternity(4, 4, 3))
model("eternity-5-5", "count")(lambda: eternity(5, 5, 3))
model("eternity-6-5", "first", "sat")(lambda: eternity(6, 5, 3))
