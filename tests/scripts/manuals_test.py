"""Man pages, completions, help: what is made of the program's own words.

    manuals_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import re
import subprocess
import sys

from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
BUILD = os.path.dirname(SALOTTO)


def run(*command, **more):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", **more)


def commands():
    said = run(SALOTTO, "--help", env={**os.environ, "LANGUAGE": "en"}).stdout
    listed = re.search(r"Commands:\n((?:  .*\n)+)", said).group(1)
    return [line.split()[0] for line in listed.splitlines() if line[2] != " "]


def plain(text):
    """Without blanks, marks of roff and quotes, which it writes in its own way."""
    return re.sub(r"\\f[BRI]|\\\(aq|\\&|\\|\W", "", text)


def manual_pages():
    """One for the program and each command, in both languages, with every option."""
    for lang, word in (("en", "DESCRIPTION"), ("it", "DESCRIZIONE")):
        assert os.path.exists(os.path.join(BUILD, "man", lang, "salotto.1"))
        for command in commands():
            path = os.path.join(BUILD, "man", lang, f"salotto-{command}.1")
            text = open(path, encoding="utf-8").read().replace("\\-", "-")
            help_text = run(SALOTTO, "help", command, env={**os.environ, "LANGUAGE": lang}).stdout
            assert word in text and "1970" not in text, path
            assert ".nf" not in text, "what is set as it is does not fit a narrow window"
            for option in re.findall(r"(?m)^  (--[a-z-]+)", help_text):
                assert f"\\fB{option}\\fR" in text, (path, option)
            for sentence in re.findall(r"(?m)^\S.*\.$", help_text):
                assert plain(sentence) in plain(text), (path, sentence)


def manual_examples():
    """Each example is a line of its own, long terms stand above what they mean, no word is divided."""
    def shown(lang, command):
        path = os.path.join(BUILD, "man", lang, f"salotto-{command}.1")
        text = open(path, encoding="utf-8").read()
        assert text.index(".TH ") < text.index(".nh", text.index(".TH ")), path
        return [line.replace("\\-", "-").replace("\\&", "").strip() for line in text.splitlines()]
    for lang in ("en", "it"):
        admin, serve = shown(lang, "admin"), shown(lang, "serve")
        first = admin.index("salotto admin --data /var/lib/salotto list people")
        assert admin[first + 1] == ".br" and admin[first + 2].startswith("salotto admin "), admin
        assert any(line.startswith("\\fBreset-name\\fR ") for line in admin), admin
        assert serve[serve.index("data = /var/lib/salotto") + 1] == ".br", serve


def manual_forms():
    """The synopsis has every form of a command and every option that it explains, in the same words."""
    for lang in ("en", "it"):
        for command in commands():
            with open(os.path.join(BUILD, "man", lang, f"salotto-{command}.1"), encoding="utf-8") as f:
                _, forms, told, *_ = re.split(r"(?m)^\.SH (?:SYNOPSIS|SINTASSI|DESCRIPTION|DESCRIZIONE)$",
                                              f.read().replace("\\-", "-").replace("\\&", ""))
            missing = set(re.findall(r"\\fB(--[a-z-]+)", told)) - set(re.findall(r"--[a-z-]+", forms)) - {"--lang"}
            assert re.search(r"\[OP[A-Z]+\.\.\.\]", forms) or not missing, (lang, command, missing)
            plain = re.sub(r"\\f[BIR]", "", told)
            for option in re.findall(r"--[a-z-]+ [A-Z=]+", forms):
                assert option in plain, (lang, command, option)
            if command in ("exploit", "solve"):
                assert f"salotto {command} traps [" in forms and f".SS salotto {command} traps" in told, (lang, forms)


def bash_completes():
    script = os.path.join(BUILD, "completions", "salotto")

    def complete(*words):
        typed = " ".join(f"'{word}'" for word in words)
        got = run("bash", "-c", f"source '{script}'; COMP_WORDS=({typed}); "
                  f"COMP_CWORD={len(words) - 1}; _salotto; echo ${{COMPREPLY[@]}}")
        return got.stdout.split()
    assert complete("salotto", "pl") == ["play"]
    assert complete("salotto", "play", "--re") == ["--record", "--resume"]
    assert "doors" in complete("salotto", "play", "do")
    assert complete("salotto", "help", "rep") == ["replay"]
    assert complete("salotto", "play", "doors", "--bot", "e") == ["expert"]
    assert complete("salotto", "arena", "--game", "lo") == ["louis"]
    assert complete("salotto", "rules", "doors", "--lang", "") == ["en", "it"]
    for command in commands():
        assert command in complete("salotto", "")


def other_shells():
    for name in ("_salotto", "salotto.fish"):
        text = open(os.path.join(BUILD, "completions", name), encoding="utf-8").read()
        for command in commands():
            assert command in text, (name, command)
        assert "resume" in text and "(en it)" in text.replace("'en it'", "(en it)"), name


def help_command():
    for command in commands():
        assert run(SALOTTO, "help", command).stdout == run(SALOTTO, command, "--help").stdout
    assert run(SALOTTO, "help", "nonsense").returncode == 2


def help_fits():
    """In 80 columns, in both languages."""
    for lang in ("en", "it"):
        for words in ([], ["solve", "traps"], ["exploit", "traps"],
                      *([command] for command in commands())):
            said = run(SALOTTO, *words, "--help", env={**os.environ, "LANGUAGE": lang}).stdout
            wide = [line for line in said.splitlines() if len(line) > 80]
            assert not wide, (lang, words, wide)


def court_json():
    got = run(SALOTTO, "court", "show", "--json")
    court = json.loads(got.stdout)
    assert got.returncode == 0 and len(court["tiles"]) == 12
    got = run(SALOTTO, "court", "check", "-", "--json", input=json.dumps(court))
    assert got.returncode == 0 and json.loads(got.stdout) == {"problems": [], "valid": True}, got
    court["tiles"] = court["tiles"][:3]
    got = run(SALOTTO, "court", "check", "-", "--json", input=json.dumps(court))
    said = json.loads(got.stdout)
    assert got.returncode == 1 and not said["valid"] and said["problems"][0]["where"], said


case("a man page for each command, in both languages", manual_pages)
case("man pages keep the lines of examples", manual_examples)
case("man pages name every form and option in their synopsis", manual_forms)
case("bash completes commands, options and games", bash_completes)
case("zsh and fish know every command", other_shells)
case("help COMMAND is COMMAND --help", help_command)
case("help fits 80 columns", help_fits)
case("court --json, and - for standard input", court_json)
done()
