"""Codex's requests to run a command, to change files, to be allowed more: read as a person sees them. Pure."""

import re
import shlex
from collections.abc import Iterable, Sequence

import msgspec

from hub.contract.permission import CALL_FIELDS_MAX, FIELD_CHARS_MAX, Act, CallField
from hub.contract.words import Risk
from hub.io.attached.codex.asked import NAME_CHARS_MAX, CodexOffer, Put
from hub.kit.line_diff import blanks_told, lines_of, whole
from hub.kit.loose_json import LooseJson, object_of, objects_of, text_of, texts_of
from hub.kit.text import cut
from hub.screening.acts import read_act

SHELL = re.compile(
    r"(?:(?:/usr(?:/local)?)?/bin/|/opt/homebrew/bin/|/run/current-system/sw/bin/|/nix/store/[\w.+-]+/bin/)?"
    r"(?:bash|dash|fish|sh|zsh)"
)
"""The system's shells. Codex lets its model name another program as its shell, which then runs instead."""
READ = frozenset(
    {"kind", "threadId", "turnId", "itemId", "approvalId", "startedAtMs", "reason", "command", "cwd", "commandActions"}
    | {"networkApprovalContext", "proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments", "availableDecisions"}
)
"""What is known of a request to run something, and shown or of no account to its person."""
SETTINGS = ("additionalPermissions", "environmentId")
"""What else it may do with a yes, and on which machine."""
NOTHING: tuple[object, ...] = (None, "", [], {}, "local")
SCRIPT_FLAGS = frozenset({"-c", "-lc"})
WORDS_SHOWN_CHARS = 100
YES, NO, STOP = {"decision": "accept"}, {"decision": "decline"}, {"decision": "cancel"}
COMMAND_DECISIONS: tuple[object, ...] = ("accept", "acceptForSession", "decline", "cancel")
"""What may be decided where the server does not say: an older one."""
STOPS = CodexOffer(id="stop", label="Stop what it is doing", result=STOP, refuses=True, stops=True)
RISKS = tuple(Risk)


def command(params: LooseJson) -> Put | None:
    """Read a request to run a command, to type into one that runs, or to reach a host."""
    listed = params.get("availableDecisions")
    decisions = listed if isinstance(listed, list) else COMMAND_DECISIONS
    if "accept" not in decisions:
        return None
    offers = tuple(offer for number, one in enumerate(decisions) for offer in _offer(one, number))
    folder, why = text_of(params, "cwd"), text_of(params, "reason")
    line = shown_command(text_of(params, "command"))
    host = object_of(params, "networkApprovalContext")
    put = Put(
        act=Act.OTHER,
        tool="shell",
        yes=YES,
        no=NO,
        folder=folder,
        reason=why,
        offers=offers,
        settings=_fields(params, SETTINGS),
        unknown=_fields(params, [name for name in params if name not in {*READ, *SETTINGS}]),
    )
    if text_of(host, "host"):
        target = f"{text_of(host, 'protocol') or 'https'}://{text_of(host, 'host')}"
        return msgspec.structs.replace(put, act=Act.FETCH, tool="network", target=target, text=line)
    if text_of(params, "kind") == "writeStdin":
        return msgspec.structs.replace(put, tool="write_stdin", text=line) if line else None
    return msgspec.structs.replace(put, act=Act.COMMAND, text=line) if line else None


def _fields(params: LooseJson, names: Iterable[str]) -> tuple[CallField, ...]:
    """Return those of these fields that say something, as a card shows them."""
    said = ((name, params[name]) for name in names if params.get(name) not in NOTHING)
    shown = [
        CallField(name=cut(name, NAME_CHARS_MAX) or '""', value=cut(_json(value), FIELD_CHARS_MAX))
        for name, value in said
    ]
    return tuple(shown[:CALL_FIELDS_MAX])


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def shown_command(line: str) -> str:
    """Return what a shell is given to run, which is what a person should read; else the line as it is."""
    try:
        words = shlex.split(line)
    except ValueError:
        return line
    is_script = len(words) == 3 and SHELL.fullmatch(words[0]) and words[1] in SCRIPT_FLAGS  # noqa: PLR2004  shell, flag, script
    return words[2] if is_script else line


