"""Constraint problems through Python: all kinds, against known answers."""
import pathlib
import unittest

import alea

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
SUM = """<instance format="XCSP3" type="{type}">
<variables><var id="x">1..3</var><var id="y">1..3</var></variables>
<constraints><intension>{rule}</intension></constraints>{objective}</instance>"""


def text(rule, objective=""):
    return SUM.format(rule=rule, objective=objective, type="COP" if objective else "CSP")


class Plain(unittest.TestCase):
    def test_all_equals_enumeration(self):
        found = alea.solve("sum.xml", text=text("ne(add(x,y),4)"), aim="all")
        wanted = [(x, y) for x in (1, 2, 3) for y in (1, 2, 3) if x + y != 4]
        self.assertEqual(sorted((a["x"], a["y"]) for a in found.assignments), wanted)
        self.assertEqual(found.count, len(wanted))
        some = alea.solve("sum.xml", text=text("ne(add(x,y),4)"), aim="all", solutions=2)
        self.assertEqual(len(some.assignments), 2)

    def test_none_and_best(self):
        none = alea.solve("sum.xml", text=text("gt(add(x,y),7)"))
        self.assertFalse(none)
        self.assertEqual((none.status, none.assignment), (alea.Status.NO, None))
        best = alea.solve("sum.xml", aim="best", text=text(
            "lt(x,y)", "<objectives><maximize>sub(mul(x,5),y)</maximize></objectives>"))
        self.assertEqual((best.value, best.assignment), (7, {"x": 2, "y": 3}))

    def test_refusals(self):
        with self.assertRaises(alea.AleaError) as caught:
            alea.solve("sum.xml", text=text("frob(x,y)"))
        self.assertEqual(caught.exception.status, alea.Status.INPUT)
        self.assertTrue(caught.exception.diagnostics)
        with self.assertRaises(alea.AleaError):
            alea.solve("/no/such/file.xml")
        with self.assertRaises(alea.AleaError):
            alea.solve("sum.xml", text=text("lt(x,y)"), aim="worst")


class OtherKinds(unittest.TestCase):
    def test_strategic(self):
        won = alea.solve(MODELS / "connect-4-3.json")
        self.assertEqual((won.kind, won.status), (alea.ProblemKind.STRATEGIC, alea.Status.OK))
        self.assertEqual(alea.solve(MODELS / "tictactoe-1-closed.json").status, alea.Status.NO)

    def test_stochastic(self):
        pennies = alea.solve(MODELS / "pennies.json", aim="best")
        self.assertEqual(pennies.kind, alea.ProblemKind.STOCHASTIC)
        self.assertAlmostEqual(pennies.value, 0.5)
        orchard = alea.solve(MODELS / "orchard-step-2-2-1.json", aim="best", horizon=4)
        self.assertEqual(orchard.kind, alea.ProblemKind.PROCESS)
        self.assertAlmostEqual(orchard.value, 27 / 128)


unittest.main()
