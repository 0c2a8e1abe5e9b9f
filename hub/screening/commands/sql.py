"""What SQL would do, statement by statement, by sqlparse's tokens: strings and comments say nothing."""

import re
from collections.abc import Iterator

from hub.contract.effects import Effect
from hub.screening.commands.operands import is_secret

STARTS = re.compile(
    r"\s*+(?:--[^\n]*+\n\s*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*\*/\s*+)*(?:"
    r"select\s+[\w*(\"'`@]|with\s+\w+\s+as\s*\(|insert\s+into\b|update\s+[\w.\"`\[\]]+\s+set\b|delete\s+from\b|merge\s+into\b"
    r"|(?:drop|create|alter)\s+(?:table|database|schema|view|index|user|role|column|function|procedure|trigger|sequence|type"
    r"|materialized|extension|policy|login|or\s+replace|unique|temp\w*|keyspace|collection|system)\b"
    r"|truncate\s+(?:table\s+)?[\w.\"`]+\s*(?:;|$|cascade|restart|,)"
    r"|grant\s+[\w, ]+\s+(?:on|to)\b|revoke\s+[\w, ]+\s+(?:on|from)\b"
    r"|explain\s+(?:analyze\s+)?(?:select|update|delete|insert)\b|begin\s*;|copy\s+[\w(].*\b(?:to|from)\b|vacuum\b|pragma\s+\w+"
    r"|show\s+(?:tables|databases|create|index|processlist|variables|grants)|exec(?:ute)?\s+(?:sp_|xp_)\w+|call\s+\w+\s*\("
    r"|replace\s+into\b|shutdown\s*;|lock\s+tables)",
    re.IGNORECASE | re.DOTALL,
)
"""How a text begins that is SQL itself."""

