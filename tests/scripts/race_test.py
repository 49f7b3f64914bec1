"""Races about accounts, each run many times: whatever the order, nobody gets in
who must not, and name and account stay together.

    race_test.py SALOTTO SOURCE_ROOT
"""
import itertools
import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from parlour import PASSWORD, Server
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
RUNS = int(os.environ.get("SAL_RACES", 200))
OTHER = "battery staple"


def post(path, cookie, address, **body):
    return SERVER.post(path, cookie, {"X-Forwarded-For": address}, **body)


LOOKS = itertools.count()


def me(cookie):
    """From another address each time: reads have their limit too."""
    n = next(LOOKS)
    return SERVER.request("GET", "/api/me", None, {
        "Cookie": cookie, "X-Forwarded-For": f"10.{200 + n // 250}.{n % 250}.1"})[0]


def guest(n, name):
    return SERVER.cookie(name, X_Forwarded_For=address(n))


def account(n, name):
    cookie = guest(n, name)
    status, body, fresh = post("/api/account", cookie, address(n), password=PASSWORD)
    assert status == 200, body
    return fresh or cookie


def address(n):
    """Each run has its own, so that no limit stands in its way."""
    return f"10.{20 + n // 250}.{n % 250}.1"


def at_once(*requests):
    """What each (path, cookie, address, delay, body) is answered."""
    got = [None] * len(requests)

    def run(i, path, cookie, where, delay, body):
        time.sleep(delay)
        got[i] = post(path, cookie, where, **body)
    threads = [threading.Thread(target=run, args=(i, *r)) for i, r in enumerate(requests)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return got


def many(race):
    """Runs it many times, four at a time: each has people and an address of its own."""
    def run():
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(race, range(RUNS)))
    return run


def delay(n):
    """Of the second of two requests: another one in each run, so that many ways in
    which they can meet are tried."""
    return (n * 7 % 60) / 1000


def login_and_new_password(n):
    """A sign-in with the old password that is being checked while the password
    changes: if it was let in before, the change has ended it."""
    name = f"Change {n}"
    mine = account(n, name)
    changed, entered = at_once(
        ("/api/password", mine, address(n), 0, {"old": PASSWORD, "password": OTHER}),
        ("/api/enter", "", address(n), delay(n), {"name": name, "password": PASSWORD}))
    assert changed[0] == 200, changed
    assert entered[0] in (200, 403), entered
    if entered[0] == 200:
        assert me(entered[2]) == 401, f"run {n}: the old password let somebody in"
    assert me(changed[2]) == 200


def login_and_deletion(n):
    """The same while the account is deleted."""
    name = f"Leave {n}"
    mine = account(n, name)
    gone, entered = at_once(
        ("/api/delete", mine, address(n), 0, {"password": PASSWORD}),
        ("/api/enter", "", address(n), delay(n), {"name": name, "password": PASSWORD}))
    assert gone[0] == 200, gone
    assert entered[0] in (200, 403), entered
    if entered[0] == 200:
        assert me(entered[2]) == 401, f"run {n}: a deleted account let somebody in"


def account_and_new_name(n):
    """An account that is opened while its person takes another name has the name
    that the person has."""
    old, new = f"Before {n}", f"After {n}"
    mine = guest(n, old)
    opened, renamed = at_once(
        ("/api/account", mine, address(n), 0, {"password": PASSWORD}),
        ("/api/name", mine, address(n), delay(n), {"name": new}))
    assert opened[0] == 200, opened
    assert renamed[0] in (200, 401, 403), renamed
    mine = opened[2] or mine
    status, _, text = SERVER.request("GET", "/api/me", None, {
        "Cookie": mine, "X-Forwarded-For": address(n)})
    told = json.loads(text)
    assert status == 200 and told["account"] is True, (n, told)
    name = told["you"]["name"]
    other = old if name == new else new
    assert name in (old, new) and (renamed[0] == 200) == (name == new), (n, name, renamed)
    assert post("/api/enter", "", address(n), name=name, password=PASSWORD)[0] == 200, n
    assert post("/api/enter", "", address(n), name=other, password=PASSWORD)[0] == 403, n
    assert post("/api/delete", mine, address(n))[0] == 403, f"run {n}: without a password"


def account_and_deletion(n):
    """Whoever leaves without a password while an account is being opened leaves
    no account behind."""
    name = f"Both {n}"
    mine = guest(n, name)
    opened, gone = at_once(
        ("/api/account", mine, address(n), 0, {"password": PASSWORD}),
        ("/api/delete", mine, address(n), delay(n), {}))
    entered = post("/api/enter", "", address(n), name=name, password=PASSWORD)
    if gone[0] == 200:
        assert entered[0] == 403, f"run {n}: there is an account of nobody"
    else:
        assert gone[0] in (401, 403) and opened[0] == 200 and entered[0] == 200, (opened, gone)


def in_background(answers, path, cookie, where, **body):
    t = threading.Thread(target=lambda: answers.update({path: post(path, cookie, where, **body)}))
    t.start()
    return t


def wait_for_work(open_now, thread):
    """Until passwords are being hashed, or are not, or the thread was answered."""
    while bool(SERVER.figures()["salotto_work_open"]) != open_now and thread.is_alive():
        time.sleep(0.002)


def held_up(n):
    """The disk is held up, the new password waits for it, and only then the old
    one is found right. False: the disk was held up for longer than the server
    waits."""
    name, answers = f"Held {n}", {}
    mine = account(n, name)
    db = SERVER.database()
    db.execute("BEGIN IMMEDIATE")
    change = in_background(answers, "/api/password", mine, address(n), old=PASSWORD, password=OTHER)
    wait_for_work(True, change)
    wait_for_work(False, change)  # it waits for the disk now
    enter = in_background(answers, "/api/enter", "", address(n), name=name, password=PASSWORD)
    wait_for_work(True, enter)
    wait_for_work(False, enter)
    db.rollback()
    db.close()
    change.join()
    enter.join()
    if answers["/api/password"][0] != 200:
        return False
    entered = answers["/api/enter"]
    assert entered[0] != 200 or me(entered[2]) == 401, "the old password let somebody in"
    return True


def order_is_fixed():
    assert any(held_up(n) for n in range(1000, 1020)), "the order did not come about"


os.environ["SALOTTO_TEST_HASH_MS"] = "20"  # the server's hashes cost little and take long
SERVER = Server(SALOTTO, "--trust-proxy")
try:
    case("a sign-in that waits behind a new password", order_is_fixed)
    case(f"sign-in and new password at once, {RUNS} times", many(login_and_new_password))
    case(f"sign-in and deletion at once, {RUNS} times", many(login_and_deletion))
    case(f"new account and new name at once, {RUNS} times", many(account_and_new_name))
    case(f"new account and deletion at once, {RUNS} times", many(account_and_deletion))
    case("the server closes in order", lambda: SERVER.stop())
finally:
    if SERVER.process.poll() is None:
        SERVER.kill()
done()
