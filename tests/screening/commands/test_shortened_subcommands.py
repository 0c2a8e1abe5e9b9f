"""A subcommand that is cut short, or spelt as the tool also lets it be, is the one that it stands for."""

import pytest

from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
ASKING = (
    *(f"npm {word}" for word in ("publi", "publis", "unpub x", "depre x y", "adduse", "logou", "undeprecate x")),
    *(f"npm {word} evil" for word in ("isntall", "in", "ins", "inst", "instal", "isnt", "isntal", "it", "sit")),
    *(f"npm {word} evil" for word in ("innit", "cre", "exe", "install-test", "install-ci-test")),
    *(f"npm {word} add x y" for word in ("dist-t", "distTag", "own", "hook")),
    *(f"npm {word}" for word in ("tok create", "acc set x", "trust github x")),
    *(f"gem {word}" for word in ("inst evil", "ins evil", "pus x.gem", "yan x", "uninst x")),
    "bundle conf set path src",
    "bundle plug install x",
    *(f"composer {word}" for word in ("req evil/x", "requ evil/x", "glob require x", "self-up", "conf x.url y")),
    *(f"gradle {word}" for word in ("pub", "publ", "pTML", ":app:publ", "fC", "flywayC")),
    "./gradlew publ",
    *(f"npm {word}" for word in ("isnta evil", "ru env", "frobnicate", "-w app exe evil")),
    *(f"gem {word}" for word in ("pu x.gem", "ya x", "frobnicate")),
    *(f"bundle {word}" for word in ("ad evil", "frobnicate", "e rm -rf src", "ex rm -rf src")),
    *(f"composer {word}" for word in ("r evil/x", "re evil/x", "cr x/y")),
    *(f"php artisan {word}" for word in ("migrate:ref", "migrate:f", "mig:fr", "d:w", "queue:fl")),
    *(f"php bin/console {word}" for word in ("doc:fix:load -n", "doctrine:fix:load", "d:f:l", "deb:dot", "d:s:d")),
    *(f"drush {word}" for word in ("sql:conf", "core:rs @a @b", "user:pass x y")),
    *(f"ip {word}" for word in ("l d x", "a a 10.0.0.1 dev x", "r f cache", "link de x")),
    *(f"nmcli {word}" for word in ("c d x", "con u x", "c m x y z")),
)
SILENT = (
    *(f"npm {word}" for word in ("t", "tst", "test", "it", "ci", "cit", "i", "ls", "ll", "run build", "rum build")),
    *(f"npm {word}" for word in ("up", "update", "start", "root", "prefix", "fund", "dedupe", "rebuild", "version")),
    *(f"npm {word}" for word in ("v react", "c list", "get registry", "explain x", "pkg get name", "init -y", "ln")),
    *(f"gem {word}" for word in ("list", "build x.gemspec", "environment", "contents x", "specification x")),
    *(f"gem {word}" for word in ("which rails", "help", "outdated", "fetch", "lock", "stale")),
    *(
        f"npm {word}"
        for word in ("doctor", "ping", "sbom", "shrinkwrap", "find-dupes", "why x", "la", "ddp", "help-search x")
    ),
    *(f"npm {word}" for word in ("-w app run build", "run isnta", "--prefix web test", "completion")),
    *(f"bundle {word}" for word in ("e rspec", "exec rspec", "show x", "binstubs x", "audit", "licenses", "viz")),
    *(
        f"php artisan {word}"
        for word in ("migrate", "make:model X", "make:migration x", "route:list", "test", "db:seed")
    ),
    *(f"php artisan {word}" for word in ("config:clear", "view:clear", "migrate:status", "serve", "m:m X")),
    *(
        f"php bin/console {word}"
        for word in ("cache:clear", "c:c", "debug:router", "lint:yaml x", "doctrine:schema:validate")
    ),
    *(f"drush {word}" for word in ("cr", "st", "cex -y", "pm:list", "ws", "updb -y")),
    *(f"bundle {word}" for word in ("install", "inst", "check", "outdated", "list", "lock", "info x", "doctor")),
    *(f"composer {word}" for word in ("install", "update", "up", "test", "lint", "cs", "stan", "dump-autoload", "upd")),
    *(f"gradle {word}" for word in ("build", "test", "jar", "war", "run", "bootRun", "tasks", "distZip", "qa", "ci")),
    *(f"gradle {word}" for word in (":app:test", "check", "assembleDebug", "e2eTest", "iosX64Test", "lint")),
    *(f"ip {word}" for word in ("a", "r", "l", "a s", "addr show", "-br a", "r g 1.1.1.1")),
    *(f"nmcli {word}" for word in ("c", "con show", "d", "d w", "dev wifi list")),
)


@pytest.mark.parametrize("command", ASKING)
def test_a_person_is_asked(command: str) -> None:
    reading = read_command(command, FOLDER)
    assert is_dangerous(reading) or is_unknown(reading), reading


def test_what_does_no_harm_by_its_full_name_is_silent() -> None:
    for command in SILENT:
        reading = read_command(command, FOLDER)
        assert not is_dangerous(reading), (command, reading)
        assert not is_unknown(reading), (command, reading)
