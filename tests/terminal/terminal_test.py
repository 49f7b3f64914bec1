"""salotto on whole screens and in lines, in terminals of every kind, driven by tmux.

    terminal_test.py SALOTTO SOURCE_ROOT [--all] [--screens] [PART OF A NAME]

With --all every game in every language, size and terminal, and ended in every way at every step:
some minutes. Without, the ways to end it take turns.
With --screens what was seen is kept in tests/terminal/screens, for people to look at.
"""
import functools
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scripts"))
from tap import case, done  # noqa: E402
from tmux import CAP, FOLDER, Terminal, quoted, tmux  # noqa: E402

SALOTTO = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath(sys.argv[2])
KEEP = "--screens" in sys.argv
ALL = "--all" in sys.argv
YOURS = {"en": "Your turn *$", "it": "Tocca a te *$"}
OVER = {"en": "v review", "it": "v analisi"}
MOVES_MAX = 1500


def fits(screen, width, height):
    lines = screen.rstrip("\n").split("\n")
    assert len(lines) <= height and all(len(line) <= width for line in lines), screen


def is_asked(screen, lang):
    """It is your turn, and the choices are there."""
    return (re.search(YOURS[lang], screen.split("\n")[0])
            and re.search(r"^[▸>] *1 \S", screen, re.M))


def is_over(screen, lang):
    return OVER[lang] in screen.rstrip("\n").split("\n")[-1]


def leave(t):
    """Back to the shell, which has its own screen again."""
    t.press("q")
    t.wait(r"^\$$")
    assert not t.alternate()
    t.close()


def play(t, game, *options, seed=5, bot="random"):
    t.run(SALOTTO, "play", game, "--seed", str(seed), "--bot", bot, "--seconds", "0.01", *options)


class Kept:
    """The screens of a game, one for each question that is new."""

    def __init__(self, name):
        self.name, self.seen, self.screens = name, set(), []

    def see(self, screen, question):
        if question in self.seen:
            return
        self.seen.add(question)
        self.screens.append(screen)

    def write(self):
        if not KEEP:
            return
        folder = os.path.join(ROOT, "tests", "terminal", "screens")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, self.name + ".txt"), "w", encoding="utf-8") as f:
            for screen in self.screens:
                f.write("=" * 78 + "\n" + "\n".join(
                    line.rstrip() for line in screen.rstrip("\n").split("\n")) + "\n")


def question_of(screen):
    """The line above the choices, without names and numbers."""
    lines = screen.split("\n")
    for i, line in enumerate(lines):
        if re.match(r"^[▸>] *1 ", line):
            return re.sub(r"\d+", "#", lines[i - 1][:80].rstrip())
    return lines[0]


def other_size(t, screen, lang, width, height):
    """The window changes its size and back: the same screen again."""
    other = (120, 40) if width == 80 else (80, 24)
    t.resize(*other)
    changed = t.settled(lambda s: is_asked(s, lang) and other[0] - 8 < len(
        s.split("\n")[0].rstrip()) <= other[0], "another size")
    fits(changed, *other)
    t.resize(width, height)
    t.until(lambda s: s == screen, "the first size again")


def questions(t, game, lang, width, height, players):
    """The questions of a game, each answered with the first choice; last, its end."""
    play(t, game, "--players", str(players), "--lang", lang, seed=7, bot="novice")
    for asked in range(MOVES_MAX):
        screen = t.settled(lambda s: is_asked(s, lang) or is_over(s, lang), "a question")
        fits(screen, width, height)
        yield screen
        if is_over(screen, lang):
            assert asked > 5
            return
        t.press("Enter")
        t.change(screen)
    raise AssertionError("the game has no end")


def whole_game(game, lang, width, height, term, players):
    """To the end, and then its review; at the fifth question the window changes its size."""
    t = Terminal(width, height, term)
    kept = Kept(f"{game}-{lang}-{width}x{height}-{term}")
    for number, screen in enumerate(questions(t, game, lang, width, height, players)):
        if number == 4:
            other_size(t, screen, lang, width, height)
        kept.see(screen, "over" if is_over(screen, lang) else question_of(screen))
    glance(t, lang, width, height)
    leave(t)
    kept.write()


def opening(game, lang, width, height, term, players):
    """The first questions, each in both sizes of the window."""
    t = Terminal(width, height, term)
    for number, screen in enumerate(questions(t, game, lang, width, height, players)):
        other_size(t, screen, lang, width, height)
        if number == 3:
            break
    leave(t)


REVIEW = {"en": "Review", "it": "Analisi"}
COMPUTED = {"en": "played best and won|would have deserved",
            "it": "ha giocato meglio|avrebbe meritata"}


MISTAKE = {"en": re.compile("inaccuracy|mistake: |blunder"),
           "it": re.compile("imprecisione|errore( grave)?: persi")}


