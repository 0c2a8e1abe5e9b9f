"""The learnt weights: one signed byte for each of the columns that names of features are hashed to.

The file: five little-endian floats (`HEADER`), the columns of danger, then fewer columns for each kind of danger.
"""

import struct
from functools import cache
from importlib.resources import files
from zlib import crc32

from hub.contract.base import Value
from hub.contract.effects import Effect

COLUMNS = 1 << 17
KIND_COLUMNS = 1 << 14
KINDS = (Effect.DELETES, Effect.PAYS, Effect.MESSAGES)
"""Deleting stands for all that is hard to bring back: data, work, systems, access, secrets."""
HEADER = struct.Struct("<5f")
FILE = "weights.bin"


class Weights(Value):
    """The columns, what one step of a byte is worth, the bias, and the scores that `ask` and `block` begin above."""

    danger: bytes
    kinds: tuple[bytes, ...]
    step: float
    kind_step: float
    bias: float
    ask_above: float
    block_above: float

    def pack(self) -> bytes:
        """Return the file's content."""
        head = HEADER.pack(self.step, self.kind_step, self.bias, self.ask_above, self.block_above)
        return b"".join((head, self.danger, *self.kinds))


def column(name: str, columns: int = COLUMNS) -> int:
    """Return the column of a feature's name."""
    return crc32(name.encode("utf-8", "surrogatepass")) % columns


def unpack(content: bytes) -> Weights:
    """Read what `Weights.pack` wrote."""
    step, kind_step, bias, ask_above, block_above = HEADER.unpack_from(content)
    start = HEADER.size + COLUMNS
    return Weights(
        danger=content[HEADER.size : start],
        kinds=tuple(content[start + at * KIND_COLUMNS : start + (at + 1) * KIND_COLUMNS] for at in range(len(KINDS))),
        step=step,
        kind_step=kind_step,
        bias=bias,
        ask_above=ask_above,
        block_above=block_above,
    )


@cache
def shipped() -> Weights:
    """Return the weights that came with the program; they are part of it, and read with the first text."""
    return unpack(files(__package__).joinpath(FILE).read_bytes())
