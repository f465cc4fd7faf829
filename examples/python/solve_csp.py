"""Solves a constraint problem: queens on a board, python3 solve_csp.py [SIZE]"""
import sys

import alea

SIZE = int(sys.argv[1]) if len(sys.argv) > 1 else 8
RULES = "\n".join(
    f"<allDifferent>{' '.join(f'add(q[{i}],{i * slope})' for i in range(SIZE))}</allDifferent>"
    if slope else "<allDifferent>q[]</allDifferent>" for slope in (0, 1, -1))
XCSP3 = f"""<instance format="XCSP3" type="CSP">
<variables><array id="q" size="[{SIZE}]">0..{SIZE - 1}</array></variables>
<constraints>{RULES}</constraints></instance>"""

found = alea.solve("queens.xml", text=XCSP3)
print(f"{SIZE} queens: {found.status.name}")
if found:
    for row in found.assignment.values():
        print(" ".join("Q" if column == row else "." for column in range(SIZE)))
    if SIZE <= 8:
        print(alea.solve("queens.xml", text=XCSP3, aim="all").count, "solutions")
