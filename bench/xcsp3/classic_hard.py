"""The kinds that propagation alone is slow on."""
from itertools import combinations

from model import Random, words
from writer import array, array_of, block, different, element, group, intension, minimise, model, table, total


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
    return (f'<var id="q"> 0..{n * n - 1} </var>' + array("x", n * n, domain=f"0..{n * n - 1}") + array("b",
                                                                                                        len(primes), domain="0 1"),
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
        parts.append(group(f"<mdd><list> %... </list><transitions> {text} </transitions></mdd>", [f"w[{b}][]"
                                                                                                  for b in range(bins)]))
    else:
        parts.append(group(total("%...", f"le,{capacity}"), [f"w[{b}][]" for b in range(bins)]))
        parts.append(group("<ordered><list> %... </list><operator> ge </operator></ordered>", [f"w[{b}][]"
                                                                                               for b in range(bins)]))
    parts.append(f"<cardinality><list> w[][] </list><values> 0 {words(values)} </values>"
                 f"<occurs> {bins * most - n} {words(weights.count(v) for v in values)} </occurs></cardinality>")
    parts.append(block("<lex>" + "".join(f"<list> w[{b}][] </list>" for b in range(bins))
                       + "<operator> ge </operator></lex>"))
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
        parts.append(group(intension("eq(%0,and(le(%1,%2),le(%2,%3)))"), [f"o[{i}][{t}] s[{i}] {t} e[{i}]"
                                                                          for i in range(customers)]))
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
             block("<lex>" + "".join(f"<list> x[{r}][] </list>" for r in range(m))
                   + "<operator> le </operator></lex>")],
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
            [f"<count><list> s[] </list><values> {p} </values><condition> (eq,co[{p}]) </condition></count>"
             for p in range(periods)]
            + [total(f"cp[][{p}]", f"eq,cr[{p}]") for p in range(periods)]
            + [table(f"s[{c}] cp[{c}][]", [(p, *(credits[c] if q == p else 0 for q in range(periods)))
                                           for p in range(periods)]) for c in range(courses)]
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
    parts += [f"<intension> or(ge(v[{a}],v[{b}]),ne(v[{a}],neg(v[{b}]))) </intension>" for a in range(n)
              for b in range(n) if price[a] < price[b]]
    return (array("v", n, domain=f"{-m}..{m}") + array_of("p", n, [f"0 {price[j]}" for j in range(n)])
            + array("np", m, domain=words(sorted({0} | {p for p, _ in vouchers}))) + array("nf", m,
                                                                                           domain="0..2"), parts, minimise("p[]", "sum"))


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
             group(intension("eq(%0,add(%1,%2))"), [f"x[{i * k + j + 1}] x[{i * k + j}] {i + 2}" for i in range(n)
                                                    for j in range(k - 1)])]
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
             group(intension("ne(%0,0)"), [f"x[{letters.index(w[0])}]" for w in [*words_, result]])])


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
    parts += [f"<intension> imp(eq(c[{b}],{c}),eq(p[{b}][{i}],0)) </intension>" for b in range(bins) for c,
              s in allowed.items() for i in range(5) if i not in s]
    parts += [group(intension("or(eq(%0,0),eq(%1,0))"), [f"p[{b}][1] p[{b}][2]" for b in range(bins)])]
    parts += [f"<intension> iff(eq(c[{b}],0),eq(add(p[{b}][0],p[{b}][1],p[{b}][2],p[{b}][3],p[{b}][4]),0)) </intension>" for b in range(bins)]
    parts.append(block("<ordered><list> c[] </list><operator> ge </operator></ordered>"))
    return (array("c", bins, domain="0..3") + array("k", bins, domain="0..4") + array("p", bins, 5, domain="0..4"),
            parts,
            minimise(words(f"ne(c[{b}],0)" for b in range(bins)), "sum"))


model("vellino", "min")(lambda: vellino(2))
