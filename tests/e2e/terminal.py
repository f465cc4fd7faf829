"""Programs in a pseudo-terminal, for the tests of this folder."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

PATIENCE = 60


class Session:
    """A program in a pseudo-terminal."""

    def __init__(self, *command, columns=80):
        self.text = ""
        self.command = " ".join(command[1:])
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)  # so that Ctrl-C reaches it
            for number in range(3):
                os.dup2(slave, number)
            os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
            os.environ.pop("NO_COLOR", None)
            os.execv(command[0], command)

    def read(self, seconds, most=65536):
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, most)
        except OSError:
            return False
        self.text += data.decode("utf-8", "replace")
        return bool(data)

    def expect(self, pattern):
        """Waits for the pattern after what was expected before; returns the match."""
        end = time.monotonic() + PATIENCE
        while True:
            match = re.search(pattern, self.text, re.DOTALL)
            if match:
                self.text = self.text[match.end():]
                return match
            if time.monotonic() > end:
                sys.exit(f"no {pattern!r} in {self.text[-2000:]!r}")
            self.read(0.2)

    def type(self, line):
        os.write(self.master, line.encode())

    def end(self, expected=0, typing=""):
        """Waits for the end.  'typing' is typed once a second until then: a key that comes between
        the prompt and the terminal's raw mode is lost."""
        end = time.monotonic() + PATIENCE
        typed = 0
        while time.monotonic() < end:
            if typing and time.monotonic() > typed + 1:
                self.type(typing)
                typed = time.monotonic()
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                code = os.waitstatus_to_exitcode(status)
                if code != expected:
                    sys.exit(f"ended with {code}, not {expected}: {self.text[-500:]!r}")
                if termios.tcgetattr(self.slave) != self.before:
                    sys.exit("the terminal is not as it was")
                os.close(self.master)
                os.close(self.slave)
                return
            self.read(0.05)
        os.kill(self.pid, signal.SIGKILL)
        sys.exit(f"{self.command} does not end: {self.text[-500:]!r}")
