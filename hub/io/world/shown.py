"""Lines of the log as everybody outside sees them: their words made safe to show."""

from hub.contract.world_api import WorldLineView
from hub.domain.canonical import visible
from hub.domain.provenance import WorldText, untrusted
from hub.domain.world import AgentLine, ReadMarker, Remark, Unparsed, WorldEvent, WorldLine


def line_view(line: WorldLine) -> WorldLineView:
    """Return one line with all its words."""
    match line:
        case WorldEvent():
            name = _shown(line.identifier)
            return WorldLineView(kind="event", at=line.at, tag=line.source, name=name, text=_shown(line.text))
        case AgentLine():
            text, need = _shown(line.text), _shown(line.need)
            return WorldLineView(kind="agent", at=line.at, tag=line.status, name=line.session, text=text, need=need)
        case ReadMarker():
            return WorldLineView(kind="read", at=line.at, tag=line.reader, name=str(line.entries))
        case Remark():
            return WorldLineView(kind="remark", text=_shown(line.text))
        case Unparsed():
            text = _shown(line.text)
            return WorldLineView(kind="unparsed", text=text, fault=line.fault, size_bytes=line.size_bytes)


def _shown(text: WorldText) -> str:
    return visible(untrusted(text))
