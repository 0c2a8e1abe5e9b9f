-- Why a card is where it is: the reason of its last move (hub/domain/card_states.py). NULL before the first move, and for cards
-- that moved before this was kept: nothing is made up for them.

ALTER TABLE predictions ADD COLUMN status_reason TEXT
  CHECK (status_reason IN ('approved', 'auto-approved', 'rejected', 'expired', 'blocked', 'withdrawn', 'snoozed', 'snooze-over',
    'snooze-undone', 'undone', 'stopped', 'interrupted', 'changed', 'verified', 'not-verified', 'retried'));
