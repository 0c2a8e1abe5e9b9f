"""Verbs that reach other people, and what they must be aimed at to count."""

import re
from collections.abc import Callable

from hub.may.content.nouns import ARTEFACTS, CODE, OUTSIDE, PEOPLE, SECRETS, TECHNICAL
from hub.may.content.phrases import ADDRESS, DETERMINERS, Phrase
from hub.may.content.wordlist import word_set

Rule = Callable[[Phrase], str | None]

_SEND, _POST, _PUBLISH, _CALL = "outward.message", "outward.post", "outward.publish", "outward.call"
_COMMENT, _SECRETS = "outward.comment", "destructive.secrets"
_SITE = re.compile(r"https?:|[\w.-]+\.(?:com|org|net|io|dev|de|co|ru|cn|xyz|app)(?:/|$)")
_NAME = re.compile(r"[A-Z][a-z]{1,20}(?:-[A-Z][a-z]{1,20})?$")
_SURE_ARTEFACTS = word_set(
    """email emails e-mail e-mails mail mails tweet tweets dm dms sms text texts newsletter newsletters
    invitation invitations invite invites letter letters press-release apology fax postcard campaign
    greeting greetings offer condolences congratulations voicemail complaint rsvp teaser outreach pitch
    announcement announcements blast quote reminder reminders proposal survey resignation invoice
    invoices feedback application thank-you"""
)
_TO = frozenset(word_set("to with for on in at into via through onto over"))
_PRONOUNS = frozenset({"it", "them", "this", "that", "these", "those", "everything"})
_NOT_NAMES = word_set(
    """API HTTP SQL The A An All Python Django React Java Rust Go Docker Redis Kafka MQTT JSON Monday
    Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August
    September October November December Prometheus Grafana Postgres Linux"""
)
_SOMEBODY = PEOPLE - word_set(
    """user users list group board author authors contact contacts support me us people world person team"""
)
_SOCIAL = word_set(
    """twitter linkedin facebook instagram tiktok youtube mastodon reddit slack discord whatsapp telegram"""
)
_WRITTEN = word_set(
    """note notes doc docs documentation report changelog feedback summary statement article story comment"""
)
_PAYLOADS = word_set(
    """response responses payload payloads token header headers cookie cookies json html xml error errors stream
    chunk chunks packet packets frame frames bytes event events code value values object objects props state ack
    acknowledgement redirect 200 201 204 301 302 304 400 401 403 404 409 418 422 429 500 502 503 null request signal"""
)
_PAPERS = word_set(
    """guide docs documentation report tutorial plan plans roadmap analysis audit link links questions question
    estimate estimates feedback review wiki figures stats statistics metrics requirements template proposal-draft
    example examples story stories lesson lessons exercise demo dashboard"""
)
_OUTSIDERS = word_set(
    """customer customers client clients vendor vendors supplier suppliers press investor investors authorities police
    landlord journalist journalists partner partners maintainer maintainers upstream regulator regulators lawyer
    accountant bank insurance shareholders donors sponsors candidate candidates apple google microsoft amazon stripe
    github support government board"""
)
_PROGRAM_USERS = word_set(
    """user users client clients subscriber subscribers host list group author authors contact contacts lead leads
    member members public world customer customers people person support legal finance board editor editors"""
)
_RELEASABLE = word_set(
    """package packages release version article articles post posts blog site website app crate gem library
    image story announcement newsletter update report page video podcast episode statement paper
    findings results extension plugin module-to-npm photos artifact wheel sdist book docs documentation
    changelog notes"""
)


def _names(raw: tuple[str, ...]) -> bool:
    return any(_NAME.match(word) and word not in _NOT_NAMES and word.upper() != word for word in raw)


def _addressed(words: tuple[str, ...], raw: tuple[str, ...]) -> bool:
    """Say whether somebody is named: a person noun, a name, a handle, an address."""
    if any(_SITE.match(word) for word in words):
        return True
    people = any(word in PEOPLE or (word.removesuffix("'s") in PEOPLE and word in PEOPLE) for word in words)
    return (
        people or _names(raw) or any(ADDRESS.match(word) or (word.startswith("#") and len(word) > 1) for word in words)
    )


