"""Destruction, money and messages written as code: SQL, Python, JavaScript, pipes into an interpreter.

Each pattern is read against lower-case text; every repetition is bounded, so the work grows linearly with the text.
"""

import re
from collections.abc import Iterator

from hub.may.content.hit import Finding

_DATA, _TREE, _DISK = "destructive.data", "destructive.delete-tree", "destructive.disk"
_REMOTE, _SECRETS, _SYSTEM = "destructive.remote-code", "destructive.secrets", "destructive.system"
_SHELLS = r"(?:\S{0,40}/)?(?:ba|z|k|da|a|c|tc|fi)?sh|powershell|pwsh|iex|invoke-expression|cmd"
_RUNTIMES = r"python[\d.]*|perl|ruby|node|php|osascript"
_LOADERS = r"curl|wget|fetch|aria2c|iwr|irm|invoke-webrequest|invoke-restmethod|lynx|http|https|nc"
_MAKERS = rf"{_LOADERS}|echo|printf|cat|base64|base32|xxd|openssl|gunzip|zcat|rev|tr|sed|awk|perl|python[\d.]*"
_PRIVATE_FILES = (
    r"(?:\.env\b|id_rsa|id_ed25519|\.ssh\b|\.aws/|credentials|\.netrc|\.pgpass|/etc/(?:passwd|shadow)|\.npmrc|\.pypirc|"
    r"\.gnupg|\.kube/config|secrets?\b[\w.]*|api[_-]?keys?|tokens?\b|keychain|passwords?\b|\.git-credentials|private[_ -]?key)"  # noqa: E501  a pattern is read unbroken
)
_NO_WORD = r"(?!the\b|a\b|an\b|this\b|that\b|it\b|my\b|our\b|your\b|and\b|or\b|to\b|all\b)"
_SQL_KIND = (
    r"(?:table|database|schema|view|index|user|role|tablespace|keyspace|collection|sequence|owned\s+by|function)"
)

