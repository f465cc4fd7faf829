#!/usr/bin/env python3
"""The API of the page: right answers, right refusals, nothing blocked, nothing leaked.

    tests/e2e/page.py --alea build/alea

With ALEA_FULL=1 in the environment also clients that stop reading, and idle tables.
With --unlimited processes have no limit of memory, which sanitizers need.
"""
import argparse
import atexit
import base64
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FULL = os.environ.get("ALEA_FULL") == "1"
STREAMS = 200
HOSTILE = '</script><img src=x onerror=alert(1)>'
ENDLESS = "(role r) (init (n 0)) (<= (legal r go) (true (n ?x))) (<= (legal r stay) (true (n ?x))) " \
          "(<= (next (n 0)) (true (n 0))) (goal r 50) (<= terminal (true (n 1)))"
# A relation with 30 ** 6 instances: too large for any limit, in time or in memory.
HUGE = "(role r) (init (n 0)) (legal r a) (legal r b) (goal r 50) (<= terminal (true (n 1)))" + "".join(
    f"(d {i})" for i in range(30)) + \
    "(<= (p ?a ?b ?c ?d ?e ?f) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f)) " \
    "(<= (next (q ?a ?b ?c ?d ?e ?f)) (p ?a ?b ?c ?d ?e ?f) (not (true (q ?f ?e ?d ?c ?b ?a))))"