def _code(phrase: Phrase) -> bool:
    head = phrase.head
    return (head in CODE and head not in _WRITTEN) or head.endswith("()")


def _recipient(phrase: Phrase) -> bool:
    """Say whether the surroundings name people or places outside."""
    tail, raw = phrase.tail[:9], phrase.raw_tail[:9]
    if not set(tail) & _TO:
        return False
    start = next(at for at, word in enumerate(tail) if word in _TO)
    near, near_raw = tail[start + 1 :], raw[start + 1 :]
    near += tuple(part for word in near if "/" in word[1:] for part in word.split("/"))
    outside = OUTSIDE - {"list", "page", "channel"} | (PEOPLE - _PROGRAM_USERS)
    if set(near[:4]) & TECHNICAL and not set(near[:5]) & outside:
        return False
    return bool(set(near) & OUTSIDE) or _addressed(near, near_raw)


def _technical(phrase: Phrase) -> bool:
    return bool(set(phrase.tail[:7]) & TECHNICAL) or bool(
        set(phrase.words[:-1]) & {"mqtt", "websocket", "http", "test", "get", "post", "put"}
    )


def _send(phrase: Phrase) -> str | None:
    """Match sending something to somebody."""
    private = set(phrase.words + phrase.tail[:3]) & (SECRETS | {"/etc/shadow", "/etc/passwd"})
    if private and (_recipient(phrase) or "/etc/shadow" in private):
        return _SECRETS
    if _served(phrase):
        return None
    if len(phrase.words) > 1 and phrase.words[0] not in {"me", "us"} and _given_first(phrase):
        programs = {"client", "user", "server", "browser", "caller"} & set(phrase.words[:2])
        return None if programs and phrase.head in _PAYLOADS else _SEND
    if _code(phrase) and not _recipient(phrase) and phrase.head not in _PAPERS:
        return None
    if set(phrase.heads) & _SURE_ARTEFACTS and not (_technical(phrase) and not _recipient(phrase)):
        return _SEND
    local = any(word.startswith(("localhost", "127.", "/", "http://localhost")) for word in phrase.tail[1:5])
    if not local and (_recipient(phrase) or _goes_to_somebody(phrase)):
        return _SEND
    return _SEND if _loose_message(phrase) else None


def _goes_to_somebody(phrase: Phrase) -> bool:
    """Say whether the receiver, before or after the thing, is anything but a program."""
    near = phrase.tail[1:5]
    if phrase.tail[:1] == ("to",) and near and not set(near) & (TECHNICAL | CODE | {"be", "see", "check", "make"}):
        return True
    first = tuple(word for word in phrase.words if word not in DETERMINERS)[:1]
    if first and ADDRESS.match(first[0]) and first[0][0] not in "+0123456789":
        return True
    many = len(phrase.words) > 1
    return many and (bool(set(first) & (PEOPLE - {"me"}) and phrase.head not in CODE) or _names(phrase.raw[:1]))


def _loose_message(phrase: Phrase) -> bool:
    """Say whether a message without a receiver is sent off ("send it", "send the reply")."""
    if phrase.head in {"it", "them", "everything"}:
        return not _technical(phrase)
    chat = set(phrase.heads) & {"message", "messages", "reply", "update", "dm", "response", "note"}
    alerts = set(phrase.heads) & {"notifications", "notification", "messages", "message", "alerts"}
    told = bool(alerts) and phrase.tail[:1] in {("about",), ("regarding",), ("saying",), ("that",)}
    return (bool(chat) and not _technical(phrase) and not phrase.tail) or (told and not _technical(phrase))


