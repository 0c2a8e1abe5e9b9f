"""The one conversation of every set-up: ask, check the shape, try it out, show which fault it is, and ask again."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

import click

from hub.contract.errors import UserError
from hub.kit.setup_faults import SetupError, SetupField, SetupNoNetworkError, SetupPermissionError

ENDS = "Ctrl-C ends this; nothing is kept until it all works."
TRIES_MAX = 5
"""So often a set-up asks; a person who needs more looks at the guide first."""
NOTHING_KEPT = "Nothing was set up, and nothing was changed."
T = TypeVar("T")


class SetupEndedError(UserError):
    """Nothing was set up, and nothing was changed. Run the command again whenever you like."""

    code = "setup-ended"


class NobodyToAskError(UserError):
    """The set-up needs something, and nobody can be asked here. Run it at a terminal, or give it by its variable."""

    code = "setup-nobody-to-ask"


class Show(Protocol):
    """Prints a line, in a colour."""

    def __call__(self, text: str = "", tone: str | None = None) -> None:
        """Print it."""


def can_ask() -> bool:
    """Return True if a person sits at this terminal."""
    return sys.stdin.isatty()


def settle(
    fields: Sequence[SetupField],
    given: Mapping[str, str],
    check: Callable[[dict[str, str]], T],
    show: Show,
    *,
    ask: bool = True,
    ends: str = ENDS,
) -> tuple[dict[str, str], T]:
    """Ask for what is not given until `check` takes it; return it all, and what `check` found.

    `ends` says before the first question how to end this, and what is kept then.
    Without a person to ask (`ask` off, or no terminal), the first fault is the error that ends it.

    Raises:
        SetupError: the last fault, after TRIES_MAX tries or where nobody can be asked.
        SetupEndedError: the person typed nothing, or does not want to try again.
        NobodyToAskError: something is missing and nobody can be asked.
    """
    values = {field.name: "" for field in fields if field.optional}  # asked for once a fault names them
    values |= {name: text.strip() for name, text in given.items() if text.strip()}
    same: dict[str, str] = {field.name: field.default for field in fields}
    is_asking, explained = ask and can_ask(), set[str]()
    if is_asking and not all(field.name in values for field in fields):
        show(ends)
    try:
        for tries_left in reversed(range(TRIES_MAX)):
            try:
                for field in fields:
                    if field.name not in values:
                        values[field.name] = _asked(field, show, same[field.name], explained, is_asking=is_asking)
                    field.require_shape(values[field.name])
                return values, check(values)
            except SetupError as error:
                if not (is_asking and tries_left):
                    raise
                _say_fault(error, show, {field.where for field in fields})
                _make_room(error, values, same)
    except (click.Abort, KeyboardInterrupt):
        if is_asking:
            show()
            show(NOTHING_KEPT)
        raise
    raise AssertionError  # the last try has returned or raised


def _asked(field: SetupField, show: Show, same: str, explained: set[str], *, is_asking: bool) -> str:
    """Ask for one field; an empty answer is `same`, where there is something that it could be. How is said once."""
    if not is_asking:
        if field.optional or same:
            return same
        how = f"Set {field.name}" if field.name.isupper() else f"Say --{field.name.replace('_', '-')}"
        raise NobodyToAskError(f"{field.title} is missing.", fix=f"{how}, or run it at a terminal. {field.where}")
    show()
    if field.name not in explained:
        show(field.where)
        explained.add(field.name)
    if not (typed := _prompt(field, field.title, same) or same) and not field.optional:
        raise SetupEndedError
    if not field.several or typed == same:
        return typed
    field.require_shape(typed)  # at once: those that follow are not typed in vain
    faults_left = TRIES_MAX
    while line := _prompt(field, "One more (Enter: no more)", ""):
        try:
            field.require_shape(line)
        except SetupError as error:
            faults_left -= 1
            if not faults_left:
                raise
            _say_fault(error, show, {field.where})
        else:
            typed = f"{typed}\n{line}"
    return typed


def _prompt(field: SetupField, title: str, same: str) -> str:
    """Ask for one line; what is secret is neither shown while it is typed nor as what Enter stands for."""
    hint = " (Enter: the same again)" if same and field.is_secret else ""
    shown = "" if field.is_secret else same
    typed: str = click.prompt(f"{title}{hint}", default=shown, show_default=bool(shown), hide_input=field.is_secret)
    return typed.strip()


def _say_fault(error: SetupError, show: Show, said_anyway: set[str]) -> None:
    show(f"✗ {error.detail} [{error.code}]", "red")
    if error.fix and error.fix not in said_anyway:
        show(f"  {error.fix}")


def _make_room(error: SetupError, values: dict[str, str], same: dict[str, str]) -> None:
    """Forget what has to be typed again, unless Enter says that it is right; else ask before the next try."""
    if error.doubtful:
        same.update((name, values.pop(name, "")) for name in error.doubtful)
    elif error.field:
        again = values.pop(error.field, "")
        may_be_right = isinstance(error, SetupNoNetworkError | SetupPermissionError)
        same[error.field] = again if may_be_right else ""
    elif not click.confirm("Try again?", default=True):
        raise SetupEndedError
