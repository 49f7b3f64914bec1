"""The files of the pages, as the server gives them out.

    pages_test.py SALOTTO SOURCE_ROOT
"""
import gzip
import http.client
import os
import re
import sys
import tempfile

from parlour import CAP, Server
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
server = Server(SALOTTO)


def get(path, at=server, method="GET", **headers):
    """(status, headers by their small names, bytes)"""
    c = http.client.HTTPConnection("127.0.0.1", at.port, timeout=CAP)
    c.request(method, path, None, {k.replace("_", "-"): v for k, v in headers.items()})
    r = c.getresponse()
    answer = r.status, {k.lower(): v for k, v in r.getheaders()}, r.read()
    c.close()
    return answer


def index():
    return get("/")[2].decode()


def assets():
    return re.findall(r'(?:src|href)="(/assets/[^"]+)"', index())


def plain(page):
    """A page without what only previews of its link need; see preview_test.py."""
    return re.sub("<!--preview-->.*<!--/preview-->", "", page, flags=re.S)


def check_every_page_is_the_index():
    text = plain(index())
    assert "<!doctype html>" in text and assets(), text
    for path in ("/t/abcdefgh", "/new/doors", "/rules/doors", "/me", "/replay/x?seat=1", "/play/louis", "/verify", "/problems"):
        status, head, body = get(path)
        assert status == 200 and plain(body.decode()) == text, (path, status)
        assert head["content-type"].startswith("text/html"), head


def check_nothing_else_is():
    for path in ("/nothing", "/api/nothing", "/assets/none.js", "/sw.js.gz", "/assets", "/assets/", "/.git/config",
                 "/../README.md", "/%2e%2e/README.md", "/assets/../index.html", "//etc/passwd", "/t%00"):
        status, _, _ = get(path)
        assert status in (400, 404), (path, status)
    for method in ("POST", "PUT", "DELETE"):
        assert get("/", method=method)[0] in (404, 405), method


def check_missing_page():
    """A browser that asks for a page which does not exist gets one that says so."""
    status, head, body = get("/nothing", Accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert status == 404 and head["content-type"].startswith("text/html"), head
    assert plain(body.decode()) == plain(index()), body
    status, head, _ = get("/api/nothing", Accept="text/html")
    assert status == 404 and "json" in head["content-type"], head


def check_policy():
    for path in ["/", "/sw.js", *assets()]:
        status, head, _ = get(path)
        assert status == 200, (path, status)
        policy = head["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self' 'wasm-unsafe-eval'" in policy, policy
        assert "unsafe-inline" not in policy and "frame-ancestors 'none'" in policy, policy
        assert head["x-content-type-options"] == "nosniff" and head["referrer-policy"] == "no-referrer", head
    # Nothing in the page that the policy would have to forbid.
    assert not re.search(r"<script(?![^>]*src=)|\son\w+=|style=", index()), index()


def check_kept():
    _, head, _ = get(assets()[0])
    assert "immutable" in head["cache-control"], head
    for path in ("/", "/sw.js"):
        _, head, body = get(path)
        assert head["cache-control"] == "no-cache" and body, head
        status, again, body = get(path, If_None_Match=head["etag"])
        assert status == 304 and body == b"" and again["etag"] == head["etag"], (status, again)
        assert get(path, If_None_Match='W/"other"')[0] == 200
    status, head, body = get("/", method="HEAD")
    assert status == 200 and body == b"" and int(head["content-length"]) > 100, head


def check_packed():
    for path in assets():
        _, plain_head, plain = get(path)
        _, head, packed = get(path, Accept_Encoding="br, gzip")
        assert head.get("content-encoding") == "gzip" and "content-encoding" not in plain_head, (path, head)
        assert gzip.decompress(packed) == plain and head["vary"] == "Accept-Encoding", path
        assert head["etag"] == plain_head["etag"]


def check_types():
    worker = get("/sw.js")[2].decode()
    wanted = {".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".html": "text/html",
              ".svg": "image/svg+xml", ".txt": "text/plain", ".png": "image/png", ".webmanifest": "application/manifest+json"}
    files = re.findall(r'"(/[^"]+\.\w+)"', worker)
    seen = set()
    for path in files:
        status, head, body = get(path)
        assert status == 200 and body, (path, status)
        end = os.path.splitext(path)[1]
        seen.add(end)
        assert head["content-type"].startswith(wanted.get(end, "application/")), (path, head)
    assert {".js", ".css", ".wasm", ".html"} <= seen, seen


def check_folder():
    with tempfile.TemporaryDirectory() as above:
        folder = os.path.join(above, "files")
        os.makedirs(os.path.join(folder, "sub"))
        for name, text in (("files/index.html", "mine"), ("outside.txt", "secret")):
            with open(os.path.join(above, name), "w", encoding="utf-8") as f:
                f.write(text)
        other = Server(SALOTTO, "--web", folder)
        try:
            assert get("/t/x", at=other)[2] == b"mine"
            for path in ("/../outside.txt", "/sub/../../outside.txt", "/sub", "/sub/", "/%2e%2e/outside.txt"):
                assert get(path, at=other)[0] in (400, 404), path
            with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as f:
                f.write("changed")
            assert get("/", at=other)[2] == b"changed", "read anew each time"
        finally:
            other.stop()


def check_master():
    """What the master knows comes in parts, the last one shorter, and is what is installed."""
    for game in ("traps", "doors"):
        parts = []
        while not parts or len(parts[-1]) == len(parts[0]):
            status, head, part = get(f"/api/policy?game={game}&from={sum(map(len, parts))}")
            assert status == 200 and head["content-type"] == "application/octet-stream", (status, head)
            parts.append(part)
        with open(os.path.join(sys.argv[2], f"share/{game}.policy"), "rb") as f:
            assert b"".join(parts) == f.read(), game
    for query in ("", "?game=doors", "?game=louis&from=0", "?game=../doors&from=0", "?game=traps&from=99999999"):
        assert get(f"/api/policy{query}")[0] == 404, query


case("every path of a page is the same file", check_every_page_is_the_index)
case("no other path is a file", check_nothing_else_is)
case("a page for people that is not there", check_missing_page)
case("scripts come from the server alone, and nobody frames it", check_policy)
case("what has a hash is kept for ever, the rest by its tag", check_kept)
case("who can unpack gets it packed", check_packed)
case("every file that the service worker names is there, with its type", check_types)
case("--web serves a folder, and nothing beside it", check_folder)
case("the master's knowledge comes in parts", check_master)
server.stop()
done()
