"""What the Apprise surface cannot work with."""

from hub.contract.errors import UserError


class BadAppriseConfigError(UserError):
    """Apprise does not exist, or one of its addresses is none. The message says which, never the address itself."""

    code = "bad-apprise-config"


class UnknownAddressError(BadAppriseConfigError):
    """Apprise does not know one of its addresses. The message says which, never the address itself."""
