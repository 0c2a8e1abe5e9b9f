"""What is written around the folder, or loaded from there, is asked, wherever in the line it is named."""

import pytest

from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
ASKING = (
    "npx babel src -d ..",
    "npx babel src -d ~",
    "npx rollup x -d ..",
    "npx jsdoc -d ..",
    "npx postcss x -d ..",
    "hugo -d ..",
    "hugo -s ..",
    "hugo -d /home/me/public_html",
    "hugo new site ..",
    "uv venv ..",
    "uv init ..",
    "cargo init ..",
    "mkdocs new ..",
    "sphinx-build . ..",
    "jekyll new ..",
    "pre-commit init-templatedir ..",
    "django-admin startproject x ..",
    "django-admin startproject x /home/me/x",
    "flutter create ..",
    "gatsby new .. evil",
    "nest new ..",
    "poetry new ..",
    "mix phx.new ..",
    "zola init ..",
    "mdbook init ..",
    "docker compose cp web:/y ../x",
    "docker compose cp web:/y ..",
    "npx mocha --reporter /tmp/x",
    "npx stylelint --custom-syntax /tmp/x y",
    "npx stylelint --custom-formatter /tmp/x y",
    "npx eslint --format /tmp/x .",
    "npx jest --reporters /tmp/x",
    "npx wdio run /tmp/x",
    "npx karma start /tmp/x",
    "npx typeorm migration:run -d /tmp/x",
    "mypy --python-executable /tmp/x .",
)
SILENT = (
    "npx babel src -d lib",
    "npx rollup x -d dist",
    "npx babel src -d /tmp/out",
    "hugo -d public",
    "hugo -d /tmp/site",
    "hugo new site docs",
    "uv venv",
    "uv venv .venv",
    "cargo init .",
    "mkdocs new docs",
    "sphinx-build . _build",
    "django-admin startproject shop .",
    "poetry new shop",
    "mkdir build && cd build && cmake ..",
    "cd web && npx tsc -p . && cd .. && make",
    "cmake -S . -B build",
    "docker compose cp web:/y x",
    "docker compose cp web:/app/.. x",
    "npx mocha --reporter spec",
    "npx stylelint --custom-syntax postcss-scss src",
    "npx jest --reporters=default --outputFile /tmp/x.json",
    "npx eslint --format json -o /tmp/x.json .",
    "npx eslint --format ./tools/format.js .",
    "npx playwright test --reporter=html",
    "npx karma start karma.conf.js",
    "npx wdio run wdio.conf.ts",
    "npx typeorm migration:run -d src/data-source.ts",
    "mypy --python-executable .venv/bin/python .",
    "npm test -- ..",
    "python tool.py ..",
)


@pytest.mark.parametrize("command", ASKING)
def test_a_person_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("command", SILENT)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
