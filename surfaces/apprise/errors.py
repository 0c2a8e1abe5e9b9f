"""What the Apprise surface cannot work with."""

from hub.contract.errors import UserError


class BadAppriseConfigError(UserError):
    """Apprise is not installed, or one of its addresses is not valid. The message says which, but not the address."""

    code = "bad-apprise-config"


class UnknownAddressError(BadAppriseConfigError):
    """Apprise does not know one of its addresses. The message says which, but not the address."""
