"""Tournaments, solving Doors and Traps and making problems over several processes (MPI ranks): the same bytes
however many there are, a rank that dies, what cannot be.

    ranks_test.py SALOTTO SOURCE_ROOT
"""
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import time

from tap import case, done

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
WORK = tempfile.mkdtemp()
# One machine, whoever runs the tests; Open MPI keeps memory to its end.
ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
           OMPI_MCA_plm="isolated", OMPI_MCA_rmaps_base_oversubscribe="1",
           PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",  # as Open MPI 5 spells it
           OMPI_MCA_hwloc_base_binding_policy="none", TMPDIR=WORK,
           ASAN_OPTIONS="detect_leaks=0", LANGUAGE="en")


def ranks(count, *args, command="arena"):
    return ["mpirun", "-n", str(count), SALOTTO, command, *args]


def run(count, *args, command="arena"):
    line = ranks(count, *args, command=command)
    return subprocess.run(line if count else line[3:], env=ENV, text=True, capture_output=True)


def same(*args, command="arena"):
    """What is said without mpirun, and that 1, 2 and 4 ranks say the same."""
    alone = run(0, *args, command=command)
    assert alone.returncode == 0, alone
    for count in (1, 2, 4):
        got = run(count, *args, command=command)
        assert (got.returncode, got.stdout) == (0, alone.stdout), (count, got)
    return alone.stdout


SMALL = ("--game", "doors", "--bot", "regular", "--bot", "novice", "--seed", "3")


def the_same_report():
    text = same(*SMALL, "--games", "300")
    threads = run(2, *SMALL, "--games", "300", "--threads", "3")
    assert threads.stdout == text, threads
    same("--game", "louis", "--players", "3", "--bot", "regular", "--bot", "novice", "--games", "30",
         "--seed", "4", "--csv")


def gauntlet_and_early_stop():
    same("--gauntlet", "regular", "--game", "traps", "--bot", "novice", "--bot", "random", "--games",
         "40")
    assert "stronger" in same(*SMALL, "--games", "4000", "--sprt", "0,50")


def seeds_records_faults():
    folder = os.path.join(WORK, "records")
    got = run(3, "--game", "doors", "--bot", "regular", "--bot", "cmd:exit 0", "--games", "40",
              "--records", folder)
    assert got.returncode == 0, got
    assert sorted(os.listdir(folder)) == [f"{n:05}.salotto" for n in range(40)], os.listdir(folder)
    assert "40 games" in got.stdout and "crashed" in got.stdout, got
    again = run(2, *SMALL, "--games", "40", "--records", folder)
    assert again.returncode == 0, again
    played = subprocess.run([SALOTTO, "replay", os.path.join(folder, "00039.salotto")], text=True,
                            capture_output=True, env=ENV, stdin=subprocess.DEVNULL)
    assert played.returncode == 0, played


