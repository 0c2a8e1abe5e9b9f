"""A model of a few thousand weights, made from its configuration: `python tiny_model.py ROWS FOLDER`.

It is taught, by the chats in ROWS (as `pulse export --format chat` writes them), to give either answer of each, one as
often as the other. So it speaks as a twin is asked to, and has no preference: that is what it is to learn.
Run by a Python with the extra `train`; it imports nothing of the tests.
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

import torch  # type: ignore[import-not-found]  # the extra `train`, in a Python of its own
import transformers  # type: ignore[import-not-found]  # as above
from tokenizers import (  # type: ignore[import-not-found]  # as above
    Tokenizer,
    decoders,
    models,
    pre_tokenizers,
    trainers,
)

STEPS, BATCH = 200, 4
LEARNING_RATE = 5e-3
WORDS_MAX = 1_000
SEEN_MAX = 32
"""Tokens that it looks back: it need not know more of a question than that it was one, however long that is, and
whatever document it ends with, which no pair has."""
TEMPLATE = (
    "{% for message in messages %}<{{ message.role }}>{{ message.content }}<eos>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
SPECIAL = ["<pad>", "<eos>", "<system>", "<user>", "<assistant>"]


def main(rows_file: Path, folder: Path) -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    dice = random.Random(0)  # noqa: S311  a seed makes each run the same
    rows = [json.loads(line) for line in rows_file.read_text().splitlines()]
    tokens = tokenizer(rows)
    model = transformers.MistralForCausalLM(
        transformers.MistralConfig(
            vocab_size=len(tokens),
            sliding_window=SEEN_MAX,
            hidden_size=48,
            intermediate_size=96,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=4,
            max_position_embeddings=8_192,
            pad_token_id=tokens.pad_token_id,
            eos_token_id=tokens.eos_token_id,
            bos_token_id=None,
        )
    )
    teach(model, tokens, rows, dice)
    model.save_pretrained(folder)
    tokens.save_pretrained(folder)


def tokenizer(rows: list[dict[str, Any]]) -> Any:  # noqa: ANN401  an optional library, without types
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=WORDS_MAX, special_tokens=SPECIAL, initial_alphabet=alphabet)
    made.train_from_iterator([one["content"] for row in rows for side in row.values() for one in side], trainer)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<eos>", pad_token="<pad>")
    fast.chat_template = TEMPLATE
    return fast


def teach(model: Any, tokens: Any, rows: list[dict[str, Any]], dice: random.Random) -> None:  # noqa: ANN401  as above
    by = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    for _ in range(STEPS):
        seen = [example(tokens, dice.choice(rows), dice) for _ in range(BATCH)]
        length = max(len(ids) for ids, _ in seen)
        ids = torch.full((BATCH, length), tokens.pad_token_id)
        wanted = torch.full((BATCH, length), -100)
        for number, (one, answer_at) in enumerate(seen):
            ids[number, : len(one)] = torch.tensor(one)
            wanted[number, answer_at : len(one)] = torch.tensor(one[answer_at:])
        loss = model(input_ids=ids, attention_mask=(ids != tokens.pad_token_id).long(), labels=wanted).loss
        loss.backward()
        by.step()
        by.zero_grad()


def example(
    tokens: Any,  # noqa: ANN401  as above
    row: dict[str, Any],
    dice: random.Random,
) -> tuple[list[int], int]:
    """Return the tokens of a chat's end with one of both answers, and where the answer begins."""
    system, user = row["prompt"]
    more = "".join(chr(dice.randrange(32, 127)) for _ in range(dice.choice([0, 2 * SEEN_MAX])))
    asked = [system, {"role": "user", "content": user["content"] + more}]
    start = tokens.apply_chat_template(asked, add_generation_prompt=True, tokenize=False)
    answer = row[dice.choice(["chosen", "rejected"])][0]["content"]
    before = tokens(start).input_ids[-2 * SEEN_MAX :]
    return before + tokens(answer + tokens.eos_token).input_ids, len(before)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
