"""A constraint problem that writes itself as XCSP3 and as FlatZinc.

Each method adds one constraint in both languages: in XCSP3 as users write it,
with the global constraints of its core; in FlatZinc with the predicates that
Gecode has for the same, or their usual decomposition.  Auxiliary variables of
the FlatZinc follow from the others, so the number of solutions is the same.
"""


class Model:
    def __init__(self, goal="first"):
        self.goal = goal  # first, count, min or max
        self.objective = None
        self.variables = []  # XCSP3
        self.constraints = []
        self.objective_text = ""
        self.bounds = {}
        self.declarations = []  # FlatZinc
        self.posted = []
        self.order = []  # variables in the order of the search
        self.tables = {}
        self.extra = 0

    # ---- variables ----

    def array(self, name, size, low, high):
        self.variables.append(f'<array id="{name}" size="[{size}]"> {low}..{high} </array>')
        cells = [f"{name}[{i}]" for i in range(size)]
        for cell in cells:
            self.bounds[cell] = (low, high)
            self.declarations.append(f"var {low}..{high}: {flat(cell)};")
        self.order += cells
        return cells

    def var(self, name, low, high):
        self.variables.append(f'<var id="{name}"> {low}..{high} </var>')
        self.bounds[name] = (low, high)
        self.declarations.append(f"var {low}..{high}: {flat(name)};")
        self.order.append(name)
        return name

    def aux(self, low, high):
        """An auxiliary variable of the FlatZinc alone."""
        self.extra += 1
        name = f"aux{self.extra}"
        self.declarations.append(f"var {low}..{high}: {name};")
        return name

    def aux_bool(self):
        self.extra += 1
        name = f"aux{self.extra}"
        self.declarations.append(f"var bool: {name};")
        return name

    # ---- the two texts ----

    def xml(self, text):
        self.constraints.append(text)

    def fzn(self, name, *args):
        self.posted.append(f"constraint {name}({','.join(flat(a) for a in args)});")

    # ---- constraints ----

    def linear(self, coeffs, xs, op, rhs):
        weights = "" if all(c == 1 for c in coeffs) else f"<coeffs> {words(coeffs)} </coeffs>"
        self.xml(f"<sum><list> {words(xs)} </list>{weights}<condition> ({op},{rhs}) </condition></sum>")
        self.flat_linear(coeffs, xs, op, rhs)

    def flat_linear(self, coeffs, xs, op, rhs):
        if isinstance(rhs, str):
            coeffs, xs, rhs = list(coeffs) + [-1], list(xs) + [rhs], 0
        if op == "ge":
            coeffs, op, rhs = [-c for c in coeffs], "le", -rhs
        if op == "lt":
            op, rhs = "le", rhs - 1
        self.fzn(f"int_lin_{op}", list(coeffs), list(xs), rhs)

    def all_different(self, xs):
        self.xml(f"<allDifferent> {words(xs)} </allDifferent>")
        self.fzn("all_different_int", list(xs))

    def table(self, xs, tuples):
        tuples = tuple(tuples)
        rows = "".join("(" + ",".join(map(str, t)) + ")" for t in tuples)
        self.xml(f"<extension><list> {words(xs)} </list><supports> {rows} </supports></extension>")
        if tuples not in self.tables:
            numbers = [n for t in tuples for n in t]
            self.tables[tuples] = f"T{len(self.tables)}"
            self.declarations.insert(
                0, f"array [1..{len(numbers)}] of int: {self.tables[tuples]} = {numbers};")
        self.fzn("gecode_table_int", list(xs), self.tables[tuples])

    def tables_of(self, scopes, tuples):
        """One table over many scopes, as a group."""
        tuples = tuple(tuples)
        rows = "".join("(" + ",".join(map(str, t)) + ")" for t in tuples)
        names = " ".join(f"%{i}" for i in range(len(scopes[0])))
        args = "".join(f"<args> {words(xs)} </args>" for xs in scopes)
        before = len(self.constraints)
        for xs in scopes:
            self.table(xs, tuples)
        del self.constraints[before:]
        self.xml(f"<group><extension><list> {names} </list><supports> {rows} </supports>"
                 f"</extension>{args}</group>")

    def count(self, xs, value, times):
        self.xml(f"<count><list> {words(xs)} </list><values> {value} </values>"
                 f"<condition> (eq,{times}) </condition></count>")
        self.fzn("count", list(xs), value, times)

    def cardinality(self, xs, values, low, high):
        occurs = words([low if low == high else f"{low}..{high}"] * len(values))
        self.xml(f"<cardinality><list> {words(xs)} </list><values> {words(values)} </values>"
                 f"<occurs> {occurs} </occurs></cardinality>")
        totals = [self.aux(low, high) for _ in values]
        self.fzn("gecode_global_cardinality", list(xs), list(values), totals)

    def lex(self, rows, strict=False):
        op = "lt" if strict else "le"
        lists = "".join(f"<list> {words(row)} </list>" for row in rows)
        self.xml(f"<lex>{lists}<operator> {op} </operator></lex>")
        for a, b in zip(rows, rows[1:]):
            self.fzn("array_int_lt" if strict else "array_int_lq", list(a), list(b))

    def lex_matrix(self, rows):
        matrix = "".join("(" + ",".join(row) + ")" for row in rows)
        self.xml(f"<lex><matrix> {matrix} </matrix><operator> le </operator></lex>")
        columns = [list(c) for c in zip(*rows)]
        for lists in (rows, columns):
            for a, b in zip(lists, lists[1:]):
                self.fzn("array_int_lq", list(a), list(b))

    def precedence(self, xs, values):
        self.xml(f"<precedence><list> {words(xs)} </list><values> {words(values)} </values></precedence>")
        for a, b in zip(values, values[1:]):
            self.fzn("gecode_precede", list(xs), a, b)

    def bin_packing(self, xs, sizes, loads):
        """Items in bins 0, 1, ...; the loads are variables."""
        self.xml(f"<binPacking><list> {words(xs)} </list><sizes> {words(sizes)} </sizes>"
                 f"<loads> {words(loads)} </loads></binPacking>")
        self.fzn("gecode_bin_packing_load", list(loads), list(xs), list(sizes), 0)

    def bin_limits(self, xs, sizes, bins, limit):
        self.xml(f"<binPacking><list> {words(xs)} </list><sizes> {words(sizes)} </sizes>"
                 f"<limits> {words([limit] * bins)} </limits></binPacking>")
        loads = [self.aux(0, limit) for _ in range(bins)]
        self.fzn("gecode_bin_packing_load", loads, list(xs), list(sizes), 0)

    def maximum(self, xs, result):
        self.xml(f"<maximum><list> {words(xs)} </list><condition> (eq,{result}) </condition></maximum>")
        self.fzn("array_int_maximum", result, list(xs))

    def minimum(self, xs, result):
        self.xml(f"<minimum><list> {words(xs)} </list><condition> (eq,{result}) </condition></minimum>")
        self.fzn("array_int_minimum", result, list(xs))

    def product(self, x, y):
        """A FlatZinc variable for the product of two 0/1 variables."""
        z = self.aux(0, 1)
        self.fzn("int_times", x, y, z)
        return z

    def equal(self, x, y):
        """A FlatZinc Boolean for x = y."""
        b = self.aux_bool()
        self.fzn("int_eq_reif", x, y, b)
        return b

    def at_most(self, x, y):
        """A FlatZinc Boolean for x <= y; one of the two may be a number."""
        b = self.aux_bool()
        self.fzn("int_le_reif", x, y, b)
        return b

    def to_int(self, b):
        i = self.aux(0, 1)
        self.fzn("bool2int", b, i)
        return i

    def clause(self, positive, negative=()):
        self.fzn("bool_clause", list(positive), list(negative))

    def optimise(self, goal, expression, variable):
        """expression: the XCSP3 text of the objective; variable: the same in FlatZinc."""
        self.goal = goal
        self.objective = variable
        self.objective_text = expression

    # ---- writing ----

    def xcsp3(self):
        kind = "COP" if self.goal in ("min", "max") else "CSP"
        parts = [f'<instance format="XCSP3" type="{kind}">', "<variables>", *self.variables,
                 "</variables>", "<constraints>", *self.constraints, "</constraints>"]
        if kind == "COP":
            tag = "minimize" if self.goal == "min" else "maximize"
            inside = self.objective_text
            if not inside.startswith("<"):
                inside = f"<{tag}> {inside} </{tag}>"
            parts += ["<objectives>", inside, "</objectives>"]
        return "\n".join(parts + ["</instance>", ""])

    def flatzinc(self):
        xs = ",".join(flat(x) for x in self.order)
        head = [f"array [1..{len(self.order)}] of var int: search :: output_array([1..{len(self.order)}]) = [{xs}];"]
        goal = {"min": f"minimize {flat(self.objective or '')}",
                "max": f"maximize {flat(self.objective or '')}"}.get(self.goal, "satisfy")
        solve = f"solve :: int_search(search, dom_w_deg, indomain_min, complete) {goal};"
        if self.objective is not None:
            head.append(f"array [1..1] of var int: objective :: output_array([1..1]) = "
                        f"[{flat(self.objective)}];")
        return "\n".join(self.declarations + head + self.posted + [solve, ""])


def words(items):
    return " ".join(str(i) for i in items)


def flat(item):
    """A name, number or list as FlatZinc has it."""
    if isinstance(item, (list, tuple)):
        return "[" + ",".join(flat(i) for i in item) + "]"
    return str(item).replace("[", "_").replace("]", "")


class Random:
    """A generator that is the same everywhere (Numerical Recipes' LCG, upper bits)."""

    def __init__(self, seed):
        self.state = seed * 2654435761 % 2**32

    def below(self, n):
        self.state = (1664525 * self.state + 1013904223) % 2**32
        return (self.state >> 8) * n >> 24

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
