"""The answers: `approve`, `reject`, `snooze`, `edit`, `undo`, `stop`, `retry`, `less`, `never`, `fix`, `ignore`."""

import click
import msgspec

from hub.cli import choosing, granting, times
from hub.cli.api import open_api, read
from hub.cli.command import CommandContext, command
from hub.cli.finding import LATEST, find
from hub.cli.looked import answer_to, can_ask, hand_in, show
from hub.cli.person_clock import now_here
from hub.contract.api import AnswerReply, Prediction
from hub.contract.permission import PermissionAnswer
from hub.contract.words import Breadth, Risk, Verb
from hub.domain.lookalikes import reveal
from hub.kit.questions import questions_of

MINUTE_S = 60
NOTHING_SENT = "Not approved; nothing was sent."

card_id = click.argument("card_id", metavar="ID")
about = click.option(
    "--about",
    type=click.Choice([breadth.value for breadth in Breadth]),
    help="What it applies to: this kind everywhere, this kind here, the whole repository, or the whole channel.",
)


@command()
@card_id
@click.option(
    "--always",
    type=click.IntRange(min=1),
    metavar="N",
    help="And do not ask again: take the N-th of the offered permissions.",
)
@click.option("--until", metavar="WHEN", help="With --always, when it ends: hour, today, week, 2h, 2030-01-31.")
@click.option("--path", "paths", multiple=True, metavar="PATH", help="With --always, limit it to this file or folder.")
@click.option(
    "--choice", "choices", multiple=True, metavar="N", help="The answer to a question: its number, or text of your own."
)
@click.pass_obj
def approve(
    context: CommandContext,
    card_id: str,
    *,
    always: int | None,
    until: str | None,
    paths: tuple[str, ...],
    choices: tuple[str, ...],
) -> None:
    """Approve a suggestion; it runs.

    ID is its id, the start of it, or `latest`: the newest one you have seen. Example: pulse approve latest

    Agents' requests may offer a permission, so that you are not asked again. --always 1 takes the first, after
    showing what it allows. You may limit its end and files: pulse approve latest --always 1 --until today --path src

    Answer a question with --choice, once for each question asked; without it, the answers are listed with their
    numbers. Example: pulse approve latest --choice 2
    """
    if (until or paths) and not always:
        raise click.UsageError("--until and --path go with --always.")
    card = _meant(context, card_id, Verb.APPROVE)
    if choices and not questions_of(card.permission):
        raise click.UsageError("--choice is for questions, and this is not one.")
    if questions_of(card.permission):
        said: PermissionAnswer | None = choosing.chosen(context, card, choices)
    else:
        said = granting.choose(context, card, always, until, paths) if always else None
    asks = card.risk is Risk.HIGH and can_ask(context)
    if (always and said is None) or (asks and not _is_meant(context, card)):
        context.say(NOTHING_SENT)
    else:
        _hand_in(context, card_id, card, Verb.APPROVE, {"permission": said}, asked=asks and said is None)


@command()
@card_id
@click.option("--reason", default="", help="Your reason; Pulse learns from it.")
@click.pass_obj
def reject(context: CommandContext, card_id: str, reason: str) -> None:
    """Dismiss a suggestion.

    Example: pulse reject latest --reason "not before the release"
    """
    _give(context, card_id, Verb.REJECT, reason=reason)


@command()
@card_id
@click.option("--for", "length", metavar="TIME", help="How long: 10m, 1h30m, 2d.")
@click.option("--until", metavar="TIME", help="Until when: 18:00, tomorrow, 2030-01-31T08:00.")
@click.pass_obj
def snooze(context: CommandContext, card_id: str, length: str | None, until: str | None) -> None:
    """Snooze a suggestion, on every surface.

    Without a time, for as long as the settings say. Example: pulse snooze latest --for 10m
    """
    if length and until:
        raise click.UsageError("Give either --for or --until, not both.")
    now = now_here()
    at = times.moment(until, now) if until else now + times.length(length) if length else None
    _give(context, card_id, Verb.SNOOZE, until=at)


@command()
@card_id
@click.argument("text", nargs=-1)
@click.option("--prompt", help="The same as TEXT.")
@click.pass_obj
def edit(context: CommandContext, card_id: str, text: tuple[str, ...], prompt: str | None) -> None:
    """Change what a suggestion does, and approve it.

    TEXT is what to do instead, in one or more words; for a commit it is the message, and nothing else changes.
    Without TEXT, your editor opens. Example: pulse edit latest Run only the tests of hub/store
    """
    if text and prompt is not None:
        raise click.UsageError("Give either TEXT or --prompt.")
    prompt = " ".join(text) if text else prompt
    card = _meant(context, card_id, Verb.EDIT)
    if not card.editable:  # the hub says why, before anybody has written anything
        _send(context, card_id, card, Verb.EDIT, prompt=prompt or card.prompt)
        return
    before = card.edit_text or card.prompt
    changed = prompt if prompt is not None else click.edit(before, extension=".md")
    if changed is None or not changed.strip() or (prompt is None and changed.strip() == before.strip()):
        context.say("Nothing was changed, so nothing was sent.")
        return
    _send(context, card_id, card, Verb.EDIT, prompt=changed.strip())  # which the hub has shown first, as it read it


