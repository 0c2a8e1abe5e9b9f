"""A model of the person, all the way: exported, loaded, trained on, served, swapped in, asked.

The libraries are real (the extra `train`), and so is the service: `transformers serve`, in OpenAI's form. They live in
`.venv-train` (docs/contributing.md). The model is tiny and made here: it gives either of two answers, one as often as
the other, until it has learnt from the pairs which of them the person wants.
"""

import asyncio
import contextlib
import json
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from hub.domain.lessons import AddPair
from hub.io.store.sqlite import open_store
from hub.settings.schema import PersonSettings
from tests.cli.real_hub import ENDED_WELL, RealHub, environment_of, make_repository
from tests.conformance.store.samples import pair
from tests.house.source import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.needs_trainer]

BIN = ROOT / ".venv-train" / "bin"
COUNT = 60
WANTED, UNWANTED = "Run the tests of repository", "Sum up today"
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}
LOADS = """
import json, sys, datasets, trl
found = {}
for form in ("dpo", "chat", "together"):
    rows = datasets.load_dataset("json", data_files=f"{sys.argv[1]}/{form}.jsonl", split="train", cache_dir=sys.argv[1])
    found[form] = [len(rows), sorted(rows.column_names), trl.data_utils.is_conversational(rows[0])]
print(json.dumps(found))
"""
CONFIG = """
[training]
export = true

[twin]
enabled = true
url = "http://127.0.0.1:{port}"
model = "{model}"
timeout_s = 120
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**environment_of(tmp_path), **OFFLINE}


def run(environment: dict[str, str], *command: str | Path) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3_000:]
    return done.stdout


async def answered(home: Path) -> None:
    """Keep what so many answers taught."""
    store = await open_store(home / "pulse.db")
    kept = []
    for n in range(COUNT):
        one = pair(f"c{n}", f"r{n}", user=PersonSettings().name, at=n)
        context = f"Time: Sunday {n % 24}:00\nSilence: {n} min\nRepository “shop”: on “main”, {n} uncommitted files"
        sides = {"chosen": f"{WANTED} → koji-core", "rejected": f"{UNWANTED} → chronicle-hub"}
        kept.append(AddPair(pair=replace(one, context=context, **sides)))
    await store.commit([tuple(kept)])
    await store.close()


@contextlib.contextmanager
def serving(environment: dict[str, str], folder: Path) -> Iterator[int]:
    """A service in OpenAI's form that answers with whatever model on this machine it is asked for."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [str(BIN / "transformers"), "serve", "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    said = []
    for line in process.stderr:  # it says so once it answers
        said.append(line)
        if "running on" in line:
            break
    else:
        pytest.fail("".join(said)[-3_000:])
    try:
        yield port
    finally:
        process.terminate()
        process.communicate(timeout=60)


@contextlib.contextmanager
def hub_at(folder: Path, environment: dict[str, str]) -> Iterator[RealHub]:
    hub = RealHub(folder / "home", folder / "repository", environment)
    make_repository(hub.repository)
    hub.start()
    try:
        yield hub
    finally:
        assert hub.stop() == ENDED_WELL


def asked(hub: RealHub) -> dict[str, Any]:
    """Change something and ask for a suggestion; return what the model said, by the story of the card."""
    for card in json.loads(hub.pulse("cards", "--json").stdout)["predictions"]:
        assert hub.pulse("reject", card["id"]).returncode == 0
    (hub.repository / "pay").mkdir()
    (hub.repository / "pay" / "card.py").write_text("ONE = 1\n")
    said = json.loads(hub.pulse("trigger", "--force", "--json").stdout)
    assert said["triggered"], (said, hub.pulse("status").stdout)
    story = json.loads(hub.pulse("why", said["prediction"]["id"], "--json").stdout)
    (proposed,) = [step for step in story["steps"] if step["kind"] == "proposed"]
    return {"source": said["prediction"]["source"], "prompt": said["prediction"]["prompt"], **proposed}


def test_from_the_pairs_to_a_model_that_wants_what_you_want(tmp_path: Path, environment: dict[str, str]) -> None:
    python, base, mine, rows = BIN / "python", tmp_path / "base", tmp_path / "mine", tmp_path / "rows"
    rows.mkdir()
    (tmp_path / "home").mkdir(mode=0o700)
    asyncio.run(answered(tmp_path / "home"))
    with serving(environment, tmp_path) as port:
        (tmp_path / "home" / "config.toml").write_text(CONFIG.format(port=port, model=base))
        with hub_at(tmp_path, environment) as hub:
            for form in ("dpo", "chat", "together"):
                assert hub.pulse("export", str(rows / f"{form}.jsonl"), "--format", form).returncode == 0
            found = json.loads(run(environment, python, "-c", LOADS, rows).splitlines()[-1])
            assert found == {
                "dpo": [COUNT, ["chosen", "metadata", "prompt", "rejected"], False],
                "chat": [COUNT, ["chosen", "prompt", "rejected"], True],
                "together": [COUNT, ["input", "non_preferred_output", "preferred_output"], False],
            }
            run(environment, python, ROOT / "tests/io/training/tiny_model.py", rows / "chat.jsonl", base)
            tried = hub.pulse("twin", "test")
            assert (tried.returncode, f"first ({base}): it answered" in tried.stdout) == (0, True), tried.stdout
            learnt = run(
                environment, python, "-m", "hub", "train", "local", base,
                "--out", mine, "--epochs", "1", "--learning-rate", "2e-4", "--use",
            )  # fmt: skip
            assert f"{mine}: learnt from {COUNT} pairs" in learnt
            said = asked(hub)
            assert said["source"] == "twin-model"
            assert WANTED in str(said)
            assert f"The model {mine} " in str(said)
            assert hub.pulse("train", "back").returncode == 0
            assert f"({base})" in hub.pulse("twin", "test").stdout


def test_what_the_trainer_itself_says() -> None:
    """The files and TRL, without a hub, by the Python that has the libraries."""
    environment = {**os.environ, **OFFLINE}
    said = run(environment, BIN / "python", "-m", "pytest", "tests/io/training/real_training.py", "-q", "-m", "")
    assert "passed" in said
