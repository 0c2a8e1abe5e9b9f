"""What the Home Assistant surface cannot work with."""

from hub.contract.errors import UserError


class BadHomeAssistantConfigError(UserError):
    """The Home Assistant settings have mistakes. Each line of the message says where and what to write instead."""

    code = "bad-homeassistant-config"


class HomeAssistantTokenError(UserError):
    """Home Assistant does not accept the token. Create a new one there, then run `pulse homeassistant setup` again."""

    code = "homeassistant-token"
