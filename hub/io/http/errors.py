"""What can be wrong with a request, before anybody looks at what it asks for. docs/errors.md lists the codes."""

from hub.contract.errors import UserError, WorldError


class MalformedJsonError(UserError):
    """The body is not JSON."""

    code = "malformed-json"


class InvalidBodyError(UserError):
    """The body is JSON, but not what this request takes. The message says where."""

    code = "invalid-body"
    status = 422


class InvalidQueryError(UserError):
    """A query parameter is unknown or has a value that it cannot have. The message says which."""

    code = "invalid-query"
    status = 422


class BadTimeError(UserError):
    """A time is too far away to be meant."""

    code = "bad-time"
    status = 422


class TooLargeError(UserError):
    """The body is larger than this hub takes."""

    code = "too-large"
    status = 413


class NoBoxError(WorldError):
    """Ideas of agents cannot be kept here now."""

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
    """This address does not take that method."""

    code = "wrong-method"
    status = 405


class NotSignedInError(UserError):
    """This needs a token, and none that is valid was sent."""

    code = "not-signed-in"
    status = 401


class OutOfScopeError(UserError):
    """This token does not allow that."""

    code = "out-of-scope"
    status = 403


class FromARunError(UserError):
    """A program that an agent started may ask, and never answer, change or let anybody in. That is for a person."""

    code = "from-a-run"
    status = 403
    FIX = "Ask with `pulse ask`. If you are the person, run the command in a terminal that no agent started."


class UnknownDialectError(UserError):
    """No agent of this name is known. `pulse hook --help` lists those that are."""

    code = "unknown-agent"
    status = 404


class StoppingError(WorldError):
    """Pulse is being stopped, so nobody answers this any more. Ask again: it may just be restarting."""

    code = "stopping"


class UnreadableHookError(UserError):
    """An agent's hook said something that Pulse does not understand. The agent goes on as it was told to for this."""

    code = "unreadable-hook"
    status = 422


class AnotherUserError(UserError):
    """This socket belongs to another user of this machine. Nothing was done."""

    code = "another-user"
    status = 403
    FIX = "Run the command as the person who started Pulse."


class UnprovenCallerError(UserError):
    """The program that asked ended before it was known which one it was. Nothing was done."""

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
    """A header that may be there once is there twice, so two readers could take the request for two things."""

    code = "repeated-header"


class BadAddressError(UserError):
    """The address has control characters, is not properly encoded, or is longer than any that Pulse has."""

    code = "bad-address"
    status = 404


class NameTakenError(UserError):
    """That name is Pulse's own, or another client's."""

    code = "name-taken"
    status = 409


class TooManyTokensError(UserError):
    """There are too many API tokens. Revoke one that is no longer used."""

    code = "too-many-tokens"
    status = 409


class UnknownTokenError(UserError):
    """There is no API token of that id."""

    code = "unknown-token"
    status = 404


class UnknownTaskError(UserError):
    """There is no task of that id."""

    code = "unknown-task"
    status = 404


class UnknownDeviceError(UserError):
    """There is no paired device of that name."""

    code = "unknown-device"
    status = 404


class NotADeviceError(UserError):
    """Only a device can say that: this token belongs to none."""

    code = "not-a-device"
    status = 403


class NotThisDeviceError(UserError):
    """An action token counts only together with the login of the device that it was made for."""

    code = "not-this-device"
    status = 403


class NotYourSurfaceError(UserError):
    """This token does not speak for that surface."""

    code = "not-your-surface"
    status = 403


class WrongInputError(UserError):
    """A person cannot answer in that way on that surface."""

    code = "wrong-input"
    status = 403


class NoGatewayError(UserError):
    """That kind of surface has no gateway: its devices reach the broker themselves."""

    code = "no-gateway"
    status = 409


class TooManySocketsError(WorldError):
    """Too many WebSockets are open already. Close one, or raise `api.sockets_max`."""

    code = "too-many-sockets"


class NoReplyError(WorldError):
    """Pulse took the request and did not answer in time. Look at the suggestion before you send it again."""

    code = "no-reply"
    status = 504


class NoPortError(WorldError):
    """The API's port cannot be opened. Choose another one, or 0 for any that is free."""

    code = "no-port"
