"""Which environment a command works on: a test that is pointed at production, and what chooses it for later ones."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
TESTED = (
    "RAILS_ENV=production rails test",
    "RAILS_ENV=production bundle exec rails test",
    "APP_ENV=production php artisan test",
    "NODE_ENV=production npm test",
    "DJANGO_SETTINGS_MODULE=config.settings.production python manage.py test",
    "DATABASE_URL=$PROD_DATABASE_URL npm test",
    "MIX_ENV=prod mix test",
    "SPRING_PROFILES_ACTIVE=prod ./gradlew test",
    "./gradlew test -Dspring.profiles.active=prod",
    "ASPNETCORE_ENVIRONMENT=Production dotnet test",
    "env RAILS_ENV=production rails test",
    "export RAILS_ENV=production; rails test",
    "export MIX_ENV=prod && mix test",
    "export RAILS_ENV=production; rails db:migrate",
    "ENVIRONMENT=production npm run test:e2e",
)
CHOSEN = (
    *(f"{tool} workspace {deed} prod" for tool in ("terraform", "tofu", "terragrunt") for deed in ("select", "new")),
    "pulumi stack select prod",
    "kubectx prod",
    "kubectx -",
    "kubens prod",
    "oc project prod",
    "az account set --subscription prod",
    "doctl auth switch --context prod",
    "docker context use prod",
    "docker buildx use remote",
    "prefect profile use prod",
    "astro workspace switch x",
    "rpk profile use prod",
    "nvm alias default 18",
    "pyenv global 3.12",
)
SILENT = (
    "NODE_ENV=production npm run build",
    "NODE_ENV=production node server.js",
    "RAILS_ENV=production rails assets:precompile",
    "RAILS_ENV=test rails test",
    "MIX_ENV=test mix test",
    "NODE_ENV=test npm test",
    "DJANGO_SETTINGS_MODULE=shop.settings.test pytest",
    "export NODE_ENV=production; npm run build",
    "export NODE_ENV=production && npm run lint",
    "pytest tests/test_production.py",
    "npm test -- src/live/feed.test.ts",
    "terraform workspace list",
    "terraform workspace show",
    "pulumi stack ls",
    "kubectx",
    "kubectx -c",
    "kubens",
    "docker context ls",
    "docker buildx ls",
    "poetry env use 3.12",
    "yarn workspace web test",
)


@pytest.mark.parametrize("command", TESTED)
def test_a_test_of_production_touches_it(command: str) -> None:
    assert Effect.TOUCHES_PRODUCTION in read_command(command, FOLDER).effects


@pytest.mark.parametrize("command", CHOSEN)
def test_to_choose_where_later_commands_work_is_asked(command: str) -> None:
    reading = read_command(command, FOLDER)
    assert is_dangerous(reading) or is_unknown(reading), reading


def test_what_builds_or_only_looks_is_silent() -> None:
    for command in SILENT:
        reading = read_command(command, FOLDER)
        assert not is_dangerous(reading), (command, reading)
        assert not is_unknown(reading), (command, reading)
