-- A person's no that an agent overtook stays what they answered: the index knows it, too.

DROP INDEX idx_predictions_answered_asks;
CREATE INDEX idx_predictions_answered_asks ON predictions (user_id, settled_at DESC, id DESC)
  WHERE source = 'ask' AND (status IN ('confirmed', 'rejected') OR status_reason = 'overruled') AND NOT autonomous;
