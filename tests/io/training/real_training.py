"""The real thing, where the extra `train` is installed: `./pulse test tests/io/training/real_training.py`.

Sixty pairs and a model of a few thousand weights, made here from its configuration: they say that the files load, that
TRL takes them as they are, that what is written can be loaded again, and that it prefers what was chosen.
"""

import importlib
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hub.contract.base import Value
from hub.domain.lessons import TrainingPair
from hub.io.training.dpo import OFFLINE, TrainingJob, TrainingOutcome
from hub.learn.pairs import PAIRS_MIN, dpo_row, preference_row
from tests.conformance.store.samples import pair

COUNT = PAIRS_MIN + 10
PAIRS = tuple(replace(pair(f"c{n}", f"r{n}", at=n), context=f"Time: Sunday {n % 24}:00") for n in range(COUNT))


def library(name: str) -> Any:  # noqa: ANN401  optional libraries
    return importlib.import_module(name)


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in OFFLINE.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    made = {}
    rows: tuple[tuple[str, Callable[[TrainingPair], Value]], ...] = (
        ("dpo", dpo_row),
        ("together", partial(preference_row, instruction="Foresee.")),
    )
    for name, row in rows:
        made[name] = tmp_path / f"{name}.jsonl"
        made[name].write_bytes(b"".join(msgspec.json.encode(row(one)) + b"\n" for one in PAIRS))
    return made


def a_tiny_model(folder: Path) -> None:
    """Write a model of two small layers, and a tokenizer that knows bytes."""
    tokens, transformers = library("tokenizers"), library("transformers")
    made = tokens.Tokenizer(tokens.models.BPE())
    made.pre_tokenizer = tokens.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokens.decoders.ByteLevel()
    alphabet = tokens.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokens.trainers.BpeTrainer(vocab_size=300, special_tokens=["<pad>", "<eos>"], initial_alphabet=alphabet)
    made.train_from_iterator([text for one in PAIRS for text in (one.context, one.chosen, one.rejected)], trainer)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<eos>", pad_token="<pad>")
    config = transformers.LlamaConfig(
        vocab_size=len(fast),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=512,
    )
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    fast.save_pretrained(folder)


def test_both_files_load_and_trl_knows_what_they_are(files: dict[str, Path], tmp_path: Path) -> None:
    load = library("datasets").load_dataset
    loaded = {
        name: load("json", data_files=str(file), split="train", cache_dir=str(tmp_path / name))
        for name, file in files.items()
    }
    assert {name: len(rows) for name, rows in loaded.items()} == {"dpo": COUNT, "together": COUNT}
    assert loaded["dpo"].column_names == ["prompt", "chosen", "rejected", "metadata"]
    assert not library("trl").data_utils.is_conversational(loaded["dpo"][0])


def test_a_tiny_model_learns_what_was_chosen(files: dict[str, Path], tmp_path: Path) -> None:
    before, after = tmp_path / "tiny", tmp_path / "trained"
    a_tiny_model(before)
    job = TrainingJob(model=str(before), pairs=str(files["dpo"]), out=str(after), epochs=3, learning_rate=5e-3)
    command = [sys.executable, "-m", "hub.io.training.dpo", msgspec.json.encode(job).decode()]
    said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    outcome = msgspec.json.decode(said.stdout.splitlines()[-1], type=TrainingOutcome)
    assert outcome.pairs == COUNT
    assert outcome.last_loss < outcome.first_loss / 2
    assert after.stat().st_mode & 0o777 == 0o700
    assert not after.with_name("trained.part").exists()
    assert margin(after) > margin(before)


def margin(folder: Path) -> float:
    """Return how much likelier a model finds the chosen text than the rejected one, per token."""
    torch, transformers = library("torch"), library("transformers")
    model = transformers.AutoModelForCausalLM.from_pretrained(str(folder), local_files_only=True)
    tokens = transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)

    def mean_log_likelihood(text: str) -> float:
        ids = tokens(PAIRS[0].context + text, return_tensors="pt").input_ids
        with torch.no_grad():
            return -float(model(ids, labels=ids).loss)

    return mean_log_likelihood(PAIRS[0].chosen) - mean_log_likelihood(PAIRS[0].rejected)
