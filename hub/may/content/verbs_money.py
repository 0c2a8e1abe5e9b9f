"""Verbs that move money, and what they must be aimed at to count."""

import re
from collections.abc import Callable

from hub.may.content.nouns import CODE, GENERIC, GOODS, MONEY_THINGS, PEOPLE, TECHNICAL
from hub.may.content.phrases import CODE_FILE, DETERMINERS, Phrase
from hub.may.content.wordlist import word_set

Rule = Callable[[Phrase], str | None]

_PAY, _BUY, _TRADE, _MOVE = "financial.pay", "financial.buy", "financial.trade", "financial.transfer"
_ACTS = word_set(
    """payment payments purchase purchases donation donations refund refunds deposit withdrawal checkout
    subscription reservation bid bids bet bets trade trades remittance payout payouts prepayment downpayment
    autopay auto-pay instalment reimbursement chargeback pre-order preorder charge charges transaction swap wager
    contribution"""
)
_SOLD = word_set(
    """space options option cards card template templates tools tool training lessons links clicks sessions"""
)
PROGRAM_PARTS = word_set(
    """button buttons page pages flow flows form forms component components endpoint endpoints test tests module modules
    handler handlers icon icons label labels dialog modal screen view class function method field fields event events
    api route logic step steps widget link section feature variable column animation text wording tooltip"""
)
_DISPUTED = word_set(
    """charge charges payment payments subscription subscriptions invoice invoices credit refund refunds position
    positions wallet tier payout payouts deposit balance loan bill bills tab spend budget profit profits order trade
    trades sim card escrow mortgage debt"""
)
CODE_NEAR_MONEY = word_set(
    """test tests class model function module component endpoint api page form schema column migration fixture mock
    code parser dto entity service handler type code label ui table default value variable constant config"""
)
_MARKET = word_set("put call stock ad ads business greeting visiting driving piano language")
_BILLING_ID = re.compile(r"(?:ch|pi|py|cus|sub|in|ord|order|txn|tr|po|re|invoice|charge)_\w+")
_SORTABLE = word_set(
    """results rows tasks items list elements entries cards modules imports files columns sections names
    tests array steps options todos queue lines keys values numbers records layers slides chapters
    points paragraphs functions methods arguments search hits suggestions output issues commits words
    messages table orders fields nodes lists"""
)
_SECURITIES = word_set(
    """stock stocks share shares bitcoin bitcoins btc eth ether ethereum crypto cryptocurrency position
    positions portfolio bond bonds etf etfs token tokens coin coins nft nfts option futures gold forex
    holdings usdc usdt solana sol doge call put calls puts tesla apple nvidia tsla aapl nvda currency
    equities euros dollars account assets options"""
)


def is_code(phrase: Phrase) -> bool:
    """Say whether the object is a piece of software: a function, a test, a name with brackets."""
    head = phrase.head
    if head in _SOLD and set(phrase.words) & (GOODS | _MARKET):
        return False
    named = re.fullmatch(r"\w+\(\)|\w+_\w+", head) is not None and not _BILLING_ID.fullmatch(head)
    technical = named or CODE_FILE.fullmatch(head) is not None
    return not phrase.money and (head in CODE or technical)


def _pay(phrase: Phrase) -> str | None:
    if phrase.empty:
        return _PAY if phrase.tail[:1] == ("for",) or set(phrase.tail[:4]) & (PEOPLE | MONEY_THINGS) else None
    if "debt" in phrase.heads and phrase.bag & {"technical", "tech"}:
        return None
    return None if is_code(phrase) or phrase.head in {"attention", "heed", "respect", "homage", "visit"} else _PAY


def _buy(phrase: Phrase) -> str | None:
    """Match buying; with a determiner in front ("buy the cheapest option") only parts of a program are no goods."""
    if phrase.empty:
        return None
    pointed = phrase.words[0] in DETERMINERS and "_" not in phrase.head and not phrase.head.endswith("()")
    code = phrase.head in PROGRAM_PARTS if pointed else is_code(phrase)
    if code or phrase.head in {"time", "in", "into"} or phrase.words[0] in {"vs", "or"}:
        return None
    return _BUY