def _given_first(phrase: Phrase) -> bool:
    """Say whether the receiver stands before the thing: "Bob the notes", "the team the meeting notes"."""
    skip = 1 if phrase.words[0] in DETERMINERS else 0
    who = slice(skip, skip + 1)
    return _addressed(phrase.words[who], phrase.raw[who]) and set(phrase.words[skip + 1 : skip + 2]) <= DETERMINERS


def _served(phrase: Phrase) -> bool:
    """Say whether a program answers a program: a response to the client, a token to the user's browser."""
    near = set(phrase.tail[1:5])
    programs = near & word_set("client clients user users caller callers browser customer subscriber subscribers")
    return bool(programs) and phrase.tail[:1] == ("to",) and bool(set(phrase.heads) & _PAYLOADS)


def _to_person(phrase: Phrase) -> str | None:
    """Match verbs whose object is the person: email Bob, text mom, notify all users."""
    if phrase.empty:
        return _SEND if _recipient(phrase) else None
    if _given_first(phrase):
        return _SEND
    if _code(phrase) and not _recipient(phrase) and phrase.head not in PEOPLE:
        return None
    words = tuple(word for word in phrase.words if word not in DETERMINERS)
    if (_addressed(words, phrase.raw) and phrase.head not in CODE - PEOPLE) or _recipient(phrase):
        return _SEND
    return (
        _SEND
        if phrase.words[0] in DETERMINERS and not _technical(phrase) and phrase.head not in CODE | TECHNICAL
        else None
    )


def _notify(phrase: Phrase) -> str | None:
    """Match telling people; telling the asker, or listeners in the code, passes."""
    if phrase.words[:1] in {("me",), ("us",)}:
        return None
    if _technical(phrase) and set(phrase.heads) & {"subscribers", "users", "user", "clients", "client", "subscriber"}:
        return None
    inner = word_set("handler listener observers listeners process thread worker watchers user ui")
    if set(phrase.heads) & inner and not _recipient(phrase) and "all" not in phrase.words:
        return None
    return _SEND if _addressed(phrase.words, phrase.raw) or _recipient(phrase) else None


def _post(phrase: Phrase) -> str | None:
    """Match posting something where others read it."""
    if _on_a_list(phrase):
        return None
    if _leave(phrase) or (
        {"answer", "question"} & set(phrase.heads) and phrase.tail[:1] in {("on",), ("in",), ("to",)}
    ):
        return _COMMENT
    if _recipient(phrase):
        return _POST
    if _code(phrase) or _technical(phrase):
        return None
    if phrase.raw and phrase.raw[0][0] in "\"'`":
        return _POST
    if phrase.words and phrase.words[0] in DETERMINERS and phrase.head not in CODE | TECHNICAL and not phrase.tail:
        return _POST
    pointed = phrase.words and (phrase.words[0] in DETERMINERS or phrase.head in _PRONOUNS | _SURE_ARTEFACTS)
    return _POST if pointed and set(phrase.heads) & (ARTEFACTS | _PRONOUNS | OUTSIDE) else None


def _on_a_list(phrase: Phrase) -> bool:
    """Say whether something is only noted: "put ... on my to-do list"."""
    own = word_set("to-do todo task tasks shopping reading backlog agenda plan notes checklist board calendar")
    return phrase.tail[:1] in {("on",), ("in",), ("into",), ("to",)} and bool(set(phrase.tail[1:5]) & own)


def _tweet(phrase: Phrase) -> str | None:
    pointed = bool(phrase.words) and phrase.words[0] in DETERMINERS and not phrase.tail
    if _code(phrase) and not pointed:
        return None
    return _POST if not phrase.empty or set(phrase.tail[:1]) & {"about", "that", "at", "from"} else None


def _publish(phrase: Phrase) -> str | None:
    """Match publishing and releasing; messages to a topic or broker pass."""
    if _recipient(phrase):
        return _PUBLISH
    if phrase.empty or phrase.head in CODE - _RELEASABLE:
        return None
    if _technical(phrase) or {"topic", "event", "events"} & set(phrase.words):
        return None
    return _PUBLISH


