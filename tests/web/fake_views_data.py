"""What a hub that has run for a while would say: suggestions of every fate, figures, settings and devices. Pure."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

Json = dict[str, Any]

CHANNELS: Final = ("koji-core", "homepage", "infra", "research")
PROMPTS: Final = (
    "Run the tests of koji-core",
    "Deploy the shop to production?",
    "Update the three dependencies with known holes, then run the tests and tell me what broke",
    "Delete 14 merged branches?",
    "הפעל את הבדיקות 🧪 عربى",
    "Write the release notes of 2.4 from the commits since 2.3",
    '<img src=x onerror="alert(1)"> is how the title reads; escape it?',
    "Restart the cache",
)
FATES: Final = (
    "executed",
    "rejected",
    "executed",
    "expired",
    "failed",
    "executed",
    "cancelled",
    "confirmed",
    "pending",
)
BLOCKED: Final = "About $0.05 more would exceed the day's cap of $20.00; it resets at midnight."
DAY_COUNTS: Final = (3, 7, 5, 0, 9, 12, 4)


def prediction(number: int, now: datetime) -> Json:
    """Return the suggestion of that number; a higher number is older."""
    made = now - timedelta(minutes=17 * number + 3)
    status = FATES[number % len(FATES)]
    blocked = status == "cancelled" and number % 2 == 0
    return {
        "id": f"pred-{number:04d}",
        "prompt": PROMPTS[number % len(PROMPTS)],
        "targetAgent": "coder",
        "targetChannel": CHANNELS[number % len(CHANNELS)],
        "confidence": 0.5 + (number * 37 % 50) / 100,
        "confidenceLearnt": True,
        "reasoning": "Two files changed and nobody has run the tests since.",
        "createdAt": made.isoformat(),
        "status": status,
        "source": "ask" if number % 8 in {1, 3} else "template",
        "expiresAt": (made + timedelta(hours=2)).isoformat(),
        "risk": "high" if number % 8 == 1 else "low",
        "cardHash": f"hash-{number}",
        "costEstimateUsd": 0.05,
        "badges": [],
        "snoozedUntil": None,
        "snoozesLeft": 3,
        "settled": None if status in {"pending", "expired", "cancelled"} else settlement(status, made),
        "executionId": f"run-{number}" if status in {"executed", "failed", "confirmed"} else None,
        "runState": {"executed": "verified", "failed": "failed", "confirmed": "active"}.get(status),
        "statusReason": "blocked" if blocked else None,
        "outcome": BLOCKED if blocked else {"executed": "42 tests passed.", "failed": "Exit code 1."}.get(status, ""),
    }


def settlement(status: str, at: datetime) -> Json:
    """Return who settled it: always me, on the laptop."""
    verb = "reject" if status == "rejected" else "approve"
    return {
        "verb": verb,
        "by": "me",
        "surface": "browser",
        "device": "laptop",
        "humanInput": "key",
        "at": (at + timedelta(minutes=4)).isoformat(),
        "reason": "",
    }


def status(now: datetime, **changes: object) -> Json:
    """Return the autonomous state and its budgets."""
    return {
        "enabled": True,
        "autonomous": True,
        "state": "watching",
        "reason": "You are here; cards only.",
        "lastTriggerAt": now.isoformat(),
        "totalTriggers": 214,
        "costThisHour": 0.35,
        "costCapPerHour": 2.0,
        "costToday": 16.8,
        "costCapPerDay": 20.0,
        "costThisMonth": 61.25,
        "costCapPerMonth": 200.0,
        "quiet": False,
        "dndUntil": None,
        "killedBy": "",
        "monthStopped": False,
        "pending": 3,
        "loopDetections": 0,
        "attention": {"spent": 3, "perDay": 16, "held": 2, "nextDigestAt": None},
    } | changes


def config(now: datetime) -> Json:
    """Return the configuration as it runs."""
    risks = ("low", "medium", "high", "low")
    said = ("Code, builds, tests", "The public site", "Servers and deploys", "Reading and summaries")
    views = [
        {
            "name": name,
            "specialty": specialty,
            "agent": "coder",
            "risk": risk,
            "costPerRunUsd": 0.05,
            "enabled": name != "research",
        }
        for name, specialty, risk in zip(CHANNELS, said, risks, strict=True)
    ]
    return {
        "enabled": True,
        "autonomous": True,
        "intervalMs": 600_000,
        "costCapPerHour": 2.0,
        "costCapPerDay": 20.0,
        "costCapPerMonth": 200.0,
        "autoExecuteThreshold": 0.85,
        "quietHoursStart": 23,
        "quietHoursEnd": 7,
        "needlessInterruption": "bad",
        "missedHelp": "bad",
        "wrongAct": "awful",
        "interruptionsPerDay": 16,
        "digestTimes": ["09:00", "13:00", "17:00"],
        "digestOnReturn": True,
        "channels": list(CHANNELS),
        "suggestThreshold": 0.6,
        "showThreshold": 0.4,
        "dndUntil": None,
        "zone": "Europe/Vienna",
        "channelViews": views,
        "status": status(now),
    }


def why(card: Json, now: datetime) -> Json:
    """Return the episode of a suggestion, with every kind of step."""
    at = datetime.fromisoformat(card["createdAt"])
    verdicts = [
        verdict("rate", "pass", "rate.interval", "The last trigger was 12 min ago.", interval_s=600.0, elapsed_s=720.0),
        verdict("loops", "pass", "loops.fresh", "No earlier suggestion led to this one.", depth=1.0),
        verdict("cost", "pass", "cost.fits", "About $0.05 more fits.", estimate_usd=0.05, day_cap_usd=20.0),
        verdict("gate", "ask", "gate.auto-execute", "72% is below 85%.", confidence=0.72, auto_execute=0.85),
    ]
    told: tuple[tuple[str, str, list[str], list[Json]], ...] = (
        (
            "sensed",
            "What Pulse knew.",
            [f"Defined by /usr/bin/bash, sha256 {'5f' * 32}", "You had been quiet for 40 minutes.", "You are here"],
            [],
        ),
        ("proposed", f"Out of 10 ideas: {card['prompt']}", [f"Why: {card['reasoning']}", *RULED_OUT], []),
        ("judged", "The rules require a person's approval.", [], verdicts),
        ("delivery", "prediction.new to browser/laptop: shown.", [], []),
        ("decided", "me approved it on browser/laptop by key.", [], []),
        ("moved", "pending → confirmed: approved.", [], []),
        ("ran", "The agent began.", [], []),
        ("progress", "The agent said 40 lines.", [f"collected {number} items" for number in range(40)], []),
        ("result", "Run 1 of coder in koji-core, with your permission: verified, $0.04.", ["42 passed in 3.1 s"], []),
        ("learned", "Learned from your yes. It counts as a yes, with a weight of 1.0.", [], []),
    )
    steps: list[Json] = [
        {
            "at": (at + timedelta(seconds=40 * place)).isoformat(),
            "kind": kind,
            "text": text,
            "lines": lines,
            "verdicts": rules,
        }
        for place, (kind, text, lines, rules) in enumerate(told)
    ]
    silence = phrasing("seen.silence", parts={"span": phrasing("so_long.minutes", values={"number": "40"})})
    steps[0] |= {"textWorded": phrasing("story.sensed"), "linesWorded": [None, silence, None]}
    return {"prediction": card, "status": status(now), "steps": steps}


def phrasing(code: str, **more: Json) -> Json:
    """Return a sentence of the hub's as a code."""
    return {"code": code, "values": {}, "listed": [], "day": None, "about": None, "numbers": {}, "parts": {}, **more}


