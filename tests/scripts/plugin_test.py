"""Games from outside: examples/kuhn, built against an installed Salotto, in every
command; records of it; plugins that are none.

    plugin_test.py SALOTTO SOURCE_ROOT BATTERY
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from parlour import Guest, Server
from tap import case, done

SALOTTO, TOP, BATTERY = (os.path.abspath(a) for a in sys.argv[1:4])
WORK = tempfile.mkdtemp(prefix="salotto-plugin-")
PREFIX = os.path.join(WORK, "prefix")
PLUGIN = os.path.join(WORK, "kuhn", "kuhn.so")


def run(*command, **more):
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 1200,
            **more}
    return subprocess.run(command, **more)


def salotto(*args, **more):
    return run(SALOTTO, *args, "--plugin", PLUGIN, env=dict(os.environ, LANGUAGE="en"), **more)


def install():
    """As somebody who has only what is installed: (folder of salotto.pc, prefix)."""
    build = os.path.dirname(SALOTTO)
    got = run("meson", "install", "-C", build, "--no-rebuild", "--destdir", PREFIX)
    assert got.returncode == 0, got.stdout + got.stderr
    for folder, _, names in os.walk(PREFIX):
        if "salotto.pc" in names:
            with open(os.path.join(folder, "salotto.pc"), encoding="utf-8") as f:
                return folder, PREFIX + f.readline().strip().split("=")[1]
    raise AssertionError("no salotto.pc was installed")


def build(folder, env):
    got = run(os.path.join(folder, "build"), env=env)
    assert got.returncode == 0, got.stdout + got.stderr


def builds():
    folder, prefix = install()
    shutil.copytree(os.path.join(TOP, "examples", "kuhn"), os.path.join(WORK, "kuhn"))
    tool = f"pkg-config --define-variable=prefix={prefix}"
    env = dict(os.environ, PKG_CONFIG=tool, PKG_CONFIG_PATH=folder,
               CFLAGS="-O2 -Wall -Wextra -Wshadow -Wconversion -Werror")
    build(os.path.join(WORK, "kuhn"), env)
    flags = run(*tool.split(), "--cflags", "salotto", env=env).stdout
    assert f"-I{PREFIX}" in flags and TOP not in flags, flags


def battery():
    """What every game must pass, an outside one too."""
    got = run(BATTERY, PLUGIN, "--unsigned", env=dict(
        os.environ, SALOTTO_POLICY=os.path.join(TOP, "share/doors.policy")))
    assert got.returncode == 0 and "not ok" not in got.stdout, got.stdout[-2000:]
    assert got.stdout.count("\nok ") + got.stdout.startswith("ok ") > 8, got.stdout


def listed():
    assert "Three cards, one chip, one bluff." in salotto("--help").stdout
    assert "kuhn" not in run(SALOTTO, "--help").stdout
    text = salotto("rules", "kuhn").stdout
    assert "`kuhn.turn` In turn, pass or bet one chip." in text, text
    assert salotto("rules", "kuhn", "kuhn.win").stdout.count("\n") == 1
    assert salotto("rules", "kuhn", "kuhn.no").returncode == 2


def plays():
    got = salotto("play", "kuhn", "--seed", "1", "--bot", "expert", input="bet\nbet\nbet\n")
    assert got.returncode == 0 and "You get the " in got.stdout, got
    assert "Cards: " in got.stdout


def referee():
    requests = [{"op": "new", "game": "kuhn", "players": 2, "seed": 3},
                {"op": "act", "seat": 0, "action": "bet"},
                {"op": "act", "seat": 1, "action": "pass"}, {"op": "save"},
                {"op": "view", "seat": None}]
    got = salotto("referee", input="".join(json.dumps(r) + "\n" for r in requests))
    replies = [json.loads(line) for line in got.stdout.splitlines()]
    assert all(r["ok"] for r in replies), replies
    assert replies[2]["state"]["scores"] == [1, -1] and replies[2]["state"]["winners"] == [0]
    again = salotto("referee", input=json.dumps({"op": "load", "record": replies[3]["record"]})
                    + "\n")
    assert json.loads(again.stdout)["state"] == replies[4]["state"], again.stdout
    alone = run(SALOTTO, "referee", input=json.dumps({"op": "load", "record": replies[3]["record"]})
                + "\n")
    assert not json.loads(alone.stdout)["ok"], alone.stdout


def records():
    """What is saved can be checked, with the plugin and not without."""
    path = os.path.join(WORK, "kuhn.salotto")
    got = salotto("play", "kuhn", "--seed", "5", "--bot", "random",
                  input=f"save {path}\nquit\n")
    assert os.path.exists(path), got
    got = salotto("verify", path)
    assert got.returncode == 0 and "Kuhn poker" in got.stdout, got
    got = run(SALOTTO, "verify", path, env=dict(os.environ, LANGUAGE="en"))
    assert got.returncode == 1 and "no such game" in got.stderr, got


def arena():
    got = salotto("arena", "--game", "kuhn", "--games", "40", "--seed", "1", "--json",
                  "--bot", "random", "--bot", "novice", "--bot", "regular", "--bot", "expert:sims=50")
    assert got.returncode == 0, got
    report = json.loads(got.stdout)
    assert report["game"] == "kuhn" and report["whole"] == report["games"] >= 40, report


def solves():
    """Through the plugin as through the library: -1/18."""
    got = salotto("solve", "kuhn", "--iterations", "20000", "--until", "0.0005", "--json",
                  "--strategy")
    assert got.returncode == 0, got
    lines = [json.loads(line) for line in got.stdout.splitlines()]
    assert lines[0] == {"game": "kuhn", "nodes": 58, "sets": 12, "steps": 5}, lines[0]
    last = [m for m in lines if "low" in m][-1]
    assert last["low"] <= -1 / 18 <= last["high"] and last["exploitability"] <= 0.0005, last
    sets = [m for m in lines if "strategy" in m]
    assert len(sets) == 12 and all(abs(sum(m["strategy"].values()) - 1) < 1e-5 for m in sets)
    text = salotto("solve", "kuhn", "--strategy", "--iterations", "50").stdout
    assert "12 information sets" in text and "Cards: queen ??\n" in text, text
    got = salotto("solve", "favor")
    assert got.returncode == 1 and "too large" in got.stderr and "--nodes" in got.stderr, got
    for bad in (("--goal", "glory"), ("--nodes", "0"), ("--option", "x=1"), ("--bogus",), ("x",)):
        assert salotto("solve", "kuhn", *bad).returncode == 2, bad


# What is changed in the game, and why it cannot be solved then.
UNSOLVABLE = [
    (r"(players_\w+) = 2", r"\1 = 3", "is not a game for two"),
    (r"(out\[1\] = BET;\n  return) 2;", r"\1 const_state(state)->card[1 - seat] ? 2 : 1;", "its views are inconsistent"),
]


def unsolvable():
    for number, (old, new, word) in enumerate(UNSOLVABLE):
        folder = os.path.join(WORK, f"odd{number}")
        shutil.copytree(os.path.join(TOP, "examples", "kuhn"), folder)
        with open(os.path.join(folder, "kuhn.c"), "r+", encoding="utf-8") as f:
            text, changed = re.subn(old, new, f.read())
            assert changed, old
            f.seek(0)
            f.write(text)
            f.truncate()
        build(folder, dict(os.environ, PKG_CONFIG_PATH=os.path.join(os.path.dirname(SALOTTO), "meson-uninstalled")))
        got = run(SALOTTO, "solve", "kuhn", "--plugin", os.path.join(folder, "kuhn.so"), env=dict(os.environ, LANGUAGE="en"))
        assert got.returncode == 1 and word in got.stderr, got


def serves():
    """A server with the plugin offers the game and plays it; one without says so."""
    server = Server(SALOTTO, "--plugin", PLUGIN)
    g = Guest(server)
    hello = json.loads(g.heard[0])
    assert "kuhn" in [o["game"] for o in hello["games"]], hello["games"]
    table = g.must("create", game="kuhn", players=2, seats=["open", "novice"])["table"]
    g.must("sit", table=table, seat=0)
    news = g.hear("moved", kind="start")
    while not news["state"]["over"]:
        if news["legal"]:
            g.must("act", table=table, seq=news["seq"], action=news["legal"][-1])
        news = g.hear("moved")
    assert "seats" in g.hear("result", table=table)
    waiting = g.must("create", game="kuhn", players=2)["table"]
    assert server.stop() == 0
    options, server.options = server.options, ()  # without the plugin it still opens
    server.start()
    g = Guest(server, cookie=g.cookie)
    assert g.code("join", table=waiting) and g.must("lobby"), "a table of no known game"
    assert g.code("create", game="kuhn", players=2) == "unknown-game"
    assert server.stop() == 0
    server.options = options
    server.start()
    assert Guest(server, cookie=g.cookie).must("join", table=waiting)["game"] == "kuhn"
    assert server.stop() == 0
    config = os.path.join(WORK, "serve.conf")
    with open(config, "w", encoding="utf-8") as f:
        f.write(f"plugin = {PLUGIN}\n")
    server = Server(SALOTTO, "--config", config)
    assert "kuhn" in [o["game"] for o in json.loads(Guest(server).heard[0])["games"]]
    server.process.send_signal(signal.SIGHUP)  # the options are read once more
    assert "kuhn" in [o["game"] for o in json.loads(Guest(server).heard[0])["games"]]
    assert server.stop() == 0


# Fields of a game, and what is wrong with it.
TITLED = '.info.id = "x", .info.title = "X", .info.tagline = "x", .info.rules = &rule, .info.options = &option, '
PLAYED = TITLED + ".info.players_min = 2, .info.players_max = 2, "
SIZED = PLAYED + ".info.state_size = 8, .info.view_size = 8, .info.legal_max = 1, "
FUNCTIONS = """init to_act legal check apply chance sample closed scores winners options view resample tensor
facts event_facts prompt position event_say event_rule action_say action_text action_parse piles stock
selfcheck""".split()
BAD_GAMES = [
    ('.info.id = "X"', "only lower-case letters"),
    ('.info.id = "doors"', "a game with this id already"),
    ('.info.id = "x"', "lacks a title"),
    (TITLED, "numbers of players are out of range"),
    (PLAYED, "sizes of state, view or list of actions"),
    (SIZED, "A function of the game is missing"),
    (SIZED.replace("&option", "&word") + ", ".join(f".{f} = (void *)nothing" for f in FUNCTIONS),
     "options of the game are invalid"),
]


def game_source(fields):
    """A plugin with one game of these fields."""
    return f"""#include <salotto/game.h>