def _offer(decision: object, number: int) -> tuple[CodexOffer, ...]:
    if decision == "acceptForSession":
        return (_lasting(f"session{number}", "Yes, and not again in this session", decision, "session"),)
    if decision == "cancel":
        return (STOPS,)
    if not isinstance(decision, dict):
        return ()
    rule = texts_of(object_of(decision, "acceptWithExecpolicyAmendment"), "execpolicy_amendment")
    shown = shlex.join(rule)
    if rule and len(shown) <= WORDS_SHOWN_CHARS:
        return (_lasting(f"always{number}", f"Always allow commands that begin with {shown}", decision, "always"),)
    network = object_of(object_of(decision, "applyNetworkPolicyAmendment"), "network_policy_amendment")
    host = text_of(network, "host")
    if not host or len(host) > WORDS_SHOWN_CHARS:
        return ()
    match text_of(network, "action"):
        case "allow":
            return (_lasting(f"always{number}", f"Always allow {host}", decision, "always"),)
        case "deny":
            result = {"decision": decision}
            return (
                CodexOffer(
                    id=f"never{number}", label=f"Never allow {host}", result=result, lasts="always", refuses=True
                ),
            )
    return ()


def _lasting(offer_id: str, label: str, decision: object, lasts: str) -> CodexOffer:
    return CodexOffer(id=offer_id, label=label, result={"decision": decision}, lasts=lasts)


def file_change(params: LooseJson, changes: Sequence[LooseJson], folder: str) -> Put | None:
    """Read a request to change files; `changes` are those of its item, without which there is nothing to look at."""
    paths = [text_of(one, "path") for one in changes]
    diff = "\n".join(_diff(one) for one in changes)
    if not diff or not all(paths):
        return None
    root = text_of(params, "grantRoot")
    moved = (text_of(object_of(one, "kind"), "move_path") for one in changes)
    reached = [*paths, *filter(None, (*moved, root))]
    target = _riskiest(reached, folder)
    said = [
        f"A yes also lets it write anywhere below {root} in this session." if root else "",
        text_of(params, "reason"),
    ]
    lasting = _lasting("session", "Yes, and these files not again in this session", "acceptForSession", "session")
    return Put(
        act=Act.EDIT,
        tool="apply_patch",
        yes=YES,
        no=NO,
        text=diff,
        target=target,
        others=tuple(path for path in dict.fromkeys(reached) if path != target),
        folder=folder,
        reason=" ".join(filter(None, said)),
        offers=(lasting, STOPS),
    )


def _riskiest(paths: Sequence[str], folder: str) -> str:
    """Return the file to judge all of them by, so that none hides behind another."""
    return max(paths, key=lambda path: RISKS.index(read_act(Act.EDIT, "", path, folder, "").risk))


def _diff(change: LooseJson) -> str:
    """Return one file's change as a unified diff; of a new or deleted file Codex sends the content alone."""
    path, kind, said = text_of(change, "path"), object_of(change, "kind"), text_of(change, "diff")
    count = len(lines_of(said))
    match text_of(kind, "type"):
        case "add":
            return "\n".join([f"--- /dev/null\n+++ {path}\n@@ -0,0 +1,{count} @@", *whole("+", said)])
        case "delete":
            return "\n".join([f"--- {path}\n+++ /dev/null\n@@ -1,{count} +0,0 @@", *whole("-", said)])
    moved = text_of(kind, "move_path")
    return "\n".join((f"--- {path}", f"+++ {moved or path}", blanks_told(said.removesuffix("\n"))))


def more_access(params: LooseJson) -> Put | None:
    """Read a request to read or write elsewhere, or to use the network, beyond what its sandbox allows."""
    wanted = object_of(params, "permissions")
    lines = [*_of_files(object_of(wanted, "fileSystem"))]
    if object_of(wanted, "network").get("enabled") is True:
        lines.append("use the network")
    if not lines:
        return None
    result = {"permissions": wanted, "scope": "turn"}
    session = CodexOffer(
        id="session", label="Yes, for this session", result={**result, "scope": "session"}, lasts="session"
    )
    return Put(
        act=Act.OTHER,
        tool="set_permissions",
        yes=result,
        no={"permissions": {}, "scope": "turn"},
        text="\n".join(lines),
        folder=text_of(params, "cwd"),
        reason=text_of(params, "reason"),
        offers=(session,),
    )


def _of_files(wanted: LooseJson) -> list[str]:
    lines = [f"{verb} {path}" for verb in ("read", "write") for path in texts_of(wanted, verb)]
    for entry in objects_of(wanted, "entries"):
        place = object_of(entry, "path")
        special = object_of(place, "value")
        named = " ".join(filter(None, (text_of(special, "kind"), text_of(special, "path", "subpath"))))
        lines.append(f"{text_of(entry, 'access')} {text_of(place, 'path', 'pattern') or named}")
    return list(dict.fromkeys(lines))