@command()
@card_id
@click.pass_obj
def undo(context: CommandContext, card_id: str) -> None:
    """Undo an answer.

    This reopens a dismissed card, stops a run, and undoes a commit if it is not pushed and has no newer commit on
    top (your files stay as they are). Other finished work is marked as unwanted.
    """
    _give(context, card_id, Verb.UNDO)


@command()
@card_id
@click.pass_obj
def stop(context: CommandContext, card_id: str) -> None:
    """Stop what a suggestion is running.

    Example: pulse stop latest. To stop everything at once: pulse kill
    """
    _give(context, card_id, Verb.STOP)


@command()
@card_id
@click.option("--prompt", help="Different text to run this time.")
@click.pass_obj
def retry(context: CommandContext, card_id: str, prompt: str | None) -> None:
    """Run a failed suggestion once more.

    Example: pulse retry latest
    """
    card = _meant(context, card_id, Verb.RETRY)
    _send(context, card_id, card, Verb.RETRY, prompt=prompt, attempt=card.attempts or None)


@command()
@card_id
@about
@click.pass_obj
def less(context: CommandContext, card_id: str, about: str | None) -> None:
    """Dismiss a suggestion and see fewer like it.

    Its kind then comes at most once a day, and less often each time you do this. To undo it: `pulse undo` or `pulse
    muted`. Example: pulse less latest
    """
    _give(context, card_id, Verb.LESS, about=about and Breadth(about))


@command()
@card_id
@about
@click.pass_obj
def never(context: CommandContext, card_id: str, about: str | None) -> None:
    """Dismiss a suggestion and never suggest it here again.

    "Here" is its repository, or its channel if it has none. To undo it: `pulse undo` or `pulse muted`.

    Example: pulse never latest --about kind
    """
    _give(context, card_id, Verb.NEVER, about=about and Breadth(about))


@command()
@card_id
@click.pass_obj
def fix(context: CommandContext, card_id: str) -> None:
    """Let one of your agents fix what failed.

    It looks for the cause and fixes it; anything it would run comes as its own suggestion.

    Example: pulse fix latest
    """
    card = _meant(context, card_id, Verb.FIX)
    _send(context, card_id, card, Verb.FIX, attempt=card.attempts or None)


@command()
@card_id
@click.pass_obj
def ignore(context: CommandContext, card_id: str) -> None:
    """Ignore a failed suggestion, on every surface.

    You can still try it again. Example: pulse ignore latest
    """
    card = _meant(context, card_id, Verb.IGNORE)
    _send(context, card_id, card, Verb.IGNORE, attempt=card.attempts or None)


def _give(context: CommandContext, written: str, verb: Verb, **said: object) -> None:
    _send(context, written, _meant(context, written, verb), verb, **said)


def _is_meant(context: CommandContext, card: Prediction) -> bool:
    """Ask again before something of high risk: with what it does and why it is risky."""
    show(context, card)
    return click.confirm("This is risky. Run it anyway?")


def _meant(context: CommandContext, written: str, verb: Verb) -> Prediction:
    return find(open_api(context.home), written, verb)


def _send(context: CommandContext, written: str, card: Prediction, verb: Verb, **said: object) -> None:
    _hand_in(context, written, card, verb, said, asked=False)


def _hand_in(
    context: CommandContext, written: str, card: Prediction, verb: Verb, said: dict[str, object], *, asked: bool
) -> None:
    """Hand in one answer, bound to the card as it was found; `asked` as in `hub.cli.looked`."""
    answer = msgspec.structs.replace(answer_to(card), latest=written == LATEST, **said)
    document = hand_in(context, card, verb, answer, asked=asked)
    if document is None:
        context.say(NOTHING_SENT)
        return
    if context.printed(document):
        return
    reply = read(document, AnswerReply)
    context.hint(f"✓ {_outcome(reply, verb)}", "green")
    context.say(f"  {reply.prediction.id}  {reveal(reply.prediction.prompt)}")


def _outcome(reply: AnswerReply, verb: Verb) -> str:
    """Say what came of an answer; of a snooze also when it ends, by the person's own clock."""
    until = reply.prediction.snoozed_until
    if verb is Verb.SNOOZE and until is not None:
        from hub.cli.draw import until_moment  # noqa: PLC0415  brings rich along, which no other answer needs

        return f"Snoozed until {until_moment(until)}, on every surface."
    return reply.message or "Done."
