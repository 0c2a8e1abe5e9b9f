"""Runs the project's tests, whatever they are written in, and records how it went."""

import asyncio
import os
import time
from datetime import UTC, timedelta
from pathlib import Path

import msgspec

from hub.contract.words import Risk
from hub.domain.execution import RunResult, not_started
from hub.domain.plan import AnyPlan, Plan, cannot
from hub.domain.provenance import say
from hub.io.agents.containment import described
from hub.io.agents.defining import real
from hub.io.agents.playbook.how_to_test import plan_tests
from hub.io.agents.playbook.shape import Asked, Playbook
from hub.io.agents.playbook.workplace import Workplace, write_whole
from hub.sense.how_to_test import NO_WAY
from hub.sense.run_record import RECORD_FILE, RecordedRun
from hub.verify.runners import found_none, output_of

RECORD_BYTES_MAX = 1_048_576
RECORD_LINES_KEPT = 1_000


async def run_tests(place: Workplace) -> RunResult:
    """Run the command of the plan that was permitted, and append the result to `$PULSE_HOME/test-runs.jsonl`."""
    plan = place.job.plan
    if not isinstance(plan, Plan) or not plan.argv:
        return not_started(NO_WAY if plan is None or isinstance(plan, Plan) else plan.told)
    at, began = place.now.astimezone(UTC), time.monotonic()  # as exact as files are: an edit of that second came before
    tree = await place.git.work_tree()
    place.say(f"Running {' '.join(plan.argv)}")
    own = (line.partition("=") for line in plan.environment)
    ending = await place.run(plan.argv, {name: value for name, sign, value in own if sign})
    if ending.ended == "exited" and not found_none(output_of(ending.output)):  # which proves nothing
        run = RecordedRun(
            repo=str(tree.top) if tree else str(place.workspace),
            at=at,
            ended=at + timedelta(seconds=time.monotonic() - began),
            head=tree.head or None if tree else None,
            passed=ending.exit_code == 0,
            within=_within(place.workspace, tree.top) if tree else "",
        )
        await asyncio.to_thread(record, place.home / RECORD_FILE, run)
    held = described(place.job.agent, plan.folder)
    return RunResult(
        ended=ending.ended,
        exit_code=ending.exit_code,
        output=ending.output,
        truncated=ending.truncated,
        detail=ending.detail,
        containment=held.text,
        containment_worded=held.worded,
    )


async def plan_run(asked: Asked) -> AnyPlan:
    """Tell what running the tests would start, in the folder below that is named, if one is."""
    return await asyncio.to_thread(_planned, asked)


def _planned(asked: Asked) -> AnyPlan:
    within = next(iter(asked.work.args), "")
    folder = Path(real(asked.folder / within)) if within else asked.folder
    if within and not (folder.is_dir() and folder.is_relative_to(real(asked.folder))):
        return cannot(say("There is no folder {folder} in this workspace any more.", folder=within))
    return plan_tests(folder, asked.search_path)


def _within(folder: Path, top: Path) -> str:
    """Return a folder of a work tree as seen from its top; empty for the top itself."""
    real_folder = folder.resolve()
    is_below = real_folder != top and real_folder.is_relative_to(top)
    return real_folder.relative_to(top).as_posix() if is_below else ""


def record(path: Path, run: RecordedRun) -> None:
    """Append one line in one write; a long record is first cut to its latest lines."""
    if path.exists() and path.stat().st_size > RECORD_BYTES_MAX:
        latest = path.read_text(encoding="utf-8", errors="replace").splitlines()[-RECORD_LINES_KEPT:]
        write_whole(path, "\n".join(latest) + "\n")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, msgspec.json.encode(run) + b"\n")
    finally:
        os.close(descriptor)


PLAYBOOK = Playbook(
    name="run-tests",
    description="Run the project's tests, as the project does, and record the result.",
    risk=Risk.LOW,
    needs="tests, and the tool that runs them",
    work=run_tests,
    plan_work=plan_run,
)
