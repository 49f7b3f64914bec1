"""salotto play: nothing is lost, and what people type is understood.

    play_test.py SALOTTO SOURCE_ROOT
"""
import glob
import os
import pty
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile

from tap import KILL, case, done

SALOTTO = os.path.abspath(sys.argv[1])
WORK = tempfile.mkdtemp(prefix="salotto-play-")


class Play:
    """The program at the other end of pipes; `hear` reads up to the next question."""

    def __init__(self, *arguments, state="state", lang="en"):
        self.env = {**os.environ, "XDG_STATE_HOME": os.path.join(WORK, state), "LANGUAGE": lang}
        self.program = subprocess.Popen(
            [SALOTTO, "play", *arguments, "--lang", lang, "--seconds", "0.01"], env=self.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def hear(self):
        said = b""
        while not said.endswith(b"\n> ") and said != b"> ":
            byte = self.program.stdout.read(1)
            if not byte:
                return said.decode()
            said += byte
        return said.decode()

    def say(self, line):
        self.program.stdin.write((line + "\n").encode())
        self.program.stdin.flush()
        return self.hear()

    def kill(self, number=KILL):
        self.program.send_signal(number)
        self.program.wait()
        self.program.stdin.close()
        self.program.stdout.close()

    def quit(self):
        rest = self.say("quit")
        self.program.wait()
        self.program.stdin.close()
        self.program.stdout.close()
        return rest


def position(said):
    """What stands between the last blank line and the question."""
    return said[said.rindex("\n\n"):]


def saves(state):
    return glob.glob(os.path.join(WORK, state, "salotto", "*.salotto"))


def killed_at_every_step(game):
    """Killed at each question, the game goes on at that question; at last it is over."""
    state = "killed-" + game
    play = Play(game, "--seed", "7", "--bot", "novice", state=state)
    said = play.hear()
    for step in range(12):
        here = position(said)
        play.kill()
        assert len(saves(state)) == 1, saves(state)
        play = Play("--resume", state=state)
        said = play.hear()
        assert position(said) == here, f"step {step}: {here}\nbecame\n{position(said)}"
        said = play.say("#1")
        if not said.endswith("> "):
            break  # the game is over
    assert step > 4
    if said.endswith("> "):
        play.quit()
    else:
        play.kill()


def interrupted():
    """Ctrl-C, a hang-up and a polite end leave the same."""
    play = Play("doors", "--seed", "3", state="interrupted")
    said = play.hear()
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        here = position(said)
        play.kill(number)
        play = Play("--resume", state="interrupted")
        said = play.hear()
        assert position(said) == here
    play.quit()


def the_same_people():
    play = Play("favor", "--players", "3", "--people", "2", "--seat", "1", "--bot", "expert",
                "--seed", "1", state="people")
    first = play.hear()
    assert "Player 2, it is your turn" in first or "Player 3, it is your turn" in first, first
    play.kill()
    again = Play("--resume", state="people")
    said = again.hear()
    assert re.search("Player [23], it is your turn", said), said
    said = again.say("")
    assert "Bot 1 (expert)" in said and "Bot 2" not in said and "Bot 3" not in said, said
    again.quit()


def for_its_owner_alone():
    play = Play("traps", "--seed", "2", state="modes")
    play.hear()
    play.say("#1")
    play.kill()
    (path,) = saves("modes")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    text = open(path, encoding="utf-8").read()
    assert re.search(r"^# date \d{4}-\d\d-\d\dT", text, re.M) and "# by 1 - regular\n" in text, text
    got = subprocess.run([SALOTTO, "verify", path], stdout=subprocess.PIPE, text=True)
    assert got.returncode == 0, "a save is a record: " + got.stdout


def finished():
    """A game that is over is not resumed."""
    lines = "\n".join(["#1"] * 400)
    got = subprocess.run([SALOTTO, "play", "doors", "--seed", "4", "--bot", "random"], text=True,
                         input=lines, stdout=subprocess.PIPE,
                         env={**os.environ, "XDG_STATE_HOME": os.path.join(WORK, "finished")})
    assert got.returncode == 0 and "won" in got.stdout, got.stdout[-500:]
    assert not saves("finished")
    assert glob.glob(os.path.join(WORK, "finished", "salotto", "finished", "*.salotto"))
    got = subprocess.run([SALOTTO, "play", "--resume"], text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                         env={**os.environ, "XDG_STATE_HOME": os.path.join(WORK, "finished")})
    assert got.returncode == 1 and "there is no saved game" in got.stdout, got


def nowhere_to_save():
    """Without a place the game is played all the same."""
    open(os.path.join(WORK, "file"), "w").close()
    play = Play("doors", "--seed", "1", state="file")
    assert "Round 1" in play.hear()
    assert "Round 1" in play.say("#1")
    play.quit()


def typed():
    play = Play("doors", "--seed", "5", "--option", "first=0", state="typed")
    said = play.hear()
    card = re.search(r"take (\w\w)$", said, re.M).group(1)
    assert "Unknown action" in play.say("take XX")
    assert f"Did you mean 'take {card}'" in play.say(f"tale {card}")
    assert "could mean more than one action" in play.say("take")
    assert "There is no choice 9" in play.say("9")
    assert "There is no choice 77" in play.say("#77")
    assert "doors.turn.phase" in play.say("GUESS red")
    assert f"Collection:  {card}" in play.say(card.lower()), "a bare card"
    assert "turn 3 of 5" in play.say("TAKE " + re.search(
        r"take (\w\w)$", play.say("look"), re.M).group(1).lower())
    play.quit()


def amounts():
    """A number is an amount where an action is one; a choice then needs its sign."""
    play = Play("traps", "--seed", "5", "--option", "first=0", state="amounts")
    play.hear()
    play.say("#1")
    said = play.say("3")
    assert "You bet 3." in said, said
    play.quit()
    play = Play("traps", "--seed", "5", "--option", "first=0", state="amounts")
    play.hear()
    play.say("#1")
    assert "You build" in play.say("#1")
    play.quit()


def in_italian():
    play = Play("doors", "--seed", "5", state="italian", lang="it")
    play.hear()
    assert "lascia il tavolo" in play.say("aiuto")
    assert "lascia il tavolo" in play.say("help")
    assert "Scegli" not in play.say("GUARDA")
    assert "riprende" in play.say("esci")
    play.kill()


def every_choice():
    """No choice is left out, however many there are."""
    play = Play("louis", "--seed", "5", state="choices")
    said = play.hear()
    for _ in range(30):
        choices = said[said.rindex(".\n") + 1:]
        listed = [int(n) for n in re.findall(r"(?:^|\s)(\d+)  (?=[a-zA-Z])", choices)]
        if len(listed) > 30:
            break
        said = play.say("#1")
    assert listed == list(range(1, len(listed) + 1)) and len(listed) > 30, said
    assert all(len(line) <= 80 for line in choices.splitlines()), choices
    play.quit()


def curtain(*options):
    """Two at one keyboard: the other screen, no scrollback destroyed, and back at the end."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["XDG_STATE_HOME"] = os.path.join(WORK, "curtain")
        os.environ["TERM"] = "xterm"
        os.execv(SALOTTO, [SALOTTO, "play", "doors", "--people", "2", "--seed", "1", "--lang", "en",
                           *options])
    said = b""
    while b"press Enter" not in said:
        said += os.read(terminal, 4096)
    assert b"\033[?1049h" in said and b"\033[3J" not in said, said
    assert b"Commitment" in said.split(b"\033[?1049h")[0], "it stays readable afterwards"
    os.write(terminal, b"\003")
    try:
        while True:
            more = os.read(terminal, 4096)
            if not more:
                break
            said += more
    except OSError:
        pass
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    assert b"\033[?1049l" in said, said
    assert os.WIFEXITED(status) and os.WEXITSTATUS(status) == 130, status


def one_run(*arguments, lines=(), env=None, state="one"):
    return subprocess.run(
        [SALOTTO, *arguments], text=True, input="".join(line + "\n" for line in lines),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "XDG_STATE_HOME": os.path.join(WORK, state), "LANGUAGE": "en",
             **(env or {})})


def opponents():
    """The bots and names of each seat, also after a kill."""
    bot = "cmd:python3 " + os.path.join(sys.argv[2], "examples", "bot.py")
    play = Play("favor", "--players", "4", "--seed", "3", "--bot", "1=novice", "--bot", "2=" + bot,
                "--bot", "expert", "--name", "Anna", "--name", "3=Rita Rossi", state="opponents")
    said = play.hear()
    for name in ("Anna", "Bot 2 (novice)", "Bot 3 (bot.py)", "Rita Rossi"):
        assert name in said, (name, said)
    said = play.say("#1")
    play.kill()
    (path,) = saves("opponents")
    text = open(path, encoding="utf-8").read()
    assert "# by 0 Anna -\n" in text and "# by 1 - novice\n" in text, text
    assert "# by 3 Rita Rossi expert\n" in text, text
    assert re.search(r"^# by 2 - cmd:python3%20\S+/bot\.py$", text, re.M), text
    again = Play("--resume", state="opponents")
    assert position(again.hear()) == position(said)
    again.quit()


def failing_program():
    got = one_run("play", "doors", "--option", "first=1", "--bot", "cmd:true", lines=["quit"],
                  state="failing")
    assert got.returncode == 0 and "has failed (it has ended)" in got.stdout, got.stdout
    assert "Your turn" in got.stdout or "Round 1" in got.stdout, got.stdout
    got = one_run("play", "doors", "--bot", "nobody")
    assert got.returncode == 2 and "'nobody' is not possible" in got.stdout, got.stdout


def earlier_save():
    got = one_run("play", "doors", "--seed", "5", "--bot", "novice", "--record",
                  os.path.join(WORK, "old.salotto"), lines=["quit"], state="earlier")
    text = open(os.path.join(WORK, "old.salotto"), encoding="utf-8").read()
    assert stat.S_IMODE(os.stat(os.path.join(WORK, "old.salotto")).st_mode) == 0o600, "has a seed"
    old = text.replace("# by 0 - -", "# by 0 - Anna").replace("# by 1 - novice",
                                                              "# by 1 novice Bot 2 (novice)")
    assert old != text, got.stdout
    open(os.path.join(WORK, "old.salotto"), "w", encoding="utf-8").write(old)
    got = one_run("play", "--load", os.path.join(WORK, "old.salotto"), lines=["quit"])
    assert "Anna" in got.stdout and "Bot 2 (novice)" in got.stdout, got.stdout


def plain_letters():
    got = one_run("play", "louis", "--seed", "5", "--lang", "it", "--bot", "random",
                  lines=["#1"] * 5, env={"LC_ALL": "C"})
    assert got.stdout.isascii() and "La Valliere" in got.stdout, got.stdout
    got = one_run("play", "louis", "--seed", "5", "--bot", "random", lines=["#1"] * 5,
                  env={"LC_ALL": "C.UTF-8"})
    assert "La Vallière" in got.stdout
    wide = [line for line in got.stdout.splitlines() if len(line) > 80]
    assert not wide, wide
    assert "\033" not in got.stdout, "no colour in a pipe"


def same_luck():
    def game():
        return one_run("play", "traps", "--players", "4", "--seed", "9", "--bot", "novice",
                       lines=["#1"] * 8).stdout
    assert game() == game()


for name in ("doors", "favor", "traps", "louis"):
    case(f"{name}: killed at every step, it goes on there", killed_at_every_step, name)
case("Ctrl-C, a hang-up and SIGTERM lose nothing", interrupted)
case("resumed, the same people and bots sit there", the_same_people)
case("a save is a record, for its owner alone", for_its_owner_alone)
case("a finished game is not resumed", finished)
case("without a place to save, one plays all the same", nowhere_to_save)
case("typed: any case, beginnings, bare cards, did you mean", typed)
case("typed: amounts and choices", amounts)
case("commands in Italian", in_italian)
case("no choice is left out", every_choice)
case("two people: a curtain, and the terminal as before", curtain)
case("two people in lines: the same", curtain, "--plain")
case("a level for each seat, names, outside programs", opponents)
case("a program that fails is replaced, and told so", failing_program)
case("saves of an earlier version are understood", earlier_save)
case("LC_ALL=C gets ASCII; lines are broken at words", plain_letters)
case("the same seed, the same bots", same_luck)
shutil.rmtree(WORK)
done()
