"""The room that answers: may this be done?

`judge` runs the whole safety pipeline and is the only maker of a `Permit`; `judge_call` says what an agent may do
within a run that has one. Both rest on `unasked`, which alone says yes without a person; the others keep the ledger.
"""

from hub.may.calls import judge_call
from hub.may.content_rail import doubted, held_back, risky
from hub.may.content_rail import overridden as filter_overridden
from hub.may.cost import cap_worded, has_room, is_over
from hub.may.edited import taken_over, without_silencing
from hub.may.effective import after_start, changed, effective, overridden, still_holding, values_of, without
from hub.may.grant_patterns import patterns_for, why_not
from hub.may.granted import GRANTS_MAX, covers, paths_in
from hub.may.kill import switched_off_by
from hub.may.ledger import (
    after_answer,
    after_consent,
    after_cost,
    after_judgement,
    after_regret,
    after_resume,
    after_trigger,
    after_undone_rejection,
    chain_of,
    crossed,
    is_known,
    reenable_month,
    regrets_of,
)
from hub.may.mutation_chain import linked, remembered, verify
from hub.may.mutations import MutationRuling, MutationsTaken, after_mutation, judge_mutation, taken
from hub.may.narrowing import narrowed, paths_proposed
from hub.may.pipeline import judge
from hub.may.renewed import renewed
from hub.may.ruling import RailInput
from hub.may.spending import Spent, spent
from hub.may.standing import (
    after_run_alone,
    after_standing_yes,
    after_withdrawal,
    can_stand,
    expiry_of,
    is_earned,
    may_run_alone,
    meaning,
    standing_yes,
    stands_for,
    without_expired,
    yeses_needed,
)
from hub.may.unasked import AskedOfGrants, read_led_to, unasked

__all__ = [
    "GRANTS_MAX",
    "AskedOfGrants",
    "MutationRuling",
    "MutationsTaken",
    "RailInput",
    "Spent",
    "after_answer",
    "after_consent",
    "after_cost",
    "after_judgement",
    "after_mutation",
    "after_regret",
    "after_resume",
    "after_run_alone",
    "after_standing_yes",
    "after_start",
    "after_trigger",
    "after_undone_rejection",
    "after_withdrawal",
    "can_stand",
    "cap_worded",
    "chain_of",
    "changed",
    "covers",
    "crossed",
    "doubted",
    "effective",
    "expiry_of",
    "filter_overridden",
    "has_room",
    "held_back",
    "is_earned",
    "is_known",
    "is_over",
    "judge",
    "judge_call",
    "judge_mutation",
    "linked",
    "may_run_alone",
    "meaning",
    "narrowed",
    "overridden",
    "paths_in",
    "paths_proposed",
    "patterns_for",
    "read_led_to",
    "reenable_month",
    "regrets_of",
    "remembered",
    "renewed",
    "risky",
    "spent",
    "standing_yes",
    "stands_for",
    "still_holding",
    "switched_off_by",
    "taken",
    "taken_over",
    "unasked",
    "values_of",
    "verify",
    "why_not",
    "without",
    "without_expired",
    "without_silencing",
    "yeses_needed",
]
