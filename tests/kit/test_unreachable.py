"""Why a server could not be reached, in a person's words."""

import socket
import ssl

import pytest

from hub.kit.unreachable import why_unreachable


def wrapped(cause: BaseException) -> Exception:
    outer = RuntimeError("library")
    outer.__cause__ = cause
    return outer


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (socket.gaierror(-2, "Name or service not known"), "its name was not found"),
        (ConnectionRefusedError(), "nothing listens there"),
        (TimeoutError(), "it took too long"),
        (ssl.SSLCertVerificationError(), "its certificate is not accepted"),
        (ConnectionResetError(), "the connection ended"),
    ],
)
def test_the_systems_own_error_is_said_in_words(cause: BaseException, words: str) -> None:
    assert why_unreachable(cause) == why_unreachable(wrapped(wrapped(cause))) == words


def test_what_has_no_words_is_named_and_a_circle_ends() -> None:
    error = ValueError("?")
    error.__context__ = other = KeyError("?")
    other.__context__ = error
    assert why_unreachable(error) == "ValueError"
