"""Shares, amounts and decimals as parts of a sentence, so that each language writes them its own way. Pure."""

from hub.contract.phrasing import Phrasing
from hub.domain.policy import USD
from hub.domain.worded import Worded

CENT_MICROUSD = 10_000


def percent(share: float) -> Worded:
    """Return a share (0 to 1) in whole per cent."""
    number = f"{share:.0%}".removesuffix("%")
    return Worded(text=f"{number}%", wording=Phrasing(code="figure.percent", values={"number": number}))


def dollars(microusd: int) -> Worded:
    """Return an amount in US dollars: with cents, and finer only where there is something finer."""
    number, values = _decimal(microusd / USD, 6 if microusd % CENT_MICROUSD else 2)
    return Worded(text=f"${number}", wording=Phrasing(code="figure.dollars", values=values))


def hundredths(value: float) -> Worded:
    """Return a number with two decimals."""
    number, values = _decimal(value, 2)
    return Worded(text=number, wording=Phrasing(code="figure.decimal", values=values))


def _decimal(value: float, places: int) -> tuple[str, dict[str, str]]:
    number = f"{value:.{places}f}"
    whole, _, fraction = number.partition(".")
    return number, {"whole": whole, "fraction": fraction}
