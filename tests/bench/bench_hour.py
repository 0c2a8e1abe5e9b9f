"""The scripted hour: 40 edits, test runs and commits of a developer beside a real hub; which moments got their card?

The hour is compressed: nobody waits between two steps longer than the hub's own quiet, which is shortened alike.
Run with `./pulse bench hour`.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from hub.contract.base import Value
from tests.bench.figures import Figure
from tests.bench.hub_process import HubProcess
from tests.bench.scripted_work import RIGHT, WRONG, Developer, Feed, Pace, at_work

BENCH: Final = "hour"
PACE: Final = Pace(change_quiet_s=0.4, edit_quiet_s=1.2, work_pause_s=15.0, change_wait_s_max=25.0)
"""A pause is longer than all that a busy machine makes the developer wait for (a run of pytest, a card that goes), or
each such wait would be a pause, in which a card to run the tests is valid."""
CARD_S_MAX: Final = 5.0
"""How long after its quiet a moment's card may take."""
LULL_S: Final = PACE.work_pause_s + CARD_S_MAX
WITHDRAWN_S_MAX: Final = 8.0
"""How long a card may stay that its moment has made needless."""
CALM_S: Final = PACE.edit_quiet_s + 0.6
"""What a step that deserves no card is watched for before the next."""
MEETING: Final = (
    "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//y//EN\nBEGIN:VEVENT\nUID:m1\nSUMMARY:Review\n"
    "DTSTAMP:{start}\nDTSTART:{start}\nDTEND:{end}\nEND:VEVENT\nEND:VCALENDAR\n"
)


class ScriptStep(Value):
    """One thing the developer does; `card` is the kind that it deserves, `ends` the one that it makes needless."""

    what: str
    act: Callable[[], object]
    card: str = ""
    ends: str = ""


class Outcome:
    """What became of the hour."""

    def __init__(self) -> None:
        self.deserved = self.got = self.ended = self.to_end = self.steps = 0
        self.needless: tuple[str, ...] = ()


def script(hub: HubProcess, dev: Developer, folder: Path) -> Iterator[ScriptStep]:
    """Yield the hour, step by step."""

    def edit(name: str, text: str) -> Callable[[], object]:
        return lambda: dev.write(name, text)

    def commit(message: str) -> Callable[[], object]:
        def act() -> None:
            dev.git("add", "-A")
            dev.git("commit", "-q", "-m", message)

        return act

    yield ScriptStep(what="edits the readme", act=edit("README.md", "# Shop\n"))
    yield ScriptStep(what="commits it", act=commit("Say what this is"))
    yield ScriptStep(what="breaks the cart", act=edit("shop/cart.py", WRONG))
    yield ScriptStep(what="runs the tests: they fail", act=dev.test, card="fix-tests")
    yield ScriptStep(what="tries something", act=edit("shop/cart.py", WRONG + "\n# 41?\n"), ends="fix-tests")
    yield ScriptStep(what="mends it", act=edit("shop/cart.py", RIGHT + "\n\ndef empty() -> bool:\n    return True\n"))
    yield ScriptStep(what="runs the tests: they pass", act=dev.test, card="commit-work")
    yield ScriptStep(what="commits", act=commit("Let a cart be empty"), ends="commit-work")
    yield ScriptStep(what="edits notes", act=edit("notes.txt", "call the bank\n"))
    yield ScriptStep(what="edits them again", act=edit("notes.txt", "call the bank\nand the post\n"))
    yield ScriptStep(what="commits them", act=commit("Keep notes"))
    yield ScriptStep(what="begins a branch", act=lambda: dev.git("checkout", "-q", "-b", "side"))
    yield ScriptStep(what="edits the price there", act=edit("shop/price.py", RIGHT + "\nSIDE = 1\n"))
    yield ScriptStep(what="commits there", act=commit("Price it aside"))
    yield ScriptStep(what="goes back", act=lambda: dev.git("checkout", "-q", "main"))
    yield ScriptStep(what="edits the same line", act=edit("shop/price.py", RIGHT + "\nMAIN = 2\n"))
    yield ScriptStep(what="commits it", act=commit("Price it here"))
    yield ScriptStep(
        what="merges: a conflict", act=lambda: dev.git("merge", "side", check=False), card="merge-conflict"
    )
    yield ScriptStep(what="resolves it", act=edit("shop/price.py", RIGHT + "\nMAIN = 2\nSIDE = 1\n"))
    yield ScriptStep(what="commits the merge", act=commit("Merge"), ends="merge-conflict")
    yield ScriptStep(what="runs the tests: they pass", act=dev.test)
    yield from _later(hub, dev, folder, edit, commit)


