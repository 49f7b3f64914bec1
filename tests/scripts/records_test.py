"""What is wrong with a record, in Italian: every sentence, and the line where it stands.

    records_test.py SALOTTO SOURCE_ROOT
"""
import os
import re
import subprocess
import sys
import tempfile

from seen import assert_says
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
WORK = tempfile.TemporaryDirectory(prefix="salotto-records-")
ENV = dict(os.environ, LANGUAGE="it", XDG_STATE_HOME=WORK.name, XDG_CONFIG_HOME=WORK.name)


def run(*args, text=""):
    return subprocess.run([SALOTTO, *args], input=text, env=ENV, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False).stdout


def path(name, text=None):
    where = os.path.join(WORK.name, name)
    if text is not None:
        with open(where, "w", encoding="utf-8") as f:
            f.write(text)
    return where


FIRST = "salotto record 2\ngame doors\nplayers 2\n"
HEAD = FIRST + "option first 0\n"
ZEROS, ONES = "0" * 64, "1" * 64
SEED = f"seed {ZEROS[:-1]}b\n"


def played():
    """The lines of a game in which two have taken turns, as the program writes them."""
    run("play", "doors", "--plain", "--seed", "5", "--option", "first=0", "--bot", "random", "--record",
        path("played"), text="take BL\nquit\n")
    with open(path("played"), encoding="utf-8") as f:
        return [line for line in f.read().splitlines(True) if not line.startswith("#")]


LINES = played()
DRAWS = [i for i, line in enumerate(LINES) if line.startswith("= ")]
ACTIONS = [i for i, line in enumerate(LINES) if line[0].isdigit()]
SECRET = [i for i, line in enumerate(LINES) if line.startswith("seed ")]


def instead(number, line):
    return "".join(LINES[:number] + [line] + LINES[number + 1:])


LAST = LINES[:ACTIONS[0]]  # up to the first action, with its draws
BETWEEN = next(i for i in DRAWS if ACTIONS[0] < i < ACTIONS[-1])


def reshuffled():
    """A game of Louis XIV in which an open pile becomes a deck, of which the record tells something else."""
    run("watch", "louis", "--plain", "--players", "4", "--seed", "1", "--bot", "random", "--speed", "0", "--record",
        path("reshuffled"))
    with open(path("reshuffled"), encoding="utf-8") as f:
        return re.sub(r"\npile (\d+) influence .*", r"\npile \1 influence 1", f.read(), count=1)


