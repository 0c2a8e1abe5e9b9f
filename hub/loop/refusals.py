"""What Pulse says when an answer or request cannot be taken: what happened, why, and what to do next."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from hub.contract.api import Prediction, Unreached
from hub.contract.errors import UserError
from hub.contract.profile import DeviceProfile
from hub.contract.words import HumanInput, MoveReason, Verb
from hub.domain.judgement import Refusal
from hub.domain.policy import Policy
from hub.domain.requests import Refused
from hub.loop.state import State
from hub.loop.views import killed_by

ME = "me"
"""Who answers where nobody said who: the person whose Pulse this is."""
SAY_IT = "Do it on the page, with `pulse approve ID` in your own terminal, or on a paired device."
IN_PERSON = "Do it on the page, or with `pulse approve ID` in your own terminal."
ON_AGAIN = {
    "emergency": "Start it again on the page, or with `pulse resume --emergency`, then answer again.",
    "run-time": "Switch it on again in Settings, or with `pulse resume`, then answer again.",
    "file": "Set `crosspoll.enabled = true` in its settings file and restart Pulse, then answer again.",
    "": "Answer again.",
}
"""How to lift each level of the kill switch."""
DONE = {
    Verb.APPROVE: "approved",
    Verb.EDIT: "changed and approved",
    Verb.REJECT: "dismissed",
    Verb.SNOOZE: "snoozed",
    Verb.UNDO: "undone",
    Verb.STOP: "stopped",
    Verb.RETRY: "tried again",
    Verb.LESS: "shown less often",
    Verb.NEVER: "muted",
    Verb.FIX: "handed to an agent",
    Verb.IGNORE: "ignored",
}


def unknown_card(card_id: str) -> Refused:
    """No card has that id."""
    return Refused(
        code="unknown-card",
        status=404,
        detail=f"There is no suggestion {card_id!r}.",
        fix="`pulse cards` lists the open ones.",
    )


def unknown_channel(name: str, known: Sequence[str]) -> Refused:
    """No channel has that name."""
    return Refused(
        code="unknown-channel",
        status=404,
        detail=f"There is no channel {name!r}.",
        fix=f"Channels: {', '.join(known)}.",
    )


def card_changed(shown: Prediction) -> Refused:
    """The answer was given to another text."""
    return Refused(
        code="card-changed",
        status=409,
        detail="The suggestion has changed since it was shown to you, so your answer was not accepted.",
        fix="Read the current version and answer again.",
        prediction=shown,
    )


def another_round(shown: Prediction) -> Refused:
    """The answer was given before the card came back."""
    return Refused(
        code="answer-too-old",
        status=409,
        detail="The suggestion has come back since you answered, so your answer was not accepted.",
        fix="Look at its current version and answer again.",
        prediction=shown,
    )


def key_reused(shown: Prediction) -> Refused:
    """The key of an answer or a question that was taken, with another one."""
    return Refused(
        code="key-reused",
        status=409,
        detail="This key was already used for something else; nothing was changed.",
        fix="Use a new key for a new request, and reuse a key only to repeat the same one.",
        prediction=shown,
    )


def answered_too_often(shown: Prediction) -> Refused:
    """No card is answered and taken back for ever."""
    return Refused(
        code="answered-too-often",
        status=409,
        detail="This suggestion was answered and came back too often to accept more answers.",
        fix="Dismiss it; `pulse trigger` asks for a new one.",
        prediction=shown,
    )


def expired(shown: Prediction) -> Refused:
    """Too late."""
    how = f"This suggestion expired at {shown.expires_at:%Y-%m-%d %H:%M %Z}"
    if shown.status_reason is MoveReason.PASSED:
        how = "This suggestion is no longer relevant"
    return Refused(
        code="expired",
        status=410,
        detail=f"{how}; nothing was run.",
        fix="`pulse trigger` asks for a new one.",
        prediction=shown,
    )


def already_settled(shown: Prediction, state: State) -> Refused:
    """Somebody was first; who, where and, in the person's time, when."""
    settled = shown.settled
    if settled is None:
        detail = f"This suggestion is already {shown.status}."
    else:
        who = "you" if settled.by in {ME, state.user} else settled.by
        where = f"{settled.surface}/{settled.device} at {settled.at.astimezone(ZoneInfo(state.policy.zone)):%H:%M}"
        detail = f"This was already {DONE[settled.verb]} by {who} on {where}; the first answer counts."
    return Refused(
        code="already-settled",
        status=409,
        detail=detail,
        fix="`pulse undo` undoes an answer, while that is possible.",
        prediction=shown,
        settled=settled,
    )


def bad_token(error: UserError) -> Refused:
    """The answer's token gives no leave for it."""
    return Refused(code=error.code, status=error.status, detail=error.detail, fix=error.fix)


