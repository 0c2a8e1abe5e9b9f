"""What can be wrong with a confirmation, and with passkeys. docs/errors.md lists the codes."""

from hub.contract.errors import UserError, WorldError


class ConfirmAgainError(UserError):
    """This changes what Pulse may do, so it is asked again who you are."""

    code = "confirm-again"
    status = 403


class NoPasskeyError(UserError):
    """You have no passkey. `pulse confirm` shows a code that confirms instead."""

    code = "no-passkey"
    status = 409


class PasskeyElsewhereError(UserError):
    """Your passkey belongs to another address of this hub. Open the page there."""

    code = "passkey-elsewhere"
    status = 409


class PasskeyRefusedError(UserError):
    """The passkey's answer was not right, or came too late. Try again."""

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
    """The file of the passkeys cannot be read. Put a backup of it in place, or delete it: then there are none."""

    code = "damaged-passkeys"


class UnknownPasskeyError(UserError):
    """There is no passkey of that id."""

    code = "unknown-passkey"
    status = 404