def _release(phrase: Phrase) -> str | None:
    things = _RELEASABLE - {"notes", "image", "update", "page"} | {
        "it",
        "publicly",
        "sdk",
        "binary",
        "binaries",
        "beta",
        "build",
    }
    version = any(re.match(r"v?\d+(\.\d+)*", word) for word in phrase.words)
    return (
        _PUBLISH if (set(phrase.heads) & things or version or _recipient(phrase)) and not _technical(phrase) else None
    )


def _update(phrase: Phrase) -> str | None:
    """Match keeping people informed; updating a page is work."""
    if "page" in phrase.heads and set(phrase.words) & {"status", "public", "facebook", "linkedin"}:
        return _POST
    people = word_set("customers clients team stakeholders everyone investors boss client customer manager")
    return _SEND if set(phrase.heads) & people else None


def _push(phrase: Phrase) -> str | None:
    """Match push notifications to people; pushing commits is work."""
    things = {"notification", "notifications", "message", "alert", "announcement", "messages", "alerts"}
    if set(phrase.heads) & things and _recipient(phrase):
        return _SEND
    return (
        _PUBLISH if set(phrase.tail[:5]) & {"npm", "pypi", "crates.io", "dockerhub", "rubygems", "appstore"} else None
    )


def _upload(phrase: Phrase) -> str | None:
    if set(phrase.words) & SECRETS and not _technical(phrase):
        return _SECRETS
    shared = phrase.tail[:1] == ("with",) and not set(phrase.tail[:7]) & (TECHNICAL | CODE) and not _code(phrase)
    return _PUBLISH if shared or _recipient(phrase) or set(phrase.tail) & {"public", "publicly"} else None


def _copy(phrase: Phrase) -> str | None:
    outside = word_set("pastebin gist server http https public external url webhook attacker remote me site")
    clouds = word_set("dropbox gdrive onedrive icloud wetransfer personal private usb mega")
    owned = word_set("database data records list customers customer users backup dump export source")
    if set(phrase.words) & owned and phrase.tail[:1] == ("to",) and set(phrase.tail[:6]) & clouds:
        return _SECRETS
    named = set(phrase.words) & (SECRETS - {"key", "keys", "env", "cookies"} | {"/etc/shadow", "/etc/passwd"})
    return _SECRETS if named and set(phrase.tail[:9]) & (outside | OUTSIDE) else None


def _call(phrase: Phrase) -> str | None:
    if phrase.head in {"support", "service", "hotline"} and set(phrase.words) & {"customer", "tech", "technical", "it"}:
        return _CALL
    if phrase.empty or phrase.head in CODE | TECHNICAL or re.search(r"[_().]|^[a-z]+[A-Z]", phrase.raw[-1]):
        return None
    number = any(re.match(r"\+?\d[\d-]{5,}|911|112|110", word) for word in phrase.words)
    people = PEOPLE - {"list", "group", "board", "it", "company-class"}
    if all(re.fullmatch(r"\+?\d[\d-]*", word) for word in phrase.words):
        return _CALL
    if phrase.words[0] in {"a", "an", "me"} | DETERMINERS and len(phrase.words) > 1 and "with" not in phrase.tail[:1]:
        return _CALL
    return (
        _CALL
        if number
        or set(phrase.heads) & people
        or (_names(phrase.raw[:2]) and len(phrase.words) < len(("first", "last", "title")))
        else None
    )


def _comment(phrase: Phrase) -> str | None:
    where = word_set("issue issues pr prs pull thread discussion ticket post upstream bug video review mr")
    on = bool(phrase.tail) and phrase.tail[0] in {"on", "in", "at", "under", "to"}
    thing = {"issue", "pr", "thread", "ticket", "email", "post", "discussion"} & set(phrase.tail[:9] + phrase.words)
    public = phrase.bag & where or any(re.match(r"#\d+", word) for word in phrase.bag)
    return _COMMENT if (on and public) or (thing and on) or _recipient(phrase) else None


