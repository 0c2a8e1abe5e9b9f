"""What stands before a value decides: everyday secrets are hidden, and of an everyday command nothing is."""

import secrets
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hub.domain.masking import mask

STRONG = "aZ3kQ9xW2bN7mK4pL8vRtY6u"
GITHUB = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
NPM = "npm_aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY3zA5bC7"
HUGGING_FACE = "hf_AbQdEfGhIjKLmNOpqRStUvWXyzABcdEFgh"

NOTHING_HIDDEN = (
    "dropdb --no-password prod1db",
    "psql --no-password prod1db -c 'drop schema public cascade'",
    "psql --password prod1db",
    "psql -password prod1db",
    "sudo -u postgres /usr/bin/dropdb --if-exists --password prod1db",
    'P=dropdb; "$P" --password prod1db',
    "dropuser --no-password admin1x",
    "createuser --pwprompt --no-password admin1x",
    "pg_restore --clean --no-password prod1db",
    "mysql --password prod1db -e 'drop table users'",
    "mariadb-admin --password drop prod1db",
    "adduser --disabled-password deploy1",
    "oc whoami --show-token host1x",
    "gpg --batch --yes --delete-secret-key 3AA5C34371567BD2",
    "gpg --armor --export-secret-key 3AA5C34371567BD2",
    "rsync -r --delete ./ -u host:prod1db",
    "rsync -r --delete ./ -u host:prod1db; curl https://x.y",
    'sh -c "ls; curl x"; rsync -r --delete ./ -u host:prod1db "y"',
    'curl -d "$(rsync -r --delete ./ -u host:prod1db)" https://x.y',
    "curl https://x.y $(rsync -r --delete ./ -u host:prod1db)",
    "rsync -e curl -r ./ -u host:prod1db",
    "docker run --name curl -u root:prod1grp nginx",
    "ls *.py | xargs -Itoken python3 token",
    "find . -name '*.key' | xargs -Ipassword base64 password",
    "env -utoken python3 -c x",
    "mount -opassword none1x",
    "OLDPWD=prod1db; cd - && rm -rf data",
    "make PWD=prod1db clean",
    'python3 -c \'token="prod1db"; import os; os.system("dropdb "+token)\'',
    'python3 -c \'token="prod1db"; import os; os.system("dropdb "+\uff54oken)\'',
    'python3 -c \'token="prod1db"; import os; os.system(f"dropdb {token:s}")\'',
    'python3 -c \'token="prod1db"; import os\nfor d in dbs:\n if d == token: os.system("dropdb "+d)\'',
    "python3 -c 'import os, sys; os.system(\"dropdb \" + sys.argv[2])' --token prod1db",
    "sh -c 'dropdb $1' --token prod1db",
    "awk -v pwd=prod1db 'BEGIN{system(\"dropdb \" pwd)}'",
    "awk -vpwd=prod1db 'BEGIN{system(\"dropdb \" pwd)}'",
    "awk -vdb_pwd=prod1db 'BEGIN{system(\"dropdb \" db_pwd)}'",
    "psql -v pwd=prod1db -c 'DROP DATABASE :pwd'",
    "psql -v pwd=prod1db -c 'delete from dbs where :pwd=name'",
    'export pwd=prod1db; dropdb "$(printenv pwd)"',
    "pwd=prod1db; dropdb --no-password $pwd",
    "token=v1x2y3; skopeo delete docker://registry:$token",
    "declare -n r=pwd; pwd=prod1db; dropdb $r",
    'token() { dropdb "$2"; }\ntoken = prod1db',
    "mongosh --eval 'token=\"prod1db\"; db.getSiblingDB(token).dropDatabase()'",
    "set TOKEN=run1me9& cmd /v /c !TOKEN!",
    f"{'A' * 80}_PWD=prod1db; dropdb ${'A' * 80}_PWD",
    "rm -rf npm_q1w2e3r4t5y6u7i8o9",
    "dropdb sk-q1w2e3r4t5y6u7i8",
    "rm -rf 'hf_backup2026xq9wzr4tk'",
    "X=sk-q1w2e3r4t5y6u7i8; dropdb $X",
    f"rm -rf ./{NPM} build/{GITHUB} ~/{HUGGING_FACE}",
    "git push origin fix-token:release2024",
    'git push origin "reset-password:release2024"',
    "docker rmi acme/auth-token:build123",
    "scp -r build1 token:backup1",
    "gcloud secrets versions destroy 1 --secret=prod1db",
    "docker service create --secret prod1db nginx",
    "apptainer exec --pwd data1x image.sif make",
    "ansible-playbook --private-key deploy1key site.yml",
    "aws iam delete-access-key --access-key-id AKIAIOSFODNN7EXAMPLE",
    "skopeo delete docker://nginx:v1x@sha256:3f786850e387550f",
)


