"""What is read is judged by its name in each folder that a `cd` before it may have led to."""

import pytest

from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
WAYS = ("cd ~/.ssh", "pushd ~/.ssh", "cd ~ && cd .ssh", "cd .. && cd .ssh", "cd /home/me/.ssh", "cd $HOME/.config/gh")
LOOKS = ("cat *", "cat id_x", "grep . *", "ls | xargs cat", "awk 1 x", "tar c .", "base64 < x")
ASKING = (
    "(cd ~/.aws; cat *)",
    "cd ~/.gnupg\ncat x",
    "cd ~/.docker && jq . config.json",
    "cd ~/.docker; for f in *; do cat $f; done",
    "cd ~/.kube && ls | xargs cat",
    "cd ~/.config; cd gh; head -3 hosts.yml",
    "cd ~/a; cd b; cd c; cd d; cd e; cd f; cat x",
    "cd secrets && cat prod.txt",
)
SILENT = (
    "cd ~/.ssh && ls",
    "(cd ~/.ssh; ls); cat README.md",
    "cd ~/.config/nvim && cat init.lua",
    "cd ~/.claude && cat CLAUDE.md",
    "cd ~ && cat .bashrc",
    "cd ~/other && cat *.py",
    "cd /home/me/shop && cat config",
    "cd src && cat *",
    "cd src && grep -rn token .",
    "cd packages/secrets && npm test",
    "cd src && cd shop && cd api && cd v1 && cd x && cat a.py",
)


@pytest.mark.parametrize("way", WAYS)
def test_a_secret_is_one_wherever_cd_led(way: str) -> None:
    for look in LOOKS:
        for line in (f"{way} && {look}", f"{way}; {look}"):
            reading = read_command(line, folder=FOLDER)
            assert is_dangerous(reading) or is_unknown(reading), (line, reading)


@pytest.mark.parametrize("command", ASKING)
def test_a_person_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("command", SILENT)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