def step_of(screen):
    """The step that a review shows."""
    return int(re.search(r" (\d+)/\d+ ·", screen.split("\n")[0]).group(1))


def open_review(t, lang):
    """`v`: the review of the finished game, at its end."""
    t.press("v")
    return t.wait(r"\A [^·]+· " + REVIEW[lang] + r" .* (\d+)/\1 ·")


def glance(t, lang, width, height):
    """The review is there at once and answers every key, computed or not; then back."""
    over = t.screen()
    last = step_of(open_review(t, lang))
    for key, step in (("Home", 1), ("Right", 2), ("Right", 3), ("Left", 2), ("PageDown", 12),
                      ("End", last)):
        t.press(key)
        fits(t.until(lambda s: step_of(s) == min(step, last), f"step {step}"), width, height)
    t.press("Home", "Tab")
    fits(t.settled(lambda s: step_of(s) == 1, "the board"), width, height)
    t.press("q")
    t.until(lambda screen: screen == over, "the end of the game")


LAST = r"^>$(?![\s\S]*\S)"
OFFERS = {"en": "Type 'review'", "it": "Scrivi «analisi»"}
WON = {"en": "won", "it": "vin"}


def answer(t, line):
    """Types a line at a prompt; the screen with the next one."""
    t.type(line)
    t.wait("^> " + re.escape(line) + r"$(?![\s\S]*\S)")
    t.press("Enter")
    return t.wait(LAST)


def plain_game(game, lang, width, height, term, *options):
    """In lines: on a dumb terminal without asking, elsewhere with --plain."""
    t = Terminal(width, height, term)
    t.run(SALOTTO, "play", game, "--seed", "7", "--bot", "novice", "--lang", lang,
          "--seconds", "0.01", *options)
    screen = t.wait(LAST)
    for step in range(MOVES_MAX):
        if OFFERS[lang] in screen:
            break
        assert not t.alternate()
        screen = answer(t, "#1")
    assert step > 5
    assert WON[lang] in screen, screen
    t.press("Enter")
    t.wait(r"^\$$(?![\s\S]*\S)")
    t.close()


def pipe_game(game, lang):
    t = Terminal(80, 24)
    t.type(f"yes '#1' | head -2000 | {quoted(SALOTTO)} play {game} --seed 7 --bot novice --lang {lang} "
           f"--seconds 0.01 | tail -5; echo DONE")
    t.press("Enter")
    screen = t.wait(r"^DONE$")
    assert WON[lang] in screen, screen
    t.close()


# ---- The review ---------------------------------------------------------------


def chart_of(screen):
    """The rows of the chart from the top, without their labels."""
    lines = screen.split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith(" 100"))
    last = next(i for i, line in enumerate(lines) if line.startswith("   0"))
    return [line[5:] for line in lines[first:last + 1]]


@functools.cache
def whole_record(game):
    """A finished game in a file."""
    record = os.path.join(FOLDER, game + ".salotto")
    subprocess.run(["sh", "-c", f"yes '#1' | {quoted(SALOTTO)} play {game} --seed 7 --bot novice "
                    f"--seconds 0.01 --name Anna --record {record}"], check=True,
                   stdout=subprocess.DEVNULL,
                   env={**os.environ, "XDG_STATE_HOME": os.path.join(FOLDER, "whole"),
                        "LANGUAGE": "en"})
    return record


def reviewed(lang, width, height):
    """All of a review: the chart, the summary, moments and mistakes, candidates, the board."""
    t = Terminal(width, height)
    t.run(SALOTTO, "replay", whole_record("traps"), "--lang", lang)
    t.wait(r" 0/\d+ ·")
    t.press("v")
    t.wait(r" 1/\d+ ·")
    t.press("End")
    screen = t.wait(COMPUTED[lang])
    kept = Kept(f"review-{lang}-{width}x{height}")
    kept.see(screen, "end")
    last = step_of(screen)
    moments = [int(n) for n in re.findall(r"◆ (\d+)\.", screen)]
    assert moments and "Anna" in screen, screen
    chart = chart_of(screen)
    result = chart[0].rstrip()[-1]  # a loss is nothing, a win all of the last column
    assert (result in "█▇") != (chart[-1].rstrip()[-1] in "·│▲"), chart
    t.press("m")  # the first of the player's moments
    screen = t.settled(lambda s: step_of(s) != last, "a moment")
    assert step_of(screen) == min(moments[:3]), (moments, screen)
    kept.see(screen, "moment")
    t.press("2", "n")  # the other's mistakes, in the other's own view
    screen = t.settled(lambda s: "Bot 2" in s.split("\n")[0] and MISTAKE[lang].search(s), "a mistake")
    kept.see(screen, "mistake")
    chances = [float(n.replace(",", ".")) for n in
               re.findall(r"(?:^|│)[ ▸]{2,5}([0-9]+[.,][0-9]) %", screen, re.M)]
    assert len(chances) > 1 and chances == sorted(chances, reverse=True), screen
    if width < 110:
        t.press("Tab")
        t.gone("^ 100")
    kept.see(t.wait("Bot"), "board")
    t.press("o")
    t.wait("everything open" if lang == "en" else "tutto scoperto")
    t.press("?")
    t.wait("moment" if lang == "en" else "momenti decisivi")
    t.press("q")
    t.press("q")
    t.wait(r" 0/\d+ ·")
    kept.write()
    leave(t)


