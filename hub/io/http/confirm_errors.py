"""What can be wrong with a confirmation, and with passkeys. docs/errors.md lists the codes."""

from hub.contract.errors import UserError, WorldError


class ConfirmAgainError(UserError):
    """This changes what Pulse may do, so you have to confirm it."""

    code = "confirm-again"
    status = 403


class NoPasskeyError(UserError):
    """You have no passkey. Use a code from `pulse confirm` instead."""

    code = "no-passkey"
    status = 409


class PasskeyElsewhereError(UserError):
    """Your passkey belongs to another address of this hub. Open the page there."""

    code = "passkey-elsewhere"
    status = 409


class PasskeyRefusedError(UserError):
    """The passkey did not match, or the answer came too late. Try again."""

    code = "passkey-refused"
    status = 403


class PasskeyNeededError(UserError):
    """You have a passkey, so a code is not enough. Confirm with the passkey."""

    code = "passkey-needed"
    status = 403


class TooManyPasskeysError(UserError):
    """There are too many passkeys. Remove one that is no longer used."""

    code = "too-many-passkeys"
    status = 409


class DamagedPasskeysError(WorldError):
    """The file of the passkeys cannot be read. Restore it from a backup, or delete it to start without any."""

    code = "damaged-passkeys"


class UnknownPasskeyError(UserError):
    """There is no passkey with that id."""

    code = "unknown-passkey"
    status = 404