def _order(phrase: Phrase) -> str | None:
    """Match ordering goods; ordering results is sorting."""
    if phrase.empty or is_code(phrase):
        return None
    if phrase.tail[:1] == ("from",) and re.fullmatch(r"[A-Z][a-z]\w+", "".join(phrase.raw_tail[1:2])):
        return _BUY
    goods = phrase.money or set(phrase.words) & GOODS or "more" in phrase.words[:1]
    counted = bool(re.fullmatch(r"\d+|two|three|four|five|ten|twenty|another|new|some|an?", phrase.words[0]))
    shop = set(phrase.tail[:6]) & word_set("amazon ebay supplier shop store vendor alibaba ikea manufacturer")
    fresh = phrase.words[0] in {"new", "more", "another", "some"} or phrase.words[0].isdigit()
    if (phrase.head in _SORTABLE and not fresh) or set(phrase.tail[:2]) & {"alphabetically", "descending", "ascending"}:
        return None
    plain = phrase.words[0] in {"the", "our", "my", "a", "an"} and "by" not in phrase.tail[:1]
    sorted_by = "by" in phrase.tail[:1] and not phrase.money and not set(phrase.heads) & GOODS
    return _BUY if (goods or shop or counted or plain) and not sorted_by else None


def _transfer(phrase: Phrase) -> str | None:
    if is_code(phrase):
        return None
    moneyed = phrase.money or set(phrase.heads) & (MONEY_THINGS - {"tokens", "wallet", "amount", "sum"})
    between = {"account", "bank", "wallet", "savings", "iban", "paypal", "accounts"} & set(phrase.tail[:8])
    technical = set(phrase.tail[:6]) & TECHNICAL
    if phrase.bag & {"shares", "bitcoin", "btc", "eth", "crypto", "funds", "money"}:
        return _MOVE
    return _MOVE if moneyed or (between and not technical) else None


def _move(phrase: Phrase) -> str | None:
    cash = word_set(
        """money funds bitcoin btc eth crypto savings cash usdc balance rent payment deposit salary
        salaries fee donation"""
    )
    banked = phrase.tail[:1] in {("to",), ("into",)} and set(phrase.tail[1:4]) & {
        "savings",
        "checking",
        "iban",
        "depot",
    }
    return _MOVE if phrase.money or set(phrase.heads) & cash or banked else None


def _refund(phrase: Phrase) -> str | None:
    return None if phrase.empty or is_code(phrase) else "financial.refund"


def _charge(phrase: Phrase) -> str | None:
    if is_code(phrase):
        return None
    named = word_set("card customer customers client clients account visa mastercard user users")
    someone = (
        phrase.raw[:1] and re.fullmatch(r"[A-Z][a-z]+", phrase.raw[0]) and phrase.tail[:1] in {("for",), ("with",)}
    )
    rest = phrase.head in {"rest", "remainder", "difference", "balance", "deposit"}
    hit = phrase.money or set(phrase.heads) & (named | PEOPLE) or someone or rest
    return _PAY if hit else None


def _donate(phrase: Phrase) -> str | None:
    return None if is_code(phrase) or (phrase.empty and not phrase.tail) else _PAY


def _tip(phrase: Phrase) -> str | None:
    if phrase.words and re.fullmatch(r"\d+%?", phrase.words[0]):
        return _PAY
    return (
        _PAY
        if phrase.money or (set(phrase.heads) & (PEOPLE | {"driver", "waiter", "streamer", "creator", "barista"}))
        else None
    )


def _invest(phrase: Phrase) -> str | None:
    return _TRADE if phrase.money or phrase.bag & (_SECURITIES | {"money", "savings", "fund", "funds"}) else None


def _trade(phrase: Phrase) -> str | None:
    if is_code(phrase) or phrase.head in {"offs", "off"}:
        return None
    return (
        _TRADE
        if phrase.money
        or phrase.bag & (_SECURITIES | {"leverage"})
        or re.match(r"\d+", phrase.words[0] if phrase.words else "")
        else None
    )


