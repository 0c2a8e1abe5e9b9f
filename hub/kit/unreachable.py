"""Why a server could not be reached, in words that a person can do something with."""

import socket
import ssl

CAUSES_MAX = 8
"""How many causes of an error are looked at; a library wraps the system's own in one or two."""


def why_unreachable(error: BaseException) -> str:
    """Return why a connection failed, to stand in brackets; the class of the error where there are no better words."""
    for cause in _causes(error):
        match cause:
            case socket.gaierror():
                return "its name was not found"
            case ssl.SSLError():
                return "its certificate is not accepted"
            case ConnectionRefusedError():
                return "nothing listens there"
            case TimeoutError():
                return "it took too long"
            case ConnectionError():
                return "the connection ended"
            case _:
                continue
    return type(error).__name__


def _causes(error: BaseException) -> list[BaseException]:
    """Return an error and what brought it about; aiohttp keeps the system's own error in `os_error`."""
    found: list[BaseException] = [error]
    while len(found) < CAUSES_MAX:
        last = found[-1]
        next_one = getattr(last, "os_error", None) or last.__cause__ or last.__context__
        if not isinstance(next_one, BaseException) or next_one in found:
            break
        found.append(next_one)
    return found