def wrong_input(human_input: HumanInput, profile: DeviceProfile) -> Refused:
    """Nobody can do that on that kind of device."""
    return Refused(
        code="wrong-input",
        status=403,
        detail=f"Answers by {human_input} are not possible on {profile.surface!r}.",
        fix=f"There: {', '.join(profile.inputs)}.",
    )


def unknown_device(name: str) -> Refused:
    """No device of that name is paired."""
    return Refused(
        code="unknown-device",
        status=404,
        detail=f"There is no device {name}.",
        fix="`pulse devices` lists them.",
    )


def no_address(name: str, why: Unreached | None) -> Refused:
    """It cannot be reached by push, and holds no connection."""
    return Refused(
        code="no-address",
        status=409,
        detail=f"{name} cannot be reached: {why.why if why else 'it is not connected'}.",
        fix=why.fix if why else "Start it again.",
    )


def nothing_failed(shown: Prediction) -> Refused:
    """Nothing to try again."""
    return Refused(
        code="nothing-failed",
        status=409,
        detail="This suggestion has not failed, or has worked since, so there is nothing to try again.",
        fix="Look at its current version.",
        prediction=shown,
    )


def no_agent_to_fix(shown: Prediction) -> Refused:
    """No agent is connected that could mend what failed."""
    return Refused(
        code="no-agent",
        status=409,
        detail="No connected agent can fix this: the built-in one only runs fixed tasks.",
        fix="Connect one (docs/agents.md), or look at what failed and try again.",
        prediction=shown,
    )


def too_many_fixes(shown: Prediction) -> Refused:
    """Several are being looked at already."""
    return Refused(
        code="too-many-fixes",
        status=429,
        detail="Pulse is still preparing other fixes, so this one was not started.",
        fix="Try again in a moment.",
        prediction=shown,
    )


def cannot_spawn(why: str) -> Refused:
    """It cannot be told what would run, so no session was begun."""
    return Refused(code="cannot-spawn", status=409, detail=why, fix="Fix that, then ask again.")


def session_goes_on(shown: Prediction) -> Refused:
    """A try at a session is not repeated by its card."""
    return Refused(
        code="session-goes-on",
        status=409,
        detail="This was one try of a session, which continues on its own or asks you.",
        fix="Answer the session: `pulse world respond SESSION TEXT`.",
        prediction=shown,
    )


def nothing_to_run() -> Refused:
    """An edit without text."""
    return Refused(
        code="empty-prompt",
        status=422,
        detail="The edited text is empty, so there is nothing to run.",
        fix="Send the new text as `prompt`.",
    )


def no_message() -> Refused:
    """A message that git, or a person, could not read."""
    return Refused(
        code="empty-prompt",
        status=422,
        detail="A commit's message is text of at most 4,000 characters, without invisible characters.",
        fix="Send the message as `prompt`, with line breaks if you like.",
    )


def fixed_command(shown: Prediction) -> Refused:
    """Other words for what runs whatever they say."""
    return Refused(
        code="not-editable",
        status=409,
        detail="This runs a fixed command; changing the text would have no effect.",
        fix="Approve or retry it as it is, or ask for something else: `pulse trigger --hint TEXT`.",
        prediction=shown,
    )


def not_editable() -> Refused:
    """An ask is the asker's own words."""
    return Refused(
        code="not-editable",
        status=409,
        detail="This question can be approved or dismissed, but not edited.",
        fix="Reject it with a reason.",
    )


def yes_of_your_own(shown: Prediction) -> Refused:
    """What may run without asking takes a person's yes, to the card as it was shown; a token may be a program's."""
    return _yours("Only you can allow this without asking, and nothing proves that this yes is yours.", SAY_IT, shown)


def always_asked(shown: Prediction) -> Refused:
    """A device's button cannot undo a wish, because anyone who holds the device may press it."""
    return _yours("You wished always to be asked about this, and a device does not take that away.", IN_PERSON, shown)


def does_not_fit(shown: Prediction, why: str) -> Refused:
    """An answer to something else than what an agent asked."""
    return Refused(
        code="answer-does-not-fit",
        status=422,
        detail=f"{why} Your answer was not accepted.",
        fix="Look at what is asked, and answer again.",
        prediction=shown,
    )


def left_out(shown: Prediction, *, is_run: bool) -> Refused:
    """A yes to what nobody was shown, and what could do harm; an agent that Pulse runs has no dialog of its own."""
    there = "Approve it in the agent's own dialog, which shows all of it; or say no, and ask for smaller parts."
    run = "Say no, and ask for smaller parts; or start this agent in your own terminal, where it shows all of it."
    return Refused(
        code="left-out",
        status=403,
        detail="Part of this was left out and could do harm. It was not approved.",
        fix=run if is_run else there,
        prediction=shown,
    )


def persons_yes_to_training(shown: Prediction) -> Refused:
    """What leaves the machine and costs money takes a person's yes, to the card as it was shown."""
    return _yours("Only you can agree to this training, and nothing proves that this yes is yours.", SAY_IT, shown)


