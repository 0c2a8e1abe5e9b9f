"""Work in progress that is thrown away: what no commit holds, or no name leads to any more."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
DISCARDING = (
    *(f"git {what} --{how}" for what in ("rebase", "cherry-pick", "am", "revert") for how in ("abort", "skip", "quit")),
    "git merge --abort",
    "git merge --quit",
    "git -C . rebase --abort",
    "git checkout -p",
    "git checkout --merge main",
    "git switch -m main",
    "git switch --force-create main",
    "git worktree add -B main ../x",
    "git symbolic-ref HEAD refs/heads/x",
    *("echo x > .env", "printf 'A=1\\n' > .env.local", "npm run env > .env", "echo {} > credentials.json"),
    "git show HEAD~1:src/app.py > src/app.py",
    "git cat-file -p main:src/app.py > ./src/app.py",
    "git show :src/app.py > src/app.py",
    "git show HEAD:src/app.py | tee src/app.py",
    "git show HEAD:src/app.py | dd of=src/app.py",
    *(f"git show {spec} > src/app.py" for spec in ("HEAD:src//app.py", ":0:src/app.py", "HEAD:./src/../src/app.py")),
    *(
        f"git show HEAD:src/app.py > {path}"
        for path in ("./src//app.py", "src/./app.py", "src/x/../app.py", "$PWD/src/app.py", f"{FOLDER}/src/app.py")
    ),
    *(f"git show HEAD:src/app.py {into}" for into in ("| cat > src/app.py", "&> src/app.py", "--output=src/app.py")),
    "cd src && git show HEAD:src/app.py > app.py",
    "pushd src; git cat-file -p HEAD:./app.py | tee app.py",
    "cat <(git show HEAD:src/app.py) > src/app.py",
    'echo "$(git show HEAD:src/app.py)" > src/app.py',
    "git show HEAD:src/app.py > t; mv t src/app.py",
    "git show HEAD:src/app.py > /tmp/t && cp /tmp/t ./src/app.py",
    "git cat-file blob $(git rev-parse HEAD:src/app.py) > src/app.py",
    "git cat-file -p 1a2b3c4d > src/app.py",
    "hg cat -r . src/app.py > src/app.py",
    "svn cat src/app.py > ./src/app.py",
    "mv src /tmp/gone",
    "mv src/* /tmp/",
    "mv x src/a.py",
    "mv -f notes.txt src/a.py",
    "mv -i -f x src/a.py",
    "mv -v data.json app.ts",
    "git maintenance run",
    "git maintenance run --task=gc",
    "mv src $(mktemp -d)",
    "hg up -C tip",
    "hg rebase --abort",
    "hg graft --abort",
    "hg abort",
    "hg shelve --cleanup",
    "hg bookmark -d x",
    "hg branch -f x",
    "svn cleanup --remove-unversioned",
    "svn update --force",
    "svn resolve --accept theirs-full a",
    "bzr clean-tree --force",
    "fossil undo",
    "fossil update --force",
    "jj undo",
    "jj op restore x",
    "jj bookmark set x --allow-backwards",
    "jj edit --ignore-immutable x",
    "p4 clean",
)
NOT_KNOWN = ("git rebase --abo", "git reset --har", "git restor .", "hg rev -a", "fossil zap", "svn x-zap a")
KEEPING = (
    "git rebase --continue",
    "git rebase --show-current-patch",
    "git merge --no-ff x",
    "git checkout -b x",
    "git worktree add -b x worktrees/x",
    "git symbolic-ref --short HEAD",
    "git symbolic-ref HEAD",
    "git show HEAD:src/app.py > src/before.txt",
    "git bisect reset",
    "git show HEAD:src/app.py | tee before.txt",
    "git show HEAD:src/app.py > src/old_app.py",
    "git show HEAD:src/app.py > /tmp/app.py",
    "git show HEAD:src/app.py > app.py",
    "git show HEAD:app.py > old/app.py",
    "cd docs && git show HEAD:src/app.py | head -40",
    *("echo A=1 >> .env", "cp .env.example .env", "touch .env", "echo A=1 > .env.example", "echo A=1 > .env.test"),
    "git diff --output=fix.patch",
    "git diff --output=src/app.py",
    "git log -p --output src/app.py",
    "git archive -o src/app.py HEAD",
    "git mailinfo msg src/app.py < mail",
    "git log --output log.txt",
    "git archive -o build/src.tar HEAD",
    "git mailinfo msg patch < mail",
    "svn cat src/app.py > before.txt",
    "mv src lib",
    "mv src/a.js src/a.ts",
    "mv a.py.new a.py",
    "mv script script.py",
    "mv old_name.py new_name.py",
    "mv -n x src/a.py",
    "mv --backup x src/a.py",
    "mv x.txt docs/a.md",
    "awk '{print $1}' a.py > tmp && mv tmp a.py",
    'for f in *.js; do mv "$f" "${f%.js}.ts"; done',
    "git gc",
    "mv build /tmp/build",
    "mv run.log /tmp/",
    "mv /tmp/x/a.txt .",
    "cp -r src /tmp/copy",
    "hg commit -m x",
    "hg update",
    "hg graft 12",
    "hg bookmark x",
    "svn add a",
    "svn update",
    "bzr commit -m x",
    "fossil add a",
    "jj squash",
    "jj bookmark set x -r @",
    "jj op log",
)


@pytest.mark.parametrize("command", DISCARDING)
def test_it_is_a_deletion(command: str) -> None:
    assert Effect.DELETES in read_command(command, FOLDER).effects


def test_a_shortened_or_unlisted_word_asks() -> None:
    for command in NOT_KNOWN:
        reading = read_command(command, FOLDER)
        assert is_dangerous(reading) or is_unknown(reading), command


def test_what_keeps_it_does_not() -> None:
    for command in KEEPING:
        reading = read_command(command, FOLDER)
        assert not is_dangerous(reading), (command, reading)
        assert not is_unknown(reading), (command, reading)
