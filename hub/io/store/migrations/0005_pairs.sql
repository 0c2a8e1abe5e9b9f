-- Which cards a training pair is of, so that it can be taken back with an answer. A choice is in one pair at most.

ALTER TABLE dpo_pairs ADD COLUMN chosen_id TEXT NOT NULL DEFAULT '';
ALTER TABLE dpo_pairs ADD COLUMN rejected_id TEXT NOT NULL DEFAULT '';
ALTER TABLE dpo_pairs ADD COLUMN weight DOUBLE PRECISION NOT NULL DEFAULT 1;
CREATE INDEX idx_dpo_chosen ON dpo_pairs (user_id, chosen_id);
CREATE INDEX idx_dpo_rejected ON dpo_pairs (user_id, rejected_id);
CREATE INDEX idx_dpo_user ON dpo_pairs (user_id, id);
