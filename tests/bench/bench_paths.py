"""Three new users walk their paths beside a real hub; every card that is shown is held against a list made before.

    ./pulse bench paths
    python -m tests.bench.bench_paths [--minute SECONDS] [PATH …]

The lists are in `tests/bench/paths`, with how they are read. Repositories, git, npm, pip, terminals and the shell's
hook are the real ones. A minute of the developer's and the designer's takes ten seconds, and four settings that a
person could set as well are shortened alike: how long Pulse waits for quiet after a change and after a saved file, what
is a pause, and how long a change may wait. What runs takes as long as it takes, and so does the path of the phone, for
its times are read from sentences and a calendar. With `--minute 60` all of it is in real time, at shipped defaults.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

from hub.contract.api import Prediction
from hub.contract.events import DigestReady
from hub.kit.committing import commit_lines
from hub.kit.digests import in_lines
from hub.kit.phrase_files import phrases
from tests.bench import path_person
from tests.bench.figures import Figure
from tests.bench.hub_process import ROOT, running
from tests.bench.path_lists import CardSeen, Entry, Moment, PathList, Place, Verdict, read, ruling, written_out
from tests.bench.scripted_work import Feed, afternoon_zone
from tests.surfaces.web.receiver import Browser
from tests.terminals import Terminal

BENCH: Final = "paths"
PATHS: Final = ("developer", "designer", "phone")
MINUTE_S: Final = {"developer": 10.0, "designer": 10.0, "phone": 60.0}
REAL_MINUTE_S: Final = 60.0
POLL_S: Final = 0.25
READING_S_MAX: Final = 2.0
"""How long the person looks at a card before they answer."""
RUN_S_MAX: Final = 240.0
PUSH_SERVICE: Final = (sys.executable, "-m", "tests.bench.push_sink")
OVER: Final = frozenset({"executed", "failed", "cancelled", "expired", "rejected"})
CHANGE_QUIET_S, EDIT_QUIET_S, WORK_PAUSE_S, CHANGE_WAIT_S_MAX = 2.0, 20.0, 180.0, 60.0
"""The defaults that are shortened with the minute."""
LONG_S: Final = 70.0
"""How long a long command takes: a little more than what the shell's hook takes for one."""
CONFIG: Final = """
[crosspoll]
change_quiet_s = {change_quiet_s}
edit_quiet_s = {edit_quiet_s}
work_pause_s = {work_pause_s}
change_wait_s_max = {change_wait_s_max}
[person]
zone = "{zone}"
[quiet]
start_hour = 0
end_hour = 0
[sensors]
calendar = {calendar}
transcripts = false
[attention]
digest_times = {digests}
[drives]
files = {marked}
[web]
push_hosts = ["{push_service}"]
"""


class Judged:
    """A card that was shown, and what the list said of it."""

    def __init__(self, moment: str, verdict: Verdict, entry: Entry | None, card: CardSeen) -> None:
        self.moment, self.verdict, self.entry, self.card = moment, verdict, entry, card
        self.told = True
        self.because = "" if entry is None else entry.because
        self.end = ""

    def becomes(self, verdict: Verdict, because: str) -> None:
        """Judge it otherwise, for something that was seen later."""
        self.verdict, self.because = verdict, because

    @property
    def line(self) -> str:
        """It in one line, for somebody to read."""
        way = "" if self.told else " (never told)"
        which = "" if self.entry is None else f" [{self.entry.id}]"
        title = self.card.text.partition("\n")[0]
        runs = f" ▶ {self.card.command}" if self.card.command else ""
        end = f" → {self.end}" if self.end else ""
        return f"    {self.verdict.upper():8}{way}{which} {title}{runs}{end}\n             {self.because}"


