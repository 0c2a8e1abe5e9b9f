"""The endpoints behind the view of the sessions, answered from memory: four sessions and the day on which they were."""

from datetime import datetime, timedelta
from typing import Any, Final

from tests.web.fake_views_data import Json

LOG: Final = "/home/ada/.pulse/world.log"
HOSTILE: Final = '<img src=x onerror="alert(1)">'


class FakeWorld:
    """What the hub knows of the world log. All of it happened in the two hours before `now`."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.asked: list[tuple[str, str]] = []
        """Which days were asked for, and with what search."""
        self.sessions = [
            self.session("abc123", "failed", 20, task="Book a flight to Tokyo", asks="solve captcha", retries=1),
            self.session("deploy-7", "finish", 6, task="Deploy the shop", need="https://127.0.0.1:8443/health says ok"),
            self.session("nightly", "active", 2, task=f"Count {HOSTILE}", proven=True, agent="claude"),
            self.session("tests", "verified", 50, task="Run the tests", checkedBy="proof"),
        ]

    def at(self, minutes: float) -> str:
        """Return when it was, so many minutes ago."""
        return (self.now - timedelta(minutes=minutes)).isoformat()

    def session(self, name: str, status: str, moved: int, **more: Any) -> Json:  # noqa: ANN401  fields of a session
        """Return one session that came to its status so many minutes ago."""
        return {
            "id": name,
            "status": status,
            "task": "",
            "need": "",
            "said": "captcha required" if status == "failed" else "3 of 5 done",
            "asks": "",
            "startedAt": self.at(110),
            "movedAt": self.at(moved),
            "heardAt": self.at(moved),
            "tries": 1,
            "retries": 0,
            "proven": False,
            "agent": "",
            "folder": "",
            "checkedBy": "",
            "refused": 0,
            "pid": None,
            "predictionId": None,
            **more,
        }

    def status(self, *, empty: bool = False) -> Json:
        """Return what the status says of the sessions."""
        of = {name: [one for one in self.sessions if one["status"] == name] for name in ("active", "finish", "failed")}
        return {
            "active": 0 if empty else len(of["active"]),
            "pending": 0 if empty else len(of["finish"]),
            "failed": 0 if empty else len(of["failed"]),
            "verifiedAt": None if empty else self.at(50),
            "asks": of["failed"][0]["id"] if of["failed"] and not empty else "",
        }

    def day(self, day: str, search: str, *, empty: bool) -> Json:
        """Return a day: today with what happened, any other one without."""
        self.asked.append((day, search))
        today = self.now.date().isoformat()
        is_empty = empty or (day or today) != today
        begin = self.now.replace(hour=0, minute=0, second=0, microsecond=0)
        lanes = (
            []
            if is_empty
            else [one for one in self.lanes() if search.lower() in f"{one['session']} {one['task']}".lower()]
        )
        events = [] if is_empty or search else self.events()
        return {
            "day": day or today,
            "zone": "UTC",
            "since": begin.isoformat(),
            "until": (begin + timedelta(days=1)).isoformat(),
            "now": self.now.isoformat(),
            "lanes": lanes,
            "events": events,
            "lines": 40,
            "unparsed": 0 if is_empty else 2,
            "unknown": 0,
            "undated": 0,
            "more": 0,
            "cutAt": None,
        }

    def lanes(self) -> list[Json]:
        """Return what each did: how it was, as (status, from, to) in minutes ago."""
        return [
            self.lane("tests", [("start", 110, 108), ("active", 108, 60), ("finish", 60, 50), ("verified", 50, 50)]),
            self.lane(
                "abc123",
                [("active", 100, 80), ("failed", 80, 70), ("retry", 70, 68), ("active", 68, 20), ("failed", 20, 0)],
                silent=(62, 40),
            ),
            self.lane("deploy-7", [(None, 95, 60), ("active", 60, 6), ("finish", 6, 0)]),
            self.lane("nightly", [("start", 30, 28), ("active", 28, 0)]),
        ]

    def lane(self, name: str, spans: list[tuple[Any, int, int]], silent: tuple[int, int] | None = None) -> Json:
        """Return one lane."""
        session = next(one for one in self.sessions if one["id"] == name)
        pauses = [("answer", begin, end) for status, begin, end in spans if status == "failed"]
        pauses += [("silence", *silent)] if silent else []
        fact = {"source": "user", "identifier": name, "text": "XKCD42", "refused": None, "about": False}
        claim = {"source": "", "identifier": "", "text": "all done", "refused": "verified", "about": False}
        forged = {**claim, "at": self.at(65), "forged": True}
        return {
            "session": name,
            "task": session["task"],
            "need": session["need"],
            "status": session["status"],
            "said": session["said"],
            "asks": session["asks"],
            "tries": session["retries"] + 1,
            "proven": session["proven"],
            "workedS": 60 * sum(begin - end for status, begin, end in spans if status in {"start", "active", "retry"}),
            "waitedS": 60 * sum(begin - end for kind, begin, end in pauses if kind == "answer"),
            "checkedS": 60 * sum(begin - end for status, begin, end in spans if status == "finish"),
            "silentS": 60 * sum(begin - end for kind, begin, end in pauses if kind == "silence"),
            "agent": session["agent"],
            "checkedBy": session["checkedBy"],
            "spans": [
                {"status": status, "begin": self.at(begin), "end": self.at(end), "said": f"{status} said {HOSTILE}"}
                for status, begin, end in spans
            ],
            "pauses": [
                {"kind": kind, "begin": self.at(begin), "end": self.at(end), "isOpen": end == 0}
                for kind, begin, end in pauses
            ],
            "events": [{**fact, "at": self.at(70)}, forged] if name == "abc123" else [],
            "more": 0,
        }

    def events(self) -> list[Json]:
        """Return the facts of no session."""
        fact = {"source": "chrome", "identifier": "kayak.com", "refused": None, "about": False}
        return [{**fact, "at": self.at(100 - 7 * number), "text": f"found {number} flights"} for number in range(12)]
