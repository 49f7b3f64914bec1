"""salotto join: tables of the real server from terminals, driven by tmux.

    join_test.py SALOTTO SOURCE_ROOT [--long]

Whole games of Traps and Louis XIV only with --long: they take minutes on a busy machine.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "scripts"))
from parlour import Server  # noqa: E402
from tap import case, done  # noqa: E402
from tmux import Terminal  # noqa: E402

SALOTTO = os.path.abspath(sys.argv[1])
MOVES_MAX = 1500


def is_asked(screen):
    return re.search("Your turn *$", screen.split("\n")[0]) and re.search(
        r"^▸ *1 \S", screen, re.M)


def is_over(screen):
    return "v review" in screen.rstrip("\n").split("\n")[-1]


def play_on(players, ready):
    """Whoever is asked takes the first choice, until the game is over for all."""
    for moves in range(MOVES_MAX):
        if all(is_over(t.screen()) for t in players):
            return moves
        for t in players:
            screen = t.settled(lambda s: True, "a screen")
            if is_asked(screen):
                t.press("Enter")
                t.change(screen)
                break
        ready()
    raise AssertionError("the game has no end")


def two_terminals(house, game):
    one, two = Terminal(80, 24), Terminal(120, 40)
    one.run(SALOTTO, "join", house.origin, "--create", game, "--name", "Anna", "--lang", "en")
    link = re.search(r"(http://\S+/t/\w+)", one.wait(r"/t/\w+")).group(1)
    two.run(SALOTTO, "join", link, "--name", "Bea", "--lang", "en")
    for t in one, two:
        t.wait("Bea")
        t.until(lambda s: "Free seats" not in s and re.search("q leave", s), "the table")
    one.press("c")
    one.type("ciao Bea")
    one.press("Enter")
    two.wait("Anna: ciao Bea")
    moves = play_on((one, two), lambda: None)
    assert moves > 5
    one.press("v")
    one.wait(r" 0/\d+ ")
    one.press("End")
    one.wait(r" (\d+)/\1 ")
    one.press("q")
    one.wait("v review")
    for t in one, two:
        t.press("q")
        t.wait(r"^\$$")
        t.close()


def a_guest_and_a_terminal(house):
    """Somebody at the server's own protocol, a terminal, and one who looks on."""
    t, rail = Terminal(80, 24), Terminal(80, 24)
    t.run(SALOTTO, "join", house.origin, "--create", "doors", "--name", "Carla", "--lang", "it")
    link = re.search(r"(http://\S+/t/\w+)", t.wait(r"/t/\w+")).group(1)
    rail.run(SALOTTO, "join", link, "--watch", "--name", "Dora", "--lang", "en")
    rail.wait("Carla")
    two = Terminal(80, 24)
    two.run(SALOTTO, "join", link, "--name", "Enzo", "--lang", "en")
    screen = rail.wait("Round 1")
    assert "You are" not in screen, "who looks on holds no card"
    two.wait("Round 1")
    t.wait("Round 1")
    # the server is killed and comes back: everybody is there again
    house.kill()
    t.wait("Connessione persa")
    house.start()
    t.gone("Connessione persa")
    for one in t, two, rail:
        one.press("q")
        one.wait(r"^\$$")
        one.close()


def plain(house):
    """In lines, on a dumb terminal, against a bot."""
    t = Terminal(80, 60, "dumb")
    t.run(SALOTTO, "join", house.origin, "--create", "doors", "--bot", "1=random", "--name", "Fede",
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
    t.wait(r"^\$$")
    t.close()


def refused(house):
    t = Terminal(80, 24)
    t.run(SALOTTO, "join", house.origin + "/t/nosuchtable", "--name", "Gina", "--lang", "en")
    t.wait("^salotto: ")
    t.run(SALOTTO, "join", "nonsense")
    t.wait("is no address")
    t.run(SALOTTO, "join", "http://127.0.0.1:1")
    t.wait("cannot be reached")
    t.close()


house = Server(SALOTTO, "--pace", "1000")
LONG = ("traps", "louis") if "--long" in sys.argv else ()
for game in ("doors", "favor", *LONG):
    case(f"{game}: two terminals through the server", two_terminals, house, game)
case("one looks on; the server is killed and comes back", a_guest_and_a_terminal, house)
case("in lines", plain, house)
case("what cannot be joined says why", refused, house)
house.stop()
done()
