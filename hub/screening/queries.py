"""Would a query change something, in a language that is not SQL: GraphQL, Cypher, SPARQL, Redis, Flux? Pure and total.

Words that somebody searches for may look like a query, and are then asked about.
"""

import re

from hub.screening.tool_names import is_deed

_GRAPHQL = re.compile(r"\bmutation\b[^{]{0,2000}\{|\bmutation\b\s*\w*\s*\(")
_CYPHER = re.compile(
    r"\b(?:match|merge|create)\s*+(?:\w++\s*+=\s*+)?\(\s*+\w*+\s*+[:{)]|\bunwind\b|\bdetach\s+delete\b|\bload\s+csv\b",
    re.IGNORECASE,
)
"""A node of a graph, or how such a query begins."""
_CYPHER_CHANGES = re.compile(
    r"\b(?:delete|set|remove|drop|call)\b|\b(?:merge|create|foreach)\s*+\(|\bload\s+csv\b", re.IGNORECASE
)
_SPARQL = re.compile(
    r"\b(?:insert|delete)\s+(?:data\s*+|where\s*+)?\{|\b(?:clear|drop|load|create)\s+(?:silent\s+)?(?:graph\b|<|default\b|named\b)",
    re.IGNORECASE,
)
_SERIES = re.compile(
    r"\|>\s*+(?:to|delete)\s*+\(|\bdrop\s+(?:measurement|series|shard|continuous|retention)\b", re.IGNORECASE
)
_STORE = re.compile(
    r"(?:flushall|flushdb|shutdown|bgsave|bgrewriteaof)\b|(?-i:(?:SET|SETEX|SETNX|MSET|HSET|HMSET|HDEL|GETDEL|GETSET"
    r"|INCR\w*|DECR\w*|APPEND|[LR]PUSHX?|[BLR]+POP\w*|SADD|SREM|ZADD|ZREM\w*|PEXPIRE\w*|PERSIST|COPY|EVAL\w*|FCALL\w*|SCRIPT"
    r"|CONFIG|DEBUG|SLAVEOF|REPLICAOF|MIGRATE|ACL|MODULE|XADD|XDEL|XTRIM|FLUSH\w*)\b)",
    re.IGNORECASE,
)
"""Commands of Redis, which are as a rule in capitals, as words that are searched for are not."""
_SECOND_STATEMENT = re.compile(
    r";\s*+(?:delete|drop|insert|update|alter|truncate|grant|revoke|create|exec|execute|merge|replace|call|attach)\b|--\s*\Z",
    re.IGNORECASE,
)
"""How a condition ends the statement that it is put into, and begins another."""
_OPERATORS = frozenset({"$where", "$function", "$accumulator", "$out", "$merge"})


def changes_data(text: str) -> bool:
    """Return True if a text is, or looks like, a query that changes something."""
    said = text.strip()
    first = said.split(None, 1)[0] if said else ""
    is_graph = _CYPHER.search(said) and _CYPHER_CHANGES.search(said)
    found = is_graph or _GRAPHQL.search(said) or _SPARQL.search(said) or _SERIES.search(said) or _STORE.match(said)
    found = found or _SECOND_STATEMENT.search(said)
    return bool(found) or (first.isupper() and first.isalpha() and is_deed(first.lower()))


def runs_code(operator: str) -> bool:
    """Return True if this part of a query for MongoDB runs a program, or writes what was found."""
    return operator in _OPERATORS
