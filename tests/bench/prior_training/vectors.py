"""The word vectors that come in the wheel of wordllama 0.4.0.post1 (MIT), read without its code.

Its tokenizer is Llama 2's byte-pair encoding; a word's vector is the mean of the vectors of its pieces.
"""

import json
import re
import struct
from functools import cache
from itertools import pairwise
from pathlib import Path
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

VECTORS = "wordllama/weights/l2_supercat_256.safetensors"
PIECES = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"
_WHOLE_WORD = re.compile("▁[A-Za-z]+")


class WordVectors:
    """What a wheel holds."""

    def __init__(self, wheel: Path) -> None:
        with ZipFile(wheel) as opened:
            content = opened.read(VECTORS)
            model = json.loads(opened.read(PIECES))["model"]
        size = struct.unpack_from("<Q", content)[0]
        (described,) = [one for name, one in json.loads(content[8 : 8 + size]).items() if name != "__metadata__"]
        kinds = {"F16": np.float16, "F32": np.float32}
        flat = np.frombuffer(content, kinds[described["dtype"]], offset=8 + size)
        self._vectors = flat.reshape(described["shape"]).astype(np.float64)
        self._pieces: dict[str, int] = model["vocab"]
        pairs = [tuple(one.split(" ")) if isinstance(one, str) else tuple(one) for one in model["merges"]]
        self._merges = {pair: rank for rank, pair in enumerate(pairs)}
        self.of_word = cache(self._of_word)

    def words(self) -> set[str]:
        """Return the words that are one piece, in lower case."""
        return {piece[1:].lower() for piece in self._pieces if _WHOLE_WORD.fullmatch(piece)}

    def _of_word(self, word: str) -> NDArray[np.float64]:
        known = [self._pieces[part] for part in self._parts("▁" + word) if part in self._pieces]
        found: NDArray[np.float64] = self._vectors[known].mean(axis=0) if known else self._vectors[0] * 0.0
        return found

    def _parts(self, word: str) -> list[str]:
        """Join the two neighbours that were learnt first to belong together, until none do."""
        parts = list(word)
        while len(parts) > 1:
            ranks = [self._merges.get(pair, len(self._merges)) for pair in pairwise(parts)]
            if min(ranks) == len(self._merges):
                break
            at = ranks.index(min(ranks))
            parts[at : at + 2] = ["".join(parts[at : at + 2])]
        return parts
