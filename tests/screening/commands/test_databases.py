"""What databases and caches lose: SQL among the words of any program, and tasks whose names say it."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
STATEMENTS = (
    'acme run "DROP TABLE users"',
    'acme --sql="DELETE FROM users" x',
    'acme query "-- all of them\ndelete from users"',
    'acme query "WITH x AS (DELETE FROM users RETURNING *) SELECT 1"',
    'acme query "update users set a=1"',
    'python db.py "DELETE FROM users"',
    'poetry run python db.py "delete from users"',
    'node scripts/q.js "drop table users;"',
    "./q.sh 'drop table users'",
    "bin/query 'drop table users'",
    'wp db query "DELETE FROM wp_posts"',
    'sqlite-utils query app.db "select 1; delete from users"',
    'docker compose exec web python db.py "delete from users"',
    'go run ./cmd/q "drop table users"',
    'npm run q -- "drop table users"',
)
TASKS = (
    "php artisan migrate:refresh",
    "php artisan queue:clear",
    "php artisan schema:dump --prune",
    "./vendor/bin/sail artisan migrate:fresh",
    "node ace migration:rollback",
    "node ace db:wipe",
    "php yii migrate/fresh",
    "php spark migrate:refresh",
    "php bin/console cache:pool:clear cache.app",
    "pnpm prisma migrate reset --force",
    "yarn workspace web prisma migrate reset",
    "npm run prisma -- migrate reset",
    "yarn rimraf src",
    "rake db:structure:load",
    "rails db:migrate:redo",
    "diesel migration redo",
    "sea-orm-cli migrate refresh",
    "npx typeorm schema:sync",
    "npx mikro-orm schema:update --run",
    "python manage.py clear_cache",
    "npm run db:fresh",
    "npm run migrate:down",
    "make clear-db",
    "composer run db:refresh",
    "nx run api:db-fresh",
    "yarn cache clean",
    "composer clear-cache",
    "ccache -C",
)
MADE = (
    "python manage.py sqlflush | psql",
    "node gen.js | mysql shop",
    "./gen.sh | sqlite3 app.db",
    "pg_dump a | docker compose exec -T db psql b",
)
SILENT = (
    'python report.py --title "Update users set aside"',
    'npm test -- -t "delete from cart"',
    'echo "drop table users"',
    'git log --grep "delete from users"',
    'python report.py "select id from users"',
    "zcat schema.sql.gz | psql shop",
    "sed 's/a/b/' schema.sql | psql shop",
    "npm run db:seed",
    "npm run db:test:refresh",
    "make db-up",
    "rails db:migrate:status",
    "php artisan migrate:status",
    "yarn jest src/a.test.ts",
    "pnpm run lint",
)


@pytest.mark.parametrize("command", [*STATEMENTS, *TASKS])
def test_it_is_a_deletion(command: str) -> None:
    assert Effect.DELETES in read_command(command, FOLDER).effects


def test_statements_that_a_program_makes_are_not_known() -> None:
    for command in MADE:
        reading = read_command(command, FOLDER)
        assert is_dangerous(reading) or is_unknown(reading), command


def test_what_loses_nothing_is_silent() -> None:
    for command in SILENT:
        reading = read_command(command, FOLDER)
        assert not is_dangerous(reading), (command, reading)
        assert not is_unknown(reading), (command, reading)


TOLD_OTHERWISE = (
    *(f"mongosh --eval 'db.runCommand({{{what}}})'" for what in ('drop: "x"', '"dropDatabase": 1', 'delete: "x"')),
    *(
        f"redis-cli {what}"
        for what in ("zpopmin x", "getex x EX 1", "bzpopmax x 0", "hgetdel x fields 1 a", "zmpop 1 x min")
    ),
    *(f"psql -c 'create extension {name}'" for name in ("plpython3u", 'if not exists "plperlu"', "file_fdw")),
    "psql -c 'create language plpythonu'",
    *(f"php bin/console {name} --force" for name in ("d:d:d", "d:s:d", "do:da:dr", "doctrine:d:dro")),
    "php artisan m:f",
    "bundle clean --force",
    *(f"docker{sign}compose up {how}" for sign in " -" for how in ("-V", "-dV", "--renew-anon-volumes")),
    "netlify dev --live",
    "npx prisma db execute --file x.sql",
    "grep -rl foo . | xargs sed -i 's/a/b/'",
    "grep -rl foo src | xargs sed -i d",
    "python manage.py shell -c 'import os; os.remove(\"a\")'",
)
HARMLESS_BESIDE_THEM = (
    *(f"mongosh --eval 'db.runCommand({{{what}}})'" for what in ("ping: 1", 'find: "x"', '"collStats": "x"')),
    *(f"redis-cli {what}" for what in ("get x", "zrange x 0 -1", "ttl x")),
    "psql -c 'create extension pgcrypto'",
    *(f"php bin/console {name}" for name in ("c:c", "d:r", "d:m:m", "debug:router")),
    "docker compose up -d",
    "netlify dev",
    "prisma db pull",
    *(f"{search} src | xargs sed -i 's/foo/bar/g'" for search in ("grep -rl foo", "grep -rlZ foo", "rg -l foo")),
    'python manage.py shell -c "from app.models import U; print(U.objects.count())"',
)


@pytest.mark.parametrize("command", TOLD_OTHERWISE)
def test_a_deed_by_another_word_is_asked(command: str) -> None:
    reading = read_command(command, folder="/home/me/shop")
    assert is_dangerous(reading) or is_unknown(reading), reading


def test_its_harmless_neighbours_are_silent() -> None:
    for command in HARMLESS_BESIDE_THEM:
        reading = read_command(command, folder="/home/me/shop")
        assert not is_dangerous(reading), (command, reading)
        assert not is_unknown(reading), (command, reading)


def test_an_index_is_written() -> None:
    assert Effect.WRITES_IN_WORKSPACE in read_command("cscope -l", folder="/home/me/shop").effects
