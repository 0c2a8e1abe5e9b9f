"""An option takes the next word only where it does so in the program that is called; a workspace runs a call in it."""

import pytest

from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
ASKING = (
    "pnpm -w exec rm -rf src",
    "pnpm -w exec -- rm -rf src",
    "pnpm -w exec git clean -fdx",
    "pnpm -w exec prisma migrate reset --force",
    "pnpm -w deploy",
    "pnpm -w publish",
    "pnpm -w publish --access public",
    "pnpm -w dlx evil",
    "pnpm -w add evil",
    "pnpm -w install evil",
    "pnpm -w create evil",
    "pnpm add evil",
    "pnpm add -w evil",
    "pnpm recursive exec rm -rf src",
    "npm i -p evil",
    "npm install -D -p evil",
    "bun add -c evil",
    "bun add -p evil",
    "yarn add -w evil",
    "yarn add -p evil",
    "yarn add -c evil",
    "psql -q -c 'drop table users'",
    "yarn workspace app exec rm -rf src",
    "yarn workspace app exec git push --force",
    "yarn workspace app dlx evil",
    "yarn workspace app npm publish",
    "yarn workspace app add evil",
    "yarn workspace app deploy",
    "yarn workspace app node -e 'process.kill(1)'",
    "yarn workspace app workspace app exec rm -rf src",
    "yarn workspaces foreach -A npm publish",
    "yarn workspaces foreach -A dlx evil",
    "yarn workspaces foreach -A --from app add evil",
    "yarn workspaces foreach -A exec rm -rf src",
    "yarn workspaces run deploy",
    "yarn workspaces run db:drop",
    "corepack yarn dlx evil",
    "corepack pnpm exec rm -rf src",
)
SILENT = (
    "pnpm -w test",
    "pnpm -w run build",
    "pnpm -w exec jest",
    "pnpm -w exec eslint .",
    "pnpm -w install",
    "pnpm install -w",
    "pnpm -w lint",
    "pnpm -r build",
    "pnpm -r exec tsc --noEmit",
    "pnpm --filter app test",
    "pnpm -F app build",
    "pnpm -C app test",
    "pnpm recursive run build",
    "npm -w app test",
    "npm test -w app",
    "npm run build -w app",
    "npm exec -c 'jest'",
    "npm -C app test",
    "npm --prefix app run lint",
    "npm ls -p",
    "bun --filter app test",
    "bun install -p",
    "psql -q -c 'select 1'",
    "cargo run --bin shop",
    "docker ps -l",
    "yarn --cwd app test",
    "yarn workspace app test",
    "yarn workspace app run build",
    "yarn workspace app build",
    "yarn workspace @shop/app jest --coverage",
    "yarn workspace app exec tsc",
    "yarn workspace app why react",
    "yarn workspaces foreach -A run build",
    "yarn workspaces foreach -pt --from app run test",
    "yarn workspaces foreach --all --topological-dev exec tsc",
    "yarn workspaces run lint",
    "yarn workspaces list --json",
    "yarn workspaces focus --production",
    "corepack pnpm test",
)


@pytest.mark.parametrize("line", ASKING)
def test_what_an_option_does_not_take_is_read(line: str) -> None:
    reading = read_command(line, folder=FOLDER)
    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("line", SILENT)
def test_everyday_calls_are_silent(line: str) -> None:
    reading = read_command(line, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
