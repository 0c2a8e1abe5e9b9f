"""The key with which Pulse signs its push messages (VAPID, RFC 8292): made on first use and kept.

Browsers bind their subscriptions to its public half: with another key every one of them has to be made again.
"""

import asyncio
import sys
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.contract.errors import WorldError
from hub.io.home.folder import secret_trouble
from hub.io.home.private_files import private_folder
from hub.kit.base64url import to_base64url
from hub.kit.files import create_file

RAW_KEY_CHARS = 43
PUBLIC_KEY_CHARS = 87


class VapidKeyError(WorldError):
    """The key for push messages cannot be read or created. Check that the disk is writable, or restore the key."""

    code = "push-key-unusable"


class VapidKey(Value):
    """Both halves in URL-safe base64 without padding: the private number, and the public point as browsers want it."""

    private: str
    public: str

    def __repr__(self) -> str:
        return f"VapidKey({self.public})"


async def key_at(path: Path) -> VapidKey:
    """Return the key in this file; to make it, a process of its own loads the libraries, so that this one need not.

    Raises:
        VapidKeyError: the file can be neither read nor made, or is damaged.
    """
    if not path.exists():  # noqa: ASYNC240  one look at a local file, once in a hub's life
        isolated = ["-I"] if sys.flags.isolated else []
        making = await asyncio.create_subprocess_exec(
            sys.executable, *isolated, "-m", "hub.io.home.vapid", str(path), stderr=asyncio.subprocess.DEVNULL
        )
        await making.wait()  # if it could not, the next line finds out why
    return load_or_make(path)


def load_or_make(path: Path) -> VapidKey:
    """Return the key in this file, which is made, whole and for its owner only, if it does not exist.

    Of several processes that make it at once the first one wins, and all return the same.

    Raises:
        VapidKeyError: the file can be neither read nor made, or is damaged.
    """
    try:
        if not path.exists():
            private_folder(path.parent)
            create_file(path, msgspec.json.encode(_new_key()))
        key = msgspec.json.decode(path.read_bytes(), type=VapidKey)
        trouble = secret_trouble(path, key.private.encode())
    except (OSError, msgspec.DecodeError) as error:
        raise VapidKeyError(f"{path}: {error}.", fix=VapidKeyError.__doc__ or "") from error
    if trouble is not None:
        raise VapidKeyError(trouble.detail, fix=trouble.fix)
    if len(key.private) != RAW_KEY_CHARS or len(key.public) != PUBLIC_KEY_CHARS:
        raise VapidKeyError(
            f"{path} is damaged.", fix="Restore it from a backup, or delete it: browsers then subscribe again."
        )
    return key


def _new_key() -> VapidKey:
    # imported here: it takes 10 MB and 40 ms
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415  needed once in the life of a home
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: PLC0415  needed once in the life of a home

    key = ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return VapidKey(private=to_base64url(key.private_numbers().private_value.to_bytes(32)), public=to_base64url(point))


if __name__ == "__main__":
    load_or_make(Path(sys.argv[1]))
