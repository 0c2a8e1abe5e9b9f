"""What can be wrong with a browser's session. docs/errors.md lists the codes."""

from hub.contract.errors import UserError


class ProofMissingError(UserError):
    """This is a browser's session. It opens nothing without the key of the browser that signed in."""

    code = "proof-missing"
    status = 401


class ProofWrongError(UserError):
    """The proof that came with this request is not one of this session's key for this very request."""

    code = "proof-wrong"
    status = 401


class ProofReplayedError(UserError):
    """This proof was used before. Each request needs a fresh one."""

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
    """This browser sends more requests than a person can make. Wait a minute, then try again."""

    code = "too-many-proofs"
    status = 429


class SessionOverError(UserError):
    """This browser was signed in long ago, or has not been used for long. Sign in again: `pulse open`."""

    code = "session-over"
    status = 401


class ForeignAddressError(UserError):
    """The page was opened at an address that is not this hub's. Open the page at the address that `pulse up` shows."""

    code = "foreign-address"
    status = 403
