"""A parsed text of a shell: the calls of programs in it, with their redirects and what feeds them."""

from dataclasses import dataclass, field

from hub.screening.commands.arithmetic import Evaluated


@dataclass(slots=True)
class Redirect:
    """`> file` and its relatives."""

    sign: str
    target: str
    descriptor: str = ""
    """The number before the sign; without one it is what the sign is for."""
    at: int = 0
    """Where it stands in the text: a variable of several values makes several of one."""


@dataclass(slots=True)
class ProgramCall:
    """One program with its words, in the order of the text."""

    words: list[str]
    source: str
    redirects: list[Redirect] = field(default_factory=list)
    inside: "list[ProgramCall]" = field(default_factory=list)
    """What runs within its words: `$(...)` and `<(...)`."""
    fed_by: "list[ProgramCall]" = field(default_factory=list)
    """The stage before it in a pipeline."""
    beside: "list[ProgramCall]" = field(default_factory=list)
    """What prints before it into the same file: `{ a; b; } > file`."""
    feeds: "ProgramCall | None" = None
    fed_text: str | None = None
    """A here-document or a here-string."""
    settings: list[str] = field(default_factory=list)
    """Variables that are set for this call alone."""
    subshells: tuple[int, ...] = ()
    """The subshells that it runs in, by where each begins: a `cd` there moves nothing outside."""
    is_certain: bool = False
    """Whether it is made if the text is run at all, or else a `cd` before it failed."""
    is_early: bool = False
    """Whether it stands before every function of its name that the text surely defines."""
    is_instead: bool = False
    """Whether it is the call before it, with another value of a variable."""
    open_words: set[str] = field(default_factory=set)
    """Words in which something stands that is only known when it runs, put there before anything else reads them."""
    bare_words: set[str] = field(default_factory=set)
    """Those of them that a shell splits, so that they may be several."""
    is_repeated: bool = False
    """Whether it stands in a loop."""


@dataclass(slots=True)
class Script:
    """A parsed text. ``broken``: no shell would take it as it stands. ``cut``: a limit was met, something is unread."""

    calls: list[ProgramCall] = field(default_factory=list)
    broken: bool = False
    cut: bool = False
    assigned: list[str] = field(default_factory=list)
    """Variables that are set for all that follows."""
    functions: set[str] = field(default_factory=set)
    """Names that the text itself gives a meaning; what that is stands among the calls."""
    evaluated: Evaluated = field(default_factory=Evaluated)
    """What is evaluated as arithmetic."""
