"""Tournaments over several processes (MPI ranks): the same bytes however many there are, a rank that
dies, what cannot be.

    ranks_test.py SALOTTO SOURCE_ROOT
"""
import os
import subprocess
import sys
import tempfile
import time

from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
WORK = tempfile.mkdtemp()
# One machine, whoever runs the tests; Open MPI keeps memory to its end.
ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
           OMPI_MCA_plm="isolated", OMPI_MCA_rmaps_base_oversubscribe="1",
           PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",  # as Open MPI 5 spells it
           OMPI_MCA_hwloc_base_binding_policy="none", TMPDIR=WORK,
           ASAN_OPTIONS="detect_leaks=0", LANGUAGE="en")


def ranks(count, *args):
    return ["mpirun", "-n", str(count), SALOTTO, "arena", *args]


def run(count, *args):
    command = ranks(count, *args) if count else [SALOTTO, "arena", *args]
    return subprocess.run(command, env=ENV, text=True, capture_output=True)


def same(*args):
    """What a tournament says without mpirun, and that 1, 2 and 4 ranks say the same."""
    alone = run(0, *args)
    assert alone.returncode == 0, alone
    for count in (1, 2, 4):
        got = run(count, *args)
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
    os.kill(ranks_of(p.pid)[2], 9)
    _, said = p.communicate()
    assert p.returncode != 0 and "rank 2" in said and "signal 9" in said, (p.returncode, said)
    with open(keep, encoding="utf-8") as f:
        assert 4 <= f.read().count("\n") < 25
    rest = run(2, *args)
    assert rest.returncode == 0, rest
    assert rest.stdout == run(0, *args[:-2]).stdout, rest


def what_cannot_be():
    for args, word in ((("--game", "nothing"), "there is no game"),
                       ((*SMALL, "--games", "9", "--keep", "/nowhere/file"), "cannot be written")):
        got = run(3, *args)
        assert got.returncode != 0 and got.stderr.count(word) == 1, got


case("the same report on 1, 2 and 4 ranks, whatever the threads", the_same_report)
case("a gauntlet and an early stop come out alike", gauntlet_and_early_stop)
case("a fresh seed is the same at all ranks; records and faults come from all of them", seeds_records_faults)
case("a rank that dies ends the run, mpirun says which, and the same command goes on", a_rank_that_dies)
case("what cannot be is said once, and ends all ranks", what_cannot_be)
done()