def import_of_your_own() -> Refused:
    """What replaces all that presses, with its limits and its history, is the person's to do."""
    return Refused(
        code="import-of-your-own",
        status=403,
        detail="Only you can import what the drives remember, and nothing proves that this is you. "
        "Nothing was changed.",
        fix="Do it with `pulse drives import DIR` in your own terminal.",
    )


def persons_yes_to_mutation(shown: Prediction) -> Refused:
    """What lets Pulse wake more easily takes a person's yes, to the card as it was shown."""
    return _yours("Only you can allow this change, and nothing proves that this yes is yours.", SAY_IT, shown)


def persons_word_to_session(shown: Prediction) -> Refused:
    """What is said to a session counts as a person's word, so it has to be one."""
    return _yours(
        "Only you can answer this, and nothing proves that this answer is yours.",
        "Answer on the page, with `pulse world respond` in your own terminal, or on a paired device.",
        shown,
    )


def persons_word_about_agents(shown: Prediction) -> Refused:
    """What tells a person that an agent no longer asks is not for programs to put out of sight."""
    return _yours("Only you can answer this, and nothing proves that this answer is yours.", SAY_IT, shown)


def persons_words_to_agent(shown: Prediction) -> Refused:
    """What an agent runs in place of what it asked no rail has read, so a person has to have written it."""
    return _yours(
        "Only you can change what an agent runs, and nothing proves that this text is yours.",
        "Change it on the page, with `pulse edit ID` in your own terminal, or on a paired device.",
        shown,
    )


def risky_words(shown: Prediction) -> Refused:
    """What a device's person put in the place of a command is risky, and no device asks again before that."""
    return Refused(
        code="risky-words",
        status=403,
        detail="What you wrote instead is risky, so Pulse has to ask you once more. It was not approved.",
        fix="Change it on the page, or with `pulse edit ID` in your own terminal.",
        prediction=shown,
    )


def session_moved_on(shown: Prediction) -> Refused:
    """The session that a question was about waits for nothing any more."""
    return Refused(
        code="session-not-waiting",
        status=409,
        detail="The session has moved on since this was asked, so your answer was not accepted.",
        fix="`pulse world query` shows how it is now.",
        prediction=shown,
    )


def killed(state: State) -> Refused:
    """The kill switch is on."""
    level = killed_by(state)
    return Refused(
        code="rail-kill",
        status=403,
        detail="Pulse is stopped." if level == "emergency" else "Pulse is switched off.",
        fix=ON_AGAIN[level],
    )


def by_rail(refusal: Refusal, shown: Prediction) -> Refused:
    """A rail does not allow it, no matter who asks."""
    return Refused(
        code=f"rail-{refusal.rule.split('.')[0]}",
        status=403,
        detail=refusal.reason,
        fix=refusal.fix,
        prediction=shown,
    )


def snoozed_too_often(times: int) -> Refused:
    """A snooze may be repeated three times."""
    return Refused(
        code="snoozed-too-often",
        status=409,
        detail=f"This suggestion was already snoozed {times} times.",
        fix="Approve or dismiss it.",
    )


def snooze_in_the_past() -> Refused:
    """A snooze must end in the future."""
    return Refused(
        code="snooze-in-the-past",
        status=422,
        detail="That time is not in the future.",
        fix="Give a later time, or a number of minutes.",
    )


def snooze_too_long(days: int) -> Refused:
    """A snooze ends within a week."""
    return Refused(
        code="snooze-too-long",
        status=422,
        detail=f"A suggestion can be snoozed for at most {days} days.",
        fix="Give an earlier time, or dismiss it.",
    )


def nothing_runs(shown: Prediction) -> Refused:
    """There is nothing to stop."""
    return Refused(
        code="nothing-runs",
        status=409,
        detail=f"Nothing is running for this suggestion; it is {shown.status}.",
        prediction=shown,
    )


def too_late_to_undo(shown: Prediction) -> Refused:
    """The undo window is over, or the answer cannot be taken back."""
    return Refused(
        code="too-late-to-undo",
        status=409,
        detail=f"This can no longer be undone; the suggestion is {shown.status}.",
        fix="`pulse stop` ends a running execution.",
        prediction=shown,
    )


def unknown_twin(name: str, policy: Policy) -> Refused:
    """Refuse to ask a model that is not set up, or that is switched off with all others."""
    known = [service.name for service in policy.twins]
    if policy.twin and known:
        detail, fix = f"There is no model {name!r} in the settings.", f"Known: {', '.join(known)}."
        return Refused(code="unknown-twin", status=404, detail=detail, fix=fix)
    fix = "Name one under `[twin]` in the settings file, with `enabled = true`, and start Pulse again: `docs/twin.md`."
    return Refused(code="no-twin", status=409, detail="No model is set up.", fix=fix)


def _yours(detail: str, fix: str, shown: Prediction) -> Refused:
    return Refused(code="yes-of-your-own", status=403, detail=detail, fix=fix, prediction=shown)
