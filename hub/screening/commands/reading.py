"""What the reader of commands answers."""

from hub.contract.base import Value
from hub.contract.effects import Effect
from hub.screening.commands.work_trees import TreeChange
from hub.screening.effects import HARMLESS, Certainty


class CommandReading(Value):
    """What a command would do.

    ``effects`` stand in the order of ``Effect``, each once. ``evidence`` holds the words that spoke for the dangerous
    ones, or for all where none is dangerous. ``understood`` is False where a word is not known: a program, an option, a
    setting, a place; or the text is too long, nested too deep, or no shell would take it. ``doubt`` is the first such
    word; of a program that nobody knows, but whose name and words say that it only looks, it is all that is not known.
    ``stays`` is True where nothing outside the folder is named, no other machine is asked, and no name that the line
    does not spell out is written where files lie that say what runs by itself; where one is, ``is_open_ended``.
    ``named`` are files and folders in full that it names, ``written`` those of them that it would write, so that it
    can be checked where they lead. ``deletes_elsewhere`` is True where one call loses what another machine holds, and
    ``runs_fetched`` where code that nobody has seen runs in the same text that fetches something. ``tree_changes`` are
    calls of git that bring what its commits hold.
    """

    effects: tuple[Effect, ...] = ()
    certainty: Certainty = Certainty.UNKNOWN
    evidence: tuple[str, ...] = ()
    understood: bool = False
    doubt: str = ""
    stays: bool = False
    named: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    is_open_ended: bool = False
    deletes_elsewhere: bool = False
    runs_fetched: bool = False
    tree_changes: tuple[TreeChange, ...] = ()


def is_dangerous(reading: CommandReading) -> bool:
    """Return True if a person should look first: it would do more than read, write in the workspace or run its code."""
    return not HARMLESS.issuperset(reading.effects)


def is_unknown(reading: CommandReading) -> bool:
    """Return True if nothing dangerous was found only because not all of it is known: a person should look, too."""
    return not reading.understood and not is_dangerous(reading)


class CommandSpan(Value):
    """A command within prose: ``text[start:end]`` of the text it was found in.

    ``marked`` says that the writer set it apart: backticks, a fenced block, a prompt sign, a line of its own.
    """

    start: int
    end: int
    reading: CommandReading
    marked: bool
