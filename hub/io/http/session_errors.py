"""What can be wrong with a browser's session. docs/errors.md lists the codes."""

from hub.contract.errors import UserError


class ProofMissingError(UserError):
    """This is a browser session. It only works with the key of the browser that signed in."""

    code = "proof-missing"
    status = 401


class ProofWrongError(UserError):
    """The proof sent with this request does not match this session's key and this request."""

    code = "proof-wrong"
    status = 401


class ProofReplayedError(UserError):
    """This proof was already used. Each request needs a new one."""

    code = "proof-replayed"
    status = 401


class ProofStaleError(UserError):
    """This proof is too old or too new, by this hub's clock. Make one with the `nonce` of this answer, and send it."""

    code = "proof-stale"
    status = 401

    def __init__(self, nonce: str) -> None:
        """Keep the nonce for the header of the answer."""
        super().__init__()
        self.nonce = nonce


class TooManyProofsError(UserError):
    """This browser is sending too many requests. Wait a minute, then try again."""

    code = "too-many-proofs"
    status = 429


class SessionOverError(UserError):
    """This browser's session has expired. Sign in again: `pulse open`."""

    code = "session-over"
    status = 401


class ForeignAddressError(UserError):
    """The page was opened at an address that is not this hub's. Open the page at the address that `pulse up` shows."""

    code = "foreign-address"
    status = 403