# The record, and what is said of it.
WRONG = [
    ("nothing\n", 'a record begins with \\"salotto record 2\\"'),
    ("salotto record 2\nplayers 2\n", 'the game must be named here: \\"game doors\\"'),
    ("salotto record 2\ngame chess\n", "there is no such game"),
    ("salotto record 2\ngame doors\n", 'the number of players must stand here: \\"players 2\\"'),
    ("salotto record 2\ngame doors\nplayers 3\n", "the game is not for that many players"),
    (FIRST + "option first\n", "an option has a name and a value"),
    (FIRST + "option colour red\n", "the game has no such option"),
    (FIRST + "option first 2\n", "the option has no such value"),
    (HEAD + "seed 12\n", "a seed is 64 hex digits"),
    (HEAD + "commit 12\n", "a commitment is 64 hex digits"),
    (HEAD + "part 1 00\n" + SEED, "a part is a seat, in order, and 64 hex digits"),
    (HEAD + f"part 0 {ZEROS}\n" + SEED, "the random parts of the other seats are missing"),
    (HEAD + "pledge 0 00\n" + SEED, "a pledge is a seat, once, and 64 hex digits"),
    (HEAD + f"pledge 0 {ONES}\n" + SEED, "there are pledges without parts"),
    (HEAD + f"pledge 0 {ONES}\npart 0 {ONES}\npart 1 {ONES}\n" + SEED, "this part is not the one that its seat had pledged"),
    (HEAD + "key 1 00\n" + SEED, "a key is the number of a shuffle and 64 hex digits"),
    (HEAD + f"commit {ONES}\nkey 1 {ONES}\n", "this key is not the one that was committed to"),
    (HEAD + SEED + f"commit {ONES}\n", "the seed is not the one that was committed to"),
    (HEAD, "the record has no seed, no commitment and no draw"),
    (HEAD + "deal one\n" + SEED, "a deal is a number, a pile, a list and its cards"),
    (HEAD + "deal 2 deck 0 RL\ndeal 1 deck 0 RL\n" + SEED, "deals come in the order of their numbers"),
    (HEAD + "deal 1 hats 0 RL\n" + SEED, "Deal {deal}, {pile}: {problem}"),
    (HEAD + "deal 1 hats 0 RL\n" + SEED, "this game has no such part of a deal."),
    (HEAD + "deal 1 deck 5 RL\n" + SEED, "there is no such seat."),
    (HEAD + "deal 1 deck 0 RL\ndeal 1 deck 0 RL\n" + SEED, "this list is given twice."),
    (HEAD + "deal 1 deck 0 XX\n" + SEED, 'Deal {deal}, {pile}, \\"{card}\\": {problem}'),
    (HEAD + "deal 1 deck 0 XX\n" + SEED, "there is no such card in this pile."),
    (HEAD + "deal 1 identities 0 RL BL RT\n" + SEED, "there are too many cards."),
    (HEAD + "deal 1 identities 0 RL\n" + SEED, "there are too few cards."),
    (HEAD + "deal 1 deck 0 RL RL RL RL\n" + SEED, "there are not so many of these."),
    ("salotto record 2\ngame traps\nplayers 2\ndeal 1 hands 0 RL BL RT BT\n" + SEED, "there must be one list a seat."),
    (HEAD + SEED + "0 fly RL\n", '\\"{action}\\" is not an action of {game}.'),
    (HEAD + SEED + "1 take RL\n", "[Your turn: take|{seat} must take] a card."),
    (HEAD + SEED + "0 claim\n", "Only the actions of the current step are allowed."),
    (HEAD + SEED + "7 take RL\n", "this is not a line of a record"),
    (HEAD + SEED + "resign 2\n", 'after \\"resign\\" comes a seat'),
    ("salotto record 2\ngame favor\nplayers 3\n" + SEED + "resign 0\n", "Resigning ends the game only at a table of two."),
    (HEAD + SEED + "resign 0\nresign 1\n", "The game is over."),
    (HEAD + SEED + "over 9\n", 'after \\"over\\" come the winners\' seats'),
    (HEAD + SEED + "over 0\n", "the game is not over"),
    (HEAD + SEED + "resign 0\nover 0\n", "these are not the winners"),
    (HEAD + SEED + "resign 0\nover 1\nover 1\n", 'after \\"over\\" nothing can follow'),
    (HEAD + SEED + "pile 1 deck RL\n0 take RL\n", "after a pile comes its first draw"),
    ("".join(LAST) + "= RL\n", "nothing is drawn here"),
    (instead(DRAWS[-1], ""), "after this line a draw is missing"),
    (instead(BETWEEN, ""), "before this line a draw is missing"),
    (instead(DRAWS[0], "= XX\n"), "by the key, the draw at {address} is {due}, not {told}"),
    (HEAD + "deal 1 identities 0 RL BL\n" + SEED + "= BT\n", "by the deal, the draw at {address} is {due}, not {told}"),
    (instead(DRAWS[-1], "= RL 7 deck 0 0\n"), "the draw here has the address {due}, not {told}"),
    (instead(DRAWS[0], "= XX\n").replace(LINES[SECRET[0]], ""), "{told} cannot be drawn at {address}"),
    (reshuffled(), "the new pile is {due}, not {told}"),
    (instead(DRAWS[-1], "pile 1 deck RL\n" + LINES[DRAWS[-1]]), "no new pile begins here: {told}"),
]


def refused(record, message):
    got = run("verify", path("wrong", record))
    assert_says(got, message)
    assert_says(got, "Line {line}: {problem}")
    assert got.count("\n") == 1, got


def not_text():
    assert_says(run("verify", path("wrong", HEAD + "\0")), "The record holds a byte that is not text.")


case("a byte that is not text", not_text)
for text, said in WRONG:
    case(said, refused, text, said)
done()
