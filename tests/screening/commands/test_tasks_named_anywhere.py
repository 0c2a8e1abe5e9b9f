"""Every task of a line tells what it does: the third as the first, in an option, and beside others in a word."""

import pytest

from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
ASKING = (
    "make lint test deploy",
    "make fmt lint release",
    "make build test wipe",
    "just lint test deploy",
    "task lint test deploy",
    "rake lint test deploy",
    "rake 'deploy[prod]'",
    "invoke lint test deploy",
    "gradle build test publish",
    "./gradlew clean build publish",
    "./gradlew check test release",
    "mvn clean package deploy",
    "mvn -B clean package deploy",
    "mvn clean package release:perform",
    "mvn compile jib:build",
    "mvn clean scm:checkin",
    "mvn clean package docker:push",
    "mvn clean package wagon:upload",
    "mvn test site site:deploy",
    "ant clean build deploy",
    "sbt clean test publish",
    "sbt ';clean;publish'",
    "sbt 'clean; publish'",
    "sbt 'eval \"rm -rf src\".!'",
    "sbt 'clean; eval \"rm -rf src\".!'",
    "sbt '!rm'",
    "lein do clean, deploy",
    "mix do test, deploy",
    "turbo run build deploy",
    "turbo run lint test deploy",
    "nx run-many --target=deploy",
    "nx run-many --targets=build,deploy",
    "nx run-many -t lint test deploy",
    "nx affected -t deploy",
    "tox -e publish",
    "tox -e lint,test,deploy",
    "tox run -e release",
    "nox -s lint test deploy",
    "npm-run-all lint test deploy",
    "run-s build 'deploy:*'",
    "concurrently npm:lint npm:deploy",
    'concurrently "npm:build" "npm:db:drop"',
    "hatch run test:deploy",
    "buck2 run //x:deploy",
    "pants test publish ::",
    "cmake --build build --target deploy",
    "cmake --build build -t publish",
)
SILENT = (
    "make lint test build docs",
    "make -j8 clean all check",
    "make fmt vet lint test build VERSION=2 RELEASE=1",
    "make test build V=deploy.txt",
    "just lint test build",
    "task lint test build",
    "rake lint test spec",
    "rake 'db:migrate' 'db:schema:dump' stats",
    "invoke lint test docs",
    "gradle clean build -x test",
    "./gradlew clean build test",
    "./gradlew :app:assembleDebug :lib:test :core:check",
    "./gradlew clean test --tests 'com.x.DeleteServiceTest'",
    "mvn clean package",
    "mvn -B clean install -pl module-deploy -am",
    "mvn clean verify site",
    "mvn clean test-compile spotless:check",
    "mvn compile exec:java",
    "ant clean compile jar",
    "sbt clean compile test",
    "sbt 'clean; compile; test'",
    "sbt 'testOnly com.acme.DeleteUserSpec'",
    "sbt settings",
    "lein do clean, test",
    "mix do deps.get, compile, test",
    "turbo run build lint test",
    "turbo run build --filter=@shop/deploy",
    "nx run-many -t lint test build",
    "nx run-many --targets=lint,test,build",
    "nx affected -t lint",
    "tox -e py310,py311",
    "tox -e py311 -- tests/test_delete.py tests/test_deploy.py",
    "nox -s lint tests docs",
    "nox -s tests -- tests/test_delete.py tests/test_release.py tests/test_publish.py",
    "npm-run-all -s 'lint:*' 'test:*' build",
    "run-p 'watch:*'",
    "concurrently npm:lint npm:test",
    'concurrently "tsc -w" "node dist/x.js"',
    "hatch run test:cov",
    "buck2 build //x:deploy",
    "pants lint test ::",
    "pants test src/python/delete::",
    "cmake --build build --target all",
    "cmake --build build -t test",
    "rails generate model Post title:string comments:references",
    "python manage.py test shop.tests.test_delete shop.tests.test_deploy",
)


@pytest.mark.parametrize("line", ASKING)
def test_a_task_that_does_harm_is_found_wherever_it_stands(line: str) -> None:
    reading = read_command(line, folder=FOLDER)
    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("line", SILENT)
def test_tasks_that_build_and_test_are_silent(line: str) -> None:
    reading = read_command(line, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
