"""The Python package: contracts of PettingZoo, Gymnasium and OpenSpiel point by point, batches, wheel.

    python_test.py SOURCE_ROOT EXTENSION LIBRARY

The extension is built with the sanitizers of the tests, so Python runs with their runtime loaded
first; whatever needs the package runs in a program of its own.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from tap import case, done

TOP, EXTENSION, LIBRARY = (os.path.abspath(a) for a in sys.argv[1:4])
WORK = tempfile.mkdtemp(prefix="salotto-python-")
PACKAGE = os.path.join(WORK, "package")
SALOTTO = os.path.join(os.path.dirname(LIBRARY), "salotto")


def runtime():
    """The sanitizer's runtime, if the extension needs it."""
    needs = subprocess.run(["ldd", EXTENSION], capture_output=True, text=True).stdout
    paths = [w for line in needs.splitlines() if "asan" in line for w in line.split()
             if w.startswith("/")]
    return paths[0] if paths else ""


def environment(path=PACKAGE):
    return {**os.environ, "PYTHONPATH": path, "LD_PRELOAD": runtime(),
            "ASAN_OPTIONS": "detect_leaks=0"}


def python(program, path=PACKAGE, *arguments):
    got = subprocess.run([sys.executable, "-c", program, *arguments], env=environment(path), cwd=WORK,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert got.returncode == 0, got.stdout
    return got.stdout


AEC = """
import random, salotto
for game, players in (("doors", 2), ("favor", 3), ("traps", 6), ("louis", 4)):
    env = salotto.make(game, players=players)
    for seed in (3, 4):
        env.reset(seed=seed)
        assert env.agents == env.possible_agents == [f"player_{i}" for i in range(players)]
        assert env.num_agents == env.max_num_agents == players
        dice, total, steps = random.Random(seed), dict.fromkeys(env.agents, 0.0), 0
        due, gone = dict.fromkeys(env.agents, 0.0), []
        for agent in env.agent_iter():
            assert agent == env.agent_selection
            seen, reward, over, cut, info = env.last()
            assert env.last(observe=False)[0] is None
            assert env.observation_space(agent).contains(seen)
            assert reward == due[agent], "what last tells is what was paid since this agent's last turn"
            total[agent] += reward
            mask = seen["action_mask"]
            assert len(mask) == env.action_space(agent).n
            if over or cut:
                assert not any(mask), "who is done has no action"
                env.step(None)
                gone.append(agent)
            else:
                assert any(mask) and mask.dtype == "int8" and mask[env.action_space(agent).sample(mask)] == 1
                assert not any(any(env.observe(a)["action_mask"]) for a in env.agents if a != agent)
                env.step(dice.choice(mask.nonzero()[0]))
                steps += 1
            due[agent] = 0.0
            for a, paid in env.rewards.items():
                due[a] += paid
            for table in (env.rewards, env.terminations, env.truncations, env.infos):
                assert list(table) == env.agents == [a for a in env.possible_agents if a not in gone]
        assert env.agents == [] and steps > 5
        assert abs(sum(total.values())) < 1e-6 and max(total.values()) > 0, total
    env.reset(seed=1)
    a = env.last()[0]["observation"].tolist()
    env.reset(seed=1)
    assert a == env.last()[0]["observation"].tolist(), "the same seed is the same game"
    try:
        env.step(10 ** 6)
    except salotto.Refused as why:
        assert "not a legal action" in str(why)
    else:
        raise AssertionError("an illegal action was played")
    env.close()
"""

GYM = """
import salotto
env = salotto.make_single("doors", seat=1, opponent="novice")
for seed in range(3):
    seen, info = env.reset(seed=seed)
    assert seen.shape == env.observation_space.shape
    over = False
    while not over:
        action = env.action_space.sample(info["action_mask"])
        assert info["action_mask"].dtype == "int8" and env.action_masks()[action] == 1
        seen, reward, over, cut, info = env.step(action)
        assert cut is False and (over or reward == 0.0)
    assert reward in (-1.0, 1.0), reward
try:
    salotto.make_single("doors", seat=2)
except ValueError as why:
    assert "seat 2" in str(why)
else:
    raise AssertionError("a third seat at Doors")
"""

SPIEL = """
import json, random, salotto
for name, players in (("doors", 2), ("favor", 4), ("traps", 3), ("louis", 2)):
    game = salotto.load_game(name, players=players)
    assert game.num_players() == players and game.short_name() == name
    dice, state, drawn = random.Random(1), game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert not state.is_player_node() and len(outcomes) <= game.max_chance_outcomes()
            assert abs(sum(p for _, p in outcomes) - 1) < 1e-9
            assert state.legal_actions() == [a for a, _ in outcomes]
            assert state.action_to_string(0)
            state.apply_action(dice.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0])
            drawn += 1
            continue
        player, legal = state.current_player(), state.legal_actions()
        assert state.is_player_node() and not state.is_simultaneous_node()
        assert json.loads(state.observation_string()) == state.observation(player)
        assert str(state) == state.observation_string(-1) and state.rewards() == [0.0] * players
        assert legal == sorted(legal) and state.legal_actions(1 - player if players == 2 else -7) == []
        assert [i for i, m in enumerate(state.legal_actions_mask()) if m] == legal
        action = dice.choice(legal)
        assert state.string_to_action(state.action_to_string(action)) == action
        if dice.random() < 0.1:  # what a player cannot see changes nothing it is told
            other = state.resample(player)
            assert other.legal_actions() == legal
            assert other.observation(player) == state.observation(player)
            assert (other.observation_tensor() == state.observation_tensor()).all()
        child = state.child(action)
        state.apply_action(action)
        assert child.current_player() == state.current_player()
        assert child.scores() == state.scores()
    assert state.num_players() == players and state.num_distinct_actions() == game.num_distinct_actions()
    assert state.rewards() == state.returns() and not state.is_player_node()
    assert state.current_player() == salotto.TERMINAL and state.legal_actions() == []
    assert abs(sum(state.returns())) < 1e-9 and drawn > 3
for bad in (lambda: salotto.load_game("chess"), lambda: salotto.load_game("doors", players=5),
            lambda: salotto.load_game("favor", edition="french")):
    try:
        bad()
    except salotto.Refused as why:
        print(why)
    else:
        raise AssertionError("refused nothing")
bot = salotto.load_game("favor").new_initial_state(7)
bot.sample_chance()
assert bot.ask_bot("expert", simulations=20) in bot.legal_actions()
"""

BATCH = """
import numpy, salotto
for name, info in salotto.games().items():
    a = salotto.VecEnv(name, 33, seed=5)
    b = salotto.VecEnv(name, 33, seed=5, threads=3)
    assert a.observation.shape == (33, info["observation_size"])
    seat = a.seat
    for _ in range(200):
        actions = a.random_actions().copy()
        assert (actions == b.random_actions()).all()
        a.step(actions)
        b.step(actions.tolist())
        for x, y in ((a.seat, b.seat), (a.observation, b.observation), (a.mask, b.mask),
                     (a.reward, b.reward), (a.over, b.over)):
            assert (x == y).all()
        assert abs(a.reward.sum(axis=1)).max() < 1e-5
        assert ((a.reward != 0).any(axis=1) <= (a.over == 1)).all()
    assert a.seat is seat, "the arrays are the same all along"
    before = a.observation.copy()
    bad = a.random_actions().copy()
    bad[7] = info["action_count"]
    try:
        a.step(bad)
    except salotto.Refused as why:
        assert "Game 7 " in str(why), why
    else:
        raise AssertionError("an illegal action was played")
    assert (before == a.observation).all(), "nothing was played"
    a.reset()
    assert not a.over.any()
"""

KNOWS = """
import random, salotto
for name, players in (("doors", 2), ("favor", 3), ("traps", 3), ("louis", 2)):
    game = salotto.load_game(name, players=players)
    state, dice, keys = game.new_initial_state(5), random.Random(2), set()
    size = game.observation_tensor_size()
    for _ in range(12):
        state.sample_chance()
        if state.is_terminal():
            break
        player = state.current_player()
        known, key = state.information_state_tensor(player), state.information_state_string(player)
        assert known.shape == tuple(game.information_state_tensor_shape())
        assert (known[:size] == state.observation_tensor(player)).all()
        policy = state.bot_policy("regular")
        assert sorted(a for a, _, _ in policy) == state.legal_actions()
        assert abs(sum(p for _, p, _ in policy) - 1) < 1e-6
        other = state.resample(player)
        for bad in (lambda: other.information_state_tensor(player), other.history):
            try:
                bad()
            except salotto.Refused as why:
                assert "resampled" in str(why)
            else:
                raise AssertionError("a history was made up")
        assert other.ask_bot("expert", simulations=10) in other.legal_actions()
        copy = state.clone()
        assert (copy.information_state_tensor(player) == known).all()
        assert copy.information_state_string() == key and key not in keys
        keys.add(key)
        assert copy.history() == state.history() != []
        state.apply_action(dice.choice(state.legal_actions()))
        assert not (state.information_state_tensor(player) == known).all()
"""

PEERS = """
import sys, types
class AECEnv: pass
class Env:
    def reset(self, *, seed=None, options=None):
        self.seeded = seed
sys.modules["pettingzoo"] = types.SimpleNamespace(AECEnv=AECEnv)
sys.modules["gymnasium"] = types.SimpleNamespace(Env=Env)
import salotto
assert isinstance(salotto.make("doors"), AECEnv)
env = salotto.make_single("doors")
env.reset(seed=3)
assert isinstance(env, Env) and env.seeded == 3 and env.render_mode is None
"""

TABLE = """
import salotto
table = salotto.Table("doors", seed=7, first=0)
assert table.to_act() == [0] and table.winners() == []
for bad in (lambda: table.act(0, "end"), lambda: table.act(1, "take RL"), lambda: table.act(2, "end"),
            lambda: table.ask(1, "regular"), lambda: table.ask(0, "god"), lambda: table.undo(0),
            lambda: table.review(), lambda: salotto.Table("doors", players=5),
            lambda: salotto.Table.load("nonsense")):
    try:
        bad()
    except salotto.Refused as why:
        assert str(why)
    else:
        raise AssertionError("refused nothing")
while table.to_act():
    seat = table.to_act()[0]
    assert table.view(seat)["legal"] == table.legal(seat)
    assert "??" in table.view(seat)["state"]["identities"]
    table.act(seat, table.ask(seat, "novice", luck=3))
assert len(table.winners()) == 1
again = salotto.Table.load(table.record())
assert again.view() == table.view() and again.record() == table.record()
review = table.review(playouts=4)
assert len(review["seats"]) == 2 and review["steps"]
favor = salotto.Table("favor", players=3, seed=1, first=0)
before = favor.view()["state"]
favor.act(0, "auction")
favor.undo(0)
assert favor.view()["state"] == before
"""

NO_NUMPY = """
import sys
sys.modules["numpy"] = None
import salotto
from array import array
vec = salotto.VecEnv("traps", 9, players=3, seed=2)
assert isinstance(vec.mask, array) and len(vec.mask) == 9 * vec.action_count
for _ in range(50):
    vec.step(vec.random_actions())
env = salotto.make("doors")
env.reset(seed=1)
assert len(env.last()[0]["observation"]) == 78
"""


def unpack():
    shutil.copytree(os.path.join(TOP, "python", "salotto"), os.path.join(PACKAGE, "salotto"))
    shutil.copy(EXTENSION, os.path.join(PACKAGE, "salotto"))


def as_the_docs_say():
    with open(os.path.join(TOP, "docs/python.md"), encoding="utf-8") as f:
        blocks = re.findall(r"^```python\n(.*?)^```$", f.read(), re.M | re.S)
    assert blocks and "won" in python("\n".join(blocks))


LIKE = """
import json, salotto, subprocess, sys
asked = [{"op": "new", "game": "favor", "players": 3, "seed": 5, "options": {"first": 1}},
         {"op": "view", "seat": 1, "packed": True}, {"op": "legal", "seat": 1}]
told = subprocess.run([sys.argv[1], "referee"], input="\\n".join(map(json.dumps, asked)), text=True,
                      stdout=subprocess.PIPE).stdout
view, legal = (json.loads(line) for line in told.splitlines()[1:])
game = salotto.load_game("favor", players=3)
worlds = [game.state_like(view["packed"], seed) for seed in range(20)]
for world in worlds:
    seen = world.observation(1)
    assert all(seen[k] == view["state"][k] for k in ("identities", "lot", "deck_left", "gems", "to_act"))
    assert sorted(map(world.action_to_string, world.legal_actions())) == sorted(legal["actions"])
assert len({str(world.observation(0)["identities"]) for world in worlds}) > 1, "hidden cards are made up"
for bad in ("", "nonsense", view["packed"][:-1], view["packed"].replace("favor", "doors")):
    try:
        game.state_like(bad)
    except salotto.Refused as why:
        assert str(why)
    else:
        raise AssertionError("refused nothing")
"""


def searches():
    """The bot that thinks with the package plays a whole game in the arena."""
    bot = f"cmd:{sys.executable} {shlex.quote(TOP)}/python/examples/rollout.py"
    got = subprocess.run([SALOTTO, "arena", "--game", "doors", "--games", "2", "--seed", "1", "--bot", "random",
                          "--bot", bot, "--move-time", "600000", "--start-time", "600000", "--json"],
                         env=environment(), capture_output=True, text=True)
    assert '"whole":2,' in got.stdout, got.stdout + got.stderr


def learns():
    """The example gets better than chance, which is even, in a few seconds of thought."""
    got = subprocess.run([sys.executable, os.path.join(TOP, "python/examples/learn.py"), "8"],
                         env=environment(), capture_output=True, text=True)
    assert got.returncode == 0, got.stdout + got.stderr
    last = got.stdout.splitlines()[-1]
    assert float(last.split(" %")[0].split()[-1]) > 55, got.stdout


def wheel():
    """A wheel is built, installs, and plays."""
    source, site = os.path.join(WORK, "source"), os.path.join(WORK, "site")
    shutil.copytree(os.path.join(TOP, "python"), source)
    flags = "-fsanitize=address,undefined" if runtime() else ""
    build = {**os.environ, "SALOTTO_BUILD": os.path.dirname(LIBRARY), "CFLAGS": flags,
             "LDFLAGS": flags, "CPATH": os.path.join(TOP, "include")}
    for command in (["wheel", "--no-build-isolation", "--no-deps", "-w", WORK, source],
                    ["install", "--no-index", "--find-links", WORK, "--target", site, "salotto"]):
        got = subprocess.run([sys.executable, "-m", "pip", *command], env=build, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert got.returncode == 0, got.stdout
    assert "33" in python("import salotto; print(salotto.VecEnv('doors', 33).count)", site)


unpack()
case("PettingZoo's AEC contract, four games", python, AEC)
case("Gymnasium's contract for one agent", python, GYM)
case("environments of PettingZoo and Gymnasium where they are installed", python, PEERS)
case("OpenSpiel's words, chance and hidden facts", python, SPIEL)
case("batches: threads, arrays in place, refusals", python, BATCH)
case("information states, histories, chances of bots", python, KNOWS)
case("tables: records, bots, reviews, refusals", python, TABLE)
case("without numpy", python, NO_NUMPY)
case("the program of docs/python.md", as_the_docs_say)
case("states like a packed view", python, LIKE, PACKAGE, SALOTTO)
case("the example searches", searches)
case("the example learns", learns)
case("a wheel is built and installs", wheel)
shutil.rmtree(WORK)
done()