def _sell(phrase: Phrase) -> str | None:
    """Match selling anything that is not code."""
    return None if phrase.empty or is_code(phrase) else _TRADE


def _approve(phrase: Phrase) -> str | None:
    """Match releasing money that waits for a yes."""
    spent = word_set("expense expenses payout payouts purchase invoice budget reimbursement quote payroll timesheet")
    spent |= word_set("payment payments refund refunds transfer transfers withdrawal order spend")
    ends = spent | word_set("report reports request requests claim claims run batch")
    return _PAY if set(phrase.words) & spent and phrase.head in ends else _settle(phrase)


def _add(phrase: Phrase) -> str | None:
    """Match adding paid seats or funds to a contract; adding anything else is work."""
    paid = word_set("seat seats licence licences license licenses credit credits funds money")
    account = word_set("subscription plan account balance wallet workspace contract card")
    cards = word_set("credit debit payment bank visa mastercard amex my our company corporate")
    if cards & set(phrase.words) and set(phrase.heads) & {"card", "method"}:
        return _PAY if set(phrase.tail[:6]) & (account | {"billing", "aws", "stripe", "profile", "payment"}) else None
    return _BUY if set(phrase.heads) & paid and set(phrase.tail[:6]) & account else None


def _stake(phrase: Phrase) -> str | None:
    return (
        _TRADE
        if phrase.money or phrase.bag & (_SECURITIES | {"horse", "match", "team", "game", "black", "red"})
        else None
    )


def _bid(phrase: Phrase) -> str | None:
    return None if is_code(phrase) or (phrase.empty and not phrase.tail) else _TRADE


def _settle(phrase: Phrase) -> str | None:
    bills = word_set("bill bills invoice invoices debt debts balance tab account fee fees payment claim")
    bills |= word_set("tab score fine expenses salary salaries payroll payouts refund refunds expense")
    if phrase.empty and set(phrase.tail[:6]) & PEOPLE:
        return _PAY
    return (
        _PAY if (set(phrase.heads) & bills or phrase.money) and (phrase.head == "tab" or not is_code(phrase)) else None
    )


def _spend(phrase: Phrase) -> str | None:
    return _PAY if phrase.money or phrase.bag & {"money", "budget", "card", "credits"} else None


def _handle(phrase: Phrase) -> str | None:
    """Match other verbs that change what is owed or owned: reverse the charge, fund the wallet, close the position."""
    if is_code(phrase) or phrase.bag & CODE_NEAR_MONEY:
        return None
    fares = set(phrase.words) & {"hotel", "flight", "fare"} and phrase.head in {"rate", "price", "fare"}
    if fares:
        return _BUY
    return _PAY if phrase.money or (set(phrase.heads) & _DISPUTED and phrase.head != "order") else None


def amount(phrase: Phrase) -> str | None:
    """Judge any other order that names a sum of money, unless it is about code."""
    shell = any("print" in word or "{" in word for word in phrase.bag)
    coded = shell or phrase.bag & CODE_NEAR_MONEY or phrase.bag & CODE
    return _PAY if phrase.money and not coded else None


def _checkout(phrase: Phrase) -> str | None:
    return _BUY if phrase.bag & {"cart", "basket", "card", "purchase"} else None


def _deposit(phrase: Phrase) -> str | None:
    """Match putting money somewhere; an artifact or a file is no money."""
    filed = phrase.head in GENERIC | {"build", "output", "report"} or any("/" in word for word in phrase.tail[:3])
    if phrase.head in {"check", "cheque", "checks"}:
        return _MOVE
    return None if phrase.empty or is_code(phrase) or (filed and not phrase.money) else _MOVE


def _request(phrase: Phrase) -> str | None:
    """Match asking somebody for money."""
    asked = word_set("money payment payments payout payouts refund refunds reimbursement loan credit advance quote")
    return _PAY if (phrase.money or set(phrase.heads) & asked) and not is_code(phrase) else None


