"""What the fake hub tells: cards, agents, tasks and a status, as the contract has them."""

from datetime import UTC, datetime, timedelta
from typing import Any

Json = dict[str, Any]

SESSION: Json = {
    "user": "me",
    "surface": "browser",
    "device": "laptop",
    "title": "Chromium on Linux",
    "scopes": ["read", "answer", "admin"],
    "vapidKey": "",
    "version": "0.3.0",
}
PROMPTS = (
    "Run the tests on the modules that changed since this morning",
    "Write the changelog entry for the new retry rule",
    "Look for the cause of the slow start after the last merge",
    "Answer the open review of the parser",
    "Tidy the fixtures that no test uses any more",
)
REASONS = (
    "3 modules changed since the last test run; this is when you usually run them.",
    "A user-visible change was committed without one.",
    "Starting takes 2.1 s, up from 0.8 s.",
    "The review has waited for a day.",
    "7 fixtures are not referenced.",
)
CHANNELS = ("koji-core", "chronicle", "research")


def ago(**length: float) -> str:
    """Return a moment before now, as on the wire."""
    return (datetime.now(UTC) - timedelta(**length)).isoformat()


def status(**changes: object) -> Json:
    """Return a status in which Pulse watches."""
    plain: Json = {
        "enabled": True,
        "autonomous": True,
        "state": "watching",
        "reason": "You are active.",
        "lastTriggerAt": ago(minutes=12),
        "totalTriggers": 4,
        "costThisHour": 0.12,
        "costCapPerHour": 1.0,
        "costToday": 0.86,
        "costCapPerDay": 10.0,
        "costThisMonth": 9.4,
        "costCapPerMonth": 100.0,
        "quiet": False,
        "dndUntil": None,
        "killedBy": "",
        "monthStopped": False,
        "pending": 0,
        "loopDetections": 0,
    }
    return {**plain, **changes}


RUNS: Json = {
    "summary": "/usr/bin/make test in shop",
    "command": "/usr/bin/make test",
    "argv": ["/usr/bin/make", "test"],
    "folder": "/home/me/shop",
    "prompt": "none",
    "environment": ["CI=1"],
    "definedBy": [{"path": "Makefile", "sha256": "5f" * 32}],
    "script": "pytest -q",
    "containment": "bubblewrap: Pulse's files hidden",
    "problem": "",
}


REPOSITORY: Json = {
    "path": "/home/me/shop",
    "name": "shop",
    "branch": "main",
    "changedFiles": 3,
    "changedModules": 2,
    "unpushed": 1,
    "lastCommitAt": None,
    "lastTestRunAt": "2026-03-01T12:00:00Z",
    "lastTestRunPassed": True,
    "ci": "unknown",
    "waiting": 2,
}


def card(number: int, **changes: object) -> Json:
    """Return one open card; each number is a little older than the one before."""
    turn = number - 1
    plain: Json = {
        "id": f"pred_{number:04d}",
        "prompt": PROMPTS[turn % len(PROMPTS)],
        "targetAgent": "claude-code",
        "targetChannel": CHANNELS[turn % len(CHANNELS)],
        "confidence": 0.72 - 0.06 * (turn % 5),
        "confidenceLearnt": True,
        "reasoning": REASONS[turn % len(REASONS)],
        "createdAt": ago(minutes=2 + 3 * turn),
        "status": "pending",
        "source": "twin-model" if turn % 2 == 0 else "template",
        "expiresAt": ago(minutes=-28 + turn),
        "risk": "low",
        "cardHash": f"hash{number}",
        "costEstimateUsd": 0.05,
        "badges": ["suggested"] + (["NEW"] if turn == 0 else []),
        "snoozedUntil": None,
        "snoozesLeft": 3,
        "settled": None,
        "executionId": None,
        "runState": None,
        "outcome": "",
        "attempts": 0,
        "runs": RUNS,
        "editable": True,
        "result": None,
        "offers": [],
        "fixer": "",
    }
    return {**plain, **changes}


def result(**changes: object) -> Json:
    """Return what came of a run of two tests that failed, by an agent that changed a file."""
    plain: Json = {
        "executionId": "exec_1",
        "ended": "failed",
        "summary": "2 failed, 187 passed in 14 s",
        "tests": {"passed": 187, "failed": 2, "errors": 0, "skipped": 0, "of": "tests"},
        "durationS": 14.2,
        "provenBy": "pytest -q",
        "advice": "",
        "trouble": ["E   AssertionError: assert 3 == 4", "FAILED tests/test_cart.py::test_tax - KeyError: 'rate'"],
        "said": "I could not find **the rate** for Portugal. <b>Which one</b> is it?\n\n- see `rates.toml`",
        "form": "markdown",
        "note": "",
        "files": [{"path": "src/cart.py", "added": 1, "removed": 1}],
        "filesChanged": 1,
        "hasDiff": True,
        "quotes": ["agent"],
    }
    return {**plain, **changes}


DIFF = """diff --git a/src/cart.py b/src/cart.py
index 1111111..2222222 100644
--- a/src/cart.py
+++ b/src/cart.py
@@ -1,2 +1,2 @@
 def total(items):
-    return 0
+    return sum(items)
"""


