"""What a press or a written answer means: a decision, a question that goes on, or a word back to the person. Pure.

Nothing is decided but what was shown: a choice carries what it was bound to, and one of an older text, of an older
round or of another question does nothing and says so.
"""

import re
from datetime import datetime

from msgspec.structs import replace

from hub.contract.api import PROMPT_CHARS_MAX, REASON_CHARS_MAX, TASK_TITLE_CHARS_MAX
from hub.contract.base import Value
from hub.contract.permission import REASON_CHARS_MAX as WORDS_CHARS_MAX
from hub.contract.permission import Permission, PermissionAnswer
from hub.contract.surface import Decision
from hub.contract.words import GRANTING, HumanInput, Verb
from hub.kit.chat.book import ChatBook
from hub.kit.chat.card import ChatCard
from hub.kit.chat.choices import VERB_IDS, Chosen, grants, read_choice
from hub.kit.chat.heard import START, ChatHeard, Pressed, Relayed, Wrote
from hub.kit.chat.post import ChatPost, PostPart
from hub.kit.chat.tasks import KEY, WORDS_MIN
from hub.kit.chat.writing import is_whole, whole_of
from hub.kit.due import names_a_moment, task_in
from hub.kit.questions import Given, answer_of, asked_now, choose, go_on, questions_of, write
from hub.kit.shown import asks_twice, shown_part

PROMPTS = {"w": "chat.ask_words", "e": "chat.ask_edit", "y": "chat.ask_reason"}
_NUMBERS = re.compile(r"[0-9]{1,2}")
_ONLY_NUMBERS = re.compile(r"[0-9]{1,2}(?:[ ,;]+[0-9]{1,2}){0,19}")
WHOLE_POSTS_MAX = 40
"""A text that takes more messages is read elsewhere; the book keeps some more than these."""
CHARS_MAX = {"w": WORDS_CHARS_MAX, "e": PROMPT_CHARS_MAX, "y": REASON_CHARS_MAX}


class Meaning(Value):
    """What follows: a decision to hand in, something to say to the person, messages to post with their names.

    `keeps` is a sentence to be kept as a task, `drops` the id of one that is taken back.
    """

    decision: Decision | None = None
    says: str = ""
    posts: tuple[tuple[str, ChatPost], ...] = ()
    keeps: str = ""
    drops: str = ""


