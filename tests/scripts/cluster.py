"""A PostgreSQL of one's own for tests: a cluster in a folder that goes with it, on a
Unix socket there and nowhere else.

    cluster.py COMMAND...    runs it with SALOTTO_TEST_STORE naming an empty database,
                             and every server of parlour.py on one of its own

PostgreSQL does not run as root; then it runs as the user `postgres`."""
import atexit
import glob
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

OWNER = "postgres"


def programs():
    """The folder with the newest PostgreSQL, or None."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"),
                   key=lambda p: int(p.split("/")[4]))
    return os.path.dirname(found[-1]) if found else None


def psql(where, text):
    """What it prints, without ornament."""
    done = subprocess.run(["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", where, "-c", text],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    return done.stdout.strip()


def address(folder, name):
    return f"postgresql://{OWNER}@/{name}?host={folder}"


def new_database(folder, name):
    """The address of a new, empty database."""
    psql(address(folder, "postgres"), f"CREATE DATABASE {name}")
    return address(folder, name)


class Database:
    """As much of a connection of Python's sqlite3 as the tests use."""

    def __init__(self, where):
        self.where, self.rows = where, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def execute(self, sql, values=()):
        for v in values:
            literal = str(v) if isinstance(v, (int, float)) else "'" + v.replace("'", "''") + "'"
            sql = sql.replace("?", literal, 1)
        if sql.lstrip().upper().startswith(("SELECT", "WITH")):
            text = psql(self.where, f"SELECT row_to_json(t) FROM ({sql}) t")
            self.rows = [tuple(v for _, v in json.loads(line, object_pairs_hook=list))
                         for line in text.splitlines()]
        else:
            self.rows = []
            psql(self.where, sql)
        return self

    def fetchall(self):
        return self.rows

    def fetchone(self):
        return self.rows[0] if self.rows else None

    def __iter__(self):
        return iter(self.rows)

    def commit(self):
        pass

    def close(self):
        pass


def last_line(path):
    with open(path, encoding="utf-8") as f:
        return "".join(f.readlines()[-2:])


class Cluster:
    """One cluster; it can be killed and started again. `durable` leaves fsync on."""

    def __init__(self, durable=False):
        self.env = {}  # what else it is started with
        self.bin = programs()
        assert self.bin, "PostgreSQL is not installed"
        self.folder = tempfile.mkdtemp(prefix="salotto-pg-")
        atexit.register(self.remove)
        if os.getuid() == 0:
            owner = pwd.getpwnam(OWNER)
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        self.durable = durable
        self.process = None
        self.count = 0
        self.run("initdb", "-D", self.data(), "-A", "trust", "-U", OWNER, "-E", "UTF8",
                 "--no-locale", "--no-sync")
        self.start()

    def data(self):
        return os.path.join(self.folder, "data")

    def command(self, program, *args):
        become = ["runuser", "-u", OWNER, "--"] if os.getuid() == 0 else []
        return [*become, os.path.join(self.bin, program), *args]

    def run(self, program, *args):
        done = subprocess.run(self.command(program, *args), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, cwd=self.folder)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def start(self):
        options = (f"-k {self.folder} -c listen_addresses= -c max_connections=60"
                   f" -c fsync={'on' if self.durable else 'off'}")
        log = os.path.join(self.folder, "log")
        start = self.command("pg_ctl", "-D", self.data(), "-o", options, "-w", "-s", "-l", log,
                             "start")
        # After a fall the last of its processes may take a moment to be gone.
        while subprocess.run(start, stderr=subprocess.DEVNULL, cwd=self.folder,
                             env={**os.environ, **self.env}).returncode:
            assert not os.path.exists(log) or "memory" in last_line(log), last_line(log)
            time.sleep(0.1)

    def stop(self, how="fast"):
        self.run("pg_ctl", "-D", self.data(), "-w", "-s", "-m", how, "stop")

    def kill(self):
        """As kill -9 of all of it would be: nothing is written any more."""
        with open(os.path.join(self.data(), "postmaster.pid"), encoding="utf-8") as f:
            head = int(f.readline())
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(head)], text=True,
                                  stdout=subprocess.PIPE).stdout.split()
        for pid in [head, *map(int, children)]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for path in (os.path.join(self.data(), "postmaster.pid"),
                     os.path.join(self.folder, ".s.PGSQL.5432.lock")):
            os.unlink(path)  # a system that does not bury its dead believes they live

    def is_gone(self):
        """Whether it has ended by itself."""
        return not os.path.exists(os.path.join(self.data(), "postmaster.pid"))

    def database(self):
        self.count += 1
        return new_database(self.folder, f"d{self.count}")

    def remove(self):
        try:
            self.stop("immediate")
        except AssertionError:
            pass  # it is not running
        shutil.rmtree(self.folder, ignore_errors=True)


if __name__ == "__main__":
    cluster = Cluster()
    sys.exit(subprocess.run(sys.argv[1:], env=dict(
        os.environ, SALOTTO_TEST_STORE=cluster.database(),
        SALOTTO_TEST_CLUSTER=cluster.folder)).returncode)