_PATTERNS: tuple[tuple[str, str], ...] = (
    (
        _DATA,
        rf"\bdrop\s{{1,20}}(?:materialized\s{{1,4}})?{_SQL_KIND}s?\b(?=\s{{1,20}}{_NO_WORD}[\w\"`\[.]|\s{{0,4}}[;\"'`.!)]|\s*$)",
    ),
    (
        _DATA,
        rf"\btruncate\s{{1,20}}(?:table\s{{1,20}}{_NO_WORD}[\w\"`\[.]|table\b\s*[;.]?\s*$|[\w.]{{1,60}}\s{{0,4}};)",
    ),
    (
        _DATA,
        rf"\bdelete\s{{1,20}}from\s{{1,20}}{_NO_WORD}(?:\w+\.)?[\w\"`\[\]]{{1,60}}\s{{0,20}}(?:;|[\"'`)]|\.?\s*$|where\s{{1,9}}(?:(?P<same>['\"]?\w{{1,20}}['\"]?)\s{{0,3}}=\s{{0,3}}(?P=same)|1\s{{0,3}}=\s{{0,3}}1|true|1\b|[\w.]{{1,40}}\s{{0,3}}(?:(?:>=?|!=|<>)\s{{0,3}}(?:-?[01]\b|'')|is\snot\snull|like\s'%')))",
    ),
    (_DATA, r"\bdelete\s{1,20}from\s{1,20}[\w.\"`]{1,60}\s{0,20},?\s{0,4}(?:without|no)\s{1,9}(?:a\s)?where"),
    (
        _DATA,
        r"\bupdate\s{1,9}[\w.]{1,60}\s{1,9}set\s{1,9}\w{1,40}\s{0,4}=(?![^;\n]{0,300}\bwhere\b)\s{0,4}[^\s;]{1,80}\s{0,4}(?:;|$)",
    ),
    (
        _DATA,
        r"\balter\s{1,9}table\s{1,9}[\w.\"`]{1,60}\s{1,9}drop\b|\bdrop\s{1,9}column\s{1,9}(?:if\s{1,4}exists\s)?\w{2,}(?=\s*[;\"`']|\s*$)",
    ),
    (
        _DATA,
        r"\bdropdatabase\s{0,4}\(|\.drop\s{0,3}\(\s{0,3}\)|\.(?:delete_?many|remove|delete_?all|destroy_?all)\s{0,3}\(\s{0,3}(?:\{\s{0,3}\}\s{0,3})?\)",
    ),
    (
        _DATA,
        r"\bdrop_?table(?:_?if_?exists)?\s{0,3}\(\s{0,3}[\"']|\)\.(?:del|truncate)\(\)|\w\.(?:destroy|delete)_all\b|-x\s?delete\b",
    ),
    (
        "destructive.history",
        r"\balias\.\w{1,30}\s{1,4}[\"']?!?(?:git\s)?(?:push\s[^\n]{0,40}(?:-f|--force)|reset\s[^\n]{0,20}--hard|clean\s[^\n]{0,20}-\w?f)",
    ),
    (_TREE, r"\b(?:sync|mirror|rsync|robocopy)\b[^\n]{0,120}(?:--delete\b|/mir\b|/purge\b)"),
    (
        "financial.command",
        r"\b(?:place|submit|execute|send|make|create)_?(?:order|payment|trade|transfer|payout|refund)\s{0,3}\(\s{0,3}[\w\"'{]",
    ),
    (
        _DATA,
        r"\bflush(?:all|db)\b|\bdetach\s{1,9}delete\b|\bdrop_all\s{0,3}\(|objects\.all\(\)\.delete\(|\btruncatetable\(",
    ),
    (
        _TREE,
        r"\b(?:shutil\.)?rmtree\s{0,3}\(|\bos\.(?:remove|unlink|rmdir|removedirs|removeall)\s{0,3}\(|\.unlink\s{0,3}\(\s{0,3}(?:missing_ok=\w+)?\)",
    ),
    (
        _TREE,
        r"\bfs(?:[\"']\s?\))?(?:\.promises)?\.(?:rm|rmdir|unlink)(?:sync)?\s{0,3}\(|\b(?:rimraf|del-cli|trash-cli)\s{1,4}[\w./~*-]|\bfileutils\.rm\w{0,6}|\brm_rf\b\s{0,3}[(\"'/]",
    ),
    (
        _TREE,
        r"\bfile\.delete\s{0,3}\(|\bremove_dir_all\s{0,3}\(|\bfiles\.delete\w{0,12}\(|\bdir\.(?:delete|rmdir|unlink)\s{0,3}\(|\bdeletedirectory\(",
    ),
    (_TREE, r"\bperl\b[^\n]{0,80}\bunlink\b|\bruby\b[^\n]{0,80}\b(?:unlink|rm_r)|\bphp\b[^\n]{0,80}\bunlink\("),
    (
        _TREE,
        r"\buse\s{1,4}(?:the\s)?[\"'`]?rm\b[\"'`]?\s{1,4}(?:command\s)?(?:to|on|with|for)\b|\brm\s{1,4}(?:everything|all|the\s\w{1,30}\s(?:folder|directory|repo|tree))\b|\brm\b[^.\n]{0,30}\b(?:recursive|recursively|force\s+flag)",
    ),
    (
        _DISK,
        r"\bfill\s[\w /]{0,30}\b(?:disk|drive|partition|memory)\b[\w ]{0,20}\bwith\b|\b(?:write|writing|dump)\s{1,4}(?:zeros?|zeroes|random\s\w{1,10}|garbage|nulls)\b[^.\n]{0,40}\b(?:disk|drive|partition|/dev/)",  # noqa: E501  a pattern is read unbroken
    ),
    (_DISK, r">\s{0,9}/dev/(?:sd|nvme|hd|vd|xvd|mmcblk|disk|mem|kmem)\w*|\btee\s{1,9}/dev/(?:sd|nvme|hd|vd|disk)\w*"),
    (
        _TREE,
        r"(?:^|[;&|`\n])\s{0,9}:?\s{0,3}>\s{0,3}[\w~-]{0,40}[./][\w./~-]{1,80}[ \t]{0,9}(?=$|[;&|`\n])|\bcat\s{1,4}/dev/(?:null|zero|u?random)\s{0,4}>",  # noqa: E501  a pattern is read unbroken
    ),
    (
        _SYSTEM,
        r":\s{0,3}\(\s{0,3}\)\s{0,3}\{\s{0,3}:\s{0,3}\|\s{0,3}:|\bfork\s{0,3}bomb\b|while\s{1,4}true\b[^\n]{0,30}\bfork\(|%0\|%0",
    ),
    (
        _REMOTE,
        rf"\b(?:{_MAKERS})\b[^\n]{{0,200}}?\|\s{{0,9}}(?:(?:sudo|doas|env|nohup|exec|command|xargs)\s(?:-\S{{1,20}}\s)?){{0,3}}\s{{0,4}}(?:{_SHELLS})(?=[\s;&|)`\"'.,]|$)",
    ),
    (
        _REMOTE,
        r"[\w@\"'./)}-]\s{0,9}\|\s{0,9}(?:sudo\s(?:-\S{1,20}\s)?)?(?:ba|z|k|da)?sh(?=\s{0,9}(?:$|[;&|`\"'\n).]|-[a-z]))",
    ),
    (
        _REMOTE,
        rf"\b(?:{_LOADERS}|base64|xxd)\b[^\n]{{0,200}}?\|\s{{0,9}}(?:sudo\s)?(?:{_RUNTIMES})(?=[\s;&|)`\"'.,-]|$)",
    ),
    (
        _REMOTE,
        rf"(?:{_SHELLS}|{_RUNTIMES}|eval|source|exec|(?:^|\s)\.)\s{{1,9}}(?:-\w{{1,8}}\s{{1,4}})?[\"']?\s{{0,4}}(?:<\s?\(|\$\(|`|\(\s?)\s{{0,4}}(?:{_LOADERS}|base64|xxd|echo|printf|new-object)\b",
    ),
    (
        _REMOTE,
        r"\bdownloadstring\b|\b(?:powershell|pwsh)\b[^\n]{0,60}\s-e(?:nc|ncodedcommand|c)?\s{1,4}[a-z0-9+/=]{6,}|\bmshta\s{1,4}http|\bcertutil\b[^\n]{0,40}-urlcache",
    ),
    (
        _REMOTE,
        r"\b(?:system|exec|eval|popen|run|call)\s{0,3}\([^\n]{0,80}\bchr\(\d|\b(?:exec|eval)\s{0,3}\([^\n]{0,120}(?:urlopen|requests\.get|b64decode|fetch\(|atob|fromhex|decode\()",
    ),
    (
        _REMOTE,
        rf"\b(?:{_LOADERS})\b[^\n]{{0,300}}(?:&&|;)\s{{0,9}}(?:sudo\s)?(?:chmod\s\+x[^\n]{{0,80}}?(?:&&|;)\s{{0,9}}(?:sudo\s)?[./~]|(?:{_SHELLS})\s+[\w./-]{{1,60}}|\./\w)",
    ),
    (
        _SYSTEM,
        r"/proc/sysrq-trigger|/dev/tcp/\d|\bnc\b[^\n]{0,60}\s-e\s|\bhistory\s{1,4}-c\b|\bkill\s{1,4}-\w{1,8}\s{1,4}(?:\$\(|`)(?:pgrep|pidof|ps)\b|\bunset\s{1,4}histfile|>\s{0,3}/etc/(?:passwd|shadow|hosts|sudoers)|(?<!>)>\s{0,3}/(?:etc|boot|usr|bin|sbin|lib)/\w|nopasswd:\s?all",
    ),
    (
        _SECRETS,
        rf"\b(?:curl|wget|http)\b[^\n]{{0,120}}?(?:-d|--data\S{{0,20}}|-f|--form|-t|--upload-file|--post-file\S{{0,4}}|@)[^\n]{{0,60}}{_PRIVATE_FILES}",
    ),
    (
        _SECRETS,
        rf"\b(?:cat|tar|env|printenv|gpg|zip|base64)\b[^\n]{{0,160}}\|\s{{0,9}}(?:nc|ncat|curl|socat|telnet|mail\w*|ssh)\b|\b(?:scp|rsync|nc|sftp)\b[^\n|]{{0,120}}{_PRIVATE_FILES}[^\n]{{0,80}}(?:@|:)",
    ),
    (
        "destructive.defence",
        r"\bdisable-?realtimemonitoring\b|\bgit\b[^\n]{0,40}sslverify\s{0,3}=?\s{0,3}false|\bwevtutil\s{1,4}cl\b|\bvssadmin\s{1,4}delete",
    ),
    (
        "outward.webhook",
        r"\b(?:curl|wget|http|https|invoke-webrequest|invoke-restmethod|iwr|irm)\b(?=[^\n]{0,200}(?:\s-d\b|--data|--json|\s-f\s|\s-t\s|--post|-x\s?(?:post|put|delete|patch)|--request\s?=?(?:post|put|delete|patch)|-method\s{1,4}post|\spost\s))(?=[^\n]{0,200}(?:https?://|hooks\.|api\.|\w\.(?:com|io|org|net)\b))(?![^\n]{0,200}(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0))",
    ),
    ("outward.webhook", r"\bhooks\.slack\.com/|\bdiscord(?:app)?\.com/api/webhooks|\bapi\.telegram\.org/bot"),
    (
        "outward.webhook",
        r"\brequests\.(?:post|put|delete)\s{0,3}\(\s{0,3}f?[\"']https?://(?!localhost|127\.)|\bfetch\(\s{0,3}[\"']https?://(?!localhost|127\.)[^\n]{0,200}post",
    ),
    (
        "outward.message",
        r"\bsmtplib\b[^\n]{0,200}|\bsendmail\s{0,3}\(|\bsend_mail\s{0,3}\(|\bchat_?\.?postmessage\b|\bcreate_tweet\s{0,3}\(|\bupdate_status\s{0,3}\(|\bmessages\.create\s{0,3}\(|\bmailto:\S",
    ),
    (
        "financial.command",
        r"\bstripe\.\w{1,40}(?:\.\w{1,40})?\.create\b|\bsend_?transaction\s{0,3}\(|\bcreate_(?:market_|limit_)?(?:buy_|sell_)?order\s{0,3}\(|\b(?:charges?|payment_?intents?|refunds?|payouts?|transfers?)\.create\b",
    ),
    (
        "financial.command",
        r"\bpost\b[^\n]{0,120}/v\d/(?:charges|payments?|transfers|refunds|payouts|orders|invoices|checkout|subscriptions)\b",
    ),
)
_COMPILED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (rule, re.compile(pattern, re.MULTILINE)) for rule, pattern in _PATTERNS
)
_SQL_COMMENT = re.compile(r"/\*.{0,60}?\*/")


def findings(lowered: str) -> Iterator[Finding]:
    """Yield every pattern that matches, with its position."""
    for rule, pattern in _COMPILED:
        for match in pattern.finditer(lowered):
            yield Finding(rule=rule, start=match.start(), end=match.end())


def without_sql_comments(text: str) -> str:
    """Replace ``/**/`` by a space, as a database would."""
    return _SQL_COMMENT.sub(" ", text) if "/*" in text else text
