"""What the settings of `[apns]` mean: the servers, the apps, and the key."""

from collections.abc import Mapping
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from hub.contract.base import Value
from hub.contract.errors import UserError
from surfaces.apns.settings import Config, Environment, split_server

HOSTS: Mapping[Environment, str] = {"production": "api.push.apple.com", "sandbox": "api.sandbox.push.apple.com"}
PORT = 443
KEY_BYTES_MAX = 10_000
WATCH_SUFFIX = ".watchkitapp"


class BadApnsConfigError(UserError):
    """The settings for Apple's push service cannot be used. The message names the field."""

    code = "bad-apns-config"


class BadApnsKeyError(UserError):
    """The key for Apple's push service cannot be read. The message says why."""

    code = "bad-apns-key"


class Server(Value):
    """Where one environment of APNs is."""

    host: str
    port: int


def server_of(config: Config, environment: Environment) -> Server:
    """Return where an environment is: Apple's own servers unless the settings name others."""
    named = config.host if environment == "production" else config.sandbox_host
    host, port = split_server(named or HOSTS[environment])
    return Server(host=host, port=port or PORT)


def topic_for(config: Config, surface: str) -> str:
    """Return the bundle id of a surface's app."""
    return (config.watch_topic or config.topic + WATCH_SUFFIX) if surface == "watch" else config.topic


def load_key(config: Config) -> ec.EllipticCurvePrivateKey:
    """Read the .p8 file.

    Raises:
        BadApnsKeyError: there is none, it may not be read, or it holds no key of the right kind; says which.
    """
    path = Path(config.key_file).expanduser()
    try:
        with path.open("rb") as file:
            text = file.read(KEY_BYTES_MAX)
    except OSError as error:
        why = f"`apns.key_file` cannot be read: {path}: {error.strerror}."
        raise BadApnsKeyError(why, fix="Name the .p8 file that Apple gave you, readable for this user.") from error
    return read_key(text)


def read_key(text: bytes) -> ec.EllipticCurvePrivateKey:
    """Read the text of a .p8 file.

    Raises:
        BadApnsKeyError: it holds no P-256 private key.
    """
    fix = "Download the key again or make a new one: Certificates, Identifiers & Profiles, Keys."
    try:
        key = load_pem_private_key(text, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise BadApnsKeyError(
            "`apns.key_file` does not contain a private key (a .p8 file begins with BEGIN PRIVATE KEY).", fix=fix
        ) from error
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        raise BadApnsKeyError("`apns.key_file` holds a key of another kind: APNs wants ES256 (P-256).", fix=fix)
    return key
