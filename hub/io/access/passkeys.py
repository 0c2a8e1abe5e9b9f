"""Passkeys: a person confirms with a finger, a face or a security key (WebAuthn), which no program can do for them.

What is kept are public keys, in a private file. A passkey belongs to one name of this hub (`localhost`, or the host of
`api.public_url`); browsers know none for 127.0.0.1. What it signs names the page's origin, port included.
"""

import hashlib
import secrets
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from hub.contract.base import Value
from hub.domain.storage import Client
from hub.io.home.kept_file import KeptFile
from hub.io.http.confirm_errors import (
    DamagedPasskeysError,
    NoPasskeyError,
    PasskeyElsewhereError,
    PasskeyRefusedError,
    TooManyPasskeysError,
    UnknownPasskeyError,
)
from hub.kit.base64url import from_base64url, to_base64url
from hub.kit.bounded import BoundedMap

PASSKEYS_MAX = 20
CHALLENGE_BYTES = 32
CHALLENGE_LASTS = timedelta(minutes=5)
CHALLENGES_MAX = 200
NAME = "Pulse"
Purpose = Literal["add", "confirm"]


class Passkey(Value):
    """One passkey; `sign_count` grows with each use where the authenticator counts."""

    id: str
    public_key: str
    host: str
    title: str
    sign_count: int
    created_at: datetime


class Challenge(Value):
    """What a passkey is asked to sign."""

    bytes: bytes
    purpose: Purpose
    at: datetime


class Passkeys:
    """The person's passkeys. Without a file there are none, and none can be kept."""

    def __init__(self, file: Path | None, user: str) -> None:
        """Read them.

        Raises:
            DamagedPasskeysError: the file cannot be read; to go on without them would loosen what they guard.
        """
        self.file = None if file is None else KeptFile(file)
        self._user = user
        self._all = () if self.file is None else _read(self.file)
        self._challenges: BoundedMap[str, Challenge] = BoundedMap(CHALLENGES_MAX)

    def any(self) -> bool:
        """Return True if the person has a passkey."""
        return bool(self._all)

    def all(self) -> tuple[Passkey, ...]:
        """Return them, oldest first."""
        return self._all

    def options(self, client: Client, purpose: Purpose, now: datetime) -> str:
        """Return what the browser is to ask the authenticator for, as JSON.

        Raises:
            NoPasskeyError: there is none to confirm with.
            PasskeyElsewhereError: there is none for this address, or there can be none.
        """
        host = host_of(client.origin)
        here = [one for one in self._all if one.host == host]
        if purpose == "confirm" and not self._all:
            raise NoPasskeyError
        if not host or (purpose == "confirm" and not here):
            raise PasskeyElsewhereError(fix=f"Open {self._better(client.origin)} and sign in there.")
        challenge = Challenge(bytes=secrets.token_bytes(CHALLENGE_BYTES), purpose=purpose, at=now)
        self._challenges[client.id] = challenge
        return _options(self._user, host, here, challenge)

    def add(self, client: Client, credential: str, title: str, now: datetime) -> Passkey:
        """Keep a passkey that was just made.

        Raises:
            PasskeyRefusedError: it was not made for what we asked.
            TooManyPasskeysError: there are too many.
            OSError: it cannot be written down.
        """
        from webauthn import verify_registration_response  # noqa: PLC0415  heavy, and only for who has a passkey
        from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415  see above

        if len(self._all) >= PASSKEYS_MAX:
            raise TooManyPasskeysError
        challenge, host = self._take(client, "add", now), host_of(client.origin)
        try:
            made = verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=host,
                expected_origin=client.origin,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError) as error:
            raise PasskeyRefusedError from error
        kept = Passkey(
            id=to_base64url(made.credential_id),
            public_key=to_base64url(made.credential_public_key),
            host=host,
            title=title,
            sign_count=made.sign_count,
            created_at=now,
        )
        self._keep((*(one for one in self._all if one.id != kept.id), kept))
        return kept

    def check(self, client: Client, credential: str, now: datetime) -> None:
        """Check that one of the passkeys of this address signed what we asked.

        Raises:
            PasskeyRefusedError: none did.
            OSError: its use cannot be written down.
        """
        from webauthn import verify_authentication_response  # noqa: PLC0415  heavy, and only for who has a passkey
        from webauthn.helpers import parse_authentication_credential_json  # noqa: PLC0415  see above
        from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415  see above

        challenge, host = self._take(client, "confirm", now), host_of(client.origin)
        try:
            said = parse_authentication_credential_json(credential)
            key = next((one for one in self._all if one.id == to_base64url(said.raw_id) and one.host == host), None)
            if key is None:
                raise PasskeyRefusedError("This passkey is unknown here.", fix="Use another one.")
            seen = verify_authentication_response(
                credential=said,
                expected_challenge=challenge,
                expected_rp_id=host,
                expected_origin=client.origin,
                credential_public_key=from_base64url(key.public_key),
                credential_current_sign_count=key.sign_count,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError) as error:
            raise PasskeyRefusedError from error
        if seen.new_sign_count != key.sign_count:
            used = msgspec.structs.replace(key, sign_count=seen.new_sign_count)
            self._keep(tuple(used if one.id == key.id else one for one in self._all))

    def remove(self, passkey_id: str) -> Passkey:
        """Forget a passkey.

        Raises:
            UnknownPasskeyError: there is none of that id.
            OSError: it cannot be written down.
        """
        found = next((one for one in self._all if one.id == passkey_id), None)
        if found is None:
            raise UnknownPasskeyError(fix="`GET /api/v1/passkeys` lists them.")
        self._keep(tuple(one for one in self._all if one.id != passkey_id))
        return found

    def _take(self, client: Client, purpose: Purpose, now: datetime) -> bytes:
        """Use a challenge up."""
        challenge = self._challenges.pop(client.id, None)
        if challenge is None or challenge.purpose != purpose or abs(now - challenge.at) > CHALLENGE_LASTS:
            raise PasskeyRefusedError
        return challenge.bytes

    def _keep(self, passkeys: tuple[Passkey, ...]) -> None:
        if self.file is not None:
            self.file.write(msgspec.json.encode(passkeys).decode())
        self._all = passkeys

    def _better(self, origin: str) -> str:
        """Return an address at which a passkey is known, or can be made."""
        port = urlsplit(origin).port
        host = self._all[0].host if self._all else "localhost"
        return f"http://localhost:{port}" if host == "localhost" else f"https://{host}"