def reviewed_words():
    """What a review says seldom: nothing to choose, no mistake, how optimal play does it; a narrow window."""
    for game, word in (("doors", "gioco ottimale"), ("traps", "Non c'era scelta")):
        t = Terminal()
        t.run(SALOTTO, "replay", whole_record(game), "--lang", "it")
        t.wait(r" 0/\d+ ·")
        t.press("v")
        t.wait(r" 1/\d+ ·")
        t.press("End")
        t.wait(COMPUTED["it"])
        if game == "doors":
            t.press("2", "n")
            t.wait("Questo giocatore non ha fatto errori")
        t.press("Home")
        screen = t.wait(r" 1/\d+ ·")
        while word not in screen:
            step = step_of(screen)
            t.press("Right")
            screen = t.settled(lambda s: step_of(s) == step + 1, "the next step")
        t.resize(70, 24)
        t.wait("← → passo · [?] aiuto · q chiudi")
        t.press("q")
        t.wait(r" 0/\d+ ·")
        leave(t)


def interrupted():
    """The long review of a game of Louis XIV answers while it is computed, and is left at once."""
    t = Terminal()
    t.run(SALOTTO, "replay", whole_record("louis"))
    t.wait(r" 0/\d+ ·")
    t.press("v")
    t.wait(r" 1/\d+ · .* \d+ %")
    t.press("Right")
    t.wait(r" 2/\d+ ·")
    t.press("End")
    t.wait(r"Computing: \d+ of \d+")
    t.press("m")
    t.wait("when all steps are computed")
    t.press("q")
    t.wait(r" 0/\d+ ·")
    t.press("v")
    t.wait(r" 1/\d+ ·")
    t.press("C-c")
    t.wait(r"^\$$")
    assert not t.alternate()
    t.close()


def unfinished():
    """Only what is over has a review."""
    t = Terminal()
    t.run(SALOTTO, "play", "doors", "--seed", "5", "--record", os.path.join(FOLDER, "part.salotto"))
    t.wait("^▸1")
    t.press("v")
    t.wait("The review comes at the end")
    t.press("q")
    t.wait("--resume")
    t.run("clear")
    t.run(SALOTTO, "replay", os.path.join(FOLDER, "part.salotto"))
    t.wait(r" 0/\d+ ·")
    t.press("v")
    t.wait("only finished games are reviewed")
    leave(t)


def plain_review():
    """In lines: at the end of a game, and in a replay; Ctrl-C stops it there."""
    t = Terminal(80, 50)
    play(t, "traps", "--plain", seed=7, bot="novice")
    screen = t.wait(LAST)
    while "Type 'review'" not in screen:
        screen = answer(t, "#1")
    t.type("rev")
    t.press("Tab")
    t.wait("^> review")
    t.press("Enter")
    t.wait(r"^Summary[\s\S]*accuracy[\s\S]*^>$")
    t.press("Enter")
    t.wait(r"^\$$")
    t.run(SALOTTO, "replay", whole_record("louis"), "--plain")
    t.wait(LAST)
    t.type("review")
    t.press("Enter")
    t.wait(r"^ +2\. ")
    t.press("C-c")
    t.wait(r"The review was stopped\.\s+^>$")
    t.type("quit")
    t.press("Enter")
    t.wait(r"^\$$")
    t.close()


def goals():
    """Doors: as many places for tokens as win the game."""
    t = Terminal()
    for goal, places in (("5", 5), ("10", 10), ("15", 15), ("three", 2)):
        play(t, "doors", "--option", "goal=" + goal)
        screen = t.settled(lambda s: is_asked(s, "en"), "a question")
        shown = re.findall(r"(?:Collector|Guesser) +0 (·+)", screen)
        assert [len(row) for row in shown] == [places, places], screen
        t.press("q")
        t.wait(r"^\$$")
        t.run("clear")
        t.wait(r"\A\$$")
    t.close()


