"""What may run without asking, by the person's word: the list in Settings, and how to end it."""

from typing import Annotated, Literal

from msgspec import Meta, field

from hub.contract.api import Aware, Count
from hub.contract.base import HubMessage, Message
from hub.contract.permission import GrantPaths, Name, Until
from hub.contract.phrasing import Phrasing


class GrantView(HubMessage):
    """One thing that may run without asking: work of Pulse's while the person is away, or what an agent does.

    The `kind` of what an agent may do is `permission`. `summary` is what may run (`summaryWorded` as a code, where
    there is one), `effect` until when and how often it has; `repository` is a folder with its full path. A whole kind
    has a `threshold`, the least confidence. `by` is the device on which it was said, `predictionId` the card by which
    it was asked for.
    """

    id: str
    summary: str
    effect: str
    kind: str
    since: Aware
    until: Aware
    repository: str | None = None
    runs: Count = 0
    last_run_at: Aware | None = None
    by: str = ""
    card_id: str = field(name="predictionId", default="")
    summary_worded: Phrasing | None = None
    threshold: float | None = None


class ChangedGrantView(HubMessage):
    """A grant that an update of Pulse narrowed or ended, since earlier ones allowed more than they said.

    `was` is what it said, `left` what it is now (`leftWorded` as a code), empty where it ended.
    """

    id: str
    was: str
    at: Aware
    left: str = ""
    left_worded: Phrasing | None = None


class AloneView(HubMessage):
    """What else goes on without asking: by a setting, or as an agent's own mode has it.

    `kind` is `autonomous`, `wake`, `run` (an agent in a run that was let begin) or `mode` (an agent that asks by its
    hooks). `summary` is what goes on, `change` where that is changed; both come as codes, too.
    """

    kind: str
    summary: str
    change: str
    summary_worded: Phrasing | None = None
    change_worded: Phrasing | None = None


class GrantKind(HubMessage):
    """A kind of Pulse's own work that can be let run alone, and what it is called (`nameWorded` as a code)."""

    kind: str
    name: str
    name_worded: Phrasing | None = None


class GrantList(HubMessage):
    """The answer of `GET /api/v1/grants`, newest first: all that may run without asking.

    `grants` are what the person granted, `changed` those that an update narrowed or ended of late, and `alone` what
    else goes on, by settings and by agents' own modes as far as Pulse knows them. `kinds` are those
    of which the person has approved some work, so they can be let run alone.
    """

    grants: tuple[GrantView, ...]
    count: Count
    changed: tuple[ChangedGrantView, ...] = ()
    alone: tuple[AloneView, ...] = ()
    kinds: tuple[GrantKind, ...] = ()


class GrantRecordLine(HubMessage):
    """One line of the record: a grant was made, used or ended, or (of no grant) Pulse was stopped or started.

    `by` is the device (`surface/device`) or agent, `text` what was let on.
    """

    grant_id: str
    at: Aware
    what: Literal["made", "used", "ended", "expired", "stopped", "started"]
    by: str
    text: str = ""
    text_worded: Phrasing | None = None


class GrantRecord(HubMessage):
    """The answer of `GET /api/v1/grants/record`, newest first: what agents did without asking, and by whose word."""

    lines: tuple[GrantRecordLine, ...]
    count: Count


FOR_S_MIN, FOR_S_MAX = 3_600, 365 * 86_400
"""How long, in seconds, a kind of work may be let run alone."""


class KindRequest(Message):
    """Body of `POST /api/v1/grants`: let a kind of Pulse's own work run alone while the person is away.

    `folder` is the one repository that is meant, None for any. `threshold` is the least confidence, `forS` for how
    many seconds it holds. What runs is only what a person has let run before, by the same command and files.
    """

    kind: Annotated[str, Meta(min_length=1, max_length=64)]
    folder: Annotated[str, Meta(min_length=1, max_length=4_096)] | None = None
    threshold: Annotated[float, Meta(ge=0, le=1)] = 0.0
    for_s: Annotated[int, Meta(ge=FOR_S_MIN, le=FOR_S_MAX)] = 90 * 86_400


class GrantChoice(Message):
    """Body of `POST /api/v1/predictions/{id}/grant`: what would be let on with this option, this end and these paths.

    The fields are those of an answer's `permission`.
    """

    option: Name
    until: Until = None
    paths: GrantPaths = ()


class GrantPreview(HubMessage):
    """What a yes with this choice would let an agent do: nothing is saved by asking.

    `label` says it, `note` how it fits the latest answers, `until` is when it ends, which may be at most `untilMax`.
    `proposed` are the files and folders that it may be held to parts of, counted from its folder: none where it is
    about no files. Where such a grant cannot be made `whyNot` says why, and the rest is about what was proposed. The
    texts come as codes as well.
    """

    label: str
    note: str
    until: Aware
    until_max: Aware
    proposed: tuple[str, ...] = ()
    why_not: str = ""
    label_worded: Phrasing | None = None
    note_worded: Phrasing | None = None
    why_not_worded: Phrasing | None = None
