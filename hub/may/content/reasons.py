"""What each rule says to the person."""

from hub.may.content.hit import Family

REASONS: dict[str, str] = {
    "destructive.delete-tree": "It would delete files in a way that cannot be undone.",
    "destructive.delete-file": "It would destroy a file.",
    "destructive.files": "It would delete files as a whole.",
    "destructive.disk": "It would overwrite or format a disk.",
    "destructive.system": "It would stop, damage or take over a system.",
    "destructive.permissions": "It would open up or close off access.",
    "destructive.defence": "It would switch off a protection.",
    "destructive.history": "It would rewrite or overwrite published history.",
    "destructive.lose-work": "It would throw away work that may not be saved elsewhere.",
    "destructive.infrastructure": "It would delete infrastructure, containers or packages.",
    "destructive.data": "It would delete or overwrite data.",
    "destructive.remote-code": "It would run code from elsewhere without anyone having read it.",
    "destructive.secrets": "It would hand secrets to somebody else.",
    "destructive.unscreened": "It is too long to be checked. Shorten it and try again.",
    "financial.command": "It would move money through a program.",
    "financial.pay": "It would make a payment.",
    "financial.buy": "It would buy something.",
    "financial.trade": "It would trade or invest.",
    "financial.transfer": "It would transfer money.",
    "financial.refund": "It would refund money.",
    "financial.subscribe": "It would start, change or end a paid contract.",
    "outward.message": "It would send a message to somebody.",
    "outward.post": "It would post something that others can read.",
    "outward.publish": "It would publish something.",
    "outward.call": "It would call somebody.",
    "outward.comment": "It would write where others discuss.",
    "outward.webhook": "It would send data to an outside service.",
}
"""Rule id to a plain sentence; the part before the dot is the family."""

_FAMILIES: dict[str, Family] = {"destructive": "destructive", "financial": "financial", "outward": "outward"}


def family_of(rule: str) -> Family:
    """Return the family a rule belongs to."""
    return _FAMILIES[rule.split(".", 1)[0]]