def ascii_screen():
    t = Terminal(80, 24, locale="C")
    play(t, "louis", seed=7)
    screen = t.wait(r"^>1 ")
    assert screen.isascii() and "Marie-Therese" in screen, screen
    leave(t)
    t = Terminal(80, 24, locale="C")
    t.run(SALOTTO, "play", "--lang", "it")
    screen = t.wait("< Doors >")
    assert screen.isascii() and "?" not in screen, screen
    t.press("r")
    t.wait("Di che cosa si tratta")
    t.press("NPage")
    screen = t.wait(r"^\| ------\+-+\+")
    assert screen.isascii(), screen
    t.press("q")
    t.wait("< Doors >")
    t.press("q")
    t.wait(r"^\$$")
    play(t, "doors", "--plain", "--lang", "it")
    screen = t.wait(LAST)
    assert screen.isascii() and '"aiuto"' in screen, screen
    t.close()


# ---- Keys ------------------------------------------------------------------


def keys():
    t = Terminal()
    play(t, "doors", "--option", "first=0")
    t.wait("▸1 Take")
    t.press("Down")
    t.wait("^▸3 |▸2 |^▸4 ")
    t.press("?")
    t.wait("Arrow keys move among the choices")
    t.press("q")
    t.press("h")
    t.wait("Take|take|Expert|estimate|optimal")
    t.press("Escape")
    t.press("r")
    page = t.wait("doors\\.")
    assert "**" not in page and "`" not in page, page
    t.press("r")
    t.wait("What the game is about")
    t.press("NPage")
    page = t.wait("^│ RL   │ Red Lady ")
    bars = {tuple(i for i, letter in enumerate(row) if letter in "│┼")[1:-1] for row in page.splitlines()
            if row.count("│") > 5 or "┼" in row}
    assert len(bars) == 1, page  # columns stand one below the other
    t.press("q")
    t.type("guess red")
    t.wait("^> guess red")
    t.press("Enter")
    t.wait("doors.turn.phase")
    t.type("take B")
    t.press("Tab")
    t.wait("^> take B")
    t.press("Escape")
    t.type(":save")
    t.press("Escape")
    t.press("s")
    t.type(os.path.join(FOLDER, "kept.salotto"))
    t.press("Enter")
    t.wait("Saved in")
    t.press("l")
    t.wait("Log ─")
    t.press("q")
    t.press("1")
    t.settled(lambda s: is_asked(s, "en") and "Round 1, turn 1" not in s, "the next question")
    t.press("u")
    t.wait("Somebody else has acted since")
    t.press("q")
    t.wait("--resume")
    t.run(SALOTTO, "verify", os.path.join(FOLDER, "kept.salotto"))
    t.wait("Verdict: proven")
    t.close()


def undo():
    """Back to the question before, with the same choices and the same hand."""
    t = Terminal()
    play(t, "traps", "--option", "first=0")
    before = t.settled(lambda s: is_asked(s, "en") and "Lay a card face down" in s, "the placing")
    t.press("2")
    after = t.settled(lambda s: is_asked(s, "en") and "Lay a card face down" not in s, "the next")
    assert board_of(after) != board_of(before)
    t.press("u")
    again = t.settled(lambda s: is_asked(s, "en") and "Lay a card face down" in s, "the placing")
    assert board_of(again) == board_of(before), f"{before}\nbecame\n{again}"
    assert "You undo the last action" in again, again
    leave(t)


def amounts():
    """Where the action is an amount a number is typed, not a choice."""
    t = Terminal()
    play(t, "traps", "--option", "first=0")
    t.wait("▸1 Place")
    t.press("1")
    t.wait("Bet|bet")
    t.type("3")
    t.wait("^> 3")
    t.press("Enter")
    t.wait("You bet 3")
    leave(t)


def steps():
    """Louis XIV asks for the card, then the path, then the markers."""
    t = Terminal()
    play(t, "louis")
    screen = t.wait("▸1")
    while "Which card?" not in screen:
        t.press("Enter")
        t.change(screen)
        screen = t.settled(lambda s: is_asked(s, "en"), "a question")
    t.press("Enter")
    screen = t.wait("Which path?")
    assert re.search(r"\w → [A-Z]\w", screen), screen  # by persons
    t.press("Escape")
    t.wait("Which card?")
    t.press("Enter")
    t.wait("Which path?")
    t.press("Enter")
    t.wait("How many markers|Which card|You play")
    leave(t)


def mouse():
    """A click goes to a choice, another one takes it."""
    t = Terminal()
    play(t, "doors", "--option", "first=0")
    screen = t.wait("▸1 Take")
    rows = screen.split("\n")
    row = next(i for i, line in enumerate(rows) if re.search(r"^ \d Take", line))
    # as an xterm tells a press at column 6 of that row
    for _ in range(2):
        tmux("send-keys", "-t", t.name, "-l", f"\033[<0;6;{row + 1}M")
        tmux("send-keys", "-t", t.name, "-l", f"\033[<0;6;{row + 1}m")
        if _ == 0:
            t.wait(r"^▸" + rows[row][1])
    t.settled(lambda s: is_asked(s, "en") and "Round 1, turn 1" not in s, "the next question")
    leave(t)