_LOOKS = frozenset(
    {"SELECT", "SHOW", "EXPLAIN", "DESCRIBE", "DESC", "PRAGMA", "WITH", "VALUES", "USE", "TABLE", "ANALYZE"}
)
_RIGHTS = frozenset({"USER", "ROLE", "LOGIN", "POLICY", "PRIVILEGES"})
_SECRET_TABLES = re.compile(
    r"\b(?:pg_shadow|pg_authid|mysql\.user|sys\.sql_logins|pg_read_(?:binary_)?file|pg_ls_\w*dir|pg_stat_file|lo_import|load_file|information_schema\.user_privileges)\b|\binfile\s+'(?:/|~|\.\.)",
    re.IGNORECASE,
)
_RUNS = re.compile(
    r"\bxp_cmdshell\b|\b(?:to|from)\s+program\b|\bsys_exec\b|\bdblink_exec\b|\bquery_to_xml\w*\s*\(|^[^\S\n]*\\!|^\.(?:shell|system)\b|\\gexec\b"
    r"|\bexecutable\s*\(|^[^\S\n]*:?!!|\\g\w*\s*\|",
    re.IGNORECASE | re.MULTILINE,
)
_META = re.compile(r"^[^\S\n]*(?:\.(?P<sqlite>[a-z]+)|\\(?P<psql>[a-zA-Z!]+\+?))", re.MULTILINE)
_META_LOOKS = re.compile(
    r"tables|schema|mode|headers|header|indexes|indices|databases|dump|show|help|width|nullvalue"
    r"|separator|timer|fullschema|dbinfo|stats|quit|exit|changes|echo|eqp|print|limit|lint|d|d\+|dt|dt\+"
    r"|di|di\+|dv|dv\+|ds|df|df\+|dn|dn\+|du|du\+|dx|dp|dT|l|l\+|list|x|timing|conninfo|pset|q|z|sf|sv"
    r"|encoding|a|t"
)
"""Commands of the clients of SQLite and PostgreSQL that only show something."""
_WRITES_FILE = re.compile(
    r"^[^\S\n]*\.(?:output|once|excel|backup|save|clone|log|trace|testcase|archive|ar|open)\s+(?!stdout\b|stderr\b|off\b|on\b|:memory:|-?-?list\b)\S"
    r"|^[^\S\n]*\\(?:o|out|w|write|g|gx|copy|s)\s+\S|\binto\s+(?:outfile|dumpfile|function\s+file)\b|\bcopy\b[^;]*\bto\s+'|\bwritefile\s*\(|\blo_export\s*\(|\bpg_file_write\s*\(|\bvacuum\s+into\b|\battach\s+(?:database\s+)?'|\bexport\s+database\b",
    re.IGNORECASE | re.MULTILINE,
)
_LOADS = re.compile(
    r"\bcreate\s+(?:trusted\s+|or\s+replace\s+|procedural\s+)*(?:language|extension)\s+(?:if\s+not\s+exists\s+)?[\"`]?"
    r"(?:pl\w+u\b|plpython\w*|plsh|pljava|plr|c\b|dblink|\w+_fdw|pg_net|http|adminpack|pg_cron|pg_background|lo\b|aws_\w+)"
    r"|\bload_extension\s*\(|\bcreate\s+(?:or\s+replace\s+)?function\b[^;]*\b(?:language\s+'?c\b|soname|plpython3?u|plperlu)|^[^\S\n]*(?:source|system|tee|pager|edit)\s+\S|^[^\S\n]*\.(?:load|read|import\s+[\"']?\|)\b|^[^\S\n]*\\(?:i|ir|include|include_relative|e|edit|setenv)\s|^[^\S\n]*\\(?:o|g|w)\s*\||\bload\s+(?:'|\w+\s*(?:;|$))|\binstall\s+(?:plugin|component)\b|^[^\S\n]*install\s+\w+|\bdo\s+(?:\$\w*\$.*)?language\s+'?(?:plpython|plperlu|pltclu)",
    re.IGNORECASE | re.MULTILINE,
)
_SENDS = re.compile(
    r"\bdblink(?:_connect)?\s*\(|\bnet\.http_\w+\s*\(|\bhttp_(?:get|post|put|delete|head)\s*\(|\b(?:remote|url|s3)\s*\(\s*'|'(?:https?|s3|gs|ftp)://[^']*\?",
    re.IGNORECASE,
)
"""A database that asks another machine: what it asks for, or logs in with, is sent there."""
_SERVER = re.compile(
    r"\bpg_(?:reload_conf|rotate_logfile|promote|cancel_backend|terminate_backend|switch_wal|wal_replay_\w+)\s*\("
    r"|\bcron\.(?:un)?schedule\w*\s*\(|\bcron\.alter_job\s*\(|\bpragma\s+writable_schema\b",
    re.IGNORECASE,
)
"""Functions by which a database server is told to do something."""
_LOSING_CALL = re.compile(
    r"(?:\b(?:select|perform|call)\s+|[,(]\s*)(?:\w+\.)?(?:lo_unlink|pg_drop_\w+|(?:delete|drop|wipe|purge|destroy|erase|truncate)_\w+)\s*\("
    r"|\bcall\s+[\w.]*(?:delete|drop|wipe|purge)\w*\s*\(",
    re.IGNORECASE,
)
"""A function or a procedure that says by its name that something is lost."""
_LOSES_IN_TEXT = re.compile(r"\b(?:drop|truncate|delete|update|alter|grant|execute)\b", re.IGNORECASE)
"""A block of code is a text, quoted as any other: what stands in it is not among the statement's words."""
_READ_FILE = re.compile(
    r"\b(?:from|join|infile|(?:read|parquet|sniff|glob|file)\w*\s*\(|\w+_scan\s*\(|openrowset\s*\(\s*bulk)\s*\[?\s*(['\"])([^'\"\n]+)\1",
    re.IGNORECASE,
)
"""A file that a database reads as a table: `from 'x.csv'`, `read_csv('x.csv')`."""
_CLIENT_READS = re.compile(r"^[^\S\n]*(?:\.import|\\copy)\b(.*)", re.IGNORECASE | re.MULTILINE)
"""What a client reads a file into a table with; the name of the file needs no quotes."""
_QUOTED_PATH = re.compile(r"'([^'\n]*/[^'\n]*)'")
_RUN_COMMENT = re.compile(r"/\*M?!\d*+([^*]*+(?:\*(?!/)[^*]*+)*)\*/")
"""A comment whose text MySQL and MariaDB run."""
_ALWAYS_TRUE = re.compile(r"where\s+(?:1\s*=\s*1|true|not\s+false|1|'(\w*)'\s*=\s*'\1')\s*(?:;|$)", re.IGNORECASE)
_GRAPH = re.compile(r"\bdetach\s+delete\b|\bmatch\s*\(.*\bdelete\s+\w", re.IGNORECASE | re.DOTALL)
_BODY = re.compile(r"\bdo\s+(?:language\s+\w+\s+)?(?:'(?:[^']|'')*'|(\$\w*\$).*?\1)", re.IGNORECASE | re.DOTALL)
"""A block of statements, in quotes."""
_DIALECTS = (
    (re.compile(r"\\"), "."),
    (re.compile(r"#"), " "),
    (re.compile(r"--(?=\S)"), " "),
    (re.compile(r"\[[^\]\n]*+\]"), "x"),
)
"""What one database takes for the end of a string, a comment or a name and another does not: a backslash that escapes
nothing, `#` as an operator, `--` as a comment only before a blank, brackets around a name."""
_LOSES = frozenset({"DROP", "TRUNCATE", "DELETE", "PURGE"})
_CHANGES = _LOSES | {"UPDATE", "INSERT"}


