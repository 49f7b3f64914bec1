"""Sentences that nothing else provokes, in Italian: mistakes on the command line, long computations,
programs that play badly, what is wrong with court files, what a server refuses.

    words_test.py SALOTTO SOURCE_ROOT
"""
import fcntl
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from parlour import Guest, Server
from seen import assert_says, is_said
from tap import KILL, case, done

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
WORK = tempfile.TemporaryDirectory(prefix="salotto-words-")


def path(name, text=None):
    where = os.path.join(WORK.name, name)
    if text is not None:
        with open(where, "wb") as f:
            f.write(text.encode() if isinstance(text, str) else text)
    return where


ENV = dict(os.environ, LANGUAGE="it", XDG_STATE_HOME=WORK.name, XDG_CONFIG_HOME=WORK.name)


def run(*args, text=""):
    return subprocess.run([SALOTTO, *args], input=text, env=ENV, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


def run_seen(*args, until=None):
    """The same with a terminal to complain to: what is shown while it computes, to its end or until a
    message of the catalogue is there."""
    ours, theirs = pty.openpty()
    p = subprocess.Popen([SALOTTO, *args], env=ENV, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    got = b""
    try:
        while not (until and is_said(got.decode(errors="replace"), until)) and (piece := os.read(ours, 65536)):
            got += piece
    except OSError:  # the other end is closed
        pass
    p.kill()
    os.close(ours)
    p.wait()
    return got.decode()


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
    (["join", "http://127.0.0.1:1"], "http://127.0.0.1:1 non è raggiungibile: a questo indirizzo non risponde nessuno."),
    (["join", "http://" + 64 * "a"], "non è raggiungibile: nessun host ha questo nome."),  # too long for any
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
    (["solve", "doors", "--iterations", "10000000"], "«10000000» non è un numero intero da 1 a 1000000"),
]


def answers(args, wanted):
    got = run(*args)
    assert wanted in got, got


# The same by the messages of the catalogue.
LATE = ["--offer", "RL,BL,RT,BR", "--collection", "RL,RT", "--discards", "BL,BT"]
DUEL = ["arena", "--game", "doors", "--seed", "1", "--bot", "random"]
ENDED = "Game {game}, seat {seat}, {bot}: the program has ended."
TOLD = [
    (["solve", "doors", *LATE, "--iterations", "20", "--book", path("book")],
     "%s  after %u: exploitability %.5f, value %+.5f to %+.5f\\n"),
    (["solve", "doors", *LATE, "--iterations", "20", "--book", path("book")],
     "%s: %u positions; by this book alone the Collector wins at least %+.5f\\n"),
    (["exploit", path("book"), *LATE], "%s  the Collector wins at least %+.5f by this book\\n"),
    (["exploit", "--habit", "fitting", "--offer", "RL,RL,BL,RT"],
     "%s  a Collector with this habit wins %+.5f from the best Guesser\\n"),
    (["solve", "traps", "--round", "1-1", "--cut", "1", "--iterations", "20"],
     "%s, cut %d  after %u: exploitability %.5f, value %+.5f to %+.5f\\n"),
    ([*DUEL, "--games", "2", "--sprt", "0,10"], "--sprt compares two or more bots."),
    ([*DUEL, "--bot", "novice", "--games", "2", "--sprt", "0,10"],
     "Deals: %zu. Not decided: whether %s is stronger by %g Elo or by %g."),
    ([*DUEL, "--bot", "novice", "--games", "400", "--sprt", "0,300"],
     "Deals: %zu. Decided: %s is stronger by at most %g Elo, not by %g."),
    ([*DUEL[:-1], "novice", "--bot", "random", "--games", "400", "--sprt", "0,300"],
     "Deals: %zu. Decided: %s is stronger, by at least %g Elo rather than at most %g."),
    ([*DUEL, "--bot", "cmd:true", "--games", "2"], ENDED),
    ([*DUEL, "--bot", "cmd:true", "--games", "80"], "… and %zu more; --records and --csv list all of them.\\n"),
    ([*DUEL, "--bot", "cmd:cat", "--games", "2"],
     "Game {game}, seat {seat}, {bot}: the answer '{answer}' has no action."),
    ([*DUEL, "--bot", "cmd:sleep 600", "--games", "2", "--start-time", "1", "--move-time", "1"],
     "Game {game}, seat {seat}, {bot}: no answer in time."),
    (["arena", "--help"], "Usage: salotto %s %s\\n"),
    (["play", "louis", "--plain", "--option", "court=" + path("bad.json", "{}")], "The court file is invalid: "),
    (["join", "http://127.0.0.1:1", "--players", "2"], "--players, --bot and --option go with --create GAME."),
    (["play", "favor", "--plain", "--players", "5"], "%s is for %d to %d players."),
]


def tells(args, message):
    assert_says(run(*args), message)


def usages():
    """How each command is called."""
    commands = re.findall(r"^  ([a-z]+)  ", run("--help").partition("Comandi:")[2].partition("Giochi:")[0], re.M)
    assert "arena" in commands, commands
    for words in [[name] for name in commands] + [["solve", "traps"], ["exploit", "traps"]]:
        told = run("help", *words)
        usage = told.partition("\n\n")[0]
        assert "salotto " + " ".join(words) in usage, usage
        assert not re.search(r"\b(GAME|OPTION|CARDS?|RECORD|LEVEL|TASK)\b", usage), usage
        assert max(map(len, told.splitlines())) <= 80, told


def allowed():
    got = run("play", "doors", "--plain", "--seed", "1", "--option", "first=0", text="why take BL\nquit\n")
    assert_says(got, "This is allowed now.")


def banned():
    """A ban while the server is down."""
    server = Server(SALOTTO)
    person = Guest(server, "Anna").me["person"]
    server.stop()
    assert_says(run("admin", "--data", os.path.join(server.folder, "data"), "ban", str(person)), "Banned.")


def computes():
    """What is told on a terminal while something takes its time."""
    for args in (["solve", "traps", "--round", "1-1", "--cut", "2", "--iterations", "60"],
                 ["exploit", path("book"), *LATE]):
        got = run_seen(*args)
        assert_says(got, "Solving Traps" if args[0] == "solve" else "Looking for the best Guesser")


# What would take many minutes to its end.
ENDLESS = [
    (["exploit", "traps", "--side", "second"], "Looking for the best first player"),
    (["exploit", "--offer", "RL,RL,BL,RT", "--side", "collector"], "Looking for the best Guesser, %s"),
    (["exploit", "--offer", "RL,RL,BL,RT", "--side", "guesser"], "Looking for the best Collector, %s"),
    (["solve", "doors", *LATE, "--iterations", "1000000", "--threads", "1"], ", iteration %u"),
    (["solve", "doors", *LATE, "--iterations", "1000000", "--threads", "1"], " left"),
]


def goes_on(args, message):
    assert_says(run_seen(*args, until=message), message)


def tournaments():
    """A file of a tournament: of another one, damaged, in use."""
    kept = path("kept")
    run(*DUEL, "--games", "2", "--keep", kept)
    with open(kept, encoding="utf-8") as f:
        whole = f.read()
    assert_says(run(*DUEL[:-1], "novice", "--games", "2", "--keep", kept),
                "%s: belongs to another tournament. Move it away to begin anew.")
    path("kept", whole + "odd\nodd\n")
    assert_says(run(*DUEL, "--games", "4", "--keep", kept), "%s: line %zu is damaged. Move the file away to begin anew.")
    path("kept", whole)
    with open(kept, "r+", encoding="utf-8") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        assert_says(run(*DUEL, "--games", "4", "--keep", kept), "%s: another tournament is writing to it.")


def programs_that_play():
    """A program at the table of a person, which fails in each way."""
    for command, fault in (("true", "it has ended"), ("cat", "no answer"),
                           ("while read l; do echo '{\"action\":\"guess red\"}'; done", "illegal action")):
        got = run("play", "doors", "--plain", "--seed", "1", "--option", "first=1", "--bot", f"cmd:{command}",
                  text="quit\n")
        assert_says(got, fault)


def record_without_seed():
    """A record that was told only up to here cannot be played on."""
    record = path("left.salotto")
    run("play", "doors", "--plain", "--seed", "1", "--record", record, text="quit\n")
    with open(record, encoding="utf-8") as f:
        lines = [line for line in f if not line.startswith("seed")]
    assert_says(run("play", "--load", path("seedless.salotto", "".join(lines)), text="1\n" * 400 + "quit\n"),
                "The record goes no further: it does not hold the seed.")


def replayed(game, sign, until, *more):
    """What people read of a vector of the game, found by a line, up to that one; and of more steps."""
    with open(os.path.join(TOP, f"tests/vectors/{game}.txt"), encoding="utf-8") as f:
        block = next(b for b in f.read().split("\n== ") if f"\n{sign}\n" in b)
    told = block.split(f"\n{until}\n")[0].splitlines()
    setup = next(line for line in told if line.startswith("new ")).split()
    options = ["option " + o.replace("=", " ") for o in setup[3:]]
    head = ["salotto record 2", f"game {game}", f"players {setup[2]}", *options, "seed " + "0" * 64]
    moves = [line for line in told if re.match(r"deal |\d \w", line)]
    return run("replay", "--all", "--open", path("vector.salotto", "\n".join([*head, *moves, *more, ""])))


def third_privilege():
    """An intrigue card with privilege 3, but with ready markers."""
    got = replayed("louis", "0 intrigue general 2 favour", "0 intrigue general 2 favour", "0 intrigue personal 3 favour")
    assert_says(got, "{tile}: [you play|{seat} plays] this tile's intrigue card with privilege 3: {n} of the ready markers.")


def nothing_to_pay():
    """Who has no token is not told that it pays none."""
    lost = '* "event":"bet_failed","seat":0,"tokens":0'
    assert_says(replayed("traps", lost, lost), "[You fail, and have|{seat} fails, and has] no token to pay.")
    lost = '* "event":"all_four","seat":0,"tokens":0'
    assert_says(replayed("traps", lost, lost),
                "All the others have four tokens: [you have|{seat} has] no token to pay.")


class Stranger(BaseHTTPRequestHandler):
    """Something that speaks HTTP, and is not Salotto."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.server.says)

    do_POST = do_GET

    def log_message(self, *_):
        pass


def not_salotto():
    server = HTTPServer(("127.0.0.1", 0), Stranger)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for says, message in ((b"hello", "it is not a Salotto server"), (b'{"ok":true}', "it refuses the connection")):
        server.says = says
        assert_says(run("join", f"http://127.0.0.1:{server.server_port}"), message)
    server.shutdown()


def open_tables():
    """Choosing a table in lines: none is open; one is, and none is chosen."""
    server = Server(SALOTTO)
    assert_says(run("join", server.origin), "no table is open here. '--create GAME' opens one.")
    anna = Guest(server, "Anna")
    table = anna.must("create", game="favor", players=3, seats=["open", "open", "novice"], public=True)["table"]
    anna.must("sit", table=table, seat=0)
    for message in ("Which table? Type its number.", "free", "no table was chosen."):
        assert_says(run("join", server.origin, text="9\n"), message)
    server.stop()


class Joined:
    """salotto join in lines on a terminal, at a table of a server."""

    def __init__(self, server, table, *args):
        self.terminal, theirs = pty.openpty()
        self.process = subprocess.Popen([SALOTTO, "join", f"{server.origin}/t/{table}", "--plain", *args], env=ENV,
                                        stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        self.said = b""

    def hear(self, message):
        while not is_said(self.said.decode(errors="replace"), message):
            self.said += os.read(self.terminal, 65536)

    def watches(self, guest):
        """A guest at the table hears of it, so it is there."""
        os.write(self.terminal, b"say ciao\n")
        guest.hear("said")

    def leave(self):
        self.process.send_signal(KILL)
        self.process.wait()
        os.close(self.terminal)


def saved_too_early():
    """The record of a game that has not begun."""
    server = Server(SALOTTO)
    anna = Guest(server, "Anna")
    table = anna.must("create", game="doors", players=2)["table"]
    joined = Joined(server, table, "--name", "Gino")
    os.write(joined.terminal, f"save {path('early')}\n".encode())
    joined.hear("The server gave no record.")
    joined.leave()
    server.stop()


def rule_books():
    """They fit a terminal of 80 columns, captions too."""
    for game in ("doors", "favor", "traps", "louis"):
        for lang in ("en", "it"):
            long = [line for line in run("rules", game, "--lang", lang).splitlines() if len(line) > 80]
            assert not long, (game, lang, long)


def without_spectators():
    """Somebody looks at a table before its game, which nobody may watch."""
    server = Server(SALOTTO)
    anna, berta = Guest(server, "Anna"), Guest(server, "Berta")
    table = anna.must("create", game="doors", players=2, spectators=False)["table"]
    watcher = Joined(server, table, "--watch")
    watcher.watches(anna)
    for seat, guest in enumerate((anna, berta)):
        guest.must("sit", table=table, seat=seat)
    watcher.hear("The game has begun without spectators.")
    watcher.leave()
    server.stop()


def offered_rematch():
    """The other resigns and asks for a rematch; then the server closes."""
    server = Server(SALOTTO)
    anna = Guest(server, "Anna")
    table = anna.must("create", game="doors", players=2, options={"first": 0})["table"]
    anna.must("sit", table=table, seat=0)
    joined = Joined(server, table, "--name", "Gino")
    anna.hear("moved", kind="start")
    anna.must("resign", table=table)
    anna.must("rematch", table=table)
    joined.hear("A rematch is offered: type 'rematch' to join it.")
    server.process.terminate()
    joined.hear("The server is closing; your table will be there again.")
    joined.leave()
    server.stop()


def rated_game():
    """Two with accounts play a rated game, and somebody watches."""
    server = Server(SALOTTO, "--pace", "1000")
    players = [Guest(server, name, server.account(name)) for name in ("Anna", "Berta")]
    table = players[0].must("create", game="doors", players=2, rated=True, options={"first": 0})["table"]
    watcher = Joined(server, table, "--watch")
    watcher.watches(players[0])
    for seat, guest in enumerate(players):
        guest.must("join", table=table)
        guest.must("sit", table=table, seat=seat)
    while not (now := players[0].must("join", table=table)).get("state", {}).get("over"):
        for guest in players:
            shown = guest.must("join", table=table)
            if shown.get("legal"):
                guest.must("act", table=table, seq=shown["seq"], action=shown["legal"][0])
    watcher.hear("%s: rating %.0f, was %.0f.")
    watcher.leave()
    server.stop()


def undone_too_late():
    """An undo of what has turned a card up, in Italian."""
    server = Server(SALOTTO)
    anna = Guest(server, "Anna")
    table = anna.must("create", game="favor", players=2, seats=["open", "open"], options={"first": 0}, lang="it")["table"]
    for seat, guest in enumerate((anna, Guest(server, "Berta"))):
        guest.must("sit", table=table, seat=seat)
    seq = anna.hear("moved", kind="start")["seq"]
    anna.must("lang", lang="it")
    seq = anna.must("act", table=table, seq=seq, action="add")["seq"]
    got = anna.ask("undo", table=table, seq=seq)
    assert got["op"] == "error", got
    assert_says(got["message"], "It revealed something: a card was turned up or a secret was shown.")
    server.stop()


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
    squeezed = run("court", "show", "--json")
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
    ("/api/guest", {"name": "…"}, "Un nome deve contenere almeno una lettera o una cifra."),
    ("/api/enter", {"name": "Anna", "password": "not the one"}, "Nome o password sbagliati."),
    ("/api/name", {"name": "Anna"}, "Non hai effettuato l'accesso: prima accedi."),
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
for args, message in TOLD:
    case(" ".join(a if len(a) < 40 else "…" for a in args).replace(WORK.name, "FOLDER"), tells, args, message)
case("how each command is called", usages)
case("asking why of what is allowed", allowed)
case("a ban while the server is down", banned)
case("what is told while it computes", computes)
for args, message in ENDLESS:
    case(f"{' '.join(args)}, for a while", goes_on, args, message)
case("files of tournaments", tournaments)
case("programs that play badly", programs_that_play)
case("a record without its seed", record_without_seed)
case("an intrigue card with privilege 3 and ready markers", third_privilege)
case("who has no token to pay", nothing_to_pay)
case("rule books in 80 columns", rule_books)
case("choosing among the open tables", open_tables)
case("join something that is not Salotto", not_salotto)
case("join: a game without spectators begins", without_spectators)
case("join: a record before the game", saved_too_early)
case("join: a rematch is offered, the server closes", offered_rematch)
case("join: what a rated game has changed", rated_game)
case("an undo that comes too late", undone_too_late)
case("what a server refuses, in Italian", refused_in_italian)
case("court files: what is wrong, in Italian", court_files)
done()
