"""What a client sends for a line of the world log, as the line that it means; its words are the log's from here on."""

from hub.contract.world_api import WorldAgentBody, WorldEventBody
from hub.domain.provenance import LogText
from hub.domain.world import AgentLine, WorldEvent


def line_of(body: WorldEventBody | WorldAgentBody) -> WorldEvent | AgentLine:
    """Return the line that a body means, without a time."""
    text = LogText(body.output)
    if isinstance(body, WorldEventBody):
        return WorldEvent(source=body.source, identifier=LogText(body.identifier), text=text)
    return AgentLine(status=body.status, session=body.session, text=text, need=LogText(body.need))