class Page:
    answers = set()  # method, path and status of everything that was asked

    def __init__(self, alea, *options, environment=None):
        self.alea = alea
        self.process = subprocess.Popen([alea, "web", "--port", "0", *options],
                                        stdout=subprocess.PIPE, text=True, env=environment)
        atexit.register(self.process.kill)  # where a check fails
        found = re.search(r"http://127.0.0.1:(\d+)/#token=(\w+)", self.process.stdout.readline())
        self.port, self.token = int(found[1]), found[2]

    def ask(self, method, path, body=None, headers=None, seconds=60):
        """Status, headers and text of a reply."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        sent = {"X-Alea-Token": self.token, "Content-Type": "application/json"} if method == "POST" else {}
        sent.update(headers or {})
        text = body if isinstance(body, (str, bytes, type(None))) else json.dumps(body)
        connection.request(method, path, text, {k: v for k, v in sent.items() if v is not None})
        reply = connection.getresponse()
        result = reply.status, dict(reply.getheaders()), reply.read().decode()
        connection.close()
        Page.answers.add((method.lower(), path.partition("?")[0], reply.status))
        return result

    def post(self, path, body, **more):
        status, _, text = self.ask("POST", path, body, **more)
        return status, json.loads(text)

    def get(self, path):
        status, _, text = self.ask("GET", path)
        return status, json.loads(text)

    def open(self, **wish):
        status, reply = self.post("/api/tables", {"level": 1, "seed": 1, **wish})
        assert status == 201, (status, reply)
        return reply["id"]

    def wait(self, table, wanted, seconds=60):
        """The latest of a table once it is as wanted."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            status, latest = self.get(f"/api/tables/{table}")
            if status == 200 and wanted(latest):
                return latest
            time.sleep(0.02)
        raise AssertionError(f"still not: {json.dumps(latest)[:300]}")

    def wish(self, table, **wish):
        return self.post(f"/api/tables/{table}/wish", wish)

    def stream(self, table, kind="tables"):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        connection.sendall(f"GET /api/{kind}/{table}/events HTTP/1.1\r\n"
                           f"Host: 127.0.0.1:{self.port}\r\n\r\n".encode())
        return connection

    def announce(self, path, length):
        """The status that a body of this length gets before it is sent."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        connection.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nX-Alea-Token: {self.token}\r\n"
                           f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{{".encode())
        status = int(connection.recv(65536).split()[1])
        connection.close()
        return status

    def end(self):
        self.process.terminate()
        status = self.process.wait(timeout=20)
        self.process.stdout.close()
        return status


def is_mine(latest):
    return latest["type"] == "position" and (latest["yours"] or latest["over"])


def check_refusals(page):
    body = {"game": "tictactoe"}
    tables = "/api/tables"
    own = f"127.0.0.1:{page.port}"
    for expected, status in [
            (403, page.ask("POST", tables, body, {"X-Alea-Token": None})[0]),
            (403, page.ask("POST", tables, body, {"X-Alea-Token": "0" * 32})[0]),
            (403, page.ask("POST", tables, body, {"Origin": "http://evil.example"})[0]),
            (403, page.ask("POST", tables, body, {"Origin": f"https://{own}"})[0]),
            (403, page.ask("POST", tables, body, {"Origin": "null"})[0]),
            (403, page.ask("POST", tables, body, {"Sec-Fetch-Site": "cross-site"})[0]),
            (421, page.ask("POST", tables, body, {"Host": "evil.example"})[0]),
            (421, page.ask("GET", "/", None, {"Host": f"evil.example:{page.port}"})[0]),
            (421, page.ask("GET", "/", None, {"Host": "127.0.0.1:1"})[0]),
            (415, page.ask("POST", tables, body, {"Content-Type": "text/plain"})[0]),
            (400, page.ask("POST", tables, "{")[0]),
            (400, page.ask("POST", tables, "[1]")[0]),
            (400, page.ask("POST", tables, b'{"game":"\xff\xfe"}')[0]),
            (400, page.ask("POST", tables, '{"game":1,"game":2}')[0]),
            (400, page.ask("POST", tables, "[" * 90000)[0]),
            (400, page.ask("POST", tables, {})[0]),
            (404, page.ask("POST", tables, {"game": "no-such-game"})[0]),
            (404, page.ask("POST", tables, {"game": "../../etc/passwd"})[0]),
            (422, page.ask("POST", tables, {**body, "level": 10})[0]),
            (422, page.ask("POST", tables, {**body, "seconds": 1e9})[0]),
            (422, page.ask("POST", tables, {**body, "player": "nobody"})[0]),
            (422, page.ask("POST", tables, {**body, "players": {"oplayer": 7}})[0]),
            (422, page.ask("POST", tables, {**body, "role": "x" * 1000})[0]),
            (422, page.ask("POST", tables, {**body, "clock": 1})[0]),
            (422, page.ask("POST", tables, {**body, "clock": 60, "increment": -1})[0]),
            (422, page.ask("POST", tables, {**body, "people": []})[0]),
            (422, page.ask("POST", tables, {**body, "people": ["oplayer", "oplayer"]})[0]),
            (422, page.ask("POST", tables, {**body, "people": ["x"] * 9})[0]),
            (400, page.ask("POST", "/api/pictures", {})[0]),
            (404, page.ask("GET", f"{tables}/{'0' * 32}")[0]),
            (404, page.ask("GET", f"{tables}/{'0' * 32}/events")[0]),
            (404, page.ask("POST", f"{tables}/{'0' * 32}/wish", {"do": "undo"})[0]),
            (404, page.ask("POST", f"{tables}/{'0' * 32}/close", {})[0]),
            (404, page.ask("GET", "/api/games/nothing/rules")[0]),
            (404, page.ask("GET", "/../../etc/passwd")[0]),
            (404, page.ask("GET", "/%2e%2e/%2e%2e/etc/passwd")[0]),
            (405, page.ask("GET", "/api/check")[0]),
            (405, page.ask("POST", "/api/games", {})[0]),
            (413, page.announce("/api/check", 9 << 20)),
            # A body within its length that would take a hundred times as much when it is read.
            (413, page.ask("POST", tables, '{"game": "tictactoe", "x": [' + "[]," * 2600000 + "[]]}")[0]),
            (413, page.ask("POST", tables, '{"game": "tictactoe", "x": [' + '"\\"",' * 200000 + "1]}")[0]),
            (404, page.ask("POST", tables, {"game": "[," * 200000})[0]),
            (400, page.ask("POST", "/api/check", {})[0]),
            (404, page.ask("POST", "/api/replay", {"game": "nothing"})[0]),
    ]:
        assert status == expected, f"{status} in place of {expected}"
    status, headers, _ = page.ask("OPTIONS", tables, None, {"Origin": "http://evil.example"})
    assert "Access-Control-Allow-Origin" not in headers, headers


def check_files(page):
    for path, kind in [("/", "text/html"), ("/page.js", "text/javascript"), ("/style.css", "text/css"),
                       ("/icon.svg", "image/svg+xml"), ("/editor.js", "text/javascript"), ("/README.md", "text/markdown")]:
        status, headers, text = page.ask("GET", path)
        assert status == 200 and headers["Content-type"].startswith(kind), (path, status, headers)
        policy = headers["Content-Security-Policy"]
        assert "unsafe" not in policy and "default-src 'none'" in policy, policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in headers
        if path == "/":
            assert not re.search(r"<script(?![^>]*src=)|<style|style=| on\w+=", text), "inline code"


def check_play(page):
    table = page.open(game="tictactoe")
    latest = page.wait(table, is_mine)
    assert len(latest["legal"]) == 9 and latest["roles"][0]["kind"] == "you"
    assert page.wish(table, do="move", move="(mark 9 9)")[0] == 422
    assert page.wish(table, do="move", move="(mark 1 1)", step=7)[0] == 409
    assert page.wish(table, do="undo")[0] == 409
    assert page.wish(table, do="dance")[0] == 400
    assert page.wish(table)[0] == 400
    assert page.wish(table, do="move", move="x" * 5000)[0] == 504  # too long to be sent
    status, reply = page.wish(table, do="hint")
    assert status == 200 and reply["message"] in latest["legal"], reply
    assert page.wish(table, do="move", move="2 2", step=0) == (200, {"message": ""})
    latest = page.wait(table, lambda p: is_mine(p) and p["step"] == 2)
    assert latest["history"][0][0] == "(mark 2 2)" and len(latest["legal"]) == 7
    assert page.wish(table, do="undo")[0] == 200
    latest = page.wait(table, lambda p: is_mine(p) and p["step"] == 0)
    while not latest["over"]:
        assert page.wish(table, do="move", move=latest["legal"][0])[0] == 200
        step = latest["step"]
        latest = page.wait(table, lambda p: is_mine(p) and p["step"] > step)
    assert sum(role["goal"] for role in latest["roles"]) == 100 and latest["seed"] == 1
    assert page.wish(table, do="rematch", role="oplayer")[0] == 200
    latest = page.wait(table, lambda p: is_mine(p) and p["step"] == 1)
    assert latest["roles"][1]["kind"] == "you" and latest["seed"] is None
    assert page.wish(table, do="resign")[0] == 200
    assert page.wait(table, lambda p: p["over"])["resigned"]
    assert page.post(f"/api/tables/{table}/close", {})[0] == 200
    assert page.get(f"/api/tables/{table}")[0] == 404


def stream_text(page, table, until, seconds=30):
    """What the stream of a table says until something is in it, with the whole of that event."""
    connection = page.stream(table)
    connection.settimeout(seconds)
    text = b""
    while b"\n\n" not in text.partition(until)[2]:
        part = connection.recv(65536)
        assert part, text[-300:]
        text += part
    connection.close()
    return text.decode()


def events_of(text, kind):
    return [json.loads(data) for data in re.findall(rf"event: {kind}\ndata: (.*)\n\n", text)]


def check_people(page):
    """Two people at one table, each with an id of their own; a clock that runs out."""
    status, opened = page.post("/api/tables", {"game": "tictactoe", "people": ["oplayer", "xplayer"],
                                               "clock": 5, "increment": 2})
    assert status == 201 and [seat["role"] for seat in opened["seats"]] == ["oplayer", "xplayer"], opened
    second, first = (seat["id"] for seat in opened["seats"])
    latest = page.wait(first, is_mine)
    assert {role["name"]: role["kind"] for role in latest["roles"]} == {"xplayer": "you", "oplayer": "person"}
    assert page.wish(second, do="move", move="(mark 2 2)")[0] == 409
    assert page.wish(first, do="move", move="(mark 2 2)")[0] == 200
    latest = page.wait(second, is_mine)
    assert latest["roles"][1]["waited_for"] and latest["roles"][0]["left"] > 6, latest["roles"]
    assert not page.get(f"/api/tables/{first}")[1]["legal"]
    latest = page.wait(first, lambda p: p["over"], 15)
    assert latest["flagged"] and latest["quitter"] == "oplayer" and not latest["resigned"]
    assert page.wish(first, do="rematch", role="oplayer")[0] == 200
    latest = page.wait(second, lambda p: is_mine(p) and p["roles"][0]["kind"] == "you")
    assert 2 < latest["roles"][0]["left"] <= 5, latest["roles"]
    page.post(f"/api/tables/{second}/close", {})
    assert page.get(f"/api/tables/{first}")[0] == 404
    table = page.open(game="tictactoe", people=["nobody"])
    assert page.wait(table, lambda p: p["type"] == "fault")["diagnostics"]
    page.post(f"/api/tables/{table}/close", {})


def check_hidden_people(page):
    """Kuhn poker between two people: neither seat is told what the other holds."""
    status, opened = page.post("/api/tables", {"game": "kuhn-poker", "people": ["first", "second"], "seed": 3})
    assert status == 201, opened
    ids = {seat["role"]: seat["id"] for seat in opened["seats"]}
    page.wait(ids["first"], is_mine)
    held = {}
    for role, seat in ids.items():
        text = stream_text(page, seat, b"event: position")
        held[role] = re.search(r"dealt (\w+)", " ".join(events_of(text, "position")[0]["sees"]))[1]
    assert held["first"] != held["second"]
    assert page.wish(ids["first"], do="hint")[0] == 200
    assert page.wish(ids["first"], do="alike", on=True)[0] in (200, 422)
    for role, other in (("first", "second"), ("second", "first")):
        text = stream_text(page, ids[role], b"event: position")
        assert not re.search(rf"\b{held[other]}\b", text), (role, held)
        assert all(position["alike"] is None for position in events_of(text, "position"))
        assert not events_of(text, "line")
        assert role == "first" or not events_of(text, "thinking"), "a hint is told to the other"
    assert page.wish(ids["first"], do="move", move="check")[0] == 200
    page.wait(ids["second"], is_mine)
    assert page.wish(ids["second"], do="undo")[0] == 409
    page.post(f"/api/tables/{ids['first']}/close", {})


def check_thinking(page):
    """The main line, the classes of symmetric moves, and the stage of MAC-UCB."""
    table = page.open(game="tictactoe", player="mac-ucb", level=5)
    page.wait(table, is_mine)
    assert page.wish(table, do="alike", on=True)[0] == 200
    latest = page.wait(table, lambda p: is_mine(p) and p["alike"])
    classes = sorted(sorted(moves) for moves in latest["alike"]["classes"])
    corners = [f"(mark {i} {j})" for i in (1, 3) for j in (1, 3)]
    assert latest["alike"]["symmetries"] == 8 and len(classes) == 2 and corners in classes, classes
    assert page.wish(table, do="hint")[0] == 200
    text = stream_text(page, table, b"event: line")
    line = events_of(text, "line")[-1]
    assert line["step"] == 0 and sum("svg" in step for step in line["steps"]) == 3, line
    film = page.post("/api/replay", {"game": "tictactoe", "moves": [
        " ".join(next((m["move"] for m in step["moves"] if m["role"] == role), "noop")
                 for role in ("xplayer", "oplayer")) for step in line["steps"][:3]]})[1]
    assert [step["svg"] for step in film["steps"][1:]] == [step["svg"] for step in line["steps"][:3]]
    stage = events_of(text, "thinking")[-1]["stage"]
    assert stage["engine"] == "table" and stage["variables"] == 32 and stage["rounds"] > 0, stage
    assert stage["choices"][0]["values"] == 9 and 0 < stage["choices"][0]["threshold"] <= 100
    page.post(f"/api/tables/{table}/close", {})
    table = page.open(game="chess", level=1)
    page.wait(table, is_mine)
    assert page.wish(table, do="alike", on=True)[0] == 422
    page.post(f"/api/tables/{table}/close", {})


def check_pictures(page):
    """The network, the constraint graph and the symmetries of a game."""
    status, found = page.post("/api/pictures", {"game": "tictactoe"})
    facts = page.post("/api/info", {"rules": page.get("/api/games/tictactoe/rules")[1]["rules"]})[1]
    network, symmetry = found["network"], found["symmetry"]
    assert status == 200 and network["gates"] == facts["gates"] == sum(network["levels"]), network["levels"]
    nodes = network["nodes"]
    assert all(nodes[a]["level"] < nodes[b]["level"] for a, b, _ in network["edges"])
    assert sum(node["kind"] in ("and", "or") for node in nodes) == facts["gates"]
    assert symmetry["order"] == 8 and all(
        sorted(a for a, _ in moved) == sorted(b for _, b in moved) for moved in symmetry["generators"])
    variables = found["constraints"]["variables"]
    assert {"state", "action", "goal", "terminal"} <= {v["kind"] for v in variables}
    assert all(v < len(variables) for scope in found["constraints"]["scopes"] for v in scope)
    large = page.post("/api/pictures", {"game": "hex"})[1]
    assert large["network"]["nodes"] is None and large["network"]["levels"]
    toss = page.get("/api/games/toss-tictactoe/rules")[1]["rules"]
    assert page.post("/api/pictures", {"rules": toss, "language": "toss"})[1]["constraints"] is None
    assert page.post("/api/check", {"rules": toss, "language": "toss"})[1]["valid"]
    broken = page.post("/api/check", {"rules": toss.replace("MOVES", "MOVE", 1), "language": "toss"})[1]
    assert not broken["valid"] and broken["diagnostics"][0]["line"] == 21, broken


def check_watching(page):
    table = page.open(game="nim", role="")
    latest = page.wait(table, lambda p: p["type"] == "position" and p["over"])
    assert all(role["kind"] == "player" for role in latest["roles"]) and latest["values"]
    page.post(f"/api/tables/{table}/close", {})


def check_hidden(page):
    """Kuhn poker: who was dealt which card is in nothing that is sent before the end."""
    for seed in range(6):
        table = page.open(game="kuhn-poker", role="first", seed=seed)
        connection = page.stream(table)
        latest = page.wait(table, is_mine)
        held = re.search(r"dealt (\w+)", " ".join(latest["sees"]))[1]
        page.wish(table, do="hint")
        page.wish(table, do="move", move="check")
        latest = page.wait(table, lambda p: is_mine(p) and p["step"] > latest["step"])
        connection.settimeout(0.5)
        sent = b""
        try:
            while part := connection.recv(65536):
                sent += part
        except TimeoutError:
            pass
        connection.close()
        before = sent.split(b'"over":true')[0].decode()
        if latest["over"]:
            before = before[:before.rindex("event: position")]
        others = {"jack", "queen", "king"} - {held}
        drawn = re.findall(r"second (jack|queen|king)", before)
        assert held in before and not drawn, (seed, held, drawn)
        assert '"seed":null' in before and '"seed":0' not in before
        # The hint thinks about cards that may be; what it thinks is told by move, not by card.
        for thinking in re.findall(r'event: thinking\ndata: (.*)', before):
            assert json.loads(thinking)["role"] == "first"
            assert not any(re.search(rf"\b{card}\b", thinking) for card in others), thinking
        page.post(f"/api/tables/{table}/close", {})


def check_rules(page):
    status, found = page.post("/api/check", {"rules": "(role x)\n(init (a"})
    assert status == 200 and not found["valid"] and found["diagnostics"][0]["line"] == 2, found
    status, found = page.post("/api/check", {"rules": ENDLESS})
    assert status == 200 and found["plays"], found
    moves = found["plays"][0]["moves"]
    status, film = page.post("/api/replay", {"rules": ENDLESS, "moves": moves[:3]})
    assert status == 200 and len(film["steps"]) == 1 + len(moves[:3]) and film["problem"] is None, film
    status, film = page.post("/api/replay", {"game": "tictactoe", "values": True,
                                             "moves": ["(mark 1 1) noop", "noop (mark 1 1)"]})
    assert status == 200 and len(film["steps"]) == 2 and "no legal move" in film["problem"], film["problem"]
    assert film["steps"][0]["value"]["role"] == "xplayer"
    record = {"moves": [["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]]}
    status, film = page.post("/api/replay", {"game": "tictactoe", "record": json.dumps(record)})
    assert status == 200 and len(film["steps"]) == 3 and film["problem"] is None
    assert page.post("/api/replay", {"game": "tictactoe", "record": "no record"})[1]["problem"]
    status, facts = page.post("/api/info", {"rules": page.get("/api/games/tictactoe/rules")[1]["rules"]})
    assert status == 200 and facts["symmetries"] == 8, facts
    # Names that look like markup come back as text, and as text in drawings.
    rules = ENDLESS.replace("(n 0)", f"(n {HOSTILE.replace(' ', '_')})")
    film = page.post("/api/replay", {"rules": rules, "moves": []})[1]
    assert "<img" not in film["steps"][0]["svg"] and "<script" not in film["steps"][0]["svg"]
    table = page.open(rules=ENDLESS)
    assert page.wait(table, is_mine)["legal_count"] == 2
    page.post(f"/api/tables/{table}/close", {})
    toss = page.get("/api/games/toss-tictactoe/rules")[1]["rules"]
    table = page.open(rules=toss, language="toss")
    assert page.wait(table, is_mine)["legal_count"] == 9
    page.post(f"/api/tables/{table}/close", {})
    table = page.open(rules="(role x", role="x")
    assert page.wait(table, lambda p: p["type"] == "fault")["diagnostics"]
    page.post(f"/api/tables/{table}/close", {})


def check_limits(page):
    """Rules that need more than there is: the table ends, and the page does not."""
    table = page.open(rules=HUGE)
    began = time.monotonic()
    page.wait(table, lambda p: p["type"] != "opening", 100)
    assert time.monotonic() - began < 90
    assert page.get("/api/players")[0] == 200
    page.post(f"/api/tables/{table}/close", {})
    for path in ("/api/info", "/api/pictures", "/api/replay") if FULL else ("/api/replay",):
        status, reply = page.post(path, {"rules": HUGE, "moves": []}, seconds=150)
        assert status == 422 and re.search("memory|longer than", reply["error"]), (path, status, reply)
    assert page.get("/api/players")[0] == 200


def check_killed(page):
    """The process of a table is killed: the table says so, and the one beside it goes on."""
    launcher = children(page.process.pid)[0]
    before = set(children(launcher))
    lost = page.open(game="tictactoe")
    page.wait(lost, is_mine)
    mine = set(children(launcher)) - before
    assert len(mine) == 1, mine
    other = page.open(game="tictactoe")
    page.wait(other, is_mine)
    stream = page.stream(lost)
    os.kill(mine.pop(), signal.SIGKILL)
    stream.settimeout(20)
    told = b""
    while b"event: fault" not in told:
        part = stream.recv(65536)
        assert part, told[-200:]
        told += part
    stream.close()
    assert page.wait(lost, lambda p: p["type"] == "fault")["message"]
    assert page.wish(lost, do="hint")[0] in (404, 409, 504)
    assert page.wish(other, do="move", move="(mark 2 2)")[0] == 200
    for table in (lost, other):
        page.post(f"/api/tables/{table}/close", {})


def check_streams(page):
    """Many streams, among them some that stop reading: all the others are told, nobody waits."""
    table = page.open(game="tictactoe")
    page.wait(table, is_mine)
    streams = [page.stream(table) for _ in range(STREAMS)]
    deaf = streams[:20]
    told = []

    def read(connection):
        text = b""
        while b'"step":2' not in text and (part := connection.recv(65536)):
            text += part
        told.append(b'"step":2' in text)

    readers = [threading.Thread(target=read, args=(connection,)) for connection in streams[20:]]
    for reader in readers:
        reader.start()
    page.wish(table, do="move", move="(mark 2 2)")
    page.wait(table, lambda p: is_mine(p) and p["step"] == 2)
    for _ in range(5):
        page.wish(table, do="undo")
        page.wish(table, do="move", move="(mark 2 2)")
        page.wait(table, lambda p: is_mine(p) and p["step"] == 2)
    for reader in readers:
        reader.join(timeout=60)
    assert len(told) == STREAMS - 20 and all(told), (len(told), sum(told))
    began = time.monotonic()
    assert page.get("/api/players")[0] == 200 and time.monotonic() - began < 10
    for connection in streams:
        connection.close()
    del deaf
    page.post(f"/api/tables/{table}/close", {})


def check_events(page):
    """A tournament from start to table: refused, stopped, resumed, finished."""
    wish = {"name": "small", "games": ["tictactoe", "nim"], "players": ["uct", "random"],
            "matches": 40, "sims": 100}
    for change in ({"name": "../small"}, {"name": ""}, {"games": []}, {"games": ["/etc/passwd"]},
                   {"players": ["nobody"]}, {"matches": 0}, {"sims": 0}, {"name": "x" * 41}):
        assert page.post("/api/events", {**wish, **change})[0] == 422, change
    assert page.get("/api/events")[1] == []
    assert page.get("/api/events/small")[0] == 404
    assert page.get("/api/events/..%2fsmall")[0] == 404
    assert page.post("/api/events/small/resume", {})[0] == 404
    assert page.post("/api/events/small/stop", {})[0] == 404
    assert page.post("/api/events", wish)[0] == 201
    assert page.post("/api/events", wish)[0] == 409
    end = time.monotonic() + 60
    while time.monotonic() < end and page.get("/api/events/small")[0] != 200:
        time.sleep(0.05)
    stopped, _ = page.post("/api/events/small/stop", {})
    if stopped == 200:  # it may have ended before
        assert not page.get("/api/events")[1][0]["running"]
        assert page.post("/api/events/small/resume", {})[0] == 200
    while time.monotonic() < end and page.get("/api/events")[1][0]["running"]:
        time.sleep(0.1)
    report = page.get("/api/events/small")[1]
    assert sum(pairing["done"] for pairing in report["pairings"]) == 80, report
    assert {player["player"] for player in report["players"]} == {"uct", "random"}


def finish(page, answer, seconds=60):
    """The run that an answer names, once it has ended."""
    status, reply = answer
    assert status == 201, (status, reply)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        status, run = page.get(f"/api/runs/{reply['id']}")
        assert status == 200, run
        if run["state"] != "running":
            return run
        time.sleep(0.02)
    raise AssertionError(f"still running: {run}")


def solve(page, **wish):
    run = finish(page, page.post("/api/solve", wish))
    assert run["state"] == "done", run
    return json.loads(run["output"])


def bellman(states):
    """Orchard again: what a state is worth follows from those after it, for every state."""
    worth = {tuple(row[:-1]): row[-1] for row in states["values"]}
    for state in worth:
        *trees, raven = state
        if raven == 0 or sum(trees) == 0:
            assert worth[state] == (sum(trees) == 0), state
            continue

        def take(trees, *picked):
            left = list(trees)
            for tree in picked:
                if left[tree] == 0:
                    return None
                left[tree] -= 1
            return left

        after = [take(trees, tree) for tree in range(len(trees))]
        values = [worth[(*trees, raven - 1)]]
        values += [worth[(*left, raven)] for left in after if left]
        pairs = [take(trees, a, b) for a in range(len(trees)) for b in range(a, len(trees))]
        pairs = [left for left in pairs if left] or [left for left in after if left]
        values += [max(worth[(*left, raven)] for left in pairs)]
        # Faces of empty trees do nothing, and are rolled again.
        assert abs(worth[state] - sum(values) / len(values)) < 1e-9, (state, worth[state], values)


RULER = """<instance format="XCSP3" type="COP"><variables><array id="m" size="[%d]"> 0..%d </array>
<array id="d" size="[%d]"> 1..%d </array></variables><constraints><intension> eq(m[0],0) </intension>%s
<allDifferent> d[] </allDifferent><ordered><list> m[] </list><operator> lt </operator></ordered></constraints>
<objectives><minimize> m[%d] </minimize></objectives></instance>"""


def ruler(marks):
    pairs = [(i, j) for i in range(marks) for j in range(i + 1, marks)]
    gaps = "".join(f"<intension> eq(d[{k}],sub(m[{j}],m[{i}])) </intension>" for k, (i, j) in enumerate(pairs))
    return RULER % (marks, marks ** 2, len(pairs), marks ** 2, gaps, marks - 1)


def check_solving(page):
    found = solve(page, model="connect:3:2")
    assert found["status"] == "sat" and found["strategy"]["variable"] == "P1", found
    found = solve(page, model="orchard:2:2:1", horizon=3)
    assert found["value"] == 0.25, found
    assert any(edge["probability"] == 0.25 for node in found["policy"] for edge in node["edges"])
    found = solve(page, model="orchard:3:2:3")
    assert found["states"]["values"][0] == [2, 2, 2, 3, found["value"]]
    bellman(found["states"])
    instance = (ROOT / "models/pennies.json").read_text()
    assert solve(page, instance=instance, best=True)["value"] == 0.5
    assert page.post("/api/solve", {})[0] == 400
    assert page.post("/api/solve", {"model": "../x"})[0] == 400
    assert page.post("/api/solve", {"model": "orchard:2:2:1", "horizon": 99999})[0] == 422
    assert page.post("/api/solve", {"model": "orchard:2:2:1", "seconds": 0})[0] == 422
    assert page.post("/api/solve", {"model": "orchard:2:2:1", "seconds": "x"})[0] == 422
    for wish, said in (({"model": "nothing"}, "unknown model"), ({"instance": "{"}, "<stdin>:1:1")):
        run = finish(page, page.post("/api/solve", wish))
        assert run["state"] == "failed" and said in run["message"], run


def stream_of(connection):
    """The objects of a stream, to its end."""
    text = b""
    while part := connection.recv(65536):
        text += part
    return [json.loads(line[6:]) for line in text.decode().splitlines() if line.startswith("data: ")]


def worth(policy, at=0):
    """What a policy of Orchard is worth, by its probabilities and the leaves alone."""
    values, edges = {}, [node["edges"] for node in policy]
    for i in range(len(policy) - 1, at - 1, -1):  # edges lead down the array
        assert all(edge["node"] > i for edge in edges[i])
        values[i] = sum(e["probability"] * (e["expected"] - policy[e["node"]]["expected"] + values[e["node"]]) for e in edges[i])
    return values[at]


def check_stopped_policy(page):
    """A search for a policy tells both bounds; stopped, its policy pays what is said."""
    wish = {"model": "orchard:3:4:3", "horizon": 7, "method": "search", "seconds": 60}
    assert page.post("/api/solve", {**wish, "method": "magic"})[0] == 422
    run, live, end = page.post("/api/solve", wish)[1]["id"], None, time.monotonic() + 60
    while not (live and live["bounds"] and live["limits"]) and time.monotonic() < end:
        live = page.get(f"/api/runs/{run}")[1]["live"]
        time.sleep(0.05)
    assert 0 < live["bounds"][-1][1] <= live["limits"][-1][1] == 1, live
    assert page.post(f"/api/runs/{run}/stop", {})[0] == 200
    kept = json.loads(page.get(f"/api/runs/{run}")[1]["output"])
    assert kept["status"] == "limit" and kept["value"] >= live["bounds"][-1][1] - 1e-6, kept["value"]
    assert abs(worth(kept["policy"]) - kept["value"]) < 1e-4, kept["value"]


def check_runs(page):
    """Bounds improve while a search runs; many watch it, some do not read, one stops it."""
    wish = {"instance": ruler(12), "best": True, "seconds": 60}
    run = page.post("/api/solve", wish)[1]["id"]
    streams = [page.stream(run, "runs") for _ in range(STREAMS)]
    told = []
    readers = [threading.Thread(target=lambda c=c: told.append(stream_of(c))) for c in streams[20:]]
    for reader in readers:
        reader.start()
    end = time.monotonic() + 60
    bounds = []
    while len(bounds) < 3 and time.monotonic() < end:
        live = page.get(f"/api/runs/{run}")[1]["live"]
        bounds = live["bounds"] if live else []
        time.sleep(0.05)
    assert all(a[1] > b[1] and a[0] <= b[0] for a, b in zip(bounds, bounds[1:])) and len(bounds) >= 3, bounds
    assert page.get("/api/players")[0] == 200  # nobody is held up
    assert page.post(f"/api/runs/{run}/stop", {})[0] == 200
    stopped = page.get(f"/api/runs/{run}")[1]
    assert stopped["state"] == "stopped" and stopped["live"]["bounds"], stopped
    kept = json.loads(stopped["output"])  # the ruler that was found last
    marks = sorted(v for name, v in kept["assignment"].items() if name.startswith("m["))
    assert kept["status"] == "limit" and not kept["optimal"] and kept["value"] == marks[-1] == stopped["live"]["bounds"][-1][1], kept
    assert len({b - a for i, a in enumerate(marks) for b in marks[i + 1:]}) == 66, marks
    for reader in readers:
        reader.join(timeout=60)
    assert len(told) == STREAMS - 20 and all(t[-1]["state"] == "stopped" for t in told), len(told)
    for connection in streams:
        connection.close()
    for path in ("/api/runs/x", "/api/runs/x/events"):
        assert page.get(path)[0] == 404
    assert page.post("/api/runs/x/stop", {})[0] == 404
    check_stopped_policy(page)
    # More than may run at a time are refused, and what was stopped makes room.
    ids = []
    while (answer := page.post("/api/solve", wish))[0] == 201:
        ids.append(answer[1]["id"])
    assert answer[0] == 503 and 4 <= len(ids) <= 10, (answer, len(ids))
    for run in ids:
        assert page.post(f"/api/runs/{run}/stop", {})[0] == 200
    assert solve(page, model="connect:3:2")["status"] == "sat"


def check_experiments(page):
    """The button that runs it: exact values come out as they are stored, and a stop keeps what was played."""
    status, stored = page.get("/api/experiments")
    assert status == 200 and {"E1", "E3-plays"} <= {one["name"] for one in stored["experiments"]}
    assert "claims" not in {one["name"] for one in stored["experiments"]} and "68.4047" not in stored["claims"]
    for path, body, expected in (("claims", {}, 404), ("E99", {}, 404), ("..", {}, 404), ("E1", {"minutes": 0}, 422),
                                 ("E1", {"matches": 1.5e9}, 422), ("E1", {"matches": "many"}, 422)):
        assert page.post(f"/api/experiments/{path}/run", body)[0] == expected, (path, body)
    run = finish(page, page.post("/api/experiments/E1/run", {"minutes": 2}), 150)
    assert run["state"] == "done" and run["output"].startswith("# E1"), run
    stored = page.get("/api/experiments")[1]
    assert "68.4047, exact" in stored["claims"]
    assert next(one["run"] for one in stored["experiments"] if one["name"] == "E1")
    status, reply = page.post("/api/experiments/E3-plays/run", {"matches": 2, "minutes": 5})
    assert status == 201
    assert page.post("/api/experiments/E3-plays/run", {})[0] == 409
    assert page.post(f"/api/runs/{reply['id']}/stop", {})[0] == 200


def check_elsewhere(page):
    """Databases and events from elsewhere, entrants at addresses; and no other machine is called."""
    for address in ("http://10.0.0.1:80", "http://example.org:80", "http://169.254.169.254:80",
                    "http://127.0.0.1.example.org:80", "http://[::ffff:10.0.0.1]:80"):
        assert page.post("/api/watch", {"address": address})[0] == 403, address
    for address in ("file:///etc/passwd", "http://127.0.0.1", "http://127.0.0.1:80/x", "http://a@127.0.0.1:80",
                    "https://127.0.0.1:80", "http://127.0.0.1:99999", 7, None):
        assert page.post("/api/watch", {"address": address})[0] == 422, address
    run = finish(page, page.post("/api/watch", {"address": "http://127.0.0.1:1"}))
    assert run["state"] == "failed" and "nobody answers" in run["message"], run
    # Whatever else answers there, nothing of it is told: this page itself has no /events.
    run = finish(page, page.post("/api/watch", {"address": f"http://127.0.0.1:{page.port}"}))
    assert run["state"] == "failed" and run["output"] == "" and "shows no event" in run["message"], run
    with tempfile.TemporaryDirectory() as folder:
        plan = pathlib.Path(folder, "shown.yaml")
        plan.write_text(json.dumps({"name": "shown", "games": ["tictactoe"], "players": ["uct", "random"],
                                    "matches": 60, "budget": {"sims": 300}}))
        event = subprocess.Popen([page.alea, "tournament", str(plan), "--workers", "1", "--watch-port", "0"],
                                 stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        address = re.search(r"http:\S+", event.stderr.readline())[0]
        run = finish(page, page.post("/api/watch", {"address": address}))
        event.wait(timeout=60)
        event.stderr.close()
        assert run["state"] == "done" and run["live"]["event"]["name"] == "shown", run
        database = pathlib.Path(folder, "shown.db").read_bytes()
    encoded = base64.b64encode(database).decode()
    status, report = page.post("/api/report", {"database": encoded})
    assert status == 200 and report["pairings"][0]["done"] == 60 and report["pairings"][0]["curve"][-1][0] == 60
    for wrong, expected in (({}, 400), ({"database": "***"}, 400), ({"database": "AAAA"}, 422),
                            ({"database": encoded[:4000]}, 422)):
        assert page.post("/api/report", wrong)[0] == expected, wrong
    wish = {"name": "far", "games": ["tictactoe"], "matches": 1, "seconds": 0.1, "start": 1}
    assert page.post("/api/events", {**wish, "players": ["random", "http://10.0.0.1:80"]})[0] == 403
    assert page.post("/api/events", {**wish, "players": ["random", "http://127.0.0.1"]})[0] == 422
    assert page.post("/api/events", {**wish, "sims": 5, "seconds": None, "players": ["http://127.0.0.1:9"]})[0] == 422
    # Nobody listens there: the entrant is absent, and the event says so.
    assert page.post("/api/events", {**wish, "players": ["random", "http://127.0.0.1:9"]})[0] == 201
    entry = next(one for one in page.get("/api/events")[1] if one["name"] == "far")
    run = finish(page, (201, {"id": entry["run"]}))
    absent = next(one for one in run["live"]["event"]["standings"] if one["entrant"] == "127.0.0.1:9")
    assert absent["forfeits"] == 1, run


def check_foreign_folder(alea):
    """Descriptions and databases of others in the folder of events: nobody is called, nothing waits."""
    with tempfile.TemporaryDirectory() as folder:
        plan = {"name": "far", "games": ["tictactoe"], "matches": 1, "budget": {"time": 0.1, "start": 1}}
        written = f"mac-ucb:cache=keep,cache-file={folder}/written"
        for name, player in (("far", "http://10.0.0.1:80"), ("odd", "http://127.0.0.1"), ("map", {"player": "http://10.0.0.1:80"}),
                             ("file", written), ("read", {"player": "ab:eval=/etc/passwd"})):
            pathlib.Path(folder, f"{name}.yaml").write_text(json.dumps({**plan, "players": ["random", player]}))
        os.mkfifo(f"{folder}/pipe.yaml")
        os.mkfifo(f"{folder}/pipe.db")
        os.symlink("/etc/passwd", f"{folder}/link.db")
        pathlib.Path(folder, "<b>.db").write_text("")
        page = Page(alea, "--events", folder)
        for name, status in (("far", 403), ("odd", 403), ("map", 403), ("file", 403), ("read", 403), ("pipe", 404)):
            assert page.post(f"/api/events/{name}/resume", {})[0] == status, name
        body = {**plan, "name": "new", "sims": 1, "players": ["random", written]}
        status, reply = page.post("/api/events", body)
        assert status == 403 and "no files" in reply["error"], reply
        assert page.post("/api/tables", {"game": "tictactoe", "player": written})[0] == 422
        listed = {one["name"] for one in page.get("/api/events")[1]}
        assert listed == {"pipe", "link"}, listed
        for name in ("pipe", "link"):
            status, reply = page.get(f"/api/events/{name}")
            assert status == 422 and "root" not in reply["error"], (name, reply)
        assert page.end() == 0
        page = Page(alea, "--events", folder, "--allow", "10.0.0.1:80")
        assert page.post("/api/events/far/resume", {})[0] == 200
        assert page.end() == 0
        assert not pathlib.Path(folder, "written").exists()


def check_routes(page):
    """Every route of the server refuses what all of them must refuse."""
    source = (ROOT / "src/page/api.c").read_text()
    for method, pattern in re.findall(r'\{"(GET|POST)", "(/api[^"]*)"', source):
        path = pattern.replace("*", "x")
        body = {} if method == "POST" else None
        assert page.ask(method, path, body, {"Host": "evil.example"})[0] == 421, path
        assert page.ask(method, path, body, {"Origin": "http://evil.example"})[0] == 403, path
        assert page.ask(method, path, body, {"Sec-Fetch-Site": "cross-site"})[0] == 403, path
        if method == "GET":
            continue
        assert page.ask(method, path, body, {"X-Alea-Token": None})[0] == 403, path
        assert page.ask(method, path, body, {"Content-Type": "text/plain"})[0] == 415, path
        for wrong in ("{", "[]", '"x"', b"\xff"):
            assert page.ask(method, path, wrong)[0] == 400, (path, wrong)
        assert page.announce(path, 9 << 20) == 413, path


def check_folder(alea):
    """Without --events results are kept in the folder for state, which is made; a broken one is told."""
    with tempfile.TemporaryDirectory() as home:
        for variables, kept in (({"XDG_STATE_HOME": f"{home}/a/b"}, "a/b/alea"),
                                ({"XDG_STATE_HOME": "", "HOME": home}, ".local/state/alea"),
                                ({"XDG_STATE_HOME": "not/absolute", "HOME": home}, ".local/state/alea")):
            page = Page(alea, environment={**os.environ, **variables})
            assert f"results are kept in {home}/{kept}" in page.process.stdout.readline()
            assert pathlib.Path(home, kept).is_dir() and page.get("/api/events") == (200, [])
            assert page.end() == 0
        for variables in ({"XDG_STATE_HOME": "/dev/null/x"}, {"XDG_STATE_HOME": "", "HOME": ""}):
            ended = subprocess.run([alea, "web", "--port", "0"], env={**os.environ, **variables}, timeout=20,
                                   capture_output=True, text=True)
            assert ended.returncode == 5 and "--events" in ended.stderr, ended


def check_deaf(page):
    """Somebody who stops reading is cut off after a while, and holds nobody up meanwhile."""
    table = page.open(game="connect-four-20x20")
    page.wait(table, is_mine)
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.connect(("127.0.0.1", page.port))
    deaf.sendall(f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\n\r\n".encode())
    for _ in range(100):
        assert page.wish(table, do="move", move="(drop 3)")[0] in (200, 409)
        page.wait(table, lambda p: is_mine(p) and p["step"] > 0)
        page.wish(table, do="undo")
    time.sleep(25)  # more than the patience of the server
    deaf.settimeout(20)
    try:
        while deaf.recv(65536):
            pass
    except ConnectionResetError:
        pass
    deaf.close()
    page.post(f"/api/tables/{table}/close", {})


def check_full(alea, folder):
    page = Page(alea, "--tables", "2", "--idle", "1", "--events", folder)
    tables = [page.open(game="tictactoe") for _ in range(2)]
    assert page.post("/api/tables", {"game": "tictactoe"})[0] == 503
    page.post(f"/api/tables/{tables[0]}/close", {})
    end = time.monotonic() + 30
    while page.post("/api/tables", {"game": "tictactoe"})[0] != 201 and time.monotonic() < end:
        time.sleep(0.1)
    assert time.monotonic() < end
    if FULL:  # whom nobody looks at is closed
        time.sleep(25)
        assert page.get(f"/api/tables/{tables[1]}")[0] == 404
    assert page.end() == 0


def check_documents(page):
    """Every route of the server is documented, and every documented path is a route."""
    source = (ROOT / "src/page/api.c").read_text()
    routes = {(m.lower(), re.sub(r"\*", "{}", path))
              for m, path in re.findall(r'\{"(GET|POST)", "(/api[^"]*)"', source)}
    text = (ROOT / "docs/openapi.yaml").read_text()
    documented, path = set(), None
    for line in text.split("components:")[0].splitlines():
        if found := re.match(r"  (/api\S*):$", line):
            path = re.sub(r"\{\w+\}", "{}", found[1])
        elif (found := re.match(r"    (get|post):$", line)) and path:
            documented.add((found[1], path))
    assert routes == documented, routes ^ documented
    assert set(re.findall(r"#/components/(\w+/\w+)", text)) == {
        f"{kind}/{name}" for kind, part in re.findall(r"^  (\w+):\n((?:    .*\n)+)", text.split("components:\n")[1] + "\n", re.M)
        for name in re.findall(r"^    (\w+):", part, re.M)}, "a reference without its part, or a part without reference"
    for method, path in routes:
        status = page.ask(method.upper(), path.replace("{}", "x"), {} if method == "post" else None)[0]
        assert status != 405, (method, path)


# What the description of the document says of every request.
USUAL = {"get": {403, 421}, "post": {400, 403, 413, 415, 421}}


def check_statuses():
    """Every status that any of these tests was answered with is documented for its route."""
    documented, path, method = {}, None, None
    for line in (ROOT / "docs/openapi.yaml").read_text().split("components:")[0].splitlines():
        if found := re.match(r"  (/api\S*):$", line):
            path = re.compile(re.sub(r"\{\w+\}", "[^/]+", found[1]) + "$")
        elif found := re.match(r"    (get|post):$", line):
            method = found[1]
        if path and method:
            documented.setdefault((method, path), set(USUAL[method])).update(int(one) for one in re.findall(r"'(\d{3})':", line))
    seen = 0
    for method, path, status in Page.answers:
        for (kind, pattern), statuses in documented.items():
            if kind == method and pattern.match(path):
                assert status in statuses, f"{method} {path} is answered with {status}, which is not documented"
                seen += 1
    assert seen > 100, seen


def check_schemas(page):
    """What is sent has the members that are documented, and no others."""
    text = (ROOT / "docs/openapi.yaml").read_text().split("  schemas:\n")[1]
    schemas = {name: set(re.findall(r"^        (\w+): ", part, re.M))
               for name, part in re.findall(r"^    (\w+):\n((?:      .*\n)+)", text, re.M)}
    table = page.open(game="tictactoe", player="mac-ucb", level=5)
    position = page.wait(table, is_mine)
    page.wish(table, do="hint")
    told = stream_text(page, table, b"event: line")
    thinking, line = events_of(told, "thinking")[-1], events_of(told, "line")[-1]
    page.post(f"/api/tables/{table}/close", {})
    table = page.open(rules="(role x")
    fault = page.wait(table, lambda p: p["type"] == "fault")
    page.post(f"/api/tables/{table}/close", {})
    film = page.post("/api/replay", {"game": "tictactoe", "moves": ["(mark 1 1) noop"]})[1]
    run = finish(page, page.post("/api/solve", {"model": "connect:2:2"}))
    for name, told in (("Position", position), ("Role", position["roles"][0]), ("Fault", fault), ("Thinking", thinking),
                       ("Opinion", thinking["moves"][0]), ("Line", line), ("Film", film), ("Step", film["steps"][1]), ("Run", run)):
        assert set(told) == schemas[name], (name, set(told) ^ schemas[name])


def check_names(page):
    """Rules without a title are called as whoever sent them says, and their moves aim at boards."""
    for name, title in (("Up and down", "Up and down"), (HOSTILE, HOSTILE), (None, "Rules of your own"), ("", "Rules of your own")):
        film = page.post("/api/replay", {"rules": ENDLESS, "name": name, "moves": []})[1]
        assert film["title"] == title, film["title"]
    assert page.post("/api/replay", {"rules": ";; title: Mine\n" + ENDLESS, "name": "no", "moves": []})[1]["title"] == "Mine"
    assert page.post("/api/replay", {"rules": ENDLESS, "name": "x" * 201, "moves": []})[0] == 422
    table = page.open(game="battleship", role="right")
    assert page.wait(table, is_mine)["aims"] == {"place": "own", "shoot": "other"}
    page.post(f"/api/tables/{table}/close", {})


def children(pid):
    """Processes below 'pid'."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[1] == str(pid) and fields[0] != "Z":
            found.append(int(entry.parent.name))
    return found