def host_of(origin: str) -> str:
    """Return the name that a page's passkeys belong to; empty where browsers know none."""
    parts = urlsplit(origin)
    host = parts.hostname or ""
    is_name = not host.replace(".", "").isdigit() and ":" not in host
    return host if host == "localhost" or (parts.scheme == "https" and is_name) else ""


def _options(user: str, host: str, here: list[Passkey], challenge: Challenge) -> str:
    from webauthn import (  # noqa: PLC0415  heavy, and only for who has a passkey
        generate_authentication_options,
        generate_registration_options,
        options_to_json,
    )
    from webauthn.helpers import structs  # noqa: PLC0415  see above

    known = [structs.PublicKeyCredentialDescriptor(id=from_base64url(one.id)) for one in here]
    required = structs.UserVerificationRequirement.REQUIRED
    if challenge.purpose == "confirm":
        return options_to_json(
            generate_authentication_options(
                rp_id=host, challenge=challenge.bytes, allow_credentials=known, user_verification=required
            )
        )
    return options_to_json(
        generate_registration_options(
            rp_id=host,
            rp_name=NAME,
            user_id=hashlib.sha256(user.encode()).digest(),
            user_name=user,
            challenge=challenge.bytes,
            exclude_credentials=known,
            authenticator_selection=structs.AuthenticatorSelectionCriteria(user_verification=required),
        )
    )


def _read(file: KeptFile) -> tuple[Passkey, ...]:
    try:
        content = file.read()
        return () if content is None else msgspec.json.decode(content, type=tuple[Passkey, ...])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedPasskeysError(f"{file.path} cannot be read.") from error