@pytest.mark.parametrize("text", NOTHING_HIDDEN)
def test_of_a_command_nothing_is_hidden(text: str) -> None:
    assert mask(text) == text


STAYS_HIDDEN = (
    ("hunter2x", 'curl -H "X-Api-Key: {}" https://x.y'),
    ("hunter2x", "curl -H X-Auth-Token:{} https://x.y"),
    ("a8Zk3Lq9Xw2", 'curl -H "Authorization: Bearer {}" https://x.y'),
    ("a8Zk3Lq9Xw2x7Yq4z", 'fetch(url, {{headers: h("Bearer {}")}})'),
    ("Ym9iOmh1bnRlcjI", "curl -H 'Authorization: Basic {}' https://x.y"),
    ("hunter2x", "curl -s -X POST -u bob:{} https://x.y"),
    ("hunter2x", "curl -ubob:{} https://x.y"),
    ("hunter2x", 'cd /x && curl -sSL -H "Accept: a/b" "https://x.y?a=1&b=2" --user "bob:{}"'),
    ("hunter2x", "sudo curl \\\n  -u bob:{} \\\n  https://x.y"),
    ("hunter2x", "ssh h 'curl -u bob:{} https://x.y'"),
    ("hunter2x", "http -a bob:{} https://x.y"),
    ("hunter2x", "wget --user=bob --password={} https://x.y"),
    ("Secret1", "mysql -h db -u root -p{} shop"),
    ("Secret1", "mysqldump -uroot -p'{}' shop > shop.sql"),
    ("Secret1", "mysql --password={} shop"),
    ("hunter2x", "docker login -u bob -p {} registry.example.org"),
    ("hunter2x", "docker login --username bob --password {} registry.example.org"),
    ("hunter2x", "PGPASSWORD={} psql -h db shop"),
    ("hunter2x", "export PGPASSWORD={}; psql -h db shop"),
    ("hunter2x", "TOKEN={}; export TOKEN; ./deploy"),
    ("hunter2x", "deploy --token={} --to prod"),
    ("hunter2x", "deploy --token {} --to prod"),
    ("hunter2x", "deploy --access-token '{}' --to prod"),
    ("hunter2x", "az login --service-principal --client-secret {}"),
    ("hunter2x", "deploy --client-secret={}"),
    ("hunter2x", "gpg --batch --passphrase {} -d a.gpg"),
    ("hunter2x", "deploy -token {}"),
    ("hunter2x", "svn checkout --password {} https://x.y | awk '{{print $1}}'"),
    ("hunter2x", "kubectl create secret generic a --from-literal=password={}"),
    ("hunter2x", "docker run -e DB_PASSWORD={} image"),
    ("hunter2x", "DB_HOST=db\nDB_PASSWORD={}\nDB_NAME=prod1db"),
    ("s3cr3tx", "JWT_SECRET={}\nPORT=80"),
    ("hunter2x", 'API_KEY="{}"'),
    ("hunter2x", '{{"user": "bob", "password": "{}", "db": "prod1db"}}'),
    ("hunter2x", '{{"password":"{}"}}'),
    ("hunter2x", 'curl -d "{{\\"password\\":\\"{}\\"}}" https://x.y'),
    ("hunter2x", "db.createUser({{user: 'bob', pwd: '{}'}})"),
    ("hunter2x", "db:\n  host: db1.example.org\n  password: {}\n  token: ${{TOKEN}}"),
    ("hunter2x", "[db]\npassword = {}"),
    ("hunter2x", '-password = "{}"\n+password = os.environ["DB_PASSWORD"]'),
    ("hunter2x", "-  token: {}\n+  token: $TOKEN"),
    ("hunter2x", 'password = "{}"\nconnect(user=user, password=password)'),
    ("hunter2x", "token = '{}'\nheaders = {{'Authorization': f'Bearer {{token}}'}}"),
    ("hunter2x", "postgres://bob:{}@db.example.org/shop"),
    ("hunter2x", "git clone https://bob:{}@example.org/a"),
    ("hunter2x", "curl 'https://x.y/z?user=bob&token={}&page=2'"),
    (STRONG, "gcloud secrets add --secret={}"),
    (STRONG, "deploy --rotate-token {}"),
    (STRONG, "python3 -c 'token=\"{}\"; send(token)'"),
    ("0x" + "ac0974bec39a17e3" * 4, "cast send --private-key {} 0x71C7656EC7ab88b098defB751B7401B5f6d8976F"),
    (NPM[4:], "npm config set //registry.example.org/:_authToken npm_{}"),
    (NPM, "//registry.example.org/:_authToken={}"),
    (HUGGING_FACE[3:], "huggingface-cli login --token hf_{}"),
    (HUGGING_FACE[3:], "HF_TOKEN=hf_{} python3 train.py"),
    (GITHUB[4:], "git clone https://ghp_{}@github.com/a/b"),
    (GITHUB[4:], "echo ghp_{} | gh auth login --with-token"),
    ("api03-AbCdEf0123456789abcdef", 'key = "sk-ant-{}"'),
    ("SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p", "curl 'https://x.y?key=AIza{}'"),
)