def run(**changes: object) -> Json:
    """Return one attempt, with its result and its diff."""
    plain: Json = {
        "executionId": "exec_1",
        "attempt": 1,
        "state": "failed",
        "agent": "claude-code",
        "autonomous": False,
        "queuedAt": ago(minutes=3),
        "startedAt": ago(minutes=3),
        "endedAt": ago(minutes=2),
        "costUsd": 0.1,
        "proof": "",
        "output": "all that it said",
        "exitCode": 1,
        "result": result(),
        "diff": DIFF,
        "diffCut": False,
    }
    return {**plain, **changes}


def settlement(verb: str, **changes: object) -> Json:
    """Return who settled a card: me, on my phone, just now."""
    plain: Json = {
        "verb": verb,
        "by": "me",
        "surface": "phone",
        "device": "pixel",
        "humanInput": "tap",
        "at": ago(),
        "reason": "",
    }
    return {**plain, **changes}


def agent(channel: str, state: str, tokens: int | None, specialty: str) -> Json:
    """Return one agent."""
    return {
        "channel": channel,
        "agent": "claude-code",
        "specialty": specialty,
        "state": state,
        "predictionId": None,
        "doing": "",
        "since": None,
        "lastLine": "",
        "tokensToday": tokens,
        "costTodayUsd": 0.2 if tokens else 0.0,
        "runsToday": 2,
    }


def coding_agent(agent: str, title: str, state: str, **changes: object) -> Json:
    """Return one coding agent on this machine."""
    plain: Json = {
        "agent": agent,
        "title": title,
        "state": state,
        "command": f"pulse connect {agent}",
        "file": "",
        "adds": [],
        "removes": [],
        "more": 0,
        "says": [],
        "notes": [],
        "since": None,
    }
    return {**plain, **changes}


CODING_AGENTS = (
    coding_agent(
        "claude-code",
        "Claude Code",
        "connected",
        command="pulse connect claude-code --remove",
        file="/home/me/.claude/settings.json",
        removes=['  "hooks": {', '    "PreToolUse": [', "    ]", "  }"],
        since="2026-03-02T09:00:00+00:00",
    ),
    coding_agent(
        "gemini",
        "Gemini CLI",
        "not-connected",
        file="/home/me/.gemini/settings.json",
        adds=['  "hooks": {', '    "BeforeTool": [', "    ]", "  }"],
        says=["What is harmless goes on unasked. What is risky becomes a card, and Gemini waits for your answer."],
    ),
)

MISSING_AGENTS = (
    {
        "agent": "codex",
        "title": "Codex",
        "program": "codex",
        "command": "pulse connect codex",
        "get": "npm install -g @openai/codex",
    },
    {
        "agent": "cursor",
        "title": "Cursor",
        "program": "cursor",
        "command": "pulse connect cursor",
        "get": "https://cursor.com/download",
    },
)

AGENTS = (
    agent("koji-core", "idle", 3_200, "code and tests"),
    agent("chronicle", "idle", 1_100, "notes and changelogs"),
    agent("research", "idle", 5_400, "questions"),
)


def task(number: int, title: str, state: str, minutes: float) -> Json:
    """Return one task, last touched so many minutes ago."""
    return {
        "id": f"task_{number}",
        "title": title,
        "status": state,
        "channel": None,
        "deadline": None,
        "notes": "",
        "createdAt": ago(minutes=minutes + 5),
        "updatedAt": ago(minutes=minutes),
        "stale": False,
        "predictionId": None,
    }


TASKS = (
    task(1, "Deploy compass", "completed", 2),
    task(2, "Update docs", "running", 9),
    task(3, "Twin fidelity", "queued", 31),
)


def verdict(stage: str, outcome: str, rule: str, reason: str, **numbers: float) -> Json:
    """Return one rail's verdict."""
    return {"stage": stage, "outcome": outcome, "rule": rule, "reason": reason, "numbers": numbers}


WHY = [
    {"at": ago(minutes=2), "kind": "sensed", "text": "What was going on.", "verdicts": [], "lines": []},
    {
        "at": ago(minutes=2),
        "kind": "judged",
        "text": "The rules require a person's approval.",
        "lines": [],
        "verdicts": [
            verdict("rate", "pass", "rate.interval", "The last trigger was 720 s ago.", elapsed_s=720, interval_s=600),
            verdict("loops", "pass", "loops.fresh", "Nothing led to this."),
            verdict("cost", "pass", "cost.fits", "It fits the hour, the day and the month.", estimate_usd=0.05),
            verdict("content", "pass", "content.clean", "Nothing in the text is dangerous."),
            verdict(
                "gate", "ask", "gate.below-auto", "72% is less than the 85% that run by themselves.", confidence=0.72
            ),
            verdict("kill", "pass", "kill.on", "Pulse is on."),
        ],
    },
]


def problem(code: int, name: str, detail: str, **more: object) -> Json:
    """Return a problem document."""
    plain: Json = {
        "type": "about:blank",
        "title": name,
        "status": code,
        "code": name,
        "detail": detail,
        "fix": "",
        "instance": "",
        "errors": [],
    }
    return {**plain, "settled": None, "prediction": None, **more}
