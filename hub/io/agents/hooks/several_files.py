"""A change of several files at once, judged by the riskiest of them, with all of them named. Pure."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from hub.contract.permission import FILES_MAX, Act
from hub.contract.words import Risk
from hub.io.agents.hooks.step import Wanted
from hub.screening.acts import read_act

_RISKS = tuple(Risk)


def edit_of_files(paths: Iterable[str], text: str, folder: str) -> Wanted:
    """Return the change of these files; of none, or of more than a card can name, it is shown whole and asked."""
    named = dict.fromkeys(str(PurePosixPath(folder) / one) for one in paths)
    if not named or len(named) > FILES_MAX:
        return Wanted(act=Act.OTHER, text=text)
    riskiest = max(named, key=lambda path: _RISKS.index(read_act(Act.EDIT, "", path, folder, "").risk))
    return Wanted(act=Act.EDIT, text=text, target=riskiest, others=tuple(path for path in named if path != riskiest))
