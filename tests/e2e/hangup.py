#!/usr/bin/env python3
"""SIGHUP ends a command as SIGTERM does, unless it is ignored (nohup).

    tests/e2e/hangup.py --alea build/alea
"""
import argparse
import signal
import subprocess
import sys


def start(alea, ignore):
    def prepare():
        signal.signal(signal.SIGHUP, signal.SIG_IGN if ignore else signal.SIG_DFL)

    process = subprocess.Popen([alea, "serve", "--port", "0"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, preexec_fn=prepare)
    process.stdout.readline()  # it says where it listens
    return process


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alea", required=True)
    alea = parser.parse_args().alea
    for number in (signal.SIGTERM, signal.SIGHUP):
        process = start(alea, False)
        process.send_signal(number)
        if process.wait(30) != 0:
            sys.exit(f"serve ends with {process.returncode} after signal {number}")
    process = start(alea, True)
    process.send_signal(signal.SIGHUP)
    try:
        process.wait(0.5)
        sys.exit("serve obeys a SIGHUP that is ignored")
    except subprocess.TimeoutExpired:
        process.terminate()
    process.wait(30)


main()
