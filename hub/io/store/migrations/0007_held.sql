-- Cards that wait for a good moment: until when (hub/contract/attention.py). NULL for a card that was told of, as all were before.

ALTER TABLE predictions ADD COLUMN held TEXT;
CREATE INDEX idx_predictions_held ON predictions (user_id, created_at, id) WHERE held IS NOT NULL;
