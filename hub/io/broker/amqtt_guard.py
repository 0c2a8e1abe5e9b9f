"""Log-in and topic rules for amqtt: the same users, hashes and rules as for mosquitto.

This is a second lock, not a promise: amqtt has ways around its own plugins (recipes: retained messages reach clients
that may not read them), so it listens on loopback only and nothing rests on it. Imported only with amqtt.
"""

from collections.abc import Sequence

from amqtt.contexts import Action, BaseContext  # type: ignore[import-untyped]  # amqtt ships no types
from amqtt.plugins.base import BaseAuthPlugin, BaseTopicPlugin  # type: ignore[import-untyped]  # amqtt ships no types
from amqtt.session import Session  # type: ignore[import-untyped]  # amqtt ships no types

from hub.io.broker.acl import BrokerUser, allowed, rules_for
from hub.io.broker.passwords import verify_password

GUARD = f"{__name__}.Guard"
"""The dotted path under which amqtt finds the plugin."""


class Guard(BaseAuthPlugin, BaseTopicPlugin):  # type: ignore[misc]  # amqtt ships no types
    """Admits users by password, with their name as client id, and lets each do only what its rules say."""

    def __init__(self, context: BaseContext) -> None:
        super().__init__(context)
        self._users: dict[str, BrokerUser] = {}

    def admit(self, users: Sequence[BrokerUser]) -> None:
        """Make exactly ``users`` the ones who may log in."""
        self._users = {user.name: user for user in users}

    async def authenticate(self, *, session: Session) -> bool:
        """Check name, password and client id."""
        user = self._users.get(session.username or "")
        if user is None or session.client_id != user.name:
            return False
        return verify_password(session.password or "", user.password_hash)

    async def topic_filtering(
        self, *, session: Session | None = None, topic: str | None = None, action: Action | None = None
    ) -> bool:
        """Check one subscription, publication or delivery."""
        user = self._users.get(session.username or "") if session is not None else None
        if user is None or topic is None:
            return False
        return allowed(rules_for(user), "write" if action == Action.PUBLISH else "read", topic)