def _later(
    hub: HubProcess,
    dev: Developer,
    folder: Path,
    edit: Callable[[str, str], Callable[[], object]],
    commit: Callable[[str], Callable[[], object]],
) -> Iterator[ScriptStep]:
    package = {"name": "shop", "version": "1.0.0"}
    lock = {"name": "shop", "version": "1.0.0", "lockfileVersion": 3, "packages": {"": package}}
    yield ScriptStep(what="adds a front end", act=edit("package-lock.json", json.dumps(lock)))
    yield ScriptStep(what="with its manifest", act=edit("package.json", json.dumps(package)))
    yield ScriptStep(what="commits both", act=commit("Begin the front end"))
    more = {**package, "dependencies": {"left-pad": "^1.3.0"}}
    forgets = edit("package.json", json.dumps(more))
    yield ScriptStep(what="asks for a package, forgets the lock", act=forgets, card="update-lock")
    locked = {**lock, "packages": {"": more}}
    yield ScriptStep(what="installs", act=edit("package-lock.json", json.dumps(locked)), ends="update-lock")
    yield ScriptStep(what="commits", act=commit("Pad on the left"))
    yield ScriptStep(what="changes two modules and goes for a coffee", act=lambda: _two_modules(dev), card="run-tests")
    yield ScriptStep(what="runs the tests: they pass", act=dev.test, card="commit-work", ends="run-tests")
    yield ScriptStep(what="commits", act=commit("Count in both"), ends="commit-work")
    yield ScriptStep(what="saves a file again as it was", act=edit("notes.txt", "call the bank\nand the post\n"))
    due = (datetime.now(UTC) + timedelta(hours=3)).isoformat()
    task = {"title": "Send the offer", "deadline": due}
    given = lambda: hub.call("POST", "/api/v1/tasks", task)  # noqa: E731  one of many acts, named for the line's length
    yield ScriptStep(what="is given a task for today", act=given, card="deadline")
    yield ScriptStep(what="CI fails", act=edit("ci.json", '{"status": "failure"}'), card="fix-ci")
    yield ScriptStep(what="CI is green again", act=edit("ci.json", '{"status": "success"}'), ends="fix-ci")
    yield ScriptStep(what="a meeting is put in", act=lambda: _meeting(folder, dev), card="prepare-meeting")
    yield ScriptStep(what="upstream moved on", act=lambda: _upstream(dev, folder), card="catch-up")
    yield ScriptStep(what="breaks the price", act=edit("shop/price.py", WRONG))
    yield ScriptStep(what="runs the tests: they fail", act=dev.test, card="fix-tests")
    yield ScriptStep(what="mends it", act=edit("shop/price.py", RIGHT + "\nMAIN = 3\n"), ends="fix-tests")
    yield ScriptStep(what="runs the tests: they pass", act=dev.test, card="commit-work")
    yield ScriptStep(what="an agent asks", act=lambda: _question(folder), card="open-question")


def _two_modules(dev: Developer) -> None:
    dev.write("shop/cart.py", RIGHT + "\nCOUNT = 1\n")
    dev.write(
        "tests/test_count.py", "from shop.cart import COUNT\n\n\ndef test_count() -> None:\n    assert COUNT == 1\n"
    )


def _meeting(folder: Path, dev: Developer) -> None:
    start = datetime.now(UTC) + timedelta(minutes=30)
    stamp = "%Y%m%dT%H%M%SZ"
    text = MEETING.format(start=start.strftime(stamp), end=(start + timedelta(hours=1)).strftime(stamp))
    (folder / "calendar.ics").write_text(text)
    dev.write("notes.txt", "call the bank\nand the post\nReview at half past\n")


