"""Words that lead a clause, sorted by what they say about the rest of it.

``TALK``: the clause is about something, it does not do it. ``WORK``: ordinary work on code or text, in which a
dangerous word is usually the name of a thing. ``EXECUTE``: whatever follows is to be done.
"""

from hub.may.content.wordlist import word_set

TALK = word_set(
    """explain describe document summarise summarize discuss define clarify compare contrast translate
    outline list enumerate grep count quote cite spell paraphrase illustrate elaborate analyse analyze
    investigate research study read learn teach inform understand review audit inspect examine assess
    evaluate estimate identify detect recommend suggest propose brainstorm draft sketch lint scan
    classify label categorise categorize highlight what what's which why how who whose when's where's is
    are was were does did has isn't aren't doesn't interpret recap wonder note remind warn forbid
    prevent disallow prohibit block ban reject refuse avoid simulate mock stub dry-run preview visualise
    visualize diagram print display view show proofread erklare erklar erlautere beschreibe beschreib
    dokumentiere dokumentier suche such finde liste zeige zeig prufe pruf vergleiche vergleich fasse
    warum wieso welche untersuche analysiere recherchiere uberprufe ubersetze zahle-auf look lookup
    search locate report hypothetically imagine tl;dr overview predict measure profile benchmark monitor
    watch observe track check-in calculate compute figure reckon rate rank score grade critique"""
)
"""Absolute: nothing in such a clause is done unless a new clause or a marker such as "by running" says so."""

QUESTIONS = word_set("what what's which why how who whose is are was were does did has isn't aren't doesn't")

WORK = word_set(
    """add write implement create generate design extend refactor rewrite fix improve rename move replace
    update edit change adjust tweak polish reword correct repair debug test check verify validate
    confirm ensure assert cover parse support handle catch migrate port convert extract split merge
    simplify optimise optimize speed cache log annotate comment-out mark tag name format reformat indent
    sort group order-by filter escape sanitise sanitize type typecheck bump upgrade downgrade pin
    install configure set tune enable allow gate guard protect restrict plan think consider prepare
    collect gather compile plot map model train finetune label prototype build scaffold deprecate inline
    unify deduplicate restructure reorganise reorganize modernise modernize style align index reproduce
    bisect trace triage prioritise prioritize schedule-review link reference capture record store save
    backport cherry-pick commit stage amend push pull fetch clone find examine make help continue finish
    complete remove delete drop strip clean tidy organise organize archive document-in refresh rebuild
    re-run rerun sync"""
)

EXECUTE = word_set(
    """run execute use call invoke do perform issue apply trigger launch carry conduct fire kick start
    begin make place submit process initiate complete finalise finalize approve authorise authorize
    schedule arrange confirm give put type enter paste try evaluate eval ssh connect open get have let
    grant set prepare proceed continue finish go settle handle click press hit activate automate
    commission order queue see-to grant"""
)

INSTRUMENTS = word_set("running executing issuing calling invoking doing performing typing")
"""After these a command is carried out even inside a clause about work ("fix it by running ...")."""

WORK_INSTRUMENTS = word_set("with using via through by")

NEGATIONS = word_set(
    """not never don't dont without avoid cannot can't won't shouldn't mustn't wouldn't neither nor didn't
    doesn't i-will i'll instead no-longer nobody nothing rather-than nie nicht niemals kein keine keinen
    ohne"""
)

FILLERS = word_set(
    """please then now first next finally also just and or but so ok okay hey hi hello claude agent
    assistant pulse you we i i'd we'll you'll u pls plz to report-back lets let's kindly quickly
    immediately simply afterwards afterward later ahead need needs want wants would like must should
    have has gotta wanna gonna your task job goal mission our is sure remember secondly second third
    thirdly lastly step once again silently quietly secretly automatically right away fully completely
    totally permanently irreversibly asap urgently actually really thanks yes sure-to
    the-next-step let us could can will shall might may dear dude bot computer sir well alright great
    perfect simultaneously meanwhile additionally furthermore moreover and-then plus after-that tonight
    today tomorrow forcefully forcibly carefully safely directly"""
)

MODALS = word_set("can could would should will may might shall")
PRONOUNS = word_set("you we i u pls please")

