"""What brings a secret to light is asked, by whatever name the file, the setting or the option goes."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
SETTINGS_ASKING = (
    "echo $STRIPE_KEY",
    "echo $GH_PAT",
    'printf "%s" "$SMTP_PASS"',
    "printenv DB_PASS",
    "printenv STRIPE_KEY",
    'source .env && echo "$DB_HOST"',
    ". ./.env; printf %s $ANY",
    "envsubst < x",
    "envsubst '$AWS_SECRET_ACCESS_KEY' < x",
    "envsubst <<< '$GITHUB_TOKEN'",
    "echo '$DB_PASS' | envsubst",
    "yq -n '\"${GITHUB_TOKEN}\" | envsubst'",
    "node --env-file=.env -p process.env.DB",
    'cat <<< "$STRIPE_KEY"',
    "php -i",
    "php --info | grep KEY",
    "mvn help:system",
    "sbt 'show sys.env'",
)
SETTINGS_SILENT = (
    "echo $HOME",
    'echo "pass=$PASS fail=$FAIL"',
    "echo $CACHE_KEY $OLD_PWD",
    "echo ${STRIPE_KEY:+set}",
    "for key in a b; do echo $key; done",
    "printenv HOME",
    "source .env && npm test",
    "source .env; echo $PATH",
    "X=1; source .env; echo $X",
    "source .venv/bin/activate && echo $VIRTUAL_ENV",
    "envsubst '$IMAGE $TAG' < k8s.tmpl",
    "echo 'hi $USER' | envsubst",
    "node -p process.version",
    "cat > x.sh <<'E'\necho $STRIPE_KEY\nE",
    "php -i | grep xdebug",
    "mvn help:effective-pom",
)
GIT_ASKING = (
    "git log -p -- ':(icase).ENV'",
    "git log -p -- ':(glob).e*'",
    "git log -L1,9:.env",
    "git log -L :x:.env",
    "git show ':(x).env'",
    "git show HEAD:.e*",
    "git show $(git rev-parse HEAD:.env)",
    "git rev-parse HEAD:.env | git cat-file --batch",
    "git ls-files -s .env | cut -c8-47 | git cat-file --batch",
    "echo HEAD:.env | git cat-file --batch",
    "git cat-file --batch <<< :.env",
    "git grep '' -- .env",
    "git grep -h . HEAD -- .env",
    "git grep --no-index -h . /root",
    "git grep --no-index PRIVATE ~",
    "git diff --no-index ~ /tmp/x",
    "git grep -e '' --or -e x -- .env.local",
    "git archive HEAD .env | tar xO",
    "git format-patch --root -o x -- .env",
    "git whatchanged -p -- .env",
    "git stash show -p -- .env",
    "git difftool HEAD -- .env",
)
GIT_SILENT = (
    "git diff -- . ':!.env'",
    "git diff -- . ':(exclude).env'",
    "git log -L10,20:src/app.py",
    "git show HEAD:src/app.py",
    "git grep -n process.env",
    "git grep -e .env -- src",
    "git ls-files .env",
    "git check-ignore .env",
    "git archive HEAD src",
    "git rev-list --objects --all | git cat-file --batch-check",
    "echo HEAD:src/app.py | git cat-file --batch",
)
TOOLS_ASKING = (
    "php bin/console secrets:list --reveal",
    "php bin/console debug:config doctrine --resolve-env",
    "symfony console debug:dotenv",
    "symfony var:export",
    "drush sql:connect",
    "python manage.py print_settings",
    "bun -e 'console.log(import.meta.env)'",
    "yq .env",
    "yq -o json .env",
    "cat x.yml | yq .env",
    "pulumi stack output --show-secrets",
    "poetry export --with-credentials",
    "composer config github-oauth.github.com",
    "python manage.py diffsettings",
    "php artisan config:show database",
    "php bin/console debug:dotenv",
    "airflow connections export -",
    "airflow config list",
)
TOOLS_SILENT = (
    "yq .env docker-compose.yml",
    "cat x.yml | yq .spec.env",
    "yq . config.yaml",
    "jq .env < x.json",
    "pulumi stack output",
    "poetry export -f requirements.txt",
    "composer config name",
    "python manage.py check",
    "php artisan config:show app.name",
    "airflow connections list",
)
FILES_ASKING = (
    "cat .npmrc",
    "cat .dev.vars",
    "cat deploy_key",
    "cat wp-config.php",
    "cat kubeconfig",
    "cat auth.json",
    "cat ~/.codex/auth.json",
    "cat ~/.claude.json",
    "cat ~/.gemini/oauth_creds.json",
    "cat ~/.m2/settings.xml",
    "cat ~/.kaggle/kaggle.json",
    "cat ~/.config/solana/id.json",
    "cat $HOME/.config/stripe/config.toml",
    "cat /root/.netlify/config.json",
    "cat /etc/kubernetes/admin.conf",
    "cat prod.tfstate",
    "cat .[^.]*",
    "cat *env",
    "cat *secret*",
    "cat prod.auto.tfvars",
    "cat ~/.local/share/fish/fish_history",
    "tail ~/.lesshst",
    "head ~/.claude/projects/x/y.jsonl",
    "cat ~/.gemini/tmp/x/chats/a.json",
    "cat /etc/ssh/ssh_host_rsa_key",
    "cat ~/_netrc",
    "cat config/database.yml",
    "cat appsettings.Production.json",
    "cat playwright/.auth/user.json",
    "cat config/credentials.yml.enc",
    "cat src/main/resources/application-prod.properties",
    "cat prod.kubeconfig",
    "cat server.key.bak",
    "cat .env~",
)
FILES_SILENT = (
    "cat .env.example",
    "cat .eslintrc.json",
    "cat src/oauth/index.ts",
    "cat locales/en/auth.json",
    "cat ~/.bashrc",
    "cat ~/.gitconfig",
    "cat ~/.config/nvim/init.lua",
    "cat ~/.npm/_logs/x-debug-0.log",
    "cat ~/.claude/CLAUDE.md",
    "cat ~/.cargo/registry/src/x/lib.rs",
    "cat /home/me/.local/share/x/notes.md",
    "cat *.json",
    "cat *config*",
    "cat docs/history.md",
    "cat src/history.ts",
    "cat .github/workflows/history.yml",
    "cat data/train.jsonl",
    "cat appsettings.example.json",
    "cat src/main/resources/application-test.yml",
    "cat README.md.bak",
)
SETS_ASKING = (
    "find . -maxdepth 1 -type f -exec cat {} +",
    "find . -type f | head -3 | xargs cat",
    "find . -iregex '.*\\.e.v' -exec cat {} +",
    "find . -type f -exec sh -c 'cat \"$1\"' _ {} \\;",
    "find /home/me -maxdepth 2 -exec cat {} +",
    "fd -H . -X cat",
    "fd -H '^\\.e' -x cat",
    "fd -uu -e pem -x cat",
    "ls -A | xargs head",
    "cat $(git ls-files -o | head -5)",
    "cat $(find . -maxdepth 1 -name '.*' -type f)",
    "cat `ls -d .e*`",
    "tar c . | base64",
    "find . -path ./node_modules -prune -o -type f -print | xargs cat",
    "find . -name '.*' -o -name '*.py' | xargs cat",
    'for f in $(ls -A); do cat "$f"; done',
    "find . -type f | while read f; do cat $f; done",
    "x=$(git ls-files -o | head -1); cat $x",
    "grep -r '' .",
    "rg -uu .",
    "git ls-files -oi --exclude-standard | xargs cat",
    "git ls-files -o -i --exclude-standard | grep env | xargs cat",
    "git status --porcelain --ignored | awk '{print $2}' | xargs cat",
    "git clean -ndX | cut -d' ' -f3 | xargs cat",
    "ls -A | grep env | xargs cat",
    "ls -1a | tail -n +3 | xargs -n1 cat",
    "find . -name '.*' | grep -v git | xargs cat",
    "tree -fia | xargs cat",
    "du -a . | cut -f2 | xargs cat",
    'while read f; do head "$f"; done < <(git ls-files -oi --exclude-standard)',
    "rg -uuu '='",
    "rg --hidden --no-ignore '[A-Z_]+='",
    "grep -rE '^[A-Z]+=' .",
    "grep -r -e . .",
)
SETS_SILENT = (
    "find . -type f | xargs grep foo",
    "find . -type f | xargs wc -l",
    "find . -name '*.py' -exec cat {} +",
    "find . -name package.json -not -path '*/node_modules/*' | xargs cat",
    "find . -type f -not -name '.*' | xargs cat",
    "find . -regex '.*\\.\\(c\\|h\\)' -exec cat {} +",
    "find src -type f -exec cat {} +",
    "fd -e py -x cat",
    "fd -H config -x cat",
    "ls -la | head -5",
    "cat $(git ls-files '*.py')",
    "cat $(git ls-files -o --exclude-standard)",
    "tar cz . | wc -c",
    "find . -path '*/migrations/*' -name '*.py' | xargs head -20",
    "find . -path ./node_modules -prune -o -name '*.js' -print | xargs cat",
    "find . -path './.*' -prune -o -type f -print | xargs cat",
    "for f in $(git ls-files); do cat $f; done",
    'find . -name "*.py" | while read f; do head -3 "$f"; done',
    "x=$(ls -t | head -1); cat $x",
    "grep -rn '' src",
    "grep -rc '' .",
    "grep -rn TODO .",
    "rg --hidden TODO",
    "ls -A | grep '\\.py$' | xargs cat",
    "ls -A | sort | head",
    "git status --short | cut -c4- | xargs cat",
    "find . -type f | grep test_ | xargs head",
    "grep -rn -e TODO .",
    "grep -rnE 'foo\\(' .",
    "grep -rn '=>' src",
    "tree -a",
    "du -a . | sort -n | tail",
)


@pytest.mark.parametrize("command", [*SETTINGS_ASKING, *GIT_ASKING, *TOOLS_ASKING, *FILES_ASKING, *SETS_ASKING])
def test_a_person_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("command", [*SETTINGS_SILENT, *GIT_SILENT, *TOOLS_SILENT, *FILES_SILENT, *SETS_SILENT])
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading


VALUES_OF_THE_TEXT = (
    "arr=(.env); cat ${arr}",
    "declare -A m=([a]=.env); cat ${m[a]}",
    "m[a]=.env; cat ${m[a]}",
    "read x <<< .env; cat $x",
    "read -ra x <<< .env; cat ${x[0]}",
    "read <<< .env; cat $REPLY",
    "echo .env | { read x; cat $x; }",
    "echo .env | while read x; do cat $x; done",
    'mapfile -t a <<< .env; cat "${a[0]}"',
    "readarray a <<< .env; cat ${a[0]}",
    "mapfile <<< .env; cat $MAPFILE",
    "cat ${x:=.env}",
    "x=.env; cat ${x@L}",
    "[[ .env =~ .* ]]; cat $BASH_REMATCH",
    "read x <<< ~/.ssh/id_rsa; base64 $x",
    "read x <<< .env; grep . $x",
    "read x <<< .env; cat < $x",
    "read x <<< .env; y=$(<$x); echo $y",
    "set -- .env; cat $1",
    "echo .env | xargs cat",
)
NO_SECRET_SHOWN = (
    'git ls-files | while read -r f; do head -3 "$f"; done',
    "read x <<< .env.example; cat $x",
    'test -f .env || echo "missing $X"',
    "if [ -f .env ]; then echo yes; fi; ls $DIR",
    "ls -la .env; wc -l $f",
    "test -f .env; sleep $n; curl -s localhost:$PORT/health",
    "test -f .env; cat $HOME/notes.txt",
)


@pytest.mark.parametrize("line", VALUES_OF_THE_TEXT)
def test_what_is_shown_may_be_the_secret_that_the_text_names(line: str) -> None:
    assert Effect.READS_SECRETS in read_command(line, FOLDER).effects


@pytest.mark.parametrize("line", NO_SECRET_SHOWN)
def test_what_is_not_followed_is_no_secret_where_none_is_named_or_nothing_shown(line: str) -> None:
    assert Effect.READS_SECRETS not in read_command(line, FOLDER).effects


@pytest.mark.parametrize(
    "name",
    [
        "gcp-key.json",
        "keys/firebase_key.json",
        "htpasswd",
        "~/.cloudflared/cert.pem",
        "~/.local/state/pulse/pulse.db",
        "$PULSE_HOME/logins/glasses-g1.json",
        "${PULSE_HOME}/broker/nats.conf",
    ],
)
def test_a_file_of_keys_by_another_name_is_secret(name: str) -> None:
    assert Effect.READS_SECRETS in read_command(f"cat {name}", FOLDER).effects


@pytest.mark.parametrize(
    "name", ["public-key.json", "cache-key.json", "hotkey.json", "certs/cert.pem", "key.json", "pulse/logins.py"]
)
def test_a_file_that_is_only_called_like_one_is_not(name: str) -> None:
    assert Effect.READS_SECRETS not in read_command(f"cat {name}", FOLDER).effects