def _bought(phrase: Phrase) -> bool:
    """Say whether "get", "place", "put" mean a purchase: from a shop, or something new that is sold."""
    shops = word_set("amazon ebay ikea alibaba etsy shop store supplier vendor supermarket apple zalando")
    countless = word_set(
        """items item product products ticket tickets domain domains server servers storage share shares parts
        credit credits sample samples units position positions phone book books ram plan plans call put"""
    )
    if phrase.head in {"uber", "taxi", "cab", "lyft"} or {"store", "credit"} <= set(phrase.words):
        return True
    if phrase.tail[:1] in {("from",), ("at",), ("on",)} and set(phrase.tail[1:4]) & shops and not is_code(phrase):
        return not set(phrase.words) & {"list", "data", "price", "prices", "inventory", "orders", "reviews"}
    fresh = next((word for word in phrase.words if word not in {"a", "an", "us", "me", "some"}), "")
    if (
        phrase.head in {"licence", "license", "subscription"}
        or phrase.words[-2:] in {("annual", "pass"), ("season", "pass")}
        or phrase.words[-2:] == ("api", "credits")
    ):
        return True
    mine = bool(set(phrase.words[:1]) & {"me", "us"}) or "cheapest" in phrase.words
    return (mine or fresh in {"new", "another", "more"}) and phrase.head in GOODS - countless


def _execute(phrase: Phrase) -> str | None:
    """Match light verbs: make a payment, place an order, complete the checkout, send an invoice."""
    heads, words = set(phrase.heads), set(phrase.words)
    if is_code(phrase) or (phrase.tail[:1] in {("by",), ("of",)} and heads == {"order"}):
        return None
    tipped = "tip" in heads and words & (PEOPLE | {"waiter", "barista"}) and not words & {"tool", "tooltip"}
    if tipped or heads & _ACTS or {"credit", "note"} <= words or {"purchase", "order"} <= words:
        return _PAY
    if heads & {"trial"} and words & {"paid", "free", "premium"}:
        return "financial.subscribe"
    if (
        _bought(phrase)
        or (heads & {"order", "orders"} and not words & {"sort", "alphabetical", "in", "restore"})
        or heads & {"payroll"}
    ):
        return _BUY
    if words & {"bank", "wire", "money", "sepa", "credit"} and heads & {
        "transfer",
        "transfers",
        "wire",
        "card",
        "debit",
    }:
        return _MOVE
    if phrase.money and (phrase.bag & (PEOPLE | MONEY_THINGS | {"card", "auction"})):
        return _PAY
    return _BUY if words & {"credit", "company", "debit"} and "card" in phrase.bag else None


def _table(*entries: tuple[str, Rule]) -> dict[str, Rule]:
    return {name: rule for names, rule in entries for name in names.split()}


VERBS: dict[str, Rule] = _table(
    ("write-off claim redeem", _settle),
    ("topup sponsor pay repay prepay overpay remunerate disburse compensate", _pay),
    ("buy purchase procure acquire preorder pre-order repurchase", _buy),
    ("order reorder", _order),
    ("transfer wire remit venmo paypal zelle send-money", _transfer),
    ("deposit cash", _deposit),
    ("request collect", _request),
    ("move send withdraw shift lend loan", _move),
    ("refund reimburse", _refund),
    ("charge bill invoice debit", _charge),
    ("donate contribute gift pledge", _donate),
    ("tip", _tip),
    ("invest", _invest),
    ("sell auction", _sell),
    ("approve sign-off authorise authorize", _approve),
    (
        """reverse dispute fund recharge scale split take close waive replenish square exit void lock allocate load
        reload freeze contest chargeback""",
        _handle,
    ),
    ("pay-to", lambda phrase: None if is_code(phrase) else _PAY),
    ("trade short liquidate swap exchange buy-the-dip rebalance long", _trade),
    (
        "convert",
        lambda phrase: (
            _TRADE if phrase.money or (set(phrase.words) & {"my", "our"} and phrase.bag & _SECURITIES) else None
        ),
    ),
    ("stake bet wager gamble mint", _stake),
    ("crowdfund", _donate),
    ("bid", _bid),
    ("settle clear cover process", _settle),
    ("add", _add),
    ("spend burn", _spend),
    ("checkout", _checkout),
)
EXECUTED: Rule = _execute
"""What counts after "make", "place", "complete"."""