def check_leaks(page):
    """Closed tables leave no process and no open file behind."""
    launcher = children(page.process.pid)
    assert len(launcher) == 1, launcher

    def files():
        return len(os.listdir(f"/proc/{page.process.pid}/fd"))

    end = time.monotonic() + 30
    while (children(launcher[0]) or files() > 30) and time.monotonic() < end:
        time.sleep(0.1)
        page.get("/api/players")  # closed connections are swept when a new one comes
    assert not children(launcher[0]), children(launcher[0])
    assert files() <= 30, files()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--alea", default="build/alea")
    parser.add_argument("--unlimited", action="store_true")
    options = parser.parse_args()
    alea = options.alea
    folder = tempfile.TemporaryDirectory()
    page = Page(alea, "--memory", "0" if options.unlimited else "300M", "--events", folder.name)
    more = (check_deaf,) if FULL else ()
    for check in (*more, check_refusals, check_files, check_documents, check_schemas, check_names, check_play, check_people,
                  check_thinking, check_watching, check_routes, check_hidden, check_hidden_people,
                  check_pictures, check_rules, check_events, check_solving, check_runs,
                  check_experiments, check_elsewhere, check_limits, check_killed, check_streams, check_leaks):
        began = time.monotonic()
        if options.unlimited and check is check_limits:
            continue
        check(page)
        print(f"{check.__name__}: {time.monotonic() - began:.1f} s", flush=True)
    launcher = children(page.process.pid)
    assert page.end() == 0
    assert not pathlib.Path(f"/proc/{launcher[0]}").exists(), "the launcher outlived the page"
    check_full(alea, folder.name)
    check_folder(alea)
    check_foreign_folder(alea)
    check_statuses()
    print("the page holds")


if __name__ == "__main__":
    sys.exit(main())