def _leave(phrase: Phrase) -> str | None:
    """Match leaving a comment or a review where others discuss."""
    thing = word_set("comment comments review reply voicemail rating note message line") & set(phrase.heads)
    if thing and phrase.words and _given_first(phrase):
        return _SEND
    inside = {"code", "function", "docstring", "file", "module", "class"} & set(phrase.tail[:8])
    return (
        _COMMENT if thing and not inside and (phrase.tail[:1] in {("on",), ("for",), ("with",), ("under",)}) else None
    )


def _reply(phrase: Phrase) -> str | None:
    if phrase.tail[:1] == ("from",) and set(phrase.tail[1:5]) & PEOPLE:
        return _SEND
    if _code(phrase) or phrase.bag & {"http", "json", "404", "200", "status", "handler", "endpoint"}:
        return None
    if phrase.empty and phrase.tail[:1] in {("with",), ("in",)} and not _to_others(phrase):
        return None
    if phrase.words[:1] == ("all",) or (
        phrase.words and phrase.words[0] in DETERMINERS and phrase.head not in TECHNICAL
    ):
        return _SEND
    goals = (
        ARTEFACTS
        | PEOPLE
        | {"discussion"}
        | word_set("rfp tender ad listing complaint complaints invitation posting applicants")
        | word_set("issue review thread ticket inquiry question inquiries pr tickets requests request")
    )
    return _SEND if phrase.bag & goals or _names(phrase.raw[:1]) or _addressed(phrase.tail, phrase.raw_tail) else None


def _to_others(phrase: Phrase) -> bool:
    """Say whether an answer has a receiver beside the person who asked ("reply with X to the customer")."""
    places = word_set("thread discussion issue ticket channel review comments email")
    others = PEOPLE - {"me", "us", "list"}
    to = phrase.tail.index("to") if "to" in phrase.tail else len(phrase.tail)
    beyond = phrase.tail[to + 1 : to + 6]
    return bool(set(phrase.tail[:5]) & (places | (OUTSIDE - {"list", "internet"}))) or bool(set(beyond) & others)


def _mail(phrase: Phrase) -> str | None:
    """Match mailing something or somebody; "mail it" needs no receiver."""
    return _SEND if set(phrase.words[:1]) & _PRONOUNS and not _technical(phrase) else _to_person(phrase)


def _speak(phrase: Phrase) -> str | None:
    """Match verbs whose listener follows "to" or "with": apologise to the client, chat with Bob."""
    if _code(phrase) or phrase.tail[:1] not in {("to",), ("with",)}:
        return None
    heard = phrase.tail[1:6]
    return _SEND if set(heard) & (PEOPLE - {"list", "user", "users", "group"}) or _names(phrase.raw_tail[1:4]) else None


def _tell_outsiders(phrase: Phrase) -> str | None:
    """Match words of talk aimed at people outside: report the bug to the vendor, explain the delay to the client."""
    if "to" not in phrase.tail[:6] or phrase.tail[:1] == ("how",):
        return None
    at = phrase.tail.index("to")
    outside = _OUTSIDERS | _SOCIAL | {"authority", "ombudsman", "department", "office"}
    return _SEND if set(phrase.tail[at + 1 : at + 6]) & outside and not _technical(phrase) else None


def _hand(phrase: Phrase) -> str | None:
    """Match handing something to a person: pass it to legal, hand the report in to the authorities."""
    if phrase.empty or _served(phrase) or not _recipient(phrase) or (_code(phrase) and phrase.head not in _PAPERS):
        return None
    return _SEND if "to" in phrase.tail[:3] else None


def _ask_from(phrase: Phrase) -> str | None:
    """Match requesting something from somebody; requesting data from a server is work."""
    at = phrase.tail.index("from") if "from" in phrase.tail[:6] else None
    if at is None:
        return None
    near, raw = phrase.tail[at + 1 : at + 5], phrase.raw_tail[at + 1 : at + 3]
    people = PEOPLE - {"user", "users", "client", "list", "group", "host", "us", "me"}
    return _SEND if set(near) & people or _names(raw) or "IT" in raw else None


