"""What brings a secret to light is asked, by whatever name the file, the setting or the option goes."""

import pytest

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