def menu():
    t = Terminal()
    t.run(SALOTTO, "--help")
    t.wait("Games:")
    t.type("clear")
    t.press("Enter")
    t.run(SALOTTO)
    t.wait("‹ Doors ›")
    t.press("Right")
    t.wait("‹ Favor ›")
    t.wait("Edition")
    t.press("Down", "Right")
    t.press("Down")
    t.press("Right")
    screen = t.wait(r"Seat 4|‹ 3 ›|‹ 4 ›")
    t.press("Down", "Down", "Right")
    kept = Kept("menu-en-80x24")
    kept.see(t.settled(lambda s: "Seat 4" in s, "the seats"), "menu")
    kept.write()
    t.press("End", "Enter")
    screen = t.wait("Your turn *$|Day 1")
    assert "Favor" in screen
    t.press("q")
    t.wait("--resume")
    t.run(SALOTTO, "play")
    t.wait("Resume +Favor")
    t.press("Enter")
    t.wait("Day 1")
    leave(t)


def curtain():
    """Two people at one keyboard: nothing of the one is on the screen of the other."""
    t = Terminal(80, 24)
    t.type("echo BEFORE")
    t.press("Enter")
    t.wait("^BEFORE")
    t.run(SALOTTO, "play", "traps", "--people", "2", "--seed", "5", "--name", "0=Anna",
          "--name", "1=Bea")
    screen = t.wait("it is your turn")
    assert t.alternate() and "Commitment" in screen
    first = re.search(r"(Anna|Bea), it is", screen).group(1)
    other = "Bea" if first == "Anna" else "Anna"
    assert "dealt" not in screen and "RL" not in screen
    t.press("Enter")
    screen = t.wait("You are dealt")
    t.press("Enter")
    screen = t.wait(f"{other}, it is your turn")
    assert "dealt" not in screen and not re.search(r"\b[RB][LT]\b", screen), screen
    t.press("Enter")
    screen = t.wait("You are dealt")
    assert f"{first} is dealt 6 cards" in screen
    t.press("q")
    screen = t.wait("--resume")
    assert "BEFORE" in screen and "Commitment" in screen and not t.alternate(), screen
    t.close()


def watching():
    t = Terminal()
    t.run(SALOTTO, "watch", "doors", "--seed", "3", "--bot", "0=novice", "--bot", "1=random",
          "--speed", "0")
    t.wait("v review")
    t.press("q")
    t.wait(r"^\$$")
    t.run(SALOTTO, "watch", "doors", "--seed", "3", "--speed", "60")
    t.wait("Round 1")
    t.press("Space")
    t.wait("paused *$")
    t.press("?")
    t.wait("faster, slower")
    t.press("q")
    t.press("q")
    t.wait(r"^\$$")
    t.type(f"{quoted(SALOTTO)} watch favor --seed 3 --bot random --speed 0 --plain | tail -3; echo DONE")
    t.press("Enter")
    assert "won" in t.wait("^DONE")
    t.close()


def replaying():
    t = Terminal()
    record = os.path.join(FOLDER, "whole.salotto")
    t.type(f"yes '#1' | {quoted(SALOTTO)} play doors --seed 7 --bot random --name Anna --record {record} "
           ">/dev/null; clear; echo DONE")
    t.press("Enter")
    t.wait("^DONE")
    t.run(SALOTTO, "replay", record)
    screen = t.wait(r" 0/\d+ · as a spectator")
    assert not re.search(r"You are +│ +\w\w", screen)
    t.press("1")
    t.wait("0/[0-9]+ · Anna")
    t.wait("You are")
    t.press("o")
    t.wait("everything open")
    t.press("?")
    t.wait("what that player saw")
    t.press("q")
    t.press("Space")
    t.wait(r" [1-9]\d*/")
    t.press("q")
    t.wait(r"^\$$")
    t.type(f"clear; {quoted(SALOTTO)} replay {record} --plain")
    t.press("Enter")
    t.wait(r"^Step 0 of")
    for line, expected in (("next", "Step 1 of"), ("jump 5", "Step 5 of"), ("back", "Step 4 of"),
                           ("seat 0", r"\(Anna\)"), ("open", "everything open"),
                           ("nonsense", "whose view")):
        t.type(line)
        t.press("Enter")
        t.wait(expected)
    t.type("quit")
    t.press("Enter")
    t.wait(r"^\$$")
    t.type(f"clear; cat {record} | {quoted(SALOTTO)} replay - --all | tail -2; echo DONE")
    t.press("Enter")
    assert "won" in t.wait("^DONE")
    t.close()


