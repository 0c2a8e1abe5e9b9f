"""Orders that hide in a turn of phrase or in the passive: "make sure the bill gets paid", "get the word out"."""

import re
from collections.abc import Iterator

from hub.may.content.clauses import Guard
from hub.may.content.hit import Finding
from hub.may.content.wordlist import word_set

_SEND, _POST, _PAY, _DATA = "outward.message", "outward.post", "financial.pay", "destructive.data"
_WISH = r"\b(?:make\s+sure|see\s+(?:to\s+it\s+)?that|ensure|i\s+want|i\s+need|we\s+need|get|have|must|should|needs?\s+to|has\s+to|want|would\s+like)\b"  # noqa: E501  a pattern is read unbroken
_LETTER = r"(?:e-?mail|note|line|message|text|dm|tweet|letter|sms|memo|reminder|invite|heads-up|postcard)"
_VALUED = r"(?:data|database|records?|backups?|production|logs|files|folders?|director(?:y|ies)|buckets?|queues?|mailbox|inbox|traces?|evidence|accounts?|users?|customers?|repo\w*|history|tables?|disk|server|cluster)"  # noqa: E501  a pattern is read unbroken

_IDIOMS: tuple[tuple[str, str], ...] = (
    (_SEND, r"\blet\s+(?!me\b|us\b|it\b|the\s+(?:user|caller|compiler|reader|parser)\b)[\w'#@ -]{1,50}?\s+know\b"),
    (_SEND, r"\b(?:get|spread|put)\s+the\s+word\s+out\b|\bspread\s+the\s+(?:word|news)\b|\bbreak\s+the\s+news\b"),
    ("outward.call", r"\bgive\s+(?!me\b|us\b|it\b)[\w' ]{1,40}?\s+an?\s+(?:quick\s+)?(?:call|ring|shout|buzz|bell)\b"),
    (
        _SEND,
        rf"\b(?:give|shoot|drop|fire|slip|write)\s+(?!me\b|us\b)(?:(?:the|my|our|all|every)\s+)?[\w'@]+(?:\s+(?!that\b|which\b|to\b)\w+)?\s+an?\s+(?:\w+\s+)?{_LETTER}\b",
    ),
    (
        _SEND,
        rf"\b(?:shoot|drop|fire|fire\s+off|dash\s+off|send\s+off|send\s+out)\s+(?:off\s+)?an?\s+(?:\w+\s+){{0,2}}{_LETTER}s?\b",
    ),
    (
        _SEND,
        r"\bloop\s+[\w' ]{1,30}?\s+in\b|\bloop\s+in\s+\w|\bkeep\s+(?!me\b|us\b)[\w' ]{1,30}?\s+(?:posted|in\s+the\s+loop|updated|informed|up\s+to\s+date)\b|\bb?cc\s+(?!to\b)[A-Za-z]+",  # noqa: E501  a pattern is read unbroken
    ),
    (
        _SEND,
        r"\b(?:hit|press|click)\s+(?:the\s+)?[\"']?send\b|\bget\s+back\s+to\s+(?!me\b|us\b|work\b|it\b|this\b|that\b|the\s+(?:main|start|top|task|code)\b)[\w' ]{1,30}?\s(?:with|about|on|by)\b|\bget\s+back\s+to\s+(?:our|him|her|them)\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        "outward.publish",
        r"\b(?:hit|press|click)\s+(?:the\s+)?[\"']?publish\b|\bmake\s+(?:the|our|my|this)\s+(?:\w+\s+)?(?:repo|repository|report|gist|document|dataset|results|draft|video|page)\s+public\b",
    ),
    (
        _SEND,
        r"\bpass\s+(?:it|this|that|the\s+\w+)\s+(?:on|along)\s+to\b|\bcold[- ](?:call|e-?mail)\b|\brsvp\s+(?:yes|no|to|for)\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        _POST,
        r"\bsubmit\s+[\w' ]{1,50}?\s+to\s+(?:the\s+)?(?:hacker\s?news|reddit|product\s?hunt|app\s?store|play\s?store|pycon|arxiv|conference|journal|press)\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        _SEND,
        rf"{_WISH}[^.\n]{{0,60}}?\b(?:emailed|e-mailed|mailed\s+out|tweeted|texted|phoned|messaged|notified\s+by|announced|contacted)\b",
    ),
    (
        _SEND,
        rf"{_WISH}[^.\n]{{0,30}}?\b(?:e-?mail|newsletter|invitations?|invites?|tweet|press\s+release|letter|announcement)s?\b[^.\n]{{0,30}}?\b(?:sent|out|published|posted|delivered)\b",
    ),
    (
        _PAY,
        rf"{_WISH}[^.\n]{{0,60}}?\b(?:paid(?!\s+(?:plan|tier|feature|user|version))|refunded|reimbursed|purchased|bought|wired|donated)\b",
    ),
    (
        _PAY,
        r"\b(?:get|grab|score)\s+(?:me\s+|us\s+)?(?:\w+\s+){0,2}(?:tickets?|licen[cs]es?|gift\s?cards?|subscription)\b|\bchip\s+in\b|\b(?:foot|cover|pick\s+up)\s+the\s+(?:bill|tab|check)\b|\bcough\s+up\b|\bput\s+down\s+(?:a|the)\s+deposit\b",
    ),
    (
        _PAY,
        r"\b(?:use|with|using|on|charge|to)\s+(?:my|our|the)\s+(?:\w+\s+)?(?:credit|debit|company|corporate|saved|bank)\s?(?:credit\s)?card\b",
    ),
    (
        _PAY,
        r"\b(?:raise|increase|set|double|bump|max\s+out)\s+[\w' ]{0,30}?(?:bid|ad\s+spend|ad\s+budget|ads\s+budget|spend)\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        _PAY,
        r"\b(?:issue|raise|submit)\s+(?:an?|the)\s+(?:\w+\s+)?(?:invoice|credit\s+note|purchase\s+order)\b",
    ),
    (
        _SEND,
        r"\b(?:set\s+up|turn\s+on|switch\s+on|enable|activate|create|disable)\s+(?:an?\s+|the\s+|my\s+)?(?:auto-?\s?(?:reply|responder)|out-of-office|vacation\s+responder)\b",
    ),
    (
        _PAY,
        r"\b(?:enable|activate|turn\s+on|switch\s+on)\s+(?:the\s+)?(?:billing|auto-?pay|auto-?renew\w*)\b|\b(?:boost|promote)\s+(?:the|our|this|my)\s+(?:\w+\s+)?(?:post|ad|listing|tweet|video)\b",
    ),
    (
        _PAY,
        r"\b(?:double|triple|raise|increase|set|bump|lower|cut|halve)\s+[\w' ]{0,30}?\bbudget\s+(?:of|for)\s+(?:the\s+|our\s+)?[\w ]{0,20}?(?:ads?|campaigns?|adwords)\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        "outward.call",
        r"\bjoin\s+(?:the|a|my|our)\s+[\w' ]{0,20}?\b(?:call|meeting|webinar|conference|zoom)\b(?!\s+(?:page|component|flow))|\bdial\s+in(?:to)?\b",  # noqa: E501  a pattern is read unbroken
    ),
    (_DATA, r"\bdown\s+migrations?\b(?!\s+(?:file|script|test|guide))|\bthrow\s+away\s+the\s+(?:\w+\s+)?key\b"),
    (
        "destructive.system",
        r"\bscale\s+[\w' /-]{1,50}?\s(?:down\s+)?to\s+(?:zero|0)\b|\block\s+(?:all|every|the|our)\s+[\w' ]{1,30}?\bout\b|\block\s+out\s+(?:all|every|the)\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        _PAY,
        r"\b(?:raise|increase|lift|extend)\s+[\w' ]{0,20}?\b(?:credit(?:\s+card)?\s+limit|overdraft|spending\s+(?:limit|cap))\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        "destructive.permissions",
        r"\b(?:allow|permit|enable)\s+(?:\w+\s+){0,2}?(?:root|password|passwordless|anonymous|public|unauthenticated)\s+(?:login|logins|access|writes?|ssh)\b|\bworld[- ](?:writ(?:e)?able|readable)\b|\b0\.0\.0\.0/0\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        "outward.webhook",
        r"\b(?:trigger|call|hit|invoke|fire|post\s+to|notify)\s+(?:the|our|my)\s+(?:\w+\s+)?(?:slack|discord|teams|telegram|zapier|ifttt)\s+(?:web)?hook\b",
    ),
    (
        _SEND,
        r"\bsay\s+(?:hi|hello|thanks|thank\s+you|sorry|goodbye|congratulations)\s+to\s|\bin\s+contact\s+with\b|\bsend\s+[\w' ]{1,30}?\s(?:round|around)\b|\b(?:accept|decline|send|reject)\s+(?:the|all|a|an)\s+(?:\w+\s+)?(?:friend|connection|follow|contact)\s+requests?\b|\b(?:un)?follow\s+(?:back\s+)?(?:all|the|every|everyone|our|these)\b[\w ]{0,20}\b(?:followers|accounts?|users|people|speakers|members|everyone)\b|\bun-?subscribe\s+(?:me|us)\s+from\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        _POST,
        r"\bmake\s+(?:the|our|my|this)\s+(?:\w+\s+){1,3}public\b(?!\s+(?:method|field|member|function|api|in))|\b(?:sign|start)\s+(?:the|a|this)\s+petition\b|\bvote\s+(?:in|for|on)\s|\brate\s+[\w' ]{1,30}\bstars?\b|\bput\s+[\w' ]{1,30}\s(?:up\s+)?for\s+sale\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        "financial.buy",
        r"\bstock\s+up\s+on\b|\b(?:proceed|go|continue)\s+to\s+(?:the\s+)?checkout\b(?!\s+(?:page|component|test|code|flow))|\b(?:click|press|hit|tap)\s+(?:on\s+)?(?:the\s+)?[\"']?(?:pay|buy|order|purchase|check\s?out|place\s+order)\b|\bexpense\s+(?:it|them)\b|\benter\s+(?:the|my|our)\s+(?:credit\s+)?card\b",
    ),
    (
        _PAY,
        r"\bopen\s+(?:an?|the)\s+(?:paypal|bank|brokerage|savings|checking|trading|crypto|business)\s+account\b|\b(?:accept|agree\s+to)\s+the\s+(?:price|quote|fee|offer|new\s+price|increase)\b|\b(?:his|her|their|'s)\s?share\s+of\s+the\s+(?:bill|rent|costs?)\b|\bautopay\b",
    ),
    (
        "destructive.system",
        r"\b(?:pull\s+the\s+plug|unplug)\b|\b(?:block|cut|stop|drop)\s+all\s+(?:\w+\s+)?(?:traffic|access|connections|requests)\b(?!\s+(?:in\s+the\s+test|from\s+the\s+test))",
    ),
    (
        _POST,
        r"\bpost\s{0,3}:[^\n]{1,300}\bon\s+(?:mastodon|twitter|x|linkedin|facebook|reddit|slack|discord|bluesky)\b",
    ),
    (_SEND, r"\bwith\s+an?\s+(?:\w+\s+)?(?:apology|thank-you)\b"),
    (_SEND, r"\boff\s+it\s+goes\b|\boff\s+to\s+[\w' ]{1,40}\s+with\s+(?:it|them)\b"),
    (
        _PAY,
        r"\b(?:invoices?|bills?|rent|fees?)\b[^.\n]{0,60}\b(?:due|overdue|open|unpaid)\b[^.\n]{0,20}\b(?:see\s+to|take\s+care\s+of|deal\s+with|handle)\s+(?:it|that|them)\b",
    ),
    (
        "financial.buy",
        r"\b(?:cart|basket)\b[^\n]{0,80}\bcheck\s?out\b(?!\s+(?:page|flow|the|code|branch|form|button|step|test|view|component))",
    ),
    (
        "financial.subscribe",
        r"\btake\s+out\s+an?\s+(?:\w+\s+)?(?:subscription|loan|mortgage|insurance|policy|membership|credit|contract)\b",
    ),
    (
        "financial.trade",
        r"\b(?:limit|market|stop|buy|sell)\s+order\s+(?:for|of|on)\b|\b(?:go|going)\s+(?:long|short)\s+on\b|\bput\s+\S{1,12}\s+(?:\w+\s+)?into\s+(?:stocks|crypto|bitcoin|etfs?|index\s+funds?)\b",
    ),
    (
        _DATA,
        rf"\b(?:leave|leaving)\s+(?:nothing|no\s+trace)\b|\bmake\s+sure\s+(?:that\s+)?(?:nothing|no\s+\w+|none)\s+[\w ]{{0,30}}?(?:left|remains?|survives?|recoverable)\b|\bburn\s+[\w ]{{1,30}}?\s+to\s+the\s+ground\b|\b(?:send|throw|toss|put)\s+[\w' ]{{0,30}}?{_VALUED}[\w' ]{{0,20}}?\s+(?:to|in|into)\s+the\s+(?:trash|bin|void)\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        _DATA,
        rf"\bstart\s+(?:over|from\s+scratch|afresh)\s+with\s+(?:an\s+empty|a\s+blank|a\s+fresh)\s+{_VALUED}\b|\bdestr(?:oy|uction)\s+of\s+(?:all|the)\s+[\w ]{{0,20}}{_VALUED}\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        "destructive.defence",
        r"\b(?:turn|switch|shut)\s+(?:[\w' ]{0,30}\b)?(?:protection|firewall|antivirus|backups?|encryption|2fa|mfa|auth\w*|monitoring|alerts|selinux|security)\s+off\b",  # noqa: E501  a pattern is read unbroken
    ),
    (_DATA, r"\bset\w*\s+(?:every|all|each)\s+[\w' ]{1,50}?\s+to\s+(?:null|zero|0|empty|an\s+empty\s+string)\b"),
    (
        _DATA,
        r"\breplace\s+[\w/'. ]{1,60}?\s+with\s+(?:an?\s+)?(?:empty|blank)\s+(?:file|database|folder|table|config|one)\b",  # noqa: E501  a pattern is read unbroken
    ),
    ("destructive.permissions", r"\b(?:permissions?|access\s+rights|file\s+modes?)\b[^.\n]{0,40}\b(?:777|000|666)\b"),
    (_DATA, r"\b(?:hide|cover|conceal)\s+(?:up\s+)?(?:the|our|your|my|all|any)\s+(?:traces?|tracks|evidence)\b"),
    ("financial.subscribe", r"\bsign\s+(?:the|our|a|this)\s+(?:\w+\s+)?(?:contract|agreement|deal|lease|mortgage)\b"),
    (
        "outward.comment",
        r"\bwrite\s+(?:an?|the)\s+(?:\w+\s+)?(?:review|comment|rating)\s+(?:(?:for|of)\s[\w' ]{1,30}\s)?(?:on|at|for)\s+(?:amazon|google|yelp|tripadvisor|glassdoor|trustpilot|the\s+(?:pr|issue|pull\s+request|thread))\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        "destructive.remote-code",
        r"\b(?:eval|evaluate|execute|run|source)\s+(?:the\s+)?(?:output|result|response|contents?|body)\s+of\b[^.\n]{0,40}(?:curl|wget|http)",
    ),
    (
        _DATA,
        r"\b(?:should|must|needs?\s+to|has\s+to|is\s+to|were|to)\s+(?:all\s+|just\s+)?(?:be\s+)?(?:gone|no\s+more|history|cease\s+to\s+exist|stop\s+existing|disappear|vanish)\b|\bceases?\s+to\s+exist\b|\bout\s+of\s+(?:our|my)\s+lives\b",
    ),
    (
        _DATA,
        rf"\b{_VALUED}\b[\w' ]{{0,30}}\s(?:should|must|needs?\s+to|has\s+to|have\s+to)\s+be\s+(?:completely\s+)?(?:empty|blank|clean|cleared)\b|\b(?:bring|return|restore|put)\s+(?:the|our|my)\s+[\w' ]{{0,30}}{_VALUED}\b[\w' ]{{0,20}}?\s(?:back\s+)?(?:to|into)\s+(?:an?\s+|its\s+)?(?:empty|blank|clean|pristine|initial|original)\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        "destructive.history",
        r"\b(?:commits?|history|pushe?s?)\s+(?:\w+\s+){0,3}never\s+(?:happened|existed)\b",
    ),
    (_DATA, r"\bretention\b[^.\n]{0,60}\b(?:to|of|=)\s+(?:zero|0|one|1)\s*(?:d|days?|hours?|h)\b"),
    (
        "destructive.permissions",
        r"\b(?:give|grant|allow|hand)\s+(?:everyone|everybody|anyone|all\s+users|the\s+(?:world|public)|anonymous\w*|public)\s+[\w ]{0,30}\b(?:access|permissions?|rights|admin|root|write)\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        _SEND,
        r"\bin\s+(?:the(?:ir|\s+(?:client|customer|boss|team)'?s?)|his|her)\s+(?:inbox|mailbox)(?:es)?\b|\b(?:should|must|needs?\s+to|has\s+to|to)\s+hear\s+(?:back\s+)?from\s+us\b|\b(?:e-?mail|sms|newsletter|mail)\s+blast\b",
    ),
    (
        _PAY,
        r"\b(?:should|must|needs?\s+to|has\s+to|gets?|receives?|let|have)\s+(?:\w+\s+){0,4}?(?:(?:his|her|their)\s+(?:money|payment|salary|fee|refund|deposit|share)|(?:remaining|outstanding|agreed|promised)?\s?(?:[$€£]\d+|\d+\s?(?:euros?|dollars?|eur|usd|pounds?|chf)))\b",
    ),
    (
        _PAY,
        rf"{_WISH}[^.\n]{{0,40}}?\b(?:invoices?|bills?|rent|fees?|salar(?:y|ies)|balance|debts?|fine|ticket|deposit|payroll|tab)\b[^.\n]{{0,40}}?\b(?:settled|cleared|covered|taken\s+care\s+of|handled|transferred|paid)\b",
    ),
    (
        "destructive.remote-code",
        r"\b(?:download|fetch|grab|pull|get|wget|curl)\b[^\n]{0,40}https?://\S{1,300}[^\n]{0,40}\b(?:run|execute|launch|start|install|source|eval)\s+(?:it|that|this|the\s+(?:file|script|result|installer|binary))\b",
    ),
    (
        "destructive.remote-code",
        r"\bdownload\w*\s+(?:it\s+)?and\s+(?:then\s+)?(?:run|execute|install)\b|\b(?:pip|feed|pass|hand|send)(?:e|ing)?\s+[\w' ]{1,60}?\b(?:in)?to\s+(?:a\s+|the\s+)?(?:bash|sh|zsh|shell|python|node)\b",  # noqa: E501  a pattern is read unbroken
    ),
    (
        "destructive.remote-code",
        r"\b(?:download|fetch|grab|install|pull)\b[^.\n]{0,60}\b(?:script|installer|binary|executable|payload)\b[^.\n]{0,60}\b(?:run|execute|launch)\s+it\b",
    ),
    (
        "destructive.system",
        r"\b(?:shut|take|bring|tear|power|burn|blow)\s+(?!test|dev)(?:\w+\s+){0,3}?(?:servers?|production|prod|clusters?|site|website|database|machines?|hosts?|service|services|system|infrastructure|router|api|gateway)\s+(?:down|off|offline|away|up)\b",
    ),
    (
        "destructive.system",
        r"\b(?:install|set\s+up|open|start|deploy|spawn|plant|launch|run|drop|inject)\s+(?:up\s+)?(?:an?\s+|the\s+|some\s+)?(?:\w+\s+)?(?:reverse\s+shell|keylogger|backdoor|rootkit|ransomware|malware|crypto-?miner|spyware|trojan)\b",
    ),
    (
        "destructive.defence",
        r"\b(?:open|expose)\s+(?:up\s+)?all\s+(?:the\s+)?ports\b|\b(?:remove|delete|drop|flush|clear)\s+(?:all\s+)?(?:the\s+|our\s+)?(?:firewall|branch\s+protection|iptables|encryption|mfa|2fa|antivirus)\b(?!\s+(?:docs?|tests?|page|section|comment))",
    ),
)
_COMPILED = tuple((rule, re.compile(pattern)) for rule, pattern in _IDIOMS)
_IMPERSONAL = word_set(
    """accept agree sign open rate start stop cut block proceed continue go put press click hit enter allow permit
    trigger call hit invoke fire feed scale raise lift lock install enable activate create make ensure open
    remove delete clear drop set put submit write see increase turn install replace sign hide cover disable
    change send run fetch download get grab pull"""
)


def findings(lowered: str, guard: Guard) -> Iterator[Finding]:
    """Yield every idiom in ``lowered`` that stands in a clause which orders rather than mentions."""
    for rule, pattern in _COMPILED:
        for match in pattern.finditer(lowered):
            clause = guard.clause_at(match.start())
            if clause is None or clause.negated or clause.mode == "talk":
                continue
            if clause.mode == "work" and clause.leader not in _IMPERSONAL:
                continue
            yield Finding(rule=rule, start=match.start(), end=match.end())