MERGES: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    "app": ((("store",), "appstore"),),
    "play": ((("store",), "appstore"),),
    "docker": ((("hub",), "dockerhub"),),
    "press": ((("release",), "press-release"),),
    "blog": ((("post",), "blogpost"), (("article",), "blogpost")),
    "hacker": ((("news",), "hackernews"),),
    "domain": ((("name",), "domain"), (("names",), "domains")),
    "dead": ((("letter",), "deadletter"), (("-", "letter"), "deadletter")),
    "resource": ((("group",), "resource-group"), (("groups",), "resource-group")),
    "bulk-delete": (),
    "auto": ((("-", "reply"), "auto-reply"), (("reply",), "auto-reply")),
    "direct": ((("debit",), "autopay"), (("message",), "dm")),
    "standing": ((("order",), "autopay"),),
    "lock": ((("in",), "reserve"),),
    "mailing": ((("list",), "mailinglist"),),
    "get": ((("rid", "of"), "erase"), (("in", "touch", "with"), "contact"), (("hold", "of"), "contact")),
    "thank": ((("you",), "thanks"),),
    "do": ((("away", "with"), "erase"), (("not",), "not")),
    "does": ((("not",), "not"),),
    "did": ((("not",), "not"),),
    "should": ((("not",), "not"),),
    "must": ((("not",), "not"),),
    "never": (),
    "not": ((("only",), "also"), (("just",), "also"), (("forget", "to"), "please"), (("hesitate", "to"), "please")),
    "don't": ((("forget", "to"), "please"), (("hesitate", "to"), "please"), (("just",), "please")),
    "blow": ((("away",), "nuke"), (("up",), "nuke")),
    "burn": ((("down",), "nuke"),),
    "throw": ((("away",), "discard"), (("out",), "discard")),
    "toss": ((("out",), "discard"),),
    "tear": ((("down",), "teardown"), (("out",), "discard")),
    "take": ((("down",), "teardown"), (("offline",), "teardown"), (("care", "of"), "see-to")),
    "bring": ((("down",), "teardown"),),
    "shut": ((("down",), "shutdown"), (("off",), "disable")),
    "power": ((("off",), "shutdown"), (("down",), "shutdown")),
    "turn": ((("off",), "disable"),),
    "switch": ((("off",), "disable"),),
    "force": (
        (("push",), "force-push"),
        (("-", "push"), "force-push"),
        (("delete",), "delete"),
        (("remove",), "delete"),
    ),
    "forcefully": ((("push",), "force-push"),),
    "hard": ((("reset",), "hard-reset"), (("-", "reset"), "hard-reset"), (("delete",), "delete"), (("wipe",), "wipe")),
    "factory": ((("reset",), "factory-reset"),),
    "mass": ((("delete",), "purge"), (("email",), "email")),
    "bulk": ((("delete",), "purge"),),
    "soft": ((("delete",), "delete"),),
    "zero": ((("out",), "wipe"),),
    "clean": ((("out",), "empty"), (("up",), "tidy")),
    "clear": ((("out",), "empty"),),
    "empty": ((("out",), "empty"),),
    "wipe": ((("out",), "wipe"), (("clean",), "wipe")),
    "reach": ((("out", "to"), "contact"), (("out",), "contact")),
    "follow": ((("up", "with"), "contact"), (("up",), "followup"), (("-", "up"), "followup")),
    "write": (
        (("back", "to"), "reply"),
        (("back",), "reply"),
        (("off",), "write-off"),
        (("to",), "write-to"),
        (("an", "email", "to"), "email"),
    ),
    "ring": ((("up",), "phone"),),
    "give": ((("a", "call"), "phone"), (("a", "ring"), "phone")),
    "phone": (),
    "wire": ((("up",), "connect"), (("together",), "connect"), (("in",), "connect")),
    "pay": (
        (("attention",), "attend"),
        (("heed",), "attend"),
        (("down", "technical"), "attend"),
        (("down", "tech"), "attend"),
    ),
    "why": ((("don't", "you"), "please"), (("not",), "please"), (("don't", "we"), "please")),
    "how": ((("about", "you"), "please"), (("about", "we"), "please")),
    "rather": ((("than",), "rather-than"),),
    "no": ((("longer",), "no-longer"),),
    "after": ((("that",), "then"), (("this",), "then"), (("which",), "then")),
    "top": ((("up",), "topup"),),
    "cash": ((("out",), "withdraw"),),
    "check": (
        (("out", "with"), "checkout"),
        (("out", "the"), "checkout"),
        (("out", "my"), "checkout"),
        (("out", "our"), "checkout"),
    ),
    "sign": (
        (("up", "to"), "subscribe"),
        (("up", "for"), "subscribe"),
        (("us", "up", "for"), "subscribe"),
        (("me", "up", "for"), "subscribe"),
    ),
    "settle": ((("up", "with"), "pay-to"),),
    "shell": ((("out",), "pay"),),
    "fork": ((("over",), "pay"),),
    "pick": ((("up", "the", "tab"), "pay"), (("up", "the", "bill"), "pay")),
    "pony": ((("up",), "pay"),),
    "roll": ((("back",), "revert"),),
    "go": ((("live", "with"), "publish"), (("public", "with"), "publish")),
    "make": ((("public",), "publish"),),
    "i": (
        (("will", "need"), "please"),
        (("will", "want"), "please"),
        (("will",), "i-will"),
        (("am", "going", "to"), "i-will"),
    ),
    "i'll": ((("need",), "please"), (("want",), "please")),
    "report": ((("back",), "report-back"),),
    "chip": ((("in",), "pay"),),
    "cough": ((("up",), "pay"),),
    "hand": ((("over",), "give"),),
    "next": ((("step", "is", "to"), "please"),),
}
"""Word sequences read as one word."""
