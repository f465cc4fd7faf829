"""The examples of examples/python, each run as a user would."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "python"
ALEA = os.environ["ALEA"]


def run(name, *arguments):
    return subprocess.run([sys.executable, EXAMPLES / name, *arguments], text=True, cwd=EXAMPLES,
                          capture_output=True, timeout=120, check=True).stdout


class Examples(unittest.TestCase):
    def test_all_are_run(self):
        source = pathlib.Path(__file__).read_text(encoding="utf-8")
        for path in EXAMPLES.glob("*.py"):
            self.assertIn(f'"{path.name}"', source)

    def test_play_out(self):
        self.assertRegex(run("play_out.py"), r"(?s)│.*red: \d+\nyellow: \d+\n$")

    def test_write_player(self):
        score = re.search(r"sampler scores (\d+) of 100", run("write_player.py"))
        self.assertGreater(int(score.group(1)), 80)

    def test_step_many(self):
        out = run("step_many.py")
        red = float(re.search(r"red: ([0-9.]+)", out).group(1))
        self.assertGreater(red, 54)  # the first player has the better of it
        self.assertLess(red, 58)

    def test_train_policy(self):
        won = re.findall(r"won (\d+)%", run("train_policy.py"))
        self.assertGreater(int(won[-1]), 85)
        self.assertGreater(int(won[-1]), int(won[0]) + 15)

    def test_solve_csp(self):
        out = run("solve_csp.py")
        self.assertEqual(out.count("Q"), 8)
        self.assertIn("92 solutions", out)
        self.assertIn("3 queens: NO", run("solve_csp.py", "3"))

    def test_serve_player(self):
        command = [sys.executable, EXAMPLES / "serve_player.py", "0", "--exit-after", "1"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True) as server:
            try:
                address = next(re.search(r"http://[0-9.:]+", line) for line in server.stdout).group(0)
                host = subprocess.run([ALEA, "host", "tictactoe", "--player", address, "--player",
                                       "legal", "--start", "3", "--time", "2"], text=True,
                                      capture_output=True, timeout=120, check=True).stdout
                self.assertRegex(host, r"result:  xplayer \(http[^)]*\) \d+")
                server.stdout.read()
                self.assertEqual(server.wait(timeout=60), 0)
            finally:
                server.kill()


unittest.main()