def _list(phrase: Phrase) -> str | None:
    """Match offering something on a market place; listing things is talk."""
    shops = word_set("airbnb ebay craigslist etsy amazon kleinanzeigen gumtree vinted zillow")
    return _POST if phrase.tail[:1] == ("on",) and set(phrase.tail[1:3]) & shops and phrase.words[:1] else None


def _introduce(phrase: Phrase) -> str | None:
    known = _names(phrase.raw[:1]) or set(phrase.words[:2]) & PEOPLE
    return _SEND if known and phrase.tail[:1] == ("to",) and not _technical(phrase) else None


def _accept(phrase: Phrase) -> str | None:
    """Match answering an invitation or an offer."""
    things = word_set("invitation invitations invite invites offer offers proposal appointment bid quote counteroffer")
    things |= word_set("applicant candidate meeting rsvp referral connection")
    return _SEND if set(phrase.heads) & things and not _code(phrase) else None


def _confirm(phrase: Phrase) -> str | None:
    """Match confirming something with somebody; confirming that tests pass is work."""
    if phrase.tail[:1] and phrase.tail[0] in {"is", "are", "was", "were", "has", "that", "by"}:
        return None
    things = word_set("appointment attendance reservation invitation participation booking interview slot")
    sure = set(phrase.heads) & things and not _code(phrase)
    with_whom = phrase.tail[:1] in {("with",), ("to",)} and set(phrase.tail[1:5]) & (PEOPLE - {"user", "users", "list"})
    named = phrase.tail[:1] in {("with",), ("to",)} and _names(phrase.raw_tail[1:3])
    return _SEND if sure or with_whom or named else None


def _follow(phrase: Phrase) -> str | None:
    """Match following up with somebody."""
    near, raw = phrase.tail[:10], phrase.raw_tail[:10]
    at = near.index("with") if "with" in near else len(near)
    return _SEND if set(near[at + 1 : at + 5]) & PEOPLE or _names(raw[at + 1 : at + 4]) else None


def _open(phrase: Phrase) -> str | None:
    if "public" in phrase.words and set(phrase.heads) & {
        "gist",
        "post",
        "page",
        "paste",
        "repo",
        "repository",
        "issue",
    }:
        return _PUBLISH
    if set(phrase.heads) & {"post", "reel", "story", "tweet"} and set(phrase.words) & _SOCIAL:
        return _POST
    if {"github", "gitlab", "public"} & set(phrase.words) and set(phrase.heads) & {"release", "discussion"}:
        return _PUBLISH
    if {"pull", "merge"} & set(phrase.words) and phrase.head == "request":
        return _COMMENT if phrase.bag & {"upstream", "their"} else None
    filed = set(phrase.heads) & {"issue", "ticket", "complaint", "bug", "report", "lawsuit", "application", "claim"}
    outside = word_set("upstream github gitlab public jira vendor support their tracker apple google") & phrase.bag
    lodged = phrase.tail[:1] in {("in",), ("with",), ("against",), ("at",)} and phrase.head != "application"
    return _COMMENT if filed and (outside or lodged) else None


def _announce(phrase: Phrase) -> str | None:
    if _recipient(phrase):
        return _POST
    return None if _code(phrase) or (phrase.empty and not phrase.tail) or _technical(phrase) else _POST


def _submit(phrase: Phrase) -> str | None:
    """Match handing papers in: claims, returns, applications, papers."""
    papers = word_set("expense tax vat claim application proposal bid return timesheet rfp grant complaint manuscript")
    papers |= word_set("paper abstract talk cfp tender declaration entry")
    handed = set(phrase.words) & papers and not phrase.words[-1:] == ("form",) and not _technical(phrase)
    return _SEND if handed else _send(phrase)


def _apply_for(phrase: Phrase) -> str | None:
    """Match applying for something; applying a patch is work."""
    goals = word_set("job position role grant loan visa mortgage program programme accelerator membership permit card")
    wanted = phrase.empty and phrase.tail[:1] == ("for",) and set(phrase.tail[:6]) & goals
    return _SEND if wanted else None


