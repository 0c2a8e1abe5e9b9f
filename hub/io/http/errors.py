"""What can be wrong with a request, before anybody looks at what it asks for. docs/errors.md lists the codes."""

from hub.contract.errors import UserError, WorldError


class MalformedJsonError(UserError):
    """The body is not JSON."""

    code = "malformed-json"


class InvalidBodyError(UserError):
    """The body is JSON, but does not fit this request. The message says where."""

    code = "invalid-body"
    status = 422


class InvalidQueryError(UserError):
    """A query parameter is unknown or has an invalid value. The message says which."""

    code = "invalid-query"
    status = 422


class BadTimeError(UserError):
    """A time is implausibly far away."""

    code = "bad-time"
    status = 422


class TooLargeError(UserError):
    """The body is larger than this hub accepts."""

    code = "too-large"
    status = 413


class NoBoxError(WorldError):
    """Agents' ideas cannot be stored right now."""

    code = "no-suggestion-box"


class WrongMediaTypeError(UserError):
    """A body must be sent as application/json."""

    code = "wrong-media-type"
    status = 415


class SlowBodyError(UserError):
    """The body did not arrive in time."""

    code = "slow-body"
    status = 408


class NoSuchPageError(UserError):
    """There is nothing at this address."""

    code = "unknown-page"
    status = 404


class WrongMethodError(UserError):
    """This address does not support that method."""

    code = "wrong-method"
    status = 405


class NotSignedInError(UserError):
    """This needs a valid token."""

    code = "not-signed-in"
    status = 401


class OutOfScopeError(UserError):
    """This token does not allow that."""

    code = "out-of-scope"
    status = 403


class FromARunError(UserError):
    """A program started by an agent may ask, but not answer, change anything or let anyone in. Only a person can."""

    code = "from-a-run"
    status = 403
    FIX = "Ask with `pulse ask`. If you are the person, run the command in a terminal that no agent started."


class UnknownDialectError(UserError):
    """No agent of this name is known. `pulse hook --help` lists those that are."""

    code = "unknown-agent"
    status = 404


class StoppingError(WorldError):
    """Pulse is shutting down, so this will not be answered. Ask again: it may just be restarting."""

    code = "stopping"


class UnreadableHookError(UserError):
    """An agent's hook sent something Pulse does not understand. The agent continues as its set-up says."""

    code = "unreadable-hook"
    status = 422


class AnotherUserError(UserError):
    """This socket belongs to another user of this machine. Nothing was done."""

    code = "another-user"
    status = 403
    FIX = "Run the command as the person who started Pulse."


class UnprovenCallerError(UserError):
    """The program that asked ended before it could be identified. Nothing was done."""

    code = "unproven-caller"
    status = 403
    FIX = "Run the command again."


class WrongHostError(UserError):
    """The request is addressed to another host. A web page may be trying to reach Pulse behind your back."""

    code = "wrong-host"
    status = 421


class WrongOriginError(UserError):
    """The request comes from a web page that is not Pulse's own."""

    code = "wrong-origin"
    status = 403


class RepeatedHeaderError(UserError):
    """A header that may only appear once appears twice, so the request is ambiguous."""

    code = "repeated-header"


class BadAddressError(UserError):
    """The address has control characters, is not properly encoded, or is too long."""

    code = "bad-address"
    status = 404


class NameTakenError(UserError):
    """That name belongs to Pulse or to another client."""

    code = "name-taken"
    status = 409


class TooManyTokensError(UserError):
    """There are too many API tokens. Revoke one that is no longer used."""

    code = "too-many-tokens"
    status = 409


class UnknownTokenError(UserError):
    """There is no API token with that id."""

    code = "unknown-token"
    status = 404


class UnknownTaskError(UserError):
    """There is no task with that id."""

    code = "unknown-task"
    status = 404


class UnknownDeviceError(UserError):
    """There is no paired device with that name."""

    code = "unknown-device"
    status = 404


class NotADeviceError(UserError):
    """Only a device can do that, and this token belongs to none."""

    code = "not-a-device"
    status = 403


class NotThisDeviceError(UserError):
    """An action token counts only together with the login of the device that it was made for."""

    code = "not-this-device"
    status = 403


class NotYourSurfaceError(UserError):
    """This token is not for that surface."""

    code = "not-your-surface"
    status = 403


class WrongInputError(UserError):
    """Answering in that way is not possible on that surface."""

    code = "wrong-input"
    status = 403


class NoGatewayError(UserError):
    """That kind of surface has no gateway: its devices connect to the broker themselves."""

    code = "no-gateway"
    status = 409


class TooManySocketsError(WorldError):
    """Too many WebSockets are open already. Close one, or raise `api.sockets_max`."""

    code = "too-many-sockets"


class NoReplyError(WorldError):
    """Pulse accepted the request but did not answer in time. Check the suggestion before you send it again."""

    code = "no-reply"
    status = 504


class NoPortError(WorldError):
    """The API's port cannot be opened. Choose another one, or 0 for any that is free."""

    code = "no-port"
