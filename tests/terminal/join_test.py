"""salotto join: tables of the real server from terminals, driven by tmux, and from a browser.

    join_test.py SALOTTO SOURCE_ROOT [--browser] [PART OF A NAME]

With --browser the games between a browser and a terminal, else all others.
"""
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "scripts"))
from parlour import Guest, Server  # noqa: E402
from tap import case, done  # noqa: E402
from tmux import FOLDER, Terminal  # noqa: E402

SALOTTO = os.path.abspath(sys.argv[1])
MOVES_MAX = 1500


YOURS = re.compile(r"\A.*Your turn *$", re.M)


def is_asked(screen):
    return YOURS.search(screen) and re.search(r"^▸ *1 \S", screen, re.M)


def board_of(screen):
    """The offer, the collection, the discards of Doors."""
    return screen.split("\n")[1:10]


def is_over(screen):
    return "v review" in screen.rstrip("\n").split("\n")[-1]


def take_choice(t, screen):
    """The first one; who always bets a little more at Traps would never come to an end."""
    if re.search("bet more than|punta più di", screen):
        t.press("End")
        t.until(lambda s: s != screen, "the last choice")
    t.press("Enter")


def play_on(players):
    """Whoever is asked takes a choice, until the game is over for all; how many were taken."""
    moves = 0
    while moves < MOVES_MAX:
        if all(is_over(t.screen()) for t in players):
            return moves
        t = next((t for t in players if is_asked(t.screen())), None)
        if not t:
            time.sleep(0.02)
            continue
        screen = t.settled(lambda s: is_asked(s) or not YOURS.search(s), "a choice")
        if is_asked(screen):
            take_choice(t, screen)
            t.change(screen)
            moves += 1
    raise AssertionError("the game has no end")


def two_terminals(server, game):
    one, two = Terminal(80, 24), Terminal(120, 40)
    one.run(SALOTTO, "join", server.origin, "--create", game, "--name", "Anna", "--lang", "en")
    link = re.search(r"(http://\S+/t/\w+)", one.wait(r"/t/\w+")).group(1)
    two.run(SALOTTO, "join", link, "--name", "Bea", "--lang", "en")
    for t in one, two:
        t.wait("Bea")
        t.until(lambda s: "Free seats" not in s and re.search("q leave", s), "the table")
    one.press("c")
    one.type("ciao Bea")
    one.press("Enter")
    two.wait("Anna: ciao Bea")
    moves = play_on((one, two))
    assert moves > 5
    one.press("v")  # the review, of the record that the server gives
    one.wait(r"\A.* Review .* (\d+)/\1 · Anna")
    one.press("Home")
    one.wait(r"\A.* 1/\d+ · Anna")
    one.press("q")
    one.wait("v review")
    for t in one, two:
        t.press("q")
        t.wait(r"^\$$")
        t.close()


def a_guest_and_a_terminal(server):
    """Somebody at the server's own protocol, a terminal, and one who looks on."""
    t, rail = Terminal(80, 24), Terminal(80, 24)
    t.run(SALOTTO, "join", server.origin, "--create", "doors", "--name", "Carla", "--lang", "it")
    link = re.search(r"(http://\S+/t/\w+)", t.wait(r"/t/\w+")).group(1)
    rail.run(SALOTTO, "join", link, "--watch", "--name", "Dora", "--lang", "en")
    rail.wait("Carla")
    two = Terminal(80, 24)
    two.run(SALOTTO, "join", link, "--name", "Enzo", "--lang", "en")
    screen = rail.wait("Round 1")
    assert "You are" not in screen, "who looks on holds no card"
    two.wait("Round 1")
    t.wait("Round 1")
    rail.wait("^ *c chat · l log")
    two.press("?")
    two.wait("say something in the chat")
    two.press("q")
    # the server is killed and comes back: everybody is there again
    server.kill()
    t.wait("Connessione persa")
    server.start()
    t.gone("Connessione persa")
    for one in t, two, rail:
        one.press("q")
        one.wait(r"^\$$")
        one.close()


def lobby(server):
    """Without a table's link one chooses from those that are open."""
    t = Terminal(80, 24)
    t.run(SALOTTO, "join", server.origin, "--create", "doors", "--name", "Paola", "--lang", "en")
    t.wait("Free seats: 1")
    two = Terminal(80, 24)
    two.run(SALOTTO, "join", server.origin, "--name", "Quirino", "--lang", "en")
    screen = two.wait("Doors: Paola, free")
    while not re.search("^  ▸ Doors: Paola", screen, re.M):
        two.press("Down")
        screen = two.change(screen)
    two.press("Enter")
    for one in t, two:
        one.wait("Round 1")
        one.press("q")
        one.wait(r"^\$$")
        one.close()


