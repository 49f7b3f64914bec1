"""Sentences that nothing else provokes, in Italian: mistakes on the command line, what is wrong with
court files, what a server refuses.

    words_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from parlour import Server
from tap import case, done

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
WORK = tempfile.TemporaryDirectory(prefix="salotto-words-")


def path(name, text=None):
    where = os.path.join(WORK.name, name)
    if text is not None:
        with open(where, "wb") as f:
            f.write(text.encode() if isinstance(text, str) else text)
    return where


def run(*args, text=""):
    env = dict(os.environ, LANGUAGE="it", XDG_STATE_HOME=WORK.name, XDG_CONFIG_HOME=WORK.name)
    return subprocess.run([SALOTTO, *args], input=text, env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


# What is typed, and what is answered.
MISTAKES = [
    (["exploit", "a", "b", "--offer", "RL,RL,BL,RT"], "indica una sola strategia"),
    (["exploit", "traps", path("odd", "odd")], "non è una strategia di Traps"),
    (["solve", "traps", "--policy", path("p"), "--cut", "3"], "serve un taglio pari"),
    (["solve", "traps", "--help"], "Migliora le strategie dei due giocatori"),
    (["exploit", "traps", "--help"], "con cui il maestro gioca a Traps"),
    (["solve", "louis"], "è troppo grande per essere risolto"),
    (["solve", "favor", "x"], "indica un gioco"),
    (["solve", "doors", "--offer", "RL,RL,BL,RT", "--collection", "BL,RT,BT,BR", "--discards", "RL,BL,RT,BT"],
     "troppo tardi per risolvere"),
    (["solve", "doors", "--offer", "RL,RL,BL,RT", "--collection", "BL"], "lo stesso numero di carte"),
    (["join", "--help"], "il link di un tavolo"),
    (["join"], "quale server?"),
    (["join", "http://127.0.0.1:1"], "http://127.0.0.1:1 non è raggiungibile"),
    (["watch", "--help"], "secondi tra un'azione e l'altra"),
    (["replay", "--help"], "quello che vedeva chi sedeva a quel posto"),
    (["replay"], "quale registrazione?"),
    (["schema", "--help"], "che forma hanno stati"),
    (["rules", "doors", "--lang", "de"], "la lingua «de» non è disponibile"),
    (["--plugin"], "--plugin vuole il nome di un file"),
    (["--plugin", path("odd"), "play"], "il plugin non si carica"),
    (["verify", path("huge", b"x" * (33 << 20))], "è più grande di 32 MiB"),
    (["play", "favor", "--plain", "--option", "edition=en", "--seed", "1"], "edizione inglese"),
    (["play", "doors", "--plain", "--option", "goal=7"], "non ammette il valore"),
]


def answers(args, wanted):
    got = run(*args)
    assert wanted in got, got


class Stranger(BaseHTTPRequestHandler):
    """Something that speaks HTTP, and is not Salotto."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello")

    do_POST = do_GET

    def log_message(self, *_):
        pass


def not_salotto():
    server = HTTPServer(("127.0.0.1", 0), Stranger)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    got = run("join", f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    assert "non è un server di Salotto" in got, got


# ---- Court files ----------------------------------------------------------------

STRING = r'"((?:[^"\\]|\\.)*)"'


def faults():
    """The faults of court_test.c: what is replaced, by what, and which occurrence."""
    with open(os.path.join(TOP, "tests/games/court_test.c"), encoding="utf-8") as f:
        table = f.read().split("faults[] = {")[1].split("\n};")[0]
    for row in re.findall(r"\{((?:\s*" + STRING + r",?)+\s*\d+)\}", table):
        parts = [json.loads('"' + "".join(re.findall(STRING, p)) + '"')
                 for p in re.split(r",\s*(?=\"|\d)", row[0])[:2]]
        yield parts[0], parts[1]


def court_files():
    with open(os.path.join(TOP, "src/games/court.json"), encoding="utf-8") as f:
        court = f.read()
    squeezed = json.dumps(json.loads(court), separators=(",", ":"), ensure_ascii=False)
    tried = told = 0
    for old, new in faults():
        if old not in squeezed:
            continue
        tried += 1
        got = run("court", "check", path("court.json", squeezed.replace(old, new, 1)))
        told += "court.json: " in got and "questo" in got or "tessera" in got or "missioni" in got
    assert tried > 30 and told > 20, (tried, told)


# ---- A server --------------------------------------------------------------------

REFUSED = [
    ("/api/guest", {"name": "x" * 30}, "Un nome ha al massimo 24 caratteri."),
    ("/api/guest", {"name": "a\u200bb"}, "Un nome non può avere caratteri invisibili."),
    ("/api/guest", {"name": "a" + "\u0301" * 9}, "Un nome non può avere tanti accenti nello stesso punto."),
    ("/api/guest", {"name": "…"}, "Un nome ha bisogno di una lettera o di una cifra."),
    ("/api/enter", {"name": "Anna", "password": "not the one"}, "Nome o password sbagliati."),
    ("/api/name", {"name": "Anna"}, "Non c'è nessuna sessione: accedi di nuovo."),
]


def refused_in_italian():
    """What a form is refused, in the language of whoever fills it in."""
    server = Server(SALOTTO)
    for address, body, wanted in REFUSED:
        headers = {"Origin": server.origin, "Content-Type": "application/json", "Accept-Language": "it"}
        status, _, text = server.request("POST", address, json.dumps(body), headers)
        assert status >= 400 and json.loads(text)["error"]["message"] == wanted, (address, text)
    server.stop()


for args, wanted in MISTAKES:
    case(" ".join(a if len(a) < 40 else "…" for a in args).replace(WORK.name, "FOLDER"), answers, args, wanted)
case("join something that is not Salotto", not_salotto)
case("what a server refuses, in Italian", refused_in_italian)
case("court files: what is wrong, in Italian", court_files)
done()