def editing():
    """Plain mode: history, completion over what is legal, commands of both languages, and colour
    unless told not to."""
    t = Terminal(80, 40)
    t.run(SALOTTO, "play", "doors", "--plain", "--seed", "5", "--option", "first=0", "--bot",
          "random")
    t.wait("^>$")
    t.type("take L")
    t.press("Tab")
    t.wait(r"^> take LT")
    t.press("Enter")
    t.wait("You take the Lady/Tiger")
    t.press("Up")
    t.wait(r"^> take LT *$(?![\s\S]*\S)")
    t.press("C-u")
    t.type("AIUTO")  # any case, and either language
    t.press("Enter")
    t.wait("^Type an action in the notation")
    coloured = tmux("capture-pane", "-p", "-e", "-t", t.name)
    assert "\033[31m" in coloured or "\033[1m\033[34m" in coloured, "cards have colours"
    t.type("quit")
    t.press("Enter")
    t.wait(r"^\$$")
    t.close()
    t = Terminal(80, 40, NO_COLOR="1")
    for options in ("--plain",), ():
        play(t, "doors", *options)
        t.wait("Offer")
        shown = tmux("capture-pane", "-p", "-e", "-t", t.name)
        assert not re.search(r"\033\[([0-9]+;)*[34][1-6][;m]", shown), shown
        if options:
            t.type("quit")
            t.press("Enter")
        else:
            t.press("q")
        t.wait(r"^\$$")
        t.type("clear")
        t.press("Enter")
    t.close()


# ---- Nothing is lost -------------------------------------------------------


def board_of(screen):
    """What stands above the question. A choice that was half made is not kept."""
    lines = screen.split("\n")
    first = next((i for i, line in enumerate(lines) if re.match(r"^▸ *1 ", line)), len(lines))
    return "\n".join(lines[:first - 1])


HALF_MADE = re.compile(r"Which path\?|How many markers stay|Which one\?")


def ends_at(step, ends):
    """How the program is ended at a step: in one way after the other, or in all."""
    return ends if ALL else ends[step % len(ends):][:1]


def survives(game, most, *options):
    """A scripted game, or its first steps: at each the program is ended. The terminal is usable,
    and the game goes on at that step."""
    t = Terminal(80, 30)
    ready = lambda s: is_asked(s, "en") or is_over(s, "en")
    play(t, game, *options, bot="novice")
    screen = t.settled(ready, "a question")
    for step in range(most):
        if is_over(screen, "en"):
            break
        for end in ends_at(step, (control_c, kill_9, hang_up, stop_and_go)):
            end(t, screen)
            if end is not stop_and_go:
                t.run("clear")
                t.wait(r"\A\$$")
                t.run(SALOTTO, "play", "--resume")
            again = t.settled(ready, "the game again")
            assert board_of(again) == board_of(screen), (
                f"step {step}, {end.__name__}:\n{screen}\nbecame\n{again}")
        t.press("Enter")
        t.change(again)
        screen = t.settled(ready, "a question")
        while HALF_MADE.search(screen):  # not kept: it is made whole before the next end
            t.press("Enter")
            t.change(screen)
            screen = t.settled(ready, "a question")
    assert step > 1
    assert most < MOVES_MAX or is_over(screen, "en"), "a whole game"
    leave(t)


def usable(t):
    """The shell reads what is typed, and shows it."""
    t.wait(r"\$$")
    t.type("echo us''able")
    t.wait(r"echo us''able")
    t.press("Enter")
    t.wait(r"^(\$ )?usable")


def control_c(t, _screen):
    t.press("C-c")
    t.wait("--resume")
    assert not t.alternate()
    usable(t)


def kill_9(t, _screen):
    os.kill(t.pid_of("salotto"), signal.SIGKILL)
    t.wait(r"\$\s*\Z")
    t.type("reset; echo re''set")  # as one does; what is typed before it is done is lost
    t.press("C-j")
    t.wait(r"^reset$")
    usable(t)


def hang_up(t, _screen):
    os.kill(t.pid_of("salotto"), signal.SIGHUP)
    t.wait("--resume")
    usable(t)


def stop_and_go(t, screen):
    t.press("C-z")
    t.wait("Stopped|suspended")
    assert not t.alternate()
    usable(t)
    t.type("fg")
    t.press("Enter")
    t.until(lambda s: board_of(s) == board_of(screen), "the game in the foreground")