class Walk:
    """One place of a path, beside one hub."""

    def __init__(
        self, path: PathList, place: Place, folder: Path, minute_s: float, before: frozenset[str] = frozenset()
    ) -> None:
        self._path, self._place, self._folder, self._minute_s, self._before = path, place, folder, minute_s, before
        self._zone = ZoneInfo(afternoon_zone(datetime.now(UTC)))
        self._seen: dict[str, Judged] = {}
        self._answers: dict[str, tuple[float, str]] = {}
        self._running: set[str] = set()
        self._asking: subprocess.Popen[bytes] | None = None
        self.spent = self.per_day = 0

    def go(self, environment: Mapping[str, str]) -> dict[str, Judged]:
        """Walk through all moments of the place; return every card that was shown, by its id, in order."""
        home = self._folder / "home"
        work = path_person.make(self._place, self._folder, self._text)
        with ExitStack() as stack:
            push_service = stack.enter_context(a_push_service())
            self._configure(home, work, push_service)
            self._hub = stack.enter_context(running(home, work))
            self._subscribe(push_service)
            self._feed = Feed(self._hub)
            stack.callback(self._feed.close)
            self._terminal = path_person.own_terminal(environment, home, work)
            stack.callback(self._terminal.close)
            for moment in self._path.moments_of(self._place.id):
                self._live(moment, work)
            attention = self._hub.call("GET", "/api/v1/crosspoll/status")["attention"]
            self.spent, self.per_day = attention["spent"], attention["perDay"]
        return self._seen

    def _subscribe(self, push_service: str) -> None:
        """Pair their browser, on the machine or the phone, by push: where no device can be told, nobody is."""
        address = Browser().address(f"{push_service}/push/1", origin=self._hub.api.geturl())
        self._hub.call("POST", "/api/v1/devices", {"surface": "browser", "device": "page", "profile": "browser"})
        body = {"address": msgspec.to_builtins(address)}
        self._hub.call("PUT", "/api/v1/devices/browser/page/address", body)

    @property
    def _pace(self) -> float:
        return self._minute_s / REAL_MINUTE_S

    @property
    def _now(self) -> datetime:
        return datetime.now(self._zone)

    def _configure(self, home: Path, work: Path, push_service: str) -> None:
        home.mkdir(mode=0o700, exist_ok=True)
        file = self._folder / "calendar.ics"
        path_person.calendar(self._place.calendar, self._now, file)
        minutes = 0.0
        digests: list[str] = []
        moments = self._path.moments_of(self._place.id)
        for moment in moments:
            if moment.digest:
                digests.append(f"{self._now + timedelta(minutes=(minutes + 1) * self._pace):%H:%M}")
            minutes += moment.minutes
        text = CONFIG.format(
            zone=self._zone.key,
            change_quiet_s=CHANGE_QUIET_S * self._pace,
            edit_quiet_s=EDIT_QUIET_S * self._pace,
            work_pause_s=WORK_PAUSE_S * self._pace,
            change_wait_s_max=CHANGE_WAIT_S_MAX * self._pace,
            calendar=json.dumps(str(file)),
            digests=json.dumps(digests),
            push_service=push_service,
            marked=json.dumps([f"deadlines:{work / one.mark}" for one in moments if one.mark]),
        )
        (home / "config.toml").write_text(text)

    def _live(self, moment: Moment, work: Path) -> None:
        _say(f"\n  {moment.id}: {moment.does}")
        self._act(moment, work)
        half = moment.minutes * self._minute_s / 2
        self._watch(moment, half)
        if moment.then:
            path_person.shell(self._text(moment.then), work)
        self._watch(moment, half)
        if self._asking is not None:
            _say(f"    (the script ended with {self._asking.wait(READING_S_MAX * 5)})")
            self._asking = None
        open_now = {card.id for card in self._open()}
        for card_id, judged in self._seen.items():
            if card_id in open_now and judged.entry is not None and judged.entry.id in moment.gone:
                judged.becomes("false", f"still open at the end of {moment.id}: its matter is over")
                _say(judged.line)

    def _text(self, text: str) -> str:
        return written_out(text, self._now, LONG_S)

    def _act(self, moment: Moment, work: Path) -> None:
        if moment.calendar:
            path_person.calendar(moment.calendar, self._now, self._folder / "calendar.ics")
        if moment.shell:
            path_person.shell(self._text(moment.shell), work)
        if moment.elsewhere:
            path_person.by_a_colleague(moment.elsewhere, self._place, self._folder)
        for line in moment.typed:
            self._type(self._terminal, self._text(line))
        for sentence in moment.says:
            said = self._hub.call("POST", "/api/v1/tasks", {"title": self._text(sentence)})
            _say(f"    (understood: {said['title']}, due {said.get('deadline')})")
        if moment.asks:
            command = (sys.executable, "-m", "hub", "ask", moment.asks, "--timeout", "2m")
            self._asking = subprocess.Popen(command, env=self._hub_environment(), stdout=subprocess.DEVNULL)

    def _hub_environment(self) -> dict[str, str]:
        return {**os.environ, "PULSE_HOME": str(self._hub.home)}

    def _type(self, terminal: Terminal, line: str) -> None:
        _, code = terminal.run(line, path_person.COMMAND_S_MAX)
        _say(f"    $ {line}{f'  (exit {code})' if code else ''}")

    def _watch(self, moment: Moment, seconds: float) -> None:
        """Look at what is shown for so long, and answer; what the person let run is waited for beyond it."""
        until = time.monotonic() + seconds
        while time.monotonic() < until or self._running:
            cards = self._open()
            for card in cards:
                self._look_at(card, moment)
            for event in self._feed.digests[:]:
                self._look_at_digest(msgspec.convert(event, DigestReady), moment)
            self._answer(cards)
            self._ended()
            time.sleep(POLL_S)

    def _open(self) -> list[Prediction]:
        found = self._hub.call("GET", "/api/v1/predictions?status=pending")["predictions"]
        return [msgspec.convert(card, Prediction) for card in found[::-1] if card["id"] not in self._before]

    def _look_at(self, card: Prediction, moment: Moment) -> None:
        known = self._seen.get(card.id)
        if known is not None and (known.told or card.held is not None):
            return
        seen = as_seen(card)
        said = ruling(self._path, moment, seen, self._now, self._shown())
        judged = Judged(moment.id, said.verdict, said.entry, seen)
        judged.told = card.held is None
        if known is None or judged.told:
            self._seen[card.id] = judged
            _say(f"{judged.line}\n             {card.reasoning}")
        if judged.told:
            self._answers[card.id] = (time.monotonic() + READING_S_MAX, said.answer)

    def _look_at_digest(self, digest: DigestReady, moment: Moment) -> None:
        """A digest is one message, and judged as one card; the cards in it are judged by themselves as well."""
        if digest.digest_id in self._seen:
            return
        seen = CardSeen(text=in_lines(digest, phrases()), command="")
        said = ruling(self._path, moment, seen, self._now, self._shown())
        self._seen[digest.digest_id] = judged = Judged(moment.id, said.verdict, said.entry, seen)
        _say(f"{judged.line}\n             (a digest) {seen.text!r}")

    def _shown(self) -> dict[str, str]:
        """The entries whose cards were told already, each with its moment."""
        return {one.entry.id: one.moment for one in self._seen.values() if one.entry is not None and one.told}

    def _answer(self, cards: Sequence[Prediction]) -> None:
        for card in cards:
            at, answer = self._answers.get(card.id, (0.0, "leave"))
            if answer == "leave" or time.monotonic() < at:
                continue
            del self._answers[card.id]
            verb = "confirm" if answer == "yes" else "reject"
            body: dict[str, object] = {"cardHash": card.card_hash}
            if verb == "confirm" and card.permission is not None and card.permission.questions:
                first = {one.id: [one.choices[0].label] for one in card.permission.questions}
                body["permission"] = {"answers": first}
            self._hub.call("POST", f"/api/v1/predictions/{card.id}/{verb}", body)
            if answer == "yes":
                self._running.add(card.id)
                self._run_until = time.monotonic() + RUN_S_MAX

    def _ended(self) -> None:
        for card_id in list(self._running):
            card = msgspec.convert(self._hub.call("GET", f"/api/v1/predictions/{card_id}"), Prediction)
            is_answer = card.permission is not None and card.status == "confirmed"  # nothing runs after it
            if card.status not in OVER and not is_answer and time.monotonic() < self._run_until:
                continue
            self._running.discard(card_id)
            judged = self._seen[card_id]
            judged.end = f"{card.status}: {card.result.summary if card.result else card.outcome}"
            _say(f"    (yes → {judged.end})")
            is_red = bool(judged.entry and judged.entry.red and card.result and card.result.tests)
            if card.status != "executed" and not is_red and not is_answer:
                judged.becomes("false", f"what it runs fails: {judged.end}")