RULED_OUT = tuple(f"Ruled out: idea {number}, less sure" for number in range(2, 11))


def verdict(stage: str, outcome: str, rule: str, reason: str, **numbers: float) -> Json:
    """Return one rail's verdict."""
    return {"stage": stage, "outcome": outcome, "rule": rule, "reason": reason, "numbers": numbers}


def runs(card: Json) -> Json:
    """Return two attempts: one that failed, one with a long output."""
    at = datetime.fromisoformat(card["createdAt"]) + timedelta(minutes=4)
    long = "\n".join(f"tests/test_{number}.py::test_it {'.' * 60} PASSED [{number:3d}%]" for number in range(100))
    found = [
        run(
            1,
            at,
            "failed",
            proof="Exit code 1 where 0 was needed.",
            output="ImportError: no module named shop",
            exit_code=1,
        ),
        run(2, at + timedelta(minutes=6), "verified", proof="Exit code 0; 2 files changed.", output=long, exit_code=0),
    ]
    return {"runs": found, "count": len(found)}


def run(attempt: int, at: datetime, state: str, *, proof: str, output: str, exit_code: int) -> Json:
    """Return one attempt of three minutes."""
    return {
        "executionId": f"run-{attempt}",
        "attempt": attempt,
        "state": state,
        "agent": "coder",
        "autonomous": False,
        "queuedAt": at.isoformat(),
        "startedAt": at.isoformat(),
        "endedAt": (at + timedelta(minutes=3)).isoformat(),
        "costUsd": 0.04,
        "proof": proof,
        "output": output,
        "exitCode": exit_code,
    }