def ranks_of(mpirun):
    """The processes that mpirun has started, by their number in the job."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/status", encoding="utf-8") as f:
                parent = next(line.split()[1] for line in f if line.startswith("PPid:"))
            with open(f"/proc/{pid}/environ", "rb") as f:
                values = dict(v.split(b"=", 1) for v in f.read().split(b"\0") if b"=" in v)
        except (OSError, StopIteration):
            continue
        if parent == str(mpirun) and b"OMPI_COMM_WORLD_RANK" in values:
            found[int(values[b"OMPI_COMM_WORLD_RANK"])] = int(pid)
    return found


def a_rank_that_dies():
    keep = os.path.join(WORK, "games")
    args = ("--game", "traps", "--players", "3", "--bot", "expert:sims=100", "--bot", "regular", "--seed", "5",
            "--games", "24", "--keep", keep)
    p = subprocess.Popen(ranks(3, *args), env=ENV, text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    lines = 0
    while lines < 4 and p.poll() is None:  # the head and a few games
        time.sleep(0.01)
        with open(keep, encoding="utf-8") if os.path.exists(keep) else open(os.devnull) as f:
            lines = f.read().count("\n")
    assert p.poll() is None, p.communicate()
    die(p, 2)
    with open(keep, encoding="utf-8") as f:
        assert 4 <= f.read().count("\n") < 25
    rest = run(2, *args)
    assert rest.returncode == 0, rest
    assert rest.stdout == run(0, *args[:-2]).stdout, rest


# A start that is solved within a second.
LATE = ("doors", "--offer", "RL,BL,RT,BT", "--collection", "RL,BR", "--discards", "BL,LT")


def solving(*args):
    return same(*LATE, *args, command="solve")


def read(*path):
    with open(os.path.join(WORK, *path), "rb") as f:
        return f.read()


def the_same_solution():
    text = solving("--iterations", "40")
    assert text.count("exploitability") > 3, text
    assert run(2, *LATE, "--iterations", "40", "--threads", "3", command="solve").stdout == text
    books = []
    for count in (0, 1, 3):  # what is kept, too
        folder = os.path.join(WORK, f"kept{count}")
        os.mkdir(folder)
        got = run(count, *LATE, "--iterations", "16", "--keep", folder, "--book", folder + "/book",
                  command="solve")
        assert got.returncode == 0, got
        books.append([read(folder, name) for name in sorted(os.listdir(folder))])
    assert books[0] == books[1] == books[2] and len(books[0]) == 2


def a_round_of_traps():
    """Alone and together; and a policy, gone on from."""
    text = same("traps", "--cut", "1", "--iterations", "8", "--ends", command="solve")
    assert "exploitability" in text and "two_traps" in text, text
    policies = []
    for count in (0, 1, 2, 4):
        policy = os.path.join(WORK, f"policy{count}")
        shutil.copy(os.path.join(TOP, "share", "traps.policy"), policy)
        got = run(count, "traps", "--policy", policy, "--round", "3-4", "--cut", "0", "--iterations", "8",
                  command="solve")
        assert got.returncode == 0, got
        policies.append((got.stdout, read(policy)))
    assert policies[0] == policies[1] == policies[2] == policies[3]
    with open(os.path.join(TOP, "share", "traps.policy"), "rb") as f:
        assert f.read() != policies[0][1]


def die(mpirun, rank):
    """What mpirun says when that rank is killed."""
    os.kill(ranks_of(mpirun.pid)[rank], 9)
    _, said = mpirun.communicate()
    assert mpirun.returncode != 0 and f"rank {rank}" in said and "signal 9" in said, said


def a_solution_goes_on():
    """A rank dies; with any number of ranks it goes on from what was kept."""
    folder = os.path.join(WORK, "kept0")
    before = read(folder, next(n for n in os.listdir(folder) if n.endswith(".solver")))
    p = subprocess.Popen(ranks(3, *LATE, "--iterations", "1000000", "--keep", folder,
                               command="solve"),
                         env=ENV, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert "after" in p.stdout.readline()
    die(p, 2)
    assert before == read(folder, next(n for n in os.listdir(folder) if n.endswith(".solver")))
    said = [run(count, *LATE, "--iterations", "40", "--keep", os.path.join(WORK, f"kept{kept}"),
                command="solve").stdout for count, kept in ((2, 0), (0, 1), (4, 3))]
    assert said[0] == said[1] == said[2] and "after 24" in said[0], said


def the_same_problems():
    args = ("traps", "--worlds", "24", "--seed", "5")
    text = same(*args, "--count", "6", "--json", command="problems")
    assert text.count("\n") == 7, text
    people = [run(count, *args, "--count", "1", command="problems").stdout for count in (0, 2)]
    assert people[0] == people[1] and people[0].count(" %") > 1, people
    keep = os.path.join(WORK, "problems")
    args = (*args, "--keep", keep, "--count")
    p = subprocess.Popen(ranks(3, *args, "10000", command="problems"), env=ENV, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not os.path.exists(keep) or read(keep).count(b"\n") < 2:
        assert p.poll() is None, p.communicate()
        time.sleep(0.01)
    die(p, 1)
    kept = read(keep).splitlines(keepends=True)
    assert len(kept) >= 2, kept
    with open(keep, "wb") as f:  # it may have made more than are wanted before it died
        f.writelines(kept[:4])
    rest = run(2, *args, "6", command="problems")
    assert rest.returncode == 0 and read(keep).decode() == text, rest


def watched(games):
    """What a terminal is told that mpirun writes to, until the line of progress is gone and after it; and
    the report."""
    here, terminal = pty.openpty()
    p = subprocess.Popen(ranks(2, *SMALL, "--games", str(games)), env=ENV, text=True,
                         stdout=subprocess.PIPE, stderr=terminal)
    os.close(terminal)
    text = b""
    while b"games in" not in text:  # what is said at the end
        text += os.read(here, 4096)
    report, _ = p.communicate()
    os.close(here)
    assert p.returncode == 0, report
    return *text.split(b"\r\033[K"), report


def progress_is_told():
    """On one line of the terminal that mpirun writes to, and nowhere else."""
    games, bar = 300, b""
    while not bar:  # so few may be played at once
        bar, end, report = watched(games)
        games *= 4
    assert b"%" in bar and b"\n" not in bar and set(re.findall(rb"\r(.)", bar)) == {b"["}, bar
    assert b"%" not in end and "%" in report and "\033" not in report, (end, report)
    assert "\033" not in run(2, *SMALL, "--games", "20").stderr


def what_cannot_be():
    for args, word in ((("--game", "nothing"), "there is no game"),
                       ((*SMALL, "--games", "9", "--keep", "/nowhere/file"), "cannot be written")):
        got = run(3, *args)
        assert got.returncode != 0 and got.stderr.count(word) == 1, got
    for command, args, word in (
            ("solve", ("louis", "--nodes", "100"), "too large"),
            ("solve", ("doors",), "name one offer"),
            ("solve", (*LATE, "--iterations", "1", "--keep", "/nowhere"), "cannot be written"),
            ("solve", ("traps", "--policy", os.path.abspath(__file__)), "not a policy of Traps"),
            ("solve", ("traps", "--policy", "/nowhere/file", "--cut", "3"), "even cut"),
            ("problems", ("chess",), "there is no game"),
            ("problems", ("traps", "--keep", "/nowhere/file"), "cannot be written"),
            ("problems", ("traps", "--verify", "/nowhere/file"), "cannot be read")):
        got = run(3, *args, command=command)
        assert got.returncode != 0 and got.stderr.count(word) == 1, got


case("the same report on 1, 2 and 4 ranks, whatever the threads", the_same_report)
case("a gauntlet and an early stop come out alike", gauntlet_and_early_stop)
case("a fresh seed is the same at all ranks; records and faults come from all of them", seeds_records_faults)
case("a rank that dies ends the run, mpirun says which, and the same command goes on", a_rank_that_dies)
case("a start of Doors is solved alike by all of them, what is kept and the book too", the_same_solution)
case("a round of Traps and its policy, too", a_round_of_traps)
case("a rank that dies while it is solved: any number of them goes on", a_solution_goes_on)
case("problems come out alike, and are kept when a rank dies", the_same_problems)
case("progress is told on one line", progress_is_told)
case("what cannot be is said once, and ends all ranks", what_cannot_be)
done()