@contextmanager
def a_push_service() -> Iterator[str]:
    """Run a push service that takes everything; its origin is what a browser's subscription begins with."""
    with subprocess.Popen(PUSH_SERVICE, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        yield f"http://127.0.0.1:{service.stdout.readline().strip()}"
        service.communicate("")


def as_seen(card: Prediction) -> CardSeen:
    """Return what a person is shown of a card, and what would run."""
    lines = [card.prompt, card.reasoning, card.details]
    command = ""
    if card.runs is not None:
        # Without an argv it is a note of Pulse's own: nothing of the person's would run.
        command = card.runs.summary if card.runs.argv else ""
        lines += [card.runs.summary, card.runs.script]
        if card.runs.commit is not None:
            lines += [line.text for line in commit_lines(card.runs.commit, phrases())]
    return CardSeen(text="\n".join(lines), command=command)


class Counted:
    """What one path came to."""

    def __init__(self, path: PathList) -> None:
        self.path = path
        self.cards: list[Judged] = []
        self.spent = self.per_day = 0

    def count(self, verdict: Verdict) -> int:
        """Return how many of the cards that were told are so; false ones count where nobody was told, too."""
        return sum(one.verdict == verdict and (one.told or verdict == "false") for one in self.cards)

    @property
    def unasked(self) -> int:
        """How many useful cards nobody had asked for."""
        return sum(one.verdict == "useful" and one.told and not (one.entry and one.entry.asked) for one in self.cards)

    @property
    def shown(self) -> int:
        """How many cards were told."""
        return sum(one.told for one in self.cards)


def walk(name: str, minute_s: float) -> Counted:
    """Walk one path, from its first place to its last."""
    counted = Counted(read(name))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pulse-path-")))
        environment = stack.enter_context(path_person.a_person(folder))
        seen: dict[str, Judged] = {}
        for place in counted.path.places:
            _say(f"\n## {name}: {place.id} ({place.what})")
            one = Walk(counted.path, place, folder, minute_s, frozenset(seen))
            seen |= one.go(environment)
            counted.spent, counted.per_day = one.spent, one.per_day
        counted.cards = list(seen.values())
    _say(
        f"\n{name}: {counted.shown} shown: {counted.count('useful')} useful ({counted.unasked} unasked), "
        f"{counted.count('useless')} useless, {counted.count('not on the list')} not on the list, "
        f"{counted.count('false')} false; {counted.spent} of {counted.per_day} interruptions"
    )
    return counted


def run() -> tuple[Figure, ...]:
    """Walk all three."""
    return tuple(figure for name in PATHS for figure in figures(walk(name, MINUTE_S[name])))


def figures(counted: Counted) -> tuple[Figure, ...]:
    """Return what a path came to, against its goals."""
    path, name = counted.path, counted.path.name
    made = [
        Figure(bench=BENCH, what=f"{name}: useful cards, unasked", value=counted.unasked, unit="cards",
               better="higher", goal=path.goal_useful),
        Figure(bench=BENCH, what=f"{name}: false cards", value=counted.count("false"), unit="cards",
               goal=path.goal_false),
        Figure(bench=BENCH, what=f"{name}: interruptions, of {counted.per_day} a day", value=counted.spent,
               unit="interruptions", goal=counted.per_day),
    ]  # fmt: skip
    if path.goal_useful_share is not None:
        share = 100 * counted.count("useful") / counted.shown if counted.shown else 0.0
        made.append(Figure(bench=BENCH, what=f"{name}: useful, of {counted.shown} cards shown", value=share, unit="%",
                           better="higher", goal=100 * path.goal_useful_share))  # fmt: skip
    return tuple(made)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def main(arguments: Sequence[str]) -> None:
    """Walk the paths that are named, at a pace of one's own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH", help=f"one of: {', '.join(PATHS)}; without one, all")
    parser.add_argument("--minute", type=float, metavar="SECONDS", help="how long a minute of theirs takes")
    chosen = parser.parse_args(arguments)
    for name in chosen.paths or PATHS:
        for figure in figures(walk(name, chosen.minute or MINUTE_S[name])):
            sys.stdout.write(f"{figure.what}: {figure.value:g} {figure.unit} (goal {figure.goal:g})\n")


if __name__ == "__main__":
    main(sys.argv[1:])
