-- A card can expire because what it was about has passed. The reasons of moves are a closed list of the contract
-- (hub/contract/words.py), which grows; a list of them here would need another such step for each new word, so it goes.

ALTER TABLE predictions ADD COLUMN moved_by TEXT;
UPDATE predictions SET moved_by = status_reason WHERE status_reason IS NOT NULL;
ALTER TABLE predictions DROP COLUMN status_reason;
ALTER TABLE predictions RENAME COLUMN moved_by TO status_reason;
