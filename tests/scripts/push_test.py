"""Web Push: a push service on this machine hears whose turn it is, sealed.

    push_test.py SALOTTO SOURCE_ROOT
"""
import base64
import http.server
import json
import os
import queue
import stat
import subprocess
import sys
import tempfile
import threading
import time

from parlour import CAP, Guest, Server, begin
from tap import case, done

SALOTTO, TOP = os.path.abspath(sys.argv[1]), sys.argv[2]
HELPER = os.path.join(TOP, "tests/scripts/push_open.mjs")


class Service(http.server.ThreadingHTTPServer):
    """A push service: keeps what it was sent, by path, and answers as it was told."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Heard)
        self.heard = queue.Queue()
        self.connections = 0
        self.status = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self):
        self.connections += 1
        return super().get_request()

    def endpoint(self, path):
        return f"http://127.0.0.1:{self.server_port}/{path}"


class Heard(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.put((self.path[1:], dict(self.headers), body))
        self.send_response(self.server.status.get(self.path[1:], 201))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def helper(*args, text=None):
    out = subprocess.run(["node", HELPER, *args], input=text, capture_output=True, text=True, check=True)
    return json.loads(out.stdout)


def make_keys(folder):
    return subprocess.run([SALOTTO, "admin", "push-keys", "--data", folder], capture_output=True, text=True,
                          env=dict(os.environ, LANGUAGE="en"), check=False)


FOLDER = tempfile.mkdtemp(prefix="salotto-push-")
DATA = os.path.join(FOLDER, "data")
SERVICE = Service()


def post(server, cookie, lang="en", **body):
    return server.request("POST", "/api/push", json.dumps(body),
                          {"Cookie": cookie, "Accept-Language": lang})[0]


def check_keys():
    bare = Server(SALOTTO)
    guest = Guest(bare, "Anna")
    status, _, body = bare.request("GET", "/api/push")
    assert (status, json.loads(body)) == (200, {"ok": True}), "no keys, no push"
    assert post(bare, guest.cookie, endpoint="https://push.example/1", p256dh="x", auth="y") == 404
    bare.stop()
    made = make_keys(DATA)
    assert made.returncode == 0, made
    path = os.path.join(DATA, "push.key")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    with open(path, encoding="ascii") as f:
        before = f.read()
    again = make_keys(DATA)
    assert again.returncode == 1 and "push.key" in again.stderr, again
    with open(path, encoding="ascii") as f:
        assert f.read() == before, "keys are never written over"


def act(table, g, others):
    """The first choices of a person until it is another's turn; nobody guesses."""
    g.last = g.must("join", table=table)
    while g.last["legal"]:
        action = "end" if "end" in g.last["legal"] else g.last["legal"][0]
        seq = g.must("act", table=table, seq=g.last["seq"], action=action)["seq"]
        for p in [g, *others]:
            p.last = p.hear("moved", table=table, seq=seq)


def open_letter(keys, heard):
    _, headers, body = heard
    assert headers["Content-Encoding"] == "aes128gcm" and int(headers["TTL"]) > 0, headers
    sealed = base64.urlsafe_b64encode(body).decode().rstrip("=")
    return helper("open", json.dumps(keys),
                  text=json.dumps({"authorization": headers["Authorization"], "body": sealed}))


