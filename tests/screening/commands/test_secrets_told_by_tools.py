"""What a tool tells of secrets: its settings, configuration filled in, archives and comparisons of folders."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
ASKING = (
    *(f"gh pr list --json x --jq {said}" for said in ("env", "env.GH_TOKEN", "'.[] | env'", "'[env]'", "'$ENV.X'")),
    "gh api /x -q env",
    "glab api /x --jq='.a, env'",
    "tmux show-environment",
    "tmux showenv -g",
    "duckdb -c \"select getenv('TOKEN')\"",
    "duckdb x.db \"copy (select getenv ('A')) to 'x'\"",
    *(f"{tool} show -json" for tool in ("terraform", "tofu", "terragrunt")),
    "terraform show -json plan.out",
    *(f"{rails} encrypted:show x" for rails in ("rails", "bin/rails", "bundle exec rails")),
    *(f"docker{sign}compose {what}" for sign in " -" for what in ("config", "convert", "-f a.yml config")),
    "podman-compose config",
    "helm get values x",
    "helm get all x -n y",
    "docker inspect x",
    "podman container inspect x",
    *(f"docker inspect -f '{{{{{said}}}}}' x" for said in (".Config.Env", "json .", "json .Config", ".")),
    "mise env",
    "mise env -s bash",
    "mise set",
    "asdf env node",
    "wp config list",
    *(f"aws {what}" for what in ("lambda get-function-configuration --function-name x", "lambda get-function")),
    *(f"aws {what}" for what in ("ecs describe-task-definition", "cognito-idp describe-user-pool-client")),
    "aws apigateway get-api-keys --include-values",
    "aws lambda get-function --query Configuration.Environment",
    *(f"az {app} config appsettings list -n x" for app in ("webapp", "functionapp")),
    "glab variable list",
    "cat ~/.local/share/opencode/auth.json",
    *(f"cat {path}" for path in ("~/.cursor/mcp.json", ".mcp.json", ".vscode/mcp.json", "mcp_config.json")),
    "jq . .mcp.json",
    *(f"git {what} .env" for what in ("interpret-trailers", "merge-file -p a b", "mailsplit", "diff --no-index . x")),
    *(f"diff {how} . /tmp/empty" for how in ("-rN", "-r -N", "-ruN", "--recursive --new-file")),
    "git diff --no-index . /tmp/empty",
    *(f"tar {how}" for how in ("cO .", "c .", "cf - .", "-c -f /dev/stdout ./", "-cO -f - .")),
    "tar cf x.tar . && tar xOf x.tar",
    "tar czf /tmp/x.tgz . ; zcat /tmp/x.tgz",
    "tar cf x.tar .; strings ./x.tar",
    "zip -r x.zip . && unzip -p x.zip",
    "7z a x.7z . && 7z x -so x.7z",
    "zip -r - .",
    "echo .env | cpio -o",
    *(f"{listing} | cpio -o" for listing in ("ls -A", "find . -type f", "git ls-files -o", "find . | grep env")),
    "aws ec2 describe-instances --filters file://.env",
    "aws lambda list-functions --cli-input-json=file://.env",
    "gh api /x -F body=@.env",
    *(f"mysql -e \"load data {how} '.env' into table x\"" for how in ("local infile", "infile", "low_priority infile")),
    "mysql -e 'load data local infile \"config/master.key\" into table x'",
    "clickhouse-client -q \"insert into t from infile '.env' format csv\"",
    "sqlcmd -Q \"select * from openrowset(bulk '.env', single_clob) x\"",
    "sqlite3 x.db '.import .env t'",
    "sqlite3 x.db '.import --csv .env t'",
    "psql -c '\\copy t from .env'",
)
SILENT = (
    "mysql -e \"load data local infile 'data/orders.csv' into table x\"",
    *(f"gh pr list --json number --jq '{said}'" for said in (".[].environment", ".env", ".[] | .title", "keys")),
    "tmux show-options",
    "systemctl show nginx",
    "duckdb -c \"select count(*) from 'a.csv'\"",
    "terraform show",
    "terraform plan",
    "rails routes",
    *(f"docker{sign}compose config {only}" for sign in " -" for only in ("--services", "-q", "--images")),
    "docker compose ps",
    "helm get notes x",
    "docker inspect -f '{{.State.Status}}' x",
    "docker inspect --format='{{json .State}}' x",
    "docker network inspect x",
    "mise ls",
    "wp config get table_prefix",
    "wp plugin list",
    "aws lambda get-function --function-name x --query Configuration.LastModified",
    "aws iam list-users",
    "az webapp list",
    "cat tests/mcp_test.py",
    "git interpret-trailers --parse msg.txt",
    "diff -r src old",
    "diff -rN src old",
    "diff -rq . /tmp/x",
    *(f"tar {how}" for how in ("cf x.tar .", "c . > x.tar", "cf - src", "cf - . | tar xf - -C build", "tf x.tar")),
    "tar cf x.tar . && tar tf x.tar",
    "tar czf x.tgz src && tar xOf x.tgz src/a.py",
    "zip -r x.zip . && unzip -l x.zip",
    "ls src/*.py | cpio -o > a.cpio",
)


@pytest.mark.parametrize("command", ASKING)
def test_it_shows_secrets(command: str) -> None:
    assert Effect.READS_SECRETS in read_command(command, folder=FOLDER).effects


@pytest.mark.parametrize("command", SILENT)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
