"""Whether a request is the person's own doing: from their terminal, or from a page that they signed in with.

Theory: the hub's own socket knows its caller by the kernel's word. What descends from a run is no person there, nor,
once agents are connected, what was not typed at a terminal that was let in: such a caller holds no scope to answer. A
page's session is bound to a key that no other program can use. Everything else holds a token, which an agent may have
been given or have found; a device's button says that somebody pressed it, and not that they read why it was held back.
"""

import os
import pwd
from datetime import datetime, timedelta
from functools import lru_cache

from hub.domain.storage import Client
from hub.io.access.tokens import LOCAL_ID

IDLE_MAX = timedelta(days=14)
SESSION_MAX = timedelta(days=90)


def is_plain_token(client: Client | None) -> bool:
    """Return True if this client is only a token: no page with a key, no device, no process of the hub's."""
    return client is not None and not (client.key or client.device or client.surface or client.id.startswith(LOCAL_ID))


def is_in_person(client: Client | None) -> bool:
    """Return True if this client is the person at their own terminal, or at a page that they signed in with."""
    return client is not None and ((client.id == LOCAL_ID and "answer" in client.scopes) or bool(client.key))


def is_unproven(client: Client | None) -> bool:
    """Return True if this client came over the hub's socket, and nothing shows that a person typed it."""
    return client is not None and client.id.startswith(LOCAL_ID) and not is_in_person(client)


def is_program(client: Client | None) -> bool:
    """Return True if nothing shows that a person is behind this client: a token alone, or an unproven program."""
    return is_plain_token(client) or is_unproven(client)


def is_over(client: Client, now: datetime) -> bool:
    """Return True if a session has expired."""
    if client.until is not None and now >= client.until:
        return True
    return now - client.created_at >= SESSION_MAX or now - (client.used_at or client.created_at) >= IDLE_MAX


@lru_cache(maxsize=1)
def names_of_person() -> tuple[str, ...]:
    """Return what the system calls the person whose hub this is: their login, their full name and their first name."""
    try:
        account = pwd.getpwuid(os.getuid())
    except KeyError:  # an account that no file names, as in a container
        return ()
    full = account.pw_gecos.partition(",")[0]
    return (account.pw_name, full, *full.split()[:1])
