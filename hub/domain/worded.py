"""A sentence that the hub tells: in English, and as a code that every surface can say in its language."""

from hub.contract.base import Value
from hub.contract.phrasing import Phrasing


class Worded(Value):
    """A sentence and its wording; the English phrasebook says the wording as `text` does."""

    text: str
    wording: Phrasing