static void nothing(void) {{}}
static const struct sal_rule rule = {{0}};
static const struct sal_option option = {{0}}, word = {{.name = "x", .kind = SAL_OPTION_WORD}};
static const struct sal_game g = {{{fields}}};
static const struct sal_game *const all[] = {{&g, 0}};
const void *const used[] = {{nothing, &rule, &option, &word}};
const struct sal_plugin sal_plugin = {{SAL_PLUGIN_INTERFACE, sizeof(struct sal_game), all}};
"""


def no_plugins():
    """Each is refused with one sentence that names the file, and nothing happens."""
    empty = os.path.join(WORK, "empty.so")
    source = os.path.join(WORK, "bad.c")
    run("cc", "-shared", "-o", empty, "-x", "c", os.devnull)
    for text, word in (("const unsigned sal_plugin[8] = {99};", "another version"),
                       *((game_source(fields), word) for fields, word in BAD_GAMES)):
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        bad = os.path.join(WORK, "bad.so")
        assert run("cc", "-shared", "-fPIC", f"-I{TOP}/include", "-o", bad, source).returncode == 0
        got = run(SALOTTO, "play", "kuhn", "--plugin", bad)
        assert got.returncode == 1 and word in got.stderr and bad in got.stderr, got
    for file, word in ((empty, "not export 'sal_plugin'"), (os.path.join(WORK, "none.so"), "none.so"),
                       (source, "bad.c")):
        got = run(SALOTTO, "play", "kuhn", f"--plugin={file}")
        assert got.returncode == 1 and word in got.stderr and got.stderr.count("\n") == 1, got
    assert run(SALOTTO, "play", "--plugin").returncode == 2
    assert salotto("rules", "kuhn", "--plugin", PLUGIN).returncode == 0, "the same once more"
    twin = shutil.copy(PLUGIN, os.path.join(WORK, "twin.so"))
    got = salotto("rules", "kuhn", "--plugin", twin)
    assert got.returncode == 1 and "already" in got.stderr, got


try:
    case("the example is built with what is installed", builds)
    case("the battery", battery)
    case("the program lists its games, and their rules", listed)
    case("play", plays)
    case("referee: a whole game, saved and loaded", referee)
    case("records are verified with the plugin, and not without", records)
    case("arena: every level plays it", arena)
    case("solve: Kuhn poker is worth -1/18", solves)
    case("what cannot be solved", unsolvable)
    case("serve: a table of it, by option and by config file", serves)
    case("what is no plugin is refused in one sentence", no_plugins)
finally:
    shutil.rmtree(WORK, ignore_errors=True)
done()