def effects_of(text: str) -> set[Effect]:
    """Return what the statements of ``text`` would do; empty where there is none."""
    text = _RUN_COMMENT.sub(r" \1 ", text)
    found: set[Effect] = set()
    if _RUNS.search(text):
        found.add(Effect.RUNS_UNKNOWN_CODE)
    if _GRAPH.search(text):
        found.add(Effect.DELETES)
    if _LOADS.search(text):
        found.add(Effect.RUNS_UNKNOWN_CODE)
    if _WRITES_FILE.search(text):
        found.add(Effect.CHANGES_SYSTEM)
    if _SENDS.search(text):
        found.add(Effect.LEAVES_THE_MACHINE)
    if _SERVER.search(text):
        found.add(Effect.CHANGES_SYSTEM)
    if _LOSING_CALL.search(text):
        found.add(Effect.DELETES)
    paths = [*_QUOTED_PATH.findall(text), *(path for _, path in _READ_FILE.findall(text))]
    paths += [word.strip("'\"") for line in _CLIENT_READS.findall(text) for word in line.split()]
    if _SECRET_TABLES.search(text) or any(map(is_secret, paths)):
        found.add(Effect.READS_SECRETS)
    found |= _blocks(text)
    for words in _statements(text):
        found |= set(_statement(words, text))
    return found


def _blocks(text: str) -> set[Effect]:
    """Return what the words within blocks of statements say, which are strings to a reader of SQL."""
    found: set[Effect] = set()
    for block in _BODY.finditer(text):
        said = frozenset(re.findall(r"[A-Z_]+", block[0].upper()))
        found |= {Effect.DELETES} if said & _LOSES else {Effect.RUNS_UNKNOWN_CODE} if "EXECUTE" in said else set()
        found |= {Effect.CHANGES_PERMISSIONS} if said & {"GRANT", "REVOKE"} else set()
    return found


def unknown_meta(text: str) -> str:
    """Return the first command of a client that is not known only to show something; empty where there is none."""
    found = (match.group("sqlite") or match.group("psql") for match in _META.finditer(text))
    reading = re.search(r"\b(readfile|edit)\s*\(", text, re.IGNORECASE)
    return next((one for one in found if not _META_LOOKS.fullmatch(one)), reading.group(1) if reading else "")


def _statements(text: str) -> list[list[str]]:
    """Return every statement's words in capitals, without its strings and comments, as any database would read them."""
    from sqlparse import lexer  # noqa: PLC0415  loaded with the first statement: an idle hub needs no reader of SQL

    readings = {text: None}
    for sign, instead in _DIALECTS:
        readings |= {sign.sub(instead, one): None for one in readings}
    statements: list[list[str]] = []
    for one in readings:
        statements.append([])
        for kind, value in lexer.tokenize(one):  # type: ignore[no-untyped-call]  # sqlparse has no types
            if value == ";":
                statements.append([])
            elif value.strip() and not str(kind).startswith(("Token.Comment", "Token.Literal.String")):
                statements[-1] += value.upper().split()
    return [words for words in statements if words]


def _statement(words: list[str], text: str) -> Iterator[Effect]:
    """Yield what one statement would do."""
    first, second, every = words[0], set(words[1:2]), set(words)
    inner = every & _CHANGES if first in {"WITH", "EXPLAIN", "BEGIN", "DO"} else set()
    if first == "DO" and _LOSES_IN_TEXT.search(text):
        yield Effect.DELETES
    unbounded = "WHERE" not in every or _ALWAYS_TRUE.search(text)
    loses = first in _LOSES or inner & _LOSES or (first in {"ALTER", "MERGE"} and every & _LOSES)
    if loses or ("UPDATE" in {first, *inner} and unbounded):
        yield Effect.DELETES
    if first in {"GRANT", "REVOKE"} or (first in {"CREATE", "ALTER", "DROP", "SET"} and _RIGHTS & second):
        yield Effect.CHANGES_PERMISSIONS
    if first in {"SHUTDOWN", "KILL"} or "SYSTEM" in second or "PG_TERMINATE_BACKEND" in every:
        yield Effect.CHANGES_SYSTEM
    yield Effect.READS if first in _LOOKS and not inner else Effect.WRITES_IN_WORKSPACE