def plain(server):
    """In lines, on a dumb terminal, against a bot."""
    t = Terminal(80, 60, "dumb")
    t.run(SALOTTO, "join", server.origin, "--create", "doors", "--bot", "1=random", "--name", "Fede",
          "--lang", "en")
    t.wait(r"^ +1  (Take|Discard) ")
    t.type("nonsense")
    t.press("Enter")
    t.wait("Unknown action|Did you mean")
    t.type("#1")
    t.press("Enter")
    t.wait("^\\* You (take|discard)")
    t.type("quit")
    t.press("Enter")
    t.wait(r"^(> )?\$$")  # what came between the typing and the reading has put its prompt there
    t.close()


def lines_that_are_edited(server):
    """In lines: what is half typed stays below what comes; completion, history, letters of
    several bytes; the review at the end."""
    t, two = Terminal(80, 50), Terminal(80, 24)
    t.run(SALOTTO, "join", server.origin, "--create", "doors", "--name", "Rita", "--lang", "en",
          "--plain", "--option", "first=0", "--option", "goal=5")
    link = re.search(r"(http://\S+/t/\w+)", t.wait(r"/t/\w+[\s\S]*^>")).group(1)
    t.type("say pron")
    t.wait("^> say pron$")
    two.run(SALOTTO, "join", link, "--name", "Sara", "--lang", "en")
    t.wait(r"^Your turn: take a card[\s\S]*^> say pron$(?![\s\S]*\S)")
    t.type("tò")
    t.press("Enter")
    two.wait("Rita: prontò")
    t.wait(r"^\* Rita: prontò\s+^>$")
    t.type("hin")
    t.press("Tab")
    t.wait("^> hint")
    t.press("C-u")
    t.press("Up")
    t.wait(r"^> say prontò$(?![\s\S]*\S)")
    t.press("C-u")
    t.type("ta")
    t.press("Tab")
    t.wait("^> take")
    t.press("C-u")
    t.type("help")
    t.press("Enter")
    t.wait(r"^  rematch  [\s\S]*^>$(?![\s\S]*\S)")
    t.type("look")
    t.press("Enter")
    screen = t.wait(r"^> look[\s\S]*^ +1  Take[\s\S]*^>$(?![\s\S]*\S)")
    card = re.findall(r"take ([RBLT]{2})", screen)[-1]
    t.type("take " + card)
    t.press("Enter")
    t.wait(r"^\* You take")
    t.type("review")
    t.press("Enter")
    t.wait("only finished games are reviewed")
    t.type("resign")
    t.press("Enter")
    t.wait(r"won|wins")
    two.wait("v review")
    t.type("review")
    t.press("Enter")
    t.wait(r"^Summary[\s\S]*accuracy[\s\S]*^>$(?![\s\S]*\S)")
    t.type("quit")
    t.press("Enter")
    t.wait(r"^\$$")
    two.press("q")
    two.wait(r"^\$$")
    t.close()
    two.close()


def crowded_court():
    """A court where hands are so large that with privilege 2 there are some hundreds of actions."""
    court = subprocess.run([SALOTTO, "court", "show", "--json"], stdout=subprocess.PIPE, text=True, check=True).stdout
    for old, new in (('"hand_size":5', '"hand_size":10'), ('"influence_jokers":6', '"influence_jokers":2'),
                     ('"power":"card"', '"power":"gold2"'), ('"reward":"influence_card"', '"reward":"gold"')):
        court = court.replace(old, new)
    return court.encode()


def many_choices(server):
    """Every card is named by its person, however many choices there are."""
    anna, t = Guest(server, "Anna"), Terminal(120, 60)
    _, _, body = server.request("POST", "/api/court", crowded_court(), {"Cookie": anna.cookie, "Content-Type": "text/plain"})
    options = {"court": json.loads(body)["court"], "first": 0}
    table = anna.must("create", game="louis", players=2, options=options, seats=["open", "random"])["table"]
    t.run(SALOTTO, "join", f"{server.origin}/t/{table}", "--name", "Bice", "--lang", "it")
    for action in ("favour 2", "pass"):
        t.wait(f" {action} ")
        t.type(":" + action)
        t.press("Enter")
    cards = re.findall(r"\d (?:Gioca|Salta con) (.*?)  ", t.wait(r"(?:\d (?:Gioca|Salta con) [\s\S]*?){9}^ *$"))
    assert len(cards) > 8 and all(re.fullmatch(r"un jolly|\D+ \(\d+\)", card.strip()) for card in cards), cards
    t.press("q")
    t.wait(r"^\$$")
    t.close()


