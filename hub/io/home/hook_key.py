"""The key with which the hub proves to an agent's hook that it is the hub: the hook knows its public half (ADR 159).

RSA, for the hook's program checks it with nothing but Python's own whole numbers in a fraction of a millisecond.
"""

from functools import cached_property
from typing import TYPE_CHECKING

from hub.io.home.folder import Home, HomeError, said
from hub.io.home.kept_file import KeptFile
from hub.kit.files import create_file

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

BITS, EXPONENT = 2048, 65_537
SECRET, PUBLIC = "hook-key.pem", "hook-key.pub"


class HookKey:
    """The key of one home."""

    def __init__(self, home: Home) -> None:
        self.secret = KeptFile(home.secret_path(SECRET))
        self.public = KeptFile(home.folder / PUBLIC)

    def prepare(self, *, compares: bool = True) -> None:
        """Have both halves be there, made if they do not exist yet.

        With `compares` the public half is the key's own, whatever is in its file; else one that is there is taken.

        Raises:
            HomeError: they can be neither read nor made.
        """
        with said(self.public.path):
            public = self.public.read()
            if compares or public is None or self.secret.read() is None:
                own = f"{self._private.public_key().public_numbers().n:x}\n"
                if own.encode() != public:
                    self.public.write(own)
        with said(self.secret.path):
            self.secret.read()

    def sign(self, text: bytes) -> str:
        """Return the signature in hexadecimal digits: RSASSA-PKCS1-v1_5 with SHA-256, RFC 8017 section 8.2."""
        from cryptography.hazmat.primitives.asymmetric import padding  # noqa: PLC0415  for hooks alone
        from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415  for hooks alone

        return self._private.sign(text, padding.PKCS1v15(), SHA256()).hex()

    @cached_property
    def _private(self) -> "RSAPrivateKey":
        from cryptography.hazmat.primitives import serialization as form  # noqa: PLC0415  for hooks alone
        from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: PLC0415  for hooks alone

        path = self.secret.path
        with said(path):
            if not path.exists():
                made = rsa.generate_private_key(EXPONENT, BITS)
                pem = made.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
                create_file(path, pem)
            try:
                found = form.load_pem_private_key(path.read_bytes(), None)
            except ValueError:
                found = None
        if not isinstance(found, rsa.RSAPrivateKey):
            raise HomeError(f"{path} is damaged.", fix=f"Remove it and {self.public.path}, then start Pulse.")
        return found
