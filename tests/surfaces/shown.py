"""What surfaces are given to show: a card, who settled it, the status, a delivery. Tests change what they are about."""

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from hub.contract.api import CrossPollStatus, Prediction, Settlement
from hub.contract.effects import Effect
from hub.contract.events import AnyEvent, PredictionNew
from hub.contract.permission import Act, AgentQuestion, Permission, PermissionMark, QuestionChoice
from hub.contract.phrasing import Phrasing
from hub.contract.surface import CardDelivery
from hub.contract.words import Autonomy, HumanInput, Risk, Source, Status, Verb

NOW = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
OPEN_VERBS = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.EDIT)
TOKEN = "v1." + "k" * 300


def prediction(
    prompt: str = "Run the tests",
    *,
    card_id: str = "card_1",
    created_at: datetime = NOW,
    lasts: timedelta = timedelta(minutes=30),
    **changes: object,
) -> Prediction:
    """A card made at `created_at` that is open for so long, with these fields changed."""
    made = Prediction(
        id=card_id,
        prompt=prompt,
        target_agent="coder",
        target_channel="code",
        confidence=0.8,
        reasoning="They were red.",
        created_at=created_at,
        status=Status.PENDING,
        source=Source.TWIN,
        expires_at=created_at + lasts,
        risk=Risk.LOW,
        card_hash="h" * 64,
        cost_estimate_usd=0.05,
    )
    return replace(made, **changes)


def settlement(verb: Verb = Verb.APPROVE) -> Settlement:
    """The answer of a key at a terminal."""
    return Settlement(verb=verb, by="me", surface="terminal", device="desk", human_input=HumanInput.KEY, at=NOW)


def status(**changes: object) -> CrossPollStatus:
    """A hub that watches and has spent nothing."""
    made = CrossPollStatus(
        enabled=True,
        autonomous=False,
        state=Autonomy.WATCHING,
        reason="",
        last_trigger_at=None,
        total_triggers=0,
        cost_this_hour=0,
        cost_cap_per_hour=1,
        cost_today=0,
        cost_cap_per_day=5,
        cost_this_month=0,
        cost_cap_per_month=50,
        quiet=False,
        pending=0,
        loop_detections=0,
    )
    return replace(made, **changes)


def long_command() -> Prediction:
    """An agent's command that no push has room for, with what is dangerous at its end."""
    text = f"echo {'x' * 5_000} && rm -rf ~/photos"
    mark = PermissionMark(start=len(text) - len("rm -rf ~/photos"), end=len(text), effect=Effect.DELETES)
    asked = Permission(
        agent="claude-code", tool="Bash", act=Act.COMMAND, text=text, effects=(Effect.DELETES,), marks=(mark,)
    )
    return prediction(text, source=Source.ASK, permission=asked)


def question(*labels: str, count: int = 1, several: bool = False, own_words: bool = True) -> Prediction:
    """A card on which an agent asks one question, or `count` alike, with these choices."""
    choices = tuple(QuestionChoice(label=one) for one in labels)
    questions = tuple(
        AgentQuestion(id=f"q{number}", text="Which colour?", choices=choices, several=several, own_words=own_words)
        for number in range(1, count + 1)
    )
    asked = Permission(agent="claude-code", tool="AskUserQuestion", act=Act.QUESTION, questions=questions)
    text = f"Which colour? ({' / '.join(labels)})" if labels else "Which colour?"
    return prediction("\n".join([text] * count), source=Source.ASK, permission=asked)


def delivery(event: AnyEvent | None = None, **changes: object) -> CardDelivery:
    """A new card with its buttons, to be shown with a sound."""
    made = CardDelivery(
        delivery_id="dlv_1",
        event=event or PredictionNew(prediction=prediction()),
        loudness="notify",
        verbs=OPEN_VERBS,
        token=TOKEN,
        expires_at=NOW + timedelta(minutes=30),
        privacy="full",
    )
    return replace(made, **changes)


def hubs_own_question() -> Prediction:
    """A card on which the hub itself asks, in words that every language has."""
    card = question("Yes, it's done", "Not yet")
    assert card.permission is not None
    (asked,) = card.permission.questions
    codes = ("session.is_done", "session.not_yet")
    choices = tuple(
        replace(one, label_worded=Phrasing(code=code)) for one, code in zip(asked.choices, codes, strict=True)
    )
    return replace(card, permission=replace(card.permission, questions=(replace(asked, choices=choices),)))
