"""Bytes as text for addresses, headers and JSON: base64url without padding (RFC 4648, section 5). Pure."""

import base64


def to_base64url(data: bytes) -> str:
    """Return the text."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """Return the bytes; what is no letter of base64url is passed over.

    Raises:
        ValueError: it is not ASCII, or no whole number of bytes.
    """
    return base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
