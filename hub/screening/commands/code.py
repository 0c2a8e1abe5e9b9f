"""What a line of Python, JavaScript, Perl, Ruby or PHP would do, by the calls in it and the shell in its strings."""

import re
from collections.abc import Iterator

from hub.contract.effects import Effect
from hub.screening.commands import sql
from hub.screening.commands.operands import CLASSES, is_secret, is_system

_STRING = re.compile(
    r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`|%x[({](.*?)[)}]|\bqx[({/](.*?)[)}/]""", re.DOTALL
)
_RUNS_SHELL = re.compile(
    r"\b(?:os\.(?:system|popen|exec\w*|spawn\w*)|subprocess\.\w+|\w+\.(?:run|call|check_call|check_output|Popen)\(\s*\[|(?:shell_)?exec(?:Sync|File\w*)?|spawn(?:Sync)?|system|popen"
    r"|passthru|proc_open|Runtime\.getRuntime|do\sshell\sscript|Process\.(?:run|start)|IO\.popen|Open3\.\w+|\$`|execa|io\.popen)\b"
    r"|%x[({]|\bqx\b|`",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\[\s*+((?:['\"][^'\"]*['\"]\s*+(?:,\s*+)?)+)\]")
_DELETES = re.compile(
    r"\b(?:rmtree|rm_rf|rm_r|rmSync|rmdirSync|unlinkSync|removeSync|emptyDirSync|unlink|rmdir|removedirs|rimraf|remove_tree|rm_f"
    r"|dropDatabase|deleteMany|deleteOne|drop_all|drop_database|flush(?:all|db)|delete_all|destroy_all|truncate|drop_table|remove_entry"
    r"|delete_many|delete_bucket|delete_object\w*|destroy!?|deleteAll|file_delete)\s*(?:[\s(!]|$)"
    r"|\b(?:os|fs|fsp|FileUtils|File|Dir|Path\([^)]*\)|pathlib\.[^;]*)\.(?:remove|rm|delete|unlink|rmdir|truncate)\b"
    r"|(?<![\w.])rm\(\s*['\"]|\bDETACH\s+DELETE\b|\(delete-(?:file|directory)\b"
    r"|\bupdate_?many\(\s*\{\s*\}|\.(?:drop|delete|remove)\(\s*(?:\{\s*\})?\s*\)|\bdb\.\w+\.(?:drop|remove|delete\w*)\(",
    re.IGNORECASE,
)
_SENDS = re.compile(
    r"\b(?:requests|httpx|axios|session|client|http|got|ky|HTTParty|Faraday|Net::HTTP)\.(?:post|put|patch|delete)\b"
    r"|\burlopen\([^)]*data|\bmethod['\"]?\s*[:=]\s*['\"](?:POST|PUT|PATCH|DELETE)|\bsocket\.(?:connect|create_connection)|\.connect\(\("
    r"|\bnet\.connect|\bTCPSocket|\bfsockopen|\bftplib|\bparamiko|\bIO::Socket|\b(?:put_object|upload_file|upload_fileobj)\b"
    r"|\bsocket\.socket|\w+\.(?:post|put|patch)\(\s*f?['\"]https?://(?!localhost|127\.)",
    re.IGNORECASE,
)
_MESSAGES = re.compile(
    r"\b(?:smtplib|sendmail|send_mail|send_mass_mail|EmailMessage|send_message|sendMessage|chat_postMessage|nodemailer|deliver_now|deliver_later)\b|\bmail\s*\("
    r"|\btell\s+app[^;\n]{0,80}(?:Mail|Messages|Slack|WhatsApp|Telegram)",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(
    r"\b(?:exec|eval|compile|Function|instance_eval|loadstring)\b\s*\(?\s*[^;\n]*"
    r"(?:urlopen|requests\.get|b64decode|atob|base64|fetch|execSync|check_output|popen|open-uri|URI\.open|fromCharCode|unhexlify|decode\()"
    r"|\b(?:install\.packages|install_github|install_cran|Pkg\.(?:add|develop)|Mix\.install|ensurepip|pip\.main|require\(['\"]https?:)"
    r"|\((?:ansi-term|eshell|shell-command\S*|async-shell-command|call-process\S*|start-process\S*|make-process)\b"
    r"|\((?:term|shell|compile|gdb)(?:\s+\"|\s*\))"
    r"|\bpickle\.loads?\(|\b__import__\(['\"](?:pty|ctypes)|\bpty\.spawn|marshal\.loads|\bhub\.load\(|\btrust_(?:repo|remote_code)\s*=\s*True",
    re.IGNORECASE,
)
_SECRETS = re.compile(
    r"(?<!\bin )\bos\.environ\b(?!\s*(?:\.get\(|\[)\s*['\"](?!\w*(?:KEY|TOKEN|SECRET|PASS))\w+['\"])"
    r"|\bprocess\.env\b(?!\.(?!\w*(?:KEY|TOKEN|SECRET|PASS))\w)"
    r"|\bENV\.(?:to_h|each|inspect)|\bgetpass\.|\bkeyring\.get|\bputenv\b|%ENV|\bgetenv\(['\"]\w*(?:KEY|TOKEN|SECRET|PASS)|\bENV\[['\"]\w*(?:KEY|TOKEN|SECRET|PASS)",
    re.IGNORECASE,
)
_PAYS = re.compile(
    r"\b(?:stripe|braintree|paypal|adyen|square)\b[^;\n]{0,80}\.create\b|\b(?:Charge|PaymentIntent|Refund|Payout)\.create\b",
    re.IGNORECASE,
)
_RIGHTS = re.compile(r"\b(?:chmod|chown|setuid|lchown)(?:Sync)?\s*\(", re.IGNORECASE)
_SYSTEM = re.compile(r"\bos\.(?:kill|killpg)\b|\bprocess\.kill\(|\bos\.fork\b.*while|\bfork\b\s+while", re.IGNORECASE)
_WRITES = re.compile(
    r"\b(?:write\w*|open\([^)]*['\"][wax]b?\+?['\"]|dump|save\w*|mkdir\w*|copy\w*|rename\w*|replace|append\w*)\s*\(",
    re.IGNORECASE,
)
_PATTERNS = (
    (_DELETES, Effect.DELETES),
    (_SENDS, Effect.LEAVES_THE_MACHINE),
    (_MESSAGES, Effect.MESSAGES),
    (_UNKNOWN, Effect.RUNS_UNKNOWN_CODE),
    (_SECRETS, Effect.READS_SECRETS),
    (_PAYS, Effect.PAYS),
    (_RIGHTS, Effect.CHANGES_PERMISSIONS),
    (_SYSTEM, Effect.CHANGES_SYSTEM),
    (_WRITES, Effect.WRITES_IN_WORKSPACE),
)


def effects_of(text: str) -> set[Effect]:
    """Return what the calls in ``text`` would do."""
    found = {effect for pattern, effect in _PATTERNS if pattern.search(text)}
    for one in strings(text):
        if sql.STARTS.match(one):
            found |= sql.effects_of(one)
        if CLASSES["query"]([], [one]) and re.fullmatch(r"\w+://\S+", one):
            found.add(Effect.LEAVES_THE_MACHINE)
        if is_secret(one):
            found.add(Effect.READS_SECRETS)
        if is_system(one) and Effect.WRITES_IN_WORKSPACE in found:
            found.add(Effect.CHANGES_SYSTEM)
    return found or {Effect.READS}


_REMOVES = re.compile(
    r"\brm\s+-\w*[rRf]|\b(?:deleteRecursively|delete(?:Sync|IfExists|Tree|Directory\w*)|removeDir\w*|(?:Directory|File)\.Delete"
    r"|dropTable|DropTable|(?:remove|delete)_(?:dir|directory|tree)\w*|rmtree|rm_rf|rm_r|remove_all|del_dir)\b"
)
"""How other languages call it that files are deleted."""
_TOLD_IN_ANY = frozenset({Effect.DELETES, Effect.LEAVES_THE_MACHINE})


def effects_in_any(text: str) -> set[Effect]:
    """Return what a text in a language that is not known would do, by names that mean the same in most."""
    found = {effect for pattern, effect in _PATTERNS if effect in _TOLD_IN_ANY and pattern.search(text)}
    return found | ({Effect.DELETES} if _REMOVES.search(text) else set())


def listed(text: str) -> Iterator[str]:
    """Yield the lists of strings in a text, joined: `["rm", "-rf", "src"]`."""
    yield from (" ".join(strings(one)) for one in _LISTED.findall(text))


def strings(text: str) -> list[str]:
    """Return what stands in quotes."""
    return [next((group for group in groups if group), "") for groups in _STRING.findall(text)]


def shells(text: str, *, has_templates: bool = False) -> Iterator[str]:
    """Yield the commands that ``text`` hands to a shell: its strings, and lists of strings joined.

    ``has_templates``: backticks are no commands in its language.
    """
    if _RUNS_SHELL.search(text.replace("`", "'") if has_templates else text):
        yield from listed(text)
        yield from (one for one in strings(text) if " " in one or "/" in one)