def run_as_job(command, tell, go_on):
    """What a shell does for a job: `tell` gets an S each time it stops, `go_on` brings it back."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(command[0], command)
    while os.WIFSTOPPED(os.waitpid(job, os.WUNTRACED)[1]):
        os.write(tell, b"S")
        os.read(go_on, 1)
        os.tcsetpgrp(0, job)
        os.kill(job, signal.SIGCONT)
    os._exit(0)


def stopped_while_it_draws():
    """Ctrl-Z in the moment of the first letter of a new screen: none of them is lost."""
    (told, tell), (going, go_on) = os.pipe(), os.pipe()
    leader, terminal = pty.fork()
    if leader == 0:
        os.environ.update(TERM="xterm", LC_ALL="C.UTF-8", XDG_STATE_HOME=tempfile.mkdtemp(dir=FOLDER))
        termios.tcsetwinsize(0, (40, 120))
        run_as_job([SALOTTO, "play", "louis", "--seed", "7", "--bot", "novice"], tell, going)

    def until(text):
        """Reads what is drawn up to that text."""
        seen = b""
        while text not in seen:
            assert select.select([terminal], [], [], CAP)[0], f"{text} does not come after {seen}"
            seen += os.read(terminal, 10000)
    until(b"Put a marker on space 4")
    for _ in range(30):
        os.write(terminal, b"\x0c")  # Ctrl-L: all of it again
        os.read(terminal, 1)
        os.write(terminal, b"\x1a")
        until(b"\x1b[?1049l")  # the other screen is left
        assert select.select([told], [], [], CAP)[0] and os.read(told, 1) == b"S"
        os.write(go_on, b".")
        until(b"q leave")
    os.write(terminal, b"\x03")
    until(b"--resume")
    os.waitpid(leader, 0)
    os.close(terminal)


def ended_while_a_bot_thinks():
    """Ctrl-Z and Ctrl-C are heard at once; the seat is still its program's."""
    t = Terminal()
    t.run(SALOTTO, "play", "doors", "--option", "first=1", "--bot", "cmd:sleep 1000")
    t.wait("thinking")
    t.press("C-z")
    t.wait("Stopped")
    t.run("fg")
    t.wait("thinking")
    t.press("C-c")
    t.wait("--resume")
    usable(t)
    t.run("clear")
    t.wait(r"\A\$$")
    t.run(SALOTTO, "play", "--resume")
    screen = t.wait("thinking")
    assert "sleep" in screen, screen
    t.press("C-c")
    t.wait("--resume")
    t.close()


def question_in_lines(screen):
    """The position, the prompt and the choices above the last line."""
    return screen.rstrip().rsplit("\n\n", 1)[-1]


def survives_in_lines(game, most, *options):
    """The same in lines of text; all of a question is to be seen, with 99 choices in Louis XIV."""
    t = Terminal(80, 150)
    t.run(SALOTTO, "play", game, "--plain", "--seed", "5", "--bot", "novice", *options)
    screen = t.wait(LAST)
    for step in range(most):
        if OFFERS["en"] in screen:
            break
        for end in ends_at(step, ("C-c", signal.SIGKILL, signal.SIGHUP, "C-z")):
            if isinstance(end, str):
                t.press(end)
            else:
                os.kill(t.pid_of("salotto"), end)
            t.wait(r"\$\s*\Z")
            if end == signal.SIGKILL:
                t.type("reset; echo re''set")
                t.press("Enter")
                t.wait("^reset$")
            usable(t)
            t.run("clear")
            t.wait(r"\A\$$")
            if end == "C-z":
                t.run("fg")
                t.wait(r"^>$(?![\s\S]*\S)")
                t.type("look")
                t.press("Enter")
            else:
                t.run(SALOTTO, "play", "--resume", "--plain")
            again = t.wait(r"\n\n[\s\S]*" + LAST)
            assert question_in_lines(again) == question_in_lines(screen), (
                f"step {step}, {end}:\n{screen}\nbecame\n{again}")
        screen = answer(t, "#1")
    assert step > 0
    assert most < MOVES_MAX or OFFERS["en"] in screen, "a whole game"
    t.close()


def ended_at_the_prompt():
    """Ended the moment the prompt is there, before the first key: the terminal echoes again."""
    for _ in range(30):
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ.update(TERM="xterm", XDG_STATE_HOME=tempfile.mkdtemp(dir=FOLDER))
            os.execv(SALOTTO, [SALOTTO, "play", "doors", "--plain", "--bot", "novice"])
        seen = b""
        while not seen.endswith(b"> "):
            seen += os.read(terminal, 1)
        os.kill(pid, signal.SIGINT)
        _, status = os.waitpid(pid, 0)
        assert os.WTERMSIG(status) == signal.SIGINT, status
        flags = termios.tcgetattr(terminal)[3]
        os.close(terminal)
        assert flags & termios.ECHO and flags & termios.ICANON, flags


def full_disk():
    """The game goes on, and says that it is not saved."""
    t = Terminal(80, 30, state="/dev/full/state")
    play(t, "doors")
    t.wait("The game cannot be kept")
    t.press("q")
    t.wait("▸1")
    t.press("Enter")
    t.wait("You|Bot 2")
    leave(t)
    t = Terminal(80, 30, state="/dev/full/state")
    play(t, "doors", "--plain")
    t.wait("The game cannot be kept[\\s\\S]*" + LAST)
    t.close()


