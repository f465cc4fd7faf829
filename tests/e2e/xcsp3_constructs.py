#!/usr/bin/env python3
"""Every construct of XCSP3-core: one tiny instance each, and the count of its
solutions by enumeration.

  tests/e2e/xcsp3_constructs.py ALEA [--list] [NAME...]

A case has variables, the text of its constraints (or a whole instance) and a
Python predicate that says the same in plain words.  The solver must count as
many solutions as there are assignments that the predicate accepts; with a goal,
its best value must be the best over them.  --list prints the names.
"""
import itertools
import json
import subprocess
import sys

CASES = []


def case(name, variables, text, accept, objective=None, goal=None, best=None, kind="CSP"):
    """variables: XML text to a list of (key, domain); accept: a function of a dict."""
    CASES.append((name, variables, text, accept, objective, goal, best, kind))


def array(name, count, low, high, start=0):
    """An array of variables over low..high."""
    extra = f' startIndex="{start}"' if start else ""
    text = f'<array id="{name}" size="[{count}]"{extra}> {low}..{high} </array>'
    return text, [((name, i + start), range(low, high + 1)) for i in range(count)]


def both(*parts):
    return "".join(p[0] for p in parts), [v for p in parts for v in p[1]]


def column(v, name):
    return [v[k] for k in sorted(k for k in v if k[0] == name)]


X3 = array("x", 3, 0, 3)
X4 = array("x", 4, 0, 3)
XY = both(array("x", 3, 0, 3), array("y", 3, 0, 2))


def xs(accept):
    """A predicate of the list of the x alone."""
    return lambda v: accept(column(v, "x"))


def xys(accept):
    return lambda v: accept(column(v, "x"), column(v, "y"))


def intension(name, text, accept, variables=X3):
    case("intension/" + name, variables, f"<intension> {text} </intension>", xs(accept))


