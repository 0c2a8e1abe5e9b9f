"""What the hub words itself has a code beside it in each view, so that a page says it in its own language."""

import importlib
import pkgutil
from collections.abc import Iterator

import msgspec
from msgspec import inspect

import hub.contract
from hub.contract.base import HubMessage

WORDED = "_worded"
OTHERS: dict[str, str] = {
    "AloneView": "kind",
    "ChangedGrantView": "id was",  # as the earlier card said it, shown in quotes
    "ChannelView": "agent name",
    "CodingAgentView": "adds agent command file removes title",
    "GrantPreview": "proposed",
    "GrantRecordLine": "by grant_id",
    "GrantKind": "kind",
    "GrantView": "by card_id effect id kind repository",  # a page says `effect` of `until` and `runs`
    "MuteView": "card_id channel example id kind repository",
    "Permission": "agent call folder other_files reason session subagent subagent_type target text tool",
    "PlannedRun": "argv command environment folder script",
    "Prediction": "alike asked branch card_hash details edit_text execution_id fixer id repository target_agent "
    "target_channel",
    "RunView": "agent diff execution_id output",
    "StepView": "kind",
    "TaskView": "card_id channel id notes",
    "TerminalView": "id title",
    "TriggerAnswer": "target_channel",
    "Unreached": "device surface title why",  # the code of `why` is `worded`
    "VerdictView": "rule stage",
    "WakeView": "card_id drive id place",
    "WantView": "id",
    "WorkResult": "commit execution_id note said trouble",
    "WorldFact": "identifier source",
    "WorldLane": "agent asks need said session",
    "WorldSessionView": "agent answer asks card_id folder id",
}
"""Texts without a code, by view: names, paths, commands, ids, and the words of persons, agents and programs."""


def views() -> Iterator[type[HubMessage]]:
    """Yield each view with a code in it, in the order of the names."""
    for module in pkgutil.iter_modules(hub.contract.__path__):
        importlib.import_module(f"hub.contract.{module.name}")
    found = {one.__name__: one for one in below(HubMessage)}
    for name in sorted(found):
        if any(field.name.endswith(WORDED) for field in msgspec.structs.fields(found[name])):
            yield found[name]


def below(kind: type[HubMessage]) -> Iterator[type[HubMessage]]:
    for one in kind.__subclasses__():
        yield one
        yield from below(one)


def texts_without_a_code(view: type[HubMessage]) -> set[str]:
    """Return the fields that may hold any text, or several, and have no code beside them."""
    names = {field.name for field in msgspec.structs.fields(view)}
    found = inspect.type_info(view)
    assert isinstance(found, inspect.StructType)
    return {field.name for field in found.fields if is_text(field.type) and f"{field.name}{WORDED}" not in names}


def is_text(kind: inspect.Type) -> bool:
    match kind:
        case inspect.UnionType(types=types):
            return any(map(is_text, types))
        case inspect.VarTupleType(item_type=item):
            return is_text(item)
        case inspect.StrType(pattern=None):
            return True
    return False


def test_each_text_of_a_view_has_a_code_or_is_not_the_hubs() -> None:
    known = {name: set(texts.split()) for name, texts in OTHERS.items()}
    found = {view.__name__: texts for view in views() if (texts := texts_without_a_code(view))}
    assert found == known