class Answering:
    """Understands what the paired person does; the caller has checked that it is them."""

    def __init__(self, book: ChatBook, surface: str, human_input: HumanInput) -> None:
        self._book = book
        self._surface = surface
        self._input = human_input
        self._asking = ""

    def hear(self, heard: ChatHeard, now: datetime) -> Meaning:
        """Return what something that the person did means."""
        match heard:
            case Pressed():
                return self._pressed(heard, now)
            case Wrote():
                return self._wrote(heard, now)
            case Relayed():
                return self._say("chat.relayed")

    def _pressed(self, heard: Pressed, now: datetime) -> Meaning:
        key = self._book.shown.key_of(heard.message_id)
        post = self._book.wanted(key) if key else None
        choice = heard.choice or _by_sign(post, heard.sign)
        found = read_choice(choice) if choice else None
        if found is None:
            return Meaning() if heard.sign else self._say("chat.settled")
        if key.startswith(KEY):
            return Meaning(drops=key.removeprefix(KEY)) if found.what == "u" else self._say("chat.settled")
        if key.startswith("digest:"):
            return self._unfold(key, found)
        card = self._card_of(key)
        if card is None or (heard.binding and heard.binding != card.binding) or not _is_offered(post, choice):
            return self._say("chat.settled")
        if found.what in {"z", "k"}:
            return self._second(card, found.what, heard.event_id, now)
        if asks_twice(card.prediction) and grants(card, found):
            self._book.put(replace(card, pending=choice))
            return Meaning()
        return self._chosen(card, found, heard.event_id, now)

    def _second(self, card: ChatCard, what: str, event_id: str, now: datetime) -> Meaning:
        """Take the second press of a yes, or put the first one back."""
        first, card = read_choice(card.pending), replace(card, pending="")
        self._book.put(card)
        return Meaning() if what == "k" or first is None else self._chosen(card, first, event_id, now)

    def _chosen(self, card: ChatCard, found: Chosen, event_id: str, now: datetime) -> Meaning:
        match found.what:
            case "m":
                return self._show_whole(card)
            case "c" | "g":
                return self._answered(card, found, event_id, now)
            case "w" | "e" | "y":
                return self._ask(card, found)
            case "o":
                return self._option(card, found.first, event_id, now)
            case letter:
                return Meaning(decision=self._decision(card, VERB_IDS[letter], event_id, now))

    def _wrote(self, heard: Wrote, now: datetime) -> Meaning:
        if heard.text.partition(" ")[0] == START:
            return self._say("chat.no_task")
        if (task := task_in(heard.text)) and not heard.reply_to:
            return self._kept(task)
        key = self._book.shown.key_of(heard.reply_to) if heard.reply_to else self._meant(heard.text)
        card, what = self._asked_by(key)
        if card is None:
            return self._say("chat.which") if heard.reply_to else self._perhaps_kept(heard.text, now)
        if card.phase != "open":
            return self._say("chat.settled")
        text = heard.text.strip()
        if not text or not what:
            return self._say("chat.no_words" if not text else "chat.which")
        if len(text) > CHARS_MAX[what]:
            return Meaning(says=self._book.writer.words.title("chat.too_long", most=f"{CHARS_MAX[what]:,}"))
        self._asking = ""
        return self._written(card, what, text, heard.event_id, now)

    def _perhaps_kept(self, text: str, now: datetime) -> Meaning:
        """Have a message that answers nothing kept where it reads like a task; otherwise say how to write one."""
        is_long = len(text.split()) >= WORDS_MIN
        is_task = is_long or names_a_moment(text, now.astimezone(self._book.writer.zone))
        return self._kept(text) if is_task and not text.startswith("/") else self._say("chat.no_task")

    def _kept(self, sentence: str) -> Meaning:
        """Have what the person wrote kept as a task: it answers nothing that waits."""
        line = " ".join(sentence.split())
        if len(line) > TASK_TITLE_CHARS_MAX:
            return Meaning(says=self._book.writer.words.title("chat.too_long", most=f"{TASK_TITLE_CHARS_MAX:,}"))
        return Meaning(keeps=line)

    def _written(self, card: ChatCard, what: str, text: str, event_id: str, now: datetime) -> Meaning:
        permission = card.prediction.permission
        if what == "w" and permission is not None:
            given = _by_numbers(permission, card.given, text) or write(permission.questions, card.given, text)
            return self._step(card, replace(card, given=given), event_id, now)
        verb = Verb.EDIT if what == "e" else Verb.REJECT
        if verb not in card.verbs or (verb in GRANTING and not is_whole(card, self._book.writer)):
            return self._say("chat.settled")
        decision = self._decision(card, verb, event_id, now)
        said = {"prompt": text} if verb is Verb.EDIT else {"reason": text}
        return Meaning(decision=replace(decision, human_input=HumanInput.KEY, **said), says=self._phrase("chat.sent"))

    def _answered(self, card: ChatCard, found: Chosen, event_id: str, now: datetime) -> Meaning:
        permission = card.prediction.permission
        if permission is None or found.first != card.given.asked:
            return self._say("chat.settled")
        questions = permission.questions
        given = choose(questions, card.given, found.second) if found.what == "c" else go_on(questions, card.given)
        return self._step(card, replace(card, given=given), event_id, now)

    def _step(self, before: ChatCard, card: ChatCard, event_id: str, now: datetime) -> Meaning:
        """Show the next question, or hand in what was answered to all of them."""
        permission = card.prediction.permission
        if permission is None or before.given == card.given or Verb.APPROVE not in card.verbs:
            return self._say("chat.settled")
        if not is_whole(before, self._book.writer):
            return self._say("chat.cut")
        answer = answer_of(permission.questions, card.given)
        if answer is None:
            self._book.put(card)
            return Meaning()
        decision = self._decision(card, Verb.APPROVE, event_id, now)
        return Meaning(decision=replace(decision, permission=answer), says=self._phrase("chat.sent"))

    def _option(self, card: ChatCard, place: int, event_id: str, now: datetime) -> Meaning:
        options = card.prediction.permission.options if card.prediction.permission is not None else ()
        if not 0 <= place < len(options):
            return self._say("chat.settled")
        verb = Verb.REJECT if options[place].refuses else Verb.APPROVE
        decision = self._decision(card, verb, event_id, now)
        return Meaning(decision=replace(decision, permission=PermissionAnswer(option=options[place].id)))

    def _ask(self, card: ChatCard, found: Chosen) -> Meaning:
        """Ask for words; an answer to that message is the answer, as is the next one that answers none."""
        if found.what == "w" and found.first != card.given.asked:
            return self._say("chat.settled")
        key = f"ask:{found.what}{max(found.first, 0)}:{card.key}"
        text = self._phrase(PROMPTS[found.what])
        prompt = [PostPart(kind="text", text=text)]
        now_text = _editable(card)
        if found.what == "e" and self._book.writer.size(now_text) <= self._book.writer.room:
            prompt.append(PostPart(kind="code", text=now_text))
        self._asking = key
        return Meaning(posts=((key, ChatPost(parts=tuple(prompt), takes_words=text)),))

    def _meant(self, text: str) -> str:
        """Return what a message is about that answers none: what was just asked for, or the one question that waits.

        Where that takes no own words, only the number of a choice can be meant for it.
        """
        if self._asking:
            return self._asking
        waiting = [one.key for one in self._book.open_cards() if _asks(one) and _takes(one, text)]
        return waiting[0] if len(waiting) == 1 else ""

    def _asked_by(self, key: str) -> tuple[ChatCard | None, str]:
        """Return the card and the kind of words that a message asks for; those of an older round are none."""
        kind, _, rest = key.partition(":")
        if kind != "ask":
            card = self._card_of(key)
            return card, "w" if card is not None and _asks(card) else ""
        what, _, card_key = rest.partition(":")
        card = self._card_of(card_key)
        if card is None or (what[0] == "w" and int(what[1:]) != card.given.asked):
            return None, ""
        return card, what[0]

    def _card_of(self, key: str) -> ChatCard | None:
        card = self._book.card(key.partition(":")[2].rpartition(":")[0])
        return card if card is not None and key in {card.key, card.end_key} else None

    def _unfold(self, key: str, found: Chosen) -> Meaning:
        listed = self._book.of_digest(key)
        if found.what != "d" or not 0 <= found.first < len(listed):
            return self._say("chat.settled")
        self._book.put(replace(listed[found.first], folded=False))
        return Meaning()

    def _show_whole(self, card: ChatCard) -> Meaning:
        """Have all of the text posted; a yes is offered once each of these messages is in the chat."""
        posts = {f"whole:{place}:{card.key}": one for place, one in enumerate(whole_of(card, self._book.writer))}
        if len(posts) > WHOLE_POSTS_MAX:
            self._book.put(replace(card, is_unshowable=True))
            return Meaning()
        self._book.put(replace(card, unfolding=frozenset(posts), is_unshowable=False))
        return Meaning(posts=tuple(posts.items()))

    def _decision(self, card: ChatCard, verb: Verb, event_id: str, now: datetime) -> Decision:
        return Decision(
            decision_id=f"{self._surface}-{event_id}"[:128],
            card_id=card.id,
            verb=verb,
            card_hash=card.prediction.card_hash,
            token=card.token,
            human_input=self._input,
            at=now,
            shown=shown_part(is_whole=is_whole(card, self._book.writer)),
        )

    def _say(self, name: str) -> Meaning:
        return Meaning(says=self._phrase(name))

    def _phrase(self, name: str) -> str:
        return self._book.writer.words.title(name)


