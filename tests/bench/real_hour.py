"""An hour on real repositories, written down: what was suggested at which step, and why. For somebody to read.

    python -m tests.bench.real_hour FOLDER [FOLDER …]

Each folder holds the sources of a project; a copy of it is put under git with a history of some weeks. Beside a real
hub a scripted developer then edits, runs tests (whose trace is left as pytest leaves it), commits, merges and is given
work. The hour is compressed as in `bench_hour`; nothing else is. It prints a table in Markdown.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.bench.bench_hour import CALM_S, LULL_S, PACE
from tests.bench.hub_process import HubProcess, running
from tests.bench.scripted_work import CONFIG, Feed
from tests.bench.undone_work import Left

Step = tuple[str, Callable[[], object], str]
"""What happens, how, and the kind of card that it deserves; empty for none."""
NOTHING = "·"


def script(hub: HubProcess, work: Left) -> Iterator[Step]:
    """Yield the hour, step by step."""
    one, two = work.a_source(), work.a_source(1)
    test = next((name for name in work.git("ls-files").splitlines() if "test" in name), one)

    def commit(message: str) -> Callable[[], object]:
        return lambda: work.commit(message, days_ago=0.0)

    yield "edits one source file", lambda: work.change(one, "Round half up", hours_ago=0.0), ""
    yield "runs the tests: one fails", lambda: work.tests_ran(f"{test}::test_one", hours_ago=0.0), "fix-tests"
    yield "mends it", lambda: work.change(one, "Round half even", hours_ago=0.0), ""
    yield "runs the tests: they pass", lambda: work.tests_ran(hours_ago=0.0), "commit-work"
    yield "commits", commit("Round half even"), ""
    yield "begins a branch", lambda: work.git("checkout", "-q", "-b", "aside"), ""
    yield "changes a line there", lambda: work.change(two, "Look it up once", hours_ago=0.0), ""
    yield "commits it", commit("Look it up once"), ""
    yield "goes back", lambda: work.git("checkout", "-q", "main"), ""
    yield "changes the same line", lambda: work.change(two, "Look it up when needed", hours_ago=0.0), ""
    yield "commits that", commit("Look it up when needed"), ""
    yield "merges: a conflict", lambda: work.git("merge", "aside", check=False), "merge-conflict"
    yield "gives the merge up", lambda: work.git("merge", "--abort"), ""
    yield "edits the readme", lambda: work.write("NOTES.md", "# Notes\n"), ""
    yield "commits it", commit("Keep notes"), ""
    yield "changes two files and goes for a coffee", lambda: _both(work, one, two), "run-tests"
    yield "runs the tests: they pass", lambda: work.tests_ran(hours_ago=0.0), "commit-work"
    yield "commits", commit("Name both limits"), ""
    due = (datetime.now(UTC) + timedelta(hours=3)).isoformat()
    task = {"title": "Send the offer", "deadline": due}
    yield "is given a task for today", lambda: hub.call("POST", "/api/v1/tasks", task), "deadline"
    yield "a colleague has pushed, and it is fetched", lambda: _theirs(work), ""
    yield "asks for a suggestion", lambda: hub.call("POST", "/api/v1/crosspoll/trigger", {"force": True}), "catch-up"


def _both(work: Left, one: str, two: str) -> None:
    work.change(one, "Name the limit", hours_ago=0.0)
    work.change(two, "Name the limit", hours_ago=0.0)


def _theirs(work: Left) -> None:
    work.upstream()
    other = work.folder.parent / "colleague"
    work.git("clone", "-q", str(work.folder.parent / f"{work.folder.name}-origin.git"), str(other))
    (other / "THEIRS.md").write_text("# Theirs\n")
    work.git("-C", str(other), "add", "-A")
    work.git("-C", str(other), "commit", "-q", "-m", "Tell what is theirs")
    work.git("-C", str(other), "push", "-q")
    work.git("fetch", "-q", "origin")


def play(sources: Path, folder: Path) -> tuple[int, int, int]:
    """Play the hour on a copy and print its table; return the moments that got a card, all, and the other cards."""
    name = sources.name
    work, home = Left(folder / name, sources, {}), folder / f"{name}-home"
    (folder / "transcripts").mkdir(exist_ok=True)
    home.mkdir(mode=0o700)
    pace = {key: getattr(PACE, key) for key in PACE.__struct_fields__}
    text = CONFIG.format(**pace, calendar='""', transcripts=json.dumps(str(folder / "transcripts")))
    (home / "config.toml").write_text(text)
    sys.stdout.write(f"\n### {name}\n\n| step | suggested | because |\n|---|---|---|\n")
    with running(home, work.folder) as hub:
        feed = Feed(hub)
        try:
            feed.until(lambda: False, LULL_S)
            _row("(the first look)", hub, [card.card_id for card in feed.cards])
            return _played(hub, feed, work)
        finally:
            feed.close()


def _played(hub: HubProcess, feed: Feed, work: Left) -> tuple[int, int, int]:
    got, deserved, others = 0, 0, 0
    for what, act, wanted in script(hub, work):
        before = len(feed.cards)
        act()
        if wanted:
            feed.until(lambda at=before, kind=wanted: any(card.kind == kind for card in feed.cards[at:]), LULL_S)  # type: ignore[misc]  # the loop's own values are bound
        else:
            feed.until(lambda: False, CALM_S)
        new = feed.cards[before:]
        right = [card for card in new if card.kind == wanted]
        got, deserved, others = got + bool(right), deserved + bool(wanted), others + len(new) - len(right[:1])
        _row(what + (f" (**{wanted}** expected)" if wanted and not right else ""), hub, [card.card_id for card in new])
    return got, deserved, others


def _row(what: str, hub: HubProcess, cards: list[str]) -> None:
    shown: list[dict[str, Any]] = [hub.call("GET", f"/api/v1/predictions/{card}") for card in cards]
    said = "<br>".join(_cell(card["prompt"]) for card in shown) or NOTHING
    why = "<br>".join(_cell(card["reasoning"]) for card in shown)
    sys.stdout.write(f"| {what} | {said} | {why} |\n")
    sys.stdout.flush()


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    for source in sys.argv[1:]:
        with tempfile.TemporaryDirectory(prefix="pulse-real-hour-") as name:
            got, deserved, others = play(Path(source).resolve(), Path(name))
        sys.stdout.write(f"\n{got} of {deserved} moments got their card; {others} other cards.\n")
