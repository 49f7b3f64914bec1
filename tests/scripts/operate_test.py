"""The server as its operator meets it: options and the config file, what is said
when it cannot start, addresses.

    operate_test.py SALOTTO SOURCE_ROOT
"""
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile

from parlour import Guest, House
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
WORK = tempfile.mkdtemp(prefix="salotto-operate-")


def path(name):
    return os.path.join(WORK, name)


def write(name, text):
    with open(path(name), "w", encoding="utf-8") as f:
        f.write(text)
    return path(name)


def salotto(*args, lang="en"):
    return subprocess.run([SALOTTO, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=30, env=dict(os.environ, LANGUAGE=lang))


# ---- Options -------------------------------------------------------------------

def config_file():
    """The file is read, comments and blanks are not, and the command line goes
    before it."""
    data = path("from-file")
    config = write("house.conf", f"# a house\n\n  data = {data}  \n"
                   "public-url=https://play.example.org/parlour\n"
                   "trust-proxy = yes\nbot-seconds = 0\nconnections = 7\n")
    house = House(SALOTTO, "--config", config)  # which has a --data of its own
    assert not os.path.exists(data) and os.path.exists(os.path.join(house.folder, "data"))
    headers = house.request("POST", "/api/guest", '{"name":"A"}',
                            {"Origin": "https://play.example.org"})
    assert headers[0] == 200 and "; Secure" in headers[1]["Set-Cookie"], headers
    assert house.request("POST", "/api/guest", '{"name":"A"}', {"Origin": house.origin})[0] == 403
    assert house.stop() == 0


def config_errors():
    for line, word in (("colour = blue", "'colour'"), ("data", "name = value"),
                       ("listen = a:b", "'a:b'"), ("ping = soon", "'soon'"),
                       ("trust-proxy = maybe", "'maybe'"), ("= x", "''"),
                       ("store = postgres:x", "'postgres:x'"), ("data =", "''")):
        config = write("bad.conf", f"# fine\nping = 20\n{line}\n")
        got = salotto("serve", "--config", config)
        assert got.returncode == 2 and f"{config}, line 3: " in got.stderr, (line, got)
        assert word in got.stderr and got.stderr.count("\n") == 1, (line, got)
    got = salotto("serve", "--config", path("nowhere"))
    assert got.returncode == 1 and path("nowhere") in got.stderr, got


def store_elsewhere():
    store = path("elsewhere.db")
    house = House(SALOTTO, "--store", f"sqlite:{store}")
    Guest(house).must("create", game="doors", players=2)
    with sqlite3.connect(store) as db:
        assert db.execute("SELECT count(*) FROM move").fetchone() == (1,)
    got = salotto("serve", "--listen", "127.0.0.1:0", "--data", path("other"), "--store",
                  f"sqlite:{store}")
    assert got.returncode == 1 and "another server" in got.stderr and store in got.stderr, got
    assert house.stop() == 0


def help_tells_all():
    text = salotto("serve", "--help").stdout
    for name in ("listen", "data", "store", "public-url", "trust-proxy", "config", "connections",
                 "per-address", "bot-seconds", "timeout", "ping"):
        assert f"--{name} " in text, name
    assert "Examples:" in text


# ---- What keeps it from starting -----------------------------------------------

def cannot_start():
    with socket.create_server(("127.0.0.1", 0)) as s:
        port = s.getsockname()[1]
        got = salotto("serve", "--listen", f"127.0.0.1:{port}", "--data", path("busy"))
        assert got.returncode == 1 and "address already in use" in got.stderr, got
        assert str(port) in got.stderr
    file = write("a-file", "no folder")
    got = salotto("serve", "--listen", "127.0.0.1:0", "--data", file + "/data")
    assert got.returncode == 1 and "Not a directory" in got.stderr, got
    got = salotto("serve", "--listen", "127.0.0.1:0", "--data", "/proc/salotto")
    assert got.returncode == 1 and "/proc/salotto: the store" in got.stderr, got


def newer_store():
    house = House(SALOTTO)
    assert house.stop() == 0
    with house.database() as db:
        db.execute("INSERT INTO schema_version VALUES (999)")
    got = salotto("serve", "--listen", "127.0.0.1:0", "--data",
                  os.path.join(house.folder, "data"))
    assert got.returncode == 1 and "newer version" in got.stderr, got


# ---- Addresses -----------------------------------------------------------------

def per_address():
    """One address has so many connections and no more; the log says so a few
    times and not each time; another address has its own."""
    house = House(SALOTTO, "--per-address", "5")
    guests = [Guest(house, f"G{i}") for i in range(5)]
    for _ in range(60):
        got = house.raw(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        assert got.startswith(b"HTTP/1.1 429 ") or got == b"", got
    with socket.create_connection(("127.0.0.1", house.port), 10,
                                  source_address=("127.0.0.2", 0)) as s:
        s.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert s.recv(100).startswith(b"HTTP/1.1 200 ")
    guests.pop().close()
    guests[0].must("lobby")
    while not house.raw(b"GET /healthz HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200 "):
        pass
    lines = house.logged().count("too many connections")
    assert 1 <= lines <= 40, lines
    assert house.stop() == 0


def behind_a_proxy():
    """With --trust-proxy the last address that is forwarded is the client's."""
    house = House(SALOTTO, "--trust-proxy", "--per-address", "2")

    def knock(s, address):
        s.sendall(f"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {address}\r\n\r\n"
                  .encode())
        got = b""
        while not got.endswith((b"ok\n", b"}")):
            got += s.recv(4096)
        return got.split(b" ")[1]

    sockets = [socket.create_connection(("127.0.0.1", house.port), 10) for _ in range(4)]
    assert [knock(s, "1.1.1.1, 192.0.2.7") for s in sockets[:3]] == [b"200", b"200", b"429"]
    assert knock(sockets[3], "192.0.2.7, 1.1.1.1") == b"200"
    assert knock(sockets[0], "2001:db8:1:2::3") == b"200"  # it gives its old place back
    assert knock(sockets[3], "192.0.2.7") == b"200"
    assert knock(sockets[3], "x" * 300) == b"200"
    for s in sockets:
        s.close()
    assert house.stop() == 0


try:
    case("a config file, under the command line", config_file)
    case("errors in the config file name file and line", config_errors)
    case("a store outside the data folder, locked there", store_elsewhere)
    case("--help tells every option", help_tells_all)
    case("port in use, no folder: a clear word", cannot_start)
    case("a store of a newer version is refused", newer_store)
    case("connections of one address are bounded", per_address)
    case("behind a proxy the forwarded address counts", behind_a_proxy)
finally:
    shutil.rmtree(WORK, ignore_errors=True)
done()