def _by_sign(post: ChatPost | None, sign: str) -> str:
    """Return the choice that has this sign; the style mark of an emoji makes no difference."""
    bare = _bare(sign)
    return next((one.id for one in (post.choices if post is not None else ()) if _bare(one.sign) == bare), "")


def _bare(sign: str) -> str:
    return sign.replace("\ufe0f", "")


def _is_offered(post: ChatPost | None, choice: str) -> bool:
    return post is not None and any(one.id == choice for one in post.choices)


def _asks(card: ChatCard) -> bool:
    """Return True if a card is a question that may be answered here."""
    question = asked_now(questions_of(card.prediction.permission), card.given)
    return question is not None and Verb.APPROVE in card.verbs


def _takes(card: ChatCard, text: str) -> bool:
    """Return True if what is asked now may be answered by this text: own words, or the number of a choice."""
    question = asked_now(questions_of(card.prediction.permission), card.given)
    return question is not None and (question.own_words or _ONLY_NUMBERS.fullmatch(text.strip()) is not None)


def _by_numbers(permission: Permission, given: Given, text: str) -> Given | None:
    """Take choices by their numbers, such as `2` or `1, 3`; None where that is not what was written."""
    question = asked_now(permission.questions, given)
    numbers = [int(one) - 1 for one in _NUMBERS.findall(text)] if _ONLY_NUMBERS.fullmatch(text) else []
    if question is None or not numbers or not all(0 <= one < len(question.choices) for one in numbers):
        return None
    if not question.several:
        return choose(permission.questions, given, numbers[0]) if len(numbers) == 1 else None
    labels = tuple(dict.fromkeys(question.choices[one].label for one in numbers))
    return go_on(permission.questions, replace(given, answers={**given.answers, question.id: labels}))


def _editable(card: ChatCard) -> str:
    permission: Permission | None = card.prediction.permission
    return permission.text if permission is not None else card.prediction.edit_text or card.prediction.prompt