def insight(days: int, now: datetime, *, empty: bool = False) -> Json:
    """Return the figures of a span; `empty` as on the first day."""
    made = [0 if empty else DAY_COUNTS[number % len(DAY_COUNTS)] for number in range(days)]
    figures = [
        day((now - timedelta(days=days - 1 - number)).date().isoformat(), count) for number, count in enumerate(made)
    ]
    channels = [] if empty else [channel(name, 40 // (place + 1)) for place, name in enumerate(CHANNELS)]
    bins = [reliability(number, 0 if empty or number < 4 else number * 6) for number in range(10)]
    caps = [
        {"window": window, "spentUsd": spent, "capUsd": cap}
        for window, spent, cap in (("hour", 0.35, 2.0), ("day", 16.8, 20.0), ("month", 61.25, 200.0))
    ]
    return {
        "zone": "Europe/Vienna",
        "days": figures,
        "channels": channels,
        "calibration": bins,
        "caps": caps,
        "chances": chances(0 if empty else 120),
        "truncated": False,
    }


def chances(answers: int) -> Json:
    """Return how chances of a yes went with so many answers: it comes a little less often than expected."""
    judged = answers >= 30
    points = [
        {"low": n / 10, "high": (n + 1) / 10, "answers": answers // 4, "said": n / 10 + 0.05, "came": n / 10 + 0.02}
        for n in (3, 5, 7, 8)
    ]
    return {
        "answers": answers,
        "more": max(0, 30 - answers),
        "apart": 0.03 if judged else None,
        "brier": 0.18 if judged else None,
        "sharpness": 0.04 if judged else None,
        "points": points if judged else [],
    }


def day(name: str, count: int) -> Json:
    """Return one day with that many suggestions; every fourth is dismissed, the last one expires."""
    rejected, expired = count // 4, min(1, count)
    approved = max(0, count - rejected - expired)
    answered = approved + rejected
    return {
        "day": name,
        "suggestions": count,
        "approved": approved,
        "rejected": rejected,
        "expired": expired,
        "executed": max(0, approved - 1),
        "failed": min(1, approved),
        "blocked": count // 6,
        "interruptions": count // 2,
        "costUsd": 0.05 * approved,
        "approvalRate": approved / answered if answered else None,
    }


def channel(name: str, count: int) -> Json:
    """Return one channel with that many suggestions."""
    return {
        "channel": name,
        "suggestions": count,
        "approved": count // 2,
        "rejected": count // 5,
        "executed": count // 2,
        "failed": count // 10,
        "costUsd": 0.05 * count,
    }


def reliability(number: int, count: int) -> Json:
    """Return the tenth of confidence of that number; it is approved a little less often than it is sure."""
    return {
        "low": number / 10,
        "high": (number + 1) / 10,
        "suggestions": count + 2,
        "answered": count,
        "meanConfidence": number / 10 + 0.05 if count else None,
        "approvalRate": max(0.0, number / 10 - 0.03) if count else None,
    }


def devices() -> list[Json]:
    """Return this browser, a phone's and a terminal."""
    return [
        device("browser", "laptop", "Laptop", this=True, online=True, reachable=True),
        device("browser", "phone", "Phone", this=False, online=False, reachable=True),
        device("terminal", "desk", "", this=False, online=True, reachable=False),
    ]


def device(surface: str, name: str, title: str, *, this: bool, online: bool, reachable: bool) -> Json:
    """Return one paired device."""
    return {
        "surface": surface,
        "device": name,
        "profile": surface,
        "online": online,
        "personActiveAt": None,
        "title": title,
        "privacy": "full",
        "reachable": reachable,
        "this": this,
    }


def trial(state: str | None, detail: str = "", fix: str = "") -> Json:
    """Return what became of a test, None for before any."""
    return {"state": state, "detail": detail, "fix": fix, "at": None if state is None else utc_now().isoformat()}


def barred() -> Json:
    """Return why a phone does not reach the person."""
    return {
        "surface": "browser",
        "device": "phone",
        "title": "Phone",
        "why": "its push service no longer accepts its address",
        "worded": {"code": "unreached.gone", "values": {}, "listed": []},
        "fix": "On that device: Settings, Devices, switch Notifications on.",
        "fixWorded": {"code": "unreached_fix.browser", "values": {}, "listed": []},
        "since": None,
        "absent": False,
    }


def pairing(now: datetime) -> Json:
    """Return a code of ten minutes; its picture has the size of a real one."""
    side = range(29)
    rows = ["".join("1" if (row * column + row + 2 * column) % 3 == 0 else "0" for column in side) for row in side]
    return {
        "code": "KORB-7342",
        "url": "http://127.0.0.1:8420/#pair=KORB-7342",
        "expiresAt": (now + timedelta(minutes=10)).isoformat(),
        "qr": rows,
        "certificates": [],
    }


def utc_now() -> datetime:
    """Return the time; what is shown depends on it."""
    return datetime.now(UTC)