@pytest.mark.parametrize(("secret", "text"), STAYS_HIDDEN)
def test_an_everyday_secret_is_hidden_and_nothing_else(secret: str, text: str) -> None:
    before, after = text.format("\0").split("\0")
    assert mask(text.format(secret)) == f"{before}⟨hidden: {len(secret)} characters⟩{after}"


PROGRAMS = ("dropdb", "psql", "pg_restore", "mysql", "sudo", "env", "rsync", "git", "docker", "kubectl", "gpg")
SUBCOMMANDS = ("push", "delete", "secret", "token", "password", "exec", "rm", "auth", "pwd")
OPERANDS = (
    "prod1db",
    "db1.example.org",
    "./build2",
    "~/x1",
    "host1:prod1db",
    "token:v1x2y3",
    "bob@host1",
    "3AA5C3437156",
)
OPTIONS = (
    "--no-password",
    "--with-token",
    "--delete-secret-key",
    "--disabled-password",
    "--secret",
    "--pwd",
    "-Itoken",
    "-utoken",
    "-rf",
    "-u",
    "-p",
    "-n1",
    "--",
    "--db=prod1db",
)
SIGNS = (";", "&&", "|", "\n", "'", '"', "$(", ")", ">")
MADE = st.lists(st.sampled_from(PROGRAMS + SUBCOMMANDS + OPERANDS + OPTIONS + SIGNS), max_size=12)
"""A command as it comes; in none of these programs does a blank stand between an option and its secret."""


@pytest.mark.slow
@given(MADE)
@example(["dropdb", "--no-password", "prod1db"])
def test_no_command_of_everyday_words_hides_any_of_them(made: list[str]) -> None:
    text = " ".join(made)
    assert mask(text) == text


SHAPES = (
    "deploy --token {}",
    "deploy --password={}",
    "DB_PASSWORD={} ./run",
    '{{"token": "{}"}}',
    "token: {}",
    "https://me:{}@host/x",
    "curl -u me:{} https://x.y",
    "mysql -p{} shop",
    "docker login -p {}",
)
LETTERS = string.ascii_letters + string.digits


@pytest.mark.slow
@given(
    st.text(alphabet="bcdfghBCDFGH23456789", min_size=4, max_size=9),
    st.sampled_from(SHAPES),
    st.sampled_from(("", "ls -l prod1db && ", "cd /x; ")),
    st.sampled_from(("", "; ls")),
)
def test_a_made_secret_is_hidden_where_one_is_expected(made: str, shape: str, before: str, after: str) -> None:
    made = f"{made}x7"
    begun = "\n" if shape.startswith("token") else before
    assert made not in mask(f"{begun}{shape.format(made)}{after}")


@pytest.mark.slow
@pytest.mark.parametrize(("begins", "chars"), [("npm_", 36), ("hf_", 34), ("ghp_", 36), ("glpat-", 20)])
def test_a_real_token_is_hidden_also_as_an_operand(begins: str, chars: int) -> None:
    letters = string.ascii_letters if begins == "hf_" else LETTERS
    made = ["".join(secrets.choice(letters) for _ in range(chars)) for _ in range(400)]
    assert sum(one in mask(f"login {begins}{one}") for one in made) < len(made) // 5
