"""Whether a request is the person's own doing: from their terminal, or from a page that they signed in with.

Theory: the hub's own socket knows its caller by the kernel's word, and what descends from a run is no person there. A
page's session is bound to a key that no other program can use. Everything else holds a token, which an agent may have
been given or have found; a device's button says that somebody pressed it, and not that they read why it was held back.
"""

from hub.domain.storage import Client
from hub.io.access.tokens import LOCAL_ID


def is_in_person(client: Client | None) -> bool:
    """Say whether this client is the person at their own terminal, or at a page that they signed in with."""
    return client is not None and (client.id == LOCAL_ID or bool(client.key))