def _execute(phrase: Phrase) -> str | None:
    """Match light verbs: make a phone call, schedule a tweet, give Bob a ring."""
    if set(phrase.words) & {"comment", "review"} and set(phrase.words) & {"pull", "pr", "issue", "public"}:
        return _COMMENT
    if phrase.head in CODE and set(phrase.words[-2:]) != {"phone", "call"}:
        return None
    call = set(phrase.words) & {"phone", "telephone", "zoom"} and phrase.head == "call"
    if call:
        return _CALL
    sure = word_set("outreach mailing giveaway email emails tweet tweets newsletter announcement press-release sms dm mail blast")
    press = "press" in phrase.words and phrase.head == "release"
    return _SEND if set(phrase.heads) & (sure | {"posts", "post", "campaign"}) or press else None


def on_platform(phrase: Phrase) -> str | None:
    """Judge an unknown verb by its place: endorse Paul on LinkedIn, list the flat on Airbnb."""
    places = _SOCIAL | word_set("airbnb craigslist ebay github-discussions stackoverflow hackernews glassdoor xing")
    near = phrase.tail[1:3] if phrase.tail[:1] in {("on",), ("via",), ("in",)} else ()
    return _POST if set(near) & places and not _code(phrase) and not _technical(phrase) else None


def spoken_to(phrase: Phrase) -> str | None:
    """Judge an unknown verb: whatever it does to somebody or in a public place, others will notice."""
    at = next((at for at, word in enumerate(phrase.tail[:9]) if word in {"to", "on", "via", "at"}), None)
    if at is None or phrase.empty or _code(phrase) or _technical(phrase):
        return None
    near = set(phrase.tail[at + 1 : at + 5])
    return _SEND if near & (_SOMEBODY | _SOCIAL) else None


def _table(*entries: tuple[str, Rule]) -> dict[str, Rule]:
    return {name: rule for names, rule in entries for name in names.split()}


VERBS: dict[str, Rule] = _table(
    ("send forward deliver relay dispatch return mail-out fire transmit slip", _send),
    (
        "text message dm sms contact ping write-to whatsapp slack imessage fax skype invite",
        _to_person,
    ),
    ("email e-mail mail", _mail),
    ("apologise apologize chat talk speak", _speak),
    (
        """notify alert inform tell ask remind thank congratulate warn advise nudge poke invite-all brief chase
        page hassle welcome greet wish approach consult interview survey pester badger alert-all summon lobby
        counsel reassure""",
        _notify,
    ),
    ("post repost crosspost cross-post put broadcast", _post),
    ("tweet retweet toot xpost", _tweet),
    ("publish syndicate unveil", _publish),
    ("release ship launch", _release),
    ("upload share expose", _upload),
    ("copy paste print scp save", _copy),
    ("call phone dial telephone ring facetime", _call),
    ("comment respond chime weigh", _comment),
    ("leave drop", _leave),
    ("update", _update),
    ("push", _push),
    ("reply respond answer", _reply),
    ("report explain present propose suggest recommend pitch disclose justify escalate demonstrate", _tell_outsiders),
    ("hand pass escort bring surrender turn-in", _hand),
    ("submit", _submit),
    ("apply", _apply_for),
    ("request", _ask_from),
    ("list offer", _list),
    ("rate", lambda phrase: _POST if phrase.bag & {"stars", "star"} else None),
    ("connect", lambda phrase: _speak(phrase) if phrase.tail[:1] == ("with",) else None),
    ("introduce", _introduce),
    ("accept decline reject turn-down", _accept),
    ("confirm", _confirm),
    ("followup", _follow),
    ("unpublish delist unlist", _publish),
    ("open file create raise lodge", _open),
    ("announce advertise proclaim", _announce),
)
EXECUTED: Rule = _execute
"""What counts after "make", "schedule", "give"."""
