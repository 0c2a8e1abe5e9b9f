"""What the ntfy surface cannot work with."""

from hub.contract.errors import UserError


class BadNtfyConfigError(UserError):
    """The ntfy settings have mistakes, or its topics are missing. Each line of the message says what."""

    code = "bad-ntfy-config"