def _upstream(dev: Developer, folder: Path) -> None:
    """Somebody else has pushed, and so has the developer's branch gone apart; a fetch shows it."""
    bare, other = folder / "origin.git", folder / "other"
    dev.git("stash", "-q", "-u")
    dev.git("clone", "-q", "--bare", str(dev.top), str(bare))
    dev.git("clone", "-q", str(bare), str(other))
    colleague = Developer.__new__(Developer)
    colleague.top = other
    colleague.write("THEIRS.md", "theirs\n")
    colleague.git("add", "-A")
    colleague.git("commit", "-q", "-m", "Theirs")
    colleague.git("push", "-q")
    dev.git("remote", "add", "origin", str(bare))
    dev.write("OURS.md", "ours\n")
    dev.git("add", "-A")
    dev.git("commit", "-q", "-m", "Ours")
    dev.git("fetch", "-q", "origin")
    dev.git("branch", "-q", "--set-upstream-to=origin/main")


def _question(folder: Path) -> None:
    now = datetime.now(UTC)
    said = [
        ("user", now - timedelta(minutes=2), "Plan the new table"),
        ("assistant", now - timedelta(minutes=1), [{"type": "text", "text": "Shall I use the old table?"}]),
    ]
    lines = (
        {"type": who, "timestamp": at.isoformat(), "cwd": str(folder), "message": {"role": who, "content": text}}
        for who, at, text in said
    )
    text = "".join(json.dumps({"sessionId": "s1", **line}) + "\n" for line in lines)
    (folder / "transcripts" / "s1.jsonl").write_text(text)


class Judge:
    """Watches the feed while the hour is played: a moment's card must come in time, what else comes is not worth it."""

    def __init__(self, feed: Feed, say: Callable[[str], None]) -> None:
        feed.until(lambda: False, CALM_S)  # the first look is no part of the hour
        self.outcome = Outcome()
        self._feed = feed
        self._say = say
        self._begun = len(feed.cards)
        self._expected: set[str] = set()

    def play(self, step: ScriptStep) -> None:
        """Let one step happen, and watch what comes of it."""
        before, feed = len(self._feed.cards), self._feed
        over = {card.card_id for card in feed.cards if card.kind == step.ends and card.card_id not in feed.gone}
        step.act()
        mark = "    "
        if step.card:
            found = self._found(before, step.card)
            mark = "card" if found else "NONE"
            self._expected.update(found)
            self.outcome.deserved += 1
            self.outcome.got += bool(found)
        if step.ends:
            self.outcome.to_end += 1
            self.outcome.ended += bool(over) and feed.until(lambda: over <= set(feed.gone), WITHDRAWN_S_MAX)
        if not step.card:
            feed.until(lambda: False, CALM_S)
        self.outcome.steps += 1
        gone = f"; {len(over & set(feed.gone))} withdrawn" if step.ends else ""
        self._say(f"{mark} {step.what}: {', '.join(card.kind for card in feed.cards[before:]) or '-'}{gone}")

    def needless(self) -> tuple[str, ...]:
        """Return the cards that no moment deserved."""
        cards = self._feed.cards[self._begun :]
        return tuple(f"{card.kind}: {card.prompt}" for card in cards if card.card_id not in self._expected)

    def _found(self, before: int, kind: str) -> list[str]:
        def found() -> list[str]:
            return [card.card_id for card in self._feed.cards[before:] if card.kind == kind][:1]

        self._feed.until(lambda: bool(found()), LULL_S)
        return found()


def hour(folder: Path, say: Callable[[str], None]) -> Outcome:
    """Play the hour."""
    with at_work(folder, PACE) as (hub, dev, feed):
        judge = Judge(feed, say)
        for step in script(hub, dev, folder):
            judge.play(step)
        judge.outcome.needless = judge.needless()
    return judge.outcome


def run() -> list[Figure]:
    """Play it once; nothing in it is left to chance but the machine's own pace."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pulse-hour-") as name:
        outcome = hour(Path(name), lambda line: print(line, file=sys.stderr))  # noqa: T201  it is a program that tells
    for one in outcome.needless:
        sys.stderr.write(f"not worth it: {one}\n")
    took = f"{outcome.steps} steps in {time.monotonic() - began:.0f} s"
    moments = f"moments worth a card that got one, of {outcome.deserved} ({took})"
    ends = f"cards withdrawn once they were over, of {outcome.to_end}"
    return [
        Figure(bench=BENCH, what=moments, value=outcome.got, unit="cards", better="higher", goal=10),
        Figure(bench=BENCH, what="cards not worth it", value=len(outcome.needless), unit="cards", goal=2),
        Figure(bench=BENCH, what=ends, value=outcome.ended, unit="cards", better="higher", goal=outcome.to_end),
    ]