def check_call():
    server = Server(SALOTTO, "--push-anywhere", "--pace", "5000", data=FOLDER)
    key = json.loads(server.request("GET", "/api/push")[2])["push"]
    anna, bruno = Guest(server, "Anna"), Guest(server, "Bruno")
    keys = helper("keys")
    assert post(server, bruno.cookie, "it-IT", endpoint=SERVICE.endpoint("bruno"), p256dh=keys["p256dh"],
                auth=keys["auth"]) == 200
    table = begin([anna, bruno], options={"first": 0}, clock={"kind": "slow", "days": 2})
    quick = begin([anna, bruno], options={"first": 0})  # no clock of days: nobody is called
    # While a page of his is open he is not called; when none is, he is.
    act(quick, anna, [bruno])
    bruno.close()
    anna.hear("presence", seat=1, connected=False, table=table)
    act(table, anna, [])
    path, headers, body = heard = SERVICE.heard.get(timeout=CAP)
    assert path == "bruno", path
    assert b"Anna" not in body and table.encode() not in body, "it is not sealed"
    got = open_letter(keys, heard)
    assert got["signed"] and got["key"] == key, got
    assert got["head"]["alg"] == "ES256" and got["claims"]["aud"] == SERVICE.endpoint("")[:-1], got
    assert time.time() < got["claims"]["exp"] < time.time() + 86400 and got["claims"]["sub"], got
    assert got["message"] == {"title": "Doors", "body": "Bruno, tocca a te. Giochi con Anna.", "table": table}, got
    assert SERVICE.heard.empty(), "once"
    # His turn passes by his own hand; then again, and a dead subscription is forgotten.
    bruno.connect()
    bruno.last = bruno.must("join", table=table)
    SERVICE.status["bruno"] = 410
    act(table, bruno, [anna])
    bruno.close()
    anna.hear("presence", seat=1, connected=False, table=table)
    act(table, anna, [])
    assert open_letter(keys, SERVICE.heard.get(timeout=CAP))["message"]["table"] == table
    db = server.database()
    while db.execute("SELECT count(*) FROM push").fetchone()[0]:
        time.sleep(0.02)
    db.close()
    assert server.figures()["salotto_pushes_total"] == 1
    server.stop()
    assert "push-failed" in server.logged() and SERVICE.endpoint("") not in server.logged()


def check_subscriptions():
    server = Server(SALOTTO, data=FOLDER)
    guest, other = Guest(server, "Carla"), Guest(server, "Dario")
    keys = helper("keys")
    plain = {"endpoint": "https://push.example/1", "p256dh": keys["p256dh"], "auth": keys["auth"]}
    assert post(server, "", **plain) == 401
    for wrong in ({"endpoint": "http://push.example/1"}, {"endpoint": "https://"}, {"endpoint": "file:///etc/passwd"},
                  {"endpoint": "https://a@push.example/"}, {"endpoint": "https://push.example/ x"},
                  {"endpoint": "https://push.example/" + "x" * 700}, {"endpoint": 3}, {"p256dh": "BAAA"},
                  {"p256dh": "B" + "A" * 86}, {"auth": "x"}, {"auth": None}):
        assert post(server, guest.cookie, **{**plain, **wrong}) == 400, wrong
    db = server.database()
    rows = lambda: [r[0] for r in db.execute("SELECT endpoint FROM push ORDER BY endpoint")]
    for i in range(7):
        assert post(server, guest.cookie, **{**plain, "endpoint": f"https://push.example/{i}"}) == 200
    assert len(rows()) == 5 and "https://push.example/6" in rows(), rows()
    kept = rows()
    assert post(server, other.cookie, endpoint=kept[0], remove=True) == 200
    assert rows() == kept, "somebody else's stays"
    assert post(server, guest.cookie, endpoint=kept[0], remove=True) == 200
    assert rows() == kept[1:]
    exported = json.loads(server.read("/api/export", {"Cookie": guest.cookie})[2])["data"]["push"]
    assert len(exported) == 4, exported
    assert server.request("POST", "/api/delete", "{}", {"Cookie": guest.cookie})[0] == 200
    assert rows() == [], "it goes with the person"
    db.close()
    server.stop()


def check_private_addresses():
    """Without the flag of the tests the server calls nothing in its own network, whatever it is called."""
    server = Server(SALOTTO, "--pace", "5000", data=FOLDER)
    anna, bruno = Guest(server, "Elsa"), Guest(server, "Fabio")
    keys = helper("keys")
    for host in ("127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"):
        assert post(server, bruno.cookie, endpoint=f"https://{host}:{SERVICE.server_port}/private", p256dh=keys["p256dh"],
                    auth=keys["auth"]) == 200
    table = begin([anna, bruno], options={"first": 0}, clock={"kind": "slow", "days": 1})
    connections = SERVICE.connections
    bruno.close()
    anna.hear("presence", seat=1, connected=False, table=table)
    act(table, anna, [])
    while server.logged().count("push-failed") < 4:
        time.sleep(0.02)
    assert '"status":"0"' in server.logged() and SERVICE.connections == connections
    server.stop()


case("keys are made once, and without them there is no push", check_keys)
case("whoever is away is told whose turn it is, sealed; a dead subscription goes", check_call)
case("subscriptions are checked, few, one's own, and go with the person", check_subscriptions)
case("nothing is sent into the server's own network", check_private_addresses)
SERVICE.shutdown()
done()