def refused(server):
    t = Terminal(80, 24)
    t.run(SALOTTO, "join", server.origin + "/t/nosuchtable", "--name", "Gina", "--lang", "en")
    t.wait("^salotto: ")
    t.run(SALOTTO, "join", "nonsense")
    t.wait("is not an address")
    t.run(SALOTTO, "join", "http://127.0.0.1:1")
    t.wait("cannot be reached")
    t.close()


def browser_and_terminal(server, browser, game):
    """A whole game between somebody with a browser and a terminal; both see the same winner."""
    t = Terminal(80, 24)
    t.run(SALOTTO, "join", server.origin, "--create", game, "--name", "Anna", "--lang", "en")
    link = re.search(r"(http://\S+/t/\w+)", t.wait(r"/t/\w+")).group(1)
    browser.stdin.write(link + "\n")
    browser.stdin.flush()
    t.wait("Bruna")
    moves = play_on((t,))
    said = browser.stdout.readline().split()
    assert said and said[0] == "over", said
    assert moves > 5
    t.press("l")
    t.press("End")
    won = t.wait("^.*won|You win|wins? the game").replace("\n", " ")
    assert ("0" in said[1:]) == bool(re.search("You (win|have won)", won)), (said, won)
    t.press("q")
    t.wait("v review")
    t.press("q")
    t.wait(r"^\$$")
    t.close()


def start_browser(server):
    return subprocess.Popen(["node", os.path.join(HERE, "browser.mjs"), server.origin],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


# ---- TLS ---------------------------------------------------------------------


def certificate():
    """A certificate of this machine for itself, and its key."""
    made = [os.path.join(FOLDER, name) for name in ("cert.pem", "key.pem")]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                    "-out", made[0], "-keyout", made[1]], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return made


def pour(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    for end in source, sink:
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def tls_proxy(door, port, cert, key):
    """Passes everything that comes in by the door with TLS on to that port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)

    def serve(client):
        try:
            inside = context.wrap_socket(client, server_side=True)
        except (ssl.SSLError, OSError):
            return client.close()
        onward = socket.create_connection(("127.0.0.1", port))
        threading.Thread(target=pour, args=(onward, inside), daemon=True).start()
        pour(inside, onward)

    def welcome():
        while True:
            threading.Thread(target=serve, args=(door.accept()[0],), daemon=True).start()

    threading.Thread(target=welcome, daemon=True).start()


def over_tls():
    """Through a proxy that speaks TLS: whom nobody vouches for is refused, else one plays."""
    cert, key = certificate()
    door = socket.create_server(("127.0.0.1", 0))
    url = f"https://127.0.0.1:{door.getsockname()[1]}"
    server = Server(SALOTTO, "--pace", "1000", "--public-url", url)
    tls_proxy(door, server.port, cert, key)
    t = Terminal(80, 24)
    t.run(SALOTTO, "join", url, "--create", "doors", "--bot", "1=random", "--name", "Ines",
          "--lang", "en")
    t.wait("cannot be reached: its certificate is not")
    t.close()
    t = Terminal(80, 24, SSL_CERT_FILE=cert)
    t.run(SALOTTO, "join", url, "--create", "doors", "--bot", "1=random", "--name", "Ines",
          "--option", "first=0", "--lang", "en")
    screen = t.until(is_asked, "a question")
    t.press("Enter")
    t.until(lambda s: board_of(s) != board_of(screen), "another board")
    t.press("q")
    t.wait(r"^\$$")
    t.close()
    server.stop()


GAMES = ("doors", "favor", "traps", "louis")
MORE = sys.argv[3:]
WITH_BROWSER = "--browser" in MORE
ONLY = "".join(word for word in MORE if word != "--browser")


def maybe(name, function, *args):
    if ONLY in name:
        case(name, function, *args)


def with_browser(server):
    browser = start_browser(server)
    for game in GAMES:
        maybe(f"{game}: a browser and a terminal", browser_and_terminal, server, browser, game)
    browser.stdin.close()
    browser.wait()


def with_terminals(server):
    for game in GAMES:
        maybe(f"{game}: two terminals through the server", two_terminals, server, game)
    maybe("one looks on; the server is killed and comes back", a_guest_and_a_terminal, server)
    maybe("the lobby", lobby, server)
    maybe("in lines", plain, server)
    maybe("lines that are edited", lines_that_are_edited, server)
    maybe("some hundreds of choices", many_choices, server)
    maybe("https", over_tls)
    maybe("what cannot be joined says why", refused, server)


SERVER = Server(SALOTTO, "--pace", "1000")
if WITH_BROWSER:
    with_browser(SERVER)
else:
    with_terminals(SERVER)
SERVER.stop()
done()
