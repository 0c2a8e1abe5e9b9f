"""A person who sits before an agent: that they do, and the question whether they do."""

from hub.contract.base import Value


class AtAgent(Value, tag="at-agent"):
    """A person wrote to an agent in this session, or answered in its own dialog: they sit before it.

    `asker` is whose word that is (`asker_of`): it counts for what the same one asks, whatever others call themselves.
    """

    asker: str
    agent: str
    session: str


class LookAtAgent(Value, tag="look-at-agent"):
    """Ask if a person sits before an agent in this session, by its own word; asking changes nothing."""

    asker: str
    agent: str
    session: str


class AtAgentSeen(Value, tag="at-agent-seen"):
    """Whether a person seems to sit before an agent, so that its own dialog is to open soon."""

    is_there: bool
