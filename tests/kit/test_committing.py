"""What a commit would hold, in lines: on a terminal and in `pulse why`, in the reader's language."""

import pytest

from hub.contract.runs import CommitPlan, FileToCommit, PlannedRun
from hub.kit.committing import commit_lines
from hub.kit.phrase_files import phrases
from surfaces.terminal.render import render
from tests.surfaces.terminal.plain import plain_text
from tests.surfaces.terminal.scenes import NOW, shown, view

COMMIT = CommitPlan(
    message="Update news.md and remove hero.png",
    files=(
        FileToCommit(path="hero.png", became="deleted", size_before=2_100_000),
        FileToCommit(path="news.md", became="changed", added=1, removed=1, size=10, size_before=10),
        FileToCommit(path="docs/a.md", was="a.md", became="renamed", added=0, removed=0, size=4),
    ),
    diff="--- a/news.md\n+++ b/news.md\n@@ -1 +1 @@\n-old\n+new\n",
    diff_cut=True,
)
RUNS = PlannedRun(summary="git commit in site", argv=("/usr/bin/git", "commit"), folder="/home/me/site", commit=COMMIT)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("Message: Update news.md and remove hero.png", "- hero.png  (deleted, binary, 2.1 MB)",
                "~ news.md  (changed, 10 B, +1 -1)", "→ a.md → docs/a.md  (renamed, 4 B, +0 -0)")),
        ("de", ("Nachricht: Update news.md and remove hero.png", "- hero.png  (gelöscht, binär, 2,1 MB)",
                "~ news.md  (geändert, 10 B, +1 -1)", "→ a.md → docs/a.md  (umbenannt, 4 B, +0 -0)")),
    ],
)  # fmt: skip
def test_every_file_is_told_with_its_size(language: str, said: tuple[str, ...]) -> None:
    lines = commit_lines(COMMIT, phrases(language))
    assert tuple(line.text for line in lines[:4]) == said
    assert [line.tone for line in lines[4:]] == ["place", "place", "place", "removed", "added", "plain"]
    assert lines[-1].text == phrases(language).say("commit.more")


def test_the_terminal_shows_the_diff_with_i() -> None:
    card = shown(runs=RUNS, edit_text=COMMIT.message, details="worth a look")
    told = plain_text(render(view(card, details=True), 100, 60, NOW))
    for line in ("- hero.png  (deleted, binary, 2.1 MB)", "-old", "+new", "worth a look"):
        assert line in told
    assert "-old" not in plain_text(render(view(card), 100, 60, NOW))
