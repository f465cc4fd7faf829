"""Models of constraint programming in the form that modelling tools write.

Groups, array patterns, expressions within lists, classes and notes, as compilers
to XCSP3 emit them; the data are made here.  Each entry has the goal and, where
the literature or enumeration knows it, the answer.
"""
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