ONLY = "".join(word for word in sys.argv[3:] if word not in ("--screens", "--all"))


def maybe(name, function, *args):
    if ONLY in name:
        case(name, function, *args)


GAMES = ("doors", "favor", "traps", "louis")
LANGUAGES = ("en", "it")
SIZES = ((80, 24), (120, 40))
TERMS = ("xterm-256color", "screen", "linux", "vt100")
# Each game whole in both languages and sizes, on terminals of four kinds; then how it opens where
# the languages, sizes and kinds meet otherwise.
WHOLE = (
    ("doors", "en", 80, 24, "xterm-256color", 2), ("doors", "it", 120, 40, "vt100", 2),
    ("favor", "it", 80, 24, "screen", 3), ("favor", "en", 120, 40, "linux", 4),
    ("traps", "en", 80, 24, "linux", 4), ("traps", "it", 120, 40, "xterm-256color", 2),
    ("louis", "it", 80, 24, "vt100", 2), ("louis", "en", 120, 40, "screen", 3))
OPENINGS = (
    ("doors", "it", 80, 24, "linux", 2), ("doors", "en", 120, 40, "screen", 2),
    ("favor", "en", 80, 24, "vt100", 2), ("favor", "it", 120, 40, "xterm-256color", 4),
    ("traps", "it", 80, 24, "screen", 6), ("traps", "en", 120, 40, "vt100", 3),
    ("louis", "en", 80, 24, "xterm-256color", 3), ("louis", "it", 120, 40, "linux", 4))
LINES = (
    ("doors", "it", 80, 24, "dumb"), ("favor", "en", 120, 40, "xterm-256color"),
    ("traps", "it", 80, 24, "vt100"), ("louis", "en", 120, 40, "dumb"),
    ("doors", "en", 120, 40, "linux"), ("favor", "it", 80, 24, "dumb"),
    ("louis", "it", 80, 24, "screen"), ("traps", "en", 120, 40, "dumb"))
if ALL:
    WHOLE = [(game, lang, *size, term, 2 if game == "doors" else 2 + (n + k) % 3)
             for game in GAMES for lang in LANGUAGES for k, size in enumerate(SIZES)
             for n, term in enumerate(TERMS)]
    OPENINGS = ()
    LINES = [(game, lang, *size, term) for game in GAMES for lang in LANGUAGES for size in SIZES
             for term in (*TERMS, "dumb")]
for game, lang, width, height, term, players in WHOLE:
    maybe(f"{game} whole, {lang}, {width}x{height}, {term}", whole_game, game, lang, width, height,
          term, players)
for game, lang, width, height, term, players in OPENINGS:
    maybe(f"{game} opens, {lang}, {width}x{height}, {term}", opening, game, lang, width, height,
          term, players)
for game, lang, width, height, term in LINES:
    maybe(f"{game} in lines, {lang}, {width}x{height}, {term}", plain_game, game, lang, width,
          height, term, *(() if term == "dumb" else ("--plain",)))
for game in GAMES:
    for lang in LANGUAGES:
        maybe(f"{game} in a pipe, {lang}", pipe_game, game, lang)
for lang, (width, height) in zip(LANGUAGES, SIZES):
    maybe(f"the review, {lang}, {width}x{height}", reviewed, lang, width, height)
maybe("what a review says seldom", reviewed_words)
maybe("the review answers while it is computed", interrupted)
maybe("only finished games have a review", unfinished)
maybe("the review in lines", plain_review)
maybe("doors: as many places for tokens as win", goals)
maybe("without UTF-8 the screen is ASCII", ascii_screen)
maybe("keys: choices, help, hint, rule, notation, save, log, undo", keys)
maybe("keys: undo", undo)
maybe("keys: amounts", amounts)
maybe("Louis XIV: card, path, markers", steps)
maybe("the mouse", mouse)
maybe("the menu, and resuming from it", menu)
maybe("a curtain between two people", curtain)
maybe("watching bots", watching)
maybe("a record step by step", replaying)
maybe("lines: history, completion, colour", editing)
for game in GAMES:
    if ALL or game == "doors":
        maybe(f"{game}: ended at every step", survives, game, MOVES_MAX,
              *(("--option", "goal=5") if game == "doors" else ()))
    else:
        maybe(f"{game}: ended at the first steps", survives, game, 4)
    maybe(f"{game}: ended in lines", survives_in_lines, game, MOVES_MAX if ALL else 4)
maybe("stopped while it draws", stopped_while_it_draws)
maybe("stopped and ended while a bot thinks", ended_while_a_bot_thinks)
maybe("lines: ended at the prompt", ended_at_the_prompt)
maybe("nowhere to save", full_disk)
done()