def trunc_div(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


# ---- intension: every operator ----
S3 = array("x", 3, -2, 2)
intension("neg abs", "eq(neg(x[0]),abs(x[1]))", lambda x: -x[0] == abs(x[1]), S3)
intension("add sub n-ary", "eq(add(x[0],x[1],x[2]),sub(x[0],x[1]))", lambda x: sum(x) == x[0] - x[1], S3)
intension("mul n-ary", "le(mul(x[0],x[1],x[2]),-1)", lambda x: x[0] * x[1] * x[2] <= -1, S3)
intension("div", "eq(div(x[0],x[1]),x[2])",
          lambda x: x[1] != 0 and trunc_div(x[0], x[1]) == x[2], S3)
intension("mod", "eq(mod(x[0],x[1]),x[2])",
          lambda x: x[1] != 0 and x[0] - x[1] * trunc_div(x[0], x[1]) == x[2], S3)
intension("sqr pow", "eq(sqr(x[0]),pow(x[1],2))", lambda x: x[0]**2 == x[1]**2, S3)
intension("pow", "eq(pow(x[0],x[1]),x[2])", lambda x: x[0]**x[1] == x[2])
intension("min max n-ary", "lt(min(x[0],x[1],x[2]),sub(max(x[0],x[1],x[2]),2))",
          lambda x: min(x) < max(x) - 2)
intension("dist", "eq(dist(x[0],x[1]),x[2])", lambda x: abs(x[0] - x[1]) == x[2])
intension("lt le gt ge", "and(lt(x[0],x[1]),le(x[1],x[2]),gt(x[2],0),ge(x[2],2))",
          lambda x: x[0] < x[1] <= x[2] and x[2] >= 2)
intension("eq n-ary", "eq(x[0],x[1],x[2])", lambda x: x[0] == x[1] == x[2])
intension("ne", "ne(x[0],x[1])", lambda x: x[0] != x[1], array("x", 2, 0, 3))
intension("in notin", "and(in(x[0],set(1,3)),notin(x[1],set(0,x[2])))",
          lambda x: x[0] in (1, 3) and x[1] not in (0, x[2]))
intension("in range", "in(x[0],1..2)", lambda x: 1 <= x[0] <= 2, array("x", 1, 0, 3))
intension("in empty set", "notin(x[0],set())", lambda x: True, array("x", 1, 0, 3))
intension("not and or", "not(or(and(eq(x[0],1),eq(x[1],2)),eq(x[2],0)))",
          lambda x: not ((x[0] == 1 and x[1] == 2) or x[2] == 0))
intension("xor n-ary", "xor(eq(x[0],1),eq(x[1],1),eq(x[2],1))",
          lambda x: sum(v == 1 for v in x) % 2 == 1)
intension("iff n-ary", "iff(eq(x[0],1),eq(x[1],1),eq(x[2],1))",
          lambda x: len({v == 1 for v in x}) == 1)
intension("imp", "imp(eq(x[0],x[1]),gt(x[2],x[0]))", lambda x: x[0] != x[1] or x[2] > x[0])
intension("if", "eq(if(lt(x[0],x[1]),x[2],x[0]),2)",
          lambda x: (x[2] if x[0] < x[1] else x[0]) == 2)
intension("a 0/1 variable as a condition", "or(x[0],not(x[1]))",
          lambda x: x[0] == 1 or x[1] == 0, array("x", 2, 0, 1))
case("intension/function", X3, "<intension><function> eq(x[0],x[1]) </function></intension>",
     xs(lambda x: x[0] == x[1]))

# ---- extension ----
TABLE = "<extension><list> x[] </list><{0}> {1} </{0}></extension>"
case("extension/supports", X3, TABLE.format("supports", "(0,1,2)(3,3,3)(1,0,0)"),
     xs(lambda x: x in ([0, 1, 2], [3, 3, 3], [1, 0, 0])))
case("extension/conflicts", X3, TABLE.format("conflicts", "(0,1,2) (3,3,3)"),
     xs(lambda x: x not in ([0, 1, 2], [3, 3, 3])))
case("extension/short supports", X3, TABLE.format("supports", "(0,*,2)(*,3,*)"),
     xs(lambda x: (x[0] == 0 and x[2] == 2) or x[1] == 3))
case("extension/short conflicts", X3, TABLE.format("conflicts", "(0,*,2)(*,3,*)"),
     xs(lambda x: not ((x[0] == 0 and x[2] == 2) or x[1] == 3)))
case("extension/smart entries", X3, TABLE.format("supports", "(0..1,{2,3},>=2)(!=3,*,=0)"),
     xs(lambda x: (x[0] <= 1 and x[1] >= 2 and x[2] >= 2) or (x[0] != 3 and x[2] == 0)))
case("extension/unary", X3, "<extension><list> x[1] </list><supports> 0 2..3 </supports></extension>",
     lambda v: v["x", 1] in (0, 2, 3))
case("extension/empty supports", X3, TABLE.format("supports", ""), lambda v: False)
case("extension/empty conflicts", X3, TABLE.format("conflicts", ""), lambda v: True)
case("extension/symbolic", ('<array id="x" size="[2]" type="symbolic"> a b c </array>',
     [(("x", 0), "abc"), (("x", 1), "abc")]), TABLE.format("supports", "(a,b)(c,c)(b,*)"),
     xs(lambda x: x in (["a", "b"], ["c", "c"]) or x[0] == "b"))
case("intension/symbolic", ('<array id="x" size="[2]" type="symbolic"> a b c </array>',
     [(("x", 0), "abc"), (("x", 1), "abc")]), "<intension> or(eq(x[0],a),ne(x[0],x[1])) </intension>",
     xs(lambda x: x[0] == "a" or x[0] != x[1]))

# ---- languages ----
case("regular", X4, "<regular><list> x[] </list><transitions> (a,0,a)(a,1,b)(b,1,b)(b,2,c)(c,3,a) "
     "</transitions><start> a </start><final> a c </final></regular>",
     xs(lambda x: run({("a", 0): "a", ("a", 1): "b", ("b", 1): "b", ("b", 2): "c", ("c", 3): "a"},
                      "a", x) in ("a", "c")))
case("mdd", X3, "<mdd><list> x[] </list><transitions> (r,0,a)(r,2,b)(a,1,c)(b,1,c)(b,3,d)(c,0,t)"
     "(c,2,t)(d,3,t) </transitions></mdd>",
     xs(lambda x: run({("r", 0): "a", ("r", 2): "b", ("a", 1): "c", ("b", 1): "c", ("b", 3): "d",
                       ("c", 0): "t", ("c", 2): "t", ("d", 3): "t"}, "r", x) == "t"))


def run(edges, state, word):
    for letter in word:
        state = edges.get((state, letter))
    return state


# ---- comparisons ----
case("allDifferent", X3, "<allDifferent> x[] </allDifferent>", xs(lambda x: len(set(x)) == 3))
case("allDifferent/expressions", X3, "<allDifferent> add(x[0],1) x[1] mul(x[2],2) </allDifferent>",
     xs(lambda x: len({x[0] + 1, x[1], 2 * x[2]}) == 3))
case("allDifferent/except", X3,
     "<allDifferent><list> x[] </list><except> 0 2 </except></allDifferent>",
     xs(lambda x: all(a != b or a in (0, 2) for a, b in itertools.combinations(x, 2))))
case("allDifferent/lists", XY, "<allDifferent><list> x[0..1] </list><list> y[0..1] </list>"
     "<list> x[2] y[2] </list></allDifferent>",
     xys(lambda x, y: len({(x[0], x[1]), (y[0], y[1]), (x[2], y[2])}) == 3))
case("allDifferent/lists except", both(array("x", 2, 0, 2), array("y", 2, 0, 2)),
     "<allDifferent><list> x[] </list><list> y[] </list><except> (0,0)(1,2) </except></allDifferent>",
     xys(lambda x, y: x != y or x in ([0, 0], [1, 2])))
M = '<array id="x" size="[2][3]"> 0..2 </array>', [(("x", i), range(3)) for i in range(6)]
case("allDifferent/matrix", M, "<allDifferent><matrix> x[][] </matrix></allDifferent>",
     xs(lambda x: len(set(x[:3])) == 3 == len(set(x[3:])) and all(x[i] != x[i + 3] for i in range(3))))
case("allDifferent/matrix except", M,
     "<allDifferent><matrix> x[][] </matrix><except> 0 </except></allDifferent>",
     xs(lambda x: all(a != b or a == 0 for line in (x[:3], x[3:], x[::3], x[1::3], x[2::3])
                      for a, b in itertools.combinations(line, 2))))
case("allEqual", X3, "<allEqual> x[] </allEqual>", xs(lambda x: len(set(x)) == 1))
case("allEqual/except", X3, "<allEqual><list> x[] </list><except> 0 </except></allEqual>",
     xs(lambda x: len(set(x) - {0}) <= 1))
case("allEqual/expressions", X3, "<allEqual> add(x[0],1) x[1] </allEqual>",
     xs(lambda x: x[0] + 1 == x[1]))
for op, holds in (("lt", lambda a, b: a < b), ("le", lambda a, b: a <= b),
                  ("ge", lambda a, b: a >= b), ("gt", lambda a, b: a > b)):
    case(f"ordered/{op}", X3, f"<ordered><list> x[] </list><operator> {op} </operator></ordered>",
         xs(lambda x, h=holds: h(x[0], x[1]) and h(x[1], x[2])))
    case(f"ordered/{op} lengths", X3, "<ordered><list> x[] </list><lengths> 1 -1 </lengths>"
         f"<operator> {op} </operator></ordered>",
         xs(lambda x, h=holds: h(x[0] + 1, x[1]) and h(x[1] - 1, x[2])))
    case(f"lex/{op}", XY, "<lex><list> x[] </list><list> y[] </list><list> 2 1 1 </list>"
         f"<operator> {op} </operator></lex>",
         xys(lambda x, y, h=holds: h(x, y) and h(y, [2, 1, 1])))
case("ordered/variable lengths", XY, "<ordered><list> x[] </list><lengths> y[0] y[1] </lengths>"
     "<operator> le </operator></ordered>",
     xys(lambda x, y: x[0] + y[0] <= x[1] and x[1] + y[1] <= x[2]))
case("lex/matrix", M, "<lex><matrix> x[][] </matrix><operator> le </operator></lex>",
     xs(lambda x: x[:3] <= x[3:] and x[::3] <= x[1::3] <= x[2::3]))


def precedes(x, values, covered=False):
    first = [x.index(v) if v in x else None for v in values]
    for a, b in zip(first, first[1:]):
        if b is not None and (a is None or a > b):
            return False
    return not covered or None not in first


case("precedence", X4, "<precedence> x[] </precedence>", xs(lambda x: precedes(x, [0, 1, 2, 3])))
case("precedence/values", X4,
     "<precedence><list> x[] </list><values> 3 1 </values></precedence>",
     xs(lambda x: precedes(x, [3, 1])))
case("precedence/covered", X4,
     '<precedence><list> x[] </list><values covered="true"> 3 1 0 </values></precedence>',
     xs(lambda x: precedes(x, [3, 1, 0], True)))

# ---- sums and counts ----
SUM = "<sum><list> {} </list>{}<condition> {} </condition></sum>"
case("sum", X3, SUM.format("x[]", "", "(eq,5)"), xs(lambda x: sum(x) == 5))
case("sum/coeffs", X3, SUM.format("x[]", "<coeffs> 2 -1 3 </coeffs>", "(gt,4)"),
     xs(lambda x: 2 * x[0] - x[1] + 3 * x[2] > 4))
case("sum/compact coeffs", X3, SUM.format("x[]", "<coeffs> 2x3 </coeffs>", "(ne,6)"),
     xs(lambda x: 2 * sum(x) != 6))
case("sum/coeffs as variables", XY, SUM.format("x[]", "<coeffs> y[] </coeffs>", "(le,4)"),
     xys(lambda x, y: sum(a * b for a, b in zip(x, y)) <= 4))
case("sum/a variable in the condition", X3, SUM.format("x[0] x[1]", "", "(lt,x[2])"),
     xs(lambda x: x[0] + x[1] < x[2]))
case("sum/in a range", X3, SUM.format("x[]", "", "(in,3..5)"), xs(lambda x: 3 <= sum(x) <= 5))
case("sum/in a set", X3, SUM.format("x[]", "", "(in,{2,7})"), xs(lambda x: sum(x) in (2, 7)))
case("sum/notin a set", X3, SUM.format("x[]", "", "(notin,{2,7})"), xs(lambda x: sum(x) not in (2, 7)))
case("sum/notin a range", X3, SUM.format("x[]", "", "(notin,3..5)"),
     xs(lambda x: not 3 <= sum(x) <= 5))
case("sum/expressions", X3, SUM.format("eq(x[0],1) gt(x[1],x[2]) x[0]", "<coeffs> 3 2 1 </coeffs>", "(ge,4)"),
     xs(lambda x: 3 * (x[0] == 1) + 2 * (x[1] > x[2]) + x[0] >= 4))
case("sum/an expression in the condition", X3, SUM.format("x[0] x[1]", "", "(eq,mul(x[2],2))"),
     xs(lambda x: x[0] + x[1] == 2 * x[2]))
COUNT = "<count><list> {} </list><values> {} </values><condition> {} </condition></count>"
case("count", X3, COUNT.format("x[]", "1", "(ge,2)"), xs(lambda x: x.count(1) >= 2))
case("count/several values", X3, COUNT.format("x[]", "1 3", "(in,1..2)"),
     xs(lambda x: 1 <= sum(v in (1, 3) for v in x) <= 2))
case("count/variables as values", X3, COUNT.format("x[0..1]", "x[2]", "(eq,1)"),
     xs(lambda x: x[:2].count(x[2]) == 1))
case("count/a variable in the condition", X3, COUNT.format("x[0..1]", "0 1", "(eq,x[2])"),
     xs(lambda x: sum(v in (0, 1) for v in x[:2]) == x[2]))
case("count/expressions", X3, COUNT.format("add(x[0],x[1]) x[2]", "2", "(ne,1)"),
     xs(lambda x: [x[0] + x[1], x[2]].count(2) != 1))
NVALUES = "<nValues><list> {} </list>{}<condition> {} </condition></nValues>"
case("nValues", X3, NVALUES.format("x[]", "", "(eq,2)"), xs(lambda x: len(set(x)) == 2))
case("nValues/except", X3, NVALUES.format("x[]", "<except> 0 1 </except>", "(le,1)"),
     xs(lambda x: len(set(x) - {0, 1}) <= 1))
case("nValues/a variable", X4, NVALUES.format("x[0..2]", "", "(eq,x[3])"),
     xs(lambda x: len(set(x[:3])) == x[3]))
case("nValues/expressions", X3, NVALUES.format("add(x[0],1) x[1] mul(x[2],2)", "", "(gt,2)"),
     xs(lambda x: len({x[0] + 1, x[1], 2 * x[2]}) > 2))
CARD = "<cardinality><list> x[] </list><values{}> {} </values><occurs> {} </occurs></cardinality>"
case("cardinality", X4, CARD.format("", "0 2", "1 2"), xs(lambda x: x.count(0) == 1 and x.count(2) == 2))
case("cardinality/intervals", X4, CARD.format("", "0 2", "0..1 1..3"),
     xs(lambda x: x.count(0) <= 1 and 1 <= x.count(2) <= 3))
case("cardinality/variables occur", XY, CARD.format("", "0 1", "y[0] y[1]"),
     xys(lambda x, y: x.count(0) == y[0] and x.count(1) == y[1]))
case("cardinality/closed", X4, CARD.format(' closed="true"', "0 1 3", "0..2 1 0..4"),
     xs(lambda x: 2 not in x and x.count(0) <= 2 and x.count(1) == 1))
case("cardinality/variables as values", XY, CARD.format("", "y[0] y[1]", "1 2"),
     xys(lambda x, y: x.count(y[0]) == 1 and x.count(y[1]) == 2))
case("cardinality/closed variables as values", XY, CARD.format(' closed="true"', "y[0] y[1]", "1 0..2"),
     xys(lambda x, y: x.count(y[0]) == 1 and x.count(y[1]) <= 2 and set(x) <= {y[0], y[1]}))

# ---- connections ----
EXTREMUM = "<{0}><list> {1} </list>{2}</{0}>"
for name, best in (("minimum", min), ("maximum", max)):
    case(name, X3, EXTREMUM.format(name, "x[0] x[1]", "<condition> (eq,x[2]) </condition>"),
         xs(lambda x, b=best: b(x[:2]) == x[2]))
    case(f"{name}/expressions", X3, EXTREMUM.format(
        name, "add(x[0],x[1]) mul(x[2],2)", "<condition> (in,{1,3}) </condition>"),
        xs(lambda x, b=best: b(x[0] + x[1], 2 * x[2]) in (1, 3)))
    for rank in ("any", "first", "last"):
        def arg(x, k, b=best, r=rank):
            places = [i for i in range(3) if x[i] == b(x[:3])]
            return k in {"any": places, "first": places[:1], "last": places[-1:]}[r]
        case(f"{name}Arg/{rank}", X4, f'<{name}Arg rank="{rank}"><list> x[0..2] </list>'
             f"<condition> (eq,x[3]) </condition></{name}Arg>", xs(lambda x, a=arg: a(x, x[3])))
        case(f"{name}Arg/{rank} condition", X3, f'<{name}Arg rank="{rank}"><list> x[] </list>'
             f"<condition> (ge,1) </condition></{name}Arg>",
             xs(lambda x, a=arg: any(a(x, k) for k in (1, 2))))
        case(f"{name}/index {rank}", X4, f"<{name}><list> x[0..2] </list><index rank=\"{rank}\"> x[3] </index>"
             f"<condition> (le,2) </condition></{name}>",
             xs(lambda x, a=arg, b=best: a(x, x[3]) and b(x[:3]) <= 2))
ELEMENT = "<element><list{}> {} </list>{}{}</element>"
case("element", X4, ELEMENT.format("", "x[0..1] 3", "<index> x[2] </index>", "<value> x[3] </value>"),
     xs(lambda x: x[2] <= 2 and [x[0], x[1], 3][x[2]] == x[3]))
case("element/numbers", X3, ELEMENT.format("", "3 1 2 1", "<index> x[0] </index>", "<value> x[1] </value>"),
     xs(lambda x: [3, 1, 2, 1][x[0]] == x[1]))
case("element/startIndex", X3, ELEMENT.format(' startIndex="1"', "3 1 2", "<index> x[0] </index>", "<value> x[1] </value>"),
     xs(lambda x: x[0] >= 1 and [3, 1, 2][x[0] - 1] == x[1]))
case("element/condition", X3, ELEMENT.format("", "x[0..1]", "<index> x[2] </index>", "<condition> (lt,2) </condition>"),
     xs(lambda x: x[2] <= 1 and x[x[2]] < 2))
case("element/condition in a set", X3, ELEMENT.format("", "x[0..1]", "<index> x[2] </index>", "<condition> (notin,{0,3}) </condition>"),
     xs(lambda x: x[2] <= 1 and x[x[2]] not in (0, 3)))
case("element/no index", X3, ELEMENT.format("", "x[0..1]", "", "<value> x[2] </value>"),
     xs(lambda x: x[2] in x[:2]))
case("element/no index, condition", X3, ELEMENT.format("", "x[0..1]", "", "<condition> (gt,x[2]) </condition>"),
     xs(lambda x: max(x[:2]) > x[2]))
case("element/no index, condition in a range", X3, ELEMENT.format("", "x[0..1]", "", "<condition> (in,1..2) </condition>"),
     xs(lambda x: any(1 <= v <= 2 for v in x[:2])))
case("element/expressions", X3, ELEMENT.format("", "add(x[0],1) x[1]", "<index> x[2] </index>", "<value> 2 </value>"),
     xs(lambda x: x[2] <= 1 and [x[0] + 1, x[1]][x[2]] == 2))
case("element/matrix of numbers", X3, "<element><matrix> (0,2,1)(3,1,2) </matrix><index> x[0] x[1] "
     "</index><value> x[2] </value></element>",
     xs(lambda x: x[0] <= 1 and x[1] <= 2 and [[0, 2, 1], [3, 1, 2]][x[0]][x[1]] == x[2]))
case("element/matrix of variables", both(('<array id="x" size="[2][2]"> 0..2 </array>',
     [(("x", i), range(3)) for i in range(4)]), array("y", 2, 0, 2)),
     "<element><matrix> x[][] </matrix><index> y[0] y[1] </index><condition> (ge,1) </condition></element>",
     xys(lambda x, y: y[0] <= 1 and y[1] <= 1 and x[2 * y[0] + y[1]] >= 1))
case("element/matrix startRowIndex", X3, '<element><matrix startRowIndex="1" startColIndex="1"> (0,2)(3,1) '
     "</matrix><index> x[0] x[1] </index><value> x[2] </value></element>",
     xs(lambda x: 1 <= x[0] <= 2 and 1 <= x[1] <= 2 and [[0, 2], [3, 1]][x[0] - 1][x[1] - 1] == x[2]))
case("channel", X4, "<channel> x[] </channel>", xs(lambda x: all(x[x[i]] == i for i in range(4))))
case("channel/two lists", both(array("x", 3, 0, 3), array("y", 3, 0, 3)),
     "<channel><list> x[] </list><list> y[] </list></channel>",
     xys(lambda x, y: all(v < 3 for v in x + y) and
         all((x[i] == j) == (y[j] == i) for i in range(3) for j in range(3))))
case("channel/a shorter first list", both(array("x", 2, 0, 3), array("y", 3, 0, 2)),
     "<channel><list> x[] </list><list> y[] </list></channel>",
     xys(lambda x, y: all(v < 3 and y[v] == i for i, v in enumerate(x))))
case("channel/value", both(array("x", 3, 0, 1), array("y", 1, 0, 3)),
     "<channel><list> x[] </list><value> y[0] </value></channel>",
     xys(lambda x, y: y[0] < 3 and x == [int(i == y[0]) for i in range(3)]))

# ---- packing and scheduling ----
case("noOverlap", X3, "<noOverlap><origins> x[] </origins><lengths> 1 2 1 </lengths></noOverlap>",
     xs(lambda x: apart(x, [1, 2, 1])))
case("noOverlap/variable lengths", XY, "<noOverlap><origins> x[] </origins><lengths> y[] </lengths></noOverlap>",
     xys(lambda x, y: apart([a for a, b in zip(x, y) if b], [b for b in y if b])))
case("noOverlap/zeroIgnored false", XY, '<noOverlap zeroIgnored="false"><origins> x[] </origins><lengths> y[] </lengths></noOverlap>',
     xys(lambda x, y: apart(x, y)))
case("noOverlap/boxes", X4, "<noOverlap><origins> (x[0],x[1])(x[2],x[3]) </origins><lengths> (2,1)(1,3) "
     "</lengths></noOverlap>", xs(lambda x: x[0] + 2 <= x[2] or x[2] + 1 <= x[0] or x[1] + 1 <= x[3] or x[3] + 3 <= x[1]))
case("noOverlap/boxes of variable lengths", both(array("x", 4, 0, 2), array("y", 2, 1, 2)),
     "<noOverlap><origins> (x[0],x[1])(x[2],x[3]) </origins><lengths> (y[0],1)(y[1],2) </lengths></noOverlap>",
     xys(lambda x, y: x[0] + y[0] <= x[2] or x[2] + y[1] <= x[0] or x[1] + 1 <= x[3] or x[3] + 2 <= x[1]))


def apart(x, lengths):
    return all(x[i] + lengths[i] <= x[j] or x[j] + lengths[j] <= x[i]
               for i, j in itertools.combinations(range(len(x)), 2))


def profile(x, lengths, heights):
    return [sum(h for s, d, h in zip(x, lengths, heights) if s <= t < s + d) for t in range(10)]


CUMULATIVE = "<cumulative><origins> x[] </origins><lengths> {} </lengths>{}<heights> {} </heights><condition> {} </condition></cumulative>"
case("cumulative", X3, CUMULATIVE.format("2 1 2", "", "2 1 1", "(le,2)"),
     xs(lambda x: max(profile(x, [2, 1, 2], [2, 1, 1])) <= 2))
case("cumulative/lt", X3, CUMULATIVE.format("2 1 2", "", "2 1 1", "(lt,3)"),
     xs(lambda x: max(profile(x, [2, 1, 2], [2, 1, 1])) < 3))
case("cumulative/variable lengths", XY, CUMULATIVE.format("y[]", "", "2 1 2", "(le,3)"),
     xys(lambda x, y: max(profile(x, y, [2, 1, 2])) <= 3))
case("cumulative/variable heights and limit", both(array("x", 3, 0, 2), array("y", 3, 0, 2), array("z", 1, 1, 4)),
     CUMULATIVE.format("1 2 1", "", "y[]", "(le,z[0])"),
     lambda v: max(profile(column(v, "x"), [1, 2, 1], column(v, "y"))) <= v["z", 0])
case("cumulative/ends", both(array("x", 2, 0, 2), array("y", 2, 0, 4)),
     CUMULATIVE.format("2 1", "<ends> y[] </ends>", "1 2", "(le,2)"),
     xys(lambda x, y: y == [x[0] + 2, x[1] + 1] and max(profile(x, [2, 1], [1, 2])) <= 2))


def loads(x, sizes, bins):
    return [sum(s for b, s in zip(x, sizes) if b == bin) for bin in bins]


PACKING = "<binPacking><list> x[] </list><sizes> 3 2 4 </sizes>{}</binPacking>"
case("binPacking", X3, PACKING.format("<condition> (le,5) </condition>"),
     xs(lambda x: max(loads(x, [3, 2, 4], range(4))) <= 5))
case("binPacking/limits", X3, PACKING.format("<limits> 5 4 0 3 </limits>"),
     xs(lambda x: all(a <= b for a, b in zip(loads(x, [3, 2, 4], range(4)), [5, 4, 0, 3]))))
case("binPacking/loads", both(array("x", 3, 0, 2), array("y", 3, 0, 6)), PACKING.format("<loads> y[] </loads>"),
     xys(lambda x, y: loads(x, [3, 2, 4], range(3)) == y))
case("binPacking/conditions", X3, PACKING.format("<conditions> (le,5)(in,{0,4})(ne,3)(lt,6) </conditions>"),
     xs(lambda x: (lambda l: l[0] <= 5 and l[1] in (0, 4) and l[2] != 3 and l[3] < 6)(loads(x, [3, 2, 4], range(4)))))
case("knapsack", X3, "<knapsack><list> x[] </list><weights> 2 3 1 </weights><condition> (le,8) </condition>"
     "<profits> 3 5 1 </profits><condition> (ge,9) </condition></knapsack>",
     xs(lambda x: 2 * x[0] + 3 * x[1] + x[2] <= 8 and 3 * x[0] + 5 * x[1] + x[2] >= 9))
case("knapsack/limit", X3, "<knapsack><list> x[] </list><weights> 2 3 1 </weights><limit> 8 </limit>"
     "<profits> 3 5 1 </profits><condition> (ge,9) </condition></knapsack>",
     xs(lambda x: 2 * x[0] + 3 * x[1] + x[2] <= 8 and 3 * x[0] + 5 * x[1] + x[2] >= 9))
# What leaves a node, less what enters it, is its balance.
case("flow", X4, "<flow><list> x[] </list><balance> 2 0 -2 </balance><arcs> (0,1)(0,2)(1,2)(2,0) </arcs></flow>",
     xs(lambda x: x[0] + x[1] - x[3] == 2 and x[2] - x[0] == 0 and x[3] - x[1] - x[2] == -2))
case("flow/weights", X4, "<flow><list> x[] </list><balance> 2 0 -2 </balance><arcs> (0,1)(0,2)(1,2)(2,0) </arcs>"
     "<weights> 1 4 2 1 </weights><condition> (le,9) </condition></flow>",
     xs(lambda x: x[0] + x[1] - x[3] == 2 and x[2] == x[0] and x[3] - x[1] - x[2] == -2 and
        x[0] + 4 * x[1] + 2 * x[2] + x[3] <= 9))


def tour(x):
    """The length of the only cycle of successors; None if there is not exactly one."""
    visited = [i for i, s in enumerate(x) if s != i]
    if not visited or sorted(x) != list(range(len(x))):
        return None
    at, length = x[visited[0]], 1
    while at != visited[0]:
        at, length = x[at], length + 1
    return length if length == len(visited) else None


case("circuit", X4, "<circuit> x[] </circuit>", xs(lambda x: tour(x) is not None))
case("circuit/size", X4, "<circuit><list> x[] </list><size> 3 </size></circuit>", xs(lambda x: tour(x) == 3))
case("circuit/variable size", both(array("x", 3, 0, 2), array("y", 1, 0, 3)),
     "<circuit><list> x[] </list><size> y[0] </size></circuit>", xys(lambda x, y: tour(x) == y[0]))
case("circuit/startIndex", array("x", 3, 1, 3), '<circuit><list startIndex="1"> x[] </list></circuit>',
     xs(lambda x: tour([v - 1 for v in x]) is not None))


def runs(x):
    return [(v, len(list(g))) for v, g in itertools.groupby(x)]


STRETCH = "<stretch><list> x[] </list><values> 0 1 2 </values><widths> 1..2 2 1..3 </widths>{}</stretch>"
W5 = array("x", 5, 0, 2)
case("stretch", W5, STRETCH.format(""),
     xs(lambda x: all(a <= n <= b for v, n in runs(x) for a, b in [[(1, 2), (2, 2), (1, 3)][v]])))
case("stretch/patterns", W5, STRETCH.format("<patterns> (0,1)(1,2)(2,0) </patterns>"),
     xs(lambda x: all(a <= n <= b for v, n in runs(x) for a, b in [[(1, 2), (2, 2), (1, 3)][v]]) and
        all((a, b) in ((0, 1), (1, 2), (2, 0)) for a, b in zip(x, x[1:]) if a != b)))
case("instantiation", X3, "<instantiation><list> x[0] x[2] </list><values> 1 3 </values></instantiation>",
     lambda v: v["x", 0] == 1 and v["x", 2] == 3)
case("instantiation/star and repetition", X4,
     "<instantiation><list> x[] </list><values> 1x2 * 3 </values></instantiation>",
     xs(lambda x: x[:2] == [1, 1] and x[3] == 3))
case("clause", array("x", 3, 0, 1), "<clause> x[0] not(x[1]) x[2] </clause>",
     xs(lambda x: x[0] or not x[1] or x[2]))
case("clause/list", array("x", 2, 0, 1), "<clause><list> not(x[0]) not(x[1]) </list></clause>",
     xs(lambda x: x != [1, 1]))

# ---- groups, slides, blocks ----
case("group", X4, "<group><intension> lt(%0,%1) </intension><args> x[0] x[1] </args><args> x[2] x[3] </args></group>",
     xs(lambda x: x[0] < x[1] and x[2] < x[3]))
case("group/the rest", X4, "<group><sum><list> %... </list><condition> (le,%0) </condition></sum>"
     "<args> 2 x[0..1] </args><args> x[0] x[2..3] </args></group>",
     xs(lambda x: x[0] + x[1] <= 2 and x[2] + x[3] <= x[0]))
case("group/several parts", X4, "<group><sum><list> %1 %2 </list><coeffs> %3 1 </coeffs><condition> (%0,3) "
     "</condition></sum><args> le x[0] x[1] 2 </args><args> eq x[2] x[3] 1 </args></group>",
     xs(lambda x: 2 * x[0] + x[1] <= 3 and x[2] + x[3] == 3))
case("group/tables", X4, "<group><extension><list> %0 %1 </list><conflicts> (0,0)(1,2) </conflicts></extension>"
     "<args> x[0] x[1] </args><args> x[2] x[3] </args></group>",
     xs(lambda x: (x[0], x[1]) not in ((0, 0), (1, 2)) and (x[2], x[3]) not in ((0, 0), (1, 2))))
case("group/expressions", X4, "<group><allDifferent> %... </allDifferent><args> add(x[0],1) x[1] </args>"
     "<args> x[2] sub(x[3],1) 2 </args></group>",
     xs(lambda x: x[0] + 1 != x[1] and len({x[2], x[3] - 1, 2}) == 3))
case("slide", X4, "<slide><list> x[] </list><intension> ne(%0,%1) </intension></slide>",
     xs(lambda x: all(a != b for a, b in zip(x, x[1:]))))
case("slide/circular", X4, '<slide circular="true"><list> x[] </list><intension> lt(add(%0,%1),5) </intension></slide>',
     xs(lambda x: all(x[i] + x[(i + 1) % 4] < 5 for i in range(4))))
case("slide/offset", X4, '<slide><list offset="2"> x[] </list><intension> le(%0,%1) </intension></slide>',
     xs(lambda x: x[0] <= x[1] and x[2] <= x[3]))
case("slide/two lists", XY, '<slide><list collect="2"> x[] </list><list collect="1"> y[] </list>'
     "<intension> eq(add(%0,%2),%1) </intension></slide>",
     xys(lambda x, y: x[0] + y[0] == x[1] and x[1] + y[1] == x[2]))
case("block", X3, '<block class="symmetryBreaking" note="blocks nest"><block><intension> lt(x[0],x[1]) </intension></block>'
     '<!-- a comment --><allDifferent id="c" class="a b" note="n"> x[] </allDifferent></block>',
     xs(lambda x: x[0] < x[1] and len(set(x)) == 3))

# ---- variables ----
case("var/values", ('<var id="a" note="n"> 1 3..4 9 </var><var id="b" as="a"/>',
     [("a", (1, 3, 4, 9)), ("b", (1, 3, 4, 9))]), "<intension> lt(a,b) </intension>", lambda v: v["a"] < v["b"])
case("array/domains", ('<array id="x" size="[2][2]"><domain for="x[0][]"> 0 2 </domain>'
     '<domain for="others"> 1..3 </domain></array>',
     [(("x", 0), (0, 2)), (("x", 1), (0, 2)), (("x", 2), (1, 2, 3)), (("x", 3), (1, 2, 3))]),
     "<allDifferent> x[][] </allDifferent>", xs(lambda x: len(set(x)) == 4))
case("array/undefined cells", ('<array id="x" size="[2][2]"><domain for="x[0][0] x[1][0..1]"> 0..2 </domain></array>',
     [(("x", i), range(3)) for i in range(3)]), "<allDifferent> x[][] </allDifferent>",
     xs(lambda x: len(set(x)) == 3))
case("array/startIndex and patterns", array("x", 4, 0, 2, 1), "<allDifferent> x[2..4] </allDifferent>"
     "<intension> lt(x[1],x[2]) </intension>", xs(lambda x: len(set(x[1:])) == 3 and x[0] < x[1]))
case("array/three dimensions", ('<array id="x" size="[2][2][2]"> 0..1 </array>',
     [(("x", i), range(2)) for i in range(8)]), SUM.format("x[][1][]", "", "(eq,3)") + SUM.format("x[0][][0..1]", "", "(eq,1)"),
     xs(lambda x: x[2] + x[3] + x[6] + x[7] == 3 and sum(x[:4]) == 1))
case("array/as", ('<array id="x" size="[3]"> 0..3 </array><array id="y" size="[3]" as="x"/>',
     [((n, i), range(4)) for n in "xy" for i in range(3)]), SUM.format("x[] y[]", "", "(eq,17)"),
     xys(lambda x, y: sum(x + y) == 17))
case("var/a large range", both(X3, ('<var id="z"> -5..200000000 </var>', [("z", [10**7 * k for k in range(10)])])),
     SUM.format("x[]", "<coeffs> 10000000x3 </coeffs>", "(eq,z)") + "<intension> gt(z,20000001) </intension>",
     lambda v: 10**7 * sum(column(v, "x")) == v["z"] > 20000001)
case("comments and CDATA", X3, "<intension> <![CDATA[ lt(x[0],x[1]) ]]> </intension><sum><list> x[] <!-- all --> </list>"
     "<condition> (le,4) </condition></sum>", xs(lambda x: x[0] < x[1] and sum(x) <= 4))
case("annotations", X3, "<allDifferent> x[] </allDifferent>", xs(lambda x: len(set(x)) == 3),
     objective="<annotations><decision> x[2] x[0] </decision></annotations>")

# ---- objectives ----
GOALS = [
    ("a variable", "x[0]", "", lambda x: x[0]),
    ("an expression", "add(x[0],mul(x[1],x[2]))", "", lambda x: x[0] + x[1] * x[2]),
    ("sum", "x[]", "sum", sum),
    ("sum of expressions with coeffs", "<list> x[0] mul(x[1],x[2]) </list><coeffs> 2 -3 </coeffs>", "sum",
     lambda x: 2 * x[0] - 3 * x[1] * x[2]),
    ("sum with variables as coeffs", "<list> x[0..1] </list><coeffs> x[1..2] </coeffs>", "sum",
     lambda x: x[0] * x[1] + x[1] * x[2]),
    ("a sum of a large range", "<list> x[] </list><coeffs> 300000000 20000000 -1 </coeffs>", "sum",
     lambda x: 300000000 * x[0] + 20000000 * x[1] - x[2]),
    ("product", "x[]", "product", lambda x: x[0] * x[1] * x[2]),
    ("minimum", "x[]", "minimum", min),
    ("maximum", "x[]", "maximum", max),
    ("maximum of expressions with coeffs", "<list> x[] </list><coeffs> 1 2 1 </coeffs>", "maximum",
     lambda x: max(x[0], 2 * x[1], x[2])),
    ("nValues", "x[]", "nValues", lambda x: len(set(x))),
    ("lex", "x[]", "lex", lambda x: 16 * x[0] + 4 * x[1] + x[2]),
]
for goal, pick in (("minimize", min), ("maximize", max)):
    for name, text, kind, value in GOALS:
        type_ = f' type="{kind}"' if kind else ""
        case(f"{goal}/{name}", X3, SUM.format("x[]", "", "(eq,5)") + "<intension> ne(x[0],x[2]) </intension>",
             xs(lambda x: sum(x) == 5 and x[0] != x[2]),
             objective=f"<objectives><{goal}{type_}> {text} </{goal}></objectives>", goal=pick,
             best=lambda v, f=value: f(column(v, "x")), kind="COP")


def solve(alea, text, options):
    done = subprocess.run([alea, "solve", "-", "--json", *options], input=text, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {"status": done.stdout.strip()}


def main():
    alea, names = sys.argv[1], [a for a in sys.argv[2:] if a != "--list"]
    wrong = run_count = 0
    for name, variables, text, accept, tail, goal, best, kind in CASES:
        if names and name not in names:
            continue
        if "--list" in sys.argv:
            print(name)
            continue
        keys = [key for key, _ in variables[1]]
        every = [dict(zip(keys, values)) for values in itertools.product(*(d for _, d in variables[1]))]
        good = [v for v in every if accept(v)]
        # A variable that nothing mentions would be no part of the problem.
        names_of = sorted({k[0] for k in keys if not isinstance(k, str)}) or keys
        text += f"<extension><list> {' '.join(names_of)} </list><conflicts></conflicts></extension>"
        instance = (f'<instance format="XCSP3" type="{kind}"><variables>{variables[0]}</variables>'
                    f"<constraints>{text}</constraints>{tail or ''}</instance>")
        run_count += 1
        if goal is None:
            answer = solve(alea, instance, ["--count"])
            found, expected = answer.get("solutions", answer["status"]), len(good)
        else:
            answer = solve(alea, instance, ["--best"])
            found, expected = answer.get("value", answer["status"]), goal(best(v) for v in good)
        if found != expected:
            wrong += 1
            print(f"{name}: {found}, not {expected}\n  {instance}")
    if not names and "--list" not in sys.argv:
        print(f"{run_count} instances, {wrong} wrong")
    return 1 if wrong or (names and run_count == 0) else 0


if __name__ == "__main__":
    sys.exit(main())
